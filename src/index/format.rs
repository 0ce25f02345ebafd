//! The file: a header, a table of sections, the sections.
//!
//! ```text
//! 0   magic "phocus\r\n"       8 bytes
//! 8   version                  u32
//! 12  number of sections       u32
//! 16  length of the file       u64
//! 24  checksum of the header, with this field zero, and of the table   u64
//! 32  the table: kind u32, zero u32, offset u64, length u64, checksum u64
//! ```
//!
//! Numbers are little-endian, checksums XXH3. The table is in the order of
//! kinds; sections begin at multiples of 64, in any order, zeros between them.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::corpus::FormulaId;
use crate::phoc::{Idf, PhocConfig};

/// The version that is written, and the one that is read.
pub const FORMAT_VERSION: u32 = 6;

/// The first bytes. A transfer that rewrites line ends breaks them.
pub(super) const MAGIC: [u8; 8] = *b"phocus\r\n";
/// Length of the header before the table.
pub(super) const HEADER_BYTES: usize = 32;
/// Length of a table row.
pub(super) const ROW_BYTES: usize = 32;
/// Sections begin at multiples of this.
pub(super) const ALIGN: usize = 64;

/// What a section holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub(super) enum Section {
    /// [`Meta`] as JSON.
    Meta = 1,
    /// Where each token's key begins: u32, one more than tokens.
    KeyOffsets = 2,
    /// The keys: kind and UTF-8, in order.
    Keys = 3,
    /// Where each token's postings begin: u64, one more than tokens.
    PostingStarts = 4,
    /// Where each token's runs begin: u32, one more than tokens.
    RunStarts = 5,
    /// For each window in which a token has postings: the window, where its
    /// postings begin among the token's, and the first of its ids or the
    /// number of its presence: u32, u32, u32.
    Runs = 6,
    /// Formulas within their windows, where they are few: u16.
    Ids = 7,
    /// Formulas within their windows, where they are many: a bit each.
    Bits = 8,
    /// How many bits are set before each 64: u16.
    Ranks = 9,
    /// What the formulas hold, for the kinds of token that count places: codes of
    /// words, u32, or words, u64 or u128.
    Payloads = 10,
    /// The patterns that codes stand for, piece by piece: u64.
    Patterns = 11,
    /// Each norm, and the first formula that has it: u32, u32.
    Norms = 12,
    /// The place of each formula's external id among all: u32.
    IdRanks = 13,
    /// Where each block of entries begins: u64, one more than blocks.
    EntryOffsets = 14,
    /// Compressed entries.
    Entries = 15,
    /// Where each block of instances begins: u64, one more than blocks.
    InstanceOffsets = 16,
    /// Compressed instances.
    Instances = 17,
    /// Where each block of layouts begins: u64, one more than blocks.
    LayoutOffsets = 18,
    /// Layouts, where results are ranked again.
    Layouts = 19,
    /// How many formulas hold each token in each region, where IDF is by
    /// region: u32.
    RegionCounts = 20,
    /// The symbols of a size that layouts are made of: what they are, width and
    /// height: u32, four each.
    Glyphs = 21,
}

impl Section {
    /// All, in the order of the table.
    pub(super) const ALL: [Section; 21] = [
        Section::Meta,
        Section::KeyOffsets,
        Section::Keys,
        Section::PostingStarts,
        Section::RunStarts,
        Section::Runs,
        Section::Ids,
        Section::Bits,
        Section::Ranks,
        Section::Payloads,
        Section::Patterns,
        Section::Norms,
        Section::IdRanks,
        Section::EntryOffsets,
        Section::Entries,
        Section::InstanceOffsets,
        Section::Instances,
        Section::LayoutOffsets,
        Section::Layouts,
        Section::RegionCounts,
        Section::Glyphs,
    ];

    /// Whether it is small enough to be checked whenever the file is opened.
    pub(super) fn is_checked_on_opening(self) -> bool {
        !matches!(
            self,
            Section::Runs
                | Section::Ids
                | Section::Bits
                | Section::Ranks
                | Section::Payloads
                | Section::IdRanks
                | Section::EntryOffsets
                | Section::Entries
                | Section::InstanceOffsets
                | Section::Instances
                | Section::LayoutOffsets
                | Section::Layouts
                | Section::RegionCounts
                | Section::Glyphs
        )
    }
}

/// A row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) section: Section,
    pub(super) offset: u64,
    pub(super) length: u64,
    pub(super) checksum: u64,
}

impl Row {
    pub(super) fn to_bytes(self) -> [u8; ROW_BYTES] {
        let mut bytes = [0; ROW_BYTES];
        bytes[0..4].copy_from_slice(&(self.section as u32).to_le_bytes());
        bytes[8..16].copy_from_slice(&self.offset.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.length.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.checksum.to_le_bytes());
        bytes
    }
}

/// The next multiple of [`ALIGN`].
pub(super) fn aligned(offset: u64) -> u64 {
    offset.next_multiple_of(ALIGN as u64)
}

/// What an index is of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Meta {
    /// How formulas became words.
    pub config: PhocConfig,
    /// Distinct formulas.
    pub formulas: u64,
    /// Occurrences of them.
    pub instances: u64,
    /// Distinct tokens.
    pub tokens: u64,
    /// Postings: tokens of formulas.
    pub postings: u64,
    /// Bytes of a posting's payload: 4 for a code, 8 or 16 for a word.
    pub payload_bytes: u64,
    /// How many patterns each piece of a code has; none where words are stored.
    pub patterns: [u64; 3],
    /// Formulas in a window.
    pub window: u64,
    /// What made one formula of several: `visual-id`, `layout` or `none`.
    pub dedup: String,
    /// The version of phocus that wrote it.
    pub phocus: String,
}

impl Meta {
    /// Whether postings have codes for their words.
    pub(super) fn has_codes(&self) -> bool {
        self.patterns != [0; 3]
    }

    /// How many counts of regions a token has: none unless IDF is by region.
    pub(super) fn counted_regions(&self) -> usize {
        match self.config.idf {
            Idf::Region => self.config.regions.bits(),
            Idf::Off | Idf::Token => 0,
        }
    }

    /// Whether layouts are kept: where results are ranked again.
    pub(crate) fn keeps_layouts(&self) -> bool {
        self.config.rerank > 0
    }

    /// A description of no index, until one is read.
    pub(super) fn nothing() -> Self {
        Meta {
            config: PhocConfig::papers(),
            formulas: 0,
            instances: 0,
            tokens: 0,
            postings: 0,
            payload_bytes: 8,
            patterns: [0; 3],
            window: 0,
            dedup: String::new(),
            phocus: String::new(),
        }
    }
}

/// Why an index cannot be built or used.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The file cannot be read or written.
    #[error("{path}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is something else.
    #[error(
        "{path} is not a phocus index: expected it to begin with `phocus`, found {found}; make one with `phocus index INPUT -o FILE.phoc`"
    )]
    NotAnIndex {
        /// The file.
        path: PathBuf,
        /// Its first bytes.
        found: String,
    },
    /// It is of another version.
    #[error(
        "{path} has index format {found}, and this phocus reads {FORMAT_VERSION}; build it again with `phocus index`, or use the phocus that wrote it"
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// It is cut short, or has grown.
    #[error(
        "{path} is {found} bytes long and should be {expected}: it was cut short or is still being copied; copy it again, or build it again with `phocus index`"
    )]
    Length {
        /// The file.
        path: PathBuf,
        /// How long it says it is.
        expected: u64,
        /// How long it is.
        found: u64,
    },
    /// Some of it is not what was written.
    #[error(
        "{path} is damaged: {what}; restore it from a copy, or build it again with `phocus index`"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// A formula has to be laid out and cannot be.
    #[error(
        "{path} keeps no layouts, and formula {id} cannot be laid out from its LaTeX; build it with a configuration that has `rerank`, or search with --rerank 0"
    )]
    NoLayout {
        /// The file.
        path: PathBuf,
        /// The formula.
        id: FormulaId,
        /// Why it cannot.
        source: crate::layout::LayoutError,
    },
    /// The inputs cannot be read.
    #[error(transparent)]
    Corpus(#[from] crate::corpus::CorpusError),
    /// Nothing in the inputs can be indexed.
    #[error("no formula to index: {0}")]
    NoFormulas(String),
    /// Reading ended without a word.
    #[error("the thread that reads the inputs failed; nothing was written")]
    ReaderFailed,
    /// Visual ids were asked for, and there are none.
    #[error("no record has a visual id; leave --dedup out, or use --dedup layout")]
    NoVisualIds,
    /// More formulas or tokens than the format numbers.
    #[error("too many {0}: the index format numbers at most 4,294,967,295 of them")]
    TooMany(&'static str),
    /// It was interrupted.
    #[error("interrupted; nothing was written")]
    Interrupted,
}
