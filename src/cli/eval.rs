//! `phocus eval`: measure runs.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::Status;
use super::output::{print_json, warn};
use super::table::{Align, Table};
use crate::ask::read_questions;
use crate::corpus::read_topics;
use crate::eval::{Evaluated, MEASURES, Measures, Qrels, RunIds, evaluate_files, p_text};
use crate::index::Index;

/// Measure runs against judgments.
///
/// The measures are ARQMath's. Formula ids become visual ids, only the first result with a visual
/// id counts, and unjudged results are dropped. Grades 2 and 3 are relevant. Means are over all
/// judged topics; a topic without results counts 0. Equal scores are ordered as trec_eval orders
/// them: by id, the greater first.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  phocus eval --qrels qrels.tsv --index formulas.phoc run.tsv other.tsv
  phocus eval --qrels qrels.tsv --index formulas.phoc run.tsv --compare baseline.tsv")]
pub(super) struct Args {
    /// Judgments: lines of topic, 0, visual id, grade.
    #[arg(long, value_name = "FILE")]
    qrels: PathBuf,
    /// The index that has the visual ids of the runs' formula ids; without it, ids are visual ids.
    #[arg(long, value_name = "FILE.phoc")]
    index: Option<PathBuf>,
    /// Runs, in ARQMath's or TREC's format.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// Measure only these topics: their names with commas between, or a topic file.
    #[arg(long, value_name = "TOPICS")]
    topics: Option<String>,
    /// Compare each run with this one: the mean difference over topics, its 95% interval by the
    /// bootstrap, and p of the paired t-test and of the randomisation test.
    #[arg(long, value_name = "RUN")]
    compare: Option<PathBuf>,
    /// Show the measures of each topic too.
    #[arg(long)]
    per_topic: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let qrels = judgments(args)?;
    // The baseline is not compared with itself.
    let is_other = |run: &&PathBuf| args.runs.len() == 1 || Some(*run) != args.compare.as_ref();
    let others = args.runs.iter().filter(is_other);
    let paths: Vec<&PathBuf> = others.chain(&args.compare).collect();
    let index = args.index.as_deref().map(Index::open).transpose()?;
    let (mut runs, _) = evaluate_files(&paths, index.as_ref(), &qrels)?;
    warn(&runs);
    for run in runs.iter().filter(|_| index.is_none()) {
        if run.run.ids == RunIds::Formulas {
            eprintln!(
                "warning: {} has formula ids, which are taken for visual ids; name the index with --index",
                run.name
            );
        }
    }
    let baseline = args.compare.as_ref().and_then(|_| runs.pop());
    let mut out = io::stdout().lock();
    if args.json {
        let report = as_json(&runs, baseline.as_ref(), args.per_topic);
        print_json(&mut out, &report)?;
    } else {
        print_tables(&runs, baseline.as_ref(), args.per_topic, &mut out)?;
    }
    Ok(Status::Done)
}

/// The judgments, of the wanted topics only.
fn judgments(args: &Args) -> anyhow::Result<Qrels> {
    let mut qrels = Qrels::read(&args.qrels)?;
    let Some(topics) = &args.topics else {
        return Ok(qrels);
    };
    let wanted = wanted_topics(topics)?;
    let is_unjudged = |topic: &&String| !qrels.topics.contains_key(*topic);
    for topic in wanted.iter().filter(is_unjudged) {
        eprintln!("warning: topic {topic} is not judged");
    }
    qrels.restrict(&wanted);
    anyhow::ensure!(
        !qrels.topics.is_empty(),
        "none of the topics {topics} is judged in {}",
        args.qrels.display()
    );
    Ok(qrels)
}

fn wanted_topics(text: &str) -> anyhow::Result<Vec<String>> {
    if Path::new(text).is_file() {
        let path = Path::new(text);
        let formulas = read_topics(path);
        let numbers = formulas.map(|topics| topics.into_iter().map(|topic| topic.number).collect());
        numbers.or_else(|error| {
            let questions = read_questions(path).map_err(|_| error)?;
            Ok(questions.into_iter().map(|topic| topic.number).collect())
        })
    } else {
        Ok(text.split(',').map(|name| name.trim().to_owned()).collect())
    }
}

fn as_json(runs: &[Evaluated], baseline: Option<&Evaluated>, per_topic: bool) -> Value {
    let shown = |run: &Evaluated| {
        let mut shown = json!({
            "run": run.name, "topics": run.topics.len(), "mean": run.mean(),
        });
        if per_topic {
            shown["per_topic"] = json!(run.topics);
        }
        shown
    };
    let compared = |run: &Evaluated| {
        let mut shown = shown(run);
        for measure in baseline.iter().flat_map(|_| MEASURES) {
            let found = baseline.map(|baseline| run.against(baseline, &measure));
            shown["differences"][measure.key] = json!(found);
        }
        shown
    };
    let mut report = json!({ "runs": runs.iter().map(compared).collect::<Vec<_>>() });
    if let Some(baseline) = baseline {
        report["baseline"] = shown(baseline);
    }
    report
}

fn print_tables(
    runs: &[Evaluated],
    baseline: Option<&Evaluated>,
    per_topic: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    if per_topic {
        let mut table = Table::new(&columns("topic"));
        for run in runs.iter().chain(baseline) {
            for (topic, measures) in &run.topics {
                table.row(row(&run.name, measures, topic.clone()));
            }
        }
        table.write(out)?;
        writeln!(out)?;
    }
    let mut table = Table::new(&columns("topics"));
    for run in runs.iter().chain(baseline) {
        table.row(row(&run.name, &run.mean(), run.topics.len().to_string()));
    }
    table.write(out)?;
    if let Some(baseline) = baseline {
        writeln!(out, "\nagainst {}:", baseline.name)?;
        differences(runs, baseline).write(out)?;
    }
    Ok(())
}

/// How runs differ from a baseline.
fn differences(runs: &[Evaluated], baseline: &Evaluated) -> Table {
    let mut table = Table::new(&[
        ("run", Align::Left),
        ("measure", Align::Left),
        ("difference", Align::Right),
        ("95% interval", Align::Right),
        ("p (t)", Align::Right),
        ("p (randomisation)", Align::Right),
    ]);
    for run in runs {
        for measure in MEASURES {
            let found = run.against(baseline, &measure);
            let (low, high) = found.interval;
            table.row(vec![
                run.name.clone(),
                measure.name.to_owned(),
                format!("{:+.4}", found.difference),
                format!("{low:+.4} to {high:+.4}"),
                p_text(found.p_t),
                p_text(found.p_randomisation),
            ]);
        }
    }
    table
}

fn columns(last: &'static str) -> Vec<(&'static str, Align)> {
    let measures = MEASURES.iter().map(|measure| (measure.name, Align::Right));
    std::iter::once(("run", Align::Left))
        .chain(measures)
        .chain([("judged@10", Align::Right), (last, Align::Right)])
        .collect()
}

fn row(name: &str, measures: &Measures, last: String) -> Vec<String> {
    let values = MEASURES.iter().map(|measure| (measure.of)(measures));
    let numbers = values.chain([measures.judged10]);
    std::iter::once(name.to_owned())
        .chain(numbers.map(|value| format!("{value:.4}")))
        .chain([last])
        .collect()
}
