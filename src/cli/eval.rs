//! `phocus eval`: measure runs.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::json;

use super::Outcome;
use super::table::{Align, Table};
use crate::corpus::read_topics;
use crate::eval::{Comparison, Measures, Qrels, Run, compare, evaluate, mean};
use crate::index::Index;

/// Measure runs against judgments.
///
/// Every measure is ARQMath's: formula ids become visual ids, the first of
/// each counts, what is unjudged is dropped. Relevant is grade 2 or 3. The mean
/// is over every judged topic; a topic with no result counts 0. Equal scores
/// stand in trec_eval's order: by id, the greater first.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
  phocus eval --qrels qrels.tsv --index formulas.phoc run.tsv other.tsv
  phocus eval --qrels qrels.tsv --index formulas.phoc run.tsv --compare baseline.tsv")]
pub(super) struct Args {
    /// Judgments: topic, 0, visual id, grade.
    #[arg(long, value_name = "FILE")]
    qrels: PathBuf,
    /// The index whose visual ids the runs' formula ids have; without it ids are visual ids.
    #[arg(long, value_name = "FILE.phoc")]
    index: Option<PathBuf>,
    /// Runs, ARQMath's or TREC's.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// Only these topics: names with commas between, or a topic file.
    #[arg(long, value_name = "TOPICS")]
    topics: Option<String>,
    /// Say of each run how it differs from this one, and whether that may be luck: the mean difference
    /// over topics, p of the paired t-test and of the randomisation test, the bootstrap's 95% interval.
    #[arg(long, value_name = "RUN")]
    compare: Option<PathBuf>,
    /// A row a topic.
    #[arg(long)]
    per_topic: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// A run and how it did.
struct Evaluated {
    name: String,
    topics: BTreeMap<String, Measures>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let mut qrels = Qrels::read(&args.qrels)?;
    if let Some(topics) = &args.topics {
        let wanted = wanted_topics(topics)?;
        qrels.restrict(&wanted);
        anyhow::ensure!(
            !qrels.topics.is_empty(),
            "none of the topics {topics} is judged in {}",
            args.qrels.display()
        );
    }
    let mut runs = Vec::new();
    for path in args.runs.iter().chain(&args.compare) {
        runs.push((path, Run::read(path)?));
    }
    if let Some(path) = &args.index {
        let visual_ids = visual_ids(path, &runs)?;
        for (_, run) in &mut runs {
            run.map_ids(&visual_ids);
        }
    }
    let mut evaluated: Vec<Evaluated> = runs
        .iter()
        .map(|(path, run)| Evaluated {
            name: path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            topics: evaluate(run, &qrels),
        })
        .collect();
    let baseline = args.compare.as_ref().and_then(|_| evaluated.pop());
    match args.json {
        true => print_json(&evaluated, baseline.as_ref(), args.per_topic)?,
        false => print_table(&evaluated, baseline.as_ref(), args.per_topic)?,
    }
    for (path, run) in &runs {
        let judged = run
            .topics
            .keys()
            .filter(|topic| qrels.topics.contains_key(*topic))
            .count();
        if judged == 0 {
            eprintln!("warning: no topic of {} is judged", path.display());
        }
    }
    Ok(Outcome::Done)
}

fn wanted_topics(text: &str) -> anyhow::Result<Vec<String>> {
    match Path::new(text).is_file() {
        true => {
            let topics = read_topics(Path::new(text))?;
            Ok(topics.into_iter().map(|topic| topic.number).collect())
        }
        false => Ok(text.split(',').map(|name| name.trim().to_owned()).collect()),
    }
}

/// The visual id of every formula id that any run names.
fn visual_ids(path: &Path, runs: &[(&PathBuf, Run)]) -> anyhow::Result<HashMap<String, String>> {
    let index = Index::open(path)?;
    let wanted: std::collections::HashSet<&str> =
        runs.iter().flat_map(|(_, run)| run.ids()).collect();
    let mut visual_ids = HashMap::new();
    for formula in index.all_instances() {
        let (entry, instances) = formula.context("cannot map formula ids")?;
        for instance in instances {
            if wanted.contains(instance.id.as_str()) {
                let has_own = !instance.visual_id.is_empty();
                let visual_id = if has_own {
                    instance.visual_id
                } else {
                    entry.id.clone()
                };
                visual_ids.insert(instance.id, visual_id);
            }
        }
    }
    Ok(visual_ids)
}

/// One of the measures.
type Of = fn(&Measures) -> f64;

/// The measures that runs are compared by.
const COMPARED: [(&str, &str, Of); 4] = [
    ("ndcg", "nDCG'", |measures| measures.ndcg),
    ("map", "MAP'", |measures| measures.map),
    ("p10", "P'@10", |measures| measures.p10),
    ("bpref", "bpref'", |measures| measures.bpref),
];

/// A run against a baseline, by one measure. Both have every judged topic.
fn compared(run: &Evaluated, baseline: &Evaluated, of: Of) -> Comparison {
    let values = |run: &Evaluated| -> Vec<f64> { run.topics.values().map(of).collect() };
    compare(&values(run), &values(baseline))
}

fn print_json(
    runs: &[Evaluated],
    baseline: Option<&Evaluated>,
    per_topic: bool,
) -> anyhow::Result<()> {
    let runs: Vec<_> = runs
        .iter()
        .map(|run| {
            let mut shown = json!({
                "run": run.name, "topics": run.topics.len(), "mean": mean(&run.topics),
            });
            if let Some(baseline) = baseline {
                shown["baseline"] = json!(baseline.name);
                for (key, _, of) in COMPARED {
                    shown["differences"][key] = json!(compared(run, baseline, of));
                }
            }
            if per_topic {
                shown["per_topic"] = json!(run.topics);
            }
            shown
        })
        .collect();
    Ok(writeln!(
        io::stdout(),
        "{}",
        serde_json::to_string_pretty(&json!({ "runs": runs }))?
    )?)
}

fn print_table(
    runs: &[Evaluated],
    baseline: Option<&Evaluated>,
    per_topic: bool,
) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    if per_topic {
        let mut table = Table::new(&columns("topic"));
        for run in runs {
            for (topic, measures) in &run.topics {
                table.row(row(&run.name, measures, topic.clone()));
            }
        }
        table.write(&mut out)?;
        writeln!(out)?;
    }
    let mut table = Table::new(&columns("topics"));
    for run in runs.iter().chain(baseline) {
        table.row(row(
            &run.name,
            &mean(&run.topics),
            run.topics.len().to_string(),
        ));
    }
    table.write(&mut out)?;
    if let Some(baseline) = baseline {
        writeln!(out, "\nagainst {}:", baseline.name)?;
        differences(runs, baseline).write(&mut out)?;
    }
    Ok(())
}

/// How runs differ from a baseline.
fn differences(runs: &[Evaluated], baseline: &Evaluated) -> Table {
    let mut table = Table::new(&[
        ("run", Align::Left),
        ("measure", Align::Left),
        ("difference", Align::Right),
        ("95% of means", Align::Right),
        ("p (t)", Align::Right),
        ("p (randomised)", Align::Right),
    ]);
    for run in runs {
        for (_, name, of) in COMPARED {
            let found = compared(run, baseline, of);
            let (low, high) = found.interval;
            table.row(vec![
                run.name.clone(),
                name.to_owned(),
                format!("{:+.4}", found.difference),
                format!("{low:+.4} to {high:+.4}"),
                format!("{:.4}", found.p_t),
                format!("{:.4}", found.p_randomisation),
            ]);
        }
    }
    table
}

fn columns(last: &'static str) -> [(&'static str, Align); 7] {
    [
        ("run", Align::Left),
        ("nDCG'", Align::Right),
        ("MAP'", Align::Right),
        ("P'@10", Align::Right),
        ("bpref'", Align::Right),
        ("judged@10", Align::Right),
        (last, Align::Right),
    ]
}

fn row(name: &str, measures: &Measures, last: String) -> Vec<String> {
    let Measures {
        ndcg,
        map,
        p10,
        bpref,
        judged10,
    } = *measures;
    let numbers = [ndcg, map, p10, bpref, judged10].map(|value| format!("{value:.4}"));
    std::iter::once(name.to_owned())
        .chain(numbers)
        .chain([last])
        .collect()
}
