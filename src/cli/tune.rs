//! `phocus tune`: weights from judgments.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::Status;
use super::args::ConfigArgs;
use super::destination::{Destination, Replacing};
use super::kind::Kind;
use super::output::print_json;
use super::table::{Align, Table};
use super::topics::read_laid_out;
use crate::eval::{Measures, Qrels};
use crate::index::Index;
use crate::layout::Layout;
use crate::phoc::Idf;
use crate::tune::{Goal, Tuned, Tuner, judged_formulas};

/// Find weights of token kinds for which judged topics are answered best.
///
/// One setting at a time is changed for as long as that helps: the weight and the repeats of each
/// kind of token, whether its positions count, the cap on what one token counts, and the power of
/// the norm. Topics that were used for tuning are answered too well to be believed; the held-out
/// row shows what to expect of others. For it the topics are split into parts, and each part is
/// measured with settings that were tuned on the other parts.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The index only supplies the LaTeX of the judged formulas; its own configuration does not matter.

Examples:
  phocus tune formulas.phoc --topics topics.tsv --qrels qrels.tsv -o mine.toml
  phocus index formulas.tsv --config mine.toml -o mine.phoc")]
pub(super) struct Args {
    /// An index that has the judged formulas.
    index: PathBuf,
    /// The topics.
    #[arg(long, value_name = "FILE")]
    topics: PathBuf,
    /// Judgments: lines of topic, 0, visual id, grade.
    #[arg(long, value_name = "FILE")]
    qrels: PathBuf,
    #[command(flatten)]
    config: ConfigArgs,
    /// The measure to maximise.
    #[arg(long, value_enum, default_value = "mean")]
    measure: Aim,
    /// How many parts the topics are split into for the held-out row.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(2..))]
    folds: u32,
    /// The file to write the best configuration to [default: standard output].
    #[arg(short, long, value_name = "FILE.toml")]
    output: Option<PathBuf>,
    #[command(flatten)]
    replacing: Replacing,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Aim {
    /// The mean of the three others.
    Mean,
    /// nDCG'.
    Ndcg,
    /// MAP'.
    Map,
    /// P'@10.
    P10,
}

impl Aim {
    fn goal(self) -> Goal {
        match self {
            Aim::Mean => |measures| (measures.ndcg + measures.map + measures.p10) / 3.0,
            Aim::Ndcg => |measures| measures.ndcg,
            Aim::Map => |measures| measures.map,
            Aim::P10 => |measures| measures.p10,
        }
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let output = destination(args)?;
    let index = Index::open(&args.index)?;
    let qrels = Qrels::read(&args.qrels)?;
    let config = args.config.config()?;
    anyhow::ensure!(
        config.idf == Idf::Off,
        "weights are tuned without IDF, and the configuration {} has it",
        config.name
    );
    let topics = judged_topics(args, &qrels)?;
    let formulas = judged_formulas(&index, &qrels)?;
    anyhow::ensure!(
        !formulas.is_empty(),
        "{} has none of the judged formulas",
        args.index.display()
    );
    let tuner = Tuner::new(&config, &topics, &formulas, &qrels);
    let tuned = tuner.tune(args.folds as usize, args.measure.goal(), &mut |part| {
        eprintln!("{part}");
    })?;
    publish(args, output.as_ref(), &tuned, topics.len())?;
    Ok(Status::Done)
}

/// The file for the configuration, where one is asked for.
fn destination(args: &Args) -> anyhow::Result<Option<Destination>> {
    let inputs = [&args.index, &args.topics, &args.qrels].map(PathBuf::as_path);
    let inputs: Vec<&Path> = inputs.into_iter().chain(args.config.file()).collect();
    let to = |path: &PathBuf| Destination::new(path, Kind::Settings, &inputs, args.replacing);
    args.output.as_ref().map(to).transpose()
}

/// The topics that are judged, laid out.
fn judged_topics(args: &Args, qrels: &Qrels) -> anyhow::Result<Vec<(String, Layout)>> {
    let (mut topics, _) = read_laid_out(&[&args.topics])?;
    topics.retain(|(number, _)| {
        let is_judged = qrels.topics.contains_key(number);
        if !is_judged {
            eprintln!("topic {number} is not judged");
        }
        is_judged
    });
    anyhow::ensure!(topics.len() > 1, "fewer than two topics are judged");
    Ok(topics)
}

/// Writes the configuration, and prints how well it does.
fn publish(
    args: &Args,
    output: Option<&Destination>,
    tuned: &Tuned,
    topics: usize,
) -> anyhow::Result<()> {
    let config = toml::to_string_pretty(&tuned.config)?;
    if let Some(output) = output {
        output.save(config.clone().into_bytes())?;
    }
    let mut out: Box<dyn Write> =
        output.map_or_else(|| Box::new(io::stdout()) as _, Destination::report);
    if args.json {
        return print_json(&mut out, &as_json(args, tuned, topics));
    }
    table(tuned).write(&mut out)?;
    if output.is_none() {
        write!(out, "\n{config}")?;
    }
    Ok(())
}

fn as_json(args: &Args, tuned: &Tuned, topics: usize) -> Value {
    json!({
        "topics": topics, "folds": args.folds, "config": tuned.config,
        "before": tuned.before, "on_train": tuned.on_train, "held_out": tuned.held_out,
    })
}

fn table(tuned: &Tuned) -> Table {
    let mut table = Table::new(&[
        ("weights", Align::Left),
        ("nDCG'", Align::Right),
        ("MAP'", Align::Right),
        ("P'@10", Align::Right),
    ]);
    for (name, Measures { ndcg, map, p10, .. }) in [
        ("as given", &tuned.before),
        ("tuned, on the same topics", &tuned.on_train),
        ("tuned, held out", &tuned.held_out),
    ] {
        let mut row = vec![name.to_owned()];
        row.extend([ndcg, map, p10].map(|value| format!("{value:.4}")));
        table.row(row);
    }
    table
}
