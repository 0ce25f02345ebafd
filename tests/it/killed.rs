//! Builds that are killed, or run out of disk: what they leave behind, and who sweeps it.
#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::fixtures::binary::{ok, phocus, stderr, text};
use crate::fixtures::sample::sample_index;

/// The temporary files in a folder.
fn temporaries(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap());
    let is_temporary = |name: &str| name.starts_with(".phocus-");
    files
        .filter(|file| is_temporary(file.file_name().to_str().unwrap()))
        .map(|file| file.path())
        .collect()
}

/// A build that waits for more formulas, with a list of rejects that is being written.
fn waiting_build(folder: &Path, name: &str) -> Child {
    let mut child = phocus()
        .args(["index", "-", "-o"])
        .arg(folder.join(name).with_extension("phoc"))
        .arg("--rejects")
        .arg(folder.join(name).with_extension("tsv"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let stdin = child.stdin.as_mut().unwrap();
    // A pipe holds less than that: the build is reading when the last of it is written.
    for _ in 0..20_000 {
        stdin.write_all(b"\\frac{a}{b}+c\n").unwrap();
    }
    child
}

/// What a killed build leaves is swept by the next one, and what a running build writes is not.
#[test]
fn what_a_killed_build_leaves_is_swept() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mut killed = waiting_build(folder.path(), "killed");
    let left = temporaries(folder.path());
    assert_eq!(left.len(), 1);
    // SIGKILL.
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(temporaries(folder.path()), left, "it is left");
    let mut running = waiting_build(folder.path(), "running");
    let held = temporaries(folder.path());
    assert_eq!(held.len(), 1, "{held:?}");
    assert!(!left[0].exists());
    fs::write(at("list.txt"), "x+1\n").unwrap();
    ok(&["index", text(&at("list.txt")), "-o", text(&at("next.phoc"))]);
    assert_eq!(
        temporaries(folder.path()),
        held,
        "a running build is not disturbed"
    );
    drop(running.stdin.take());
    assert!(running.wait().unwrap().success());
    assert!(ok(&["verify", text(&at("running.phoc"))]).contains("is sound"));
    assert!(at("running.tsv").exists());
    assert_eq!(temporaries(folder.path()).len(), 0);
}

/// A disk that is full, here a limit on the length of files, leaves the old output and nothing
/// else.
#[test]
fn a_full_disk_leaves_the_old_index() {
    let folder = tempfile::tempdir().unwrap();
    let index = folder.path().join("s.phoc");
    fs::copy(sample_index("best"), &index).unwrap();
    let before = fs::read(&index).unwrap();
    let command = format!(
        "trap '' XFSZ; ulimit -f 100; '{}' index data-sample/formulas -o '{}'",
        phocus().get_program().display(),
        index.display()
    );
    let output = Command::new("bash")
        .args(["-c", &command])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("s.phoc"), "{}", stderr(&output));
    assert!(fs::read(&index).unwrap() == before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
