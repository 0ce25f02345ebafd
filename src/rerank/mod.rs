//! Re-ranking: the best of a search, compared again as wholes.
//!
//! The candidate's variables and digits are renamed to the query's, one to
//! one, so that most regions are shared: x² + y² is a² + b², but not a² + a².
//! Then the symbols and the pairs of neighbours that both have are counted,
//! with multiplicity, less for what was renamed:
//!
//! ```text
//! score = pairs / (|Pq|^¾ |Pc|^¼) + ½ symbols / (|Sq|^¾ |Sc|^¼)
//! ```
//!
//! where |P| and |S| are how many pairs and symbols query and candidate have.
//! A candidate that is larger than the query loses little: the query may be
//! a part of it. EXPERIMENTS.md has what else was tried.

mod assign;
mod form;

pub use form::Form;

use std::collections::HashMap;
use std::hash::Hash;

use rayon::prelude::*;

use crate::index::{Entry, Index, IndexError};
use crate::layout::SymbolId;
use crate::phoc::Sort;
use crate::search::Hit;
use form::Name;

/// A result, with the score by which it was ranked again, if it was.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// What the search said.
    pub hit: Hit,
    /// What is shown of it.
    pub entry: Entry,
    /// How alike the whole formulas are.
    pub likeness: Option<f64>,
}

/// Ranks the first `n` results again.
///
/// # Errors
/// When the index is damaged where their layouts are.
pub fn rerank(
    query: &Form,
    index: &Index,
    results: Vec<(Hit, Entry)>,
    n: usize,
) -> Result<Vec<Ranked>, IndexError> {
    let ranked = results
        .into_par_iter()
        .enumerate()
        .map(|(at, (hit, entry))| {
            let likeness = match at < n {
                true => Some(likeness(query, &Form::new(&index.layout(hit.formula)?))),
                false => None,
            };
            Ok(Ranked {
                hit,
                entry,
                likeness,
            })
        });
    let mut ranked = ranked.collect::<Result<Vec<Ranked>, IndexError>>()?;
    let first = n.min(ranked.len());
    // A stable sort: equals stay in their order.
    ranked[..first].sort_by(|a, b| {
        let key = |ranked: &Ranked| ranked.likeness.unwrap_or(-1.0);
        key(b).total_cmp(&key(a))
    });
    Ok(ranked)
}

/// What a symbol counts, in tenths, that has the query's name after renaming.
fn factor(query: Name, candidate: Name) -> u64 {
    match (query.1, candidate.1) {
        _ if query.0 == candidate.0 => 10,
        (Sort::Variable, Sort::Variable) => 7,
        (Sort::Number, Sort::Number) => 5,
        _ => 4,
    }
}

/// What a shared region speaks for a renaming.
fn benefit(query: Name, candidate: Name) -> i64 {
    match query.1 == candidate.1 {
        _ if query.0 == candidate.0 => 5,
        true => 4,
        false => 2,
    }
}

/// How alike two formulas are, after the best renaming.
pub fn likeness(query: &Form, candidate: &Form) -> f64 {
    let renaming = renaming(query, candidate);
    let renamed: Vec<Option<(SymbolId, u64)>> = candidate
        .names
        .iter()
        .map(|name| match name.1 {
            Sort::Fixed => Some((name.0, 10)),
            _ => renaming.get(name).copied(),
        })
        .collect();
    let mut symbols = Counts::new(query.names.iter().map(|name| name.0));
    let shared = renamed.iter().flatten();
    let tenths: u64 = shared.map(|(name, f)| f * symbols.take(name)).sum();
    let mut pairs =
        Counts::new(query.pairs.iter().map(|&(first, second, relation)| {
            (query.names[first].0, relation, query.names[second].0)
        }));
    let mut hundredths = 0;
    for &(first, second, relation) in &candidate.pairs {
        if let (Some(first), Some(second)) = (renamed[first], renamed[second]) {
            hundredths += first.1 * second.1 * pairs.take(&(first.0, relation, second.0));
        }
    }
    hundredths as f64 / 100.0 / size(query.pairs.len(), candidate.pairs.len())
        + 0.5 * tenths as f64 / 10.0 / size(query.names.len(), candidate.names.len())
}

/// |q|^¾ |c|^¼, by square roots, which are the same everywhere.
fn size(query: usize, candidate: usize) -> f64 {
    let (query, candidate) = (query.max(1) as f64, candidate.max(1) as f64);
    (query * (query * candidate).sqrt()).sqrt()
}

/// What each of the candidate's variables and digits is called in the query,
/// and what it counts, in tenths.
fn renaming(query: &Form, candidate: &Form) -> HashMap<Name, (SymbolId, u64)> {
    let (from, to) = (&candidate.renamable, &query.renamable);
    // Rows are the fewer.
    let is_turned = from.len() > to.len();
    let (rows, columns) = if is_turned { (to, from) } else { (from, to) };
    let benefits: Vec<Vec<i64>> = rows
        .iter()
        .map(|(row, row_word)| {
            let shared = |(column, word): &(Name, u128)| {
                benefit(*row, *column) * i64::from((row_word & word).count_ones())
            };
            columns.iter().map(shared).collect()
        })
        .collect();
    let mut renaming = HashMap::new();
    for (row, column) in assign::assign(&benefits).into_iter().enumerate() {
        if benefits[row][column] > 0 {
            let (query, candidate) = match is_turned {
                true => (rows[row].0, columns[column].0),
                false => (columns[column].0, rows[row].0),
            };
            renaming.insert(candidate, (query.0, factor(query, candidate)));
        }
    }
    renaming
}

/// How many there are of each.
struct Counts<T>(HashMap<T, u32>);

impl<T: Eq + Hash> Counts<T> {
    fn new(all: impl Iterator<Item = T>) -> Self {
        let mut counts = HashMap::new();
        all.for_each(|one| *counts.entry(one).or_default() += 1);
        Counts(counts)
    }

    /// Takes one away, if one is left: how many were taken.
    fn take(&mut self, one: &T) -> u64 {
        match self.0.get_mut(one) {
            Some(left) if *left > 0 => {
                *left -= 1;
                1
            }
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout;

    fn like(query: &str, candidate: &str) -> f64 {
        let form = |latex: &str| Form::new(&layout::latex(latex).unwrap());
        likeness(&form(query), &form(candidate))
    }

    #[test]
    fn renaming_is_consistent() {
        let query = "x^2+y^2";
        let (same, renamed, merged) = (
            like(query, query),
            like(query, "a^2+b^2"),
            like(query, "a^2+a^2"),
        );
        assert!(
            same > renamed && renamed > merged,
            "{same} {renamed} {merged}"
        );
        assert_eq!(same, 1.5);
        // Letters that stand in each other's places are turned back.
        assert!(like("x+y", "y+x") > like("x+y", "y-x"));
    }

    #[test]
    fn a_part_of_a_larger_formula_is_found() {
        let query = r"\sin^2 x+\cos^2 x";
        let larger = r"\int_0^1 (\sin^2 t+\cos^2 t) dt = 1";
        assert!(like(query, larger) > like(query, r"\int_0^1 (\tan t-t) dt = 1"));
    }

    #[test]
    fn formulas_without_variables_or_pairs() {
        assert_eq!(like("+", "+"), 0.5);
        assert_eq!(like("+", "-"), 0.0);
        assert!(like("x", "y") > 0.0);
    }
}
