//! The sections of an open index.

use std::ops::Range;
use std::path::{Path, PathBuf};

use bytemuck::{Pod, try_cast_slice};

use super::bytes::Bytes;
use super::chunks::Chunks;
use super::column::Column;
use super::state::FileState;
use crate::index::format::{IndexError, Section, SectionRow, read_header};

/// The bytes of an index, and where each section is in them.
#[derive(Debug)]
pub(super) struct Sections {
    path: PathBuf,
    bytes: Bytes,
    rows: Vec<SectionRow>,
    chunks: Chunks,
}

impl Sections {
    /// The sections that the header of these bytes names; small ones are as they were written.
    pub(super) fn new(bytes: Bytes, path: PathBuf) -> Result<Self, IndexError> {
        let rows = read_header(&bytes, &path)?.rows;
        let sums = rows[Section::Sums as usize - 1].range();
        let sections = Sections {
            path,
            bytes,
            rows,
            chunks: Chunks::new(sums),
        };
        let small = sections.rows.iter();
        for row in small.filter(|row| row.section.is_checked_on_opening()) {
            sections.are_sound(row.range());
        }
        sections.undamaged()?;
        Ok(sections)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn rows(&self) -> &[SectionRow] {
        &self.rows
    }

    /// The whole file, as it is.
    pub(super) fn all(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether they are in memory, and no mapped file.
    pub(super) fn are_in_memory(&self) -> bool {
        self.bytes.are_owned()
    }

    /// Where a section is in the file.
    #[cfg(feature = "ask")]
    pub(super) fn range(&self, section: Section) -> Range<usize> {
        self.row(section).range()
    }

    /// The length of a section in bytes.
    pub(super) fn length(&self, section: Section) -> usize {
        self.row(section).range().len()
    }

    /// The bytes of a section that was checked on opening.
    pub(super) fn bytes(&self, section: Section) -> &[u8] {
        debug_assert!(section.is_checked_on_opening(), "{section:?} is a column");
        &self.bytes[self.row(section).range()]
    }

    /// The rows of a section that was checked on opening. Sizes were checked, too, and sections
    /// begin at multiples of 64: a cast that fails is of an empty section.
    pub(super) fn small<T: Pod>(&self, section: Section) -> &[T] {
        try_cast_slice(self.bytes(section)).unwrap_or_default()
    }

    /// The rows of any section, which are checked when they are read.
    pub(super) fn column<T: Pod>(&self, section: Section) -> Column<'_, T> {
        let range = self.row(section).range();
        let rows = try_cast_slice(&self.bytes[range.clone()]).unwrap_or_default();
        Column::new(self, range.start, rows)
    }

    fn row(&self, section: Section) -> &SectionRow {
        &self.rows[section as usize - 1]
    }

    /// Whether some bytes of the file are as they were written; if not, no answer is sound.
    #[inline]
    pub(super) fn are_sound(&self, bytes: Range<usize>) -> bool {
        self.chunks.are_known(&bytes) || self.chunks.are_sound(&self.bytes, bytes)
    }

    /// Checks every byte of the file, also those that were checked before.
    pub(super) fn check_all(&self) -> Result<(), IndexError> {
        self.chunks.all_match(&self.bytes);
        self.undamaged()
    }

    /// What became of the file.
    pub(super) fn file_state(&self) -> FileState {
        self.bytes.state(&self.path)
    }

    /// An answer that was read from these bytes, or an error where the file changed meanwhile or
    /// was found to be damaged.
    pub(super) fn sound<T, E: From<IndexError>>(&self, answer: Result<T, E>) -> Result<T, E> {
        if self.bytes.is_changed() {
            let path = self.path.clone();
            return Err(IndexError::Changed { path }.into());
        }
        self.undamaged()?;
        answer
    }

    /// An error, if bytes that were read since the index was opened are not what was written.
    pub(super) fn undamaged(&self) -> Result<(), IndexError> {
        match self.damage() {
            Some(what) => Err(self.error(what)),
            None => Ok(()),
        }
    }

    /// That the index is damaged: `what` is wrong with it, or rather bytes that are not what was
    /// written.
    pub(super) fn damaged(&self, what: String) -> IndexError {
        self.error(self.damage().unwrap_or(what))
    }

    fn error(&self, what: String) -> IndexError {
        IndexError::Damaged {
            path: self.path.clone(),
            what,
        }
    }

    /// Which bytes were found not to be what was written, if any were.
    fn damage(&self) -> Option<String> {
        let Range { start, end } = self.chunks.damaged()?;
        let within = |row: &&SectionRow| {
            let row = row.range();
            !row.is_empty() && row.start < end && start < row.end
        };
        let mut rows: Vec<&SectionRow> = self.rows.iter().filter(within).collect();
        rows.sort_by_key(|row| row.offset);
        let names: Vec<String> = (rows.iter())
            .map(|row| format!("{:?}", row.section))
            .collect();
        let names = names.join(", ");
        Some(format!(
            "bytes {start} to {end}, in {names}, do not match their checksum"
        ))
    }
}
