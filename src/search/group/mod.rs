//! Grouping: formulas that are the same to a reader are one result.
//!
//! Each formula gets a key, a hash of its structure: its symbols in the order in which TeX draws
//! them, each with how it stands to the line that it is on. Spacing, sizes and the style of
//! operators do not enter the key, nor does punctuation around the formula. Formulas of one key
//! are a group; it stands where its best member stands.

mod gather;
mod lines;
mod marks;
mod units;

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

pub(super) use gather::{GROUP_DEPTH, Grouped, Grouping};
pub use marks::key;

/// Which formulas are one result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Group {
    /// Each is a result of its own.
    #[default]
    None,
    /// Those that differ only in punctuation around them, spacing, style or size.
    Writing,
    /// These, and those that are equal after renaming variables one to one.
    Renaming,
}

impl Group {
    /// All of them.
    pub const ALL: [Group; 3] = [Group::None, Group::Writing, Group::Renaming];
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Group::None => "none",
            Group::Writing => "writing",
            Group::Renaming => "renaming",
        })
    }
}

/// A word that is no way of grouping.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no grouping {0:?}: expected none, writing or renaming")]
pub struct GroupError(String);

impl FromStr for Group {
    type Err = GroupError;

    fn from_str(text: &str) -> Result<Self, GroupError> {
        let known = Group::ALL.into_iter();
        let mut named = known.filter(|group| group.to_string() == text);
        named.next().ok_or_else(|| GroupError(text.to_owned()))
    }
}

impl Serialize for Group {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
