//! Search: from a query to the formulas most like it.
//!
//! A score is bcos(a, b) = |a ∧ b| / sqrt(|b|): the bits that query a and
//! formula b share, over the square root of the formula's. Bits are summed as
//! integers and scores compared as exact fractions, so that every engine
//! gives the same results in the same order as [`reference`](reference::search).
//!
//! A [`Plan`] picks the engine: [`scan`], [`pruned`], [`conjunctive`] or
//! [`m_of_n`]. Each finds the best of one window of formulas; [`window`] has
//! the order of windows and the threads, [`kernel`] what processors do
//! differently.

mod candidates;
mod conjunctive;
mod distinct;
mod explain;
mod kernel;
mod m_of_n;
mod min_match;
mod plan;
mod pruned;
mod query;
pub mod reference;
mod scan;
mod stream;
mod survivors;
mod term;
mod topk;
mod window;

pub use distinct::search_distinct;
pub use explain::{Explanation, LevelShare, TokenShare, explain};
pub use kernel::Level;
pub use min_match::{MinMatch, MinMatchError};
pub use plan::{Plan, Strategy};
pub use query::{Query, QueryToken};
pub use stream::stream;
pub use topk::{Hit, TopK};

use crate::index::{Index, IndexError};

/// What a search looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Effort {
    /// Formulas that were scored.
    pub candidates: u64,
    /// Postings that were read to score them.
    pub postings: u64,
}

impl std::ops::AddAssign for Effort {
    fn add_assign(&mut self, other: Self) {
        self.candidates += other.candidates;
        self.postings += other.postings;
    }
}

/// What a search found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// The best, best first; equal scores by external id.
    pub hits: Vec<Hit>,
    /// What it took.
    pub effort: Effort,
}

/// The `k` formulas most like the query, best first; equal scores by external
/// id. It runs on the threads of the rayon pool that it is called in.
///
/// # Errors
/// When the index is damaged where the query looks.
pub fn search(index: &Index, query: &Query, k: usize) -> Result<Vec<Hit>, IndexError> {
    let plan = Plan::new(index, query, k, rayon::current_num_threads());
    Ok(plan.run(index, query)?.hits)
}
