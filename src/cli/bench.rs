//! `phocus bench`: time against effectiveness, threshold by threshold.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::Status;
use super::args::{Reranking, Weighting, parse_threads};
use super::bench_report::BenchReport;
use super::destination::{Destination, Replacing};
use super::kind::Kind;
use super::output::print_json;
use super::topics::read_laid_out;
use crate::bench::{Bench, BenchSettings, plot};
use crate::eval::Qrels;
use crate::search::{Level, MinMatch, Searcher};

/// Time searches at several minimum matches, and measure what they find.
///
/// At each minimum match every topic is searched --repeat times, after one pass that is not
/// counted. A time begins with the layout of a topic and ends with its ranked formulas, re-ranked
/// as in a search of the index; reading their LaTeX is not part of it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
q1 and q3 are the quartiles of all times. noise is the distance between the quartiles of
one topic's times, divided by its median, for the median topic: where it is high, other
programs kept the machine busy. scored is the number of formulas whose score was computed,
read is the number of postings read for that, postings is how many postings the query's
symbols have, and found is how many formulas were found; each is a mean over topics.

Examples:
  phocus bench formulas.phoc --topics topics.xml
  phocus bench formulas.phoc --topics topics.tsv --qrels qrels.tsv --plot trade.svg")]
pub(super) struct Args {
    /// The index file.
    index: PathBuf,
    /// The topics; several files are joined.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    topics: Vec<PathBuf>,
    /// Judgments, to measure what is found: lines of topic, 0, visual id, grade.
    #[arg(long, value_name = "FILE")]
    qrels: Option<PathBuf>,
    /// The minimum matches, in percent.
    #[arg(long, value_name = "PERCENT", num_args = 1.., default_values_t = [0.0, 25.0, 50.0, 75.0, 85.0, 95.0, 100.0])]
    thresholds: Vec<f64>,
    /// How many results to find for each topic.
    #[arg(short, long, default_value_t = 1000)]
    k: usize,
    /// How often each topic is searched.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// How many threads a search uses [default: one for each core].
    #[arg(long, default_value_t = 0, hide_default_value = true, value_parser = parse_threads)]
    threads: usize,
    #[command(flatten)]
    weighting: Weighting,
    #[command(flatten)]
    reranking: Reranking,
    /// Also compare searching all topics at once, each on one thread, with one after the other.
    #[arg(long)]
    throughput: bool,
    /// Also time reading the same postings once without scoring anything: no search is faster.
    #[arg(long)]
    stream: bool,
    /// Plot time against effectiveness, or against the minimum match where there is no --qrels.
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    replacing: Replacing,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let picture = destination(args)?;
    let searcher = Searcher::open(&args.index)?;
    let qrels = args.qrels.as_deref().map(Qrels::read).transpose()?;
    let thresholds = thresholds(&args.thresholds)?;
    let (topics, lost) = read_laid_out(&args.topics)?;
    anyhow::ensure!(!topics.is_empty(), "no topic can be laid out");
    let settings = BenchSettings {
        k: args.k,
        repeat: args.repeat,
        threads: args.threads,
        idf: args.weighting.idf,
        rerank: args.reranking.rerank,
        throughput: args.throughput,
        stream: args.stream,
    };
    let bench = Bench::new(&searcher, &topics, qrels.as_ref(), settings)?;
    let mut rows = Vec::new();
    for min_match in thresholds {
        if !args.json {
            eprintln!("timing {} topics at {min_match}", topics.len());
        }
        rows.push(bench.row(min_match)?);
    }
    let config = &searcher.index().meta().config;
    let report = BenchReport {
        index: args.index.display().to_string(),
        formulas: searcher.index().formulas() as u64,
        topics: topics.len(),
        lost,
        k: args.k,
        repeat: args.repeat,
        threads: bench.threads(),
        idf: args.weighting.idf.unwrap_or(config.idf),
        rerank: args.reranking.rerank.unwrap_or(config.rerank),
        level: Level::best(),
        thresholds: rows,
    };
    publish(args, picture.as_ref(), &report)?;
    Ok(if lost > 0 {
        Status::Partial
    } else {
        Status::Done
    })
}

/// The file for the plot, where one is asked for.
fn destination(args: &Args) -> anyhow::Result<Option<Destination>> {
    let inputs = std::iter::once(&args.index).chain(&args.topics);
    let inputs: Vec<&Path> = inputs.chain(&args.qrels).map(PathBuf::as_path).collect();
    let to = |path: &PathBuf| Destination::new(path, Kind::Svg("bench"), &inputs, args.replacing);
    args.plot.as_ref().map(to).transpose()
}

/// Writes the plot, where one is asked for, and prints the report.
fn publish(args: &Args, picture: Option<&Destination>, report: &BenchReport) -> anyhow::Result<()> {
    if let Some(picture) = picture {
        picture.save(plot(&report.thresholds).into_bytes())?;
    }
    let mut out: Box<dyn Write> =
        picture.map_or_else(|| Box::new(io::stdout()) as _, Destination::report);
    if args.json {
        print_json(&mut out, report)
    } else {
        report.write(&mut out)
    }
}

fn thresholds(percents: &[f64]) -> anyhow::Result<Vec<MinMatch>> {
    let thresholds = percents.iter().map(|percent| {
        MinMatch::new(percent / 100.0)
            .with_context(|| format!("expected a threshold from 0 to 100 percent, found {percent}"))
    });
    thresholds.collect()
}
