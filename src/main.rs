//! The command line of phocus.

use std::process::ExitCode;

/// Laying out a formula allocates and frees hundreds of small boxes: with the
/// system's allocator they took a third of the building time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    phocus::cli::main()
}
