//! `phocus compare`: runs side by side, as a page.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;

use super::Outcome;
use super::eval::{evaluated, read_runs};
use super::table::sized;
use crate::corpus::read_topics;
use crate::eval::{Known, Qrels, Run};
use crate::index::Index;
use crate::output::write_whole;
use crate::report::Report;

/// Write a page that shows runs side by side.
///
/// Every measure with its difference to a baseline and whether that may be luck; the differences topic by topic;
/// and for each topic the query, the ideal ranking, and the first formulas of each run, coloured by grade. The page
/// needs no server and no network.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
  phocus compare --qrels qrels.tsv --topics topics.xml --index formulas.phoc xy7o4.tsv best.tsv -o report.html")]
pub(super) struct Args {
    /// Judgments: topic, 0, visual id, grade.
    #[arg(long, value_name = "FILE")]
    qrels: PathBuf,
    /// The topics.
    #[arg(long, value_name = "FILE")]
    topics: PathBuf,
    /// The index that has the formulas, and the visual ids of the runs' formula ids.
    #[arg(long, value_name = "FILE.phoc")]
    index: PathBuf,
    /// Runs, ARQMath's or TREC's.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// The run that the others are compared with [default: the first].
    #[arg(long, value_name = "RUN")]
    baseline: Option<PathBuf>,
    /// How many formulas of each run are shown, a topic.
    #[arg(long, value_name = "N", default_value_t = 5)]
    top: usize,
    /// The page to write; - is standard output.
    #[arg(short, long, value_name = "FILE.html")]
    output: PathBuf,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let mut paths = args.runs.clone();
    let baseline = match &args.baseline {
        None => 0,
        Some(path) => paths.iter().position(|run| run == path).unwrap_or_else(|| {
            paths.insert(0, path.clone());
            0
        }),
    };
    let qrels = Qrels::read(&args.qrels)?;
    let topics = read_topics(&args.topics)?;
    let index = Index::open(&args.index)?;
    let mut runs = read_runs(&paths)?;
    eprintln!("looking up the formulas of {} runs", runs.len());
    let judged = qrels.topics.values().flat_map(|grades| grades.keys());
    let wanted: HashSet<&str> = (runs.iter().flat_map(Run::ids))
        .chain(judged.map(String::as_str))
        .collect();
    let known = Known::new(&index, &wanted).context("cannot look up formulas")?;
    runs.iter_mut()
        .for_each(|run| run.map_ids(&known.visual_ids));
    let runs = evaluated(&paths, runs, &qrels);
    let report = Report {
        runs: &runs,
        baseline,
        qrels: &qrels,
        topics: &topics,
        formulas: &known.formulas,
        top: args.top,
    };
    eprintln!("comparing them on {} topics", qrels.topics.len());
    let page = report.page();
    write_whole(&args.output, page.as_bytes())
        .with_context(|| format!("cannot write {}", args.output.display()))?;
    if args.output.as_os_str() != "-" {
        let (path, size) = (args.output.display(), sized(page.len() as u64));
        writeln!(
            io::stdout(),
            "{path}: {} runs, {} topics, {size}",
            runs.len(),
            qrels.topics.len()
        )?;
    }
    Ok(Outcome::Done)
}
