//! `phocus grep`: formulas like one, found in documents without an index.

use std::collections::HashMap;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use clap::ValueEnum;
use rayon::prelude::*;
use serde::Serialize;

use super::Status;
use super::args::MacroArgs;
use super::formulas::SelectionArgs;
use super::hits::file_url;
use super::table::{linked, printable};
use crate::corpus::documents::{Document, Documents, LineIndex, Loaded, ReadFile};
use crate::layout;
use crate::search::{MinMatch, Pattern};

/// How many formulas are compared before the next documents are read.
const BATCH: usize = 4_000;

/// Find formulas like one in documents, without an index.
///
/// Every formula of the documents is laid out and compared with the given one as re-ranking
/// compares them: as wholes, after the best renaming of variables. Likeness 1 is the formula
/// itself.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  phocus grep 'a^2+b^2=c^2' ~/notes
  phocus grep '\\int_0^1' thesis/ --sort path -C 1
  phocus grep -l '\\frac{\\partial u}{\\partial t}' . --glob '*.tex'")]
pub(super) struct Args {
    /// The formula, in LaTeX or MathML.
    #[arg(value_name = "LATEX", allow_hyphen_values = true)]
    latex: String,
    /// Files and folders, as for `phocus formulas`.
    #[arg(default_value = ".", value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    selection: SelectionArgs,
    #[command(flatten)]
    macros: MacroArgs,
    /// The least likeness of a formula that is printed, from 0 to 1.
    #[arg(long, default_value_t = 0.7, value_name = "PART", value_parser = part)]
    min_likeness: f64,
    /// The part of the formula's symbols that a result must hold as they are, such as 75%.
    #[arg(long, default_value = "0%", value_name = "PART")]
    min_match: MinMatch,
    /// Best first, or by file as results are found.
    #[arg(long, value_enum, default_value_t = Sort::Likeness)]
    sort: Sort,
    /// The most results; 0 is all.
    #[arg(short = 'k', long, default_value_t = 0)]
    max: usize,
    /// Lines of the document that are shown before and after each result.
    #[arg(short = 'C', long, default_value_t = 0, value_name = "LINES")]
    context: usize,
    /// Print only the names of the files that hold a result.
    #[arg(short = 'l', long, conflicts_with_all = ["count", "json"])]
    files_with_matches: bool,
    /// Print only how many results each file holds.
    #[arg(short = 'c', long, conflicts_with = "json")]
    count: bool,
    /// When to print colours and links.
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    color: Color,
    /// Print a JSON object a line: file, line, column, likeness, latex, section, sentence.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Sort {
    /// The most alike first.
    Likeness,
    /// By file and line; the first results are printed at once.
    Path,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

fn part(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "expected a number".to_owned())?;
    let is_part = (0.0..=1.0).contains(&value);
    is_part
        .then_some(value)
        .ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// A formula that was found.
#[derive(Debug, Clone, Serialize)]
struct Hit {
    #[serde(serialize_with = "write_path")]
    file: Rc<Path>,
    line: usize,
    column: usize,
    likeness: f64,
    latex: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    section: Option<String>,
    sentence: String,
    /// The lines around it, each with its number.
    #[serde(skip)]
    context: Vec<(usize, String)>,
}

fn write_path<S: serde::Serializer>(path: &Rc<Path>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(&path.display())
}

pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let read = super::search::read(&args.latex, &args.macros)?;
    let mut search = Search {
        args,
        pattern: Pattern::new(&read.layout, args.min_match),
        known: HashMap::new(),
        hits: Vec::new(),
        printed: 0,
        unread: 0,
        printer: Printer::new(args),
    };
    let documents = Documents::new(&args.paths, &args.selection.options())?;
    let mut batch = Vec::new();
    let mut formulas = 0;
    // The first file by itself, so that something is printed at once.
    let mut limit = 1;
    for file in documents {
        if let Ok(loaded) = &file.read {
            formulas += loaded.value.formulas().count();
        }
        batch.push(file);
        if formulas >= limit {
            search.batch(&std::mem::take(&mut batch))?;
            (formulas, limit) = (0, BATCH);
        }
    }
    search.batch(&batch)?;
    search.finish()
}

struct Search<'a> {
    args: &'a Args,
    pattern: Pattern,
    /// The likeness of each LaTeX that was compared; none where it cannot be laid out, or holds
    /// too few of the symbols.
    known: HashMap<String, Option<f64>>,
    hits: Vec<Hit>,
    printed: usize,
    unread: usize,
    printer: Printer,
}

impl Search<'_> {
    /// Compares the formulas of some documents, on all cores.
    fn batch(&mut self, files: &[ReadFile]) -> anyhow::Result<()> {
        let documents = || files.iter().filter_map(|file| file.read.as_ref().ok());
        let mut new: Vec<&str> = documents()
            .flat_map(|loaded| loaded.value.formulas())
            .map(|formula| formula.latex.as_str())
            .filter(|latex| !self.known.contains_key(*latex))
            .collect();
        new.sort_unstable();
        new.dedup();
        let pattern = &self.pattern;
        let compared: Vec<Option<f64>> = new
            .par_iter()
            .map(|latex| pattern.likeness(&layout::latex(latex).ok()?))
            .collect();
        let new = new.into_iter().map(str::to_owned);
        self.known.extend(new.zip(compared));
        for file in files {
            match &file.read {
                Ok(loaded) => self.found(Rc::from(file.path.as_path()), loaded)?,
                Err(reason) => {
                    self.unread += 1;
                    eprintln!("warning: {} is left out: {reason}", file.path.display());
                }
            }
        }
        Ok(())
    }

    /// Takes the results of a document: prints them, or keeps them to be sorted.
    fn found(&mut self, file: Rc<Path>, loaded: &Loaded<Document>) -> anyhow::Result<()> {
        let (text, document) = (&loaded.text, &loaded.value);
        let least = self.args.min_likeness;
        let likeness = |latex: &str| {
            let known = self.known.get(latex).copied().flatten();
            known.filter(|likeness| *likeness >= least)
        };
        let found: Vec<_> = document
            .formulas()
            .enumerate()
            .filter_map(|(number, formula)| Some((number, formula, likeness(&formula.latex)?)))
            .collect();
        if found.is_empty() {
            return Ok(());
        }
        let lines = LineIndex::new(text);
        let around = document.surroundings();
        for (number, formula, likeness) in found {
            let (line, column) = lines.place(text, formula.at);
            let context = context(text, line, self.args.context);
            let line = line + loaded.lines_before;
            let hit = Hit {
                file: Rc::clone(&file),
                line,
                column,
                likeness,
                latex: formula.latex.clone(),
                section: around[number].section.clone(),
                sentence: around[number].sentence.clone(),
                context,
            };
            match self.args.sort {
                Sort::Path if !self.args.count && !self.is_full() => {
                    self.printed += 1;
                    self.printer.hit(&hit)?;
                }
                _ => self.hits.push(hit),
            }
        }
        self.printer.flush()
    }

    fn is_full(&self) -> bool {
        self.args.max > 0 && self.printed >= self.args.max
    }

    /// Prints what was kept.
    fn finish(mut self) -> anyhow::Result<Status> {
        let mut hits = std::mem::take(&mut self.hits);
        let found = self.printed + hits.len();
        if self.args.count {
            self.printer.counts(&hits)?;
        } else if self.args.sort == Sort::Likeness {
            // A stable sort: equals stay by file and line.
            hits.sort_by(|a, b| b.likeness.total_cmp(&a.likeness));
            let most = if self.args.max == 0 {
                usize::MAX
            } else {
                self.args.max
            };
            for hit in hits.iter().take(most) {
                self.printer.hit(hit)?;
            }
        }
        self.printer.flush()?;
        if found == 0 {
            eprintln!(
                "no formula has a likeness of {} or more; --min-likeness asks for less",
                self.args.min_likeness
            );
        }
        Ok(match (found, self.unread) {
            (_, 1..) => Status::Unread,
            (0, _) => Status::NothingFound,
            _ => Status::Done,
        })
    }
}

/// The lines around a line, with their numbers.
fn context(text: &str, line: usize, around: usize) -> Vec<(usize, String)> {
    if around == 0 {
        return Vec::new();
    }
    let first = line.saturating_sub(around + 1);
    let lines = text.lines().enumerate().skip(first);
    let last = line + around;
    let lines = lines.take_while(|(number, _)| *number < last);
    lines
        .map(|(number, line)| (number + 1, line.to_owned()))
        .collect()
}

/// Prints results as lines.
struct Printer {
    out: io::BufWriter<io::Stdout>,
    is_colored: bool,
    json: bool,
    files_only: bool,
    /// The files whose names were printed.
    named: Vec<Rc<Path>>,
}

impl Printer {
    fn new(args: &Args) -> Self {
        let is_wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Printer {
            out: io::BufWriter::new(io::stdout()),
            is_colored: match args.color {
                Color::Auto => is_wanted && io::stdout().is_terminal(),
                Color::Always => true,
                Color::Never => false,
            },
            json: args.json,
            files_only: args.files_with_matches,
            named: Vec::new(),
        }
    }

    fn flush(&mut self) -> anyhow::Result<()> {
        Ok(self.out.flush()?)
    }

    fn hit(&mut self, hit: &Hit) -> anyhow::Result<()> {
        if self.json {
            serde_json::to_writer(&mut self.out, hit)?;
            return Ok(writeln!(self.out)?);
        }
        if self.files_only {
            if !self.named.contains(&hit.file) {
                let name = self.link(&hit.file, None);
                writeln!(self.out, "{name}")?;
                self.named.push(Rc::clone(&hit.file));
            }
            return Ok(());
        }
        let place = self.link(&hit.file, Some((hit.line, hit.column)));
        let likeness = self.painted("1", &format!("{:.2}", hit.likeness));
        let section = hit.section.as_deref().map(printable);
        let section = section.map_or(String::new(), |title| {
            format!("  {}", self.painted("2", &format!("§ {title}")))
        });
        writeln!(
            self.out,
            "{likeness} {place}\t{}{section}",
            printable(&hit.latex)
        )?;
        for (number, line) in &hit.context {
            let mark = if *number == hit.line { ':' } else { '-' };
            let number = self.painted("32", &number.to_string());
            writeln!(self.out, "     {number}{mark} {line}")?;
        }
        Ok(())
    }

    /// How many results each file holds.
    fn counts(&mut self, hits: &[Hit]) -> anyhow::Result<()> {
        for of_file in hits.chunk_by(|a, b| a.file == b.file) {
            let name = self.link(&of_file[0].file, None);
            writeln!(self.out, "{name}:{}", of_file.len())?;
        }
        Ok(())
    }

    /// The name of a file with a place in it, which terminals open where they know how.
    fn link(&self, file: &Path, place: Option<(usize, usize)>) -> String {
        let name = match place {
            Some((line, column)) => format!("{}:{line}:{column}", file.display()),
            None => file.display().to_string(),
        };
        if !self.is_colored {
            return name;
        }
        let name = self.painted("35", &name);
        match file_url(file) {
            Some(url) => linked(&name, &url),
            None => name,
        }
    }

    fn painted(&self, color: &str, text: &str) -> String {
        if self.is_colored {
            format!("\x1b[{color}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}
