//! Synthesis: a list of real formulas grown into a longer one like it.
//!
//! It serves to measure at a scale for which there is no real list. [`grow`] takes a
//! list and makes further formulas of it in three ways: it gives variables and numbers
//! other names, it cuts a formula at an operator, and it joins two formulas with one.
//! Every formula that it writes can be laid out, and no two look the same. The
//! distributions of symbols per formula and of formulas per symbol stay close to
//! those of the original list.
//!
//! A formula is split into spans of LaTeX: names that may be changed, names
//! that may not, operators, and all the rest. The names that a formula gets are those of
//! another formula of the list, a donor.

mod commands;
mod cursor;
mod donors;
mod grow;
mod name;
mod pool;
mod rename;
mod spans;
mod splice;
mod splitter;
mod statistics;

pub use grow::{GrowOptions, Grown, grow};
pub use statistics::{Distribution, Histogram, Statistics};

use std::io;

use crate::corpus::CorpusError;

/// Why a list cannot be grown.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SynthError {
    /// The list cannot be read.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The formulas cannot be written.
    #[error("cannot write the formulas")]
    Write(#[from] io::Error),
    /// The threads that lay formulas out cannot be started.
    #[error("cannot start the threads")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// No record of the list is a formula that can be laid out.
    #[error("none of the {0} records is LaTeX that can be laid out")]
    NoFormulas(u64),
    /// Fewer distinct formulas can be made of the list than were asked for.
    #[error(
        "only {reached} distinct formulas can be made of this list, and {asked} were asked for: ask for at most {reached}, or give a longer list"
    )]
    TooFew {
        /// How many were made.
        reached: u64,
        /// How many were asked for.
        asked: u64,
    },
    /// The caller stopped it.
    #[error("interrupted")]
    Interrupted,
}
