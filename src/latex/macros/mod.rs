//! Macros: what a paper's own commands stand for.
//!
//! Papers write `\R` and `\inner{x}{y}`, and say in a preamble what these mean. [`Macros`] holds
//! such definitions, `definition` reads them, and [`Expander`] gives the tokens of a text with
//! the macros replaced, as TeX does it: from left to right, arguments before anything within
//! them, definitions as they come. A definition holds to the end of
//! its group. What TeX's registers, fonts and boxes would decide is not followed.
//!
//! The work is bounded, so that a macro that calls itself without end costs a fraction of a
//! second and is named.

mod arguments;
mod branches;
mod definition;
mod expand;
mod stored;
mod token;

use std::collections::HashMap;
use std::sync::Arc;

use definition::Meaning;
#[cfg(feature = "documents")]
pub(crate) use expand::{Expander, Mode};
pub(crate) use stored::{Definitions, recalled};
#[cfg(feature = "documents")]
pub(crate) use token::{Kind, Token, push_source, source};

/// The commands and environments that a text has defined so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Macros {
    commands: HashMap<Arc<str>, Meaning>,
    /// What `\begin` and `\end` of an environment stand for.
    environments: HashMap<Arc<str>, (Meaning, Meaning)>,
    /// The switches of `\newif`, without their `if`.
    switches: HashMap<Arc<str>, bool>,
}

#[cfg(test)]
mod tests;
