//! The ranking that a request asks for: the first stage as deep as need be, then re-ranking.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use super::group::{GROUP_DEPTH, Group, Grouped, Grouping, key};
use super::request::Request;
use super::rerank::{Reranked, rerank};
use super::response::Found;
use super::searcher::{Prepared, SearchError, Searcher};
use super::{Plan, Ranking, ScoredFormula, SearchStats};
use crate::index::{Entry, IndexError};
use crate::parallel;

/// A ranking is not cut deeper than this to fill a page with groups, unless more results are
/// wanted: a list of a million ways of writing one formula is no reason to read them all.
const MAX_GROUP_DEPTH: usize = 10_000;

/// The formulas of the ranks that are wanted, and how they were found.
pub(super) struct Ranked {
    pub(super) plan: Plan,
    pub(super) stats: SearchStats,
    pub(super) found: Found,
    /// The time in which entries were read, to tell visual ids apart.
    pub(super) reading: Duration,
    /// Best first; groups of one, if the request asks for none.
    pub(super) results: Vec<Grouped>,
}

impl Searcher {
    /// The results that a request asks for.
    pub(super) fn ranked(
        &self,
        request: &Request,
        prepared: &Prepared,
    ) -> Result<Ranked, SearchError> {
        if request.group != Group::None {
            self.find_groups(request, prepared)
        } else if request.distinct {
            self.find_distinct(request, prepared)
        } else {
            self.find(request, prepared)
        }
    }

    /// The groups of the ranks that are wanted: the ranking is cut deeper until there are enough.
    ///
    /// As many of the first are re-ranked however deep it is, so the groups of a deeper ranking
    /// begin with those of a shallower one.
    fn find_groups(&self, request: &Request, prepared: &Prepared) -> Result<Ranked, SearchError> {
        let mut depth = fetch_depth(request, prepared.rerank);
        if depth > 0 {
            depth = depth.max(GROUP_DEPTH);
        }
        let limit = depth.max(MAX_GROUP_DEPTH);
        let mut grouping = Grouping::default();
        let mut stats = SearchStats::default();
        let mut done = 0;
        loop {
            let plan = self.plan(request, prepared, depth);
            let ranking = self.first_stage(&plan, prepared)?;
            stats += ranking.stats;
            let count = ranking.formulas.len();
            let further = ranking.formulas.into_iter().skip(done).collect();
            // The first time, at least as many are ranked as are re-ranked.
            let rerank_depth = if done == 0 { prepared.rerank } else { 0 };
            let ranked = self.reranked(prepared, further, rerank_depth)?;
            let keys = parallel::map(&ranked, prepared.threads, |result| {
                match self.index().layout(result.scored.formula) {
                    Ok(layout) => Ok(Some(key(&layout, request.group))),
                    // A drawing, where layouts are not kept, is in no group.
                    Err(IndexError::NoLayout { .. }) => Ok(None),
                    Err(error) => Err(error),
                }
            });
            for (result, key) in ranked.into_iter().zip(keys) {
                grouping.add(result, key?);
            }
            done = count;
            let is_all = count < depth || count == self.index().formulas();
            if is_all || grouping.groups.len() >= request.last() || depth >= limit {
                return Ok(Ranked {
                    plan,
                    stats,
                    found: self.found(prepared, count, is_all),
                    reading: Duration::ZERO,
                    results: page(request, grouping.groups),
                });
            }
            depth = (2 * depth).min(limit);
        }
    }

    /// The results that are wanted, ungrouped.
    ///
    /// As many of the first are re-ranked whatever ranks are wanted, so that one page continues
    /// the other.
    fn find(&self, request: &Request, prepared: &Prepared) -> Result<Ranked, SearchError> {
        let depth = fetch_depth(request, prepared.rerank);
        let plan = self.plan(request, prepared, depth);
        let ranking = self.first_stage(&plan, prepared)?;
        let count = ranking.formulas.len();
        let is_all = count < depth || count == self.index().formulas();
        let found = self.found(prepared, count, is_all);
        Ok(Ranked {
            plan,
            stats: ranking.stats,
            found,
            reading: Duration::ZERO,
            results: self.wanted(request, prepared, ranking.formulas)?,
        })
    }

    /// How many formulas match, of which so many were ranked: all of them, or those that were
    /// wanted.
    ///
    /// Where any one token is enough, every formula that holds the most frequent one matches, and
    /// no formula has to be looked at to know how many these are.
    fn found(&self, prepared: &Prepared, ranked: usize, is_all: bool) -> Found {
        let query = &prepared.query;
        let is_any = query.min_tokens <= 1 && prepared.filter.is_none();
        let holding = query.known_counting();
        let holding = holding.map(|(token, _)| self.index().frequency(token) as usize);
        let most = holding.max().filter(|_| is_any && !is_all);
        Found {
            count: ranked.max(most.unwrap_or(0)),
            exact: is_all,
        }
    }

    /// The same with each visual id once. Where the index keeps several
    /// formulas of one visual id, the search goes as deep as it must.
    fn find_distinct(&self, request: &Request, prepared: &Prepared) -> Result<Ranked, SearchError> {
        let wanted = fetch_depth(request, prepared.rerank);
        let mut depth = wanted;
        let mut stats = SearchStats::default();
        let mut reading = Duration::ZERO;
        loop {
            let plan = self.plan(request, prepared, depth);
            let ranking = self.first_stage(&plan, prepared)?;
            stats += ranking.stats;
            let is_all = ranking.formulas.len() < depth;
            let numbers: Vec<usize> = ranking.formulas.iter().map(|f| f.formula).collect();
            let mut seen = HashSet::new();
            let mut is_new = |entry: &Entry| {
                let visual_id = &entry.first.visual_id;
                visual_id.is_none() || seen.insert(visual_id.clone())
            };
            let started = Instant::now();
            let entries = self.index().entries(&numbers)?;
            reading += started.elapsed();
            let found = ranking.formulas.into_iter().zip(&entries);
            let mut distinct: Vec<_> = found
                .filter(|(_, entry)| is_new(entry))
                .map(|(scored, _)| scored)
                .collect();
            if is_all || distinct.len() >= wanted {
                let found = Found {
                    count: distinct.len(),
                    exact: is_all,
                };
                distinct.truncate(wanted);
                let results = self.wanted(request, prepared, distinct)?;
                return Ok(Ranked {
                    plan,
                    stats,
                    found,
                    reading,
                    results,
                });
            }
            depth *= 2;
        }
    }

    /// Whether a formula is among the first results, which are re-ranked.
    pub(super) fn is_reranked(
        &self,
        request: &Request,
        prepared: &Prepared,
        formula: usize,
    ) -> Result<bool, SearchError> {
        let plan = self.plan(request, prepared, prepared.rerank);
        let ranking = self.first_stage(&plan, prepared)?;
        let mut first = ranking.formulas.iter();
        Ok(first.any(|scored| scored.formula == formula))
    }

    fn first_stage(&self, plan: &Plan, prepared: &Prepared) -> Result<Ranking, IndexError> {
        let filter = prepared.filter.as_deref();
        plan.run_filtered(self.index(), &prepared.query, filter)
    }

    fn plan(&self, request: &Request, prepared: &Prepared, k: usize) -> Plan {
        let mut plan = Plan::new(self.index(), &prepared.query, k, prepared.threads);
        if let Some(strategy) = request.strategy {
            plan.strategy = strategy;
            plan.reason = "as asked".to_owned();
        }
        if let Some(level) = request.level {
            plan.level = level;
        }
        plan
    }

    /// Re-ranks the first of these formulas, and takes those of the ranks that are wanted.
    fn wanted(
        &self,
        request: &Request,
        prepared: &Prepared,
        formulas: Vec<ScoredFormula>,
    ) -> Result<Vec<Grouped>, SearchError> {
        let results = self.reranked(prepared, formulas, prepared.rerank)?;
        Ok(page(
            request,
            results.into_iter().map(Grouped::alone).collect(),
        ))
    }

    fn reranked(
        &self,
        prepared: &Prepared,
        formulas: Vec<ScoredFormula>,
        depth: usize,
    ) -> Result<Vec<Reranked>, SearchError> {
        let Prepared {
            layout, threads, ..
        } = prepared;
        Ok(rerank(layout, self.index(), formulas, depth, *threads)?)
    }
}

/// The results of the ranks that are wanted.
fn page(request: &Request, mut results: Vec<Grouped>) -> Vec<Grouped> {
    results.truncate(request.last());
    results.drain(..request.from.min(results.len()));
    results
}

/// How many results the first stage finds.
fn fetch_depth(request: &Request, rerank: usize) -> usize {
    if request.k > 0 {
        request.last().max(rerank)
    } else {
        0
    }
}
