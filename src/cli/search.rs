//! `phocus search`: find formulas that look like a given one.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::anyhow;
use serde_json::{Value, json};

use super::Status;
use super::args::{MacroArgs, Names, Scoring, one_of, parse_threads};
use super::hits::hit_table;
use super::output::print_json;
use super::table::{grouped, printable};
use crate::layout::{self, LayoutError, ReadQuery};
use crate::search::{Group, Request, Response, SearchError, Searcher};

/// Find the formulas that look most like a formula.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  phocus search formulas.phoc 'a^2+b^2=c^2'
  phocus search formulas.phoc '\\int_0^1 x' --min-match 100% -k 5 --json")]
pub(super) struct Args {
    /// The index file.
    index: PathBuf,
    /// The formula, in LaTeX.
    #[arg(allow_hyphen_values = true)]
    latex: String,
    /// How many results to show.
    #[arg(short, default_value_t = 10)]
    k: usize,
    /// How many of the best results to pass over: `--from 10` begins with the eleventh.
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    from: usize,
    #[command(flatten)]
    macros: MacroArgs,
    #[command(flatten)]
    scoring: Scoring,
    /// Show formulas that a reader takes for one as one result. With `writing`, or without a
    /// word, those that differ only in punctuation around them, spacing, style or size; with
    /// `renaming`, also those that are equal after renaming variables one to one. -k and --from
    /// then count groups.
    #[arg(
        long, value_name = "HOW", num_args = 0..=1, default_value = "none",
        default_missing_value = "writing", require_equals = true,
        hide_default_value = true, value_parser = one_of::<Group>(GROUPS)
    )]
    group: Group,
    /// Find only formulas that occur in text of this type, such as question or answer. May be
    /// given several times: any of these types.
    #[arg(long = "type", value_name = "TYPE")]
    kinds: Vec<String>,
    /// Find only formulas that occur in this source, as the input's field `source` names it. May
    /// be given several times: any of these sources.
    #[arg(long = "source", value_name = "SOURCE")]
    sources: Vec<String>,
    /// How many threads to search on [default: one for each core].
    #[arg(long, default_value_t = 0, hide_default_value = true, value_parser = parse_threads)]
    threads: usize,
    /// Also show where each result occurs first, with all that is kept of it.
    #[arg(long)]
    full: bool,
    /// Show how the query is answered, how many formulas were scored, and how long it took.
    #[arg(long)]
    explain_plan: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

const GROUPS: Names = &[
    ("none", "Each formula is a result"),
    (
        "writing",
        "Formulas that differ only in how they are written are one",
    ),
    (
        "renaming",
        "Formulas that differ only in writing and in the names of variables are one",
    ),
];

pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let searcher = Searcher::open(&args.index)?;
    let request = Request::latex(&args.latex).from(args.from).k(args.k);
    let request = request.macros(args.macros.read()?);
    let request = args.scoring.apply(request).matched(args.json);
    let request = request.threads(args.threads).group(args.group);
    let request = request.kinds(&args.kinds).sources(&args.sources);
    let response = searcher.search(&request).map_err(unreadable)?;
    if !args.json {
        print_notes(&response.notes);
    }
    let mut out = io::stdout().lock();
    if args.json {
        print_json(&mut out, &as_json(args, &response))?;
    } else {
        if args.explain_plan {
            write_plan(&response, &mut out)?;
        }
        if !response.hits.is_empty() {
            hit_table(&response, args.full).write(&mut out)?;
        }
    }
    if response.hits.is_empty() {
        eprintln!("{}", why_none(&searcher, &response, args));
        return Ok(Status::NothingFound);
    }
    Ok(Status::Done)
}

/// Says what was guessed to read the query, in the words that the server uses too.
pub(super) fn print_notes(notes: &[String]) {
    for note in notes {
        eprintln!("note: {}", printable(note));
    }
}

fn as_json(args: &Args, response: &Response) -> Value {
    let mut shown = json!(response);
    shown["query"] = json!(args.latex);
    shown["from"] = json!(args.from);
    shown["k"] = json!(args.k);
    shown["min_match"] = json!(args.scoring.min_match);
    if args.explain_plan {
        shown["plan"] = json!(response.plan);
        shown["stats"] = json!(response.stats);
    }
    shown
}

fn write_plan(response: &Response, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", response.plan)?;
    let stats = response.stats;
    let (scored, read) = (grouped(stats.candidates), grouped(stats.postings));
    let ms = response.took.as_secs_f64() * 1e3;
    writeln!(
        out,
        "scored {scored} formulas, read {read} postings, took {ms:.2} ms\n"
    )
}

/// Reads a formula that is no query of an index, and says how.
pub(super) fn read(typed: &str, macros: &MacroArgs) -> anyhow::Result<ReadQuery> {
    let macros = macros.read()?;
    let macros: Vec<_> = macros.as_deref().into_iter().collect();
    let read = layout::read_query_with(typed, &macros);
    let read = read.map_err(|error| unreadable_formula(&error))?;
    print_notes(&read.notes);
    Ok(read)
}

/// The error of a search; for a query that cannot be laid out, with the place marked.
pub(super) fn unreadable(error: SearchError) -> anyhow::Error {
    match error {
        SearchError::Query(error) => unreadable_formula(&error),
        SearchError::Index(error) => error.into(),
        other => other.into(),
    }
}

/// Why a query cannot be laid out, with the place marked.
pub(super) fn unreadable_formula(error: &LayoutError) -> anyhow::Error {
    match error {
        LayoutError::Parse {
            message,
            position: Some(position),
            text,
        } => {
            let before = text.get(..*position).unwrap_or(text).chars().count();
            let text = text.replace(['\n', '\t'], " ");
            anyhow!(
                "cannot read the formula: {message}\n  {text}\n  {:before$}^",
                ""
            )
        }
        other => anyhow!("cannot read the formula: {other}"),
    }
}

/// Why nothing was found, and what to try.
fn why_none(searcher: &Searcher, response: &Response, args: &Args) -> String {
    let (all, required) = (response.symbols, response.required);
    let unknown = &response.unknown_symbols;
    let list = unknown.join(" ");
    let min_match = args.scoring.min_match;
    let (index, count) = (args.index.display(), searcher.index().formulas() as u64);
    if args.k == 0 {
        "No formula was asked for: -k is 0.".to_owned()
    } else if response.found.count > 0 {
        format!(
            "No further formula: {} match, and --from passes over {}.",
            grouped(response.found.count as u64),
            grouped(args.from as u64)
        )
    } else if !args.kinds.is_empty() || !args.sources.is_empty() {
        format!(
            "No formula found: none of the wanted --type and --source holds {required} of the query's {all} symbols.\nTry it without --type and --source, or with a lower --min-match than {min_match}."
        )
    } else if unknown.len() == all {
        format!(
            "No formula found: none of the {} formulas holds any of {list}.\nTry other symbols; `phocus info {index}` lists the most frequent ones.",
            grouped(count)
        )
    } else if required + unknown.len() > all {
        format!(
            "No formula found: {required} of the query's {all} symbols must match (--min-match {min_match}), and no formula holds {list}.\nTry a lower --min-match, or leave {list} out."
        )
    } else {
        format!(
            "No formula found: no formula holds {required} of the query's {all} symbols at once (--min-match {min_match}).\nTry a lower --min-match."
        )
    }
}
