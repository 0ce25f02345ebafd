//! `phocus verify`: check every byte of an index.

use std::io::{self, Write};

use super::Status;
use super::args::DescribedIndex;
use super::output::print_json;
use super::table::grouped;

/// Check every checksum and invariant of an index.
///
/// The whole file is read. A search checks what it reads, and nothing else.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    index: DescribedIndex,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let verified = args.index.open()?.verify()?;
    let mut out = io::stdout().lock();
    if args.index.json {
        print_json(&mut out, &verified)?;
    } else {
        writeln!(
            out,
            "{} is sound: {} formulas, {} instances, {} tokens, {} postings",
            args.index.path.display(),
            grouped(verified.formulas),
            grouped(verified.instances),
            grouped(verified.tokens),
            grouped(verified.postings)
        )?;
    }
    Ok(Status::Done)
}
