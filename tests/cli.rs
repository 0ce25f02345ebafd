//! The binary, as a person or a script uses it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod binary;
mod sample;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use binary::{fails, json, ok, phocus, run, stderr, text};
use sample::sample_folder;
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
fn search_tells_what_it_found_and_why_not() {
    let folder = tempfile::tempdir().unwrap();
    let index = folder.path().join("s.phoc");
    let index = text(&index);
    ok(&[
        "index",
        text(&sample_folder().join("formulas")),
        "-o",
        index,
    ]);
    let found = ok(&["search", index, "a^2+b^2=c^2", "-k", "3"]);
    let lines: Vec<&str> = found.lines().collect();
    assert_eq!(lines.len(), 4, "{found}");
    assert!(lines[1].contains("a^2+b^2=c^2"), "{found}");
    let found = json(&ok(&[
        "search",
        index,
        "a^2+b^2=c^2",
        "--json",
        "--idf",
        "--min-match",
        "75%",
    ]));
    assert_eq!(found["hits"][0]["latex"], "a^2+b^2=c^2");
    assert_eq!(
        (&found["idf"], &found["min_match"]),
        (&Value::Bool(true), &Value::from(0.75))
    );
    assert!(ok(&["search", index, "日"]).contains("none of the"));
    assert!(ok(&["search", index, "a日", "--min-match", "100%"]).contains("no formula holds 日"));
    let scattered = ok(&[
        "search",
        index,
        r"\aleph\hbar\Re\oint\sqrt[7]{Z}",
        "--min-match",
        "100%",
    ]);
    assert!(scattered.contains("No formula found"), "{scattered}");
    assert!(
        ok(&["search", index, "-x"]).contains("rank"),
        "a formula may begin with a minus"
    );
    let message = fails(&["search", index, r"\def\x{\x}\x"]);
    assert!(message.contains("cannot read the formula"), "{message}");
    assert!(fails(&["search", index, ""]).contains("nothing to draw"));
    assert!(fails(&["search", "no-such.phoc", "x"]).contains("no-such.phoc"));
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
    assert_eq!(summary["rejected"]["malformed line"], 2);
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
    fs::write(&index, "the old one").unwrap();
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
    std::thread::sleep(std::time::Duration::from_millis(300));
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
    assert_eq!(fs::read(&index).unwrap(), b"the old one");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    drop(stdin);
}

#[test]
fn every_verb_has_help() {
    for verb in [
        "index",
        "search",
        "explain",
        "show",
        "serve",
        "run",
        "eval",
        "compare",
        "fuse",
        "tune",
        "bench",
        "encode",
        "info",
        "verify",
        "synth",
        "demo",
        "completions",
    ] {
        let help = ok(&[verb, "--help"]);
        assert!(help.contains("Usage: phocus"), "{help}");
    }
    assert!(ok(&["completions", "zsh"]).contains("phocus"));
    assert_eq!(run(&["frobnicate"]).status.code(), Some(2));
    assert_eq!(
        run(&["search", "x.phoc", "x", "--min-match", "lots"])
            .status
            .code(),
        Some(2)
    );
}
