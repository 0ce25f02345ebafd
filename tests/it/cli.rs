//! The binary, as a person or a script uses it.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::fixtures::binary::{fails, json, ok, phocus, run, stderr, text};
use crate::fixtures::sample::sample_index;
use serde_json::Value;

#[test]
fn demo_goes_the_whole_way() {
    let folder = tempfile::tempdir().unwrap();
    let output = ok(&["demo", text(&folder.path().join("demo"))]);
    assert!(output.contains("20 topics"), "{output}");
    assert!(output.contains("nDCG'"), "{output}");
    assert!(output.contains("Next, type"), "{output}");
    let report = fs::read_to_string(folder.path().join("demo/report.html")).unwrap();
    assert!(report.contains("2 runs on 20 topics"));
    let index = folder.path().join("demo/sample.phoc");
    assert!(ok(&["verify", text(&index)]).contains("is sound"));
    assert!(ok(&["info", text(&index)]).contains("best: xy7o4 (64 bits), line"));
    assert_eq!(
        json(&ok(&["info", text(&index), "--json"]))["meta"]["payload_bytes"],
        4
    );
}

#[test]
fn rejects_and_malformed_lines_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let rows = b"id\tlatex\n1\tx\n2\n3\t\\def\\x{\\x}\\x\n4\ty\xFF\n5\tz\n";
    fs::write(at("t.tsv"), rows).unwrap();
    let summary = json(&ok(&[
        "index",
        &at("t.tsv"),
        "-o",
        &at("t.phoc"),
        "--rejects",
        &at("r.tsv"),
        "--json",
    ]));
    assert_eq!(
        (&summary["read"], &summary["indexed"]),
        (&Value::from(5), &Value::from(2))
    );
    assert_eq!(summary["rejected"]["malformed"], 2);
    let rejects = fs::read_to_string(at("r.tsv")).unwrap();
    assert_eq!(rejects.lines().count(), 4, "{rejects}");
    assert!(
        rejects.contains("t.tsv:3") && rejects.contains("t.tsv:5"),
        "{rejects}"
    );
    let output = run(&["index", &at("t.tsv"), "-o", &at("t.phoc")]);
    assert!(
        stderr(&output).contains("t.tsv:3: expected 2 fields, found 1"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn encode_gives_boxes_and_bits() {
    let shown = json(&ok(&["encode", "x+1", "--config", "x2", "--json"]));
    assert_eq!(shown["tokens"].as_array().unwrap().len(), 3);
    let x = &shown["tokens"][2];
    assert_eq!(
        (&x["kind"], &x["key"], &x["bits"]),
        (&"symbol".into(), &"𝑥".into(), &"110".into())
    );
    assert_eq!(x["boxes"][0].as_array().unwrap().len(), 4);
    assert_eq!(shown["box"].as_array().unwrap().len(), 4);
    let svg = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/svg/mathjax-local/010.svg");
    let drawn = json(&ok(&[
        "encode",
        "--svg",
        text(&svg),
        "--json",
        "--repr",
        "box",
    ]));
    let written = json(&ok(&["encode", "x^2", "--json", "--repr", "box"]));
    assert_eq!(drawn["tokens"][0]["key"], written["tokens"][0]["key"]);
    assert!(fails(&["encode", "x", "--config", "q9"]).contains("no kind of region"));
}

#[test]
fn standard_input_and_closed_output() {
    let folder = tempfile::tempdir().unwrap();
    let index = folder.path().join("s.phoc");
    let mut child = phocus()
        .args(["index", "-", "-o", text(&index)])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"a+b\nc+d\n")
        .unwrap();
    assert!(child.wait().unwrap().success());
    assert!(ok(&["search", text(&index), "a"]).contains("a+b"));
    let mut child = phocus()
        .args(["completions", "bash"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{}",
        stderr(&output)
    );
}

/// Ctrl-C during a build that waits for input: status 130, the old index as
/// it was, nothing beside it.
#[cfg(unix)]
#[test]
fn ctrl_c_leaves_everything_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let index = folder.path().join("s.phoc");
    fs::copy(sample_index("xy7o4"), &index).unwrap();
    let old = fs::read(&index).unwrap();
    let mut child = phocus()
        .args(["index", "-", "-o", text(&index)])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    for _ in 0..20_000 {
        stdin.write_all(b"\\frac{a}{b}+c\n").unwrap();
    }
    // A pipe holds less than that: the build is reading when the last of it is written.
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .unwrap()
            .success()
    );
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("interrupted"),
        "{}",
        stderr(&output)
    );
    assert!(fs::read(&index).unwrap() == old);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    drop(stdin);
}

#[test]
fn every_verb_has_help() {
    let all = ok(&["--help"]);
    let commands = all.split("Commands:\n").nth(1).unwrap();
    // A verb begins a line and is followed by what it does.
    let verbs: Vec<&str> = commands
        .lines()
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|verb| *verb != "help")
        .collect();
    assert!(verbs.contains(&"index") && verbs.len() > 10, "{verbs:?}");
    let completions = ok(&["completions", "zsh"]);
    for verb in verbs {
        let help = ok(&[verb, "--help"]);
        let usage = format!("Usage: phocus {verb}");
        let (about, options) = help.split_once(&usage).unwrap_or_else(|| panic!("{help}"));
        assert!(about.trim().len() > 20, "{verb} says what it does: {help}");
        assert!(options.contains("--help"), "{help}");
        assert!(completions.contains(&format!("({verb})")), "{verb}");
    }
    assert_eq!(run(&["frobnicate"]).status.code(), Some(2));
    let args = ["search", "x.phoc", "x", "--min-match", "lots"];
    assert_eq!(run(&args).status.code(), Some(2));
}
