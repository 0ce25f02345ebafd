//! PHOC: from boxes to words of bits.
//!
//! A pyramidal histogram of characters cuts the formula's box into regions,
//! level by level, and notes for each token in which of them it stands. A
//! token's regions are one machine word, and formulas are alike as far as
//! their words share bits.

mod ask;
mod config;
mod encode;
mod geometry;
mod grouping;
mod kinds;
mod neighbours;
mod regions;
mod roles;
mod token;
mod weights;

pub use ask::{AskSettings, Combine};
pub use config::{ConfigError, PhocConfig, names};
pub(crate) use encode::RegionEncoder;
pub use encode::{Encoded, WHOLE, encode, encode_with_boxes, formula_mass};
pub use geometry::Anchor;
pub use grouping::GroupingMode;
pub use kinds::{KindSettings, TokenKinds};
pub use neighbours::{Relation, neighbours};
pub use regions::{NotationError, Region, RegionFamily, Regions};
pub use roles::{Role, class, fold, role_of};
pub use token::{Token, TokenKey, TokenKind};
pub(crate) use token::{significant_symbols, symbol_key};
pub use weights::{FormulaMass, Idf, Weights};

/// The largest number of regions: the bits of a word.
pub const MAX_BITS: usize = 128;
