//! `phocus index`: build an index.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::ensure;

use super::args::{ConfigArgs, Names, one_of, parse_size, parse_threads};
use super::destination::{Destination, Place, Replacing};
use super::formulas::SelectionArgs;
use super::kind::Kind;
use super::output::print_json;
use super::rejects::Rejects;
use super::table::{grouped, printable, sized};
use super::{Status, progress};
use crate::atomic_file;
use crate::corpus::{Inputs, LinkTemplate, Skipped};
use crate::index::{Dedup, IndexBuilder, Summary};
use crate::progress::Progress;

/// Build an index of formulas.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Inputs may be documents: LaTeX with its macros, Markdown, HTML, Jupyter notebooks,
reStructuredText, AsciiDoc, wikitext, XML with MathML, dumps of Stack Exchange and MediaWiki, and
text with formulas between $. Each formula is kept with its file, line, section and sentence, and
the texts are kept with their words, so that `phocus ask` can answer questions (not with
--no-texts).

Or they may be lists of formulas: ARQMath formula TSVs, any TSV or CSV whose header has `latex` or
`formula` and an id, JSON arrays, JSON Lines, plain text with one formula a line, or SVG files.
Other columns are kept and shown.

Folders are gone through as ripgrep does. Files of other kinds are refused where they are named,
and skipped and counted where a folder has them. Files that end in .zst or .gz are decompressed
while they are read. Comments and deleted formulas (type comment, issue d or dv) are left out, as
ARQMath's rules ask, and counted.

Examples:
  phocus index ~/notes -o notes.phoc
  phocus index formulas/ -o formulas.phoc
  zcat more.txt.gz | phocus index - -o more.phoc --config xy5 --anchor box")]
pub(super) struct Args {
    /// Files and folders: documents, or lists of formulas; - is standard input.
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
    #[command(flatten)]
    selection: SelectionArgs,
    /// Read all documents anew, and keep nothing for the next time. Else a file beside the index,
    /// FILE.phoc.seen, has what was read, and documents that did not change are not read again.
    #[arg(long)]
    no_seen: bool,
    /// Keep no texts of documents: formulas can be searched for, and questions not asked.
    #[arg(long)]
    no_texts: bool,
    /// About how much memory to use, such as 512M or 2G.
    #[arg(long, default_value = "1G", value_parser = parse_size)]
    memory: usize,
    /// How many threads lay formulas out [default: one for each core].
    #[arg(long, default_value_t = 0, hide_default_value = true, value_parser = parse_threads)]
    threads: usize,
    /// Write formulas that could not be indexed to this file: id, reason, detail, place, LaTeX.
    #[arg(long, value_name = "FILE.tsv")]
    rejects: Option<PathBuf>,
    /// Where an occurrence can be read: an address with {id}, {post}, {thread}, {type}, {visual_id}
    /// or the name of a column in braces, such as `https://math.stackexchange.com/q/{post}`.
    /// Without it a column `url` is the address.
    #[arg(long, value_name = "URL")]
    link: Option<LinkTemplate>,
    #[command(flatten)]
    replacing: Replacing,
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
    (
        "csv",
        "Values separated by commas or semicolons, with a header",
    ),
    ("json", "A JSON array of objects or of texts"),
    ("jsonl", "One JSON object a line"),
    ("text", "One LaTeX formula a line"),
    ("svg", "One drawing a file"),
    ("tex", "LaTeX"),
    ("markdown", "Markdown"),
    ("html", "HTML"),
    ("notebook", "A Jupyter notebook"),
    ("rst", "reStructuredText"),
    ("asciidoc", "AsciiDoc"),
    ("wikitext", "Wikitext"),
    ("xml", "XML with MathML, such as JATS"),
    ("posts", "Stack Exchange's Posts.xml or Comments.xml"),
    ("wikidump", "A dump of MediaWiki"),
    ("prose", "Text with formulas between $ or the like"),
];

pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let config = args.config.config()?;
    let mut options = args.selection.options();
    options.texts = !args.no_texts;
    options.seen = (!args.no_seen).then(|| seen_beside(&args.output));
    let inputs = Inputs::new(&args.inputs, options)?;
    let (output, rejected) = outputs(args, &inputs)?;
    let mut rejects = Rejects::new(rejected.as_ref())?;
    let progress = Arc::new(Progress::default());
    let scratch = atomic_file::followed(output.path())?;
    let summary = progress::watched(&progress, || {
        let mut builder = IndexBuilder::new(config)
            .dedup(args.dedup)
            .memory(args.memory)
            .threads(args.threads)
            .scratch(atomic_file::folder_of(&scratch))
            .progress(Arc::clone(&progress))
            .on_reject(|reject| rejects.write(reject));
        if let Some(link) = &args.link {
            builder = builder.link(link.clone());
        }
        builder.add_all(inputs)?;
        builder.finish(&args.output)
    })?;
    rejects.finish()?;
    let mut out = rejected.as_ref().unwrap_or(&output).report();
    if args.json {
        print_json(&mut out, &summary)?;
    } else {
        print_summary(&summary, args, &mut out)?;
    }
    Ok(Status::Done)
}

/// The file beside an index that has what was read for it.
fn seen_beside(index: &Path) -> PathBuf {
    let mut name = index.as_os_str().to_owned();
    name.push(".seen");
    name.into()
}

/// The index and the list of rejects, which replace nothing that they should not.
fn outputs(args: &Args, inputs: &Inputs) -> anyhow::Result<(Destination, Option<Destination>)> {
    let inputs: Vec<&Path> = inputs.files().chain(args.config.file()).collect();
    let output = Destination::new(&args.output, Kind::Index, &inputs, args.replacing)?;
    ensure!(
        output.place == Place::File,
        "{} is not a plain file; name one, such as formulas.phoc",
        args.output.display()
    );
    if !args.no_seen {
        Destination::new(
            &seen_beside(&args.output),
            Kind::Seen,
            &inputs,
            args.replacing,
        )?;
    }
    let rejected = args.rejects.as_ref().map(|path| {
        Destination::new(path, Kind::Rejects, &inputs, args.replacing)?.apart_from(&output)
    });
    Ok((output, rejected.transpose()?))
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
    if summary.texts > 0 {
        writeln!(out, "  texts     {:>12}", grouped(summary.texts))?;
    }
    print_left_out(summary, out)?;
    print_skipped(summary, out)?;
    print_fields(summary, args, out)?;
    writeln!(out, "  tokens    {:>12}", grouped(summary.tokens))?;
    writeln!(out, "  postings  {:>12}", grouped(summary.postings))?;
    let (bytes, store) = (sized(summary.bytes), sized(summary.store_bytes));
    writeln!(
        out,
        "  bytes     {:>12}  ({bytes}, {store} of it LaTeX, instances, layouts and texts)",
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

/// Files that were not read, and files that seem to be no lists of formulas.
fn print_skipped(summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    let mut skipped = Skipped::default();
    skipped.counts.clone_from(&summary.skipped);
    if let Some(described) = skipped.described() {
        writeln!(out, "  skipped   {described}")?;
    }
    for file in &summary.mostly_rejected {
        writeln!(
            out,
            "warning: {} may not be what it was taken for: {} of its {} formulas or lines were rejected. phocus reads \
             documents, TSV and CSV with a header, JSON arrays, JSON Lines, text with one formula a line, and SVG \
             drawings; --format says which. The first reasons:",
            file.file,
            grouped(file.rejected),
            grouped(file.read)
        )?;
        for reason in &file.reasons {
            writeln!(out, "  {}", printable(reason))?;
        }
    }
    Ok(())
}

/// Which of the input's own columns are kept, and which values of them are not.
fn print_fields(summary: &Summary, args: &Args, out: &mut dyn Write) -> io::Result<()> {
    if !summary.fields.is_empty() {
        writeln!(out, "  kept      {}", summary.fields.join(", "))?;
    }
    let unknown = |name: &&str| !summary.fields.iter().any(|field| field == name);
    let needed = args.link.iter().flat_map(LinkTemplate::fields);
    let unknown: Vec<&str> = needed.filter(unknown).collect();
    if !unknown.is_empty() {
        writeln!(
            out,
            "warning: no formula has an address: --link names {}, and no input has such a column.",
            unknown.join(", ")
        )?;
    }
    if !summary.fields_left_out.is_empty() {
        let counts = summary.fields_left_out.iter();
        let counts: Vec<String> = counts
            .map(|(name, count)| format!("{} of {name}", grouped(*count)))
            .collect();
        writeln!(
            out,
            "warning: some values are not kept ({}): they are longer than 4,096 bytes, or there are more than 64 \
             names. Their formulas are in the index.",
            counts.join(", ")
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
