//! Text within HTML, XML and addresses.

/// Text with `&`, `<` and `"` escaped, for use between tags or double quotes.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}

/// Text in which everything but letters, digits, `-._~` and these characters is percent-encoded,
/// for use in an address.
pub(crate) fn percent_encoded(text: &str, kept: &str) -> String {
    use std::fmt::Write;
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        let is_kept = b"-._~".contains(&byte) || kept.as_bytes().contains(&byte);
        if byte.is_ascii_alphanumeric() || is_kept {
            encoded.push(char::from(byte));
        } else {
            // Writing to a text does not fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}
