//! `phocus completions`: completions for a shell.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::Shell;

use super::{Cli, Outcome};

/// Print completions for a shell.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "For bash: phocus completions bash > ~/.local/share/bash-completion/completions/phocus"
)]
pub(super) struct Args {
    /// The shell.
    shell: Shell,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    // Into memory first: clap panics where the output is closed early.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "phocus", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Outcome::Done)
}
