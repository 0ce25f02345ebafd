//! Why an index cannot be built or used.

use std::path::PathBuf;

use super::header::FORMAT_VERSION;
use crate::corpus::FormulaId;

/// Why an index cannot be built or used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// A file cannot be read or written.
    #[error("{path}: {reason}")]
    Io {
        /// The file, or the folder of temporary files.
        path: PathBuf,
        /// Why.
        reason: std::io::Error,
    },
    /// The file is not an index.
    #[error("{path} is not a phocus index: expected it to begin with `phocus`, found {found}")]
    NotAnIndex {
        /// The file.
        path: PathBuf,
        /// Its first bytes.
        found: String,
    },
    /// The index has no texts.
    #[error(
        "{path} has no texts to answer questions with: index documents or posts, without --no-texts"
    )]
    NoTexts {
        /// The file.
        path: PathBuf,
    },
    /// The file has another format version.
    #[error(
        "{path} has index format {found}, and this phocus reads {FORMAT_VERSION}; build it again, or use the phocus that wrote it"
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// The file's length differs from the length in its header.
    #[error(
        "{path} is {found} bytes long and should be {expected}: it was cut short or is still being copied; copy it again, or build it again"
    )]
    Length {
        /// The file.
        path: PathBuf,
        /// How long it says it is.
        expected: u64,
        /// How long it is.
        found: u64,
    },
    /// A part of the file differs from what was written.
    #[error("{path} is damaged: {what}; restore it from a copy, or build it again")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The damaged part.
        what: String,
    },
    /// The file changed in place while it was open.
    #[error(
        "{path} was written to or cut while it was read, so there is no answer; try again once it is whole (phocus itself replaces an index as a whole, which disturbs no reader)"
    )]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// A formula has to be laid out and cannot be.
    #[error(
        "{path} keeps no layouts, and formula {id} cannot be laid out from its LaTeX; build it with a configuration that has `rerank`, or search without re-ranking"
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
    /// The reading thread ended without an error.
    #[error("the thread that reads the inputs failed; nothing was written")]
    ReaderFailed,
    /// The threads that lay formulas out cannot be started.
    #[error("cannot start the threads that lay formulas out: {0}")]
    Threads(String),
    /// Visual ids were asked for, and there are none.
    #[error("no record has a visual id; merge duplicates by their layout, or automatically")]
    NoVisualIds,
    /// An earlier error of the same builder lost records.
    #[error("records were lost when adding them failed; nothing was written")]
    Incomplete,
    /// More formulas or tokens than the format numbers.
    #[error("too many {0}: the index format numbers at most 4,294,967,295 of them")]
    TooMany(&'static str),
    /// It was interrupted.
    #[error("interrupted; nothing was written")]
    Interrupted,
}
