//! `phocus run`: a run over all topics.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::json;

use super::Status;
use super::args::{MacroArgs, Names, Scoring, one_of, parse_threads};
use super::asking::Asking;
use super::destination::{Destination, Replacing};
use super::kind::{Kind, RUN_ID_PREFIX};
use super::output::print_json;
use super::search::unreadable;
use super::table::grouped;
use crate::corpus::{Topic, read_topics};
use crate::eval::{RunFormat, RunId, RunIdError, average, quantile, run_rows, write_topic};
use crate::search::{Request, Response, SearchError, Searcher, Times};

/// Search for every topic of a file and write a run.
///
/// With --task 1, topics are questions, and results answers: lines of topic, post, rank, score and
/// run id. Otherwise topics are formulas, and so are results.
///
/// Results are made distinct by visual id before they are cut at --depth. The scores that are
/// written strictly decrease, even as 32-bit numbers.
///
/// The time of the search alone is from a topic's layout to its ranked formulas, as `phocus bench`
/// measures it: each topic on one thread, and once, so that the first ones also pay for parts of
/// the index that nobody has read yet.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Topics may be ARQMath XML, or lines of topic, TAB, formula id (may be left out),
TAB, LaTeX. A topic that cannot be laid out is named and left out; the exit status is then 3.
Questions may be ARQMath XML of Task 1, or lines of topic, TAB, question.

Examples:
  phocus run formulas.phoc --topics topics.xml -o run.tsv --run-id mine
  phocus run posts.phoc --task 1 --topics questions.xml -o run.tsv")]
pub(super) struct Args {
    /// The index file.
    pub(super) index: PathBuf,
    /// The topics.
    #[arg(long, value_name = "FILE")]
    pub(super) topics: PathBuf,
    /// ARQMath's task: 1, answers to questions, or 2, formulas.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=2))]
    task: u8,
    #[command(flatten)]
    pub(super) asking: Asking,
    /// The run to write; - is standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: PathBuf,
    /// How many results to write for each topic.
    #[arg(long, default_value_t = 1000)]
    pub(super) depth: usize,
    /// The run id that is written in each line [default: phocus- and the configuration's name].
    #[arg(long)]
    pub(super) run_id: Option<RunId>,
    #[command(flatten)]
    pub(super) macros: MacroArgs,
    #[command(flatten)]
    pub(super) scoring: Scoring,
    /// The format of the run.
    #[arg(long, default_value = "arqmath", value_parser = one_of::<RunFormat>(RUN_FORMATS))]
    pub(super) format: RunFormat,
    /// How many topics are searched at once [default: one for each core].
    #[arg(long, default_value_t = 0, hide_default_value = true, value_parser = parse_threads)]
    pub(super) threads: usize,
    #[command(flatten)]
    pub(super) replacing: Replacing,
    /// Print the times as JSON.
    #[arg(long)]
    pub(super) json: bool,
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
    if args.task == 1 {
        return super::run_questions::run(args);
    }
    anyhow::ensure!(
        !args.asking.is_given(),
        "--alpha, --kappa, --combine, --keywords, --title-only, --min-characters and --max-formulas are for questions: add --task 1"
    );
    let searcher = Searcher::open(&args.index)?;
    let topics = read_topics(&args.topics)?;
    let run_id = run_id(args, &searcher)?;
    let output = Destination::new(
        &args.output,
        Kind::Run(run_id.clone()),
        &[&args.index, &args.topics],
        args.replacing,
    )?;
    let started = Instant::now();
    let responses = responses(args, &searcher, &topics)?;
    let mut spent = Spent {
        answering: started.elapsed(),
        ..Spent::default()
    };
    let mut written = Vec::new();
    let started = Instant::now();
    for (topic, response) in topics.iter().zip(responses) {
        match response {
            Ok(response) => {
                let rows = run_rows(&response);
                write_topic(&mut written, &topic.number, &rows, &run_id, args.format)?;
                spent.times.push(response.times);
            }
            Err(SearchError::Query(error)) => {
                eprintln!("topic {} is left out: {error}", topic.number);
            }
            Err(other) => return Err(unreadable(other)),
        }
    }
    output.save(written)?;
    spent.writing = started.elapsed();
    let lost = topics.len() - spent.times.len();
    report(args, &output, &spent, lost)?;
    Ok(if lost > 0 {
        Status::Partial
    } else {
        Status::Done
    })
}

pub(super) fn run_id(args: &Args, searcher: &Searcher) -> Result<RunId, RunIdError> {
    let default = || format!("{RUN_ID_PREFIX}{}", searcher.index().meta().config.name).parse();
    args.run_id.clone().map_or_else(default, Ok)
}

/// The answers for all topics, which are searched side by side.
fn responses(
    args: &Args,
    searcher: &Searcher,
    topics: &[Topic],
) -> anyhow::Result<Vec<Result<Response, SearchError>>> {
    let macros = args.macros.read()?;
    let request = |topic: &Topic| {
        let request = Request::latex(&topic.latex).k(args.depth);
        let request = request.macros(macros.clone());
        args.scoring.apply(request).distinct(true).matched(false)
    };
    let requests: Vec<Request> = topics.iter().map(request).collect();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads)
        .build()?;
    Ok(pool.install(|| searcher.search_all(&requests, 0)))
}

/// Where the time of a run went.
#[derive(Default)]
struct Spent {
    /// The times of each topic.
    times: Vec<Times>,
    /// The time in which all topics were answered, side by side.
    answering: Duration,
    /// The time in which the run was written.
    writing: Duration,
}

impl Spent {
    /// A part of each topic's time, in milliseconds.
    fn each(&self, part: impl Fn(&Times) -> Duration) -> Vec<f64> {
        self.times.iter().map(|times| ms(part(times))).collect()
    }
}

pub(super) fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn report(args: &Args, output: &Destination, spent: &Spent, lost: usize) -> anyhow::Result<()> {
    let search = spent.each(|times| times.search);
    let (mean, median, p95) = (
        average(&search),
        quantile(&search, 0.5),
        quantile(&search, 0.95),
    );
    let layout = average(&spent.each(|times| times.layout));
    let entries = average(&spent.each(|times| times.entries));
    let (answering, writing) = (ms(spent.answering), ms(spent.writing));
    let topics = spent.times.len();
    let mut out = output.report();
    if args.json {
        let report = json!({
            "topics": topics, "lost": lost,
            "mean_ms": mean, "median_ms": median, "p95_ms": p95,
            "layout_mean_ms": layout, "entries_mean_ms": entries,
            "answering_ms": answering, "writing_ms": writing,
        });
        return print_json(&mut out, &report);
    }
    let topics = grouped(topics as u64);
    writeln!(out, "{}: {topics} topics", args.output.display())?;
    writeln!(
        out,
        "search alone, a topic: mean {mean:.2} ms, median {median:.2} ms, 95th percentile {p95:.2} ms"
    )?;
    writeln!(
        out,
        "besides, a topic: {layout:.2} ms to lay it out, {entries:.2} ms to read what is written of its results"
    )?;
    writeln!(
        out,
        "in all: {answering:.1} ms to answer the topics, {writing:.1} ms to write the run"
    )?;
    Ok(())
}
