//! Records: formulas with where they occur.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::ids::{FormulaId, PostId, VisualId};
use super::text::TextPlace;

/// One occurrence of a formula.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Instance {
    /// The formula's own id.
    pub id: FormulaId,
    /// The post that holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub post: Option<PostId>,
    /// The thread of that post.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
    /// The kind of text that holds it: title, question, answer or comment.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The id that it shares with formulas that look the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visual_id: Option<VisualId>,
    /// What the input says of it besides, under the names that the input has for it, such as
    /// `source` or `title`: in the input's order, without empty values.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "write_fields")]
    pub fields: Vec<(String, String)>,
    /// The address of the page that holds it, where an index or a server is told how addresses
    /// are made, or the field `url` is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// Fields as an object, in their order.
fn write_fields<S: Serializer>(
    fields: &[(String, String)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(fields.iter().map(|(name, value)| (name, value)))
}

impl Instance {
    /// An occurrence of which only the formula's id is known.
    pub fn new(id: FormulaId) -> Self {
        Instance {
            id,
            post: None,
            thread: None,
            kind: None,
            visual_id: None,
            fields: Vec::new(),
            url: None,
        }
    }

    /// The value of a field of the input, by its name.
    pub fn field(&self, name: &str) -> Option<&str> {
        let found = self.fields.iter().find(|(other, _)| other == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Its field `source`, by which results can be filtered.
    pub fn source(&self) -> Option<&str> {
        let mut fields = self.fields.iter();
        let found = fields.find(|(name, _)| name.eq_ignore_ascii_case("source"));
        found.map(|(_, value)| value.as_str())
    }

    /// The visual id by which runs and judgments name it, or `own` if it has none.
    pub fn visual_id_or<'a>(&'a self, own: &'a FormulaId) -> &'a str {
        match &self.visual_id {
            Some(visual_id) => visual_id.as_str(),
            None => own.as_str(),
        }
    }
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

    /// The text to show for it: its LaTeX, or an empty text for a drawing.
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
    pub(super) fn id(&self, many: bool) -> FormulaId {
        let line = self.line;
        FormulaId::of_place(if many {
            format!("{}:{line}", file_stem(&self.file))
        } else {
            line.to_string()
        })
    }

    /// The id of a file that is one record: its name.
    pub(super) fn id_of_file(&self) -> FormulaId {
        FormulaId::of_place(file_stem(&self.file))
    }
}

/// The name of a file without its folders, its format and its compression.
fn file_stem(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let bare = name.trim_end_matches(".zst").trim_end_matches(".gz");
    // `.svg` is a name of its own.
    let stem = bare.rsplit_once('.').map_or("", |(stem, _)| stem);
    let stem = if stem.is_empty() { bare } else { stem };
    stem.to_owned()
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.line)
    }
}

/// A formula that is to be indexed, as it was read from a file or made in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Its occurrence.
    pub instance: Instance,
    /// Its source.
    pub content: Content,
    /// ARQMath's note of a known problem with the formula.
    pub issue: Option<String>,
    /// Where it was read, if it was read from a file.
    pub place: Option<Place>,
    /// In which text it stands, where texts are read too.
    pub(crate) text: Option<TextPlace>,
}

impl Record {
    /// A formula in LaTeX.
    ///
    /// ```
    /// use phocus::corpus::Record;
    ///
    /// let record = Record::latex("pythagoras".parse()?, "a^2+b^2=c^2")
    ///     .with_visual_id("v1".parse()?)
    ///     .with_post("post-7".parse()?);
    /// assert_eq!(record.instance.id, "pythagoras");
    /// # Ok::<(), phocus::corpus::IdError>(())
    /// ```
    pub fn latex(id: FormulaId, latex: impl Into<String>) -> Self {
        Record::new(id, Content::Latex(latex.into()))
    }

    /// A formula that is drawn, as the text of an SVG file.
    pub fn svg(id: FormulaId, svg: impl Into<String>) -> Self {
        Record::new(id, Content::Svg(svg.into()))
    }

    fn new(id: FormulaId, content: Content) -> Self {
        Record {
            instance: Instance::new(id),
            content,
            issue: None,
            place: None,
            text: None,
        }
    }

    /// Sets the visual id, which formulas that look alike share.
    #[must_use]
    pub fn with_visual_id(mut self, visual_id: VisualId) -> Self {
        self.instance.visual_id = Some(visual_id);
        self
    }

    /// Sets the post that holds the formula.
    #[must_use]
    pub fn with_post(mut self, post: PostId) -> Self {
        self.instance.post = Some(post);
        self
    }

    /// Adds what else is known of the occurrence, such as its `source`; an index keeps it.
    ///
    /// ```
    /// use phocus::corpus::Record;
    ///
    /// let record = Record::latex("1".parse()?, "x^2").with_field("title", "Squares");
    /// assert_eq!(record.instance.field("title"), Some("Squares"));
    /// # Ok::<(), phocus::corpus::IdError>(())
    /// ```
    #[must_use]
    pub fn with_field(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.instance.fields.push((name.into(), value.into()));
        self
    }

    /// The bytes of its source and of its fields: most of what it takes while it waits.
    pub(crate) fn bytes(&self) -> usize {
        let fields = self.instance.fields.iter();
        let fields: usize = fields.map(|(name, value)| name.len() + value.len()).sum();
        self.content.source().len() + fields
    }

    /// Sets the place in a file where the record was read.
    pub(super) fn read_at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// Why ARQMath's rules keep this formula out of every result, if they do:
    /// comments and deleted formulas are never returned.
    pub fn withheld(&self) -> Option<&'static str> {
        match (self.instance.kind.as_deref(), self.issue.as_deref()) {
            (Some("comment"), _) => Some("comment"),
            (_, Some("d" | "dv")) => Some("deleted (issue d or dv)"),
            _ => None,
        }
    }
}

/// The result of reading one record: the record, or why there is none.
pub type ReadResult = Result<Record, Malformed>;

/// A line that is not a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct Malformed {
    /// Where it is.
    pub place: Place,
    /// The reason why it is not a record.
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
            (".zst", "_"),
            (".hidden", ".hidden"),
            ("-", "-"),
            ("1.2.txt.gz", "1.2"),
        ];
        for (file, stem) in stems {
            let file = Arc::new(PathBuf::from(file));
            assert_eq!(Place { file, line: 1 }.id_of_file(), stem);
        }
    }
}
