//! The values that results can be filtered by: the types and the sources of occurrences.
//!
//! While records are read, each pair of a type and a source gets a number. When formulas are
//! made of records, each formula gets the number of the set of pairs that its occurrences have.
//! There are few sets, so a formula takes a byte or two, and a filter that asks for a type and a
//! source of the same occurrence looks at the sets alone.

use std::collections::{BTreeSet, HashMap};

use crate::corpus::Instance;
use crate::index::format::{FacetValue, Facets};

/// The largest number of values that a facet has, and the longest value in bytes: with more, it
/// is no list to choose from.
const MAX_VALUES: usize = 100;
const MAX_VALUE_BYTES: usize = 200;
/// The largest number of sets, whose numbers have two bytes, and of pairs in all of them.
const MAX_SETS: usize = 1 << 16;
const MAX_SET_PAIRS: usize = 1 << 18;

/// A type and a source by number; 0 where there is none.
type Pair = [u16; 2];

/// Numbers the pairs of types and sources.
#[derive(Debug, Default)]
pub(super) struct FacetPairs {
    values: [Values; 2],
    numbers: HashMap<Pair, u32>,
    pairs: Vec<Pair>,
}

/// Numbers the values of one facet from 1.
#[derive(Debug, Default)]
struct Values {
    numbers: HashMap<String, u16>,
    texts: Vec<String>,
    /// Whether there are too many, or one is too long.
    is_over: bool,
}

impl FacetPairs {
    /// The number of the pair of an occurrence.
    pub(super) fn number(&mut self, instance: &Instance) -> u32 {
        let [kinds, sources] = &mut self.values;
        let pair = [
            kinds.number(instance.kind.as_deref()),
            sources.number(instance.source()),
        ];
        let next = self.pairs.len() as u32;
        let number = *self.numbers.entry(pair).or_insert(next);
        if number == next {
            self.pairs.push(pair);
        }
        number
    }
}

impl Values {
    fn number(&mut self, value: Option<&str>) -> u16 {
        let Some(value) = value.filter(|_| !self.is_over) else {
            return 0;
        };
        if let Some(number) = self.numbers.get(value) {
            return *number;
        }
        if self.texts.len() == MAX_VALUES || value.len() > MAX_VALUE_BYTES {
            self.is_over = true;
            return 0;
        }
        self.texts.push(value.to_owned());
        let number = self.texts.len() as u16;
        self.numbers.insert(value.to_owned(), number);
        number
    }
}

/// Numbers the sets of pairs that formulas have, and counts the formulas of each value.
#[derive(Debug)]
pub(super) struct FacetSets {
    pairs: FacetPairs,
    numbers: HashMap<Vec<Pair>, u32>,
    sets: Vec<Vec<Pair>>,
    set_pairs: usize,
    counts: [Vec<u64>; 2],
    /// The set of each formula, in the order of formulas.
    of_formulas: Vec<u32>,
    /// Whether there are too many sets.
    is_over: bool,
}

impl FacetSets {
    pub(super) fn new(pairs: FacetPairs) -> Self {
        FacetSets {
            counts: pairs
                .values
                .each_ref()
                .map(|values| vec![0; values.texts.len() + 1]),
            pairs,
            numbers: HashMap::new(),
            sets: Vec::new(),
            set_pairs: 0,
            of_formulas: Vec::new(),
            is_over: false,
        }
    }

    /// The number of the set of pairs, given by their numbers, that a formula has.
    pub(super) fn number(&mut self, pairs: &BTreeSet<u32>) -> u32 {
        let set: BTreeSet<Pair> = pairs.iter().filter_map(|pair| self.pair(*pair)).collect();
        let set: Vec<Pair> = set.into_iter().collect();
        for (facet, counts) in self.counts.iter_mut().enumerate() {
            let values: BTreeSet<u16> = set.iter().map(|pair| pair[facet]).collect();
            for value in values {
                counts[usize::from(value)] += 1;
            }
        }
        if let Some(number) = self.numbers.get(&set) {
            return *number;
        }
        self.is_over |= self.sets.len() == MAX_SETS || self.set_pairs + set.len() > MAX_SET_PAIRS;
        if self.is_over {
            return 0;
        }
        let number = self.sets.len() as u32;
        self.set_pairs += set.len();
        self.sets.push(set.clone());
        self.numbers.insert(set, number);
        number
    }

    /// A pair, without the value of a facet that has too many.
    fn pair(&self, number: u32) -> Option<Pair> {
        let mut pair = *self.pairs.pairs.get(number as usize)?;
        for (value, values) in pair.iter_mut().zip(&self.pairs.values) {
            if values.is_over {
                *value = 0;
            }
        }
        Some(pair)
    }

    /// Adds the set of the next formula.
    pub(super) fn push(&mut self, set: u32) {
        self.of_formulas.push(set);
    }

    /// The values with their counts, the sets, and the set of each formula.
    pub(super) fn finish(self) -> FacetColumns {
        let [kinds, sources] = [0, 1].map(|facet| self.ranked(facet));
        let ranks = [&kinds, &sources].map(|ranked| {
            let mut ranks = vec![0; MAX_VALUES + 1];
            for (rank, (value, _)) in ranked.iter().flatten().enumerate() {
                ranks[*value] = rank as u32 + 1;
            }
            ranks
        });
        let listed = |ranked: Option<Vec<(usize, FacetValue)>>| {
            ranked.map(|ranked| ranked.into_iter().map(|(_, value)| value).collect())
        };
        let facets = Facets {
            kinds: listed(kinds),
            sources: listed(sources),
        };
        let has_values = [&facets.kinds, &facets.sources]
            .into_iter()
            .flatten()
            .any(|values: &Vec<FacetValue>| !values.is_empty());
        if self.is_over || !has_values {
            return FacetColumns {
                facets,
                sets: Vec::new(),
                of_formulas: Vec::new(),
            };
        }
        let mut sets = Vec::new();
        for set in &self.sets {
            sets.push(set.len() as u32);
            let ranked = set.iter().map(|[kind, source]| {
                ranks[0][usize::from(*kind)] | ranks[1][usize::from(*source)] << 16
            });
            sets.extend(ranked);
        }
        let is_small = self.sets.len() <= 1 << 8;
        let of_formulas = self.of_formulas.iter();
        let of_formulas = if is_small {
            of_formulas.map(|set| *set as u8).collect()
        } else {
            of_formulas
                .flat_map(|set| (*set as u16).to_le_bytes())
                .collect()
        };
        FacetColumns {
            facets,
            sets,
            of_formulas,
        }
    }

    /// The values of a facet, that of most formulas first, each with its number while building;
    /// none where there are too many.
    fn ranked(&self, facet: usize) -> Option<Vec<(usize, FacetValue)>> {
        let Values { texts, is_over, .. } = &self.pairs.values[facet];
        let mut values: Vec<(usize, FacetValue)> = (texts.iter().enumerate())
            .map(|(at, text)| {
                let formulas = self.counts[facet][at + 1];
                let value = text.clone();
                (at + 1, FacetValue { value, formulas })
            })
            .collect();
        values.sort_by(|(_, a), (_, b)| {
            b.formulas
                .cmp(&a.formulas)
                .then_with(|| a.value.cmp(&b.value))
        });
        (!is_over).then_some(values)
    }
}

/// What an index has of facets.
#[derive(Debug)]
pub(super) struct FacetColumns {
    pub(super) facets: Facets,
    /// For each set how many pairs it has, then the pairs: the place of the type among the
    /// values, from 1, and that of the source in the upper half.
    pub(super) sets: Vec<u32>,
    /// The set of each formula, a byte each, or two where there are more than 256.
    pub(super) of_formulas: Vec<u8>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instance(kind: &str, source: &str) -> Instance {
        let mut instance = Instance::new("1".parse().unwrap());
        instance.kind = (!kind.is_empty()).then(|| kind.to_owned());
        instance.fields = vec![("Source".to_owned(), source.to_owned())];
        instance
    }

    #[test]
    fn formulas_have_the_pairs_of_their_occurrences() {
        let mut pairs = FacetPairs::default();
        let mut number = |kind, source| pairs.number(&instance(kind, source));
        let (a, b, c) = (number("title", "w"), number("answer", "w"), number("", "v"));
        let mut sets = FacetSets::new(pairs);
        for formula in [&[a, b][..], &[b], &[c, b], &[a, b]] {
            let set = sets.number(&formula.iter().copied().collect());
            sets.push(set);
        }
        let FacetColumns {
            facets,
            sets,
            of_formulas,
        } = sets.finish();
        let shown = |values: Option<Vec<FacetValue>>| -> Vec<(String, u64)> {
            let values = values.unwrap().into_iter();
            values.map(|value| (value.value, value.formulas)).collect()
        };
        assert_eq!(
            shown(facets.kinds),
            [("answer".to_owned(), 4), ("title".to_owned(), 2)]
        );
        assert_eq!(
            shown(facets.sources),
            [("w".to_owned(), 4), ("v".to_owned(), 1)]
        );
        assert_eq!(of_formulas, [0, 1, 2, 0]);
        let pair = |kind: u32, source: u32| kind | source << 16;
        let expected = [
            2,
            pair(2, 1),
            pair(1, 1),
            1,
            pair(1, 1),
            2,
            pair(0, 2),
            pair(1, 1),
        ];
        assert_eq!(sets, expected);
    }

    #[test]
    fn a_facet_with_too_many_values_is_none() {
        let mut pairs = FacetPairs::default();
        let numbers: Vec<u32> = (0..200)
            .map(|n| pairs.number(&instance("answer", &n.to_string())))
            .collect();
        let mut sets = FacetSets::new(pairs);
        for number in numbers {
            assert_eq!(sets.number(&BTreeSet::from([number])), 0);
            sets.push(0);
        }
        let columns = sets.finish();
        assert_eq!(columns.facets.sources, None);
        assert_eq!(columns.facets.kinds.unwrap()[0].formulas, 200);
        assert_eq!(columns.sets, [1, 1]);
        assert_eq!(columns.of_formulas.len(), 200);
    }
}
