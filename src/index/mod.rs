//! The index: one file, mapped into memory, by columns.
//!
//! [`IndexBuilder`] writes it with bounded memory, [`Index::open`] maps it and
//! [`Index::verify`] checks every byte. The code is in three rooms: `format` says what the bytes
//! of a file mean, `build` writes them and `read` reads them; neither of the last two uses the
//! other. `docs/index-format.md` describes the format.

mod build;
mod codebook;
mod docset;
mod format;
mod payload;
mod read;
#[cfg(feature = "ask")]
pub(crate) mod words;

pub use crate::progress::{Progress, Stage};
pub use build::{Dedup, DedupError, IndexBuilder, MostlyRejected, Reject, Summary};
pub(crate) use codebook::{CODE_FIELDS, Codebook, ROOM, SHIFTS};
pub(crate) use docset::{BitmapBuffer, DocSet, GROUP, GROUPS, MAX_LIST_LEN, RankedBitmap, ones};
#[cfg(feature = "cli")]
pub(crate) use format::MAGIC;
#[cfg(feature = "ask")]
pub(crate) use format::TextRow;
pub use format::{Entry, FORMAT_VERSION, FacetValue, Facets, IndexError, Meta, StoredText};
pub(crate) use format::{NormStep, STEPS};
pub use format::{TextMeta, WordFile};
#[doc(hidden)]
pub use format::{reseal, section_ranges};
pub(crate) use payload::{Payload, with_payload};
#[cfg(feature = "serve")]
pub(crate) use read::Stamp;
pub use read::{FileState, Index, Verified, survive_cut_files};
pub(crate) use read::{Postings, StoredFacets, WindowPostings};

/// Formulas in a window: its ids fit a u16 and its accumulators a near cache.
pub(crate) const WINDOW: usize = 1 << 15;
