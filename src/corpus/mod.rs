//! Corpus: from files to records, one formula each.
//!
//! Any mix of documents, ARQMath TSVs, other tables with a header, JSON, plain text and SVG,
//! compressed or not. Files of other kinds are refused, or counted where a folder has them. A line
//! that is not a record is reported with its file and number, and reading goes on.

#[cfg(feature = "documents")]
pub mod documents;
mod fields;
mod foreign;
mod format;
mod ids;
mod input;
mod json_array;
mod jsonl;
mod lines;
mod link;
mod place;
mod prose;
mod record;
mod source;
#[cfg_attr(not(feature = "ask"), allow(dead_code))]
mod text;
mod topics;
mod tsv;

pub use foreign::Foreign;
pub use format::{DocumentFormat, Format, FormatError};
pub use ids::{FormulaId, IdError, PostId, VisualId};
pub use input::{Inputs, Skipped};
pub use link::{LinkError, LinkTemplate};
pub use place::DocumentPlace;
#[cfg(feature = "cli")]
pub(crate) use place::is_of_place;
#[cfg(feature = "ask")]
pub(crate) use prose::{is_formula, is_latex};
pub use record::{Content, Instance, MAX_SVG_BYTES, Malformed, Place, ReadResult, Record};
pub use source::{InputOptions, Selection};
pub(crate) use text::TextPlace;
pub use text::{Text, TextPart};
#[cfg(feature = "ask")]
pub(crate) use topics::check_numbers;
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
    #[error(
        "{path} holds no list of formulas and no document that is read{found}; what is hidden or named by a .gitignore is left out (--hidden, --no-ignore)"
    )]
    EmptyFolder {
        /// The folder.
        path: PathBuf,
        /// What it holds, in brackets, or nothing.
        found: String,
    },
    /// A file is of a kind that is not read.
    #[error("{path} is no document and no list of formulas that phocus reads: {what}")]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it seems to be.
        what: Foreign,
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
