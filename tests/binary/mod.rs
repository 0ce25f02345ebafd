//! Running the binary, for tests.
#![allow(dead_code)]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

pub(crate) fn phocus() -> Command {
    Command::new(env!("CARGO_BIN_EXE_phocus"))
}

pub(crate) fn run(arguments: &[&str]) -> Output {
    phocus().args(arguments).output().unwrap()
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Runs what must succeed, and gives what it printed.
pub(crate) fn ok(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        stderr(&output)
    );
    stdout(&output)
}

/// Runs what must fail with a message, and gives the message.
pub(crate) fn fails(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(
        output.status.code(),
        Some(1),
        "{arguments:?}: {}",
        stderr(&output)
    );
    let message = stderr(&output);
    assert!(message.starts_with("error: "), "{message}");
    message
}

pub(crate) fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

pub(crate) fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
