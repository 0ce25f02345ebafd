//! The one way to search an index.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use super::explain::{Order, OrderedBy};
use super::facets::Facets;
use super::filter::Filter;
use super::group::Grouped;
use super::matched::matched;
use super::query::Query;
use super::rank::Ranked;
use super::request::{Formula, Request};
use super::rerank::Reranked;
#[cfg(feature = "ask")]
use super::rerank::whole_likeness;
use super::response::{Hit, Response, Times};
use super::{Explanation, Plan, SearchStats, Strategy, engine, explain, reference};
use crate::index::{Entry, Index, IndexError};
use crate::latex::macros::recalled;
use crate::layout::{self, Layout, LayoutError, Macros, ReadQuery};
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
    /// The macros that queries may use, once a query was read.
    macros: OnceLock<Macros>,
    /// Where formulas occur, once that was asked for.
    pub(super) facets: OnceLock<Facets>,
    /// The filters that were last used.
    pub(super) filters: Mutex<Vec<Arc<Filter>>>,
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
    /// No formula occurs in text of the type, or is from the source, that is asked for.
    #[error("{}", no_such_value(.field, .value, .known))]
    NoSuchValue {
        /// `type` or `source`.
        field: &'static str,
        /// What was asked for.
        value: String,
        /// What there is.
        known: Vec<String>,
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

fn no_such_value(field: &str, value: &str, known: &[String]) -> String {
    const SHOWN: usize = 20;
    if known.is_empty() {
        return format!("the index says of no formula what its {field} is");
    }
    let shown: Vec<&str> = known.iter().take(SHOWN).map(String::as_str).collect();
    let more = if known.len() > SHOWN { ", …" } else { "" };
    format!(
        "no formula has the {field} {value:?}; there are {}{more}",
        shown.join(", ")
    )
}

/// A request whose formula is laid out and encoded for one index.
pub(super) struct Prepared {
    pub(super) layout: Layout,
    /// The LaTeX that was laid out; empty where it was no LaTeX.
    read_as: String,
    /// How else it might have been read.
    notes: Vec<String>,
    unknown_commands: Vec<String>,
    pub(super) query: Query,
    idf: Idf,
    /// The time that the layout took.
    laid_out_in: Duration,
    pub(super) rerank: usize,
    pub(super) threads: usize,
    /// The formulas that may be results; none where all may.
    pub(super) filter: Option<Arc<Filter>>,
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

/// The formulas most like a query.
#[cfg(feature = "ask")]
#[derive(Debug, Clone, Default)]
pub(crate) struct Nearest {
    /// The LaTeX as it was laid out.
    pub(crate) read_as: String,
    /// What was guessed or left out to read it.
    pub(crate) notes: Vec<String>,
    /// How many symbols it has.
    pub(crate) symbols: usize,
    /// The formulas by their numbers in the index, each with how alike it and the query are: a
    /// share of the likeness that the query has with itself.
    pub(crate) formulas: Vec<(usize, f64)>,
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
        Searcher {
            index,
            macros: OnceLock::new(),
            facets: OnceLock::new(),
            filters: Mutex::default(),
        }
    }

    /// The index.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Answers a request.
    ///
    /// # Errors
    /// When the formula cannot be laid out, or the index is damaged where the
    /// query looks, was changed in place, or cannot do what is asked.
    pub fn search(&self, request: &Request) -> Result<Response, SearchError> {
        self.index.sound(self.answer(request))
    }

    fn answer(&self, request: &Request) -> Result<Response, SearchError> {
        let started = Instant::now();
        let prepared = self.prepare(request)?;
        let ranked = self.ranked(request, &prepared)?;
        let ranked_by = started.elapsed();
        let hits = self.hits(request, &prepared, &ranked.results)?;
        let mut response = response(request, &prepared, hits, &ranked);
        response.took = started.elapsed();
        response.times = Times {
            layout: prepared.laid_out_in,
            search: ranked_by.saturating_sub(prepared.laid_out_in + ranked.reading),
            entries: response.took.saturating_sub(ranked_by) + ranked.reading,
        };
        Ok(response)
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
        self.index.sound(self.matches(request))
    }

    fn matches(&self, request: &Request) -> Result<Matches, SearchError> {
        let prepared = self.prepare(request)?;
        let ranked = self.ranked(request, &prepared)?;
        let known = prepared.query.known();
        Ok(Matches {
            formulas: (ranked.results.iter())
                .map(|group| &group.best.scored)
                .map(|scored| (scored.formula, scored.score()))
                .collect(),
            plan: ranked.plan,
            stats: ranked.stats,
            postings_in_lists: known.map(|(token, _)| self.index.frequency(token)).sum(),
        })
    }

    /// The formulas most like the one of a request, as many as are re-ranked.
    #[cfg(feature = "ask")]
    pub(crate) fn nearest(&self, request: &Request) -> Result<Nearest, SearchError> {
        let prepared = self.prepare(request)?;
        let ranked = self.ranked(request, &prepared)?;
        let whole = whole_likeness(&prepared.layout);
        let results = ranked.results.iter().map(|group| &group.best);
        let alike = results.filter_map(|result| {
            let share = (result.likeness? / whole).clamp(0.0, 1.0);
            (share > 0.0).then_some((result.scored.formula, share))
        });
        Ok(Nearest {
            formulas: alike.collect(),
            symbols: prepared.layout.symbols().len(),
            read_as: prepared.read_as,
            notes: prepared.notes,
        })
    }

    /// Where a text can be read.
    #[cfg(feature = "ask")]
    pub(crate) fn text_url(&self, text: &crate::corpus::Text) -> Option<String> {
        text.instance().address(self.index.link())
    }

    /// The results of the plain reference scorer, which shares no code with
    /// the engines: every formula is scored, all are sorted, those of the ranks
    /// that are wanted taken. It does not re-rank. Each is a formula's number in
    /// the index with its score.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    pub fn reference(&self, request: &Request) -> Result<Vec<(usize, f64)>, SearchError> {
        let answer = || {
            let prepared = self.prepare(request)?;
            let passes = |formula| (prepared.filter.as_ref()).is_none_or(|f| f.passes(formula));
            let scored = reference::search(&self.index, &prepared.query, usize::MAX)?;
            let passing = scored.into_iter().filter(|scored| passes(scored.formula));
            Ok((passing.take(request.last()).skip(request.from))
                .map(|scored| (scored.formula, scored.score()))
                .collect())
        };
        self.index.sound(answer())
    }

    /// The engines that can answer a request.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    pub fn strategies(&self, request: &Request) -> Result<Vec<Strategy>, SearchError> {
        Ok(Plan::possible(&self.prepare(request)?.query))
    }

    /// Says why one formula is a result: its score taken apart, which symbols were matched, what
    /// orders it; `id` is its external id.
    ///
    /// # Errors
    /// As [`search`](Self::search), and when no formula has the id.
    pub fn explain(&self, request: &Request, id: &str) -> Result<Explanation, SearchError> {
        self.index.sound(self.explained(request, id))
    }

    fn explained(&self, request: &Request, id: &str) -> Result<Explanation, SearchError> {
        let formula = self.index.find(id)?.ok_or_else(|| SearchError::NoFormula {
            path: self.index.path().to_path_buf(),
            id: id.to_owned(),
        })?;
        let prepared = self.prepare(request)?;
        let layout = self.index.layout(formula)?;
        let latex = self.index.entry(formula)?.latex;
        // What is stored stands at its corner; what is drawn stands where TeX puts it.
        let drawn = layout::latex(&latex).map(|drawn| drawn.rect());
        let compare = explain::Compare {
            query: &prepared.layout,
            formula: &layout,
            corner: drawn.map_or((0.0, 0.0), |rect| (rect.x0, rect.y0)),
        };
        let mut explanation = explain::explain(&self.index, &prepared.query, formula)?;
        explanation.id = id.to_owned();
        explanation.latex = latex;
        let mut reranking = None;
        if prepared.rerank > 0 {
            let (compared, highest, matches) = compare.renamed();
            explanation.matches = matches;
            explanation.likeness = Some(compared.likeness);
            if self.is_reranked(request, &prepared, formula)? {
                explanation.order = Order {
                    by: OrderedBy::Likeness,
                    value: compared.likeness.sum(),
                };
            }
            reranking = Some(explain::Reranking {
                compared,
                highest,
                depth: prepared.rerank,
            });
        } else {
            explanation.matches = compare.same(&self.index.meta().config);
        }
        explanation.words = explain::words(&explanation, reranking.as_ref());
        (explanation.read_as, explanation.notes) = (prepared.read_as, prepared.notes);
        Ok(explanation)
    }

    /// Reads every posting of the query's tokens once and does nothing with
    /// them: a lower bound of time that engines are measured against.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    pub fn stream(&self, request: &Request) -> Result<u64, SearchError> {
        let answer = || {
            let prepared = self.prepare(request)?;
            let sum = engine::stream(&self.index, &prepared.query, prepared.threads)?;
            Ok(sum)
        };
        self.index.sound(answer())
    }

    /// The macros that the documents of the index define; queries may use them.
    pub(crate) fn macros(&self) -> &Macros {
        let recalled = || recalled(&self.index.meta().macros);
        self.macros.get_or_init(recalled)
    }

    /// Reads a query as a search does: with macros of its own, and with those of the index.
    ///
    /// # Errors
    /// When nothing in it can be laid out.
    pub fn read_query(
        &self,
        typed: &str,
        macros: Option<&Macros>,
    ) -> Result<ReadQuery, LayoutError> {
        let own = macros.into_iter().chain([self.macros()]);
        layout::read_query_with(typed, &own.collect::<Vec<_>>())
    }

    fn prepare(&self, request: &Request) -> Result<Prepared, SearchError> {
        let started = Instant::now();
        let (mut read_as, mut notes, mut unknown_commands) = Default::default();
        let layout = match &request.formula {
            Formula::Latex(latex) => {
                let read = self.read_query(latex, request.macros.as_deref())?;
                (read_as, notes, unknown_commands) =
                    (read.read_as, read.notes, read.unknown_commands);
                read.layout
            }
            Formula::Svg(svg) => layout::svg::parse(svg)?,
            Formula::Layout(layout) => layout.clone(),
        };
        let laid_out_in = started.elapsed();
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
            notes,
            unknown_commands,
            idf,
            laid_out_in,
            rerank: request.rerank.unwrap_or(config.rerank),
            threads: parallel::threads(request.threads),
            filter: self.filter(request)?,
        })
    }

    fn hits(
        &self,
        request: &Request,
        prepared: &Prepared,
        groups: &[Grouped],
    ) -> Result<Vec<Hit>, SearchError> {
        let members: Vec<(usize, &Reranked)> = (groups.iter().enumerate())
            .flat_map(|(at, group)| {
                let members = std::iter::once(&group.best).chain(&group.others);
                members.map(move |member| (request.from + at + 1, member))
            })
            .collect();
        let numbers: Vec<usize> = (members.iter())
            .map(|(_, member)| member.scored.formula)
            .collect();
        let mut entries = self.index.entries(&numbers)?;
        if prepared.filter.is_some() {
            self.show_passing(request, &numbers, &mut entries)?;
        }
        let shown = members.into_iter().zip(entries);
        let mut shown = shown.map(|((rank, member), entry)| hit(rank, member, entry));
        let hits = groups.iter().filter_map(|group| {
            let mut members: Vec<Hit> = shown.by_ref().take(1 + group.others.len()).collect();
            let foremost = foremost(&members, &prepared.read_as)?;
            members[..=foremost].rotate_right(1);
            let mut members = members.into_iter();
            let first = members.next()?;
            Some(Hit {
                others: members.collect(),
                others_count: group.others_count,
                ..first
            })
        });
        let mut hits: Vec<Hit> = hits.collect();
        if request.matched {
            let numbers: Vec<usize> = hits.iter().map(|hit| hit.formula).collect();
            let matched = matched(&self.index, &prepared.query, &numbers)?;
            for (hit, matched) in hits.iter_mut().zip(matched) {
                hit.matched = matched;
            }
        }
        Ok(hits)
    }
}

/// Which member of a group stands for it: of those that are as good as the first the one that is
/// written as the query is, else the one that occurs most often.
fn foremost(members: &[Hit], read_as: &str) -> Option<usize> {
    let first = members.first()?;
    let is_as_good = |hit: &Hit| (hit.likeness, hit.score) == (first.likeness, first.score);
    let as_good = members.iter().take_while(|hit| is_as_good(hit)).enumerate();
    let best = as_good.max_by_key(|(at, hit)| {
        let is_query = hit.latex == read_as;
        (is_query, hit.instances, std::cmp::Reverse(*at))
    });
    best.map(|(at, _)| at)
}

fn hit(rank: usize, result: &Reranked, entry: Entry) -> Hit {
    Hit {
        rank,
        id: entry.id,
        score: result.scored.score(),
        likeness: result.likeness,
        latex: entry.latex,
        instances: entry.instances,
        first: entry.first,
        matched: Vec::new(),
        others: Vec::new(),
        others_count: 0,
        formula: result.scored.formula,
    }
}

/// A response whose times are still to be told.
fn response(request: &Request, prepared: &Prepared, hits: Vec<Hit>, ranked: &Ranked) -> Response {
    let query = &prepared.query;
    let symbols = query.tokens.iter().filter(|token| token.key.is_symbol());
    Response {
        hits,
        found: ranked.found,
        read_as: prepared.read_as.clone(),
        notes: prepared.notes.clone(),
        unknown_symbols: query.unknown().map(|key| key.to_string()).collect(),
        unknown_commands: prepared.unknown_commands.clone(),
        symbols: symbols.count(),
        required: query.min_tokens,
        idf: prepared.idf,
        rerank: prepared.rerank,
        group: request.group,
        plan: ranked.plan.clone(),
        stats: ranked.stats,
        took: Duration::ZERO,
        times: Times::default(),
    }
}
