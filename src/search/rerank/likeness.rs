//! How alike two formulas are as wholes, after the best renaming.

use super::assign;
use super::features::{Features, NamedSymbol, SymbolName};
use super::similarity::{NameSimilarity, Similarity};
use super::subformula;
use crate::layout::Layout;
use crate::phoc::{Relation, Role};

/// How alike two formulas are as wholes: the sum of three parts.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Likeness {
    /// Pairs of neighbours that both have: 1 for all of them.
    pub pairs: f64,
    /// Symbols that both have: 1/2 for all of them.
    pub symbols: f64,
    /// The query as a part of the other formula, moved and scaled: 1/4 for all
    /// of it.
    pub part: f64,
}

impl Likeness {
    /// The sum of the three.
    pub fn sum(&self) -> f64 {
        self.part + self.pairs + self.symbols
    }
}

/// The weight of a symbol of the candidate after renaming, in tenths.
fn tenths(query: Role, candidate: Role, similarity: Similarity) -> u64 {
    match (query, candidate) {
        _ if similarity == Similarity::Same => 10,
        (Role::Variable, Role::Variable) => 7,
        (Role::Number, Role::Number) => 5,
        _ => 4,
    }
}

/// The weight of a shared region in the choice of a renaming.
fn benefit(similarity: Similarity) -> i64 {
    match similarity {
        Similarity::Same => 5,
        Similarity::SameRole => 4,
        Similarity::None => 2,
    }
}

/// A name of the candidate after renaming, as a name of the query.
#[derive(Debug, Clone, Copy)]
struct Renamed {
    /// The canonical name in the query.
    name: usize,
    /// The weight of a symbol with this name, in tenths.
    tenths: u64,
}

/// A query, ready to be compared with many candidates.
#[derive(Debug)]
pub(crate) struct RerankQuery {
    pub(super) features: Features,
    /// For each name, the index of the first name with the same glyph.
    pub(super) canonical_name: Vec<usize>,
    /// The number of symbols of each glyph, stored at that index.
    symbols: Vec<u32>,
    pairs: PairCounts,
}

impl RerankQuery {
    /// A formula that candidates are compared with.
    pub(crate) fn new(layout: &Layout) -> Self {
        let features = Features::new(layout);
        let first = |name: &SymbolName| {
            let names = &features.names;
            names.partition_point(|other| other.glyph < name.glyph)
        };
        let canonical_name: Vec<usize> = features.names.iter().map(first).collect();
        let mut symbols = vec![0; features.names.len()];
        for NamedSymbol { name, .. } in &features.symbols {
            symbols[canonical_name[*name]] += 1;
        }
        let name_of = |at: usize| canonical_name[features.symbols[at].name];
        let pairs = features.pairs.iter();
        let pairs =
            pairs.map(|(first, second, relation)| (name_of(*first), *relation, name_of(*second)));
        RerankQuery {
            symbols,
            pairs: PairCounts::new(pairs),
            canonical_name,
            features,
        }
    }

    /// How alike a candidate is, after the best renaming.
    pub(crate) fn likeness(&self, candidate: &Features) -> Likeness {
        let similarity = NameSimilarity::new(&self.features, candidate);
        let renamed = self.rename(candidate, &similarity);
        let mut left = self.symbols.clone();
        let mut tenths = 0;
        for symbol in &candidate.symbols {
            if let Some(renamed) = renamed[symbol.name]
                && left[renamed.name] > 0
            {
                left[renamed.name] -= 1;
                tenths += renamed.tenths;
            }
        }
        let mut left = self.pairs.counts.clone();
        let mut hundredths = 0;
        for &(first, second, relation) in &candidate.pairs {
            let renamed = |at: usize| renamed[candidate.symbols[at].name];
            if let (Some(first), Some(second)) = (renamed(first), renamed(second)) {
                let pair = (first.name, relation, second.name);
                hundredths += first.tenths * second.tenths * self.pairs.take(&pair, &mut left);
            }
        }
        let Features { symbols, pairs, .. } = &self.features;
        let part = subformula::part(&self.features, candidate, &similarity);
        Likeness {
            pairs: hundredths as f64 / 100.0 / size(pairs.len(), candidate.pairs.len()),
            symbols: 0.5 * tenths as f64 / 10.0 / size(symbols.len(), candidate.symbols.len()),
            part: 0.25 * part * part,
        }
    }

    /// For each of the candidate's names its canonical name in the query after the best
    /// renaming, where it has one.
    pub(super) fn renaming(&self, candidate: &Features) -> Vec<Option<usize>> {
        let renamed = self.rename(candidate, &NameSimilarity::new(&self.features, candidate));
        let names = renamed.into_iter();
        names.map(|renamed| renamed.map(|to| to.name)).collect()
    }

    /// For each of the candidate's names its name in the query after the best
    /// renaming of variables and digits, where it has one.
    fn rename(&self, candidate: &Features, similarity: &NameSimilarity) -> Vec<Option<Renamed>> {
        let names = candidate.names.iter().enumerate();
        let fixed = names.map(|(at, name)| match name.role {
            Role::Fixed => Some(Renamed {
                name: similarity.same(at)?,
                tenths: 10,
            }),
            Role::Variable | Role::Number => None,
        });
        let mut renamed: Vec<Option<Renamed>> = fixed.collect();
        let (from, to): (Vec<usize>, Vec<usize>) = (
            candidate.renamable().collect(),
            self.features.renamable().collect(),
        );
        // The assignment wants no more rows than columns.
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
                    let shared = self.features.words[query] & candidate.words[name];
                    benefit(similarity.of(query, name)) * i64::from(shared.count_ones())
                };
                columns.iter().map(shared).collect()
            })
            .collect();
        for (row, column) in assign::assign(&benefits).into_iter().enumerate() {
            if benefits[row][column] > 0 {
                let (query, name) = turned(rows[row], columns[column]);
                let (role, other) = (self.features.names[query].role, candidate.names[name].role);
                renamed[name] = Some(Renamed {
                    name: self.canonical_name[query],
                    tenths: tenths(role, other, similarity.of(query, name)),
                });
            }
        }
        renamed
    }
}

/// |q|^¾ |c|^¼, by square roots, which are the same on every machine.
fn size(query: usize, candidate: usize) -> f64 {
    let (query, candidate) = (query.max(1) as f64, candidate.max(1) as f64);
    (query * (query * candidate).sqrt()).sqrt()
}

/// Two names, and how the second stands to the first.
type Pair = (usize, Relation, usize);

/// How many there are of each pair.
#[derive(Debug)]
struct PairCounts {
    /// In order.
    pairs: Vec<Pair>,
    counts: Vec<u32>,
}

impl PairCounts {
    fn new(pairs: impl Iterator<Item = Pair>) -> Self {
        let mut pairs: Vec<Pair> = pairs.collect();
        pairs.sort_unstable();
        let counts = pairs.chunk_by(|a, b| a == b).map(|same| same.len() as u32);
        let counts = counts.collect();
        pairs.dedup();
        PairCounts { pairs, counts }
    }

    /// Takes one pair away, if one is left, and returns how many were taken.
    fn take(&self, pair: &Pair, left: &mut [u32]) -> u64 {
        match self.pairs.binary_search(pair) {
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
        let candidate = Features::new(&laid_out(candidate));
        RerankQuery::new(&laid_out(query))
            .likeness(&candidate)
            .sum()
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
