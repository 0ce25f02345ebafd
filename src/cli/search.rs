//! `phocus search`: find formulas that look like a given one.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::anyhow;
use serde_json::{Value, json};

use super::Status;
use super::args::{Scoring, parse_threads};
use super::output::print_json;
use super::table::{Align, Table, grouped};
use crate::layout::LayoutError;
use crate::search::{Hit, Request, Response, SearchError, Searcher};

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
    #[command(flatten)]
    scoring: Scoring,
    /// How many threads to search on [default: one for each core].
    #[arg(long, default_value_t = 0, hide_default_value = true, value_parser = parse_threads)]
    threads: usize,
    /// Show how the query is answered, how many formulas were scored, and how long it took.
    #[arg(long)]
    explain_plan: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let searcher = Searcher::open(&args.index)?;
    let request = Request::latex(&args.latex).k(args.k).threads(args.threads);
    let request = args.scoring.apply(request).matched(args.json);
    let response = searcher.search(&request).map_err(unreadable)?;
    if !args.json {
        note_reading(&args.latex, &response);
    }
    let mut out = io::stdout().lock();
    if args.json {
        print_json(&mut out, &as_json(args, &response))?;
        return Ok(Status::Done);
    }
    if args.explain_plan {
        write_plan(&response, &mut out)?;
    }
    if response.hits.is_empty() {
        writeln!(out, "{}", why_none(&searcher, &response, args))?;
    } else {
        hit_table(&response.hits).write(&mut out)?;
    }
    Ok(Status::Done)
}

/// Says how the formula was read, where that is not as it was typed.
fn note_reading(typed: &str, response: &Response) {
    for command in &response.unknown_commands {
        eprintln!("note: {command} is not a known command; it was laid out as its name");
    }
    if response.read_as.trim() != typed.trim() {
        eprintln!("note: the formula was read as {}", response.read_as);
    }
}

fn as_json(args: &Args, response: &Response) -> Value {
    let mut shown = json!(response);
    shown["query"] = json!(args.latex);
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

/// Hits as a table.
fn hit_table(hits: &[Hit]) -> Table {
    let is_reranked = hits.iter().any(|hit| hit.likeness.is_some());
    let mut columns = vec![("rank", Align::Right), ("score", Align::Right)];
    columns.extend(is_reranked.then_some(("likeness", Align::Right)));
    columns.extend([
        ("id", Align::Left),
        ("instances", Align::Right),
        ("latex", Align::Left),
    ]);
    let mut table = Table::new(&columns);
    for hit in hits {
        let mut row = vec![format!("{}", hit.rank), format!("{:.4}", hit.score)];
        let likeness = || (hit.likeness).map_or(String::new(), |likeness| format!("{likeness:.4}"));
        row.extend(is_reranked.then(likeness));
        row.extend([
            hit.id.to_string(),
            grouped(hit.instances),
            hit.latex.clone(),
        ]);
        table.row(row);
    }
    table
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

fn why_none(searcher: &Searcher, response: &Response, args: &Args) -> String {
    let (all, required) = (response.symbols, response.required);
    let unknown = &response.unknown_symbols;
    let list = unknown.join(" ");
    let count = grouped(searcher.index().formulas() as u64);
    if args.k == 0 {
        "No formula was asked for: -k is 0.".to_owned()
    } else if unknown.len() == all {
        format!("No formula found: none of the {count} formulas holds any of {list}.")
    } else if !unknown.is_empty() {
        format!(
            "No formula found: {required} of the query's {all} symbols must match (--min-match {}), and no formula holds {list}.",
            args.scoring.min_match
        )
    } else {
        format!(
            "No formula found: every symbol is in the index, but no formula holds {required} of the query's {all} at once; try a lower --min-match than {}.",
            args.scoring.min_match
        )
    }
}
