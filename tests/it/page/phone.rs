//! On a phone nothing is cut without a hint, and all that is cut can be seen.

use serde_json::json;

use crate::fixtures::binary::text;
use crate::fixtures::chromium::Browser;
use crate::fixtures::server::{Server, escaped, index_of};

#[test]
fn what_is_cut_on_a_phone_says_so_and_opens() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let page = &mut browser;
    let folder = tempfile::tempdir().unwrap();
    let long: Vec<String> = (10..60).map(|n| format!("x_{{{n}}}")).collect();
    let long = long.join("+");
    let index = index_of(folder.path(), &[("1", &long), ("2", "x")]);
    let server = Server::start(&[text(&index), "--quiet"]);
    page.size(390, 844);
    page.open(&format!("{}?q={}", server.url(), escaped(&long)));
    page.wait("$('results').children.length === 2");
    page.wait("$('preview').querySelector('.drawn.wide')");
    let hint = "$('preview').querySelector('.hint').checkVisibility()";
    assert_eq!(page.eval(hint), true);
    latex_opens(page);
    settings_stand_beside_their_boxes(page);
    regions_scroll_and_are_dark(page);
    assert_eq!(
        page.eval("document.documentElement.scrollWidth <= 390"),
        true
    );
}

fn latex_opens(page: &mut Browser) {
    let all = "(() => { const code = $('results').querySelector('.latex');
        return code.scrollHeight <= code.clientHeight + 1; })()";
    let open = "$('results').querySelector('.whole-of')";
    assert_eq!(page.eval(all), false);
    page.wait(&format!("!{open}.hidden"));
    // By the keyboard, and by a tap on the LaTeX itself.
    page.eval(&format!("{open}.focus()"));
    page.press("Enter");
    page.wait(all);
    assert_eq!(page.eval(&format!("{open}.ariaExpanded")), "true");
    page.eval("$('results').querySelector('.latex').click()");
    page.wait(&format!("!{all} && {open}.ariaExpanded === 'false'"));
    let short = "$('results').lastChild.querySelector('.whole-of').hidden";
    assert_eq!(page.eval(short), true, "all of x is shown anyway");
}

fn settings_stand_beside_their_boxes(page: &mut Browser) {
    page.eval("$('settings-open').click()");
    let beside = "[...document.querySelectorAll('#settings [type=checkbox]')].every((box) =>
        box.nextElementSibling.getBoundingClientRect().left >= box.getBoundingClientRect().right)";
    assert_eq!(page.eval(beside), true);
    page.eval("$('settings-open').click()");
}

fn regions_scroll_and_are_dark(page: &mut Browser) {
    page.eval("[...$('results').lastChild.querySelectorAll('button')].find((b) => b.textContent === 'Why?').click()");
    page.wait("document.querySelector('.why summary')");
    page.eval("document.querySelector('.why summary').click()");
    page.wait("document.querySelector('.regions img')?.naturalWidth > 100");
    page.wait("document.querySelector('.regions.wide').parentElement.querySelector('.hint').checkVisibility()");
    let filter = "getComputedStyle(document.querySelector('.regions img')).filter";
    assert_eq!(page.eval(filter), "none");
    let dark = json!({ "features": [{ "name": "prefers-color-scheme", "value": "dark" }] });
    page.call("Emulation.setEmulatedMedia", dark);
    assert_ne!(page.eval(filter), "none");
}
