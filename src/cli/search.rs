//! `phocus search`: find formulas like one.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use anyhow::anyhow;
use serde_json::json;

use super::Outcome;
use super::args::parse_threads;
use super::table::{Align, Table, grouped};
use crate::index::Index;
use crate::layout::{self, Layout, LayoutError};
use crate::phoc::Idf;
use crate::rerank::{self, Answer, Ranked};
use crate::search::{MinMatch, Query};

/// Find the formulas that look most like a formula.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
  phocus search formulas.phoc 'a^2+b^2=c^2'
  phocus search formulas.phoc '\\int_0^1 x' --min-match 100% -k 5 --json")]
pub(super) struct Args {
    /// The index.
    index: PathBuf,
    /// The formula, in LaTeX.
    #[arg(allow_hyphen_values = true)]
    latex: String,
    /// How many to show.
    #[arg(short, default_value_t = 10)]
    k: usize,
    #[command(flatten)]
    scoring: Scoring,
    /// How many threads to search on [default: one a core].
    #[arg(long, default_value_t = 0, hide_default_value = true, value_parser = parse_threads)]
    threads: usize,
    /// Say how the query is answered, and what that took.
    #[arg(long)]
    explain_plan: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// What `search` and `run` share.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct Scoring {
    /// How many of the query's distinct symbols a formula must hold: 0% is any one, 100% all.
    #[arg(long, default_value = "0%", value_name = "PART")]
    min_match: MinMatch,
    /// Let rare symbols weigh more: true, false, or by region where the index was built for it
    /// [default: as the index's configuration says].
    #[arg(long, num_args = 0..=1, default_missing_value = "true", value_name = "HOW", require_equals = true)]
    idf: Option<Idf>,
    /// How many of the first results to rank again as wholes, variables renamed; 0 is none
    /// [default: as the index's configuration says].
    #[arg(long, value_name = "N")]
    rerank: Option<usize>,
}

impl Scoring {
    /// How many results are ranked again.
    pub(super) fn rerank(&self, index: &Index) -> usize {
        self.rerank.unwrap_or(index.meta().config.rerank)
    }

    pub(super) fn query(&self, layout: &Layout, index: &Index) -> anyhow::Result<Query> {
        Ok(Query::new(layout, index, self.min_match, self.idf(index)?))
    }

    /// The IDF that is asked for, or else the index's own.
    ///
    /// # Errors
    /// Where the index cannot do what is asked for.
    pub(super) fn idf(&self, index: &Index) -> anyhow::Result<Idf> {
        idf_for(index, self.idf)
    }
}

/// The IDF that is asked for, or else the index's own.
pub(super) fn idf_for(index: &Index, asked: Option<Idf>) -> anyhow::Result<Idf> {
    let own = index.meta().config.idf;
    anyhow::ensure!(
        asked != Some(Idf::Region) || own == Idf::Region,
        "{} does not count regions: build it with a configuration that has `idf = \"region\"`",
        index.path().display()
    );
    Ok(asked.unwrap_or(own))
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let index = Index::open(&args.index)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads)
        .build()?;
    let started = Instant::now();
    let layout = layout::latex(&args.latex).map_err(|error| unreadable(&error))?;
    let query = args.scoring.query(&layout, &index)?;
    let again = args.scoring.rerank(&index);
    let threads = pool.current_num_threads();
    let search = || rerank::search(&index, &layout, &query, (args.k, again), threads);
    let Answer {
        plan,
        effort,
        results: entries,
    } = pool.install(search)?;
    let took = started.elapsed();
    let mut out = io::stdout().lock();
    if args.json {
        let unknown: Vec<String> = query.unknown().map(|key| key.to_string()).collect();
        let hits: Vec<_> = (1..)
            .zip(&entries)
            .map(|(rank, result)| {
                let entry = &result.entry;
                let mut shown = json!({
                    "rank": rank,
                    "score": result.hit.score(),
                    "id": entry.id,
                    "latex": entry.latex,
                    "instances": entry.instances,
                    "first": entry.first,
                });
                if let Some(likeness) = result.likeness {
                    shown["likeness"] = json!(likeness);
                }
                shown
            })
            .collect();
        let mut answer = json!({
            "query": args.latex,
            "k": args.k,
            "min_match": args.scoring.min_match,
            "idf": args.scoring.idf(&index)?,
            "rerank": again,
            "took_ms": took.as_secs_f64() * 1e3,
            "unknown_symbols": unknown,
            "hits": hits,
        });
        if args.explain_plan {
            answer["plan"] = json!(plan);
            answer["effort"] = json!(effort);
        }
        writeln!(out, "{}", serde_json::to_string_pretty(&answer)?)?;
        return Ok(Outcome::Done);
    }
    if args.explain_plan {
        writeln!(out, "{plan}")?;
        let (scored, read) = (grouped(effort.candidates), grouped(effort.postings));
        let ms = took.as_secs_f64() * 1e3;
        writeln!(
            out,
            "scored {scored} formulas, read {read} postings, took {ms:.2} ms\n"
        )?;
    }
    if entries.is_empty() {
        writeln!(out, "{}", why_none(&index, &query, args))?;
    } else {
        hit_table(&entries).write(&mut out)?;
    }
    Ok(Outcome::Done)
}

/// Hits as a table.
pub(super) fn hit_table(hits: &[Ranked]) -> Table {
    let is_again = hits.iter().any(|hit| hit.likeness.is_some());
    let mut columns = vec![("rank", Align::Right), ("score", Align::Right)];
    columns.extend(is_again.then_some(("likeness", Align::Right)));
    columns.extend([
        ("id", Align::Left),
        ("instances", Align::Right),
        ("latex", Align::Left),
    ]);
    let mut table = Table::new(&columns);
    for (
        rank,
        Ranked {
            hit,
            entry,
            likeness,
        },
    ) in (1..).zip(hits)
    {
        let mut row = vec![format!("{rank}"), format!("{:.4}", hit.score())];
        let shown = || likeness.map_or(String::new(), |likeness| format!("{likeness:.4}"));
        row.extend(is_again.then(shown));
        row.extend([
            entry.id.clone(),
            grouped(entry.instances),
            entry.latex.clone(),
        ]);
        table.row(row);
    }
    table
}

/// Why a query cannot be laid out, with the place marked.
pub(super) fn unreadable(error: &LayoutError) -> anyhow::Error {
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

fn why_none(index: &Index, query: &Query, args: &Args) -> String {
    let all = query.tokens.iter().filter(|token| token.counts).count();
    let unknown: Vec<String> = query.unknown().map(|key| key.to_string()).collect();
    let list = unknown.join(" ");
    let count = grouped(index.formulas() as u64);
    match (unknown.len(), query.least) {
        _ if args.k == 0 => "Nothing was asked for: -k is 0.".to_owned(),
        (missing, _) if missing == all => {
            format!("No formula found: none of the {count} formulas holds any of {list}.")
        }
        (missing, least) if missing > 0 => format!(
            "No formula found: {least} of the query's {all} symbols must match (--min-match {}), and no formula holds {list}.",
            args.scoring.min_match
        ),
        (_, least) => format!(
            "No formula found: every symbol is in the index, but no formula holds {least} of the query's {all} at once; try a lower --min-match than {}.",
            args.scoring.min_match
        ),
    }
}
