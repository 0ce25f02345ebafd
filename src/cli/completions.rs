//! `phocus completions`: completions for a shell.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::Shell;

use super::{Cli, Status};

/// Print completions for a shell, to be saved where that shell looks for them.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
How to install them:

  bash        phocus completions bash > ~/.local/share/bash-completion/completions/phocus
  zsh         phocus completions zsh > ~/.zfunc/_phocus
              with `fpath=(~/.zfunc $fpath); autoload -Uz compinit; compinit` in ~/.zshrc
  fish        phocus completions fish > ~/.config/fish/completions/phocus.fish
  elvish      phocus completions elvish > ~/.config/elvish/lib/phocus.elv
              with `use phocus` in ~/.config/elvish/rc.elv
  PowerShell  phocus completions powershell >> $PROFILE

The folder must be there; the completions work in the next shell that is started.")]
pub(super) struct Args {
    /// The shell.
    shell: Shell,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    // Into memory first: clap panics where the output is closed early.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "phocus", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Status::Done)
}
