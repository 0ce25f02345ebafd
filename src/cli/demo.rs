//! `phocus demo`: every step from files to results, on the sample that comes with phocus.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use super::destination::{Destination, Replacing};
use super::kind::{Kind, RUN_ID_PREFIX};
use super::{Cli, Status, dispatch};

/// The sample, so that the demo needs nothing but phocus.
const SAMPLE: &[(&str, &str)] = &[
    (
        "formulas/1.tsv",
        include_str!("../../data-sample/formulas/1.tsv"),
    ),
    (
        "formulas/2.tsv",
        include_str!("../../data-sample/formulas/2.tsv"),
    ),
    (
        "formulas/3.tsv",
        include_str!("../../data-sample/formulas/3.tsv"),
    ),
    ("topics.xml", include_str!("../../data-sample/topics.xml")),
    ("qrels.tsv", include_str!("../../data-sample/qrels.tsv")),
];

/// Queries that are shown.
const QUERIES: [&str; 2] = [r"a^2+b^2=c^2", r"\int_{-\infty}^{\infty} e^{-x^2} dx"];

/// Try phocus on the sample that comes with it.
///
/// The demo indexes the sample, runs its topics, measures the run, compares it with a run that is
/// not re-ranked, and searches for two formulas. It prints every command before it runs it.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The folder for the sample, its index and its runs.
    #[arg(default_value = "phocus-demo")]
    folder: PathBuf,
    #[command(flatten)]
    replacing: Replacing,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let folder = &args.folder;
    let step = |arguments: &[&str]| step(arguments, args.replacing);
    check_outputs(args)?;
    unpack(folder, args.replacing)?;
    let path = |name: &str| folder.join(name).display().to_string();
    let (formulas, index, topics) = (path("formulas"), path("sample.phoc"), path("topics.xml"));
    let (run, qrels) = (path("run.tsv"), path("qrels.tsv"));
    step(&["index", &formulas, "-o", &index])?;
    step(&["run", &index, "--topics", &topics, "-o", &run])?;
    step(&["eval", "--qrels", &qrels, "--index", &index, &run])?;
    let (once, report) = (path("once.tsv"), path("report.html"));
    step(&[
        "run", &index, "--topics", &topics, "--rerank", "0", "-o", &once,
    ])?;
    step(&[
        "compare", "--qrels", &qrels, "--topics", &topics, "--index", &index, &once, &run, "-o",
        &report,
    ])?;
    for latex in QUERIES {
        step(&["search", &index, latex, "-k", "5"])?;
    }
    writeln!(
        io::stdout(),
        "Look at {report}: it compares the run with one that was not re-ranked.\n\nNext, type\n  phocus search {index} '\\sum_{{n=1}}^\\infty \\frac{{1}}{{n^2}}'\n  \
         phocus encode 'x^2+1'\n  phocus index YOUR-FORMULAS.tsv -o yours.phoc\n  phocus --help\n\
         (phocus is target/release/phocus, or on your path after `cargo install --path .`)"
    )?;
    Ok(Status::Done)
}

/// Whether all that will be written may be, before anything is.
fn check_outputs(args: &Args) -> anyhow::Result<()> {
    let run = || anyhow::Ok(Kind::Run(format!("{RUN_ID_PREFIX}best").parse()?));
    let outputs = [
        ("sample.phoc", Kind::Index),
        ("run.tsv", run()?),
        ("once.tsv", run()?),
        ("report.html", Kind::Page),
    ];
    for (name, kind) in outputs {
        if args.folder.is_dir() {
            Destination::new(&args.folder.join(name), kind, &[], args.replacing)?;
        }
    }
    Ok(())
}

/// Writes the sample. Where a file of another content is in its place, nothing is written.
fn unpack(folder: &Path, replacing: Replacing) -> anyhow::Result<()> {
    for (name, text) in SAMPLE {
        let path = folder.join(name);
        let is_other = fs::metadata(&path).is_ok_and(|found| found.len() > 0)
            && !fs::read(&path).is_ok_and(|found| found == text.as_bytes());
        ensure!(
            replacing.force || !is_other,
            "{} is there already and is not part of the sample: name another folder, or replace it with --force",
            path.display()
        );
    }
    for (name, text) in SAMPLE {
        let path = folder.join(name);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))?;
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Prints a command, and runs it.
fn step(arguments: &[&str], replacing: Replacing) -> anyhow::Result<()> {
    let writes = arguments.contains(&"-o");
    let force = (writes && replacing.force).then_some("--force");
    let arguments: Vec<&str> = arguments.iter().copied().chain(force).collect();
    let shown: Vec<String> = arguments.iter().map(|word| quoted(word)).collect();
    writeln!(io::stdout(), "$ phocus {}", shown.join(" "))?;
    let words = std::iter::once("phocus").chain(arguments);
    let cli: Cli = clap::Parser::try_parse_from(words)?;
    dispatch(cli.verb)?;
    Ok(writeln!(io::stdout())?)
}

/// A word as a shell wants it.
fn quoted(word: &str) -> String {
    if word.contains(|c: char| !c.is_ascii_alphanumeric() && !"-_./=".contains(c)) {
        format!("'{word}'")
    } else {
        word.to_owned()
    }
}
