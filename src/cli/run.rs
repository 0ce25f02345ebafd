//! `phocus run`: a run over all topics.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use serde_json::json;

use super::Outcome;
use super::index::parse_threads;
use super::search::{Scoring, unreadable};
use super::table::grouped;
use crate::atomic_file::write_whole;
use crate::corpus::{Topic, read_topics};
use crate::eval::{RunFormat, run_rows, write_topic};
use crate::index::Index;
use crate::search::{Request, SearchError, Searcher};

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
    run_id: Option<String>,
    #[command(flatten)]
    scoring: Scoring,
    /// The format of the run.
    #[arg(long, value_enum, default_value = "arqmath")]
    format: RunFormat,
    /// How many topics are searched at once [default: one a core].
    #[arg(long, default_value_t = 0, hide_default_value = true, value_parser = parse_threads)]
    threads: usize,
    /// Print the times as JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let searcher = Searcher::open(&args.index)?;
    let topics = read_topics(&args.topics)?;
    let name = run_name(args, searcher.index())?;
    let request = |topic: &Topic| {
        let request = Request::latex(&topic.latex).k(args.depth);
        args.scoring.apply(request).distinct(true).matched(false)
    };
    let requests: Vec<Request> = topics.iter().map(request).collect();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads)
        .build()?;
    let responses = pool.install(|| searcher.search_all(&requests, 0));
    let mut written = Vec::new();
    let mut times = Vec::new();
    let mut lost = 0;
    for (topic, response) in topics.iter().zip(responses) {
        match response {
            Ok(response) => {
                let rows = run_rows(&response);
                write_topic(&mut written, &topic.number, &rows, &name, args.format)?;
                times.push(response.took);
            }
            Err(SearchError::Query(error)) => {
                eprintln!("topic {} is left out: {error}", topic.number);
                lost += 1;
            }
            Err(other) => return Err(unreadable(other)),
        }
    }
    let written = write_whole(&args.output, &written);
    written.with_context(|| format!("cannot write {}", args.output.display()))?;
    report(args, times, lost)?;
    Ok(if lost > 0 {
        Outcome::Partial
    } else {
        Outcome::Done
    })
}

fn run_name(args: &Args, index: &Index) -> anyhow::Result<String> {
    let default = || format!("phocus-{}", index.meta().config.name);
    let name = args.run_id.clone().unwrap_or_else(default);
    let is_word = !name.is_empty() && !name.contains(char::is_whitespace);
    anyhow::ensure!(
        is_word,
        "a run id is one word, without spaces; found `{name}`"
    );
    Ok(name)
}

fn report(args: &Args, mut times: Vec<Duration>, lost: usize) -> anyhow::Result<()> {
    times.sort_unstable();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let at = |part: f64| {
        let place = (part * times.len() as f64).ceil() as usize;
        times
            .get(place.clamp(1, times.len().max(1)) - 1)
            .copied()
            .map_or(0.0, ms)
    };
    let mean = times.iter().copied().map(ms).sum::<f64>() / times.len().max(1) as f64;
    let (median, p95) = (at(0.5), at(0.95));
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
