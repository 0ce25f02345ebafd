//! The page of `phocus compare` in the dark and on a phone.

use serde_json::json;

use crate::fixtures::chromium::Browser;
use crate::fixtures::runs::sample;

/// How bright the text and the paper are, from 0 to 255.
const BRIGHTNESS: &str = "(() => {
    const green = (what) => Number(getComputedStyle(document.body)[what].match(/[\\d.]+/g)[1]);
    return [green('color'), green('backgroundColor')];
})()";

/// The darkest and the brightest dot of the first formula, as it is drawn.
fn formula(browser: &mut Browser) -> (f64, f64) {
    let place = browser.eval(
        "(() => { const svg = document.querySelector('section h2 svg'); svg.scrollIntoView({block: 'center'});
         const {x, y, width, height} = svg.getBoundingClientRect();
         return {x: x + scrollX, y: y + scrollY, width, height, scale: 2}; })()",
    );
    let shot = browser.call("Page.captureScreenshot", json!({ "clip": place }));
    let shot = shot["data"].as_str().unwrap().to_owned();
    browser.open("about:blank");
    let dots = browser.eval(&format!(
        "(async () => {{
            const image = new Image(); image.src = 'data:image/png;base64,{shot}'; await image.decode();
            const canvas = new OffscreenCanvas(image.width, image.height), to = canvas.getContext('2d');
            to.drawImage(image, 0, 0);
            const greens = to.getImageData(0, 0, image.width, image.height).data.filter((_, at) => at % 4 === 1);
            return [greens.reduce((a, b) => Math.min(a, b)), greens.reduce((a, b) => Math.max(a, b))];
        }})()"
    ));
    (dots[0].as_f64().unwrap(), dots[1].as_f64().unwrap())
}

#[test]
fn the_report_is_dark_where_the_reader_is_and_fits_a_phone() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let sample = sample();
    let (page, _) = sample.compared(&sample.all());
    let page = format!("file://{}", page.display());
    browser.open(&page);
    browser.wait("!$('theme').hidden");
    let is_dark = |browser: &mut Browser| {
        let found: Vec<f64> = serde_json::from_value(browser.eval(BRIGHTNESS)).unwrap();
        assert!(
            (found[0] - found[1]).abs() > 150.0,
            "text is seen: {found:?}"
        );
        found[1] < 100.0
    };
    assert!(!is_dark(&mut browser));
    let dark = json!({ "features": [{ "name": "prefers-color-scheme", "value": "dark" }] });
    browser.call("Emulation.setEmulatedMedia", dark);
    assert!(is_dark(&mut browser));
    browser.eval("$('theme').click()");
    assert_eq!(browser.eval("$('theme').textContent"), "Theme: light");
    assert!(!is_dark(&mut browser));
    browser.open(&page);
    assert!(!is_dark(&mut browser), "the choice is remembered");

    browser.size(390, 844);
    assert_eq!(
        browser.eval("document.documentElement.scrollWidth <= 390"),
        true
    );
    let wide = "[...document.querySelectorAll('section li')].filter((item) => item.getBoundingClientRect().width < 140).length";
    assert_eq!(browser.eval(wide), 0, "results have room on a phone");
    assert_eq!(
        browser.eval("getComputedStyle($('controls')).position"),
        "static"
    );

    // Where there is no room at all, lines break between the counts of judgments, not in them.
    let whole = "[...document.querySelectorAll('span.high, span.medium, span.low, span.not')].every((chip) => {
        chip.parentElement.style.width = '1px';
        return chip.getClientRects().length === 1;
    })";
    assert_eq!(browser.eval(whole), true);

    // Formulas are seen in both themes.
    for theme in ["light", "dark"] {
        browser.eval(&format!("localStorage.setItem('phocus.theme', '{theme}')"));
        browser.open(&page);
        let (darkest, brightest) = formula(&mut browser);
        assert!(
            brightest - darkest > 150.0,
            "{theme}: {darkest} to {brightest}"
        );
        browser.open(&page);
    }
}
