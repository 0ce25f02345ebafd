//! `phocus man`: manual pages.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::{Command, CommandFactory};
use clap_mangen::Man;

use super::destination::{Destination, Replacing};
use super::kind::Kind;
use super::{Cli, Status};

/// Write manual pages: phocus.1, and one for each verb, such as phocus-search.1.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  phocus man ~/.local/share/man/man1
  man phocus-search

`man` finds pages there by itself on most systems; else add ~/.local/share/man to MANPATH.")]
pub(super) struct Args {
    /// The folder to write the pages to; it is made if it is not there.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    #[command(flatten)]
    replacing: Replacing,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    fs::create_dir_all(&args.folder)
        .with_context(|| format!("cannot make the folder {}", args.folder.display()))?;
    let page = |(name, text): (String, Vec<u8>)| {
        let path = args.folder.join(name);
        let page = Destination::new(&path, Kind::ManPage, &[], args.replacing);
        page.map(|page| (page, text))
    };
    // Either all pages may be written or none is.
    let pages: Vec<_> = pages()?.into_iter().map(page).collect::<Result<_, _>>()?;
    let (count, folder) = (pages.len(), args.folder.display());
    for (page, text) in pages {
        page.save(text)?;
    }
    writeln!(io::stdout(), "{count} pages are in {folder}")?;
    Ok(Status::Done)
}

/// Every page with the name of its file.
fn pages() -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut main = Cli::command().disable_help_subcommand(true);
    // This gives verbs their full names, such as phocus-search.
    main.build();
    let verbs: Vec<Command> = main.get_subcommands().cloned().collect();
    let all = std::iter::once(main).chain(verbs);
    all.map(|command| {
        let page = Man::new(command);
        let mut text = Vec::new();
        page.render(&mut text)?;
        // What follows the options is notes and examples; clap_mangen calls it EXTRA.
        let text = String::from_utf8_lossy(&text).replace(".SH EXTRA\n", ".SH NOTES\n");
        Ok((page.get_filename(), text.into_bytes()))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verb_has_a_page_that_names_its_arguments() {
        let pages = pages().unwrap();
        let verbs = Cli::command();
        for verb in verbs.get_subcommands() {
            let name = format!("phocus-{}.1", verb.get_name());
            let (_, page) = pages.iter().find(|(file, _)| *file == name).unwrap();
            let page = String::from_utf8(page.clone()).unwrap();
            for argument in verb.get_arguments() {
                let long = argument.get_long().unwrap_or_default().replace('-', "\\-");
                assert!(page.contains(&long), "{name} lacks {long}");
            }
        }
    }
}
