//! `phocus fuse`: several runs become one.

use std::path::PathBuf;

use anyhow::Context;

use super::Outcome;
use crate::atomic_file::write_whole;
use crate::eval::{Fusion, Run, RunFormat, RunRow, fuse, write_topic};

/// Join several runs into one.
///
/// By default a formula counts 1 / (60 + rank) in every run that has it;
/// `--method min-max` sums scores instead, each topic's brought to 0 to 1.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Runs may come from any system, in ARQMath's format or TREC's, but all in one:
formula ids are not visual ids.

  phocus fuse phocus.tsv tangent.tsv -o fused.tsv
  phocus fuse a.tsv b.tsv --method min-max --weights 2 1 -o fused.tsv")]
pub(super) struct Args {
    /// The runs.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// The run to write; - is standard output.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// How scores are joined.
    #[arg(long, value_enum, default_value = "reciprocal-rank")]
    method: Method,
    /// What softens the first ranks of reciprocal rank fusion.
    #[arg(long, default_value_t = 60.0)]
    k: f64,
    /// What each run counts, in the order of the runs [default: 1 each].
    #[arg(long, num_args = 1.., value_name = "WEIGHT")]
    weights: Vec<f64>,
    /// The most results a topic.
    #[arg(long, default_value_t = 1000)]
    depth: usize,
    /// What the run calls itself.
    #[arg(long, default_value = "fused")]
    run_id: String,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Method {
    /// The sum of weight / (k + rank).
    ReciprocalRank,
    /// The sum of weight times score, brought to 0 to 1.
    MinMax,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let weights = if args.weights.is_empty() {
        vec![1.0; args.runs.len()]
    } else {
        args.weights.clone()
    };
    anyhow::ensure!(
        weights.len() == args.runs.len(),
        "{} weights were given for {} runs",
        weights.len(),
        args.runs.len()
    );
    let are_sound = weights
        .iter()
        .chain([&args.k])
        .all(|number| number.is_finite() && *number >= 0.0);
    anyhow::ensure!(are_sound, "weights and --k are numbers from 0 on");
    let is_word = !args.run_id.is_empty() && !args.run_id.contains(char::is_whitespace);
    anyhow::ensure!(
        is_word,
        "a run id is one word, without spaces; found `{}`",
        args.run_id
    );
    let mut runs = Vec::new();
    for (path, weight) in args.runs.iter().zip(weights) {
        runs.push((Run::read(path)?, weight));
    }
    if let Some(other) = runs
        .iter()
        .position(|(run, _)| run.has_visual_ids != runs[0].0.has_visual_ids)
    {
        anyhow::bail!(
            "{} and {} are not in one format: formula ids are not visual ids",
            args.runs[0].display(),
            args.runs[other].display()
        );
    }
    let fusion = match args.method {
        Method::ReciprocalRank => Fusion::ReciprocalRank { k: args.k },
        Method::MinMax => Fusion::MinMax,
    };
    let fused = fuse(&runs, fusion, args.depth);
    let format = if fused.has_visual_ids {
        RunFormat::Trec
    } else {
        RunFormat::Arqmath
    };
    let mut written = Vec::new();
    for (topic, ranked) in &fused.topics {
        let rows: Vec<RunRow> = ranked
            .iter()
            .map(|(id, score)| RunRow {
                formula_id: id.clone(),
                visual_id: id.clone(),
                post_id: fused.posts.get(id).cloned().unwrap_or_default(),
                score: *score,
            })
            .collect();
        write_topic(&mut written, topic, &rows, &args.run_id, format)?;
    }
    let saved = write_whole(&args.output, &written);
    saved.with_context(|| format!("cannot write {}", args.output.display()))?;
    Ok(Outcome::Done)
}
