//! Opening an index: the file is mapped and its tables are checked.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::bytes::Bytes;
use super::checks;
use super::mapping;
use super::sections::Sections;
use crate::index::WINDOW;
use crate::index::codebook::Codebook;
use crate::index::format::{IndexError, Meta, NormStep, Section};
use crate::phoc::TokenKind;

#[cfg(target_endian = "big")]
compile_error!("index files are little-endian and are read in place");

/// An open index.
#[derive(Debug)]
pub struct Index {
    pub(super) sections: Sections,
    meta: Meta,
    codebook: Codebook,
    /// How many postings without payloads come before those of each kind.
    pub(super) skipped_payloads: [u64; TokenKind::ALL.len()],
    /// The formulas in the order of their external ids, once an id was looked up.
    pub(super) by_id: OnceLock<Vec<u32>>,
}

impl Index {
    /// Maps the index at `path`.
    ///
    /// Magic, version, length, the table, the small sections and the sizes of
    /// all others are checked; [`Index::verify`] checks the rest.
    ///
    /// # Errors
    /// When the file does not exist, is not an index, has another version, or is cut or damaged.
    pub fn open(path: &Path) -> Result<Self, IndexError> {
        if path.is_dir() {
            return Err(IndexError::NotAnIndex {
                path: path.to_path_buf(),
                found: "a folder".to_owned(),
            });
        }
        let map = mapping::map(path).map_err(|reason| IndexError::Io {
            path: path.to_path_buf(),
            reason,
        })?;
        Index::of(Bytes::Mapped(map), path.to_path_buf())
    }

    /// Opens an index whose file is in memory. The bytes are copied.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, IndexError> {
        Index::of(Bytes::copied(bytes), PathBuf::from("(in memory)"))
    }

    fn of(bytes: Bytes, path: PathBuf) -> Result<Self, IndexError> {
        let sections = Sections::new(bytes, path)?;
        let meta: Meta = serde_json::from_slice(sections.bytes(Section::Meta))
            .map_err(|error| sections.damaged(format!("its description does not read: {error}")))?;
        checks::check_sizes(&sections, &meta)?;
        checks::check_tables(&sections, &meta)?;
        Ok(Index {
            skipped_payloads: checks::skipped_payloads(&sections, &meta)?,
            codebook: checks::codebook(&sections, &meta)?,
            sections,
            meta,
            by_id: OnceLock::new(),
        })
    }

    /// Its description.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Where it is; `(in memory)` where it is no file.
    pub fn path(&self) -> &Path {
        self.sections.path()
    }

    /// The bytes of its file.
    pub fn as_bytes(&self) -> &[u8] {
        self.sections.all()
    }

    /// Its length in bytes.
    pub fn file_bytes(&self) -> u64 {
        self.sections.all().len() as u64
    }

    /// The length in bytes of the sections that searches do not read: LaTeX, instances and layouts.
    pub fn store_bytes(&self) -> u64 {
        let sections = Section::STORE.iter();
        sections
            .map(|section| self.sections.bytes(*section).len() as u64)
            .sum()
    }

    /// The sections by name, with their lengths.
    #[doc(hidden)]
    pub fn section_sizes(&self) -> Vec<(String, u64)> {
        let sections = Section::ALL.iter();
        sections
            .map(|section| {
                let bytes = self.sections.bytes(*section).len() as u64;
                (format!("{section:?}"), bytes)
            })
            .collect()
    }

    /// How many formulas there are.
    pub fn formulas(&self) -> usize {
        self.meta.formulas as usize
    }

    /// How many windows of formulas there are.
    #[doc(hidden)]
    pub fn windows(&self) -> usize {
        self.formulas().div_ceil(WINDOW)
    }

    /// The codebook that turns payloads into words.
    pub(crate) fn codebook(&self) -> &Codebook {
        &self.codebook
    }

    /// The norms, ascending, each with the range of formulas that have it.
    #[doc(hidden)]
    pub fn norms(&self) -> impl Iterator<Item = (u32, Range<usize>)> {
        let steps = self.norm_steps();
        let starts = steps.iter().map(|step| step.first_formula as usize);
        let ends = starts.clone().skip(1);
        let ends = ends.chain(std::iter::once(self.formulas()));
        let ranges = starts.zip(ends).map(|(start, end)| start..end);
        steps.iter().map(|step| step.norm).zip(ranges)
    }

    /// Each norm, ascending, and the first formula that has it.
    pub(crate) fn norm_steps(&self) -> &[NormStep] {
        self.sections.column(Section::Norms)
    }

    /// The place of each formula's external id among all.
    #[doc(hidden)]
    pub fn id_ranks(&self) -> &[u32] {
        self.sections.column(Section::IdRanks)
    }

    pub(super) fn damaged(&self, what: String) -> IndexError {
        self.sections.damaged(what)
    }
}
