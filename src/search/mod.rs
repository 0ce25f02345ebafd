//! Search: from a query to the formulas most like it.
//!
//! A [`Searcher`] answers a [`Request`] with a [`Response`]. The score of
//! formula f for query q is
//!
//! ```text
//!   Σ w(t) min(cap ρ(t), Σ λ(r) ρ(t, r))  /  (Σ w(t) min(cap, Σ λ(r)))^p
//!     r in q(t) ∧ f(t)                          r in f(t)
//! ```
//!
//! over the tokens t that both hold: w is the weight of the token's kind, λ
//! that of the region's level, ρ the IDF (1 without), cap the limit on what one
//! token counts, and p the power of the norm. With all weights 1, no cap and
//! p = ½ it is the papers' score: the bits that q and f share, over the square
//! root of f's bits. `docs/scoring.md` explains it.
//!
//! Sums are whole numbers and scores are compared as exact fractions, so every
//! engine gives the same results in the same order as
//! [`Searcher::reference`], for any number of threads.
//!
//! A [`Plan`] picks the engine. Then the first results are re-ranked: compared
//! with the query as wholes, after the best renaming of variables
//! ([`Likeness`]). Formulas that a reader takes for one are one result, if the
//! request asks for that ([`Group`]).

mod engine;
mod explain;
mod facets;
mod filter;
mod group;
mod kernel;
mod matched;
mod min_match;
mod pattern;
mod plan;
mod query;
mod rank;
mod reference;
mod request;
mod rerank;
mod response;
mod searcher;
mod topk;

pub use explain::{
    Explanation, LevelShare, MatchedName, Order, OrderedBy, SymbolMatches, TokenShare,
    UnmatchedName,
};
pub use facets::{Facet, Facets};
pub use group::{Group, GroupError};
pub use kernel::Level;
pub use min_match::{MinMatch, MinMatchError};
pub use pattern::Pattern;
pub use plan::{Plan, Strategy};
pub use request::{Formula, Request};
pub use rerank::Likeness;
pub use response::{Found, Hit, MatchedSymbol, Response, Times};
#[cfg(feature = "ask")]
pub(crate) use searcher::Nearest;
pub use searcher::{Matches, SearchError, Searcher};

use query::Query;
use topk::ScoredFormula;

/// Counts of the work of a search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct SearchStats {
    /// Formulas that were scored.
    pub candidates: u64,
    /// Postings that were read to score them.
    pub postings: u64,
    /// How often a sample of the windows was searched first, for a threshold
    /// to begin with.
    pub sampled_searches: u64,
    /// How often that threshold proved too high, and the search was repeated.
    pub repeated_searches: u64,
}

impl std::ops::AddAssign for SearchStats {
    fn add_assign(&mut self, other: Self) {
        self.candidates += other.candidates;
        self.postings += other.postings;
        self.sampled_searches += other.sampled_searches;
        self.repeated_searches += other.repeated_searches;
    }
}

/// The results of the first stage.
#[doc(hidden)]
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ranking {
    /// The best, best first; equal scores by external id.
    pub formulas: Vec<ScoredFormula>,
    /// Counts of the engine's work.
    pub stats: SearchStats,
}

/// The parts of a search, for phocus's own benchmarks and fuzz targets. They
/// are no part of the interface, and change without notice.
#[doc(hidden)]
pub mod internals {
    pub use super::engine::stream;
    pub use super::group::key as group_key;
    pub use super::query::{Query, QueryToken};
    pub use super::reference::search as reference;
    pub use super::topk::{ScoredFormula, TopK};
}
