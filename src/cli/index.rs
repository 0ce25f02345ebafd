//! `phocus index`: build an index.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, bail};

use super::config::ConfigArgs;
use super::table::{grouped, sized};
use super::values::{dedups, formats};
use super::{Outcome, progress};
use crate::atomic_file::{self, Output, is_special};
use crate::corpus::{Format, FormulaId, Inputs, quoted};
use crate::index::{Dedup, IndexBuilder, Reject, Summary};
use crate::progress::Progress;

/// Build an index of formulas.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Inputs may be ARQMath formula TSVs, any TSV whose header has `latex` or `formula`
and an id, JSON Lines, plain text with one formula a line, or SVG files; .zst and
.gz are read as they are. Comments and deleted formulas (type comment, issue d or
dv) are left out, as ARQMath's rules ask, and counted.

  phocus index formulas/ -o formulas.phoc
  zcat more.txt.gz | phocus index - -o more.phoc --config xy5 --repr box")]
pub(super) struct Args {
    /// Files or folders of formulas; - is standard input.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// The index to write.
    #[arg(short, long, value_name = "FILE.phoc")]
    output: PathBuf,
    #[command(flatten)]
    config: ConfigArgs,
    /// What makes one formula of several [default: visual ids where there are any, else the layout].
    #[arg(long, value_parser = dedups(), default_value = "auto", hide_default_value = true)]
    dedup: Dedup,
    /// What the inputs are, where their names and beginnings do not tell.
    #[arg(long, value_parser = formats())]
    format: Option<Format>,
    /// About how much memory to use, such as 512M or 2G.
    #[arg(long, default_value = "1G", value_parser = parse_size)]
    memory: usize,
    /// How many threads lay formulas out [default: one a core].
    #[arg(long, default_value_t = 0, hide_default_value = true, value_parser = parse_threads)]
    threads: usize,
    /// Write what could not be indexed here: id, reason, detail, place, LaTeX.
    #[arg(long, value_name = "FILE.tsv")]
    rejects: Option<PathBuf>,
    /// Print the summary as JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let config = args.config.config()?;
    if is_special(&args.output) {
        bail!(
            "{} is no plain file; name one, such as formulas.phoc",
            args.output.display()
        );
    }
    let inputs = Inputs::new(&args.inputs, args.format)?;
    let mut rejects = Rejects::new(args.rejects.as_ref())?;
    let progress = Arc::new(Progress::default());
    // An output that cannot be written is told before the work, not after it.
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
    // To standard error where the rejects themselves go to standard output.
    let mut out: Box<dyn Write> = match &args.rejects {
        Some(path) if path.as_os_str() == "-" => Box::new(io::stderr()),
        _ => Box::new(io::stdout()),
    };
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&summary)?)?;
    } else {
        print_summary(&summary, args, &mut out)?;
    }
    Ok(Outcome::Done)
}

/// More threads than this help nobody.
const MOST_THREADS: usize = 1024;

/// A number of threads; 0 is one a core.
pub(super) fn parse_threads(text: &str) -> Result<usize, String> {
    let threads = text.parse().ok().filter(|threads| *threads <= MOST_THREADS);
    threads
        .ok_or_else(|| format!("expected a number of threads up to {MOST_THREADS}, found `{text}`"))
}

/// 512M, 2G, 1.5GiB or a number of bytes.
fn parse_size(text: &str) -> Result<usize, String> {
    let refuse = || format!("expected a size such as 512M or 2G, found `{text}`");
    let digits = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let shift = match unit
        .trim()
        .trim_end_matches("iB")
        .trim_end_matches('B')
        .to_uppercase()
        .as_str()
    {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err(refuse()),
    };
    let number: f64 = number.parse().map_err(|_| refuse())?;
    if number > 0.0 {
        Ok((number * f64::from(shift).exp2()) as usize)
    } else {
        Err(refuse())
    }
}

/// Where rejects go: to a file, or the malformed lines to standard error.
struct Rejects {
    out: Option<Output>,
    shown: usize,
    failed: io::Result<()>,
}

/// The most malformed lines that are shown where no file takes them.
const MOST_SHOWN: usize = 10;

impl Rejects {
    fn new(path: Option<&PathBuf>) -> anyhow::Result<Self> {
        let out = match path {
            Some(path) => {
                let file = Output::new(path);
                let mut file = file.with_context(|| format!("cannot write {}", path.display()))?;
                writeln!(file, "id\treason\tdetail\tplace\tlatex")?;
                Some(file)
            }
            None => None,
        };
        Ok(Rejects {
            out,
            shown: 0,
            failed: Ok(()),
        })
    }

    fn write(&mut self, reject: &Reject) {
        let Reject {
            id,
            reason,
            detail,
            place,
            latex,
            ..
        } = reject;
        let id = id.as_ref().map_or("", FormulaId::as_str);
        let place = place.as_ref().map(ToString::to_string).unwrap_or_default();
        match &mut self.out {
            Some(file) if self.failed.is_ok() => {
                let fields = [id, detail, latex].map(quoted);
                let [id, detail, latex] = fields;
                self.failed = writeln!(file, "{id}\t{reason}\t{detail}\t{place}\t{latex}");
            }
            Some(_) => {}
            None if self.shown < MOST_SHOWN && *reason == "malformed line" => {
                eprintln!("{place}: {detail}");
                self.shown += 1;
            }
            None => {}
        }
    }

    fn finish(self) -> io::Result<()> {
        self.failed?;
        self.out.map_or(Ok(()), Output::finish)
    }
}

fn print_summary(summary: &Summary, args: &Args, out: &mut dyn Write) -> io::Result<()> {
    let rejected: u64 = summary.rejected.values().sum();
    let withheld: u64 = summary.withheld.values().sum();
    writeln!(out, "{}", args.output.display())?;
    writeln!(out, "  read      {:>12}", grouped(summary.read))?;
    writeln!(out, "  indexed   {:>12}", grouped(summary.indexed))?;
    writeln!(out, "  distinct  {:>12}", grouped(summary.distinct))?;
    for (total, what, reasons) in [
        (rejected, "rejected", &summary.rejected),
        (withheld, "withheld", &summary.withheld),
    ] {
        let part = 100.0 * total as f64 / summary.read.max(1) as f64;
        let shown = if total > 0 {
            format!("  ({part:.3}%)")
        } else {
            String::new()
        };
        writeln!(out, "  {what}  {:>12}{shown}", grouped(total))?;
        for (reason, count) in reasons {
            writeln!(out, "            {:>12}  {reason}", grouped(*count))?;
        }
    }
    writeln!(out, "  tokens    {:>12}", grouped(summary.tokens))?;
    writeln!(out, "  postings  {:>12}", grouped(summary.postings))?;
    let store = sized(summary.store_bytes);
    writeln!(
        out,
        "  bytes     {:>12}  ({}, {store} of it LaTeX, instances and layouts)",
        grouped(summary.bytes),
        sized(summary.bytes)
    )?;
    let rate = summary.read as f64 / summary.seconds.max(1e-3);
    writeln!(
        out,
        "  took      {:>10.1} s  ({} formulas/s)",
        summary.seconds,
        grouped(rate as u64)
    )?;
    if summary.same_ids > 0 {
        writeln!(
            out,
            "warning: {} formulas have an id that another formula has too. Results name them alike, and judgments \
             cannot tell them apart: give them ids of their own.",
            grouped(summary.same_ids)
        )?;
    }
    if rejected > 0 && args.rejects.is_none() {
        writeln!(out, "See why with --rejects rejects.tsv.")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(parse_size("512M"), Ok(512 << 20));
        assert_eq!(parse_size("1.5GiB"), Ok(3 << 29));
        assert_eq!(parse_size("4096"), Ok(4096));
        for bad in ["", "G", "-1G", "1X", "0"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
    }
}
