//! The page, in a real browser.

use crate::fixtures::chromium::Browser;
use crate::fixtures::sample::sample_index;
use crate::fixtures::server::{Server, index_of};
use serde_json::json;

/// All in one browser, one after the other: starting one takes longer than using it.
#[test]
fn the_page_searches() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let index = sample_index("best");
    let hostile = hostile(folder.path());
    let other = format!("hostile={}", hostile.display());
    let server = Server::start(&[index.to_str().unwrap(), &other, "--quiet"]);
    let page = &mut browser;
    page.open(&server.url());
    page.wait("document.activeElement.id === 'q' && $('about').textContent.includes('formulas')");
    typing_suggests_and_choosing_searches(page);
    results_are_drawn_with_what_matched(page);
    places_open(page);
    the_address_holds_the_search(page, &server);
    no_hits_are_explained(page);
    bad_latex_is_told(page);
    hostile_formulas_are_text(page, &server);
    old_answers_never_win(page, &server);
    the_keyboard_is_enough(page, &server);
    the_palette_inserts(page, &server);
    nothing_is_asked_of_others(page, &server);
}

fn hostile(folder: &std::path::Path) -> std::path::PathBuf {
    let formulas = [
        ("<b>1</b>", r"\text{<script>window.hacked=1</script>}+x"),
        ("2", r"\href{javascript:window.hacked=1}{x}+y"),
        ("3", r#"x<img src=x onerror="window.hacked=1">"#),
    ];
    index_of(folder, &formulas)
}

fn typing_suggests_and_choosing_searches(page: &mut Browser) {
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
            .contains("added }")
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
    let wanted = page.eval("suggestions[0].latex");
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
            .contains(" ms.")
    );
}

fn results_are_drawn_with_what_matched(page: &mut Browser) {
    page.wait(
        "[...$('results').querySelectorAll('img')].slice(0, 3).every((i) => i.naturalWidth > 20)",
    );
    let marks = "fetch($('results').querySelector('img').src).then((r) => r.text())
        .then((svg) => svg.split('class=\"mark\"').length - 1)";
    assert!(page.eval(marks).as_u64().unwrap() > 3);
    assert!(
        page.eval("$('results').innerText")
            .as_str()
            .unwrap()
            .contains("shares")
    );
}

fn places_open(page: &mut Browser) {
    page.eval("[...$('results').querySelectorAll('button')].find((b) => /place/.test(b.textContent)).click()");
    page.wait("$('results').querySelector('.instances li')");
    assert_eq!(
        page.eval("$('results').querySelector('[aria-expanded=true]') !== null"),
        true
    );
    let link = "link({id: '7', post: '123', kind: 'question'}).href";
    assert_eq!(page.eval(link), "https://math.stackexchange.com/q/123");
}

fn the_address_holds_the_search(page: &mut Browser, server: &Server) {
    page.eval(
        "$('match').value = '75'; $('match').dispatchEvent(new Event('change')); $('idf').click()",
    );
    page.wait("location.search.includes('match=75') && location.search.includes('idf=true')");
    let address = page.eval("location.href");
    let (query, first) = (
        page.eval("$('q').value"),
        "$('results').querySelector('code')?.textContent",
    );
    page.wait(first);
    let found = page.eval(first);
    page.open(&server.url());
    page.wait("$('q').value === ''");
    page.open(address.as_str().unwrap());
    page.wait(first);
    assert_eq!(page.eval("$('q').value"), query);
    assert_eq!(page.eval("$('match').value"), "75");
    assert_eq!(page.eval("$('idf').checked"), true);
    assert_eq!(page.eval(first), found);
    page.eval("$('q').value = 'x+y'; $('form').requestSubmit()");
    page.wait("location.search.includes('x%2By')");
    page.eval("history.back()");
    page.wait(&format!("$('q').value === {query}"));
}

fn no_hits_are_explained(page: &mut Browser) {
    page.eval(r"$('match').value = '100'; $('q').value = 'x+\\beth'; $('form').requestSubmit()");
    page.wait("$('status').textContent.startsWith('No formula found')");
    assert!(
        page.eval("$('status').textContent")
            .as_str()
            .unwrap()
            .contains('ℶ')
    );
    assert_eq!(page.eval("$('results').children.length"), 0);
}

fn bad_latex_is_told(page: &mut Browser) {
    page.eval(r"$('q').value = 'x \\left\\{ \\right] \\begin{'; $('form').requestSubmit()");
    page.wait("$('status').classList.contains('bad')");
    assert!(
        page.eval("$('status').textContent")
            .as_str()
            .unwrap()
            .contains("cannot read")
    );
}

fn hostile_formulas_are_text(page: &mut Browser, server: &Server) {
    page.open(&format!("{}?index=hostile&q=x", server.url()));
    page.wait("$('results').children.length === 3");
    let shown = page.eval("$('results').innerText");
    assert!(
        shown
            .as_str()
            .unwrap()
            .contains("<script>window.hacked=1</script>"),
        "{shown}"
    );
    assert_eq!(
        page.eval("$('results').querySelector('script, b, [onerror], a')"),
        json!(null)
    );
    page.eval("[...$('results').querySelectorAll('button')].forEach((b) => /place/.test(b.textContent) && b.click())");
    page.wait("$('results').querySelectorAll('.instances li').length >= 3");
    assert_eq!(page.eval("window.hacked === undefined"), true);
}

/// The first question is answered last, and its answer is not shown.
fn old_answers_never_win(page: &mut Browser, server: &Server) {
    page.open(&server.url());
    page.wait("$('about').textContent.includes('formulas')");
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
    page.eval("$('q').value = '+'; search(); $('q').value = 'a^2+b^2=c^2'; search()");
    page.wait("window.answered >= 2");
    page.eval("new Promise((done) => setTimeout(done, 100))");
    assert_eq!(
        page.eval("$('results').querySelector('code').textContent"),
        "a^2+b^2=c^2"
    );
}

fn the_keyboard_is_enough(page: &mut Browser, server: &Server) {
    page.open(&server.url());
    page.wait("document.activeElement.id === 'q' && $('about').textContent.includes('formulas')");
    page.keys("a+b");
    page.press("Escape");
    page.press("Enter");
    page.wait("$('results').children.length > 3");
    // Button, palette, slider, box, list, then the results.
    for _ in 0..3 {
        page.press("Tab");
    }
    assert_eq!(page.eval("document.activeElement.id"), "match");
    page.press("End");
    page.wait("location.search.includes('match=100') && $('match-shown').textContent === 'all'");
    page.press("Tab");
    page.eval("window.before = $('results').firstChild; 1");
    page.press(" ");
    page.wait("location.search.includes('idf=true')");
    page.press("Tab");
    assert_eq!(page.eval("document.activeElement.id"), "index");
    page.wait("$('results').firstChild && $('results').firstChild !== window.before");
    // A formula that is wider than its card can be scrolled, and so has the focus too.
    for _ in 0..3 {
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

fn the_palette_inserts(page: &mut Browser, server: &Server) {
    page.open(&server.url());
    page.wait("$('about').textContent.includes('formulas')");
    page.eval("$('palette-box').open = true; [...$('palette').children].find((b) => b.title.startsWith('\\\\frac')).click()");
    page.keys("x");
    assert_eq!(page.eval("$('q').value"), r"\frac{x}{}");
    page.wait("!$('suggestions').hidden");
}

fn nothing_is_asked_of_others(page: &mut Browser, server: &Server) {
    let others = "performance.getEntriesByType('resource').filter((e) => new URL(e.name).origin !== location.origin).length";
    assert_eq!(page.eval(others), 0);
    assert!(
        page.eval("location.href")
            .as_str()
            .unwrap()
            .starts_with(&server.url())
    );
    // On a phone nothing sticks out.
    page.call(
        "Emulation.setDeviceMetricsOverride",
        json!({ "width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": true }),
    );
    page.eval(r"$('q').value = '\\int_{-\\infty}^{\\infty} e^{-x^2}\\,dx = \\sqrt{\\pi}'; $('form').requestSubmit()");
    page.wait("$('results').children.length > 3");
    assert_eq!(
        page.eval("document.documentElement.scrollWidth <= 390"),
        true
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
    page.wait("$('about').textContent.includes('formulas')");
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
