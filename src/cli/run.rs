//! `phocus run`: a run over all topics.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context;
use rayon::prelude::*;
use serde_json::json;

use super::Outcome;
use super::args::{Names, one_of, parse_threads};
use super::output::write_whole;
use super::search::Scoring;
use super::table::grouped;
use crate::corpus::{Topic, read_topics};
use crate::eval::{RunFormat, RunId, RunIdError, RunRow, average, quantile, write_topic};
use crate::index::Index;
use crate::layout;
use crate::rerank::{Ranked, search_distinct};

/// Search for every topic of a file and write a run.
///
/// Results are distinct by visual id before they are cut at --depth, and
/// written scores strictly decrease, even as 32-bit numbers.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Topics may be ARQMath XML, or lines of topic, TAB, formula id (may be left out),
TAB, LaTeX. A topic that cannot be laid out is named and left out: status 3.

  phocus run formulas.phoc --topics topics.xml -o run.tsv --run-id mine")]
pub(super) struct Args {
    /// The index.
    index: PathBuf,
    /// The topics.
    #[arg(long, value_name = "FILE")]
    topics: PathBuf,
    /// The run to write; - is standard output.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The most results a topic.
    #[arg(long, default_value_t = 1000)]
    depth: usize,
    /// What the run calls itself [default: phocus- and the configuration's name].
    #[arg(long)]
    run_id: Option<RunId>,
    #[command(flatten)]
    scoring: Scoring,
    /// The format of the run.
    #[arg(long, default_value = "arqmath", value_parser = one_of::<RunFormat>(RUN_FORMATS))]
    format: RunFormat,
    /// How many topics are searched at once [default: one a core].
    #[arg(long, default_value_t = 0, hide_default_value = true, value_parser = parse_threads)]
    threads: usize,
    /// Print the times as JSON.
    #[arg(long)]
    json: bool,
}

pub(super) const RUN_FORMATS: Names = &[
    (
        "arqmath",
        "Topic, formula id, post id, rank, score, run id; tabs between",
    ),
    (
        "trec",
        "Topic, Q0, visual id, rank, score, run id; spaces between",
    ),
];

/// What became of a topic.
struct Searched {
    rows: Vec<RunRow>,
    took: Duration,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let index = Index::open(&args.index)?;
    args.scoring.idf(&index)?;
    let topics = read_topics(&args.topics)?;
    let name = run_id(args, &index)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads)
        .build()?;
    let searched: Vec<anyhow::Result<Searched>> = pool.install(|| {
        topics
            .par_iter()
            .map(|topic| search_topic(topic, &index, args, 1))
            .collect()
    });
    let mut written = Vec::new();
    let mut times = Vec::new();
    let mut lost = 0;
    for (topic, searched) in topics.iter().zip(searched) {
        match searched {
            Ok(Searched { rows, took }) => {
                write_topic(&mut written, &topic.number, &rows, &name, args.format)?;
                times.push(took.as_secs_f64() * 1e3);
            }
            Err(error) => {
                eprintln!("topic {} is left out: {error:#}", topic.number);
                lost += 1;
            }
        }
    }
    let written = write_whole(&args.output, &written);
    written.with_context(|| format!("cannot write {}", args.output.display()))?;
    report(args, &times, lost)?;
    Ok(if lost > 0 {
        Outcome::Partial
    } else {
        Outcome::Done
    })
}

fn run_id(args: &Args, index: &Index) -> Result<RunId, RunIdError> {
    let default = || format!("phocus-{}", index.meta().config.name).parse();
    args.run_id.clone().map_or_else(default, Ok)
}

fn search_topic(
    topic: &Topic,
    index: &Index,
    args: &Args,
    threads: usize,
) -> anyhow::Result<Searched> {
    let started = Instant::now();
    let layout = layout::latex(&topic.latex)?;
    let query = args.scoring.query(&layout, index)?;
    let again = args.scoring.rerank(index);
    let ranked = search_distinct(index, &layout, &query, (args.depth, again), threads)?;
    let took = started.elapsed();
    // What was ranked again is above 1, and the rest below.
    let best = ranked.iter().map(|result| result.hit.score());
    let best = best.fold(0.0, f64::max);
    let score = |at: usize, result: &Ranked| match (at < again, result.likeness) {
        (true, likeness) => 1.0 + likeness.unwrap_or(0.0),
        (false, _) if again > 0 => result.hit.score() / (best + 1.0),
        _ => result.hit.score(),
    };
    let rows = ranked
        .into_iter()
        .enumerate()
        .map(|(at, result)| RunRow {
            score: score(at, &result),
            visual_id: result.entry.visual_id().to_owned(),
            formula_id: result.entry.first.id,
            post_id: result.entry.first.post,
        })
        .collect();
    Ok(Searched { rows, took })
}

fn report(args: &Args, times: &[f64], lost: usize) -> anyhow::Result<()> {
    let mean = average(times);
    let (median, p95) = (quantile(times, 0.5), quantile(times, 0.95));
    // To standard error where the run itself goes to standard output.
    let mut out: Box<dyn Write> = if args.output.as_os_str() == "-" {
        Box::new(io::stderr())
    } else {
        Box::new(io::stdout())
    };
    if args.json {
        let report = json!({
            "topics": times.len(), "lost": lost,
            "mean_ms": mean, "median_ms": median, "p95_ms": p95,
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        let topics = grouped(times.len() as u64);
        writeln!(out, "{}: {topics} topics", args.output.display())?;
        writeln!(
            out,
            "retrieval: mean {mean:.2} ms, median {median:.2} ms, 95th percentile {p95:.2} ms"
        )?;
    }
    Ok(())
}
