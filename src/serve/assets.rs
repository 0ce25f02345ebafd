//! The files of the page, and the security headers of all answers.

use std::sync::{Arc, LazyLock};

use axum::http::{HeaderName, HeaderValue, header};
use axum::routing::{MethodRouter, get};

use super::{Route, State};

/// The paths of the page.
pub(super) const ROUTES: [Route; 4] = [
    ("/", || {
        file("text/html; charset=utf-8", include_str!("page/index.html"))
    }),
    ("/page.css", || {
        file("text/css; charset=utf-8", include_str!("page/page.css"))
    }),
    ("/page.js", || {
        file(
            "text/javascript; charset=utf-8",
            include_str!("page/page.js"),
        )
    }),
    ("/icon.svg", || {
        file("image/svg+xml", include_str!("page/icon.svg"))
    }),
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
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                 connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            ),
        ),
        (header::X_CONTENT_TYPE_OPTIONS, value("nosniff")),
        (header::REFERRER_POLICY, value("no-referrer")),
        (name("cross-origin-resource-policy"), value("same-origin")),
    ]
});
