//! LaTeX as text: spellings that people use become LaTeX that a TeX engine reads.
//!
//! [`scan`] finds where commands end and which text is within braces; the other modules use it.
//! [`clean`] replaces spellings that are common in collections but are not plain LaTeX,
//! before anything is parsed. [`repair`] mends the errors that a parser reports.
//!
//! Queries alone are read with [`delimiters`], which finds the formula in a text,
//! [`mathml`], which turns MathML into LaTeX, [`unicode`], which does the same with characters,
//! [`suggest`], which knows what a mistyped command may be meant for, and [`partial`], which
//! completes formulas that are still being typed. [`macros`] replaces the macros of documents,
//! and of queries.
//!
//! None of these modules parses or draws: their callers pass functions that do.

pub(crate) mod balance;
pub(crate) mod clean;
pub(crate) mod delimiters;
mod entities;
mod environments;
// Documents alone use all of it.
#[cfg_attr(not(feature = "documents"), allow(dead_code))]
pub(crate) mod macros;
pub(crate) mod mathml;
mod mend;
pub(crate) mod partial;
mod plain_tex;
pub(crate) mod repair;
pub(crate) mod scan;
pub(crate) mod suggest;
pub(crate) mod unicode;

/// The longest LaTeX that is read, in bytes. The longest of 1.6 million real
/// formulas has 3,888; at this length layout still takes well under a second.
pub const MAX_LATEX_BYTES: usize = 16 * 1024;

/// The error of a parser that cannot read some LaTeX.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SyntaxError {
    /// The parser's message.
    pub(crate) message: String,
    /// The place of the error, as a byte offset in the text.
    pub(crate) position: Option<usize>,
}

impl SyntaxError {
    /// The undefined command that this is about, with its backslash.
    fn undefined(&self) -> Option<&str> {
        self.message.strip_prefix("Undefined control sequence: ")
    }

    fn is_undefined(&self) -> bool {
        self.message.starts_with("Undefined control")
    }
}
