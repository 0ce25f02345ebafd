//! Where occurrences stand in documents: the fields that say so.

use super::Instance;

/// The file.
pub(super) const SOURCE: &str = "source";
/// The line, from 1.
pub(super) const LINE: &str = "line";
/// The column in characters, from 1.
pub(super) const COLUMN: &str = "column";
/// The title of the section.
pub(super) const SECTION: &str = "section";
/// The sentence around it, with formulas between dollars.
pub(super) const SENTENCE: &str = "sentence";

/// Where an occurrence stands in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DocumentPlace<'a> {
    /// The file, as it was named when it was read.
    pub file: &'a str,
    /// The line, from 1.
    pub line: u64,
    /// The column in characters, from 1.
    pub column: u64,
    /// The title of the section.
    pub section: Option<&'a str>,
    /// The sentence around it, with formulas between dollars.
    pub sentence: Option<&'a str>,
}

impl Instance {
    /// Where it stands, if it was read from a document.
    pub fn place(&self) -> Option<DocumentPlace<'_>> {
        Some(DocumentPlace {
            file: self.field(SOURCE)?,
            line: self.field(LINE)?.parse().ok()?,
            column: self.field(COLUMN)?.parse().ok()?,
            section: self.field(SECTION),
            sentence: self.field(SENTENCE),
        })
    }
}

/// Whether a field says where an occurrence stands.
#[cfg(feature = "cli")]
pub(crate) fn is_of_place(name: &str) -> bool {
    [SOURCE, LINE, COLUMN, SECTION, SENTENCE].contains(&name)
}
