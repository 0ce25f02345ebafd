//! The plan: which engine answers a query, and why.

use std::fmt;
use std::marker::PhantomData;

use serde::Serialize;

use super::conjunctive::Conjunctive;
use super::kernel::{Level, Match};
use super::m_of_n::MOfN;
use super::pruned::Pruned;
use super::scan::Scan;
use super::term::Open;
use super::window::drive;
use super::{Found, Query};
use crate::index::{Index, IndexError, with_payload};

/// The ways to answer a query. All give the same results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// No formula can match.
    Nothing,
    /// Every posting is read: for many results.
    Scan,
    /// Only what may be among the best is scored.
    Pruned,
    /// Lists are intersected.
    Conjunctive,
    /// Tokens are counted.
    MOfN,
}

/// How a query is answered.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Plan {
    /// By which engine.
    pub strategy: Strategy,
    /// Why by this one.
    pub reason: String,
    /// On how many threads.
    pub threads: usize,
    /// For which kind of processor.
    pub level: Level,
    /// How many results are wanted.
    pub k: usize,
}

/// The most terms that are counted in a byte.
const MOST_TERMS: usize = 128;
/// The scan is for more than one formula in so many.
const SCAN_FROM: usize = 10;

impl Plan {
    /// The plan for the `k` best.
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
    pub fn possible(query: &Query) -> Vec<Strategy> {
        let known = query.known().count();
        let counting = query.known().filter(|(_, token)| token.counts);
        let counting = counting.count();
        let mut possible = vec![Strategy::Scan];
        if counting < query.least {
            possible.push(Strategy::Nothing);
        } else if known <= MOST_TERMS {
            possible.push(Strategy::MOfN);
            let adds = query.known().all(|(_, token)| token.always_adds());
            if query.least <= 1 && counting == known && adds {
                possible.push(Strategy::Pruned);
            }
        }
        if counting > 0 && query.least == counting {
            possible.push(Strategy::Conjunctive);
        }
        possible
    }

    /// Answers the query.
    ///
    /// # Errors
    /// When the index is damaged where the query looks.
    pub fn run(&self, index: &Index, query: &Query) -> Result<Found, IndexError> {
        with_payload!(index.meta().payload_bytes, P => self.run_payload::<P>(index, query))
    }

    fn run_payload<P: Match>(&self, index: &Index, query: &Query) -> Result<Found, IndexError> {
        let k = self.k.min(index.formulas());
        if k == 0 || self.strategy == Strategy::Nothing {
            return Ok(Found::default());
        }
        let (threads, level) = (self.threads, self.level);
        let terms = level.run(Open::<P> {
            index,
            query,
            payload: PhantomData,
        })?;
        Ok(match self.strategy {
            Strategy::Nothing | Strategy::Scan => {
                let least = query.least;
                drive(&Scan { terms, least }, index, query, k, threads, level)
            }
            Strategy::Pruned => drive(&Pruned { terms }, index, query, k, threads, level),
            Strategy::Conjunctive => {
                let engine = Conjunctive::new(terms);
                drive(&engine, index, query, k, threads, level)
            }
            Strategy::MOfN => {
                let least = query.least as u8;
                drive(&MOfN { terms, least }, index, query, k, threads, level)
            }
        })
    }
}

/// The cost rule.
///
/// What a formula costs: the bound or the count of a term, by presence bits,
/// next to nothing; a probe of a candidate several times what the scan takes
/// for a posting. So the scan pays only where most formulas would be
/// candidates: where so many results are wanted that the bar stays low.
fn choose(index: &Index, query: &Query, k: usize) -> (Strategy, String) {
    let possible = Plan::possible(query);
    let all = query.tokens.iter().filter(|token| token.counts).count();
    let counting = query.known().filter(|(_, token)| token.counts);
    let known = counting.count();
    let (least, formulas) = (query.least, index.formulas());
    if possible.contains(&Strategy::Nothing) {
        let reason = format!("{least} of {all} symbols must match, and the index has {known}");
        return (Strategy::Nothing, reason);
    }
    if possible.contains(&Strategy::Conjunctive) {
        let counting = query.known().filter(|(_, token)| token.counts);
        let rarest = counting.map(|(token, _)| index.frequency(token)).min();
        let rarest = rarest.unwrap_or(0);
        let reason =
            format!("all {known} known symbols must match; {rarest} formulas hold the rarest");
        return (Strategy::Conjunctive, reason);
    }
    if k > formulas / SCAN_FROM {
        let reason = format!("{k} of {formulas} formulas are wanted: the bar stays low");
        return (Strategy::Scan, reason);
    }
    if possible.contains(&Strategy::Pruned) {
        let reason = format!("{k} of {formulas} formulas are wanted: most cannot be among them");
        return (Strategy::Pruned, reason);
    }
    if possible.contains(&Strategy::MOfN) {
        return (
            Strategy::MOfN,
            format!("{least} of {all} symbols must match"),
        );
    }
    (
        Strategy::Scan,
        format!("{known} symbols are too many to count in a byte"),
    )
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
            Strategy::Pruned => "pruned",
            Strategy::Conjunctive => "conjunctive",
            Strategy::MOfN => "m of n",
        })
    }
}
