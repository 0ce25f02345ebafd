//! Files that are not read, and what they seem to be.

use std::fmt;

/// What a file that is not read seems to be.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Foreign {
    /// In a word or two, such as `PDF`.
    pub kind: String,
    /// What to do, in a sentence; empty where there is nothing to say.
    advice: &'static str,
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Foreign { kind, advice } = self;
        write!(f, "it seems to be {kind}; {advice}")
    }
}

const DOCUMENT: &str =
    "convert it to text, Markdown or HTML, or name the LaTeX or Markdown that it was made of";
const PICTURE: &str =
    "pictures have no symbols to read: give the formulas as LaTeX, or drawings as SVG";
const ARCHIVE: &str = "unpack it, and name the folder";
const SHEET: &str = "export it as CSV";
const PROGRAM: &str = "if it is a list of formulas, one a line, say --format text";
const BINARY: &str = "phocus reads documents that are text, lists of formulas (TSV, CSV, JSON, JSON Lines, text), and SVG drawings";
const INDEX: &str = "it can be searched as it is: `phocus search FILE.phoc LATEX`";

/// Kinds by the first bytes.
const STARTS: [(&[u8], &str, &str); 19] = [
    (b"%PDF-", "PDF", DOCUMENT),
    (b"phocus\r\n", "a phocus index", INDEX),
    (b"\x89PNG\r\n", "PNG", PICTURE),
    (b"\xFF\xD8\xFF", "JPEG", PICTURE),
    (b"GIF8", "GIF", PICTURE),
    (b"BM\0", "BMP", PICTURE),
    (b"II*\0", "TIFF", PICTURE),
    (b"MM\0*", "TIFF", PICTURE),
    (b"%!PS", "PostScript", DOCUMENT),
    (b"{\\rtf", "RTF", DOCUMENT),
    (b"\xD0\xCF\x11\xE0", "an office document", SHEET),
    (b"PK\x03\x04", "ZIP", ARCHIVE),
    (b"7z\xBC\xAF\x27\x1C", "7z", ARCHIVE),
    (b"Rar!\x1A", "RAR", ARCHIVE),
    (
        b"BZh",
        "bzip2",
        "unpack it; .gz and .zst are read as they are",
    ),
    (
        b"\xFD7zXZ\0",
        "xz",
        "unpack it; .gz and .zst are read as they are",
    ),
    (b"SQLite format 3\0", "an SQLite database", SHEET),
    (b"\xFF\xFE", "UTF-16", "convert it to UTF-8"),
    (b"\xFE\xFF", "UTF-16", "convert it to UTF-8"),
];

/// Kinds by the ending of the name.
const ENDINGS: [(&[&str], &str, &str); 16] = [
    (&["pdf"], "PDF", DOCUMENT),
    (&["phoc"], "a phocus index", INDEX),
    (&["seen"], "what was read for a phocus index", INDEX),
    (&["png"], "PNG", PICTURE),
    (&["jpg", "jpeg"], "JPEG", PICTURE),
    (
        &["gif", "webp", "bmp", "tif", "tiff", "ico", "heic"],
        "a picture",
        PICTURE,
    ),
    (&["org"], "an Org file", DOCUMENT),
    (
        &["mml"],
        "MathML",
        "give it as a query, or within a page of HTML",
    ),
    (
        &["docx", "doc", "odt", "rtf", "epub", "ppt", "pptx", "odp"],
        "an office document",
        DOCUMENT,
    ),
    (&["xlsx", "xls", "ods"], "a spreadsheet", SHEET),
    (&["parquet", "arrow", "db", "sqlite"], "a database", SHEET),
    (&["zip", "7z", "rar", "tar", "tgz"], "an archive", ARCHIVE),
    (
        &["bz2", "xz", "lz4"],
        "a compressed file",
        "unpack it; .gz and .zst are read as they are",
    ),
    (
        &["bib", "sty", "cls", "aux", "toc"],
        "a file that goes with TeX",
        PROGRAM,
    ),
    (
        &[
            "py", "rs", "c", "h", "cpp", "java", "js", "ts", "css", "sh", "toml", "yaml", "yml",
            "ini", "go", "r",
        ],
        "program text",
        PROGRAM,
    ),
    (&["log"], "a log", PROGRAM),
];

/// How many of the first bytes are looked at for a byte that no text has.
const TEXT_BYTES: usize = 8192;

impl Foreign {
    fn new(kind: &str, advice: &'static str) -> Self {
        Foreign {
            kind: kind.to_owned(),
            advice,
        }
    }

    /// What a file is by its first bytes, if they are those of no text.
    pub(super) fn of_content(start: &[u8]) -> Option<Self> {
        let known = STARTS.iter().find(|(bytes, ..)| start.starts_with(bytes));
        if let Some((_, kind, advice)) = known {
            return Some(Foreign::new(kind, advice));
        }
        // The name of the first file in a tar, and its end.
        if start.get(257..262) == Some(b"ustar") {
            return Some(Foreign::new("tar", ARCHIVE));
        }
        let start = &start[..start.len().min(TEXT_BYTES)];
        start
            .contains(&0)
            .then(|| Foreign::new("a binary file", BINARY))
    }

    /// What a file is by the ending of its name, if that is of a known kind that is not read.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        let (_, ending) = name.rsplit_once('.')?;
        let ending = ending.to_ascii_lowercase();
        let mut endings = ENDINGS.iter();
        let (_, kind, advice) = endings.find(|(names, ..)| names.contains(&ending.as_str()))?;
        Some(Foreign::new(kind, advice))
    }

    /// What a file of a folder is called that is read for nothing that is known of it.
    pub(super) fn unknown(name: &str) -> Self {
        let kind = match name.rsplit_once('.') {
            _ if name.starts_with('.') => "a hidden file".to_owned(),
            Some((_, ending)) if ending.len() <= 8 => {
                format!("a .{} file", ending.to_ascii_lowercase())
            }
            _ => "a file without an ending".to_owned(),
        };
        Foreign {
            kind,
            advice: BINARY,
        }
    }

    /// A file of a folder that is none of formulas, though its name tells a format of lists.
    pub(super) fn other(format: super::Format) -> Self {
        use super::Format;
        let kind = match format {
            Format::Tsv => "a table without formulas",
            Format::Csv => "CSV without formulas",
            Format::Json | Format::Jsonl => "JSON without formulas",
            _ => "text without formulas",
        };
        Foreign::new(
            kind,
            "if it is a list of formulas, name it and say --format",
        )
    }

    /// What a folder has that cannot be opened.
    pub(super) fn unreadable() -> Self {
        Foreign::new("what cannot be opened", "look at its permissions")
    }

    /// A drawing beside documents.
    pub(super) fn figure() -> Self {
        Foreign::new(
            "an SVG drawing",
            "if it draws a formula, name it: beside documents drawings are taken for figures",
        )
    }

    /// A list of formulas, where documents are read.
    #[cfg(feature = "documents")]
    pub(super) fn list() -> Self {
        Foreign::new("a list of formulas", "`phocus index` reads it")
    }

    /// A link to a file outside of the folder that is read.
    pub(super) fn link() -> Self {
        Foreign::new("a link out of the folder", "name the file that it leads to")
    }

    /// A document, where documents are not read.
    pub(super) fn document() -> Self {
        Foreign::new(
            "a document",
            "this program was built without the feature `documents`",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_tell_what_is_no_text() {
        let kind = |start: &[u8]| Foreign::of_content(start).map(|foreign| foreign.kind);
        assert_eq!(kind(b"%PDF-1.7\n").as_deref(), Some("PDF"));
        assert_eq!(kind(b"phocus\r\n\x07\0").as_deref(), Some("a phocus index"));
        assert_eq!(kind(b"x\0y").as_deref(), Some("a binary file"));
        assert_eq!(kind(b"\xFF\xFEx\0").as_deref(), Some("UTF-16"));
        let mut tar = vec![b'a'; 300];
        tar[257..262].copy_from_slice(b"ustar");
        assert_eq!(kind(&tar).as_deref(), Some("tar"));
        for text in ["", "x^2", "id\tlatex\n", "\u{FEFF}x", "% a comment", "日"] {
            assert_eq!(kind(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn endings_tell_what_is_not_read_and_no_ending_that_is() {
        use super::super::Format;
        for (endings, kind, advice) in ENDINGS {
            assert!(!advice.is_empty());
            for ending in endings {
                let name = format!("a.{}", ending.to_uppercase());
                assert_eq!(Foreign::of_name(&name).unwrap().kind, kind);
                assert_eq!(Format::of_name(&name), None, "{name}");
            }
        }
        assert_eq!(Foreign::of_name("formulas"), None);
        assert_eq!(Foreign::unknown("x.Dat").kind, "a .dat file");
        assert_eq!(
            Foreign::unknown("formulas").kind,
            "a file without an ending"
        );
    }
}
