//! `phocus synth`: longer lists, the same for any threads, like the original.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::fixtures::binary::phocus;
use crate::fixtures::sample::sample_folder;
use crate::fixtures::wait;
use phocus::corpus::Inputs;
use phocus::layout;
use serde_json::Value;

fn synth(from: &Path, formulas: u64, output: &Path, further: &[&str]) -> Output {
    phocus()
        .args(["synth", "--formulas", &formulas.to_string(), "--from"])
        .arg(from)
        .arg("-o")
        .arg(output)
        .args(further)
        .output()
        .unwrap()
}

/// Grows a list, and gives the statistics.
fn grown(from: &Path, formulas: u64, output: &Path, further: &[&str]) -> Value {
    let run = synth(from, formulas, output, &[&["--json"], further].concat());
    let message = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{message}");
    serde_json::from_slice(&run.stdout).unwrap()
}

/// Ids and LaTeX, as every verb reads them.
fn read(path: &Path) -> Vec<(String, String)> {
    let inputs = Inputs::new(&[path.to_path_buf()], None).unwrap();
    inputs
        .map(|read| read.unwrap().unwrap())
        .map(|record| {
            (
                record.instance.id.to_string(),
                record.content.latex().to_owned(),
            )
        })
        .collect()
}

fn formulas() -> PathBuf {
    sample_folder().join("formulas")
}

#[test]
fn a_longer_list_is_distinct_and_like_the_original() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("big.tsv.zst");
    let statistics = grown(&formulas(), 6000, &path, &[]);
    let found = read(&path);
    assert_eq!(found.len(), 6000);
    let mut seen = HashSet::new();
    for (at, (id, latex)) in found.iter().enumerate() {
        assert_eq!(*id, (at + 1).to_string());
        let layout = layout::latex(latex).expect(latex);
        assert!(seen.insert(layout.fingerprint()), "{latex} is there twice");
    }
    for what in ["symbols_a_formula", "norm"] {
        let mean = |set: &str| statistics[set][what]["mean"].as_f64().unwrap();
        let ratio = mean("written") / mean("original");
        assert!((0.95..1.05).contains(&ratio), "{what}: {ratio}");
    }
    for (symbol, percent) in statistics["original"]["percent_holding"]
        .as_object()
        .unwrap()
    {
        let written = &statistics["written"]["percent_holding"][symbol];
        let ratio = written.as_f64().unwrap() / percent.as_f64().unwrap();
        assert!((0.8..1.2).contains(&ratio), "{symbol}: {ratio}");
    }
    let index = phocus()
        .args(["index", "--json", "-o"])
        .arg(folder.path().join("big.phoc"))
        .arg(&path)
        .output()
        .unwrap();
    let index: Value = serde_json::from_slice(&index.stdout).unwrap();
    for what in ["formulas", "postings", "tokens"] {
        let name = if what == "formulas" { "distinct" } else { what };
        assert_eq!(index[name], statistics["written"][what], "{what}");
    }
}

#[test]
fn threads_and_packing_change_nothing_and_seeds_do() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    grown(&formulas(), 3000, &at("1.tsv"), &["--threads", "1"]);
    grown(&formulas(), 3000, &at("2.tsv"), &["--threads", "2"]);
    grown(&formulas(), 3000, &at("3.tsv.gz"), &[]);
    grown(&formulas(), 3000, &at("4.tsv"), &["--seed", "4"]);
    let bytes = fs::read(at("1.tsv")).unwrap();
    assert!(bytes == fs::read(at("2.tsv")).unwrap());
    assert!(read(&at("1.tsv")) == read(&at("3.tsv.gz")));
    assert!(bytes != fs::read(at("4.tsv")).unwrap());
    let printed = synth(&formulas(), 3000, Path::new("-"), &[]);
    assert!(bytes == printed.stdout);
    assert!(String::from_utf8_lossy(&printed.stderr).contains("symbols in a formula, mean"));
}

#[test]
fn a_shorter_list_is_the_first_distinct_formulas() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("short.tsv");
    let statistics = grown(&formulas(), 100, &path, &[]);
    assert_eq!(statistics["written"]["formulas"], 100);
    assert!(statistics["original"]["formulas"].as_u64() > Some(1000));
    let mut seen = HashSet::new();
    let first: Vec<String> = Inputs::new(&[formulas()], None)
        .unwrap()
        .map(|read| read.unwrap().unwrap())
        .filter(|record| record.withheld().is_none())
        .map(|record| record.content.latex().to_owned())
        .filter(|latex| layout::latex(latex).is_ok_and(|layout| seen.insert(layout.fingerprint())))
        .take(100)
        .collect();
    let found: Vec<String> = read(&path).into_iter().map(|(_, latex)| latex).collect();
    assert_eq!(found, first);
}

/// Quotes, tabs and line breaks come back as they were, or as the space that
/// they are to TeX.
#[test]
fn what_is_written_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let from = folder.path().join("odd.jsonl");
    let latex = ["\"a\"", "b\t\"c", "d\r\ne", "f % g\nh"];
    let rows = latex.map(|latex| serde_json::json!({ "latex": latex }).to_string());
    fs::write(&from, rows.join("\n")).unwrap();
    let path = folder.path().join("odd.tsv");
    grown(&from, 4, &path, &[]);
    let found: Vec<String> = read(&path).into_iter().map(|(_, latex)| latex).collect();
    assert_eq!(found, ["\"a\"", "b\t\"c", "d e", "f % g\nh"]);
}

#[test]
fn a_list_that_runs_out_is_an_error_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let from = folder.path().join("few.txt");
    fs::write(&from, "x\ny+1\n\\alpha\n").unwrap();
    let path = folder.path().join("big.tsv.zst");
    let run = synth(&from, 1_000_000, &path, &[]);
    assert_eq!(run.status.code(), Some(2));
    let message = String::from_utf8(run.stderr).unwrap();
    let reached = message.split_once("at most ").expect(&message).1;
    let reached: u64 = reached.split_once(',').unwrap().0.parse().unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    grown(&from, reached, &path, &[]);
    assert_eq!(read(&path).len() as u64, reached);
    fs::remove_file(&path).unwrap();
    fs::write(&from, "\\def\\x{\\x}\\x\n").unwrap();
    let run = synth(&from, 10, &path, &[]);
    let message = String::from_utf8(run.stderr).unwrap();
    assert!(message.contains("none of the 1 records"), "{message}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let child = phocus()
        .args(["synth", "--formulas", "100000000", "--from"])
        .arg(formulas())
        .arg("-o")
        .arg(folder.path().join("big.tsv"))
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let files = || fs::read_dir(folder.path()).unwrap().map(Result::unwrap);
    let is_begun = || files().any(|file| file.metadata().is_ok_and(|found| found.len() > 0));
    wait::until("the list begins to be written", is_begun);
    let pid = child.id().to_string();
    let kill = Command::new("kill").args(["-INT", &pid]).status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8_lossy(&output.stderr).contains("interrupted"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
