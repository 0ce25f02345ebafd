//! `phocus run`: a run over all topics.

use std::io::Write;
use std::path::PathBuf;

use serde_json::json;

use super::Status;
use super::args::{Names, Scoring, one_of, parse_threads};
use super::output::{print_json, report_beside, save};
use super::search::unreadable;
use super::table::grouped;
use crate::corpus::{Topic, read_topics};
use crate::eval::{RunFormat, RunId, RunIdError, average, quantile, run_rows, write_topic};
use crate::search::{Request, Response, SearchError, Searcher};

/// Search for every topic of a file and write a run.
///
/// Results are made distinct by visual id before they are cut at --depth. The scores that are
/// written strictly decrease, even as 32-bit numbers.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Topics may be ARQMath XML, or lines of topic, TAB, formula id (may be left out),
TAB, LaTeX. A topic that cannot be laid out is named and left out; the exit status is then 3.

Examples:
  phocus run formulas.phoc --topics topics.xml -o run.tsv --run-id mine")]
pub(super) struct Args {
    /// The index file.
    index: PathBuf,
    /// The topics.
    #[arg(long, value_name = "FILE")]
    topics: PathBuf,
    /// The run to write; - is standard output.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// How many results to write for each topic.
    #[arg(long, default_value_t = 1000)]
    depth: usize,
    /// The run id that is written in each line [default: phocus- and the configuration's name].
    #[arg(long)]
    run_id: Option<RunId>,
    #[command(flatten)]
    scoring: Scoring,
    /// The format of the run.
    #[arg(long, default_value = "arqmath", value_parser = one_of::<RunFormat>(RUN_FORMATS))]
    format: RunFormat,
    /// How many topics are searched at once [default: one for each core].
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

pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let searcher = Searcher::open(&args.index)?;
    let topics = read_topics(&args.topics)?;
    let run_id = run_id(args, &searcher)?;
    let (mut written, mut times) = (Vec::new(), Vec::new());
    for (topic, response) in topics.iter().zip(responses(args, &searcher, &topics)?) {
        match response {
            Ok(response) => {
                let rows = run_rows(&response);
                write_topic(&mut written, &topic.number, &rows, &run_id, args.format)?;
                times.push(response.took.as_secs_f64() * 1e3);
            }
            Err(SearchError::Query(error)) => {
                eprintln!("topic {} is left out: {error}", topic.number);
            }
            Err(other) => return Err(unreadable(other)),
        }
    }
    save(&args.output, &written)?;
    report(args, &times, topics.len() - times.len())?;
    Ok(if times.len() < topics.len() {
        Status::Partial
    } else {
        Status::Done
    })
}

fn run_id(args: &Args, searcher: &Searcher) -> Result<RunId, RunIdError> {
    let default = || format!("phocus-{}", searcher.index().meta().config.name).parse();
    args.run_id.clone().map_or_else(default, Ok)
}

/// The answers for all topics, which are searched side by side.
fn responses(
    args: &Args,
    searcher: &Searcher,
    topics: &[Topic],
) -> anyhow::Result<Vec<Result<Response, SearchError>>> {
    let request = |topic: &Topic| {
        let request = Request::latex(&topic.latex).k(args.depth);
        args.scoring.apply(request).distinct(true).matched(false)
    };
    let requests: Vec<Request> = topics.iter().map(request).collect();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads)
        .build()?;
    Ok(pool.install(|| searcher.search_all(&requests, 0)))
}

fn report(args: &Args, times: &[f64], lost: usize) -> anyhow::Result<()> {
    let mean = average(times);
    let (median, p95) = (quantile(times, 0.5), quantile(times, 0.95));
    let mut out = report_beside(Some(&args.output));
    if args.json {
        let report = json!({
            "topics": times.len(), "lost": lost,
            "mean_ms": mean, "median_ms": median, "p95_ms": p95,
        });
        return print_json(&mut out, &report);
    }
    let topics = grouped(times.len() as u64);
    writeln!(out, "{}: {topics} topics", args.output.display())?;
    writeln!(
        out,
        "retrieval: mean {mean:.2} ms, median {median:.2} ms, 95th percentile {p95:.2} ms"
    )?;
    Ok(())
}
