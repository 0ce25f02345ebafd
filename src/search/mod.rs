//! Search: from a query to the formulas most like it.
//!
//! A score is bcos(a, b) = |a ∧ b| / sqrt(|b|): the bits that query a and
//! formula b share, over the square root of the formula's. Bits are summed as
//! integers and scores compared as exact fractions, so that every engine
//! gives the same results in the same order as [`reference`](reference::search).

mod distinct;
mod min_match;
mod query;
pub mod reference;
mod scan;
mod topk;

pub use distinct::search_distinct;
pub use min_match::{MinMatch, MinMatchError};
pub use query::{Query, QueryToken};
pub use topk::Hit;

use crate::index::{Index, IndexError};

/// The `k` formulas most like the query, best first; equal scores by external id.
///
/// # Errors
/// When the index is damaged where the query looks.
pub fn search(index: &Index, query: &Query, k: usize) -> Result<Vec<Hit>, IndexError> {
    match index.meta().word_bytes {
        8 => scan::search::<u64>(index, query, k),
        _ => scan::search::<u128>(index, query, k),
    }
}
