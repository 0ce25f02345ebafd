//! A comparison taken apart: which symbols and pairs were counted for which.

use super::features::Features;
use super::likeness::{Likeness, RerankQuery};
use crate::phoc::Relation;

/// What a query and a candidate have in common.
#[derive(Debug)]
pub(crate) struct Compared {
    pub(crate) likeness: Likeness,
    /// For each symbol of the candidate the symbol of the query that it was counted for.
    pub(crate) matched: Vec<Option<usize>>,
    /// How many pairs of neighbours of the query were found, and how many it has.
    pub(crate) pairs: (usize, usize),
}

impl RerankQuery {
    /// The features of the query.
    pub(crate) fn features(&self) -> &Features {
        &self.features
    }

    /// The likeness of a formula that is equal to the query.
    pub(crate) fn highest(&self) -> f64 {
        self.likeness(&self.features).sum()
    }

    /// Compares a candidate as [`likeness`](Self::likeness) does, and says what was counted.
    pub(crate) fn compare(&self, candidate: &Features) -> Compared {
        let renamed = self.renaming(candidate);
        let name_of = |at: usize| self.canonical_name[self.features.symbols[at].name];
        let mut is_taken = vec![false; self.features.symbols.len()];
        let mut take = |name: usize| {
            let at = (0..is_taken.len()).find(|at| !is_taken[*at] && name_of(*at) == name)?;
            is_taken[at] = true;
            Some(at)
        };
        let symbols = candidate.symbols.iter();
        let matched = symbols.map(|symbol| take(renamed[symbol.name]?)).collect();
        let mut left: Vec<(usize, Relation, usize)> = (self.features.pairs.iter())
            .map(|(first, second, relation)| (name_of(*first), *relation, name_of(*second)))
            .collect();
        let all = left.len();
        for &(first, second, relation) in &candidate.pairs {
            let name = |at: usize| renamed[candidate.symbols[at].name];
            if let (Some(first), Some(second)) = (name(first), name(second)) {
                let place = left
                    .iter()
                    .position(|pair| *pair == (first, relation, second));
                place.map(|place| left.swap_remove(place));
            }
        }
        Compared {
            likeness: self.likeness(candidate),
            matched,
            pairs: (all - left.len(), all),
        }
    }
}
