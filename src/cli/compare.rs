//! `phocus compare`: runs side by side, as a page.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::Outcome;
use super::eval::measured;
use super::output::write_whole;
use super::table::sized;
use crate::corpus::read_topics;
use crate::eval::Qrels;
use crate::index::Index;
use crate::report::{Report, counted};

/// Write a page that shows runs side by side.
///
/// Every measure with its difference to a baseline and whether that may be luck; the differences topic by topic;
/// and for each judged topic the query, the ideal ranking, and the first formulas of each run, coloured by grade. The
/// page needs no server and no network.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
  phocus compare --qrels qrels.tsv --topics topics.xml --index formulas.phoc xy7o4.tsv best.tsv -o report.html")]
pub(super) struct Args {
    /// Judgments: topic, 0, visual id, grade.
    #[arg(long, value_name = "FILE")]
    qrels: PathBuf,
    /// The topics, whose formulas are the queries.
    #[arg(long, value_name = "FILE")]
    topics: PathBuf,
    /// The index that has the formulas, and the visual ids of the runs' formula ids.
    #[arg(long, value_name = "FILE.phoc")]
    index: PathBuf,
    /// Runs, ARQMath's or TREC's.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// The run that the others are compared with, which stands first [default: the first].
    #[arg(long, value_name = "RUN")]
    baseline: Option<PathBuf>,
    /// How many formulas of each run are shown, a topic.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    top: u32,
    /// The page to write; - is standard output.
    #[arg(short, long, value_name = "FILE.html")]
    output: PathBuf,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let paths = baseline_first(args);
    let inputs = [&args.qrels, &args.topics, &args.index];
    let is_input = |path: &&PathBuf| is_same(path, &args.output);
    if let Some(input) = paths.iter().chain(inputs).find(is_input) {
        anyhow::bail!("{} is read: write the page elsewhere", input.display());
    }
    let qrels = Qrels::read(&args.qrels)?;
    let topics = read_topics(&args.topics)?;
    let index = Index::open(&args.index)?;
    let (runs, judged) = (
        counted(paths.len(), "run"),
        counted(qrels.topics.len(), "topic"),
    );
    eprintln!("looking up the formulas of {runs} on {judged}");
    let (measured, known) = measured(&paths, Some(&index), &qrels)?;
    let (baseline, others) = measured.split_first().context("there is no run")?;
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().display().to_string();
    let [judgments, queries, formulas] = inputs.map(name);
    let report = Report {
        baseline,
        others,
        qrels: &qrels,
        topics: &topics,
        formulas: &known.unwrap_or_default().formulas,
        top: args.top as usize,
        source: &format!("judgments {judgments}, topics {queries}, index {formulas}"),
    };
    eprintln!("writing the page");
    let page = report.page();
    write_whole(&args.output, page.as_bytes())
        .with_context(|| format!("cannot write {}", args.output.display()))?;
    if args.output.as_os_str() != "-" {
        let (path, size) = (args.output.display(), sized(page.len() as u64));
        writeln!(io::stdout(), "{path}: {runs}, {judged}, {size}")?;
    }
    Ok(Outcome::Done)
}

/// The runs, each once, the baseline first.
fn baseline_first(args: &Args) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for path in args.baseline.iter().chain(&args.runs) {
        if !paths.iter().any(|other| is_same(other, path)) {
            paths.push(path.clone());
        }
    }
    paths
}

/// Whether two paths lead to one file.
fn is_same(a: &Path, b: &Path) -> bool {
    a == b || fs::canonicalize(a).is_ok_and(|a| fs::canonicalize(b).is_ok_and(|b| a == b))
}
