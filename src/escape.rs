//! Text within HTML and XML.

/// Text with `&`, `<` and `"` escaped, for use between tags or double quotes.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}
