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

mod alike;
mod assign;
mod form;
mod part;

pub use form::Form;

use rayon::prelude::*;

use crate::index::{Entry, Index, IndexError};
use crate::layout::Layout;
use crate::phoc::{Relation, Role};
use crate::search::{Effort, Found, Hit, Plan, Query};
use alike::{Alike, Like};
use form::Name;

/// A result, with the score by which it was ranked again, if it was.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked<T = Entry> {
    /// What the search said.
    pub hit: Hit,
    /// What is shown of it.
    pub entry: T,
    /// How alike the whole formulas are.
    pub likeness: Option<f64>,
}

/// What a search found, and how.
#[derive(Debug)]
pub struct Answer<T = Entry> {
    /// How it was answered.
    pub plan: Plan,
    /// What that took.
    pub effort: Effort,
    /// The best, best first.
    pub results: Vec<Ranked<T>>,
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
    wanted: (usize, usize),
    threads: usize,
) -> Result<Answer, IndexError> {
    let found = search_bare(index, layout, query, wanted, threads)?;
    let ranked = found.results;
    let formulas: Vec<usize> = ranked.iter().map(|ranked| ranked.hit.formula).collect();
    let shown = ranked.into_iter().zip(index.entries(&formulas)?);
    let results = shown.map(|(Ranked { hit, likeness, .. }, entry)| Ranked {
        hit,
        entry,
        likeness,
    });
    Ok(Answer {
        plan: found.plan,
        effort: found.effort,
        results: results.collect(),
    })
}

/// The same without what is shown of formulas.
///
/// # Errors
/// When the index is damaged where it is looked at.
pub fn search_bare(
    index: &Index,
    layout: &Layout,
    query: &Query,
    (k, again): (usize, usize),
    threads: usize,
) -> Result<Answer<()>, IndexError> {
    let plan = Plan::new(index, query, deep(k, again), threads);
    let Found { hits, effort } = plan.run(index, query)?;
    let hits = hits.into_iter().map(|hit| (hit, ())).collect();
    let mut results = rerank(layout, index, hits, again)?;
    results.truncate(k);
    Ok(Answer {
        plan,
        effort,
        results,
    })
}

/// The same for a run: each visual id once, before the cut at `k`.
///
/// # Errors
/// When the index is damaged where it is looked at.
pub fn search_distinct(
    index: &Index,
    layout: &Layout,
    query: &Query,
    (k, again): (usize, usize),
    threads: usize,
) -> Result<Vec<Ranked>, IndexError> {
    let found = crate::search::search_distinct(index, query, deep(k, again), threads)?;
    let mut ranked = rerank(layout, index, found, again)?;
    ranked.truncate(k);
    Ok(ranked)
}

/// How many results are looked for, where `k` are wanted.
fn deep(k: usize, again: usize) -> usize {
    if k > 0 { k.max(again) } else { 0 }
}

/// Ranks the first `n` results again, each with whatever goes with it.
fn rerank<T: Send>(
    query: &Layout,
    index: &Index,
    results: Vec<(Hit, T)>,
    n: usize,
) -> Result<Vec<Ranked<T>>, IndexError> {
    // Nothing is made where nothing is ranked again.
    let sought = (n > 0).then(|| Sought::new(query));
    let ranked = results
        .into_par_iter()
        .enumerate()
        .map(|(at, (hit, entry))| {
            let likeness = match &sought {
                Some(sought) if at < n => {
                    let form = Form::new(&index.layout(hit.formula)?);
                    Some(sought.likeness(&form).sum())
                }
                _ => None,
            };
            Ok(Ranked {
                hit,
                entry,
                likeness,
            })
        });
    let mut ranked = ranked.collect::<Result<Vec<Ranked<T>>, IndexError>>()?;
    let first = n.min(ranked.len());
    // A stable sort: equals stay in their order.
    ranked[..first].sort_by(|a, b| {
        let key = |ranked: &Ranked<T>| ranked.likeness.unwrap_or(-1.0);
        key(b).total_cmp(&key(a))
    });
    Ok(ranked)
}

/// How alike two formulas are as wholes, by what that comes from.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Likeness {
    /// Neighbours that both have: 1 for all of them.
    pub pairs: f64,
    /// Symbols that both have: ½ for all of them.
    pub symbols: f64,
    /// The query as a part of the other, moved and scaled: ¼ for all of it.
    pub part: f64,
}

impl Likeness {
    /// All of it.
    pub fn sum(&self) -> f64 {
        self.part + self.pairs + self.symbols
    }
}

/// What a symbol counts, in tenths, that has the query's name after renaming.
fn factor(query: Role, candidate: Role, like: Like) -> u64 {
    match (query, candidate) {
        _ if like == Like::Same => 10,
        (Role::Variable, Role::Variable) => 7,
        (Role::Number, Role::Number) => 5,
        _ => 4,
    }
}

/// What a shared region speaks for a renaming.
fn benefit(like: Like) -> i64 {
    match like {
        Like::Same => 5,
        Like::Role => 4,
        Like::Not => 2,
    }
}

/// A query, ready to be compared with many candidates.
#[derive(Debug)]
pub struct Sought {
    form: Form,
    /// The first of the names that are called as each is.
    called: Vec<usize>,
    /// How many symbols are called as each name is, at the first that is.
    symbols: Vec<u32>,
    pairs: Counts,
}

impl Sought {
    /// A formula that others are compared with.
    pub fn new(layout: &Layout) -> Self {
        let form = Form::new(layout);
        let first = |name: &Name| form.names.partition_point(|other| other.0 < name.0);
        let called: Vec<usize> = form.names.iter().map(first).collect();
        let mut symbols = vec![0; form.names.len()];
        for (name, _) in &form.symbols {
            symbols[called[*name]] += 1;
        }
        let called_of = |at: usize| called[form.symbols[at].0];
        let pairs = form.pairs.iter();
        let pairs = pairs
            .map(|(first, second, relation)| (called_of(*first), *relation, called_of(*second)));
        Sought {
            symbols,
            pairs: Counts::new(pairs),
            called,
            form,
        }
    }

    /// How alike a candidate is, after the best renaming.
    pub fn likeness(&self, candidate: &Form) -> Likeness {
        let alike = Alike::new(&self.form, candidate);
        let renamed = self.renamed(candidate, &alike);
        let mut left = self.symbols.clone();
        let mut tenths = 0;
        for (name, _) in &candidate.symbols {
            if let Some((called, factor)) = renamed[*name]
                && left[called] > 0
            {
                left[called] -= 1;
                tenths += factor;
            }
        }
        let mut left = self.pairs.left.clone();
        let mut hundredths = 0;
        for &(first, second, relation) in &candidate.pairs {
            let name = |at: usize| renamed[candidate.symbols[at].0];
            if let (Some(first), Some(second)) = (name(first), name(second)) {
                let pair = (first.0, relation, second.0);
                hundredths += first.1 * second.1 * self.pairs.take(&pair, &mut left);
            }
        }
        let Form { symbols, pairs, .. } = &self.form;
        let part = part::part(&self.form, candidate, &alike);
        Likeness {
            pairs: hundredths as f64 / 100.0 / size(pairs.len(), candidate.pairs.len()),
            symbols: 0.5 * tenths as f64 / 10.0 / size(symbols.len(), candidate.symbols.len()),
            part: 0.25 * part * part,
        }
    }

    /// For each of the candidate's names what it is called in the query after
    /// the best renaming of variables and digits, if it is called anything there,
    /// and what a symbol of it counts, in tenths.
    fn renamed(&self, candidate: &Form, alike: &Alike) -> Vec<Option<(usize, u64)>> {
        let names = candidate.names.iter().enumerate();
        let fixed = names.map(|(name, (_, sort))| match sort {
            Role::Fixed => Some((alike.same(name)?, 10)),
            Role::Variable | Role::Number => None,
        });
        let mut renamed: Vec<Option<(usize, u64)>> = fixed.collect();
        let (from, to): (Vec<usize>, Vec<usize>) = (
            candidate.renamable().collect(),
            self.form.renamable().collect(),
        );
        // Rows are the fewer.
        let is_turned = from.len() > to.len();
        let (rows, columns) = if is_turned {
            (&to, &from)
        } else {
            (&from, &to)
        };
        let turned = |row: usize, column: usize| {
            if is_turned {
                (row, column)
            } else {
                (column, row)
            }
        };
        let benefits: Vec<Vec<i64>> = rows
            .iter()
            .map(|row| {
                let shared = |column: &usize| {
                    let (query, name) = turned(*row, *column);
                    let shared = self.form.words[query] & candidate.words[name];
                    benefit(alike.of(query, name)) * i64::from(shared.count_ones())
                };
                columns.iter().map(shared).collect()
            })
            .collect();
        for (row, column) in assign::assign(&benefits).into_iter().enumerate() {
            if benefits[row][column] > 0 {
                let (query, name) = turned(rows[row], columns[column]);
                let (sort, other) = (self.form.names[query].1, candidate.names[name].1);
                let factor = factor(sort, other, alike.of(query, name));
                renamed[name] = Some((self.called[query], factor));
            }
        }
        renamed
    }
}

/// |q|^¾ |c|^¼, by square roots, which are the same everywhere.
fn size(query: usize, candidate: usize) -> f64 {
    let (query, candidate) = (query.max(1) as f64, candidate.max(1) as f64);
    (query * (query * candidate).sqrt()).sqrt()
}

/// Two names, and how the second stands to the first.
type Pair = (usize, Relation, usize);

/// How many there are of each pair.
#[derive(Debug)]
struct Counts {
    /// In order.
    all: Vec<Pair>,
    left: Vec<u32>,
}

impl Counts {
    fn new(all: impl Iterator<Item = Pair>) -> Self {
        let mut all: Vec<Pair> = all.collect();
        all.sort_unstable();
        let left = all.chunk_by(|a, b| a == b).map(|same| same.len() as u32);
        let left = left.collect();
        all.dedup();
        Counts { all, left }
    }

    /// Takes one away, if one is left: how many were taken.
    fn take(&self, one: &Pair, left: &mut [u32]) -> u64 {
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
        let candidate = Form::new(&laid_out(candidate));
        Sought::new(&laid_out(query)).likeness(&candidate).sum()
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
