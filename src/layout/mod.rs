//! Layout: from LaTeX or SVG to symbols with boxes.
//!
//! [`latex`] lays a formula out with RaTeX, after [`clean`] has turned what
//! people write into what it reads and with [`repair`] where it still
//! complains. [`svg`] takes a formula that something else has drawn. Both end
//! as [`Mark`](marks::Mark)s, which [`marks::assemble`] joins into symbols, so that a
//! formula has the same symbols whichever way it came.

mod balance;
mod clean;
mod entities;
mod environment;
mod identity;
mod ink;
mod marks;
mod ratex;
mod rect;
mod repair;
mod stretchy;
#[cfg_attr(not(feature = "svg"), path = "no_svg.rs")]
pub mod svg;
mod symbol;

pub use ratex::latex;
#[cfg(feature = "picture")]
pub(crate) use ratex::{drawn, is_outlined};
pub use rect::Rect;
pub use symbol::{Layout, Symbol, SymbolId};

/// The longest LaTeX that is read, in bytes. The longest of 1.6 million real
/// formulas has 3,888; at this length layout still takes well under a second.
pub const MAX_LATEX_BYTES: usize = 16 * 1024;

/// Why a formula has no layout.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LayoutError {
    /// The formula is longer than anything that is meant to be drawn.
    #[error("too long: {found} bytes where at most {limit} are read")]
    TooLong {
        /// Its length in bytes.
        found: usize,
        /// The most that is read.
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
        /// What the parser said.
        message: String,
        /// Where, as a byte of `text`.
        position: Option<usize>,
        /// The formula as the parser saw it, after cleaning.
        text: String,
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
    /// The SVG is not well-formed, or is more than is read.
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
            LayoutError::Parse { .. } => "syntax",
            LayoutError::TooLarge(_) => "too large",
            LayoutError::Empty => "nothing to draw",
            LayoutError::NotFinite => "not finite",
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
    match rest.is_empty() {
        true => format!(", at the end of `{text}`"),
        false => format!(", at byte {at}, before `{rest}`"),
    }
}
