//! Corpus: from files to records, one formula each.
//!
//! Any mix of ARQMath TSVs, other TSVs with a header, JSON Lines, plain text
//! and SVG, compressed or not. A line that is not a record is reported with
//! its file and number, and reading goes on.

mod fields;
mod format;
mod ids;
mod input;
mod jsonl;
mod lines;
mod record;
mod source;
mod topics;
mod tsv;

pub use format::{Format, FormatError};
pub use ids::{FormulaId, IdError, PostId, VisualId};
pub use input::Inputs;
pub use record::{Content, Instance, MAX_SVG_BYTES, Malformed, Place, ReadResult, Record};
pub use topics::{Topic, TopicError, parse_topics, read_topics};
#[cfg(any(feature = "cli", feature = "synth"))]
pub(crate) use tsv::quoted;

use std::path::PathBuf;

/// Why an input cannot be read at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CorpusError {
    /// A file or folder cannot be opened or read.
    #[error("cannot read {path}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A folder holds nothing that is read.
    #[error("{path} holds no .tsv, .jsonl, .txt or .svg file, nor a compressed one")]
    EmptyFolder {
        /// The folder.
        path: PathBuf,
    },
    /// A table lacks the columns that make it one of formulas.
    #[error(
        "{path}: expected a header with a column `latex` or `formula` and one of `id`, `formula_id` or `visual_id`, found: {found}"
    )]
    Header {
        /// The file.
        path: PathBuf,
        /// The first line.
        found: String,
    },
}
