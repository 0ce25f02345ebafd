//! `phocus tune`: weights by judgments.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use serde_json::json;

use super::Outcome;
use super::args::ConfigArgs;
use super::output::write_whole;
use super::table::{Align, Table};
use crate::corpus::read_topics;
use crate::eval::{Measures, Qrels};
use crate::index::Index;
use crate::layout;
use crate::phoc::Idf;
use crate::tune::{Goal, Judged, Tuned, Tuner};

/// Find the weights of token kinds that judged topics speak for.
///
/// A search changes one setting at a time: the weight and the repeats of each
/// kind of token, whether it counts where they stand, the cap on what one token
/// counts, and the norm's power. What it reaches on the topics that it
/// was tuned on flatters; the held-out row is what to expect: the topics are cut
/// in parts, and each is measured with what was tuned on the others.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The index gives the judged formulas' LaTeX; its own configuration does not matter.

  phocus tune formulas.phoc --topics topics.tsv --qrels qrels.tsv -o mine.toml
  phocus index formulas.tsv --config mine.toml -o mine.phoc")]
pub(super) struct Args {
    /// An index that holds the judged formulas.
    index: PathBuf,
    /// The topics.
    #[arg(long, value_name = "FILE")]
    topics: PathBuf,
    /// Judgments: topic, 0, visual id, grade.
    #[arg(long, value_name = "FILE")]
    qrels: PathBuf,
    #[command(flatten)]
    config: ConfigArgs,
    /// What is to be as great as can be.
    #[arg(long, value_enum, default_value = "mean")]
    measure: Aim,
    /// In how many parts the topics are cut.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(2..))]
    folds: u32,
    /// Where to write the best configuration [default: standard output].
    #[arg(short, long, value_name = "FILE.toml")]
    output: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Aim {
    /// The mean of the three.
    Mean,
    Ndcg,
    Map,
    P10,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let index = Index::open(&args.index)?;
    let qrels = Qrels::read(&args.qrels)?;
    let config = args.config.config()?;
    anyhow::ensure!(
        config.idf == Idf::Off,
        "tuning is without IDF, and {} has it",
        config.name
    );
    let mut topics = Vec::new();
    for topic in read_topics(&args.topics)? {
        match layout::latex(&topic.latex) {
            Ok(layout) if qrels.topics.contains_key(&topic.number) => {
                topics.push((topic.number, layout));
            }
            Ok(_) => eprintln!("topic {} is not judged", topic.number),
            Err(error) => eprintln!("topic {} is left out: {error}", topic.number),
        }
    }
    anyhow::ensure!(topics.len() > 1, "fewer than two topics are judged");
    let formulas = judged(&index, &qrels)?;
    anyhow::ensure!(
        !formulas.is_empty(),
        "{} holds none of the judged formulas",
        args.index.display()
    );
    let goal: Goal = match args.measure {
        Aim::Mean => |measures| (measures.ndcg + measures.map + measures.p10) / 3.0,
        Aim::Ndcg => |measures| measures.ndcg,
        Aim::Map => |measures| measures.map,
        Aim::P10 => |measures| measures.p10,
    };
    let tuner = Tuner::new(&config, &topics, &formulas, &qrels);
    let tuned = tuner.tune(args.folds as usize, goal, &mut |what| eprintln!("{what}"));
    report(args, &tuned, topics.len())?;
    Ok(Outcome::Done)
}

/// The judged formulas of an index, laid out, by visual id.
fn judged(index: &Index, qrels: &Qrels) -> anyhow::Result<BTreeMap<String, Judged>> {
    let wanted: HashSet<&str> = qrels
        .topics
        .values()
        .flat_map(|topic| topic.keys().map(String::as_str))
        .collect();
    let mut formulas = BTreeMap::new();
    for (formula, rank) in index.all_instances().zip(index.id_ranks()) {
        let (entry, instances) = formula?;
        let ids = instances
            .iter()
            .map(|instance| entry.visual_id_of(instance));
        for id in ids
            .chain([entry.id.as_str()])
            .filter(|id| wanted.contains(id))
        {
            if let Ok(layout) = layout::latex(&entry.latex) {
                let judged = Judged {
                    layout,
                    rank: *rank,
                };
                formulas.entry(id.to_owned()).or_insert(judged);
            }
        }
    }
    Ok(formulas)
}

fn report(args: &Args, tuned: &Tuned, topics: usize) -> anyhow::Result<()> {
    let written = toml::to_string_pretty(&tuned.config)?;
    if let Some(path) = &args.output {
        let saved = write_whole(path, written.as_bytes());
        saved.with_context(|| format!("cannot write {}", path.display()))?;
    }
    let rows = [
        ("as given", &tuned.before),
        ("tuned, on the same topics", &tuned.on_train),
        ("tuned, held out", &tuned.held_out),
    ];
    let mut out = io::stdout().lock();
    if args.json {
        let report = json!({
            "topics": topics, "folds": args.folds, "config": tuned.config,
            "before": tuned.before, "on_train": tuned.on_train, "held_out": tuned.held_out,
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
        return Ok(());
    }
    let mut table = Table::new(&[
        ("weights", Align::Left),
        ("nDCG'", Align::Right),
        ("MAP'", Align::Right),
        ("P'@10", Align::Right),
    ]);
    for (name, Measures { ndcg, map, p10, .. }) in rows {
        let mut row = vec![name.to_owned()];
        row.extend([ndcg, map, p10].map(|value| format!("{value:.4}")));
        table.row(row);
    }
    table.write(&mut out)?;
    if args.output.is_none() {
        write!(out, "\n{written}")?;
    }
    Ok(())
}
