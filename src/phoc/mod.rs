//! PHOC: from boxes to words of bits.
//!
//! A pyramidal histogram of characters cuts the formula's box into regions,
//! level by level, and notes for each token in which of them it stands. A
//! token's regions are one machine word, and formulas are alike as far as
//! their words share bits.

mod class;
mod config;
mod encode;
mod geometry;
mod kinds;
mod neighbours;
mod notation;
mod runs;
mod token;
mod weights;

pub use class::{Sort, class, fold, sort};
pub use config::{ConfigError, PhocConfig, names};
pub(crate) use encode::Words;
pub use encode::{Encoded, WHOLE, encode, own_bits};
pub use geometry::Representation;
pub use kinds::{Kinds, Use};
pub use neighbours::{Relation, neighbours};
pub use notation::{NotationError, Part, Regions};
pub use runs::Together;
pub(crate) use token::counted;
pub use token::{Kind, Token, TokenKey};
pub use weights::{Idf, Own, Weights};

/// The most regions that fit a word.
pub const MAX_BITS: usize = 128;
