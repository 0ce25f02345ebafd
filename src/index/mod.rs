//! The index: one file, mapped into memory, by columns.
//!
//! [`build`] writes it with bounded memory, [`Index::open`] maps it and
//! [`Index::verify`] checks every byte. ARCHITECTURE.md has the format.

mod arrange;
mod build;
mod codebook;
mod entries;
mod format;
mod gather;
mod glyphs;
mod invert;
mod mapping;
mod posting;
mod reader;
mod spill;
mod store;
mod table;
mod tokens;
mod verify;
mod writer;

pub use build::{BuildOptions, Dedup, DedupError, Progress, Reject, Stage, Summary, build};
pub(crate) use codebook::{CODE_FIELDS, Codebook, ROOM, SHIFTS};
pub use format::{FORMAT_VERSION, IndexError, Meta};
pub(crate) use glyphs::STEPS;
pub(crate) use posting::{
    BitmapBuffer, DocSet, GROUP, GROUPS, MAX_LIST_LEN, Payload, Postings, RankedBitmap,
    WindowPostings, ones,
};
pub use reader::Index;
pub use store::Entry;
pub use verify::Verified;

use format::{HEADER_BYTES, ROW_BYTES, Section};

/// Formulas in a window: its ids fit a u16 and its accumulators a near cache.
pub const WINDOW: usize = 1 << 15;

/// Where the table of sections ends.
const HEADER_END: usize = HEADER_BYTES + Section::ALL.len() * ROW_BYTES;
