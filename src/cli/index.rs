//! `phocus index`: build an index.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, bail};

use super::args::{ConfigArgs, Names, one_of, parse_size, parse_threads};
use super::output::{is_special, print_json, report_beside};
use super::rejects::Rejects;
use super::table::{grouped, sized};
use super::{Status, progress};
use crate::atomic_file;
use crate::corpus::{Format, Inputs};
use crate::index::{Dedup, IndexBuilder, Summary};
use crate::progress::Progress;

/// Build an index of formulas.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Inputs may be ARQMath formula TSVs, any TSV whose header has `latex` or `formula`
and an id, JSON Lines, plain text with one formula a line, or SVG files. Files that
end in .zst or .gz are decompressed while they are read. Comments and deleted formulas
(type comment, issue d or dv) are left out, as ARQMath's rules ask, and counted.

Examples:
  phocus index formulas/ -o formulas.phoc
  zcat more.txt.gz | phocus index - -o more.phoc --config xy5 --anchor box")]
pub(super) struct Args {
    /// Files or folders of formulas; - is standard input.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// The index to write.
    #[arg(short, long, value_name = "FILE.phoc")]
    output: PathBuf,
    #[command(flatten)]
    config: ConfigArgs,
    /// How duplicates are merged.
    #[arg(long, default_value = "auto", value_name = "HOW", value_parser = one_of::<Dedup>(DEDUPS))]
    dedup: Dedup,
    /// The format of the inputs, where their names and first lines do not show it.
    #[arg(long, value_parser = one_of::<Format>(FORMATS))]
    format: Option<Format>,
    /// About how much memory to use, such as 512M or 2G.
    #[arg(long, default_value = "1G", value_parser = parse_size)]
    memory: usize,
    /// How many threads lay formulas out [default: one for each core].
    #[arg(long, default_value_t = 0, hide_default_value = true, value_parser = parse_threads)]
    threads: usize,
    /// Write formulas that could not be indexed to this file: id, reason, detail, place, LaTeX.
    #[arg(long, value_name = "FILE.tsv")]
    rejects: Option<PathBuf>,
    /// Print the summary as JSON.
    #[arg(long)]
    json: bool,
}

pub(super) const DEDUPS: Names = &[
    (
        "auto",
        "By visual id where a formula has one, else by layout",
    ),
    (
        "visual-id",
        "By visual id, which some formula must have; the others by layout",
    ),
    ("layout", "By layout: the same symbols at the same places"),
    ("none", "Not at all: every formula is kept by itself"),
];

pub(super) const FORMATS: Names = &[
    ("tsv", "Tab-separated values with a header"),
    ("jsonl", "One JSON object a line"),
    ("text", "One LaTeX formula a line"),
    ("svg", "One drawing a file"),
];

pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let config = args.config.config()?;
    if is_special(&args.output) || args.output.as_os_str() == "-" {
        bail!(
            "{} is not a plain file; name one, such as formulas.phoc",
            args.output.display()
        );
    }
    let inputs = Inputs::new(&args.inputs, args.format)?;
    let mut rejects = Rejects::new(args.rejects.as_deref())?;
    let progress = Arc::new(Progress::default());
    // An output that cannot be written is reported before the work, not after it.
    atomic_file::temporary_beside(&args.output)
        .with_context(|| format!("cannot write {}", args.output.display()))?;
    let summary = progress::watched(&progress, || {
        let mut builder = IndexBuilder::new(config)
            .dedup(args.dedup)
            .memory(args.memory)
            .threads(args.threads)
            .scratch(atomic_file::folder_of(&args.output))
            .progress(Arc::clone(&progress))
            .on_reject(|reject| rejects.write(reject));
        builder.add_all(inputs)?;
        builder.finish(&args.output)
    })?;
    rejects.finish().context("cannot write the rejects")?;
    let mut out = report_beside(args.rejects.as_deref());
    if args.json {
        print_json(&mut out, &summary)?;
    } else {
        print_summary(&summary, args, &mut out)?;
    }
    Ok(Status::Done)
}

fn print_summary(summary: &Summary, args: &Args, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", args.output.display())?;
    for (name, count) in [
        ("read", summary.read),
        ("indexed", summary.indexed),
        ("distinct", summary.distinct),
    ] {
        writeln!(out, "  {name:<8}  {:>12}", grouped(count))?;
    }
    print_left_out(summary, out)?;
    writeln!(out, "  tokens    {:>12}", grouped(summary.tokens))?;
    writeln!(out, "  postings  {:>12}", grouped(summary.postings))?;
    let (bytes, store) = (sized(summary.bytes), sized(summary.store_bytes));
    writeln!(
        out,
        "  bytes     {:>12}  ({bytes}, {store} of it LaTeX, instances and layouts)",
        grouped(summary.bytes)
    )?;
    let rate = grouped((summary.read as f64 / summary.seconds.max(1e-3)) as u64);
    writeln!(
        out,
        "  took      {:>10.1} s  ({rate} formulas/s)",
        summary.seconds
    )?;
    if summary.same_ids > 0 {
        let same = grouped(summary.same_ids);
        writeln!(
            out,
            "warning: {same} formulas have an id that another formula has too. Results show them under the same id, \
             and judgments cannot tell them apart: give them ids of their own."
        )?;
    }
    if !summary.rejected.is_empty() && args.rejects.is_none() {
        writeln!(
            out,
            "To see which formulas were rejected, add --rejects rejects.tsv."
        )?;
    }
    Ok(())
}

/// How many formulas were left out, and why.
fn print_left_out(summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    for (name, reasons) in [
        ("rejected", &summary.rejected),
        ("withheld", &summary.withheld),
    ] {
        let total: u64 = reasons.values().sum();
        let share = 100.0 * total as f64 / summary.read.max(1) as f64;
        let share = if total > 0 {
            format!("  ({share:.3}%)")
        } else {
            String::new()
        };
        writeln!(out, "  {name}  {:>12}{share}", grouped(total))?;
        for (reason, count) in reasons {
            writeln!(out, "            {:>12}  {reason}", grouped(*count))?;
        }
    }
    Ok(())
}
