//! LaTeX as text: what people write, made into what a TeX engine reads.
//!
//! [`scan`] tells where commands end and what braces hold; all others use it.
//! [`clean`] replaces what is common in collections but no plain LaTeX, before
//! anything is parsed. [`repair`] mends what a parser complains of, and
//! [`partial`] completes what is still being typed. None of them parses or draws:
//! they are given functions that do.

pub(crate) mod balance;
pub(crate) mod clean;
mod entities;
mod environments;
mod mend;
pub(crate) mod partial;
mod plain_tex;
pub(crate) mod repair;
pub(crate) mod scan;

/// The longest LaTeX that is read, in bytes. The longest of 1.6 million real
/// formulas has 3,888; at this length layout still takes well under a second.
pub const MAX_LATEX_BYTES: usize = 16 * 1024;

/// What a parser says of LaTeX that it cannot read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SyntaxError {
    /// What is wrong.
    pub(crate) message: String,
    /// Where, as a byte of the text.
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
