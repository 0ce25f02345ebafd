//! `phocus explain`: the explanation of a score.

use std::io::{self, Write};
use std::path::PathBuf;

use serde_json::{Value, json};

use super::Status;
use super::args::{MacroArgs, Weighting};
use super::output::print_json;
use super::search::{print_notes, unreadable};
use super::table::{Align, Table, grouped};
use crate::search::{Explanation, LevelShare, Request, Searcher, TokenShare};

/// Show why a formula is a result.
///
/// First in words: which symbols of the query it has, which letters stand for others, what orders
/// it. Then in numbers: one table shows what each token of the query adds, another what the regions
/// of each family and level add; both sum to the score that `search` shows. Where results are
/// re-ranked, the likeness that orders them is shown too, with its three parts.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The columns query, formula and shared are numbers of regions. counted is the number of shared
regions after the configuration's cap and weights of regions; weight is the weight of the token's
kind times its IDF. A row adds counted * weight / norm. Likeness is pairs + symbols + part: the
pairs of neighbours that both formulas have once variables are renamed (at most 1), the symbols
that both have (at most 1/2), and how much of the query is one part of the formula (at most 1/4).

Examples:
  phocus explain formulas.phoc 'a^2+b^2=c^2' 363")]
pub(super) struct Args {
    /// The index file.
    index: PathBuf,
    /// The query, in LaTeX.
    #[arg(allow_hyphen_values = true)]
    latex: String,
    /// The id of the formula as `search` shows it: its visual id where the collection has visual
    /// ids, not a formula id that a run names.
    id: String,
    #[command(flatten)]
    macros: MacroArgs,
    #[command(flatten)]
    weighting: Weighting,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let searcher = Searcher::open(&args.index)?;
    let mut request = Request::latex(&args.latex).macros(args.macros.read()?);
    request.idf = args.weighting.idf;
    let explanation = searcher.explain(&request, &args.id).map_err(unreadable)?;
    let mut out = io::stdout().lock();
    if args.json {
        print_json(&mut out, &as_json(args, &explanation))?;
    } else {
        print_notes(&explanation.notes);
        print(args, &explanation, &mut out)?;
    }
    Ok(Status::Done)
}

fn as_json(args: &Args, explanation: &Explanation) -> Value {
    let mut shown = json!(explanation);
    shown["query"] = json!(args.latex);
    if let Some(likeness) = explanation.likeness {
        shown["likeness"]["sum"] = json!(likeness.sum());
    }
    shown
}

fn print(args: &Args, explanation: &Explanation, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}  {}\n", args.id, explanation.latex)?;
    for sentence in &explanation.words {
        writeln!(out, "- {sentence}")?;
    }
    writeln!(out)?;
    token_table(&explanation.tokens).write(out)?;
    writeln!(out)?;
    level_table(&explanation.levels).write(out)?;
    let Explanation {
        sum, norm, score, ..
    } = explanation;
    writeln!(out, "\nscore {score:.4} = {sum:.4} / {norm:.4}")?;
    let Some(likeness) = explanation.likeness else {
        return Ok(());
    };
    let (pairs, symbols, part) = (likeness.pairs, likeness.symbols, likeness.part);
    let sum = likeness.sum();
    writeln!(
        out,
        "likeness {sum:.4} = {pairs:.4} + {symbols:.4} + {part:.4}"
    )
}

/// The table of what each token adds.
fn token_table(tokens: &[TokenShare]) -> Table {
    let mut table = Table::new(&[
        ("token", Align::Left),
        ("kind", Align::Left),
        ("query", Align::Right),
        ("formula", Align::Right),
        ("shared", Align::Right),
        ("counted", Align::Right),
        ("formulas with it", Align::Right),
        ("idf", Align::Right),
        ("weight", Align::Right),
        ("adds", Align::Right),
    ]);
    let ones = |bits: &str| bits.matches('1').count().to_string();
    for token in tokens {
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
    table
}

/// The table of what the regions of each family and level add.
fn level_table(levels: &[LevelShare]) -> Table {
    let mut table = Table::new(&[
        ("family", Align::Left),
        ("level", Align::Right),
        ("shared", Align::Right),
        ("adds", Align::Right),
    ]);
    for level in levels.iter().filter(|level| level.shared > 0) {
        table.row(vec![
            level.part.map_or("anywhere".to_owned(), String::from),
            level.level.to_string(),
            level.shared.to_string(),
            format!("{:.4}", level.contribution),
        ]);
    }
    table
}
