//! `phocus formulas`: every formula of some documents, with its place.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::Status;
use super::args::one_of;
use super::index::FORMATS;
use crate::corpus::documents::{Document, Documents, LineIndex, Loaded};
use crate::corpus::{Format, InputOptions, Selection};

/// List every formula in documents: its place and its LaTeX.
///
/// LaTeX, Markdown, HTML, Jupyter notebooks, reStructuredText, AsciiDoc, wikitext, XML with
/// MathML, and text with formulas between $ are read. Macros that a document defines, or that a
/// file beside it defines for it, are replaced.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  phocus formulas notes/heat.tex
  phocus formulas ~/notes --glob '*.md' --json
  phocus formulas paper.tex | cut -f2 | sort | uniq -c | sort -rn")]
pub(super) struct Args {
    /// Files and folders. A folder is gone through as ripgrep does: what is hidden, or named by
    /// a .gitignore, is left out.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    selection: SelectionArgs,
    /// Print a JSON object a line: file, line, column, latex, display, label, section, sentence.
    #[arg(long)]
    json: bool,
}

/// Which files of folders are read.
#[derive(Debug, clap::Args)]
pub(super) struct SelectionArgs {
    /// Read only files that match this pattern, or with ! in front, that do not. May be given
    /// more than once.
    #[arg(long, value_name = "PATTERN")]
    glob: Vec<String>,
    /// Read files and folders whose names begin with a dot, too.
    #[arg(long)]
    hidden: bool,
    /// Read files that a .gitignore or the like names, too.
    #[arg(long)]
    no_ignore: bool,
    /// The format of the inputs, where their names and first lines do not show it.
    #[arg(long, value_parser = one_of::<Format>(FORMATS))]
    format: Option<Format>,
    /// In documents, take the rows of align and the like as formulas, too.
    #[arg(long)]
    rows: bool,
}

impl SelectionArgs {
    pub(super) fn options(&self) -> InputOptions {
        InputOptions {
            format: self.format,
            selection: Selection {
                hidden: self.hidden,
                ignored: self.no_ignore,
                globs: self.glob.clone(),
            },
            rows: self.rows,
            ..InputOptions::default()
        }
    }
}

/// A formula as JSON.
#[derive(Serialize)]
struct Listed<'d> {
    file: &'d Path,
    line: usize,
    column: usize,
    latex: &'d str,
    display: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'d str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    section: Option<&'d str>,
    sentence: &'d str,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut documents = Documents::new(&args.paths, &args.selection.options())?;
    let (mut files, mut formulas, mut unread) = (0usize, 0usize, 0usize);
    for file in documents.by_ref() {
        match &file.read {
            Ok(loaded) => {
                files += 1;
                formulas += list(&file.path, loaded, args.json, &mut out)?;
            }
            Err(reason) => {
                unread += 1;
                eprintln!("warning: {} is left out: {reason}", file.path.display());
            }
        }
    }
    out.flush()?;
    eprintln!("{formulas} formulas in {files} documents");
    if let Some(skipped) = documents.skipped.described() {
        eprintln!("skipped: {skipped}");
    }
    Ok(match (formulas, unread) {
        (_, 1..) => Status::Unread,
        (0, _) => Status::NothingFound,
        _ => Status::Done,
    })
}

/// Prints the formulas of a document, and says how many there are.
fn list(
    path: &Path,
    loaded: &Loaded<Document>,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<usize> {
    let (text, document) = (&loaded.text, &loaded.value);
    let lines = LineIndex::new(text);
    let surroundings = if json {
        document.surroundings()
    } else {
        Vec::new()
    };
    let mut count = 0;
    for (number, formula) in document.formulas().enumerate() {
        count += 1;
        let (line, column) = lines.place(text, formula.at);
        let line = line + loaded.lines_before;
        if let Some(around) = surroundings.get(number) {
            let listed = Listed {
                file: path,
                line,
                column,
                latex: &formula.latex,
                display: formula.is_display,
                label: formula.label.as_deref(),
                section: around.section.as_deref(),
                sentence: &around.sentence,
            };
            serde_json::to_writer(&mut *out, &listed)?;
            writeln!(out)?;
        } else {
            let latex: Vec<&str> = formula.latex.split_whitespace().collect();
            writeln!(
                out,
                "{}:{line}:{column}\t{}",
                path.display(),
                latex.join(" ")
            )?;
        }
    }
    for problem in &document.problems {
        let (line, column) = lines.place(text, problem.at);
        let line = line + loaded.lines_before;
        eprintln!("{}:{line}:{column}: {}", path.display(), problem.reason);
    }
    Ok(count)
}
