//! Which names of two formulas may stand for each other.

use super::form::{Form, Name};
use crate::phoc::Role;

/// How alike two names are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Like {
    /// One may not stand for the other.
    Not,
    /// Both are variables, or both numbers.
    Role,
    /// They are the same.
    Same,
}

/// How alike the names of a query and of a candidate are. Names are compared
/// once, and numbers after that.
#[derive(Debug)]
pub(super) struct Alike {
    /// The candidate's names.
    columns: usize,
    likes: Vec<Like>,
}

impl Alike {
    pub(super) fn new(query: &Form, candidate: &Form) -> Self {
        let like = |a: &Name, b: &Name| match a.1 == b.1 && a.1 != Role::Fixed {
            _ if a.0 == b.0 => Like::Same,
            true => Like::Role,
            false => Like::Not,
        };
        let rows = query.names.iter();
        let likes = rows.flat_map(|a| candidate.names.iter().map(move |b| like(a, b)));
        Alike {
            columns: candidate.names.len(),
            likes: likes.collect(),
        }
    }

    /// How alike a name of the query and one of the candidate are.
    #[inline(always)]
    pub(super) fn of(&self, query: usize, candidate: usize) -> Like {
        self.likes[query * self.columns + candidate]
    }

    /// The first name of the query that a name of the candidate is.
    pub(super) fn same(&self, candidate: usize) -> Option<usize> {
        let column = self.likes.iter().skip(candidate).step_by(self.columns);
        column.into_iter().position(|like| *like == Like::Same)
    }
}
