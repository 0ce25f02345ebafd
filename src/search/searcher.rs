//! The one way to search an index.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::matched::matched;
use super::query::Query;
use super::request::{Formula, Request};
use super::rerank::{Features, RerankQuery, Reranked, rerank};
use super::response::{Hit, Response};
use super::{Explanation, Plan, SearchStats, Strategy, engine, explain, reference};
use crate::index::{Entry, Index, IndexError};
use crate::layout::{self, Layout, LayoutError};
use crate::parallel;
use crate::phoc::Idf;

/// An index that can be searched.
///
/// ```
/// use phocus::corpus::Record;
/// use phocus::index::IndexBuilder;
/// use phocus::phoc::PhocConfig;
/// use phocus::search::{Request, Searcher};
///
/// let mut builder = IndexBuilder::new(PhocConfig::default());
/// builder.add(Record::latex("pythagoras".parse()?, "a^2+b^2=c^2"))?;
/// builder.add(Record::latex("euler".parse()?, r"e^{i\pi}=-1"))?;
/// let searcher = Searcher::new(builder.finish_in_memory()?);
///
/// let response = searcher.search(&Request::latex("x^2+y^2=z^2"))?;
/// assert_eq!(response.hits[0].id.as_str(), "pythagoras");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Searcher {
    index: Index,
}

/// Why a search has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The query cannot be laid out.
    #[error(transparent)]
    Query(#[from] LayoutError),
    /// The index is damaged where the query looks.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// IDF by region was asked of an index that does not count regions.
    #[error(
        "{} does not count regions: build it with a configuration that has `idf = \"region\"`",
        .path.display()
    )]
    NoRegionCounts {
        /// The index.
        path: PathBuf,
    },
    /// No formula has the id.
    #[error("{} has no formula {id}", .path.display())]
    NoFormula {
        /// The index.
        path: PathBuf,
        /// The id.
        id: String,
    },
}

/// A request whose formula is laid out and encoded for one index.
struct Prepared {
    layout: Layout,
    /// The LaTeX that was laid out; empty where it was no LaTeX.
    read_as: String,
    unknown_commands: Vec<String>,
    query: Query,
    idf: Idf,
    rerank: usize,
    threads: usize,
}

/// What the first stage and re-ranking found, without what is shown of formulas.
#[derive(Debug)]
#[non_exhaustive]
pub struct Matches {
    /// The formulas, best first, each by its number in the index with its score.
    pub formulas: Vec<(usize, f64)>,
    /// Which engine answered, and why.
    pub plan: Plan,
    /// What the engine looked at.
    pub stats: SearchStats,
    /// The length of all postings of the query's tokens.
    pub postings_in_lists: u64,
}

impl Searcher {
    /// Opens the index at `path`.
    ///
    /// # Errors
    /// When it is not there, not an index, of another version, cut or damaged.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, IndexError> {
        Ok(Searcher::new(Index::open(path.as_ref())?))
    }

    /// Searches an index that is open.
    pub fn new(index: Index) -> Self {
        Searcher { index }
    }

    /// The index.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Answers a request.
    ///
    /// # Errors
    /// When the formula cannot be laid out, or the index is damaged where the
    /// query looks, or cannot do what is asked.
    pub fn search(&self, request: &Request) -> Result<Response, SearchError> {
        let started = Instant::now();
        let prepared = self.prepare(request)?;
        let (plan, stats, results) = if request.distinct {
            self.find_distinct(request, &prepared)?
        } else {
            self.find(request, &prepared)?
        };
        let hits = self.hits(request, &prepared, results)?;
        Ok(response(&prepared, hits, (plan, stats), started))
    }

    /// Answers several requests, each on one thread and at most `threads` at
    /// once; 0 is all of the current rayon pool.
    pub fn search_all(
        &self,
        requests: &[Request],
        threads: usize,
    ) -> Vec<Result<Response, SearchError>> {
        parallel::map(requests, parallel::threads(threads), |request| {
            self.search(&request.clone().threads(1))
        })
    }

    /// Finds what [`search`](Self::search) finds, and reads nothing of the
    /// formulas found: what a benchmark of the search alone measures.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    pub fn find_only(&self, request: &Request) -> Result<Matches, SearchError> {
        let prepared = self.prepare(request)?;
        let (plan, stats, results) = self.find(request, &prepared)?;
        let known = prepared.query.known();
        Ok(Matches {
            formulas: (results.iter())
                .map(|result| (result.scored.formula, result.scored.score()))
                .collect(),
            plan,
            stats,
            postings_in_lists: known.map(|(token, _)| self.index.frequency(token)).sum(),
        })
    }

    /// The results of the plain reference scorer, which shares no code with
    /// the engines: every formula is scored, all are sorted, the first k
    /// taken. It does not re-rank. Each is a formula's number in the index
    /// with its score.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    pub fn reference(&self, request: &Request) -> Result<Vec<(usize, f64)>, SearchError> {
        let prepared = self.prepare(request)?;
        let scored = reference::search(&self.index, &prepared.query, request.k)?;
        let scored = scored.into_iter();
        Ok(scored
            .map(|scored| (scored.formula, scored.score()))
            .collect())
    }

    /// The engines that can answer a request.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    pub fn strategies(&self, request: &Request) -> Result<Vec<Strategy>, SearchError> {
        Ok(Plan::possible(&self.prepare(request)?.query))
    }

    /// Takes the score of one formula apart; `id` is its external id.
    ///
    /// # Errors
    /// As [`search`](Self::search), and when no formula has the id.
    pub fn explain(&self, request: &Request, id: &str) -> Result<Explanation, SearchError> {
        let formula = self.index.find(id)?.ok_or_else(|| SearchError::NoFormula {
            path: self.index.path().to_path_buf(),
            id: id.to_owned(),
        })?;
        let prepared = self.prepare(request)?;
        let likeness = if prepared.rerank > 0 {
            let candidate = Features::new(&self.index.layout(formula)?);
            Some(RerankQuery::new(&prepared.layout).likeness(&candidate))
        } else {
            None
        };
        let mut explanation = explain::explain(&self.index, &prepared.query, formula)?;
        explanation.id = id.to_owned();
        explanation.latex = self.index.entry(formula)?.latex;
        explanation.likeness = likeness;
        Ok(explanation)
    }

    /// Reads every posting of the query's tokens once and does nothing with
    /// them: a lower bound of time that engines are measured against.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    pub fn stream(&self, request: &Request) -> Result<u64, SearchError> {
        let prepared = self.prepare(request)?;
        let sum = engine::stream(&self.index, &prepared.query, prepared.threads)?;
        Ok(sum)
    }

    fn prepare(&self, request: &Request) -> Result<Prepared, SearchError> {
        let (mut read_as, mut unknown_commands) = Default::default();
        let layout = match &request.formula {
            Formula::Latex(latex) => {
                let read = layout::read_latex(latex)?;
                (read_as, unknown_commands) = (read.read_as, read.unknown_commands);
                read.layout
            }
            Formula::Svg(svg) => layout::svg::parse(svg)?,
            Formula::Layout(layout) => layout.clone(),
        };
        let config = &self.index.meta().config;
        let idf = request.idf.unwrap_or(config.idf);
        if idf == Idf::Region && config.idf != Idf::Region {
            return Err(SearchError::NoRegionCounts {
                path: self.index.path().to_path_buf(),
            });
        }
        Ok(Prepared {
            query: Query::new(&layout, &self.index, request.min_match, idf),
            layout,
            read_as,
            unknown_commands,
            idf,
            rerank: request.rerank.unwrap_or(config.rerank),
            threads: parallel::threads(request.threads),
        })
    }

    fn plan(&self, request: &Request, prepared: &Prepared, k: usize) -> Plan {
        let mut plan = Plan::new(&self.index, &prepared.query, k, prepared.threads);
        if let Some(strategy) = request.strategy {
            plan.strategy = strategy;
            plan.reason = "as asked".to_owned();
        }
        if let Some(level) = request.level {
            plan.level = level;
        }
        plan
    }

    /// The `k` best, the first of them re-ranked.
    fn find(
        &self,
        request: &Request,
        prepared: &Prepared,
    ) -> Result<(Plan, SearchStats, Vec<Reranked>), SearchError> {
        let plan = self.plan(request, prepared, fetch_depth(request.k, prepared.rerank));
        let ranking = plan.run(&self.index, &prepared.query)?;
        let mut results = rerank(
            &prepared.layout,
            &self.index,
            ranking.formulas,
            prepared.rerank,
            prepared.threads,
        )?;
        results.truncate(request.k);
        Ok((plan, ranking.stats, results))
    }

    /// The same with each visual id once. Where the index keeps several
    /// formulas of one visual id, the search goes as deep as it must.
    fn find_distinct(
        &self,
        request: &Request,
        prepared: &Prepared,
    ) -> Result<(Plan, SearchStats, Vec<Reranked>), SearchError> {
        let wanted = fetch_depth(request.k, prepared.rerank);
        let mut depth = wanted;
        let mut stats = SearchStats::default();
        loop {
            let plan = self.plan(request, prepared, depth);
            let ranking = plan.run(&self.index, &prepared.query)?;
            stats += ranking.stats;
            let is_all = ranking.formulas.len() < depth;
            let numbers: Vec<usize> = ranking.formulas.iter().map(|f| f.formula).collect();
            let mut seen = HashSet::new();
            let mut is_new = |entry: &Entry| {
                let visual_id = &entry.first.visual_id;
                visual_id.is_none() || seen.insert(visual_id.clone())
            };
            let entries = self.index.entries(&numbers)?;
            let found = ranking.formulas.into_iter().zip(&entries);
            let mut distinct: Vec<_> = found
                .filter(|(_, entry)| is_new(entry))
                .map(|(scored, _)| scored)
                .collect();
            if is_all || distinct.len() >= wanted {
                distinct.truncate(wanted);
                let mut results = rerank(
                    &prepared.layout,
                    &self.index,
                    distinct,
                    prepared.rerank,
                    prepared.threads,
                )?;
                results.truncate(request.k);
                return Ok((plan, stats, results));
            }
            depth *= 2;
        }
    }

    fn hits(
        &self,
        request: &Request,
        prepared: &Prepared,
        results: Vec<Reranked>,
    ) -> Result<Vec<Hit>, SearchError> {
        let numbers: Vec<usize> = results.iter().map(|result| result.scored.formula).collect();
        let entries = self.index.entries(&numbers)?;
        let matched = if request.matched {
            matched(&self.index, &prepared.query, &numbers)?
        } else {
            vec![Vec::new(); numbers.len()]
        };
        let shown = results.into_iter().zip(entries).zip(matched);
        let hits = (1..)
            .zip(shown)
            .map(|(rank, ((result, entry), matched))| Hit {
                rank,
                id: entry.id,
                score: result.scored.score(),
                likeness: result.likeness,
                latex: entry.latex,
                instances: entry.instances,
                first: entry.first,
                matched,
                formula: result.scored.formula,
            });
        Ok(hits.collect())
    }
}

/// How many results the first stage finds, where `k` are wanted.
fn fetch_depth(k: usize, rerank: usize) -> usize {
    if k > 0 { k.max(rerank) } else { 0 }
}

fn response(
    prepared: &Prepared,
    hits: Vec<Hit>,
    (plan, stats): (Plan, SearchStats),
    started: Instant,
) -> Response {
    let query = &prepared.query;
    let symbols = query.tokens.iter().filter(|token| token.key.is_symbol());
    Response {
        hits,
        read_as: prepared.read_as.clone(),
        unknown_symbols: query.unknown().map(|key| key.to_string()).collect(),
        unknown_commands: prepared.unknown_commands.clone(),
        symbols: symbols.count(),
        required: query.min_tokens,
        idf: prepared.idf,
        rerank: prepared.rerank,
        plan,
        stats,
        took: started.elapsed(),
    }
}
