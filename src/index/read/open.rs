//! Opening an index: the file is mapped and its tables are checked.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::bytes::Bytes;
use super::checks;
use super::facets::FacetSet;
use super::sections::Sections;
use super::state::FileState;
use crate::corpus::LinkTemplate;
use crate::index::WINDOW;
use crate::index::codebook::Codebook;
use crate::index::format::{IndexError, Meta, NormStep, Section};
use crate::phoc::TokenKind;

#[cfg(target_endian = "big")]
compile_error!("index files are little-endian and are read in place");

/// An open index.
#[derive(Debug)]
pub struct Index {
    pub(super) sections: Arc<Sections>,
    meta: Meta,
    codebook: Codebook,
    /// Norms, copied: searches index with what they say.
    norms: Box<[NormStep]>,
    /// How many postings without payloads come before those of each kind.
    pub(super) skipped_payloads: [u64; TokenKind::ALL.len()],
    /// The pairs of type and source that the formulas of each set have.
    pub(super) facet_sets: Vec<FacetSet>,
    /// How addresses are made, where that is not what the description says.
    pub(super) link: Option<LinkTemplate>,
    /// The formulas in the order of their external ids, once an id was looked up.
    pub(super) by_id: OnceLock<Vec<u32>>,
    /// The index of words, once a question was asked.
    #[cfg(feature = "ask")]
    pub(super) words: OnceLock<super::words::Words>,
}

impl Index {
    /// Maps the index at `path`.
    ///
    /// Magic, version, length, the tables of sections and of checksums, the small sections and
    /// the sizes of all others are checked. What else an answer needs is checked when it is first
    /// read: an answer of a damaged index is an error. [`Index::verify`] checks everything.
    ///
    /// # Errors
    /// When the file does not exist, is not an index, has another version, or is cut or damaged.
    pub fn open(path: &Path) -> Result<Self, IndexError> {
        Index::opened(path, Bytes::mapped)
    }

    /// Reads the whole index at `path` into memory: what becomes of the file then does not
    /// matter, and no search waits for a disk.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_in_memory(path: &Path) -> Result<Self, IndexError> {
        Index::opened(path, Bytes::read)
    }

    /// Opens the file that is at the path of this index now, in the way in which this index was
    /// opened: mapped or in memory, with the same [`with_link`](Self::with_link).
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn reopen(&self) -> Result<Self, IndexError> {
        let index = if self.sections.are_in_memory() {
            Index::open_in_memory(self.path())
        } else {
            Index::open(self.path())
        };
        let link = self.link.clone();
        index.map(|index| Index { link, ..index })
    }

    fn opened(path: &Path, get: impl Fn(&Path) -> io::Result<Bytes>) -> Result<Self, IndexError> {
        if path.is_dir() {
            return Err(IndexError::NotAnIndex {
                path: path.to_path_buf(),
                found: "a folder".to_owned(),
            });
        }
        let bytes = get(path).map_err(|reason| IndexError::Io {
            path: path.to_path_buf(),
            reason,
        })?;
        Index::of(bytes, path.to_path_buf())
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
        let norms: &[NormStep] = sections.small(Section::Norms);
        let norms: Box<[NormStep]> = norms.into();
        checks::check_tables(&sections, &meta, &norms)?;
        Ok(Index {
            facet_sets: checks::facet_sets(&sections, &meta)?,
            skipped_payloads: checks::skipped_payloads(&sections, &meta)?,
            codebook: checks::codebook(&sections, &meta)?,
            sections: Arc::new(sections),
            meta,
            norms,
            link: None,
            by_id: OnceLock::new(),
            #[cfg(feature = "ask")]
            words: OnceLock::new(),
        })
    }

    /// Makes the addresses of occurrences in this way, instead of what the index itself says.
    #[must_use]
    pub fn with_link(mut self, template: LinkTemplate) -> Self {
        self.link = Some(template);
        self
    }

    /// How the addresses of occurrences are made. Without a template the field `url` of an
    /// occurrence is its address, where it is one.
    pub fn link(&self) -> Option<&LinkTemplate> {
        self.link.as_ref().or(self.meta.link.as_ref())
    }

    /// Its description.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Where it is; `(in memory)` where it is no file.
    pub fn path(&self) -> &Path {
        self.sections.path()
    }

    /// What became of its file since it was opened.
    pub fn file_state(&self) -> FileState {
        self.sections.file_state()
    }

    /// An answer that was read from the index, or [`IndexError::Changed`] where its file was
    /// changed in place meanwhile, or [`IndexError::Damaged`] where bytes that were read, for this
    /// answer or for one before, are not those that were written. Everything that a [`Searcher`](crate::search::Searcher)
    /// answers, and what is read of formulas here, goes through this.
    ///
    /// # Errors
    /// The answer's own, and where the file was changed or is damaged.
    pub fn sound<T, E: From<IndexError>>(&self, answer: Result<T, E>) -> Result<T, E> {
        self.sections.sound(answer)
    }

    /// The bytes of its file, as they are: they are not checked.
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
            .map(|section| self.sections.length(*section) as u64)
            .sum()
    }

    /// The sections by name, with their lengths.
    #[doc(hidden)]
    pub fn section_sizes(&self) -> Vec<(String, u64)> {
        let sections = Section::ALL.iter();
        sections
            .map(|section| {
                let bytes = self.sections.length(*section) as u64;
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
        &self.norms
    }

    /// The place of each formula's external id among all.
    #[doc(hidden)]
    pub fn id_ranks(&self) -> Result<&[u32], IndexError> {
        let ranks = self.sections.column(Section::IdRanks).all();
        ranks.ok_or_else(|| self.damaged("the ranks of its ids do not read".to_owned()))
    }

    /// The same for some formulas. It is empty where the index is damaged there: what is made of
    /// it, [`sound`](Self::sound) refuses.
    pub(crate) fn id_ranks_of(&self, formulas: Range<usize>) -> &[u32] {
        let ranks = self.sections.column(Section::IdRanks);
        ranks.get(formulas).unwrap_or_default()
    }

    pub(super) fn damaged(&self, what: String) -> IndexError {
        self.sections.damaged(what)
    }
}
