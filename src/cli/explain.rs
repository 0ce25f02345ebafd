//! `phocus explain`: a score taken apart.

use std::io::{self, Write};
use std::path::PathBuf;

use serde_json::json;

use super::Outcome;
use super::search::unreadable;
use super::table::{Align, Table, grouped};
use crate::phoc::Idf;
use crate::search::{Request, Searcher};

/// Say why one formula has the score that it has.
///
/// What each token of the query adds, and what the regions of each part and level add: both sum to the score
/// that `search` shows. Where results are ranked again, also the likeness that orders them, and what it comes from.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
query, formula and shared are regions; counts is what shared ones count as, capped where the configuration has a
cap; weight is that of the kind times the IDF. A row adds counts * weight / norm. Likeness is pairs + symbols + part: neighbours
that both have after renaming (at most 1), symbols (1/2), and the query as a part of the formula (1/4).

  phocus explain formulas.phoc 'a^2+b^2=c^2' 363")]
pub(super) struct Args {
    /// The index.
    index: PathBuf,
    /// The query, in LaTeX.
    #[arg(allow_hyphen_values = true)]
    latex: String,
    /// The id of the formula, as `search` shows it: its visual id where the collection has them,
    /// not one of the formula ids that a run names.
    id: String,
    /// Let rare symbols weigh more: true, false, or by region where the index was built for it
    /// [default: as the index's configuration says].
    #[arg(long, num_args = 0..=1, default_missing_value = "true", value_name = "HOW", require_equals = true)]
    idf: Option<Idf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let searcher = Searcher::open(&args.index)?;
    let mut request = Request::latex(&args.latex);
    request.idf = args.idf;
    let apart = searcher.explain(&request, &args.id).map_err(unreadable)?;
    let mut out = io::stdout().lock();
    if args.json {
        let mut shown = json!(apart);
        shown["query"] = json!(args.latex);
        if let Some(likeness) = apart.likeness {
            shown["likeness"]["sum"] = json!(likeness.sum());
        }
        writeln!(out, "{}", serde_json::to_string_pretty(&shown)?)?;
        return Ok(Outcome::Done);
    }
    writeln!(out, "{}  {}\n", args.id, apart.latex)?;
    let mut table = Table::new(&[
        ("token", Align::Left),
        ("kind", Align::Left),
        ("query", Align::Right),
        ("formula", Align::Right),
        ("shared", Align::Right),
        ("counts", Align::Right),
        ("held by", Align::Right),
        ("idf", Align::Right),
        ("weight", Align::Right),
        ("adds", Align::Right),
    ]);
    let ones = |bits: &str| bits.matches('1').count().to_string();
    for token in &apart.tokens {
        table.row(vec![
            token.key.clone(),
            format!("{:?}", token.kind).to_lowercase(),
            ones(&token.query_bits),
            token.candidate_bits.as_deref().map_or("-".to_owned(), ones),
            token.shared.to_string(),
            token.steps.to_string(),
            grouped(token.formulas),
            format!("{:.4}", token.idf),
            format!("{:.4}", token.weight),
            format!("{:.4}", token.contribution),
        ]);
    }
    table.write(&mut out)?;
    let mut table = Table::new(&[
        ("part", Align::Left),
        ("level", Align::Right),
        ("shared", Align::Right),
        ("adds", Align::Right),
    ]);
    for level in apart.levels.iter().filter(|level| level.shared > 0) {
        table.row(vec![
            level.part.map_or("anywhere".to_owned(), String::from),
            level.level.to_string(),
            level.shared.to_string(),
            format!("{:.4}", level.contribution),
        ]);
    }
    writeln!(out)?;
    table.write(&mut out)?;
    let (sum, norm, score) = (apart.sum, apart.norm, apart.score);
    writeln!(out, "\nscore {score:.4} = {sum:.4} / {norm:.4}")?;
    if let Some(likeness) = apart.likeness {
        let (sum, part) = (likeness.sum(), likeness.part);
        let (pairs, symbols) = (likeness.pairs, likeness.symbols);
        writeln!(
            out,
            "likeness {sum:.4} = {pairs:.4} + {symbols:.4} + {part:.4}"
        )?;
    }
    Ok(Outcome::Done)
}
