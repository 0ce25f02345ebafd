//! PHOC: from boxes to words of bits.
//!
//! A pyramidal histogram of characters cuts the formula's box into regions,
//! level by level, and notes for each token in which of them it stands. A
//! token's regions are one machine word, and formulas are alike as far as
//! their words share bits.

mod config;
mod encode;
mod geometry;
mod notation;
mod token;

pub use config::{ConfigError, PhocConfig, names};
pub use encode::{Encoded, encode};
pub use geometry::Representation;
pub use notation::{NotationError, Part, Regions};
pub use token::{Kind, Token, TokenKey};

/// The most regions that fit a word.
pub const MAX_BITS: usize = 128;
