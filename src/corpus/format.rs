//! The formats of input files, detected from a file's name or contents.

use std::fmt;
use std::str::FromStr;

/// The format of an input file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Tab-separated values with a header.
    Tsv,
    /// One JSON object a line.
    Jsonl,
    /// One LaTeX formula a line.
    Text,
    /// One SVG drawing a file.
    Svg,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 4] = [Format::Tsv, Format::Jsonl, Format::Text, Format::Svg];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Format::Tsv => "tsv",
            Format::Jsonl => "jsonl",
            Format::Text => "text",
            Format::Svg => "svg",
        }
    }

    /// The format that a file name has by its extension; the extension of a compression is removed before.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        Some(
            match name.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
                "tsv" | "tab" => Format::Tsv,
                "jsonl" | "ndjson" => Format::Jsonl,
                "txt" | "tex" => Format::Text,
                "svg" => Format::Svg,
                _ => return None,
            },
        )
    }

    /// The format that the beginning of a file suggests.
    pub(super) fn of_content(start: &[u8]) -> Self {
        let start = String::from_utf8_lossy(start);
        let first = start.lines().next().unwrap_or_default();
        match first.trim_start().chars().next() {
            Some('{') if serde_json::from_str::<serde_json::Value>(first).is_ok() => Format::Jsonl,
            Some('<') if start.contains("<svg") => Format::Svg,
            _ if first.contains('\t') => Format::Tsv,
            _ => Format::Text,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a format (tsv, jsonl, text or svg), found `{found}`")]
pub struct FormatError {
    /// The text.
    pub found: String,
}

impl FromStr for Format {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Self, FormatError> {
        let named = Format::ALL.into_iter().find(|format| format.name() == text);
        named.ok_or_else(|| FormatError {
            found: text.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_contents_tell_formats() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        assert!(
            "pdf"
                .parse::<Format>()
                .unwrap_err()
                .to_string()
                .contains("`pdf`")
        );
        assert_eq!(Format::of_name("a.TSV"), Some(Format::Tsv));
        assert_eq!(Format::of_name("a.pdf"), None);
        assert_eq!(Format::of_content(b"{\"latex\": 1}\n"), Format::Jsonl);
        assert_eq!(Format::of_content(b"{x}^2"), Format::Text);
        assert_eq!(Format::of_content(b"id\tlatex"), Format::Tsv);
        assert_eq!(Format::of_content(b"<?xml?>\n<svg/>"), Format::Svg);
    }
}
