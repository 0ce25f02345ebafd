//! Records: formulas with where they occur.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

/// One occurrence of a formula.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Instance {
    /// The formula's own id.
    pub id: String,
    /// The post that holds it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub post: String,
    /// The thread of that post.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub thread: String,
    /// What it stands in: title, question or answer.
    #[serde(rename = "type", skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// The id that it shares with formulas that look the same.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub visual_id: String,
}

/// The longest SVG that is read, in bytes.
pub const MAX_SVG_BYTES: usize = 4 * 1024 * 1024;

/// What a formula is written in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// LaTeX source.
    Latex(String),
    /// An SVG drawing.
    Svg(String),
}

impl Content {
    /// LaTeX or SVG, as it was read.
    pub fn source(&self) -> &str {
        match self {
            Content::Latex(source) | Content::Svg(source) => source,
        }
    }

    /// What to show for it: LaTeX, or nothing for a drawing.
    pub fn latex(&self) -> &str {
        match self {
            Content::Latex(latex) => latex,
            Content::Svg(_) => "",
        }
    }
}

/// Where a record was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: Arc<PathBuf>,
    /// The line, from 1.
    pub line: u64,
}

impl Place {
    /// An id for a record that has none: its line, with its file where
    /// `many` files are read.
    pub(super) fn id(&self, many: bool) -> String {
        if many {
            format!("{}:{}", file_stem(&self.file), self.line)
        } else {
            self.line.to_string()
        }
    }
}

/// The name of a file without its folders, its format and its compression,
/// in one word.
pub(super) fn file_stem(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let bare = name.trim_end_matches(".zst").trim_end_matches(".gz");
    // `.svg` is a name of its own.
    let stem = bare.rsplit_once('.').map_or("", |(stem, _)| stem);
    let stem = if stem.is_empty() { bare } else { stem };
    stem.replace(char::is_whitespace, "_")
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.line)
    }
}

/// A formula as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Its occurrence.
    pub instance: Instance,
    /// Its source.
    pub content: Content,
    /// ARQMath's note of what is wrong with it.
    pub issue: String,
    /// Where it was read.
    pub place: Place,
}

impl Record {
    /// Why ARQMath's rules keep this formula out of every result, if they do:
    /// comments and deleted formulas are never returned.
    pub fn withheld(&self) -> Option<&'static str> {
        match (self.instance.kind.as_str(), self.issue.as_str()) {
            ("comment", _) => Some("comment"),
            (_, "d" | "dv") => Some("deleted (issue d or dv)"),
            _ => None,
        }
    }
}

/// A line that is not a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct Malformed {
    /// Where it is.
    pub place: Place,
    /// What is wrong with it.
    pub reason: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_give_ids_of_one_word() {
        let stems = [
            ("a/b.tsv.zst", "b"),
            ("x y.svg", "x_y"),
            (".hidden", ".hidden"),
            ("-", "-"),
            ("1.2.txt.gz", "1.2"),
        ];
        for (file, stem) in stems {
            assert_eq!(file_stem(Path::new(file)), stem);
        }
    }
}
