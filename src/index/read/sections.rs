//! The sections of an open index.

use std::path::{Path, PathBuf};

use bytemuck::{Pod, try_cast_slice};
use xxhash_rust::xxh3::xxh3_64;

use super::bytes::Bytes;
use crate::index::format::{IndexError, Section, SectionRow, read_header};

/// The bytes of an index, and where each section is in them.
#[derive(Debug)]
pub(super) struct Sections {
    path: PathBuf,
    bytes: Bytes,
    rows: Vec<SectionRow>,
}

impl Sections {
    /// The sections that the header of these bytes names; small ones have the right checksums.
    pub(super) fn new(bytes: Bytes, path: PathBuf) -> Result<Self, IndexError> {
        let rows = read_header(&bytes, &path)?;
        let sections = Sections { path, bytes, rows };
        let small = sections.rows.iter();
        for row in small.filter(|row| row.section.is_checked_on_opening()) {
            sections.check_sum(row)?;
        }
        Ok(sections)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn rows(&self) -> &[SectionRow] {
        &self.rows
    }

    /// The whole file.
    pub(super) fn all(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes of a section.
    pub(super) fn bytes(&self, section: Section) -> &[u8] {
        let row = &self.rows[section as usize - 1];
        &self.bytes[row.offset as usize..(row.offset + row.length) as usize]
    }

    /// A section as rows. Sizes were checked on opening, and sections begin
    /// at multiples of 64: a cast that fails is of an empty section.
    pub(super) fn column<T: Pod>(&self, section: Section) -> &[T] {
        try_cast_slice(self.bytes(section)).unwrap_or_default()
    }

    pub(super) fn damaged(&self, what: String) -> IndexError {
        IndexError::Damaged {
            path: self.path.clone(),
            what,
        }
    }

    pub(super) fn check_sum(&self, row: &SectionRow) -> Result<(), IndexError> {
        let found = xxh3_64(self.bytes(row.section));
        if found == row.checksum {
            Ok(())
        } else {
            Err(self.damaged(format!(
                "section {:?} has checksum {found:016x}, expected {:016x}",
                row.section, row.checksum
            )))
        }
    }
}
