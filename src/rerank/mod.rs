//! Re-ranking: the best of a search, compared again as wholes.
//!
//! The candidate's variables and digits are renamed to the query's, one to
//! one, so that most regions are shared: x² + y² is a² + b², but not a² + a².
//! Then the symbols and the pairs of neighbours that both have are counted,
//! with multiplicity, less for what was renamed:
//!
//! ```text
//! score = pairs / (|Pq|^¾ |Pc|^¼) + ½ symbols / (|Sq|^¾ |Sc|^¼) + ¼ part²
//! ```
//!
//! where |P| and |S| are how many pairs and symbols query and candidate have,
//! and part is how much of the query stands somewhere in the candidate as it does
//! in itself ([`part`]). A candidate that is larger than the query loses little:
//! the query may be a part of it. EXPERIMENTS.md has what else was tried.

mod assign;
mod form;
mod part;

pub use form::Form;

use rayon::prelude::*;

use crate::index::{Entry, Index, IndexError};
use crate::layout::{Layout, SymbolId};
use crate::phoc::Sort;
use crate::search::{Effort, Found, Hit, Plan, Query};
use form::{Name, Pair};

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

/// What a search found, and how.
#[derive(Debug)]
pub struct Answer {
    /// How it was answered.
    pub plan: Plan,
    /// What that took.
    pub effort: Effort,
    /// The best, best first.
    pub results: Vec<Ranked>,
}

/// The `k` formulas most like a query's, the first `again` of them ranked again.
/// It runs on the threads of the rayon pool that it is called in.
///
/// # Errors
/// When the index is damaged where it is looked at.
pub fn search(
    index: &Index,
    layout: &Layout,
    query: &Query,
    (k, again): (usize, usize),
    threads: usize,
) -> Result<Answer, IndexError> {
    let deep = if k > 0 { k.max(again) } else { 0 };
    let plan = Plan::new(index, query, deep, threads);
    let Found { hits, effort } = plan.run(index, query)?;
    let formulas: Vec<usize> = hits.iter().map(|hit| hit.formula).collect();
    let found = hits.into_iter().zip(index.entries(&formulas)?).collect();
    let mut results = rerank(&Sought::new(layout), index, found, again)?;
    results.truncate(k);
    Ok(Answer {
        plan,
        effort,
        results,
    })
}

/// Ranks the first `n` results again.
///
/// # Errors
/// When the index is damaged where their layouts are.
pub fn rerank(
    query: &Sought,
    index: &Index,
    results: Vec<(Hit, Entry)>,
    n: usize,
) -> Result<Vec<Ranked>, IndexError> {
    let ranked = results
        .into_par_iter()
        .enumerate()
        .map(|(at, (hit, entry))| {
            let likeness = match at < n {
                true => Some(query.likeness(&Form::new(&index.layout(hit.formula)?))),
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

/// A query, ready to be compared with many candidates.
#[derive(Debug)]
pub struct Sought {
    form: Form,
    symbols: Counts<SymbolId>,
    pairs: Counts<Pair>,
}

impl Sought {
    /// A formula that others are compared with.
    pub fn new(layout: &Layout) -> Self {
        let form = Form::new(layout);
        Sought {
            symbols: Counts::new(form.symbols.iter().map(|(name, _)| name.0)),
            pairs: Counts::new(form.pairs.iter().map(|pair| form.pair(*pair))),
            form,
        }
    }

    /// How alike a candidate is, after the best renaming.
    pub fn likeness(&self, candidate: &Form) -> f64 {
        let renaming = renaming(&self.form, candidate);
        let renamed: Vec<Option<(SymbolId, u64)>> = candidate
            .symbols
            .iter()
            .map(|(name, _)| match name.1 {
                Sort::Fixed => Some((name.0, 10)),
                _ => {
                    let place = (candidate.renamable).binary_search_by_key(name, |(name, _)| *name);
                    place.ok().and_then(|place| renaming[place])
                }
            })
            .collect();
        let mut left = self.symbols.left.clone();
        let shared = renamed.iter().flatten();
        let tenths: u64 = shared
            .map(|(name, factor)| factor * self.symbols.take(name, &mut left))
            .sum();
        let mut left = self.pairs.left.clone();
        let mut hundredths = 0;
        for &(first, second, relation) in &candidate.pairs {
            if let (Some(first), Some(second)) = (renamed[first], renamed[second]) {
                let pair = (first.0, relation, second.0);
                hundredths += first.1 * second.1 * self.pairs.take(&pair, &mut left);
            }
        }
        let Form { symbols, pairs, .. } = &self.form;
        let part = part::part(&self.form, candidate);
        0.25 * part * part
            + hundredths as f64 / 100.0 / size(pairs.len(), candidate.pairs.len())
            + 0.5 * tenths as f64 / 10.0 / size(symbols.len(), candidate.symbols.len())
    }
}

/// |q|^¾ |c|^¼, by square roots, which are the same everywhere.
fn size(query: usize, candidate: usize) -> f64 {
    let (query, candidate) = (query.max(1) as f64, candidate.max(1) as f64);
    (query * (query * candidate).sqrt()).sqrt()
}

/// For each of the candidate's variables and digits what it is called in the
/// query, and what it counts, in tenths.
fn renaming(query: &Form, candidate: &Form) -> Vec<Option<(SymbolId, u64)>> {
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
    let mut renaming = vec![None; from.len()];
    for (row, column) in assign::assign(&benefits).into_iter().enumerate() {
        if benefits[row][column] > 0 {
            let (place, query) = match is_turned {
                true => (column, rows[row].0),
                false => (row, columns[column].0),
            };
            renaming[place] = Some((query.0, factor(query, from[place].0)));
        }
    }
    renaming
}

/// How many there are of each.
#[derive(Debug)]
struct Counts<T> {
    /// In order.
    all: Vec<T>,
    left: Vec<u32>,
}

impl<T: Ord + Copy> Counts<T> {
    fn new(all: impl Iterator<Item = T>) -> Self {
        let mut all: Vec<T> = all.collect();
        all.sort_unstable();
        let left = all.chunk_by(|a, b| a == b).map(|same| same.len() as u32);
        let left = left.collect();
        all.dedup();
        Counts { all, left }
    }

    /// Takes one away, if one is left: how many were taken.
    fn take(&self, one: &T, left: &mut [u32]) -> u64 {
        match self.all.binary_search(one) {
            Ok(place) if left[place] > 0 => {
                left[place] -= 1;
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
        let laid_out = |latex: &str| layout::latex(latex).unwrap();
        Sought::new(&laid_out(query)).likeness(&Form::new(&laid_out(candidate)))
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
        assert_eq!(same, 1.75);
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
        assert_eq!(like("+", "+"), 0.75);
        assert_eq!(like("+", "-"), 0.0);
        assert!(like("x", "y") > 0.0);
    }
}
