//! Typing: suggestions, symbols to insert, and the keyboard alone.

use std::time::Duration;

use serde_json::json;

use crate::fixtures::chromium::Browser;
use crate::fixtures::server::Server;

/// Enter comes before, with and after the suggestions for what was pasted; some are late.
pub(super) fn suggestions_never_open_over_results(page: &mut Browser, server: &Server) {
    page.eval(
        "window.real = window.fetch; window.late = 0;
         window.fetch = async (url, options) => {
           const answer = await window.real(url, options);
           if (String(url).includes('/api/complete')) await new Promise((done) => setTimeout(done, window.late));
           return answer;
         }; 1",
    );
    let mut shown = Vec::new();
    for late in [0, 60] {
        page.eval(&format!("window.late = {late}"));
        for wait in [0, 5, 20, 80] {
            for attempt in 0..8 {
                page.eval("$('q').value = ''; $('q').focus(); $('form').requestSubmit()");
                page.wait("$('results').children.length === 0");
                let pasted = format!("x^2+y^2={attempt}");
                page.call("Input.insertText", json!({ "text": pasted }));
                std::thread::sleep(Duration::from_millis(wait));
                page.press("Enter");
                page.wait("$('results').children.length > 3");
                page.eval("new Promise((done) => setTimeout(done, 100))");
                if page.eval("$('suggestions').hidden") != json!(true) {
                    shown.push((late, wait, attempt));
                }
            }
        }
    }
    assert!(
        shown.is_empty(),
        "open over results in {} of 64 tries (ms late, ms to Enter, try): {shown:?}",
        shown.len()
    );
    page.open(&format!("{}?q=x%5E2%2By%5E2", server.url()));
    page.wait("$('results').children.length > 3");
}

pub(super) fn typing_suggests_and_choosing_searches(page: &mut Browser) {
    // Opening the page is one step, not two: about:blank, and this.
    assert_eq!(page.eval("history.length"), 2);
    // How long from a key to suggestions is told, never asserted.
    page.eval(
        "window.times = []; $('q').addEventListener('input', () => window.pressed = performance.now());
         new MutationObserver(() => window.times.push(performance.now() - window.pressed))
           .observe($('suggestions'), {childList: true}); 1",
    );
    page.keys(r"\int e^{-x^2");
    page.wait(r"!$('suggestions').hidden && $('suggestions').dataset.typed === '\\int e^{-x^2'");
    println!(
        "from key to suggestions, ms: {}",
        page.eval("window.times.map((t) => Math.round(t * 10) / 10)")
    );
    assert!(
        page.eval("$('reading').textContent")
            .as_str()
            .unwrap()
            .contains(r"read as \int e^{-x^2}")
    );
    assert_eq!(page.eval("$('q').getAttribute('aria-expanded')"), "true");
    page.wait("$('preview').querySelector('img').naturalWidth > 20");
    page.press("ArrowDown");
    page.press("ArrowDown");
    page.press("ArrowUp");
    assert_eq!(
        page.eval("$('q').getAttribute('aria-activedescendant')"),
        "suggestion-0"
    );
    let wanted = page.eval("$('suggestions').firstChild.getAttribute('aria-label')");
    page.press("Enter");
    page.wait("$('results').children.length > 3");
    assert_eq!(page.eval("$('q').value"), wanted);
    assert_eq!(page.eval("$('suggestions').hidden"), true);
    assert_eq!(
        page.eval("$('results').querySelector('code').textContent"),
        wanted
    );
    assert!(
        page.eval("$('status').textContent")
            .as_str()
            .unwrap()
            .ends_with("\u{a0}ms")
    );
}

pub(super) fn the_keyboard_is_enough(page: &mut Browser, server: &Server) {
    page.open(&server.url());
    page.wait("document.activeElement.id === 'q' && document.documentElement.dataset.ready");
    page.keys("a+b");
    page.press("Escape");
    page.press("Enter");
    page.wait("$('results').children.length > 3");
    // Button, then the panels: symbols, settings, history.
    for _ in 0..3 {
        page.press("Tab");
    }
    assert_eq!(page.eval("document.activeElement.id"), "settings-open");
    page.press("Enter");
    // Filters, the history and what resets them stand between.
    for _ in 0..5 {
        page.press("Tab");
        if page.eval("document.activeElement.id") == json!("match") {
            break;
        }
    }
    assert_eq!(page.eval("document.activeElement.id"), "match");
    page.eval("window.before = $('results').firstChild; 1");
    page.press("End");
    page.wait("location.search.includes('match=100') && $('match-shown').textContent === 'all'");
    page.press("Tab");
    page.press(" ");
    page.wait("location.search.includes('idf=true')");
    page.wait("$('results').firstChild && $('results').firstChild !== window.before");
    // The other settings, sharing, and a formula that can be scrolled have the focus too.
    for _ in 0..14 {
        page.press("Tab");
        if page.eval("/place/.test(document.activeElement.textContent)") == json!(true) {
            break;
        }
    }
    assert_eq!(
        page.eval("$('results').contains(document.activeElement)"),
        true
    );
    page.press("Enter");
    page.wait("$('results').querySelector('[aria-expanded=true]')");
    let outline = page.eval("getComputedStyle(document.activeElement).outlineStyle");
    assert_eq!(outline, "solid", "what has the focus is seen");
    let unnamed = "[...document.querySelectorAll('input, select, button')].filter((e) =>
        !e.labels?.length && !e.textContent.trim() && !e.getAttribute('aria-label')).length";
    assert_eq!(page.eval(unnamed), 0);
}

pub(super) fn the_palette_inserts(page: &mut Browser, server: &Server) {
    page.open(&server.url());
    page.wait("document.documentElement.dataset.ready");
    page.eval("$('palette-open').click(); [...$('palette').children].find((b) => b.title.startsWith('\\\\frac')).click()");
    page.keys("x");
    assert_eq!(page.eval("$('q').value"), r"\frac{x}{}");
    page.wait("!$('suggestions').hidden");
}

/// The first question is answered last, and its answer is not shown.
pub(super) fn old_answers_never_win(page: &mut Browser, server: &Server) {
    page.open(&server.url());
    page.wait("document.documentElement.dataset.ready");
    page.eval(
        "window.real = window.fetch; let slow = true;
         window.fetch = async (url, options) => {
           const wait = slow && String(url).includes('/api/'); slow = false;
           const answer = await window.real(url, {...options, signal: undefined});
           if (wait) await new Promise((done) => setTimeout(done, 400));
           window.answered = (window.answered ?? 0) + 1;
           return answer;
         }; 1",
    );
    page.eval("$('q').value = '+'; $('form').requestSubmit(); $('q').value = 'a^2+b^2=c^2'; $('form').requestSubmit()");
    page.wait("window.answered >= 2");
    page.eval("new Promise((done) => setTimeout(done, 100))");
    assert_eq!(
        page.eval("$('results').querySelector('code').textContent"),
        "a^2+b^2=c^2"
    );
}

/// From a key to suggestions, on a server that is given: `PHOCUS_URL=http://... cargo test
/// --test browser -- --ignored --nocapture`.
#[test]
#[ignore = "measures a server that is running"]
fn suggestions_come_soon() {
    let url = std::env::var("PHOCUS_URL").expect("PHOCUS_URL names a server");
    let mut browser = Browser::start().expect("a browser");
    let page = &mut browser;
    page.open(&url);
    page.wait("document.documentElement.dataset.ready");
    page.eval(
        "window.times = []; $('q').addEventListener('keydown', () => window.pressed = performance.now(), true);
         new MutationObserver(() => { if (window.pressed) { const start = window.pressed; window.pressed = 0;
           window.changed = (window.changed ?? []); window.changed.push(performance.now() - start); requestAnimationFrame(() => window.times.push(performance.now() - start)); } })
           .observe($('suggestions'), {childList: true}); 1",
    );
    let formulas = [
        r"\int_0^\infty e^{-x^2} dx = \frac{\sqrt{\pi}}{2}",
        r"\sum_{n=1}^\infty \frac{1}{n^2}",
        "a^2+b^2=c^2",
    ];
    for formula in formulas {
        page.eval("$('q').value = ''; $('q').focus()");
        for c in formula.chars() {
            page.keys(&c.to_string());
            page.eval("new Promise((done) => setTimeout(done, 120))");
        }
    }
    for (what, list) in [("there", "changed"), ("drawn", "times")] {
        let sorted =
            format!("window.{list}.sort((a, b) => a - b).map((t) => Math.round(t * 10) / 10)");
        let times = page.eval(&sorted);
        let times = times.as_array().unwrap();
        let at = |part: f64| &times[(part * (times.len() - 1) as f64) as usize];
        let (count, half, most) = (times.len(), at(0.5), at(0.95));
        println!("{count} keys: {what} after {half} ms in the median, {most} ms at 95%");
    }
}
