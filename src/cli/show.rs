//! `phocus show`: a formula's regions, drawn.

use std::path::PathBuf;

use super::Status;
use super::args::ConfigArgs;
use super::output::save;
use crate::picture;

/// Draw the regions of a formula that one of its symbols touches.
///
/// The picture has a column for each family of regions of the configuration and a row for each
/// level. Regions that the symbol touches are filled, and their bits are written below. The
/// symbol's boxes are red, and so is the part of each box that must touch a region (`--anchor`).
/// With --against, the same symbol of a second formula is drawn too: regions that only one of the
/// formulas has are blue, regions that both have are green.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  phocus show 'x^2+y^2=z^2' --symbol 2 --config xy4o3 -o regions.svg
  phocus show 'x-y' --against 'y-x' --config xyo3 -o flipped.png")]
pub(super) struct Args {
    /// The formula, in LaTeX.
    #[arg(allow_hyphen_values = true)]
    latex: String,
    /// A second formula, to see which regions both have.
    #[arg(long, value_name = "LATEX", allow_hyphen_values = true)]
    against: Option<String>,
    /// The symbol to look at: in LaTeX, or by its code, such as U+002D for a fraction bar
    /// [default: the first symbol].
    #[arg(long, allow_hyphen_values = true)]
    symbol: Option<String>,
    #[command(flatten)]
    config: ConfigArgs,
    /// The picture to write: its name ends in .svg or .png.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let config = args.config.config()?;
    let (symbol, against) = (args.symbol.as_deref(), args.against.as_deref());
    let svg = picture::regions(&config, &args.latex, symbol, against)?;
    let bytes = match args.output.extension().and_then(|end| end.to_str()) {
        Some("svg") => svg.into_bytes(),
        Some("png") => picture::png(&svg)?,
        _ => anyhow::bail!(
            "expected a file that ends in .svg or .png, found {}",
            args.output.display()
        ),
    };
    save(&args.output, &bytes)?;
    Ok(Status::Done)
}
