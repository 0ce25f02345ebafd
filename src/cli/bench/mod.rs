//! `phocus bench`: time against effectiveness, threshold by threshold.

mod plot;
mod report;

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use rayon::prelude::*;

use super::Outcome;
use super::args::parse_threads;
use super::search::idf_for;
use crate::cli::output::write_whole;
use crate::corpus::read_topics;
use crate::eval::{Measures, Qrels, Run, average, evaluate, mean, quantile};
use crate::index::{Index, IndexError};
use crate::layout::{self, Layout};
use crate::phoc::Idf;
use crate::rerank::{Answer, search_bare, search_distinct};
use crate::search::{Effort, Level, MinMatch, Query, stream};
use report::{Report, Row, Throughput, spread};

/// Time searches as the minimum match changes, and what they find.
///
/// Every topic is searched --repeat times at every threshold, after one pass
/// that is not counted. A time is from a topic's layout to its ranked
/// formulas, ranked again as a search of the index is; reading their LaTeX for
/// display is not in it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
q1 and q3 are the quartiles of all times. noise is how far apart the quartiles
of one topic's own times lie, as a part of its median, for the median topic:
where it is high, the machine was busy.

  phocus bench formulas.phoc --topics topics.xml
  phocus bench formulas.phoc --topics topics.tsv --qrels qrels.tsv --plot trade.svg")]
pub(super) struct Args {
    /// The index.
    index: PathBuf,
    /// The topics; several files are joined.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    topics: Vec<PathBuf>,
    /// Judgments, to measure what is found: topic, 0, visual id, grade.
    #[arg(long, value_name = "FILE")]
    qrels: Option<PathBuf>,
    /// The minimum matches, in percent.
    #[arg(long, value_name = "PERCENT", num_args = 1.., default_values_t = [0.0, 25.0, 50.0, 75.0, 85.0, 95.0, 100.0])]
    thresholds: Vec<f64>,
    /// How many results a topic.
    #[arg(short, long, default_value_t = 1000)]
    k: usize,
    /// How often each topic is searched.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// How many threads a search has [default: one a core].
    #[arg(long, default_value_t = 0, hide_default_value = true, value_parser = parse_threads)]
    threads: usize,
    /// Let rare symbols weigh more [default: as the index's configuration says].
    #[arg(long, num_args = 0..=1, default_missing_value = "true", value_name = "HOW", require_equals = true)]
    idf: Option<Idf>,
    /// How many of the first results to rank again; 0 is none [default: as the index's configuration says].
    #[arg(long, value_name = "N")]
    rerank: Option<usize>,
    /// Also time all topics at once, one a thread, against one after the other.
    #[arg(long)]
    throughput: bool,
    /// Also time reading the same postings once and doing nothing with them.
    #[arg(long)]
    stream: bool,
    /// Draw time against effectiveness (or against the threshold, without --qrels).
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// A topic that can be searched for.
struct Topic {
    number: String,
    layout: Layout,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let index = Index::open(&args.index)?;
    let qrels = args.qrels.as_deref().map(Qrels::read).transpose()?;
    let thresholds = thresholds(&args.thresholds)?;
    let (topics, lost) = read(&args.topics)?;
    anyhow::ensure!(!topics.is_empty(), "no topic can be laid out");
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads)
        .build()?;
    let bench = Bench {
        index: &index,
        topics: &topics,
        qrels: qrels.as_ref(),
        idf: idf_for(&index, args.idf)?,
        again: args.rerank.unwrap_or(index.meta().config.rerank),
        threads: pool.current_num_threads(),
        args,
    };
    let mut rows = Vec::new();
    for min_match in thresholds {
        if !args.json {
            eprintln!("timing {} topics at {min_match}", topics.len());
        }
        rows.push(pool.install(|| bench.row(min_match))?);
    }
    let report = Report {
        index: args.index.display().to_string(),
        formulas: index.formulas() as u64,
        topics: topics.len(),
        lost,
        k: args.k,
        repeat: args.repeat,
        threads: bench.threads,
        idf: bench.idf,
        rerank: bench.again,
        level: Level::best(),
        thresholds: rows,
    };
    if let Some(path) = &args.plot {
        let written = write_whole(path, plot::plot(&report.thresholds).as_bytes());
        written.with_context(|| format!("cannot write {}", path.display()))?;
    }
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        report.write(&mut out)?;
    }
    Ok(if lost > 0 {
        Outcome::Partial
    } else {
        Outcome::Done
    })
}

fn thresholds(percents: &[f64]) -> anyhow::Result<Vec<MinMatch>> {
    let thresholds = percents.iter().map(|percent| {
        MinMatch::new(percent / 100.0)
            .with_context(|| format!("a threshold is from 0 to 100 percent; found {percent}"))
    });
    thresholds.collect()
}

/// The topics that can be laid out, and how many cannot.
fn read(paths: &[PathBuf]) -> anyhow::Result<(Vec<Topic>, usize)> {
    let mut topics = Vec::new();
    let mut lost = 0;
    for path in paths {
        for topic in read_topics(path)? {
            match layout::latex(&topic.latex) {
                Ok(layout) => topics.push(Topic {
                    number: topic.number,
                    layout,
                }),
                Err(error) => {
                    eprintln!("topic {} is left out: {error}", topic.number);
                    lost += 1;
                }
            }
        }
    }
    Ok((topics, lost))
}

struct Bench<'a> {
    index: &'a Index,
    topics: &'a [Topic],
    qrels: Option<&'a Qrels>,
    idf: Idf,
    again: usize,
    threads: usize,
    args: &'a Args,
}

impl Bench<'_> {
    fn row(&self, min_match: MinMatch) -> anyhow::Result<Row> {
        let mut times: Vec<Vec<f64>> = vec![Vec::new(); self.topics.len()];
        let (mut effort, mut found, mut in_lists) = (Effort::default(), 0, 0);
        for pass in 0..=self.args.repeat {
            for (topic, times) in self.topics.iter().zip(&mut times) {
                let started = Instant::now();
                let query = self.query(topic, min_match);
                let searched = self.search(topic, &query, self.threads)?;
                let took = started.elapsed().as_secs_f64() * 1e3;
                // The first pass warms up.
                if pass > 0 {
                    times.push(took);
                    effort += searched.effort;
                } else {
                    found += searched.results.len();
                    let known = query.known();
                    in_lists += known
                        .map(|(token, _)| self.index.frequency(token))
                        .sum::<u64>();
                }
            }
        }
        let spreads: Vec<f64> = times.iter().map(|times| spread(times)).collect();
        let noise = quantile(&spreads, 0.5);
        let all: Vec<f64> = times.concat();
        let topics = self.topics.len() as f64;
        let searches = topics * f64::from(self.args.repeat);
        Ok(Row {
            min_match: min_match.part(),
            mean_ms: average(&all),
            median_ms: quantile(&all, 0.5),
            q1_ms: quantile(&all, 0.25),
            q3_ms: quantile(&all, 0.75),
            p95_ms: quantile(&all, 0.95),
            p99_ms: quantile(&all, 0.99),
            max_ms: quantile(&all, 1.0),
            noise,
            stream_ms: if self.args.stream {
                Some(self.stream_ms(min_match)?)
            } else {
                None
            },
            candidates: effort.candidates as f64 / searches,
            postings: effort.postings as f64 / searches,
            postings_in_lists: in_lists as f64 / topics,
            found: found as f64 / topics,
            throughput: if self.args.throughput {
                Some(self.throughput(min_match)?)
            } else {
                None
            },
            measures: self
                .qrels
                .map(|qrels| self.measure(min_match, qrels))
                .transpose()?,
        })
    }

    fn query(&self, topic: &Topic, min_match: MinMatch) -> Query {
        Query::new(&topic.layout, self.index, min_match, self.idf)
    }

    fn search(
        &self,
        topic: &Topic,
        query: &Query,
        threads: usize,
    ) -> Result<Answer<()>, IndexError> {
        let wanted = (self.args.k, self.again);
        search_bare(self.index, &topic.layout, query, wanted, threads)
    }

    /// Milliseconds to read a topic's postings, as often as it was searched.
    fn stream_ms(&self, min_match: MinMatch) -> anyhow::Result<f64> {
        let mut times = Vec::new();
        for topic in (0..self.args.repeat).flat_map(|_| self.topics) {
            let query = self.query(topic, min_match);
            let started = Instant::now();
            std::hint::black_box(stream(self.index, &query, self.threads)?);
            times.push(started.elapsed().as_secs_f64() * 1e3);
        }
        Ok(average(&times))
    }

    /// All topics one after the other, then all at once, each on one thread.
    fn throughput(&self, min_match: MinMatch) -> anyhow::Result<Throughput> {
        let search = |topic: &Topic| -> anyhow::Result<usize> {
            let query = self.query(topic, min_match);
            Ok(self.search(topic, &query, 1)?.results.len())
        };
        let one_at_a_time = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
        let (mut one, mut all) = (Vec::new(), Vec::new());
        for _ in 0..self.args.repeat {
            let started = Instant::now();
            one_at_a_time.install(|| {
                let mut topics = self.topics.iter();
                topics.try_for_each(|topic| search(topic).map(drop))
            })?;
            one.push(started.elapsed().as_secs_f64());
            let started = Instant::now();
            self.topics
                .par_iter()
                .with_max_len(1)
                .try_for_each(|topic| search(topic).map(drop))?;
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

    /// The measures of the run that this threshold gives.
    fn measure(&self, min_match: MinMatch, qrels: &Qrels) -> anyhow::Result<Measures> {
        let mut run = Run::default();
        for topic in self.topics {
            let query = self.query(topic, min_match);
            let wanted = (self.args.k, self.again);
            let found = search_distinct(self.index, &topic.layout, &query, wanted, self.threads)?;
            // As a run is written: scores that strictly decrease.
            let ranked = (1..).zip(&found).map(|(rank, result)| {
                let score = -f64::from(rank);
                (result.entry.visual_id().to_owned(), score)
            });
            run.topics.insert(topic.number.clone(), ranked.collect());
        }
        Ok(mean(&evaluate(&run, qrels)))
    }
}
