//! `phocus verify`: check every byte of an index.

use std::io::{self, Write};
use std::path::PathBuf;

use super::Outcome;
use super::table::grouped;
use crate::index::Index;

/// Check every checksum and invariant of an index.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The index.
    index: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let index = Index::open(&args.index)?;
    let verified = index.verify()?;
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&verified)?)?;
    } else {
        writeln!(
            out,
            "{} is sound: {} formulas, {} instances, {} tokens, {} postings",
            args.index.display(),
            grouped(verified.formulas),
            grouped(verified.instances),
            grouped(verified.tokens),
            grouped(verified.postings)
        )?;
    }
    Ok(Outcome::Done)
}
