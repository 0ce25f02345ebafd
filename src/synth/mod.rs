//! Synthesis: a list of real formulas grown into a longer one like it.
//!
//! For measuring at a scale for which there is no real list. [`grow`] takes a
//! list and makes further formulas of it by giving variables and numbers
//! other names, by cutting formulas at an operator and by joining two at one.
//! Each lays out, no two look the same, and how many symbols a formula has
//! and how many formulas a symbol stays about as it was.

mod commands;
mod cursor;
mod donors;
mod grow;
mod name;
mod rename;
mod scanner;
mod splice;
mod statistics;
mod stock;
mod tokens;

pub use grow::{Grown, Options, grow};
pub use statistics::{Distribution, Histogram, Statistics};

use std::io;

use crate::corpus::CorpusError;

/// Why a list cannot be grown.
#[derive(Debug, thiserror::Error)]
pub enum SynthError {
    /// The list cannot be read.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The formulas cannot be written.
    #[error("cannot write the formulas")]
    Write(#[from] io::Error),
    /// Nothing in the list lays out.
    #[error(
        "none of the {0} records is LaTeX that lays out; see why with `phocus index --rejects`"
    )]
    NoFormulas(u64),
    /// The list has not so many formulas in it.
    #[error(
        "{reached} distinct formulas are all that came of this list, and {asked} were asked for; nothing was written. Ask for fewer with --formulas {reached}, or give a longer list"
    )]
    TooFew {
        /// How many there were.
        reached: u64,
        /// How many there should have been.
        asked: u64,
    },
    /// It was interrupted.
    #[error("interrupted; nothing was written")]
    Interrupted,
}
