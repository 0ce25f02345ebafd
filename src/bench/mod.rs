//! Timing searches: times and measures of topics at one minimum match.

mod plot;
mod row;

pub use plot::plot;
pub use row::{Row, Throughput};

use std::time::Instant;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::eval::{Measures, Qrels, Run, average, evaluate, mean, quantile};
use crate::layout::Layout;
use crate::phoc::Idf;
use crate::search::{Matches, MinMatch, Request, SearchError, SearchStats, Searcher};

/// How searches are timed.
#[derive(Debug, Clone, Copy)]
pub struct BenchSettings {
    /// How many results are found for each topic.
    pub k: usize,
    /// How often each topic is searched.
    pub repeat: u32,
    /// How many threads a search uses; 0 is one for each core.
    pub threads: usize,
    /// Whether rare symbols weigh more, instead of what the index's configuration says.
    pub idf: Option<Idf>,
    /// How many results are re-ranked, instead of what the index's configuration says.
    pub rerank: Option<usize>,
    /// Whether throughput is measured too.
    pub throughput: bool,
    /// Whether reading the postings alone is timed too.
    pub stream: bool,
}

/// The topics of a benchmark, which are searched repeatedly.
#[derive(Debug)]
pub struct Bench<'a> {
    searcher: &'a Searcher,
    topics: &'a [(String, Layout)],
    qrels: Option<&'a Qrels>,
    settings: BenchSettings,
    pool: ThreadPool,
    one_thread: ThreadPool,
}

/// The times of each topic, in milliseconds, and the counts of all searches.
#[derive(Default)]
struct Timed {
    times: Vec<Vec<f64>>,
    stats: SearchStats,
    found: usize,
    postings_in_lists: u64,
}

impl<'a> Bench<'a> {
    /// A benchmark of these topics, given by their names. With judgments, results are measured
    /// too.
    ///
    /// # Errors
    /// When threads cannot be started.
    pub fn new(
        searcher: &'a Searcher,
        topics: &'a [(String, Layout)],
        qrels: Option<&'a Qrels>,
        settings: BenchSettings,
    ) -> Result<Self, ThreadPoolBuildError> {
        let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build();
        Ok(Bench {
            searcher,
            topics,
            qrels,
            settings,
            pool: pool(settings.threads)?,
            one_thread: pool(1)?,
        })
    }

    /// How many threads a search uses.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Times and measures the searches at one minimum match.
    ///
    /// # Errors
    /// When the index is damaged, or cannot do what the settings ask for.
    pub fn row(&self, min_match: MinMatch) -> Result<Row, SearchError> {
        self.pool.install(|| self.measured(min_match))
    }

    fn measured(&self, min_match: MinMatch) -> Result<Row, SearchError> {
        let timed = self.timed(min_match)?;
        let spreads: Vec<f64> = timed.times.iter().map(|times| spread(times)).collect();
        let all: Vec<f64> = timed.times.concat();
        let topics = self.topics.len() as f64;
        let searches = topics * f64::from(self.settings.repeat);
        let stream = self.settings.stream.then(|| self.stream_ms(min_match));
        let throughput = self.settings.throughput;
        let throughput = throughput.then(|| self.throughput(min_match));
        let measures = self.qrels.map(|qrels| self.measure(min_match, qrels));
        Ok(Row {
            min_match: min_match.part(),
            mean_ms: average(&all),
            median_ms: quantile(&all, 0.5),
            q1_ms: quantile(&all, 0.25),
            q3_ms: quantile(&all, 0.75),
            p95_ms: quantile(&all, 0.95),
            p99_ms: quantile(&all, 0.99),
            max_ms: quantile(&all, 1.0),
            noise: quantile(&spreads, 0.5),
            stream_ms: stream.transpose()?,
            candidates: timed.stats.candidates as f64 / searches,
            postings: timed.stats.postings as f64 / searches,
            postings_in_lists: timed.postings_in_lists as f64 / topics,
            found: timed.found as f64 / topics,
            throughput: throughput.transpose()?,
            measures: measures.transpose()?,
        })
    }

    /// Searches every topic as often as the settings say, after a first pass that is not timed.
    fn timed(&self, min_match: MinMatch) -> Result<Timed, SearchError> {
        let mut timed = Timed {
            times: vec![Vec::new(); self.topics.len()],
            ..Timed::default()
        };
        for pass in 0..=self.settings.repeat {
            for ((_, layout), times) in self.topics.iter().zip(&mut timed.times) {
                let started = Instant::now();
                let searched = self.search(layout, min_match, self.threads())?;
                let took = ms_since(started);
                if pass > 0 {
                    times.push(took);
                    timed.stats += searched.stats;
                } else {
                    timed.found += searched.formulas.len();
                    timed.postings_in_lists += searched.postings_in_lists;
                }
            }
        }
        Ok(timed)
    }

    fn request(&self, layout: &Layout, min_match: MinMatch) -> Request {
        let mut request = Request::layout(layout.clone())
            .k(self.settings.k)
            .min_match(min_match)
            .threads(self.threads());
        request.idf = self.settings.idf;
        request.rerank = self.settings.rerank;
        request
    }

    fn search(
        &self,
        layout: &Layout,
        min_match: MinMatch,
        threads: usize,
    ) -> Result<Matches, SearchError> {
        let request = self.request(layout, min_match).threads(threads);
        self.searcher.find_only(&request)
    }

    /// Milliseconds to read a topic's postings, as often as it was searched.
    fn stream_ms(&self, min_match: MinMatch) -> Result<f64, SearchError> {
        let mut times = Vec::new();
        for (_, layout) in (0..self.settings.repeat).flat_map(|_| self.topics) {
            let request = self.request(layout, min_match);
            let started = Instant::now();
            std::hint::black_box(self.searcher.stream(&request)?);
            times.push(ms_since(started));
        }
        Ok(average(&times))
    }

    /// All topics one after the other, then all at once, each on one thread.
    fn throughput(&self, min_match: MinMatch) -> Result<Throughput, SearchError> {
        let search = |(_, layout): &(String, Layout)| -> Result<(), SearchError> {
            std::hint::black_box(self.search(layout, min_match, 1)?);
            Ok(())
        };
        let (mut one, mut all) = (Vec::new(), Vec::new());
        for _ in 0..self.settings.repeat {
            let started = Instant::now();
            self.one_thread
                .install(|| self.topics.iter().try_for_each(search))?;
            one.push(started.elapsed().as_secs_f64());
            let started = Instant::now();
            self.topics
                .par_iter()
                .with_max_len(1)
                .try_for_each(search)?;
            all.push(started.elapsed().as_secs_f64());
        }
        let topics = self.topics.len() as f64;
        let one_thread = topics / quantile(&one, 0.5);
        let all_threads = topics / quantile(&all, 0.5);
        Ok(Throughput {
            one_thread,
            all_threads,
            ratio: all_threads / one_thread,
        })
    }

    /// The measures of the run at one minimum match.
    fn measure(&self, min_match: MinMatch, qrels: &Qrels) -> Result<Measures, SearchError> {
        let mut run = Run::default();
        for (number, layout) in self.topics {
            let request = self.request(layout, min_match);
            let response = self
                .searcher
                .search(&request.distinct(true).matched(false))?;
            // Scores strictly decrease, as they do in a written run.
            let ranked = response.hits.iter().map(|hit| {
                let score = -(hit.rank as f64);
                (hit.visual_id().to_owned(), score)
            });
            run.topics.insert(number.clone(), ranked.collect());
        }
        Ok(mean(&evaluate(&run, qrels)))
    }
}

fn ms_since(started: Instant) -> f64 {
    started.elapsed().as_secs_f64() * 1e3
}

/// The distance between the quartiles of some times, divided by their median.
fn spread(times: &[f64]) -> f64 {
    let median = quantile(times, 0.5).max(f64::MIN_POSITIVE);
    (quantile(times, 0.75) - quantile(times, 0.25)) / median
}
