//! `phocus encode`: a formula's tokens.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::{Value, json};

use super::Status;
use super::args::{ConfigArgs, MacroArgs};
use super::output::print_json;
use super::search::read;
use super::table::{Align, Table};
use crate::layout::{self, Layout, Rect};
use crate::phoc::{Encoded, Regions, encode_with_boxes};

/// Show a formula's tokens: their keys, boxes and bits.
///
/// The first bit is that of the whole formula. The families of regions follow as the notation
/// lists them, each from level 2 on, its regions from left to right, from top to bottom, and from
/// the outside in.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  phocus encode 'x^2+1'
  phocus encode --svg formula.svg --config xy5 --anchor box --json")]
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
    macros: MacroArgs,
    #[command(flatten)]
    config: ConfigArgs,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let config = args.config.config()?;
    let layout = match &args.svg {
        Some(path) => drawn(path)?,
        None => {
            let latex = args.latex.as_deref().unwrap_or_default();
            read(latex, &args.macros)?.layout
        }
    };
    let tokens = encode_with_boxes(&layout, &config);
    let mut out = io::stdout().lock();
    if args.json {
        print_json(&mut out, &as_json(&layout, &tokens, &config.regions))?;
    } else {
        table(&tokens, &config.regions).write(&mut out)?;
    }
    Ok(Status::Done)
}

/// The layout of an SVG file.
fn drawn(path: &Path) -> anyhow::Result<Layout> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    layout::svg::parse(&text).with_context(|| path.display().to_string())
}

fn as_json(layout: &Layout, tokens: &[(Encoded, Vec<Rect>)], regions: &Regions) -> Value {
    let token = |(token, boxes): &(Encoded, Vec<Rect>)| {
        json!({
            "kind": token.key.kind,
            "key": token.key.to_string(),
            "boxes": boxes,
            "bits": regions.bit_string(token.word),
        })
    };
    json!({ "box": layout.rect(), "tokens": tokens.iter().map(token).collect::<Vec<_>>() })
}

/// A row for each box of each token; the bits stand beside a token's first box.
fn table(tokens: &[(Encoded, Vec<Rect>)], regions: &Regions) -> Table {
    let columns = ["key", "code", "box", "bits"];
    let mut table = Table::new(&columns.map(|name| (name, Align::Left)));
    for (token, boxes) in tokens {
        let key = token.key.to_string();
        for (at, rect) in boxes.iter().enumerate() {
            let first = (at == 0).then(|| regions.bit_string(token.word));
            let row = [code(&key), corners(rect), first.unwrap_or_default()];
            table.row(std::iter::once(key.clone()).chain(row).collect());
        }
    }
    table
}

/// The code point of a key that is one character.
fn code(key: &str) -> String {
    let mut characters = key.chars();
    match (characters.next(), characters.next()) {
        (Some(character), None) => format!("U+{:04X}", character as u32),
        _ => String::new(),
    }
}

fn corners(rect: &Rect) -> String {
    let Rect { x0, y0, x1, y1 } = rect;
    format!("{x0:.3} {y0:.3} {x1:.3} {y1:.3}")
}
