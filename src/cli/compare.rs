//! `phocus compare`: runs side by side, as a page.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::Status;
use super::destination::{Destination, Place, Replacing};
use super::kind::Kind;
use super::output::warn;
use super::table::sized;
use crate::ask::{AskRequest, Question, TextHit, read_questions};
use crate::corpus::{TextPart, read_topics};
use crate::eval::{Evaluated, FormulaLookup, Qrels, RunIds, evaluate_files, plural, ranking};
use crate::report::{Query, Report, ReportTopic, Results};
use crate::search::Searcher;

/// Write a page that shows runs side by side.
///
/// The page has every measure of each run, how it differs from a baseline and whether that may be
/// chance; the differences of each topic; and for each judged topic its query, the ideal ranking,
/// and the first formulas of each run, coloured by grade. Runs of Task 1 are shown with their posts:
/// formulas drawn, what was matched marked. It needs no server and no network.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  phocus compare --qrels qrels.tsv --topics topics.xml --index formulas.phoc xy7o4.tsv best.tsv -o report.html")]
pub(super) struct Args {
    /// Judgments: lines of topic, 0, visual id, grade.
    #[arg(long, value_name = "FILE")]
    qrels: PathBuf,
    /// The topics: formulas, or for runs of Task 1 questions.
    #[arg(long, value_name = "FILE")]
    topics: PathBuf,
    /// The index that has the formulas, and the visual ids of the runs' formula ids.
    #[arg(long, value_name = "FILE.phoc")]
    index: PathBuf,
    /// Runs, in ARQMath's format, all of one task, or in TREC's.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// The run that the others are compared with; it is shown first [default: the first run].
    #[arg(long, value_name = "RUN")]
    baseline: Option<PathBuf>,
    /// How many formulas of each run are shown for each topic.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    top: u32,
    /// The page to write; - is standard output.
    #[arg(short, long, value_name = "FILE.html")]
    output: PathBuf,
    #[command(flatten)]
    replacing: Replacing,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let paths = baseline_first(args);
    let inputs = [&args.qrels, &args.topics, &args.index].into_iter();
    let inputs: Vec<&Path> = inputs.chain(&paths).map(PathBuf::as_path).collect();
    let output = Destination::new(&args.output, Kind::Page, &inputs, args.replacing)?;
    let qrels = Qrels::read(&args.qrels)?;
    let searcher = Searcher::open(&args.index)?;
    let index = searcher.index();
    let (runs, judged) = (
        plural(paths.len(), "run"),
        plural(qrels.topics.len(), "topic"),
    );
    eprintln!("looking up the results of {runs} on {judged}");
    let (evaluated, known) = evaluate_files(&paths, Some(index), &qrels)?;
    let known = known.unwrap_or_default();
    warn(&evaluated);
    let has_posts = |run: &Evaluated| run.run.ids == RunIds::Posts;
    let is_task_1 = evaluated.iter().any(has_posts);
    anyhow::ensure!(
        !is_task_1 || evaluated.iter().all(has_posts),
        "the runs are of both tasks: some have posts, some formulas"
    );
    let (topics, texts) = if is_task_1 {
        questions(args, &searcher, &evaluated, &qrels, &known)?
    } else {
        (formulas(&args.topics)?, HashMap::new())
    };
    let (baseline, others) = evaluated.split_first().context("there is no run")?;
    let is_judged = |topic: &ReportTopic| qrels.topics.contains_key(&topic.number);
    if !topics.iter().any(is_judged) {
        let (topics, qrels) = (args.topics.display(), args.qrels.display());
        eprintln!("warning: none of the topics in {topics} is judged in {qrels}");
    }
    let report = Report {
        baseline,
        others,
        qrels: &qrels,
        topics: &topics,
        results: if is_task_1 {
            Results::Texts(&texts)
        } else {
            Results::Formulas(&known.formulas)
        },
        top: args.top as usize,
        source: &source(args),
    };
    eprintln!("writing the page");
    let page = report.page();
    let size = sized(page.len() as u64);
    output.save(page.into_bytes())?;
    if output.place != Place::Stdout {
        let path = args.output.display();
        writeln!(output.report(), "{path}: {runs}, {judged}, {size}")?;
    }
    Ok(Status::Done)
}

/// The topics of a file of formulas.
fn formulas(path: &Path) -> anyhow::Result<Vec<ReportTopic>> {
    let topics = read_topics(path)?.into_iter();
    let topics = topics.map(|topic| ReportTopic {
        number: topic.number,
        query: Query::Formula(topic.latex),
    });
    Ok(topics.collect())
}

/// Texts by topic and post.
type Texts = HashMap<(String, String), TextHit>;

/// The topics of a file of questions, and the posts that are shown of each.
fn questions(
    args: &Args,
    searcher: &Searcher,
    runs: &[Evaluated],
    qrels: &Qrels,
    known: &FormulaLookup,
) -> anyhow::Result<(Vec<ReportTopic>, Texts)> {
    let topics = read_questions(&args.topics)?;
    let mut texts = Texts::new();
    for topic in &topics {
        let Some(grades) = qrels.topics.get(&topic.number) else {
            continue;
        };
        let first = runs.iter().flat_map(|run| {
            let ranked = run.run.topics.get(&topic.number).map(Vec::as_slice);
            let ranked = ranking(ranked.unwrap_or_default()).into_iter();
            ranked.take(args.top as usize).map(|(id, _)| id)
        });
        let shown: BTreeSet<&str> = first.chain(grades.keys().map(String::as_str)).collect();
        let (ids, numbers): (Vec<&str>, Vec<usize>) = (shown.into_iter())
            .filter_map(|id| Some((id, *known.posts.get(id)?)))
            .unzip();
        let request = AskRequest::new(topic.question.clone());
        let hits = searcher.show_texts(&request, &numbers)?;
        for (id, hit) in ids.into_iter().zip(hits) {
            texts.insert((topic.number.clone(), id.to_owned()), hit);
        }
    }
    let topics = topics.into_iter().map(|topic| {
        let Question { title, body, .. } = topic.question;
        let parts = title.into_iter().chain([TextPart::Break]).chain(body);
        ReportTopic {
            number: topic.number,
            query: Query::Question(parts.collect()),
        }
    });
    Ok((topics.collect(), texts))
}

/// The files that the page is made from, in words.
fn source(args: &Args) -> String {
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().display().to_string();
    let [judgments, topics, index] = [&args.qrels, &args.topics, &args.index].map(name);
    format!("judgments {judgments}, topics {topics}, index {index}")
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
