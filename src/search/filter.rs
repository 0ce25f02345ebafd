//! Filters: results of some types of text and from some sources alone.

use std::sync::{Arc, PoisonError};

use super::facets::{Facets, Origin};
use super::request::Request;
use super::searcher::{SearchError, Searcher};
use crate::index::{Entry, GROUP, GROUPS, IndexError};

/// How many filters a searcher keeps: each has a bit for every formula.
const KEPT: usize = 16;

/// The formulas that may be results.
#[derive(Debug)]
pub(super) struct Filter {
    kinds: Vec<String>,
    sources: Vec<String>,
    /// A bit for each formula, by windows.
    windows: Vec<[u64; GROUPS]>,
}

/// What is passed where a window has no bits.
const NOTHING: &[u64; GROUPS] = &[0; GROUPS];

impl Filter {
    /// The formulas with an occurrence of one of these types and one of these sources.
    fn new(facets: &Facets, request: &Request) -> Result<Self, SearchError> {
        let Request { kinds, sources, .. } = request;
        let wanted_kinds = numbers("type", kinds, &facets.kinds)?;
        let wanted_sources = numbers("source", sources, &facets.sources)?;
        let is_one = |wanted: &[u32], value: Option<u32>| {
            wanted.is_empty() || value.is_some_and(|value| wanted.contains(&value))
        };
        let passes = |(kind, source): &Origin| {
            is_one(&wanted_kinds, *kind) && is_one(&wanted_sources, *source)
        };
        let passing: Vec<bool> = (facets.sets.iter())
            .map(|set| set.iter().any(passes))
            .collect();
        let window = |sets: &[u32]| {
            let mut bits = [0; GROUPS];
            for (bits, sets) in bits.iter_mut().zip(sets.chunks(GROUP)) {
                for (bit, set) in sets.iter().enumerate() {
                    *bits |= u64::from(passing[*set as usize]) << bit;
                }
            }
            bits
        };
        Ok(Filter {
            kinds: kinds.clone(),
            sources: sources.clone(),
            windows: facets.set_of.chunks(GROUPS * GROUP).map(window).collect(),
        })
    }

    /// The bits of the formulas of a window.
    pub(super) fn window(&self, number: usize) -> &[u64; GROUPS] {
        self.windows.get(number).unwrap_or(NOTHING)
    }

    /// Whether a formula may be a result.
    pub(super) fn passes(&self, formula: usize) -> bool {
        let bits = self.window(formula / (GROUPS * GROUP))[formula / GROUP % GROUPS];
        bits >> (formula % GROUP) & 1 == 1
    }
}

/// The numbers of these values.
fn numbers(
    field: &'static str,
    values: &[String],
    known: &[String],
) -> Result<Vec<u32>, SearchError> {
    let number = |value: &String| match known.binary_search(value) {
        Ok(number) => Ok(number as u32),
        Err(_) => Err(SearchError::NoSuchValue {
            field,
            value: value.clone(),
            known: known.to_vec(),
        }),
    };
    values.iter().map(number).collect()
}

impl Searcher {
    /// Has entries show the first of their occurrences that pass, instead of the first of all.
    pub(super) fn show_passing(
        &self,
        request: &Request,
        formulas: &[usize],
        entries: &mut [Entry],
    ) -> Result<(), IndexError> {
        for (entry, formula) in entries.iter_mut().zip(formulas) {
            if request.passes(&entry.first) {
                continue;
            }
            let instances = self.index().instances_of(*formula, entry.first.clone())?;
            let passing = instances.into_iter().find(|one| request.passes(one));
            entry.first = passing.unwrap_or_else(|| entry.first.clone());
        }
        Ok(())
    }

    /// The filter of a request; none where it asks for all formulas.
    pub(super) fn filter(&self, request: &Request) -> Result<Option<Arc<Filter>>, SearchError> {
        let Request { kinds, sources, .. } = request;
        if kinds.is_empty() && sources.is_empty() {
            return Ok(None);
        }
        let is_it = |filter: &Arc<Filter>| filter.kinds == *kinds && filter.sources == *sources;
        let mut filters = self.filters.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = filters.iter().position(is_it) {
            return Ok(Some(Arc::clone(&filters[place])));
        }
        drop(filters);
        let filter = Arc::new(Filter::new(self.facets()?, request)?);
        filters = self.filters.lock().unwrap_or_else(PoisonError::into_inner);
        filters.truncate(KEPT - 1);
        filters.insert(0, Arc::clone(&filter));
        Ok(Some(filter))
    }
}
