//! The formats of input files, detected from a file's name or contents.

use std::fmt;
use std::str::FromStr;

use super::fields::Columns;
use super::prose::{is_prose, is_prose_with_formulas};

/// The format of an input file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Tab-separated values with a header.
    Tsv,
    /// Values separated by commas or semicolons, with a header.
    Csv,
    /// A JSON array of objects or texts.
    Json,
    /// One JSON object a line.
    Jsonl,
    /// One LaTeX formula a line.
    Text,
    /// One SVG drawing a file.
    Svg,
    /// Prose with formulas in it.
    Document(DocumentFormat),
}

/// The formats of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DocumentFormat {
    /// LaTeX.
    Tex,
    /// Markdown.
    Markdown,
    /// HTML.
    Html,
    /// A Jupyter notebook.
    Notebook,
    /// reStructuredText.
    Rst,
    /// AsciiDoc.
    AsciiDoc,
    /// Wikitext.
    Wikitext,
    /// XML with MathML, such as JATS.
    Xml,
    /// Stack Exchange's `Posts.xml` or `Comments.xml`: a post a line.
    Posts,
    /// A dump of MediaWiki: pages of wikitext in XML.
    WikiDump,
    /// Text with formulas between delimiters.
    Prose,
}

impl DocumentFormat {
    /// All of them.
    pub const ALL: [DocumentFormat; 11] = [
        DocumentFormat::Tex,
        DocumentFormat::Markdown,
        DocumentFormat::Html,
        DocumentFormat::Notebook,
        DocumentFormat::Rst,
        DocumentFormat::AsciiDoc,
        DocumentFormat::Wikitext,
        DocumentFormat::Xml,
        DocumentFormat::Posts,
        DocumentFormat::WikiDump,
        DocumentFormat::Prose,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            DocumentFormat::Tex => "tex",
            DocumentFormat::Markdown => "markdown",
            DocumentFormat::Html => "html",
            DocumentFormat::Notebook => "notebook",
            DocumentFormat::Rst => "rst",
            DocumentFormat::AsciiDoc => "asciidoc",
            DocumentFormat::Wikitext => "wikitext",
            DocumentFormat::Xml => "xml",
            DocumentFormat::Posts => "posts",
            DocumentFormat::WikiDump => "wikidump",
            DocumentFormat::Prose => "prose",
        }
    }

    /// The format that the ending of a file's name tells.
    fn of_ending(ending: &str) -> Option<Self> {
        Some(match ending {
            "tex" | "ltx" | "latex" => DocumentFormat::Tex,
            "md" | "markdown" | "mkd" | "qmd" | "rmd" => DocumentFormat::Markdown,
            "html" | "htm" | "xhtml" => DocumentFormat::Html,
            "ipynb" => DocumentFormat::Notebook,
            "rst" | "rest" => DocumentFormat::Rst,
            "adoc" | "asciidoc" | "asc" => DocumentFormat::AsciiDoc,
            "wiki" | "mediawiki" | "wikitext" => DocumentFormat::Wikitext,
            "xml" | "nxml" | "jats" => DocumentFormat::Xml,
            _ => return None,
        })
    }

    /// The format that a file's name tells.
    #[cfg(feature = "documents")]
    pub(super) fn of_path(path: &std::path::Path) -> Option<Self> {
        DocumentFormat::of_ending(&path.extension()?.to_str()?.to_ascii_lowercase())
    }

    /// What XML holds, as its beginning shows.
    pub(super) fn of_xml(start: &[u8]) -> Self {
        let start = String::from_utf8_lossy(&start[..start.len().min(4096)]);
        let mut lines = start.lines().map(str::trim_start);
        if start.contains("<mediawiki") {
            DocumentFormat::WikiDump
        } else if lines.any(|line| line.starts_with("<row ")) {
            DocumentFormat::Posts
        } else {
            DocumentFormat::Xml
        }
    }
}

impl Format {
    /// The formats of lists of formulas.
    pub const LISTS: [Format; 6] = [
        Format::Tsv,
        Format::Csv,
        Format::Json,
        Format::Jsonl,
        Format::Text,
        Format::Svg,
    ];

    /// All of them: those of lists, then those of documents.
    pub fn all() -> impl Iterator<Item = Format> {
        let documents = DocumentFormat::ALL.into_iter().map(Format::Document);
        Format::LISTS.into_iter().chain(documents)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Format::Tsv => "tsv",
            Format::Csv => "csv",
            Format::Json => "json",
            Format::Jsonl => "jsonl",
            Format::Text => "text",
            Format::Svg => "svg",
            Format::Document(format) => format.name(),
        }
    }

    /// The format that a file name has by its extension; the extension of a compression is removed before.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        let ending = name.rsplit_once('.')?.1.to_ascii_lowercase();
        Some(match ending.as_str() {
            "tsv" | "tab" => Format::Tsv,
            "csv" => Format::Csv,
            "json" => Format::Json,
            "jsonl" | "ndjson" => Format::Jsonl,
            "txt" | "text" => Format::Text,
            "svg" => Format::Svg,
            ending => Format::Document(DocumentFormat::of_ending(ending)?),
        })
    }

    /// The format of a file whose name tells one, made precise by its beginning.
    pub(super) fn refined(self, start: &[u8]) -> Self {
        match self {
            // A file of one JSON object a line is often called .json.
            Format::Json if Format::of_content(start) == Format::Jsonl => Format::Jsonl,
            // Anything may be called .txt.
            Format::Text => match Format::of_content(start) {
                Format::Tsv if !Format::Tsv.is_list(start) => Format::Text,
                format => format,
            },
            Format::Document(DocumentFormat::Xml) => {
                Format::Document(DocumentFormat::of_xml(start))
            }
            format => format,
        }
    }

    /// Whether a file that a folder has, with this format by its name and this beginning, is a
    /// list of formulas: folders have tables, JSON and texts of other things, too.
    pub(super) fn is_list(self, start: &[u8]) -> bool {
        let start = String::from_utf8_lossy(start);
        let first = start.lines().next().unwrap_or_default();
        let first = first.trim_start_matches('\u{FEFF}');
        match self {
            Format::Tsv => is_header(first, '\t'),
            Format::Csv => is_header(first, ',') || is_header(first, ';'),
            Format::Json => start.trim_start().starts_with('[') && names_latex(&start),
            Format::Jsonl => first.trim_start().starts_with('{') && names_latex(first),
            Format::Text => !is_prose(&start),
            Format::Svg | Format::Document(_) => true,
        }
    }

    /// The format that the beginning of a file suggests.
    pub(super) fn of_content(start: &[u8]) -> Self {
        let start = String::from_utf8_lossy(start);
        let first = start.lines().next().unwrap_or_default();
        match first.trim_start().chars().next() {
            Some('{') if serde_json::from_str::<serde_json::Value>(first).is_ok() => Format::Jsonl,
            Some('<') if start.contains("<svg") => Format::Svg,
            Some('[') if is_array(&start) => Format::Json,
            Some('<') => match DocumentFormat::of_xml(start.as_bytes()) {
                DocumentFormat::Xml if is_html(&start) => Format::Document(DocumentFormat::Html),
                DocumentFormat::Xml if !start.trim_start().starts_with("<?xml") => Format::Text,
                format => Format::Document(format),
            },
            _ if is_csv_header(first) => Format::Csv,
            _ if first.contains('\t') => Format::Tsv,
            _ if is_prose_with_formulas(&start) => Format::Document(DocumentFormat::Prose),
            _ => Format::Text,
        }
    }
}

/// Whether a text begins as an array of objects or texts does. LaTeX may begin with a bracket,
/// even with one before a brace.
fn is_array(start: &str) -> bool {
    let element = start.trim_start().strip_prefix('[').unwrap_or(start);
    let element = element.trim_start();
    let is_object = |object: &str| object.trim_start().starts_with('"');
    element.starts_with('"') || element.strip_prefix('{').is_some_and(is_object)
}

/// Whether a line is the header of a table of formulas that is no TSV.
fn is_csv_header(line: &str) -> bool {
    !line.contains('\t') && (is_header(line, ',') || is_header(line, ';'))
}

/// Whether a line is the header of a table of formulas.
fn is_header(line: &str, delimiter: char) -> bool {
    let names = line.split(delimiter).map(|name| name.trim_matches('"'));
    let names: Vec<&str> = names.collect();
    names.len() > 1 && Columns::of(&names).is_some_and(|columns| columns.have_ids())
}

/// Whether the beginning of some JSON has a key that formulas stand under.
fn names_latex(json: &str) -> bool {
    ["\"latex\"", "\"formula\"", "\"tex\""]
        .iter()
        .any(|key| json.contains(key))
}

/// Whether a text that begins with `<` is HTML.
fn is_html(start: &str) -> bool {
    let start = start.trim_start().to_ascii_lowercase();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected a format, such as tsv, csv, json, jsonl, text, svg, tex, markdown or html, found `{found}`"
)]
pub struct FormatError {
    /// The text.
    pub found: String,
}

impl FromStr for Format {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Self, FormatError> {
        let named = Format::all().find(|format| format.name() == text);
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
        for format in Format::all() {
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
        assert_eq!(Format::of_content(b"[\n {\"id\""), Format::Json);
        assert_eq!(Format::of_content(b"[\"x\"]"), Format::Json);
        for latex in ["[0,1]", "[{a}]", "f,x;id", "latex, id est"] {
            assert_eq!(Format::of_content(latex.as_bytes()), Format::Text);
        }
        assert_eq!(Format::of_content(b"\"id\";latex\n"), Format::Csv);
        assert_eq!(Format::of_content(b"id\tlatex"), Format::Tsv);
        assert_eq!(Format::of_content(b"<?xml?>\n<svg/>"), Format::Svg);
        let document = |start: &[u8]| match Format::of_content(start) {
            Format::Document(format) => Some(format),
            _ => None,
        };
        assert_eq!(
            document(b"<?xml?>\n<posts>\n <row Id='1'"),
            Some(DocumentFormat::Posts)
        );
        assert_eq!(
            document(b"<mediawiki xmlns="),
            Some(DocumentFormat::WikiDump)
        );
        assert_eq!(document(b"<!DOCTYPE html>"), Some(DocumentFormat::Html));
        assert_eq!(
            document(b"Let $x$ be.\n\nIt costs.\n"),
            Some(DocumentFormat::Prose)
        );
    }

    #[test]
    fn files_of_folders_are_lists_where_they_say_so() {
        for (format, start, is_list) in [
            (Format::Tsv, "id\tlatex\n", true),
            (Format::Tsv, "name\tvalue\n", false),
            (Format::Csv, "\u{FEFF}id;formula\n", true),
            (Format::Json, "[{\"latex\": 1}]", true),
            (Format::Json, "{\"latex\": 1}", false),
            (Format::Json, "[\"a\"]", false),
            (Format::Jsonl, "{\"id\": 1, \"tex\": \"x\"}\n", true),
        ] {
            assert_eq!(format.is_list(start.as_bytes()), is_list, "{start}");
        }
    }
}
