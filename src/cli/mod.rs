//! The command line: one file a verb.

mod args;
mod ask;
mod asking;
mod bench;
mod bench_report;
mod compare;
mod completions;
mod demo;
mod destination;
mod encode;
mod eval;
mod explain;
mod formulas;
mod fuse;
mod grep;
mod hints;
mod hits;
mod index;
mod info;
mod instances;
mod kind;
mod man;
mod output;
mod progress;
mod rejects;
mod run;
mod run_questions;
mod search;
mod serve;
mod show;
mod synth;
mod table;
mod topics;
mod tune;
mod verify;

use std::io;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Search for mathematical formulas by how they look.
///
/// Formulas are laid out as TeX would, each symbol becomes a word of bits that
/// says in which regions of the formula it stands, and formulas are ranked by
/// the bits that they share.
#[derive(Debug, Parser)]
#[command(version, propagate_version = true, arg_required_else_help = true)]
#[command(after_help = STATUSES)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Index(index::Args),
    Search(search::Args),
    Ask(ask::Args),
    Explain(explain::Args),
    Instances(instances::Args),
    Show(show::Args),
    Serve(serve::Args),
    Run(run::Args),
    Eval(eval::Args),
    Compare(compare::Args),
    Fuse(fuse::Args),
    Tune(tune::Args),
    Bench(bench::Args),
    Encode(encode::Args),
    Formulas(formulas::Args),
    Grep(grep::Args),
    Info(info::Args),
    Verify(verify::Args),
    Synth(synth::Args),
    Demo(demo::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// How a verb ended, when it did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Status {
    /// All work was done, and what was looked for was found.
    Done,
    /// Nothing was found: status 1.
    NothingFound,
    /// A part of the work was not done: status 3.
    Partial,
    /// A file could not be read, as was told: status 2.
    Unread,
}

/// What every verb's exit status says; they are those of grep, and two more.
const STATUSES: &str = "\
Exit status: 0 done, or found; 1 nothing found; 2 an error, or a command line that was not
understood; 3 done in part (topics that cannot be read are left out); 130 interrupted.

Start with `phocus demo`.";

/// Runs what the command line asks for, and gives its exit status.
pub fn main() -> ExitCode {
    // Where the system refuses, an index that is cut while it is read ends the program.
    let _ = crate::index::survive_cut_files();
    match dispatch(Cli::parse().verb) {
        Ok(Status::Done) => ExitCode::SUCCESS,
        Ok(Status::NothingFound) => ExitCode::from(1),
        Ok(Status::Partial) => ExitCode::from(3),
        Ok(Status::Unread) => ExitCode::from(2),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            if let Some(hint) = hints::hint(&error) {
                eprintln!("hint: {hint}");
            }
            ExitCode::from(if is_interrupt(&error) { 130 } else { 2 })
        }
    }
}

/// Runs a verb.
fn dispatch(verb: Verb) -> anyhow::Result<Status> {
    match verb {
        Verb::Index(args) => index::run(&args),
        Verb::Search(args) => search::run(&args),
        Verb::Ask(args) => ask::run(&args),
        Verb::Explain(args) => explain::run(&args),
        Verb::Instances(args) => instances::run(&args),
        Verb::Show(args) => show::run(&args),
        Verb::Serve(args) => serve::run(&args),
        Verb::Run(args) => run::run(&args),
        Verb::Eval(args) => eval::run(&args),
        Verb::Compare(args) => compare::run(&args),
        Verb::Fuse(args) => fuse::run(&args),
        Verb::Tune(args) => tune::run(&args),
        Verb::Bench(args) => bench::run(&args),
        Verb::Encode(args) => encode::run(&args),
        Verb::Formulas(args) => formulas::run(&args),
        Verb::Grep(args) => grep::run(&args),
        Verb::Info(args) => info::run(&args),
        Verb::Verify(args) => verify::run(&args),
        Verb::Synth(args) => synth::run(&args),
        Verb::Demo(args) => demo::run(&args),
        Verb::Completions(args) => completions::run(&args),
        Verb::Man(args) => man::run(&args),
    }
}

/// Whether the reader of the output, such as `head`, has closed it.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

fn is_interrupt(error: &anyhow::Error) -> bool {
    use crate::index::IndexError;
    use crate::synth::SynthError;
    matches!(error.downcast_ref(), Some(IndexError::Interrupted))
        || matches!(error.downcast_ref(), Some(SynthError::Interrupted))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        super::Cli::command().debug_assert();
    }
}
