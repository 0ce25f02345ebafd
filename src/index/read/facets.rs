//! The types and sources of formulas, as they are stored.

use std::collections::BTreeSet;

use super::column::Column;
use super::open::Index;
use crate::corpus::Instance;
use crate::index::format::{FacetValue, IndexError, Section};

/// The pairs of type and source, by their places from 1, that the formulas of a set have.
pub(super) type FacetSet = Box<[(u16, u16)]>;

/// A type and a source by their places among all, where there are any.
pub(crate) type StoredPair = (Option<u32>, Option<u32>);

/// Which types and sources formulas have.
#[derive(Debug)]
pub(crate) struct StoredFacets {
    /// All types.
    pub(crate) kinds: Vec<String>,
    /// All sources.
    pub(crate) sources: Vec<String>,
    /// The sets of pairs that the occurrences of a formula have.
    pub(crate) sets: Vec<Vec<StoredPair>>,
    /// The set of each formula.
    pub(crate) set_of: Vec<u32>,
}

impl Index {
    /// Which types and sources formulas have; none where the index does not have them at hand,
    /// because there are too many: then their occurrences tell.
    ///
    /// # Errors
    /// When the index is damaged there.
    pub(crate) fn stored_facets(&self) -> Result<Option<StoredFacets>, IndexError> {
        let facets = &self.meta().facets;
        let (Some(kinds), Some(sources)) = (&facets.kinds, &facets.sources) else {
            return Ok(None);
        };
        if self.facet_sets.is_empty() {
            let is_bare = kinds.is_empty() && sources.is_empty();
            return Ok(is_bare.then(|| StoredFacets {
                kinds: Vec::new(),
                sources: Vec::new(),
                sets: vec![vec![(None, None)]],
                set_of: vec![0; self.formulas()],
            }));
        }
        let column: Column<'_, u8> = self.sections.column(Section::FormulaFacets);
        let bytes = column.all().unwrap_or_default();
        self.sections.undamaged()?;
        let known = self.facet_sets.len();
        let set_of = bytes.chunks_exact(set_bytes(known)).map(set_number);
        // A number without a set is damage that no checksum saw.
        let set_of: Option<Vec<u32>> = set_of
            .map(|set| (set < known).then_some(set as u32))
            .collect();
        let names = |values: &[FacetValue]| values.iter().map(|v| v.value.clone()).collect();
        let place = |place: u16, values: &[FacetValue]| {
            let place = u32::from(place).checked_sub(1);
            place.filter(|place| (*place as usize) < values.len())
        };
        let pair = |(kind, source): &(u16, u16)| (place(*kind, kinds), place(*source, sources));
        let sets = self.facet_sets.iter();
        Ok(Some(StoredFacets {
            kinds: names(kinds),
            sources: names(sources),
            sets: sets.map(|set| set.iter().map(pair).collect()).collect(),
            set_of: set_of
                .ok_or_else(|| self.damaged("a formula has no set of types".to_owned()))?,
        }))
    }

    /// Whether a formula has the set of pairs that its occurrences have.
    pub(super) fn facets_agree(&self, formula: usize, instances: &[Instance]) -> bool {
        if self.facet_sets.is_empty() {
            return true;
        }
        let facets = &self.meta().facets;
        let place = |values: &Option<Vec<FacetValue>>, value: Option<&str>| {
            let mut values = values.iter().flatten();
            let at = values.position(|known| Some(known.value.as_str()) == value);
            at.map_or(0, |at| at as u16 + 1)
        };
        let pairs: BTreeSet<(u16, u16)> = (instances.iter())
            .map(|instance| {
                let kind = place(&facets.kinds, instance.kind.as_deref());
                (kind, place(&facets.sources, instance.source()))
            })
            .collect();
        let bytes = set_bytes(self.facet_sets.len());
        let column: Column<'_, u8> = self.sections.column(Section::FormulaFacets);
        let number = column.get(formula * bytes..(formula + 1) * bytes);
        let set = number.and_then(|number| self.facet_sets.get(set_number(number)));
        set.is_some_and(|set| {
            set.len() == pairs.len() && set.iter().all(|pair| pairs.contains(pair))
        })
    }
}

/// The sets that a file has.
pub(super) fn read_sets(stored: &[u32]) -> Option<Vec<FacetSet>> {
    let mut sets = Vec::new();
    let mut rest = stored;
    while let Some((count, pairs)) = rest.split_first() {
        let (set, further) = pairs.split_at_checked(*count as usize)?;
        let set = set.iter().map(|pair| (*pair as u16, (pair >> 16) as u16));
        sets.push(set.collect());
        rest = further;
    }
    Some(sets)
}

/// How many bytes the number of a set takes.
pub(super) fn set_bytes(sets: usize) -> usize {
    if sets <= 1 << 8 { 1 } else { 2 }
}

fn set_number(bytes: &[u8]) -> usize {
    let byte = |at: usize| usize::from(bytes.get(at).copied().unwrap_or(0));
    byte(0) | byte(1) << 8
}
