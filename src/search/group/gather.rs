//! Groups of a ranking: each stands where its best member stands.

use std::collections::HashMap;

use super::super::rerank::Reranked;

/// Others of a group are looked for among at least this many of the first formulas.
pub(in crate::search) const GROUP_DEPTH: usize = 300;
/// How many of the other members of a group are kept.
const MOST_OTHERS: usize = 20;

/// A group of formulas.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::search) struct Grouped {
    pub(in crate::search) best: Reranked,
    /// The next best, at most [`MOST_OTHERS`].
    pub(in crate::search) others: Vec<Reranked>,
    /// How many members there are besides the best.
    pub(in crate::search) others_count: usize,
}

impl Grouped {
    /// A group of one.
    pub(in crate::search) fn alone(best: Reranked) -> Self {
        Grouped {
            best,
            others: Vec::new(),
            others_count: 0,
        }
    }
}

/// The groups so far, in the order of their best members.
#[derive(Debug, Default)]
pub(in crate::search) struct Grouping {
    pub(in crate::search) groups: Vec<Grouped>,
    by_key: HashMap<u128, usize>,
}

impl Grouping {
    /// Adds the next best formula, by itself where it has no key.
    pub(in crate::search) fn add(&mut self, result: Reranked, key: Option<u128>) {
        let next = self.groups.len();
        let at = key.map_or(next, |key| *self.by_key.entry(key).or_insert(next));
        if at == next {
            self.groups.push(Grouped::alone(result));
            return;
        }
        let group = &mut self.groups[at];
        group.others_count += 1;
        if group.others.len() < MOST_OTHERS {
            group.others.push(result);
        }
    }
}
