//! What the page keeps: the theme, what was searched for, and what is copied from it.

use crate::fixtures::chromium::Browser;
use crate::fixtures::sample::sample_index;
use crate::fixtures::server::Server;

#[test]
fn the_page_keeps_and_copies() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let page = &mut browser;
    let best = sample_index("best");
    let server = Server::start(&[best.to_str().unwrap(), "--quiet"]);
    page.open(&server.url());
    page.wait("document.documentElement.dataset.ready");
    an_empty_page_has_examples(page);
    a_slash_goes_to_the_field(page);
    searches_are_remembered(page, &server);
    the_theme_is_remembered(page, &server);
    copies_work_with_and_without_a_clipboard(page);
}

fn an_empty_page_has_examples(page: &mut Browser) {
    page.wait("$('examples').children.length >= 4 && !$('welcome').hidden");
    page.eval("$('examples').querySelector('button').click()");
    page.wait("$('results').children.length > 3 && $('welcome').hidden");
    assert_eq!(page.eval("$('q').value"), "a^2+b^2=c^2");
    page.eval("history.back()");
    page.wait("$('q').value === '' && !$('welcome').hidden && $('results').children.length === 0");
    page.eval("history.forward()");
    page.wait("$('q').value === 'a^2+b^2=c^2' && $('results').children.length > 3");
}

fn a_slash_goes_to_the_field(page: &mut Browser) {
    page.eval("$('share').focus()");
    page.press("/");
    assert_eq!(page.eval("document.activeElement.id"), "q");
    assert_eq!(page.eval("$('q').value"), "a^2+b^2=c^2");
    page.eval("$('q').setSelectionRange(99, 99)");
    page.keys("/");
    assert_eq!(
        page.eval("$('q').value"),
        "a^2+b^2=c^2/",
        "a slash is typed there"
    );
    page.press("Escape");
}

fn searches_are_remembered(page: &mut Browser, server: &Server) {
    page.eval("$('q').value = 'x+y'; $('form').requestSubmit()");
    page.wait("localStorage.getItem('phocus.recent').includes('x+y')");
    page.open(&server.url());
    page.wait("document.documentElement.dataset.ready");
    page.eval("$('recent-open').click()");
    let titles = "[...$('recent').querySelectorAll('.example')].map((e) => e.title).join(' ')";
    assert_eq!(page.eval(titles), "x+y a^2+b^2=c^2");
    page.eval("$('recent').querySelector('.example').click()");
    page.wait("$('q').value === 'x+y' && $('results').children.length > 3 && $('recent').hidden");
    page.eval(
        "$('recent-open').click(); [...$('recent').querySelectorAll('button')].at(-1).click()",
    );
    assert_eq!(
        page.eval("$('recent').querySelector('.example') === null"),
        true
    );
    assert_eq!(page.eval("localStorage.getItem('phocus.recent')"), "[]");
}

fn the_theme_is_remembered(page: &mut Browser, server: &Server) {
    let paper = "getComputedStyle(document.body).backgroundColor";
    let light = page.eval(paper);
    page.eval("$('theme').click(); $('theme').click()");
    assert_eq!(page.eval("document.documentElement.dataset.theme"), "dark");
    assert_ne!(page.eval(paper), light);
    page.wait("$('results').querySelector('img').src.includes('theme=dark')");
    page.open(&format!("{}?q=x%5E2", server.url()));
    assert_eq!(page.eval("document.documentElement.dataset.theme"), "dark");
    assert_ne!(page.eval(paper), light);
    page.eval("$('theme').click()");
    assert_eq!(
        page.eval("document.documentElement.dataset.theme === undefined"),
        true
    );
    page.wait("$('results').children.length > 3");
}

fn copies_work_with_and_without_a_clipboard(page: &mut Browser) {
    let press = |page: &mut Browser, what: &str| {
        page.eval(&format!(
            "$('told').textContent = ''; [...$('results').firstChild.querySelectorAll('.copies button')]
               .find((b) => b.textContent === '{what}').click()"
        ));
    };
    let define = |page: &mut Browser, clipboard: &str| {
        page.eval(&format!(
            "window.copied = ''; Object.defineProperty(navigator, 'clipboard', {{configurable: true, value: {clipboard}}}); 1"
        ));
    };
    let latex = page.eval("$('results').querySelector('code').textContent");
    define(
        page,
        "{writeText: async (text) => { window.copied = text; }}",
    );
    press(page, "LaTeX");
    page.wait("$('told').textContent === 'LaTeX copied.'");
    assert_eq!(page.eval("window.copied"), latex);
    press(page, "MathML");
    page.wait("$('told').textContent === 'MathML copied.' && window.copied.startsWith('<math')");
    press(page, "SVG");
    page.wait("$('told').textContent === 'SVG copied.' && window.copied.startsWith('<svg')");
    page.eval("$('share').click()");
    page.wait("window.copied === location.href");
    // As over plain HTTP: no clipboard, but what is selected can be copied.
    define(page, "undefined");
    page.eval(
        "document.execCommand = (what) => { window.copied = what + ' ' + document.activeElement.value; return true; }; 1",
    );
    press(page, "LaTeX");
    page.wait("$('told').textContent === 'LaTeX copied.'");
    let expected = format!("copy {}", latex.as_str().unwrap());
    assert_eq!(page.eval("window.copied"), expected);
    // Where not even that is allowed, the text is shown, selected.
    page.eval("document.execCommand = () => false; 1");
    press(page, "LaTeX");
    page.wait("$('copy-box').open && document.activeElement.id === 'copy-text'");
    assert_eq!(page.eval("$('copy-text').value"), latex);
    page.eval("$('copy-box').close()");
}
