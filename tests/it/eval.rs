//! Runs as the binary makes them, and measures against trec_eval's, through goldens made with pytrec_eval.

use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::binary::{fails, json, ok, run, stderr};
use crate::fixtures::sample::sample_folder;
use phocus::eval::{Measures, Qrels, Run, evaluate, mean};
use serde_json::Value;

fn goldens() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/eval")
}

fn assert_same(found: &Measures, expected: &Value, what: &str) {
    let found = [
        found.ndcg,
        found.map,
        found.p10,
        found.bpref,
        found.judged10,
    ];
    for (found, name) in found
        .iter()
        .zip(["ndcg", "map", "p10", "bpref", "judged10"])
    {
        let expected = expected[name].as_f64().unwrap();
        assert!(
            (found - expected).abs() < 1e-6,
            "{what} {name}: {found}, expected {expected}"
        );
    }
}

#[test]
fn measures_are_those_of_trec_eval() {
    let mut cases = 0;
    for file in fs::read_dir(goldens()).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        let golden: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let run = Run::read(&path.with_extension("run.tsv")).unwrap();
        let qrels = Qrels::read(&path.with_extension("qrels.tsv")).unwrap();
        let topics = evaluate(&run, &qrels);
        let name = path.file_stem().unwrap().display().to_string();
        assert_eq!(topics.len() as u64, golden["n"].as_u64().unwrap(), "{name}");
        for (topic, measures) in &topics {
            assert_same(
                measures,
                &golden["topics"][topic],
                &format!("{name} {topic}"),
            );
        }
        assert_same(&mean(&topics), &golden["mean"], &name);
        cases += 1;
    }
    assert!(cases >= 10, "{cases}");
}

#[test]
fn runs_follow_the_rules_and_evaluate() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let sample = |name: &str| sample_folder().join(name).display().to_string();
    ok(&["index", &sample("formulas"), "-o", &at("s.phoc")]);
    let report = ok(&[
        "run",
        &at("s.phoc"),
        "--topics",
        &sample("topics.xml"),
        "-o",
        &at("run.tsv"),
    ]);
    assert!(report.contains("95th percentile"), "{report}");
    let run_text = fs::read_to_string(at("run.tsv")).unwrap();
    let rows: Vec<Vec<&str>> = run_text
        .lines()
        .map(|line| line.split('\t').collect())
        .collect();
    assert!(
        rows.iter()
            .all(|row| row.len() == 6 && row[5] == "phocus-best")
    );
    let table = fs::read_to_string(sample("formulas/1.tsv")).unwrap();
    let first = table.lines().nth(1).unwrap().split('\t').next().unwrap();
    assert!(
        first.parse::<u64>().is_ok(),
        "formula ids, not visual ids, are written"
    );
    for topic in rows.chunk_by(|a, b| a[0] == b[0]) {
        assert!(topic.len() <= 1000);
        assert!(
            topic
                .iter()
                .enumerate()
                .all(|(at, row)| row[3] == (at + 1).to_string())
        );
        let score = |row: &Vec<&str>| row[4].parse::<f32>().unwrap();
        assert!(topic.is_sorted_by(|a, b| score(a) > score(b)));
    }
    let trec = ["--format", "trec", "--run-id", "t", "--depth", "7"];
    let arguments = [
        "run",
        &at("s.phoc"),
        "--topics",
        &sample("topics.xml"),
        "-o",
        &at("run.trec"),
    ];
    ok(&[&arguments[..], &trec[..]].concat());
    assert_eq!(
        fs::read_to_string(at("run.trec")).unwrap().lines().count(),
        140
    );
    let both = [
        "eval",
        "--qrels",
        &sample("qrels.tsv"),
        "--index",
        &at("s.phoc"),
        &at("run.tsv"),
        &at("run.trec"),
        "--json",
    ];
    let measured = json(&ok(&both));
    assert_eq!(measured["runs"][0]["topics"], 20);
    assert!(
        measured["runs"][0]["mean"]["ndcg"].as_f64() > measured["runs"][1]["mean"]["ndcg"].as_f64()
    );
    ok(&[&arguments[..], &trec[..4]].concat());
    let measured = json(&ok(&both));
    assert_eq!(
        measured["runs"][0]["mean"], measured["runs"][1]["mean"],
        "visual ids stay as they are"
    );
    let some = json(&ok(
        &[&both[..], &["--topics", "S.1,S.2", "--per-topic"]].concat()
    ));
    assert_eq!(some["runs"][0]["per_topic"].as_object().unwrap().len(), 2);
    assert!(
        fails(&[
            "eval",
            "--qrels",
            &sample("qrels.tsv"),
            &sample("topics.xml")
        ])
        .contains("topics.xml:1")
    );
}

/// The same bytes from one thread as from many, and visual ids apart even
/// where the index keeps every record.
#[test]
fn runs_are_the_same_for_any_threads() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let sample = |name: &str| sample_folder().join(name).display().to_string();
    ok(&[
        "index",
        &sample("formulas"),
        "-o",
        &at("s.phoc"),
        "--dedup",
        "none",
    ]);
    for threads in ["1", "3"] {
        let out = at(&format!("{threads}.tsv"));
        ok(&[
            "run",
            &at("s.phoc"),
            "--topics",
            &sample("topics.xml"),
            "-o",
            &out,
            "--threads",
            threads,
            "--depth",
            "100",
        ]);
    }
    let run = fs::read_to_string(at("1.tsv")).unwrap();
    assert_eq!(run, fs::read_to_string(at("3.tsv")).unwrap());
    let visual: std::collections::HashMap<String, String> = (1..=3)
        .flat_map(|n| {
            let table = fs::read_to_string(sample(&format!("formulas/{n}.tsv"))).unwrap();
            let rows: Vec<(String, String)> = table
                .lines()
                .filter_map(|line| {
                    let fields: Vec<&str> = line.split('\t').collect();
                    (fields.len() == 9).then(|| (fields[0].to_owned(), fields[6].to_owned()))
                })
                .collect();
            rows
        })
        .collect();
    for topic in run
        .lines()
        .collect::<Vec<_>>()
        .chunk_by(|a, b| a.split('\t').next() == b.split('\t').next())
    {
        assert_eq!(topic.len(), 100);
        let ids: std::collections::HashSet<_> = topic
            .iter()
            .map(|row| &visual[row.split('\t').nth(1).unwrap()])
            .collect();
        assert_eq!(ids.len(), 100, "each a different visual id");
    }
}

#[test]
fn a_topic_that_cannot_be_read_is_named_and_the_rest_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    fs::write(at("f.txt"), "a+b\n").unwrap();
    fs::write(
        at("topics.tsv"),
        "T.1\ta+b\nT.2\t\\def\\x{\\x}\\x\nT.3\tq_3\tb\n",
    )
    .unwrap();
    ok(&["index", &at("f.txt"), "-o", &at("f.phoc")]);
    let output = run(&[
        "run",
        &at("f.phoc"),
        "--topics",
        &at("topics.tsv"),
        "-o",
        &at("r.tsv"),
    ]);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        stderr(&output).contains("topic T.2 is left out"),
        "{}",
        stderr(&output)
    );
    assert_eq!(fs::read_to_string(at("r.tsv")).unwrap().lines().count(), 2);
}
