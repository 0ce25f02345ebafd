//! `phocus synth`: a longer list of formulas, made of a real one.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use serde_json::{Value, json};

use super::args::{ConfigArgs, parse_threads};
use super::destination::{Destination, Replacing};
use super::kind::Kind;
use super::output::print_json;
use super::table::{Align, Table, grouped};
use super::{Status, progress};
use crate::corpus::Inputs;
use crate::progress::Progress;
use crate::synth::{Distribution, GrowOptions, Grown, Statistics, grow};

/// Grow a list of formulas into a longer one like it, to measure with.
///
/// The list's own formulas come first, then others made from them: variables and numbers are
/// changed, formulas are cut at an operator, or joined at one. Every formula can be laid out, and
/// no two look the same. A table compares both lists: symbols in a formula, norms, how many
/// formulas hold a symbol.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The same list, number and seed give the same bytes on any number of threads.

Examples:
  phocus synth --from formulas.tsv.zst --formulas 8400000 --seed 1 -o big.tsv.zst
  phocus index big.tsv.zst -o big.phoc")]
pub(super) struct Args {
    /// The list, in any format that `phocus index` reads; - is standard input.
    #[arg(long, value_name = "FILE")]
    from: PathBuf,
    /// How many formulas to write.
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    formulas: u64,
    /// The random seed: each seed gives another list.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The TSV to write, compressed if its name ends in .zst or .gz; - is standard output.
    #[arg(short, long, value_name = "FILE.tsv")]
    output: PathBuf,
    #[command(flatten)]
    config: ConfigArgs,
    /// How many threads lay formulas out [default: one for each core].
    #[arg(long, default_value_t = 0, hide_default_value = true, value_parser = parse_threads)]
    threads: usize,
    #[command(flatten)]
    replacing: Replacing,
    /// Print the statistics as JSON.
    #[arg(long)]
    json: bool,
}

/// How many of the most frequent symbols are shown.
const SYMBOLS: usize = 15;

pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let options = GrowOptions {
        formulas: args.formulas,
        seed: args.seed,
        config: args.config.config()?,
        threads: args.threads,
    };
    let inputs = Inputs::new(std::slice::from_ref(&args.from), None)?;
    let files: Vec<&Path> = inputs.files().chain(args.config.file()).collect();
    let destination = Destination::new(&args.output, Kind::List, &files, args.replacing)?;
    let mut output = destination.begin()?;
    let progress = Arc::new(Progress::default());
    let grown = progress::watched(&progress, || grow(inputs, &options, &mut output, &progress))?;
    output
        .finish()
        .with_context(|| destination.cannot_write())?;
    let mut out = destination.report();
    if args.json {
        print_json(&mut out, &as_json(&grown))?;
    } else {
        print(&grown, &mut out)?;
    }
    Ok(Status::Done)
}

fn as_json(grown: &Grown) -> Value {
    let symbols = grown.original.most_frequent(SYMBOLS);
    let of = |statistics: &Statistics| {
        let percents = symbols
            .iter()
            .map(|key| (key.to_string(), statistics.percent(*key).into()));
        json!({
            "formulas": statistics.formulas(),
            "postings": statistics.postings(),
            "tokens": statistics.tokens(),
            "symbols_a_formula": statistics.sizes.summary(),
            "norm": statistics.norms.summary(),
            "percent_holding": percents.collect::<serde_json::Map<_, _>>(),
        })
    };
    json!({
        "read": grown.read,
        "left_out": grown.left_out,
        "original": of(&grown.original),
        "written": of(&grown.written),
    })
}

fn print(grown: &Grown, out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::new(&[
        ("", Align::Left),
        ("original", Align::Right),
        ("written", Align::Right),
        ("ratio", Align::Right),
    ]);
    let (original, written) = (rows(grown, &grown.original), rows(grown, &grown.written));
    for ((name, original, decimals), (_, written, _)) in original.into_iter().zip(written) {
        let shown = |value: f64| match decimals {
            0 => grouped(value as u64),
            _ => format!("{value:.decimals$}"),
        };
        let ratio = format!("{:.3}", written / original);
        table.row(vec![name, shown(original), shown(written), ratio]);
    }
    table.write(out)?;
    let (read, left_out) = (grouped(grown.read), grouped(grown.left_out));
    writeln!(
        out,
        "{read} records read; {left_out} left out, as `phocus index` would"
    )
}

/// The rows of the table for one list: name, value, number of decimals.
fn rows(grown: &Grown, of: &Statistics) -> Vec<(String, f64, usize)> {
    let whole = |name: &str, value: u64| (name.to_owned(), value as f64, 0);
    let mut rows = vec![
        whole("formulas", of.formulas()),
        whole("postings", of.postings()),
        whole("distinct symbols", of.tokens() as u64),
    ];
    rows.extend(distribution("symbols in a formula", &of.sizes.summary()));
    rows.extend(distribution("norm", &of.norms.summary()));
    for key in grown.original.most_frequent(SYMBOLS) {
        rows.push((format!("% of formulas with {key}"), of.percent(key), 2));
    }
    rows
}

fn distribution(name: &str, of: &Distribution) -> Vec<(String, f64, usize)> {
    let percentiles = [
        ("5%", of.p5),
        ("25%", of.p25),
        ("median", of.median),
        ("75%", of.p75),
        ("95%", of.p95),
        ("99%", of.p99),
    ];
    let mut rows = vec![(format!("{name}, mean"), of.mean, 3)];
    rows.extend(percentiles.map(|(part, value)| (format!("{name}, {part}"), value as f64, 0)));
    rows
}
