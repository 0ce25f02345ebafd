//! Questions in the one field.

use serde_json::json;

use crate::fixtures::binary::text;
use crate::fixtures::chromium::Browser;
use crate::fixtures::posts::index_of_posts;
use crate::fixtures::server::{Server, escaped, index_of};

const QUESTION: &str = r"why does $\sum_{n=1}^\infty \frac{1}{n}$ diverge?";

/// The switch, as it stands.
const CHECKED: &str = "$('modes').querySelector(':checked').value";

#[test]
fn questions_are_asked_in_the_one_field() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let page = &mut browser;
    let folder = tempfile::tempdir().unwrap();
    let posts = index_of_posts(folder.path(), &["--link", "https://example.org/{post}"]);
    let formulas = format!(
        "formulas={}",
        index_of(folder.path(), &[("1", "x+y")]).display()
    );
    let server = Server::start(&[text(&posts), &formulas, "--quiet"]);
    page.open(&server.url());
    page.wait("document.documentElement.dataset.ready && !$('modes').hidden");
    a_question_is_typed_in_peace(page);
    answers_show_what_matched(page);
    several_formulas_have_their_numbers(page);
    a_formula_finds_formulas(page);
    the_switch_overrides(page);
    the_address_holds_the_mode(page, &server);
    the_history_has_questions(page, &server);
    an_example_is_asked(page, &server);
    a_phone_shows_answers(page, &server);
    without_texts_there_is_no_switch(page, &server);
}

fn a_question_is_typed_in_peace(page: &mut Browser) {
    // From the first words on, no suggestions open, and the switch follows.
    page.keys("why does ");
    page.wait(&format!("{CHECKED} === 'ask'"));
    page.eval(
        "window.opened = 0; new MutationObserver(() => { if (!$('suggestions').hidden) window.opened += 1; })
           .observe($('suggestions'), { attributes: true }); 1",
    );
    page.keys(&QUESTION["why does ".len()..]);
    page.wait("$('preview').querySelector('.typed-question img')?.naturalWidth > 20");
    assert_eq!(page.eval("window.opened"), 0);
    assert_eq!(page.eval(CHECKED), "ask");
    page.press("Enter");
    page.wait("$('results').children.length === 3");
    assert_eq!(page.eval("$('suggestions').hidden"), true);
}

fn answers_show_what_matched(page: &mut Browser) {
    let first = "$('results').firstChild";
    let bold = format!("[...{first}.querySelectorAll('.passage b')].map((b) => b.textContent)");
    assert_eq!(page.eval(&bold), json!(["diverges"]));
    // The same formula has the full colour, a less like one less of it, and both are told.
    page.wait(&format!(
        "{first}.querySelector('.passage .like img').naturalWidth > 10"
    ));
    let title = page.eval(&format!("{first}.querySelector('.passage .like').title"));
    assert_eq!(title, "like the formula of the question: 1.00");
    let label = page.eval(&format!(
        "{first}.querySelector('.passage .like').ariaLabel"
    ));
    assert!(label.as_str().unwrap().starts_with(r"\sum"), "{label}");
    let paint =
        format!("getComputedStyle({first}.querySelector('.passage .like')).backgroundColor");
    assert_ne!(page.eval(&paint), "rgba(0, 0, 0, 0)");
    let drawn = format!("{first}.querySelectorAll('h3 img').length");
    assert_eq!(page.eval(&drawn), 1, "the title's formula is drawn");
    let href = page.eval(&format!("{first}.querySelector('h3 a').href"));
    assert_eq!(href, "https://example.org/2");
    let about = page.eval(&format!("{first}.querySelector('.about-text').innerText"));
    for said in ["answer 2 to question 1", "series", "harmonic", "score"] {
        assert!(about.as_str().unwrap().contains(said), "{about}");
    }
    let status = page.eval("$('status').textContent");
    assert!(
        status.as_str().unwrap().starts_with("3 texts match"),
        "{status}"
    );
    assert_eq!(page.eval("location.search.includes('mode=ask')"), true);
}

fn several_formulas_have_their_numbers(page: &mut Browser) {
    page.eval(r"$('q').value = 'is $\\int_1^\\infty \\frac{dx}{x}$ like $\\sum_{n=1}^\\infty \\frac1n$?'; $('form').requestSubmit()");
    page.wait("$('asked').querySelectorAll('.asked-formulas li').length === 2");
    let colours = "new Set([...$('asked').querySelectorAll('li')].map((li) => getComputedStyle(li).backgroundColor)).size";
    assert_eq!(page.eval(colours), 2);
    let first = "$('results').firstChild.querySelectorAll('.passage .like')";
    let numbers = format!("[...{first}].map((mark) => mark.querySelector('.number').textContent)");
    assert_eq!(page.eval(&numbers), json!(["2", "1"]));
    let title = page.eval(&format!("{first}[0].title"));
    assert_eq!(title, "like formula 2 of the question: 1.00");
    // What a post says is text.
    page.eval("$('q').value = 'who called it Euler limit'; $('form').requestSubmit()");
    page.wait("$('results').innerText.includes('<script>')");
    assert_eq!(page.eval("window.hacked === undefined"), true);
}

fn a_formula_finds_formulas(page: &mut Browser) {
    page.eval(r"$('q').value = '\\frac{1}{n}'; $('form').requestSubmit()");
    page.wait("$('results').querySelector('.latex')");
    assert_eq!(page.eval(CHECKED), "formulas");
    assert_eq!(page.eval("$('asked').childElementCount"), 0);
    assert_eq!(page.eval("location.search.includes('mode=')"), false);
    page.eval("$('q').value = ''; $('q').focus()");
    page.keys("e^");
    page.wait("!$('suggestions').hidden");
    page.press("Escape");
}

fn the_switch_overrides(page: &mut Browser) {
    page.eval("$('q').value = 'e^{x}'; $('form').requestSubmit()");
    page.wait("$('results').querySelector('.latex')");
    page.eval("$('modes').querySelector('[value=ask]').click()");
    page.wait("location.search.includes('mode=ask') && $('results').querySelector('.passage')");
    assert_eq!(page.eval("$('filters-open').checkVisibility()"), false);
    // A choice holds for what is typed next; the switch takes it back.
    page.eval("$('q').value = 'e'; $('form').requestSubmit()");
    page.wait("location.search.includes('q=e&mode=ask')");
    page.eval("$('modes').querySelector('[value=formulas]').click()");
    page.wait("$('results').querySelector('.latex') && !location.search.includes('mode')");
}

fn the_address_holds_the_mode(page: &mut Browser, server: &Server) {
    page.open(&format!("{}?q=e%5E%7Bx%7D&mode=ask", server.url()));
    page.wait("$('results').querySelector('.passage')");
    assert_eq!(page.eval(CHECKED), "ask");
    page.open(&format!("{}?q={}", server.url(), escaped(QUESTION)));
    page.wait("$('results').querySelector('.passage')");
    page.open(&format!(
        "{}?q={}&mode=formulas",
        server.url(),
        escaped(QUESTION)
    ));
    page.wait("$('results').querySelector('.latex')");
    page.open(&format!(
        "{}?q=why+does+it+diverge&answers=true&alpha=40",
        server.url()
    ));
    page.wait("$('status').textContent !== ''");
    let asked = "performance.getEntriesByType('resource').map((e) => e.name).find((name) => name.includes('/api/ask'))";
    let asked = page.eval(asked);
    let asked = asked.as_str().unwrap();
    assert!(
        asked.contains("alpha=0.4") && asked.contains("answers=true"),
        "{asked}"
    );
    assert_eq!(
        page.eval("[$('alpha').value, $('answers').checked]"),
        json!(["40", true])
    );
}

fn the_history_has_questions(page: &mut Browser, server: &Server) {
    page.open(&server.url());
    page.wait("document.documentElement.dataset.ready");
    page.eval("$('recent-open').click()");
    let button = format!(
        "[...$('recent').querySelectorAll('.example')].find((b) => b.title === {})",
        json!(QUESTION)
    );
    page.eval(&format!("{button}.click()"));
    page.wait("$('results').querySelector('.latex, .passage')");
    assert_eq!(page.eval("$('q').value"), QUESTION);
}

fn an_example_is_asked(page: &mut Browser, server: &Server) {
    page.open(&server.url());
    page.wait("!$('welcome-asking').hidden && $('examples').querySelector('.example.ask img')");
    page.eval("$('examples').querySelector('.example.ask').click()");
    page.wait("$('results').querySelector('.passage') && $('welcome').hidden");
}

fn a_phone_shows_answers(page: &mut Browser, server: &Server) {
    page.size(390, 844);
    let wide: Vec<String> = (10..60).map(|n| format!("x_{{{n}}}")).collect();
    let question = format!("{QUESTION} or ${}$", wide.join("+"));
    page.open(&format!("{}?q={}", server.url(), escaped(&question)));
    page.wait("$('results').querySelector('.passage') && $('preview').querySelector('img')?.naturalWidth > 100");
    assert_eq!(
        page.eval("document.documentElement.scrollWidth <= 390"),
        true
    );
    page.size(1000, 900);
}

fn without_texts_there_is_no_switch(page: &mut Browser, server: &Server) {
    page.open(&format!(
        "{}?index=formulas&q=why+does+x&mode=ask",
        server.url()
    ));
    page.wait("$('status').textContent !== ''");
    assert_eq!(page.eval("$('modes').hidden"), true);
    assert_eq!(
        page.eval("$('results').querySelector('.passage')"),
        json!(null)
    );
    page.eval("$('q').value = 'x+y'; $('form').requestSubmit()");
    page.wait("$('results').querySelector('.latex')");
    assert_eq!(page.eval("location.search.includes('mode=')"), false);
    // Another collection has texts, and the switch with them.
    page.eval("$('index').value = 'posts'; $('index').dispatchEvent(new Event('change', { bubbles: true }))");
    page.wait("!$('modes').hidden");
}
