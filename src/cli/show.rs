//! `phocus show`: a formula's regions, drawn.

use std::path::{Path, PathBuf};

use super::Status;
use super::args::{ConfigArgs, MacroArgs};
use super::destination::{Destination, Replacing};
use super::kind::Kind;
use super::search::read;
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
    macros: MacroArgs,
    #[command(flatten)]
    config: ConfigArgs,
    /// The picture to write: its name ends in .svg or .png.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    replacing: Replacing,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let config = args.config.config()?;
    let kind = match args.output.extension().and_then(|end| end.to_str()) {
        Some("svg") => Kind::Svg("show"),
        Some("png") => Kind::Png,
        _ => anyhow::bail!(
            "expected a file that ends in .svg or .png, found {}",
            args.output.display()
        ),
    };
    let is_png = matches!(kind, Kind::Png);
    let inputs: Vec<&Path> = args.config.file().into_iter().collect();
    let output = Destination::new(&args.output, kind, &inputs, args.replacing)?;
    let (symbol, against) = (args.symbol.as_deref(), args.against.as_deref());
    let read = |latex: &str| Ok::<_, anyhow::Error>(read(latex, &args.macros)?.read_as);
    let (latex, against) = (read(&args.latex)?, against.map(read).transpose()?);
    let svg = picture::regions(&config, &latex, symbol, against.as_deref())?;
    output.save(if is_png {
        picture::png(&svg)?
    } else {
        svg.into_bytes()
    })?;
    Ok(Status::Done)
}
