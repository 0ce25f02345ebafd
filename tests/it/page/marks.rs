//! The marks of what was matched: all are seen, and those of different symbols differ.

use serde_json::json;

use crate::fixtures::binary::text;
use crate::fixtures::chromium::Browser;
use crate::fixtures::server::{Server, escaped, index_of};

#[test]
fn every_symbol_has_a_mark_of_its_own_that_is_seen() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let page = &mut browser;
    let folder = tempfile::tempdir().unwrap();
    let formula = r"\sqrt{a^2-b^3}+\frac{cdefghijk}{lmnpq}";
    let index = index_of(folder.path(), &[("1", formula), ("2", "x")]);
    let server = Server::start(&[text(&index), "--quiet"]);
    page.open(&format!("{}?q={}", server.url(), escaped(formula)));
    page.wait("$('results').children.length > 0");
    page.eval("[...$('results').querySelectorAll('button')].find((b) => b.textContent === 'Why?').click()");
    page.wait("document.querySelectorAll('.why figure rect').length > 30");
    // A root's box has its content in it, so it is painted before the boxes of that.
    let below = "[...document.querySelectorAll('svg.marks')].every((marks) => {
        const areas = [...marks.children].map((rect) => rect.width.baseVal.value * rect.height.baseVal.value);
        return areas.every((area, at) => at === 0 || area <= areas[at - 1] + 1);
    })";
    assert_eq!(page.eval(below), true);
    let names = page.eval("document.querySelectorAll('.legend li').length");
    assert!(names.as_u64().unwrap() > 16, "{names}");
    for seen in [
        // The chips, and the boxes, by what is seen of them.
        "[...document.querySelectorAll('.legend li')].map((chip) => {
            const { backgroundColor, borderTopStyle, borderTopColor } = getComputedStyle(chip);
            return [backgroundColor, borderTopStyle, borderTopColor].join(' ');
        })",
        "Object.values(Object.fromEntries([...document.querySelectorAll('.why figure rect[data-name]')].map((rect) => {
            const { fill, stroke, strokeDasharray } = getComputedStyle(rect);
            return [rect.dataset.name, [fill, stroke, strokeDasharray].join(' ')];
        })))",
    ] {
        let different = page.eval(&format!("new Set({seen}).size"));
        assert_eq!(different, names, "{seen}");
    }
    let texts =
        page.eval("[...document.querySelectorAll('.legend li')].map((chip) => chip.textContent)");
    let texts = texts.as_array().unwrap();
    assert!(
        texts.contains(&json!("fraction bar")) && texts.contains(&json!("− minus")),
        "{texts:?}"
    );
}
