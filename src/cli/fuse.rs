//! `phocus fuse`: several runs become one.

use std::path::{Path, PathBuf};

use super::Status;
use super::destination::{Destination, Replacing};
use super::kind::Kind;
use crate::eval::{
    Fusion, Run, RunFormat, RunId, RunIds, RunRow, fuse, write_answers, write_topic,
};

/// Join several runs into one.
///
/// By default a formula gets 1 / (60 + rank) from every run that has it. With `--method min-max`
/// the scores of each run's topic are scaled to 0 to 1 and summed instead.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Runs may come from any system, in ARQMath's format or TREC's, but all must be in the same
format: formula ids are not visual ids.

Examples:
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
    /// The constant of reciprocal rank fusion; the greater it is, the less the first ranks stand out.
    #[arg(long, default_value_t = 60.0)]
    k: f64,
    /// The weight of each run, in the order of the runs [default: 1 each].
    #[arg(long, num_args = 1.., value_name = "WEIGHT")]
    weights: Vec<f64>,
    /// How many results to keep for each topic.
    #[arg(long, default_value_t = 1000)]
    depth: usize,
    /// The run id that is written in each line.
    #[arg(long, default_value = "fused")]
    run_id: RunId,
    #[command(flatten)]
    replacing: Replacing,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Method {
    /// Sum weight / (k + rank).
    ReciprocalRank,
    /// Sum weight times score, the scores of a topic scaled to 0 to 1.
    MinMax,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let weights = weights(args)?;
    let inputs: Vec<&Path> = args.runs.iter().map(PathBuf::as_path).collect();
    let kind = Kind::Run(args.run_id.clone());
    let output = Destination::new(&args.output, kind, &inputs, args.replacing)?;
    let mut runs = Vec::new();
    for (path, weight) in args.runs.iter().zip(weights) {
        runs.push((Run::read(path)?, weight));
    }
    check_formats(args, &runs)?;
    let fusion = match args.method {
        Method::ReciprocalRank => Fusion::ReciprocalRank { k: args.k },
        Method::MinMax => Fusion::MinMax,
    };
    let fused = fuse(&runs, fusion, args.depth);
    output.save(written(&fused, &args.run_id)?)?;
    Ok(Status::Done)
}

/// The weight of each run.
fn weights(args: &Args) -> anyhow::Result<Vec<f64>> {
    let (runs, given) = (args.runs.len(), args.weights.len());
    anyhow::ensure!(
        given == 0 || given == runs,
        "{given} weights were given for {runs} runs"
    );
    let numbers = args.weights.iter().chain([&args.k]);
    for number in numbers {
        anyhow::ensure!(
            number.is_finite() && *number >= 0.0,
            "expected weights and --k to be numbers from 0 up, found {number}"
        );
    }
    Ok(if given == 0 {
        vec![1.0; runs]
    } else {
        args.weights.clone()
    })
}

fn check_formats(args: &Args, runs: &[(Run, f64)]) -> anyhow::Result<()> {
    let first = runs.first().map(|(run, _)| run.ids);
    let other = runs.iter().position(|(run, _)| Some(run.ids) != first);
    let Some(other) = other else {
        return Ok(());
    };
    anyhow::bail!(
        "{} and {} are not in one format: formulas, visual ids and posts have ids of their own",
        args.runs[0].display(),
        args.runs[other].display()
    )
}

/// A fused run in the format of those that it came from.
fn written(fused: &Run, run_id: &RunId) -> anyhow::Result<Vec<u8>> {
    let format = match fused.ids {
        RunIds::Visual => RunFormat::Trec,
        RunIds::Formulas | RunIds::Posts => RunFormat::Arqmath,
    };
    let row = |(id, score): &(String, f64)| RunRow {
        formula_id: id.clone(),
        visual_id: id.clone(),
        post_id: fused.posts.get(id).cloned().unwrap_or_default(),
        score: *score,
    };
    let mut written = Vec::new();
    for (topic, ranked) in &fused.topics {
        if fused.ids == RunIds::Posts {
            write_answers(&mut written, topic, ranked, run_id)?;
            continue;
        }
        let rows: Vec<RunRow> = ranked.iter().map(row).collect();
        write_topic(&mut written, topic, &rows, run_id, format)?;
    }
    Ok(written)
}
