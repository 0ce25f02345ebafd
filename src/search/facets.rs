//! Facets: of what type the text is that formulas occur in, and from what source.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;

use super::searcher::{SearchError, Searcher};
use crate::corpus::Instance;
use crate::index::{Index, IndexError, StoredFacets};
use crate::parallel;

/// A field with more values than this has no list of them.
const MAX_VALUES: usize = 100;

/// What an occurrence says of itself: its type and its source, if any, by their numbers.
pub(super) type Origin = (Option<u32>, Option<u32>);

/// The values of a field, and the formulas that have them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Facet {
    /// A value.
    pub value: String,
    /// How many formulas occur with it.
    pub formulas: u64,
}

/// In what type of text, and in which sources, formulas occur.
#[derive(Debug, Default)]
pub struct Facets {
    /// All types, in order.
    pub(super) kinds: Vec<String>,
    /// All sources, in order.
    pub(super) sources: Vec<String>,
    /// The sets of origins that formulas have, each once.
    pub(super) sets: Vec<Vec<Origin>>,
    /// The number of each formula's set.
    pub(super) set_of: Vec<u32>,
}

impl Facets {
    /// Takes what the index has at hand, or reads all occurrences.
    fn of(index: &Index) -> Result<Self, IndexError> {
        match index.stored_facets()? {
            Some(stored) => Ok(Facets::stored(stored)),
            None => Facets::read(index),
        }
    }

    /// The same facets with their values in order.
    fn stored(stored: StoredFacets) -> Self {
        let ordered = |values: &[String]| -> Vec<String> {
            let all: BTreeSet<&String> = values.iter().collect();
            all.into_iter().cloned().collect()
        };
        let (kinds, sources) = (ordered(&stored.kinds), ordered(&stored.sources));
        let place = |all: &[String], values: &[String], value: Option<u32>| {
            let value = values.get(value? as usize)?;
            all.binary_search(value).ok().map(|place| place as u32)
        };
        let origin = |(kind, source): &Origin| {
            let kind = place(&kinds, &stored.kinds, *kind);
            (kind, place(&sources, &stored.sources, *source))
        };
        let sets = stored.sets.iter();
        Facets {
            sets: sets.map(|set| set.iter().map(origin).collect()).collect(),
            set_of: stored.set_of,
            kinds,
            sources,
        }
    }

    /// Reads all occurrences.
    fn read(index: &Index) -> Result<Self, IndexError> {
        let count = index.store_blocks();
        let starts: Vec<usize> = (0..count).step_by(CHUNK).collect();
        let threads = parallel::threads(0);
        let parts = parallel::map(&starts, threads, |start| {
            Part::read(index, *start..(start + CHUNK).min(count))
        });
        let mut facets = Facets::default();
        let parts: Vec<Part> = parts.into_iter().collect::<Result<_, _>>()?;
        let all = |names: fn(&Part) -> &Names| -> Vec<String> {
            let all = parts.iter().flat_map(|part| names(part).0.keys());
            let all: BTreeSet<&String> = all.collect();
            all.into_iter().cloned().collect()
        };
        (facets.kinds, facets.sources) = (all(|part| &part.kinds), all(|part| &part.sources));
        let mut numbers: HashMap<Vec<Origin>, u32> = HashMap::new();
        for part in &parts {
            let kinds = part.kinds.renumbered(&facets.kinds);
            let sources = part.sources.renumbered(&facets.sources);
            let sets: Vec<u32> = (part.sets.by_number().into_iter())
                .map(|set| {
                    let origin = |(kind, source): &Origin| {
                        let number = |to: &[u32], from: Option<u32>| Some(to[from? as usize]);
                        (number(&kinds, *kind), number(&sources, *source))
                    };
                    let mut set: Vec<Origin> = set.iter().map(origin).collect();
                    set.sort_unstable();
                    let next = facets.sets.len() as u32;
                    *numbers.entry(set).or_insert_with_key(|set| {
                        facets.sets.push(set.clone());
                        next
                    })
                })
                .collect();
            (facets.set_of).extend(part.set_of.iter().map(|set| sets[*set as usize]));
        }
        Ok(facets)
    }

    /// The types of text with how many formulas occur in each; none if there are more than 100.
    pub fn kinds(&self) -> Vec<Facet> {
        self.counted(&self.kinds, |origin| origin.0)
    }

    /// The sources with how many formulas occur in each; none if there are more than 100.
    pub fn sources(&self) -> Vec<Facet> {
        self.counted(&self.sources, |origin| origin.1)
    }

    fn counted(&self, values: &[String], of: fn(&Origin) -> Option<u32>) -> Vec<Facet> {
        if values.len() > MAX_VALUES {
            return Vec::new();
        }
        let mut members = vec![0; self.sets.len()];
        for set in &self.set_of {
            members[*set as usize] += 1;
        }
        let mut counts = vec![0; values.len()];
        for (set, members) in self.sets.iter().zip(members) {
            let values: BTreeSet<u32> = set.iter().filter_map(of).collect();
            values
                .iter()
                .for_each(|value| counts[*value as usize] += members);
        }
        let facets = values.iter().cloned().zip(counts);
        facets
            .map(|(value, formulas)| Facet { value, formulas })
            .collect()
    }
}

/// Blocks of the store that are read at once.
const CHUNK: usize = 256;

/// Texts, numbered as they are first seen.
#[derive(Debug, Default)]
struct Names(BTreeMap<String, u32>);

impl Names {
    fn number(&mut self, name: &str) -> u32 {
        let next = self.0.len() as u32;
        match self.0.get(name) {
            Some(number) => *number,
            None => *self.0.entry(name.to_owned()).or_insert(next),
        }
    }

    /// For each number the place of its name in `all`.
    fn renumbered(&self, all: &[String]) -> Vec<u32> {
        let mut numbers = vec![0; self.0.len()];
        for (name, number) in &self.0 {
            let place = all.binary_search(name).unwrap_or_else(|place| place);
            numbers[*number as usize] = place as u32;
        }
        numbers
    }
}

/// Sets of origins, numbered as they are first seen.
#[derive(Debug, Default)]
struct Sets(HashMap<Vec<Origin>, u32>);

impl Sets {
    fn by_number(&self) -> Vec<&Vec<Origin>> {
        let mut sets: Vec<(&Vec<Origin>, &u32)> = self.0.iter().collect();
        sets.sort_unstable_by_key(|(_, number)| **number);
        sets.into_iter().map(|(set, _)| set).collect()
    }
}

/// What some blocks of the store say.
#[derive(Debug, Default)]
struct Part {
    kinds: Names,
    sources: Names,
    sets: Sets,
    set_of: Vec<u32>,
}

impl Part {
    fn read(index: &Index, blocks: std::ops::Range<usize>) -> Result<Self, IndexError> {
        let mut part = Part::default();
        for formula in blocks.flat_map(|number| index.block_instances(number)) {
            let (_, instances) = formula?;
            part.add(&instances);
        }
        Ok(part)
    }

    /// Adds a formula with these occurrences.
    fn add(&mut self, instances: &[Instance]) {
        let origins = instances.iter().map(|instance| {
            let kind = instance.kind.as_deref().map(|kind| self.kinds.number(kind));
            let source = instance.source();
            let source = source.map(|source| self.sources.number(source));
            (kind, source)
        });
        let mut origins: Vec<Origin> = origins.collect();
        origins.sort_unstable();
        origins.dedup();
        let next = self.sets.0.len() as u32;
        self.set_of
            .push(*self.sets.0.entry(origins).or_insert(next));
    }
}

impl Searcher {
    /// In what type of text, and in which sources, formulas occur. They are read once, when they
    /// are first asked for.
    ///
    /// # Errors
    /// When the store is damaged.
    pub fn facets(&self) -> Result<&Facets, SearchError> {
        if let Some(facets) = self.facets.get() {
            return Ok(facets);
        }
        let facets = self.index().sound(Facets::of(self.index()))?;
        Ok(self.facets.get_or_init(|| facets))
    }
}
