//! The command line of phocus.

use std::process::ExitCode;

/// Laying out a formula makes and drops hundreds of small boxes: with the
/// system's allocator they were a third of all time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    phocus::cli::main()
}
