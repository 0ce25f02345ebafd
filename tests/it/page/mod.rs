//! The page, in a real browser.

mod asking;
mod kept;
mod marks;
mod phone;
mod settings;
mod typing;

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
    page.wait("document.activeElement.id === 'q' && document.documentElement.dataset.ready");
    typing::typing_suggests_and_choosing_searches(page);
    results_are_drawn_with_what_matched(page);
    typing::suggestions_never_open_over_results(page, &server);
    places_open(page);
    why_is_drawn_and_said(page, &server);
    the_address_holds_the_search(page, &server);
    no_hits_are_explained(page);
    bad_latex_is_told(page);
    hostile_formulas_are_text(page, &server);
    typing::old_answers_never_win(page, &server);
    typing::the_keyboard_is_enough(page, &server);
    typing::the_palette_inserts(page, &server);
    nothing_is_asked_of_others(page, &server);
    a_phone_shows_all_of_a_wide_formula(page, &server);
    errors_say_what_to_do(page, server);
}

fn hostile(folder: &std::path::Path) -> std::path::PathBuf {
    let formulas = [
        ("<b>1</b>", r"\text{<script>window.hacked=1</script>}+x"),
        ("2", r"\href{javascript:window.hacked=1}{x}+y"),
        ("3", r#"x<img src=x onerror="window.hacked=1">"#),
    ];
    index_of(folder, &formulas)
}

fn results_are_drawn_with_what_matched(page: &mut Browser) {
    page.wait(
        "[...$('results').querySelectorAll('img')].slice(0, 3).every((i) => i.naturalWidth > 20)",
    );
    let marks = "fetch($('results').querySelector('img').src).then((r) => r.text())
        .then((svg) => svg.split('class=\"mark\"').length - 1)";
    assert!(page.eval(marks).as_u64().unwrap() > 3);
}

fn places_open(page: &mut Browser) {
    page.eval("[...$('results').querySelectorAll('button')].find((b) => /place/.test(b.textContent)).click()");
    page.wait("$('results').querySelector('.instances li')");
    assert_eq!(
        page.eval("$('results').querySelector('[aria-expanded=true]') !== null"),
        true
    );
    // Where no link is known, none is made up, whatever the ids look like.
    assert_eq!(page.eval("$('results').querySelector('a')"), json!(null));
}

fn the_address_holds_the_search(page: &mut Browser, server: &Server) {
    page.eval(
        "$('match').value = '75'; $('match').dispatchEvent(new Event('change', {bubbles: true})); $('idf').click()",
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
    page.eval(r"$('q').value = '\\alhpa'; $('form').requestSubmit()");
    page.wait("$('status').classList.contains('bad')");
    assert!(
        page.eval("$('status').textContent")
            .as_str()
            .unwrap()
            .contains("Cannot read")
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

fn nothing_is_asked_of_others(page: &mut Browser, server: &Server) {
    let others = "performance.getEntriesByType('resource').filter((e) => new URL(e.name).origin !== location.origin).length";
    assert_eq!(page.eval(others), 0);
    assert!(
        page.eval("location.href")
            .as_str()
            .unwrap()
            .starts_with(&server.url())
    );
}

fn a_phone_shows_all_of_a_wide_formula(page: &mut Browser, server: &Server) {
    page.size(390, 844);
    page.open(&format!(
        "{}?q=%5Csum_%7Bn%3D1%7D%5E%7B%5Cinfty%7D%5Cfrac1%7Bn%5E2%7D",
        server.url()
    ));
    page.wait("$('results').children.length > 3");
    let top = page.eval("$('results').firstChild.getBoundingClientRect().bottom");
    assert!(
        top.as_f64().unwrap() < 844.0,
        "the first result is below the fold: {top}"
    );
    let long: Vec<String> = (10..60).map(|n| format!("x_{{{n}}}")).collect();
    page.eval(&format!(
        "$('q').value = '{}'; $('form').requestSubmit()",
        long.join("+")
    ));
    page.wait("location.search.includes('x_') && $('results').children.length > 3");
    page.eval("$('results').querySelector('.drawn img').asked.q");
    let shown = page.eval("document.documentElement.scrollWidth <= 390");
    assert_eq!(shown, true, "nothing sticks out");
    // A formula that is somewhat too wide is scaled down, one that is much too wide scrolled.
    page.wait("[...document.querySelectorAll('.drawn')].every((box) => box.classList.contains('wide')
        ? box.scrollWidth > box.clientWidth && box.tabIndex === 0 : box.scrollWidth <= box.clientWidth)");
    page.wait("[...document.querySelectorAll('.drawing')].every((box) =>
        box.querySelector('.hint').hidden !== box.querySelector('.drawn').classList.contains('wide'))");
    page.call("Emulation.clearDeviceMetricsOverride", json!({}));
}

fn errors_say_what_to_do(page: &mut Browser, server: Server) {
    page.open(&server.url());
    page.wait("document.documentElement.dataset.ready");
    drop(server);
    page.eval("$('q').value = 'x'; $('form').requestSubmit()");
    page.wait("$('status').classList.contains('bad')");
    let told = page.eval("$('status').textContent");
    let told = told.as_str().unwrap();
    assert!(
        told.contains("Is it still running?") && told.contains("Try again"),
        "{told}"
    );
}

/// The query and the result side by side, what was matched in the same colour, and words.
fn why_is_drawn_and_said(page: &mut Browser, server: &Server) {
    page.open(&format!("{}?q=x%5E2%2By%5E2", server.url()));
    page.wait("$('results').children.length > 3");
    page.eval(
        "window.card = [...$('results').children].find((card) => card.querySelector('code').textContent.includes('a^2+b^2'));
         [...window.card.querySelectorAll('button')].find((b) => b.textContent === 'Why?').click()",
    );
    page.wait("window.card.querySelectorAll('.why figure').length === 2");
    page.wait("[...window.card.querySelectorAll('.why img')].every((i) => i.naturalWidth > 20)");
    let words = page.eval("window.card.querySelector('.words').innerText");
    let words = words.as_str().unwrap();
    assert!(words.contains("symbols of your formula"), "{words}");
    assert!(words.contains("ordered by likeness"), "{words}");
    // The same name has the same colour on both sides, on the symbol that it names.
    let colours = "[...window.card.querySelectorAll('.why figure')].map((side) =>
        getComputedStyle(side.querySelector('rect[data-name=\"0\"]')).fill)";
    let colours = page.eval(colours);
    assert_eq!(colours[0], colours[1]);
    // Marks are measured as the drawing below them is.
    let sizes = "Promise.all([...window.card.querySelectorAll('.marked')].map(async (box) => {
        const drawn = await (await fetch(box.querySelector('img').src)).text();
        const width = Number(drawn.match(/viewBox=\"0 0 ([\\d.]+)/)[1]);
        return Math.abs(box.querySelector('.marks').viewBox.baseVal.width - width) < 1;
    }))";
    assert_eq!(page.eval(sizes), json!([true, true]));
    page.eval("window.card.querySelector('.legend li').focus()");
    let pointed = page.eval("window.card.querySelectorAll('.why .pointed').length");
    assert!(pointed.as_u64().unwrap() >= 2, "{pointed}");
    page.wait("(() => { const mark = window.card.querySelector('.marks'), image = window.card.querySelector('.marked img');
        return Math.abs(mark.getBoundingClientRect().width - image.getBoundingClientRect().width) < 1; })()");
    // The regions that both have are drawn when they are asked for.
    page.eval("window.card.querySelector('.why summary').click()");
    page.wait("window.card.querySelector('.regions img')?.naturalWidth > 100");
}
