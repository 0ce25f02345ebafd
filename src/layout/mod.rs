//! Layout: from LaTeX or SVG to symbols with boxes, in em.
//!
//! [`latex()`] cleans a formula, has RaTeX lay it out, and repairs errors that RaTeX
//! reports; [`read_query()`] reads what people type and paste, finished or not. [`svg`]
//! reads a formula that another program has drawn. Either way, a drawing is first a list
//! of marks (glyphs, rules, contours), and the same rules join marks into symbols, so
//! that a formula has the same symbols whichever way it comes.

mod display;
mod engine;
mod identity;
mod ink;
mod marks;
mod reading;
mod rect;
mod stretchy;
#[cfg_attr(not(feature = "svg"), path = "no_svg.rs")]
pub mod svg;
mod symbol;

pub use crate::latex::MAX_LATEX_BYTES;
pub use crate::latex::macros::Macros;
pub use display::{LatexLayout, latex, mathml, read_latex};
#[cfg(feature = "picture")]
pub(crate) use display::{drawn, piece_svg};
pub(crate) use engine::is_command;
#[cfg(feature = "picture")]
pub(crate) use engine::{Piece, Placement};
pub(crate) use ink::natural;
pub use reading::{ReadQuery, is_mathml, read_query, read_query_with, readings_with};
pub use rect::Rect;
pub use symbol::{Layout, Symbol, SymbolId};

/// Why a formula has no layout.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LayoutError {
    /// The formula is longer than anything that is meant to be drawn.
    #[error("too long: {found} bytes where at most {limit} are read")]
    TooLong {
        /// Its length in bytes.
        found: usize,
        /// The longest that is read, in bytes.
        limit: usize,
    },
    /// A character that no formula holds.
    #[error("control character U+{code:04X} at byte {position}")]
    Control {
        /// The character.
        code: u32,
        /// Its place.
        position: usize,
    },
    /// The parser gave up, after every repair.
    #[error("cannot parse: {message}{}", place(.position.as_ref(), .text))]
    Parse {
        /// The parser's message.
        message: String,
        /// Where, as a byte of `text`.
        position: Option<usize>,
        /// The formula as the parser saw it, after cleaning.
        text: String,
    },
    /// A query is a command that is not known.
    #[error("unknown command {command}: did you mean {meant}?")]
    UnknownCommand {
        /// The command.
        command: String,
        /// The known command that it may be meant for.
        meant: String,
    },
    /// The formula parses but is too much to draw.
    #[error("too large to draw: {0}")]
    TooLarge(String),
    /// Nothing visible is drawn.
    #[error("nothing to draw")]
    Empty,
    /// A coordinate is not a finite number.
    #[error("a coordinate is not a finite number")]
    NotFinite,
    /// The MathML is not well-formed, too large, or content MathML.
    #[error("cannot read MathML: {0}")]
    MathMl(String),
    /// The SVG is not well-formed, or too large.
    #[error("cannot read SVG: {0}")]
    Svg(String),
}

impl LayoutError {
    /// The reason in a word or two, the same for all formulas that fail alike.
    pub fn reason(&self) -> &'static str {
        match self {
            LayoutError::TooLong { .. } => "too long",
            LayoutError::Control { .. } => "control character",
            LayoutError::Parse { message, .. } if message.contains("Undefined control") => {
                "undefined command"
            }
            LayoutError::UnknownCommand { .. } => "undefined command",
            LayoutError::Parse { .. } => "syntax",
            LayoutError::TooLarge(_) => "too large",
            LayoutError::Empty => "nothing to draw",
            LayoutError::NotFinite => "not finite",
            LayoutError::MathMl(_) => "bad MathML",
            LayoutError::Svg(_) => "bad SVG",
        }
    }
}

/// " at byte 7, before `...`" for a parse error that knows its place.
fn place(position: Option<&usize>, text: &str) -> String {
    let Some(&at) = position else {
        return String::new();
    };
    let rest: String = text
        .get(at..)
        .unwrap_or_default()
        .chars()
        .take(24)
        .collect();
    if rest.is_empty() {
        format!(", at the end of `{text}`")
    } else {
        format!(", at byte {at}, before `{rest}`")
    }
}
