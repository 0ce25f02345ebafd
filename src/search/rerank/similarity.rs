//! Which names of two formulas may stand for each other.

use super::features::{Features, SymbolName};
use crate::phoc::Role;

/// How similar two names are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Similarity {
    /// One may not stand for the other.
    None,
    /// Both are variables, or both numbers.
    SameRole,
    /// They are the same glyph.
    Same,
}

/// How similar each name of a query is to each name of a candidate. Names are
/// compared once; after that, a comparison is a look-up.
#[derive(Debug)]
pub(super) struct NameSimilarity {
    /// How many names the candidate has.
    columns: usize,
    similarities: Vec<Similarity>,
}

impl NameSimilarity {
    pub(super) fn new(query: &Features, candidate: &Features) -> Self {
        let similarity = |a: &SymbolName, b: &SymbolName| {
            if a.glyph == b.glyph {
                Similarity::Same
            } else if a.role == b.role && a.role != Role::Fixed {
                Similarity::SameRole
            } else {
                Similarity::None
            }
        };
        let rows = query.names.iter();
        let similarities = rows.flat_map(|a| candidate.names.iter().map(move |b| similarity(a, b)));
        NameSimilarity {
            columns: candidate.names.len(),
            similarities: similarities.collect(),
        }
    }

    /// How similar a name of the query and one of the candidate are.
    #[inline(always)]
    pub(super) fn of(&self, query: usize, candidate: usize) -> Similarity {
        self.similarities[query * self.columns + candidate]
    }

    /// The first name of the query that is the same as one of the candidate.
    pub(super) fn same(&self, candidate: usize) -> Option<usize> {
        let column = self.similarities.iter().skip(candidate);
        column
            .step_by(self.columns)
            .position(|similarity| *similarity == Similarity::Same)
    }
}
