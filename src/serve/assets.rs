//! The files of the page, and the security headers of all answers.

use std::sync::{Arc, LazyLock};

use axum::http::{HeaderName, HeaderValue, header};
use axum::routing::{MethodRouter, get};

use super::{Route, State};

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

/// A file of the page below its path.
macro_rules! file {
    ($name:literal, $kind:expr) => {
        (concat!("/", $name), || {
            file($kind, include_str!(concat!("page/", $name)))
        })
    };
}

/// The paths of the page. Its script is one module a file, `page.js` the first.
pub(super) const ROUTES: [Route; 23] = [
    ("/", || {
        file("text/html; charset=utf-8", include_str!("page/index.html"))
    }),
    file!("page.css", STYLE),
    file!("results.css", STYLE),
    file!("answers.css", STYLE),
    file!("answers.js", SCRIPT),
    file!("api.js", SCRIPT),
    file!("card.js", SCRIPT),
    file!("copy.js", SCRIPT),
    file!("dom.js", SCRIPT),
    file!("examples.js", SCRIPT),
    file!("formulas.js", SCRIPT),
    file!("mode.js", SCRIPT),
    file!("page.js", SCRIPT),
    file!("passage.js", SCRIPT),
    file!("picture.js", SCRIPT),
    file!("recent.js", SCRIPT),
    file!("results.js", SCRIPT),
    file!("settings.js", SCRIPT),
    file!("suggest.js", SCRIPT),
    file!("symbols.js", SCRIPT),
    file!("theme.js", SCRIPT),
    file!("why.js", SCRIPT),
    file!("icon.svg", "image/svg+xml"),
];

fn file(kind: &'static str, text: &'static str) -> MethodRouter<Arc<State>> {
    get(move || async move { ([(header::CONTENT_TYPE, kind)], text) })
}

/// Every answer has these headers, unless it has its own: only the page's own script and style
/// run, no other page frames it, and browsers do not guess types.
pub(super) static HEADERS: LazyLock<[(HeaderName, HeaderValue); 4]> = LazyLock::new(|| {
    let name = HeaderName::from_static;
    let value = HeaderValue::from_static;
    [
        (
            header::CONTENT_SECURITY_POLICY,
            value(
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
                 connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            ),
        ),
        (header::X_CONTENT_TYPE_OPTIONS, value("nosniff")),
        (header::REFERRER_POLICY, value("no-referrer")),
        (name("cross-origin-resource-policy"), value("same-origin")),
    ]
});
