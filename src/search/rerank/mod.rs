//! Re-ranking: the first results of a search, compared again as wholes.
//!
//! The candidate's variables and digits are renamed to the query's, one to
//! one, so that most regions are shared: x² + y² is a² + b², but not a² + a².
//! Then the symbols and the pairs of neighbours that both have are counted,
//! with multiplicity, less for what was renamed:
//!
//! ```text
//! likeness = pairs / (|Pq|^¾ |Pc|^¼) + ½ symbols / (|Sq|^¾ |Sc|^¼) + ¼ part²
//! ```
//!
//! where |P| and |S| are how many pairs and symbols query and candidate have,
//! and part is how much of the query stands somewhere in the candidate as it
//! does in itself. A candidate that is larger than the query loses little: the
//! query may be a part of it.

mod assign;
mod compared;
mod features;
mod likeness;
mod similarity;
mod subformula;

pub(crate) use compared::Compared;
pub(crate) use features::Features;
pub use likeness::Likeness;
pub(crate) use likeness::RerankQuery;

use super::ScoredFormula;
use crate::index::{Index, IndexError};
use crate::layout::Layout;
use crate::parallel;

/// A formula of the first stage, with its likeness if it was re-ranked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Reranked {
    pub(super) scored: ScoredFormula,
    pub(super) likeness: Option<f64>,
}

/// The likeness that a formula has with itself, or 1 where it has none.
pub(crate) fn whole_likeness(layout: &Layout) -> f64 {
    let whole = RerankQuery::new(layout).likeness(&Features::new(layout));
    Some(whole.sum()).filter(|sum| *sum > 0.0).unwrap_or(1.0)
}

/// Ranks the first `depth` results by likeness; the rest stay in their order.
/// It uses at most this many threads.
pub(super) fn rerank(
    query: &Layout,
    index: &Index,
    results: Vec<ScoredFormula>,
    depth: usize,
    threads: usize,
) -> Result<Vec<Reranked>, IndexError> {
    let (first, rest) = results.split_at(depth.min(results.len()));
    let mut reranked = if first.is_empty() {
        Vec::new()
    } else {
        let query = RerankQuery::new(query);
        parallel::map(first, threads, |scored| {
            let candidate = Features::new(&index.layout(scored.formula)?);
            Ok(Reranked {
                scored: *scored,
                likeness: Some(query.likeness(&candidate).sum()),
            })
        })
        .into_iter()
        .collect::<Result<Vec<Reranked>, IndexError>>()?
    };
    // A stable sort: equals stay in their order.
    reranked.sort_by(|a, b| {
        let key = |result: &Reranked| result.likeness.unwrap_or(-1.0);
        key(b).total_cmp(&key(a))
    });
    reranked.extend(rest.iter().map(|scored| Reranked {
        scored: *scored,
        likeness: None,
    }));
    Ok(reranked)
}
