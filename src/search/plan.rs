//! The plan: which engine answers a query, and why.

use std::fmt;

use serde::Serialize;

use super::Ranking;
use super::engine::bounded::Bounded;
use super::engine::conjunctive::Conjunctive;
use super::engine::driver::{Effort, drive};
use super::engine::scan::Scan;
use super::engine::term::Term;
use super::filter::Filter;
use super::kernel::{Level, Match};
use super::query::Query;
use crate::index::{Index, IndexError, with_payload};

/// The ways to answer a query. All give the same results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Strategy {
    /// No formula can match.
    Nothing,
    /// Every posting is read: for very many results.
    Scan,
    /// Only formulas that may be among the best are scored.
    Bounded,
    /// Lists of formulas are intersected.
    Conjunctive,
}

/// How a query is answered.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Plan {
    /// The engine.
    pub strategy: Strategy,
    /// Why this engine.
    pub reason: String,
    /// The number of threads.
    pub threads: usize,
    /// The instructions of the processor that are used.
    pub level: Level,
    /// How many results the first stage finds.
    pub k: usize,
}

/// The largest number of terms that a byte can count.
const MAX_TERMS: usize = 128;
/// The scan is used where more than one formula in this many is wanted.
const SCAN_FROM: usize = 10;

impl Plan {
    /// The plan for the `k` best.
    #[doc(hidden)]
    pub fn new(index: &Index, query: &Query, k: usize, threads: usize) -> Self {
        let (strategy, reason) = choose(index, query, k);
        Plan {
            strategy,
            reason,
            threads,
            level: Level::best(),
            k,
        }
    }

    /// Every strategy that can answer the query.
    #[doc(hidden)]
    pub fn possible(query: &Query) -> Vec<Strategy> {
        let known = query.known().count();
        let counting = query.known_counting().count();
        let mut possible = vec![Strategy::Scan];
        if counting < query.min_tokens {
            possible.push(Strategy::Nothing);
        } else if known <= MAX_TERMS {
            possible.push(Strategy::Bounded);
        }
        if counting > 0 && query.min_tokens == counting {
            possible.push(Strategy::Conjunctive);
        }
        possible
    }

    /// Answers the query.
    ///
    /// # Errors
    /// When the index is damaged where the query looks.
    #[doc(hidden)]
    pub fn run(&self, index: &Index, query: &Query) -> Result<Ranking, IndexError> {
        self.run_filtered(index, query, None)
    }

    /// Answers the query with formulas that pass a filter.
    pub(super) fn run_filtered(
        &self,
        index: &Index,
        query: &Query,
        filter: Option<&Filter>,
    ) -> Result<Ranking, IndexError> {
        with_payload!(index.meta().payload_bytes, P => self.run_payload::<P>(index, query, filter))
    }

    fn run_payload<P: Match>(
        &self,
        index: &Index,
        query: &Query,
        filter: Option<&Filter>,
    ) -> Result<Ranking, IndexError> {
        let k = self.k.min(index.formulas());
        if k == 0 || self.strategy == Strategy::Nothing {
            return Ok(Ranking::default());
        }
        let terms = Term::<P>::open_all(index, query, self.level)?;
        let effort = Effort {
            filter,
            k,
            threads: self.threads,
            level: self.level,
        };
        let min_tokens = query.min_tokens;
        Ok(match self.strategy {
            Strategy::Nothing | Strategy::Scan => {
                drive(&Scan { terms, min_tokens }, index, query, effort)
            }
            Strategy::Bounded => drive(&Bounded::new(terms, min_tokens), index, query, effort),
            Strategy::Conjunctive => drive(&Conjunctive::new(terms), index, query, effort),
        })
    }
}

/// The cost rule.
///
/// Computing a formula's upper bound from presence bits costs next to nothing, but
/// looking up a candidate's posting takes several times as long as the scan takes for
/// a posting. So the scan is faster only where most formulas would be candidates: where
/// k is so large that the threshold stays low.
fn choose(index: &Index, query: &Query, k: usize) -> (Strategy, String) {
    let possible = Plan::possible(query);
    let all = (query
        .tokens
        .iter()
        .filter(|token| token.counts_toward_min_match))
    .count();
    let known = query.known_counting().count();
    let (min_tokens, formulas) = (query.min_tokens, index.formulas());
    if possible.contains(&Strategy::Nothing) {
        let reason = format!("{min_tokens} of {all} symbols must match, and the index has {known}");
        return (Strategy::Nothing, reason);
    }
    if possible.contains(&Strategy::Conjunctive) {
        let frequencies = query
            .known_counting()
            .map(|(token, _)| index.frequency(token));
        let rarest = frequencies.min().unwrap_or(0);
        let reason =
            format!("all {known} known symbols must match; {rarest} formulas hold the rarest");
        return (Strategy::Conjunctive, reason);
    }
    if k > formulas / SCAN_FROM {
        let reason = format!("{k} of {formulas} formulas are wanted: the threshold stays low");
        return (Strategy::Scan, reason);
    }
    if !possible.contains(&Strategy::Bounded) {
        let known = query.known().count();
        let reason = format!("{known} tokens are too many to count in a byte");
        return (Strategy::Scan, reason);
    }
    let reason = if min_tokens > 1 {
        format!("{min_tokens} of {all} symbols must match")
    } else {
        format!("{k} of {formulas} formulas are wanted: most cannot be among them")
    };
    (Strategy::Bounded, reason)
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Plan {
            strategy,
            reason,
            threads,
            level,
            ..
        } = self;
        write!(f, "plan: {strategy}, {reason}; {threads} threads, {level}")
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Strategy::Nothing => "nothing",
            Strategy::Scan => "scan",
            Strategy::Bounded => "bounded",
            Strategy::Conjunctive => "conjunctive",
        })
    }
}
