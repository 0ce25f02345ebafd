//! Results for a run: each visually distinct formula once, before the cut.

use std::collections::HashSet;

use super::{Hit, Plan, Query};
use crate::index::{Entry, Index, IndexError};

/// The best `depth` formulas with different visual ids, each with its entry.
/// Where the index keeps several formulas of one visual id, the search goes as
/// deep as it must.
///
/// # Errors
/// When the index is damaged where the query looks.
pub fn search_distinct(
    index: &Index,
    query: &Query,
    depth: usize,
    threads: usize,
) -> Result<Vec<(Hit, Entry)>, IndexError> {
    let mut deep = depth;
    loop {
        let hits = Plan::new(index, query, deep, threads)
            .run(index, query)?
            .hits;
        let is_all = hits.len() < deep;
        let mut seen = HashSet::new();
        let mut distinct = Vec::with_capacity(hits.len());
        let formulas: Vec<usize> = hits.iter().map(|hit| hit.formula).collect();
        for (hit, entry) in hits.into_iter().zip(index.entries(&formulas)?) {
            let visual_id = entry.first.visual_id.clone();
            if visual_id.is_none_or(|visual_id| seen.insert(visual_id)) {
                distinct.push((hit, entry));
            }
        }
        if is_all || distinct.len() >= depth {
            distinct.truncate(depth);
            return Ok(distinct);
        }
        deep *= 2;
    }
}
