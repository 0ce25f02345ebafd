//! `phocus show`: a formula's regions, drawn.

use std::path::PathBuf;

use anyhow::Context;

use super::Outcome;
use super::config::ConfigArgs;
use crate::atomic_file::write_whole;
use crate::picture;

/// Draw in which regions a symbol of a formula stands.
///
/// A column for each part of the configuration, a row for each level. The regions that
/// the symbol meets are filled, and its bits written below; its boxes are red, and so is what of them
/// stands for it (`--repr`). With --against the same symbol of
/// another formula stands beside it: blue is one formula's alone, green is both's.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
  phocus show 'x^2+y^2=z^2' --symbol 2 --config xy4o3 -o regions.svg
  phocus show 'x-y' --against 'y-x' --config xyo3 -o flipped.png")]
pub(super) struct Args {
    /// The formula, in LaTeX.
    #[arg(allow_hyphen_values = true)]
    latex: String,
    /// Another formula, to see what they share.
    #[arg(long, value_name = "LATEX", allow_hyphen_values = true)]
    against: Option<String>,
    /// The symbol that is looked at, in LaTeX, or by its code, as U+002D for a fraction bar [default: the first].
    #[arg(long, allow_hyphen_values = true)]
    symbol: Option<String>,
    #[command(flatten)]
    config: ConfigArgs,
    /// Where to write it: .svg or .png.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let config = args.config.config()?;
    let (symbol, against) = (args.symbol.as_deref(), args.against.as_deref());
    let svg = picture::regions(&config, &args.latex, symbol, against)?;
    let bytes = match args.output.extension().and_then(|end| end.to_str()) {
        Some("svg") => svg.into_bytes(),
        Some("png") => picture::png(&svg)?,
        _ => anyhow::bail!("{} ends in neither .svg nor .png", args.output.display()),
    };
    write_whole(&args.output, &bytes)
        .with_context(|| format!("cannot write {}", args.output.display()))?;
    Ok(Outcome::Done)
}
