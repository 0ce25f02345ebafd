//! The command line of phocus.

use std::process::ExitCode;

fn main() -> ExitCode {
    phocus::cli::main()
}
