//! The README tells the truth: its commands run, and print what it shows.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;

/// A command of a `console` block, and the output shown below it.
struct Shown {
    command: String,
    output: String,
}

fn shown() -> Vec<Shown> {
    let readme =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let mut all: Vec<Shown> = Vec::new();
    let mut is_console = false;
    for line in readme.lines() {
        match line {
            "```console" => is_console = true,
            "```" => is_console = false,
            _ if !is_console => {}
            _ => match line.strip_prefix("$ ") {
                Some(command) => all.push(Shown {
                    command: command.to_owned(),
                    output: String::new(),
                }),
                None => {
                    let last = all.last_mut().expect("output follows a command");
                    last.output += line.trim_end();
                    last.output.push('\n');
                }
            },
        }
    }
    all
}

#[test]
fn every_command_prints_what_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["data-sample", "tests"] {
        std::os::unix::fs::symlink(root.join(name), folder.path().join(name)).unwrap();
    }
    let binary = Path::new(env!("CARGO_BIN_EXE_phocus"));
    let path = format!(
        "{}:{}",
        binary.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    let commands = shown();
    assert!(commands.len() >= 8, "{}", commands.len());
    for Shown { command, output } in commands {
        let run = Command::new("bash")
            .args(["-c", &command])
            .current_dir(folder.path())
            .env("PATH", &path)
            .output()
            .unwrap();
        let printed = String::from_utf8(run.stdout).unwrap();
        assert!(
            run.status.success(),
            "{command}: {}",
            String::from_utf8_lossy(&run.stderr)
        );
        if !output.is_empty() {
            assert_eq!(printed, output, "{command}");
        }
    }
}
