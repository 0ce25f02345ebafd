//! `phocus eval`: measure runs.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::json;

use super::Outcome;
use super::table::{Align, Table};
use crate::corpus::read_topics;
use crate::eval::{Evaluated, FormulaLookup, MEASURES, Measures, Qrels, Run, p_text, run_names};
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
        for topic in wanted
            .iter()
            .filter(|topic| !qrels.topics.contains_key(*topic))
        {
            eprintln!("warning: topic {topic} is not judged");
        }
        qrels.restrict(&wanted);
        anyhow::ensure!(
            !qrels.topics.is_empty(),
            "none of the topics {topics} is judged in {}",
            args.qrels.display()
        );
    }
    let paths: Vec<&PathBuf> = args.runs.iter().chain(&args.compare).collect();
    let index = args.index.as_deref().map(Index::open).transpose()?;
    let (mut runs, _) = measured(&paths, index.as_ref(), &qrels)?;
    let baseline = args.compare.as_ref().and_then(|_| runs.pop());
    if args.json {
        print_json(&runs, baseline.as_ref(), args.per_topic)?;
    } else {
        print_table(&runs, baseline.as_ref(), args.per_topic)?;
    }
    Ok(Outcome::Done)
}

/// Reads and measures runs, and warns of what may be wrong with them. Also what the index,
/// where there is one, knows of what they and the judgments name.
pub(super) fn measured<P: AsRef<Path>>(
    paths: &[P],
    index: Option<&Index>,
    qrels: &Qrels,
) -> anyhow::Result<(Vec<Evaluated>, Option<FormulaLookup>)> {
    let runs = paths.iter().map(|path| Run::read(path.as_ref()));
    let runs: Vec<Run> = runs.collect::<Result<_, _>>()?;
    let known = index.map(|index| FormulaLookup::new(index, &runs, qrels));
    let known = known.transpose().context("cannot look up formulas")?;
    let named = run_names(paths).into_iter().zip(runs);
    let measured: Vec<Evaluated> = named
        .map(|(name, run)| Evaluated::new(name, run, qrels, known.as_ref()))
        .collect();
    for run in &measured {
        for doubt in run.warnings() {
            eprintln!("warning: {}: {doubt}", run.name);
        }
    }
    Ok((measured, known))
}

fn wanted_topics(text: &str) -> anyhow::Result<Vec<String>> {
    if Path::new(text).is_file() {
        let topics = read_topics(Path::new(text))?;
        Ok(topics.into_iter().map(|topic| topic.number).collect())
    } else {
        Ok(text.split(',').map(|name| name.trim().to_owned()).collect())
    }
}

fn print_json(
    runs: &[Evaluated],
    baseline: Option<&Evaluated>,
    per_topic: bool,
) -> anyhow::Result<()> {
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
    Ok(writeln!(
        io::stdout(),
        "{}",
        serde_json::to_string_pretty(&report)?
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
        for run in runs.iter().chain(baseline) {
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
