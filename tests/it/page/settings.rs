//! Settings: the collection's own unless the reader changes them.

use serde_json::json;

use crate::fixtures::binary::{ok, text};
use crate::fixtures::chromium::Browser;
use crate::fixtures::sample::sample_index;
use crate::fixtures::server::{Server, index_of};

/// What the page asked the server for, without the addresses of pictures.
const ASKED: &str = "performance.getEntriesByType('resource').map((e) => e.name)
    .filter((name) => name.includes('/api/search')).join(' ')";

#[test]
fn the_page_has_the_settings_of_the_index() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let page = &mut browser;
    let (best, plain) = (sample_index("best"), sample_index("xy7o4"));
    let idf = sample_index("xy7o4-idf");
    let indexes = [("best", best), ("plain", plain), ("rare", idf)];
    let named = indexes.map(|(name, path)| format!("{name}={}", path.display()));
    let server = Server::start(&[&named[0], &named[1], &named[2], "--quiet", "--max-k", "10"]);
    page.open(&format!("{}?q=x%5E2", server.url()));
    page.wait("$('results').children.length === 10");
    pages_are_no_larger_than_the_server_allows(page);
    defaults_are_the_indexes(page);
}

/// With `--max-k 10` the first page has all ten results that may be asked for.
fn pages_are_no_larger_than_the_server_allows(page: &mut Browser) {
    assert_eq!(page.eval("$('more').hidden"), true);
    let told = page.eval("$('last').textContent");
    assert_eq!(told, "This server shows the first 10 results.");
    assert_eq!(page.eval("$('status').classList.contains('bad')"), false);
}

fn defaults_are_the_indexes(page: &mut Browser) {
    let shown = "[$('idf').checked, $('rerank').checked]";
    let choose = |page: &mut Browser, name: &str| {
        page.eval(&format!(
            "window.before = $('results').firstChild; $('index').value = '{name}';
             $('index').dispatchEvent(new Event('change', {{bubbles: true}}))"
        ));
        page.wait("$('results').firstChild && $('results').firstChild !== window.before");
    };
    assert_eq!(page.eval(shown), json!([false, true]));
    choose(page, "plain");
    assert_eq!(page.eval(shown), json!([false, false]));
    choose(page, "rare");
    assert_eq!(page.eval(shown), json!([true, false]));
    let asked = page.eval(ASKED);
    let asked = asked.as_str().unwrap();
    assert!(
        !asked.contains("idf=") && !asked.contains("rerank="),
        "{asked}"
    );
    // What is chosen is sent, goes along to another collection, and is dropped where it is the
    // collection's own anyway.
    page.eval("$('idf').click()");
    page.wait("location.search.includes('idf=false')");
    page.wait(&format!("{ASKED}.includes('idf=false')"));
    choose(page, "best");
    assert_eq!(page.eval("location.search.includes('idf=')"), false);
    assert_eq!(page.eval(shown), json!([false, true]));
    page.eval("$('rerank').click()");
    page.wait("location.search.includes('rerank=false')");
    page.wait(&format!("{ASKED}.includes('rerank=0')"));
    page.eval("$('settings-reset').click()");
    page.wait("!location.search.includes('rerank')");
    assert_eq!(page.eval(shown), json!([false, true]));
}

#[test]
fn more_results_continue_the_first() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let page = &mut browser;
    let best = sample_index("best");
    let server = Server::start(&[best.to_str().unwrap(), "--quiet", "--max-k", "50"]);
    page.open(&format!("{}?q=x%5E2", server.url()));
    page.wait("$('results').children.length === 20");
    let told = page.eval("$('status').textContent");
    assert!(told.as_str().unwrap().starts_with("At least "), "{told}");
    page.eval("$('more').click()");
    page.wait("$('results').children.length === 40");
    page.eval("$('more').click()");
    page.wait("$('results').children.length === 50 && $('more').hidden");
    let ranks = page
        .eval("[...document.querySelectorAll('.rank')].map((rank) => Number(rank.textContent))");
    let expected: Vec<usize> = (1..=50).collect();
    assert_eq!(ranks, json!(expected));
    page.eval(
        "$('match').value = '100'; $('q').value = '\\\\sec x+\\\\tan x'; $('form').requestSubmit()",
    );
    page.wait("/^\\d+ formula/.test($('status').textContent)");
}

/// Ways of writing a formula are one card, which opens; the reader can have them apart, or have
/// formulas in other letters as one too.
#[test]
fn ways_of_writing_are_one_card() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let page = &mut browser;
    let folder = tempfile::tempdir().unwrap();
    let formulas = [
        ("1", "a^2+b^2=c^2"),
        ("2", "a^2+b^2=c^2,"),
        ("3", "a^2+b^2=c^2."),
        ("4", r"\textstyle a^2+b^2=c^2"),
        ("5", "x^2+y^2=z^2"),
        ("6", "a^2-b^2"),
    ];
    let index = index_of(folder.path(), &formulas);
    let server = Server::start(&[index.to_str().unwrap(), "--quiet"]);
    page.open(&format!("{}?q=a%5E2%2Bb%5E2%3Dc%5E2", server.url()));
    page.wait("$('results').children.length === 3");
    let opener = "[...$('results').firstChild.querySelectorAll('button')].find((b) => b.textContent.startsWith('and '))";
    let said = page.eval(&format!("{opener}.textContent"));
    let said = said.as_str().unwrap();
    assert!(said.ends_with("of writing it"), "{said}");
    assert_eq!(page.eval("document.querySelectorAll('.other').length"), 0);
    page.eval(&format!("{opener}.click()"));
    page.wait("document.querySelectorAll('.others:not([hidden]) .other').length > 0");
    assert_eq!(
        page.eval(&format!("{opener}.getAttribute('aria-expanded')")),
        "true"
    );
    let latex = page
        .eval("[...document.querySelectorAll('.other code')].map((c) => c.textContent).join(' ')");
    assert!(latex.as_str().unwrap().contains("a^2+b^2=c^2,"), "{latex}");
    let group = |page: &mut Browser, how: &str, cards: usize| {
        page.eval(&format!(
            "$('group').value = '{how}'; $('group').dispatchEvent(new Event('change', {{bubbles: true}}))"
        ));
        page.wait(&format!("$('results').children.length === {cards}"));
    };
    group(page, "renaming", 2);
    assert_eq!(
        page.eval("location.search.includes('group=renaming')"),
        true
    );
    group(page, "writing", 3);
    assert_eq!(page.eval("location.search.includes('group')"), false);
    group(page, "none", 6);
    assert_eq!(
        page.eval("$('results').querySelector('.others')"),
        json!(null)
    );
}

/// A card names the title and the source of its formula, and leads there; nothing else is a link.
#[test]
fn kept_fields_are_shown_and_lead_where_the_collection_says() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let page = &mut browser;
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("list.tsv");
    let rows = "id\tlatex\tpost\ttitle\tsource\turl\n\
        1\tx^2+y^2\t77\tCircles\tbook\thttps://example.org/circles\n\
        2\tx^2-y^2\t78\t<b>Hyperbolas</b>\tpaper\tjavascript:alert(1)\n";
    std::fs::write(&list, rows).unwrap();
    let index = folder.path().join("list.phoc");
    ok(&["index", text(&list), "-o", text(&index)]);
    let server = Server::start(&[text(&index), "--quiet"]);
    page.open(&format!("{}?q=x%5E2%2By%5E2", server.url()));
    page.wait("$('results').children.length === 2");
    let told = page.eval("[...document.querySelectorAll('.told-of')].map((t) => t.textContent)");
    assert_eq!(
        told,
        json!(["Circlessource: book", "<b>Hyperbolas</b>source: paper"])
    );
    filters_narrow_the_results(page, &server);
    let links = "[...$('results').querySelectorAll('a')].map((a) => a.href)";
    assert_eq!(page.eval(links), json!(["https://example.org/circles"]));
}

fn filters_narrow_the_results(page: &mut Browser, server: &Server) {
    page.wait("!$('filters-open').hidden");
    page.eval("$('filters').querySelector('input[value=paper]').click()");
    page.wait("$('results').children.length === 1 && location.search.includes('source=paper')");
    assert_eq!(page.eval("$('filters-open').textContent"), "Filters (1)");
    // The address holds the filter.
    page.open(&format!("{}?q=x%5E2%2By%5E2&source=book", server.url()));
    page.wait(
        "$('results').children.length === 1 && $('filters-open').textContent === 'Filters (1)'",
    );
    assert_eq!(
        page.eval("$('results').querySelector('code').textContent"),
        "x^2+y^2"
    );
    page.eval("$('settings-reset').click()");
    page.wait("$('results').children.length === 2 && !location.search.includes('source')");
}

/// A result from a document says where it stands, with the formulas of titles and sentences drawn.
#[test]
fn the_sentence_around_a_formula_is_shown_with_its_formulas_drawn() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let page = &mut browser;
    let folder = tempfile::tempdir().unwrap();
    let notes = folder.path().join("notes.md");
    let text_of_notes = "# The flow of $u$\n\nWhere $u_t$ is <b>small</b>, $x^2+y^2=1$ holds.\n";
    std::fs::write(&notes, text_of_notes).unwrap();
    let index = folder.path().join("notes.phoc");
    ok(&["index", text(&notes), "-o", text(&index)]);
    let server = Server::start(&[text(&index), "--quiet"]);
    page.open(&format!("{}?q=x%5E2%2By%5E2%3D1", server.url()));
    page.wait("$('results').children.length > 0");
    let card = "$('results').children[0]";
    let sentence = page.eval(&format!("{card}.querySelector('.sentence').textContent"));
    assert_eq!(sentence, json!("Where  is small,  holds."));
    let drawn = |of: &str| {
        let images = format!("[...{card}.querySelectorAll('{of} img.inline')]");
        format!("{images}.map((i) => i.alt).join() + {images}.every((i) => i.naturalWidth > 0)")
    };
    page.eval(&format!("{card}.scrollIntoView()"));
    page.wait(&format!("{} === 'u_t,x^2+y^2=1true'", drawn(".sentence")));
    page.wait(&format!("{} === 'utrue'", drawn(".section-of")));
    let file = page.eval(&format!("{card}.querySelector('.file-of').textContent"));
    assert!(file.as_str().unwrap().ends_with("notes.md:3"), "{file}");
}
