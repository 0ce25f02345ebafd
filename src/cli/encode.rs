//! `phocus encode`: what a formula becomes.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use serde_json::json;

use super::Outcome;
use super::config::ConfigArgs;
use super::search::unreadable_formula;
use super::table::{Align, Table};
use crate::layout;
use crate::phoc::{Encoded, encode};

/// Show a formula's symbols, their boxes and their bits.
///
/// Bits are in order: the whole formula, then each part of the notation in
/// the order written, levels from 2, regions left to right, top to bottom,
/// outside to inside.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
  phocus encode 'x^2+1'
  phocus encode --svg formula.svg --config xy5 --repr box --json")]
pub(super) struct Args {
    /// The formula, in LaTeX.
    #[arg(
        required_unless_present = "svg",
        conflicts_with = "svg",
        allow_hyphen_values = true
    )]
    latex: Option<String>,
    /// An SVG file that draws the formula.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    config: ConfigArgs,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let config = args.config.config()?;
    let layout = match (&args.svg, &args.latex) {
        (Some(path), _) => {
            let text = fs::read_to_string(path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            layout::svg::parse(&text).with_context(|| path.display().to_string())?
        }
        (None, latex) => {
            let latex = latex.as_deref().unwrap_or_default();
            layout::latex(latex).map_err(|error| unreadable_formula(&error))?
        }
    };
    let tokens = encode(&layout, &config);
    let bits = config.regions.bits();
    let mut out = io::stdout().lock();
    if args.json {
        let tokens: Vec<_> = tokens
            .iter()
            .map(|token| {
                json!({
                    "kind": token.key.kind,
                    "key": token.key.to_string(),
                    "boxes": token.rects,
                    "bits": bit_string(token, bits),
                })
            })
            .collect();
        let shown = json!({ "box": layout.rect(), "tokens": tokens });
        writeln!(out, "{}", serde_json::to_string_pretty(&shown)?)?;
        return Ok(Outcome::Done);
    }
    let mut table = Table::new(&[
        ("key", Align::Left),
        ("code", Align::Left),
        ("box", Align::Left),
        ("bits", Align::Left),
    ]);
    for token in &tokens {
        for (at, rect) in token.rects.iter().enumerate() {
            let key = token.key.to_string();
            let code = key.chars().next().filter(|_| key.chars().count() == 1);
            let code = code.map_or(String::new(), |c| format!("U+{:04X}", c as u32));
            let place = format!(
                "{:.3} {:.3} {:.3} {:.3}",
                rect.x0, rect.y0, rect.x1, rect.y1
            );
            let bits = if at == 0 {
                bit_string(token, bits)
            } else {
                String::new()
            };
            table.row(vec![key, code, place, bits]);
        }
    }
    table.write(&mut out)?;
    Ok(Outcome::Done)
}

fn bit_string(token: &Encoded, bits: usize) -> String {
    (0..bits)
        .map(|bit| if token.word >> bit & 1 == 1 { '1' } else { '0' })
        .collect()
}
