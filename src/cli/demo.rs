//! `phocus demo`: the whole way, on the sample that comes with phocus.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

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
}

pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let folder = &args.folder;
    unpack(folder)?;
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

fn unpack(folder: &Path) -> anyhow::Result<()> {
    for (name, text) in SAMPLE {
        let path = folder.join(name);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))?;
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Says what is typed, and does it.
fn step(arguments: &[&str]) -> anyhow::Result<()> {
    let shown: Vec<String> = arguments.iter().map(|word| quoted(word)).collect();
    writeln!(io::stdout(), "$ phocus {}", shown.join(" "))?;
    let words = std::iter::once(&"phocus").chain(arguments);
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
