//! `phocus eval`: measure runs.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::json;

use super::Outcome;
use super::table::{Align, Table};
use crate::corpus::read_topics;
use crate::eval::{COMPARED, Evaluated, Known, Measures, Qrels, Run, run_names};
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
    let paths: Vec<&PathBuf> = args.runs.iter().chain(&args.compare).collect();
    let mut runs = read_runs(&paths)?;
    if let Some(path) = &args.index {
        let wanted = runs.iter().flat_map(Run::ids).collect();
        let known = Known::new(&Index::open(path)?, &wanted).context("cannot map formula ids")?;
        for run in &mut runs {
            run.map_ids(&known.visual_ids);
        }
    }
    let mut evaluated = evaluated(&paths, runs, &qrels);
    let baseline = args.compare.as_ref().and_then(|_| evaluated.pop());
    match args.json {
        true => print_json(&evaluated, baseline.as_ref(), args.per_topic)?,
        false => print_table(&evaluated, baseline.as_ref(), args.per_topic)?,
    }
    Ok(Outcome::Done)
}

/// Reads runs.
pub(super) fn read_runs<P: AsRef<Path>>(paths: &[P]) -> anyhow::Result<Vec<Run>> {
    let runs = paths.iter().map(|path| Ok(Run::read(path.as_ref())?));
    runs.collect()
}

/// Evaluates runs, and warns of those that were made for other topics.
pub(super) fn evaluated<P: AsRef<Path>>(
    paths: &[P],
    runs: Vec<Run>,
    qrels: &Qrels,
) -> Vec<Evaluated> {
    for (path, run) in paths.iter().zip(&runs) {
        let mut topics = run.topics.keys();
        if !topics.any(|topic| qrels.topics.contains_key(topic)) {
            eprintln!("warning: no topic of {} is judged", path.as_ref().display());
        }
    }
    let named = run_names(paths).into_iter().zip(runs);
    named
        .map(|(name, run)| Evaluated::new(name, run, qrels))
        .collect()
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

fn print_json(
    runs: &[Evaluated],
    baseline: Option<&Evaluated>,
    per_topic: bool,
) -> anyhow::Result<()> {
    let runs: Vec<_> = runs
        .iter()
        .map(|run| {
            let mut shown = json!({
                "run": run.name, "topics": run.topics.len(), "mean": run.mean(),
            });
            if let Some(baseline) = baseline {
                shown["baseline"] = json!(baseline.name);
                for (key, _, of) in COMPARED {
                    shown["differences"][key] = json!(run.against(baseline, of));
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
        table.row(row(&run.name, &run.mean(), run.topics.len().to_string()));
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
            let found = run.against(baseline, of);
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
