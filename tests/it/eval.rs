//! Runs as the binary makes them, and measures against trec_eval's, through goldens made with pytrec_eval.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::binary::{fails, json, ok, run, stderr, text};
use crate::fixtures::runs;
use crate::fixtures::sample::{QRELS, TOPICS, sample_folder, sample_index};
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

/// What each formula id of the sample has as its visual id.
fn visual_ids() -> HashMap<String, String> {
    let mut ids = HashMap::new();
    for file in fs::read_dir(sample_folder().join("formulas")).unwrap() {
        let table = fs::read_to_string(file.unwrap().path()).unwrap();
        for line in table.lines().skip(1) {
            let fields: Vec<&str> = line.split('\t').collect();
            if fields.len() == 9 {
                ids.insert(fields[0].to_owned(), fields[6].to_owned());
            }
        }
    }
    ids
}

#[test]
fn runs_follow_the_rules() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run.tsv");
    let index = sample_index("best");
    let report = ok(&["run", text(&index), "--topics", TOPICS, "-o", text(&run)]);
    assert!(report.contains("95th percentile"), "{report}");
    let run = fs::read_to_string(run).unwrap();
    let rows: Vec<Vec<&str>> = run.lines().map(|row| row.split('\t').collect()).collect();
    let visual_ids = visual_ids();
    for row in &rows {
        assert_eq!(row.len(), 6, "{row:?}");
        assert_eq!(row[5], "phocus-best");
        assert!(visual_ids.contains_key(row[1]), "no formula id: {row:?}");
    }
    let topics: Vec<_> = rows.chunk_by(|a, b| a[0] == b[0]).collect();
    assert_eq!(topics.len(), 20);
    for topic in topics {
        assert!(topic.len() <= 1000);
        let ranks = topic.iter().map(|row| row[3].parse::<usize>().unwrap());
        assert!(ranks.eq(1..=topic.len()), "{}", topic[0][0]);
        let score = |row: &Vec<&str>| row[4].parse::<f32>().unwrap();
        assert!(topic.is_sorted_by(|a, b| score(a) > score(b)));
    }
}

#[test]
fn runs_of_both_formats_evaluate() {
    let sample = runs::sample();
    let run = text(&sample.runs[1]);
    let trec = sample.folder.path().join("run.trec");
    let make = |more: &[&str]| {
        let args = ["run", text(&sample.index), "--topics", TOPICS];
        let format = ["-o", text(&trec), "--format", "trec", "--run-id", "t"];
        ok(&[&args[..], &format, more].concat())
    };
    let args = ["eval", "--qrels", QRELS, "--index", text(&sample.index)];
    let both = [&args[..], &[run, text(&trec), "--json"]].concat();
    make(&["--depth", "7"]);
    assert_eq!(fs::read_to_string(&trec).unwrap().lines().count(), 140);
    let measured = json(&ok(&both));
    assert_eq!(measured["runs"][0]["topics"], 20);
    let ndcg = |run: &Value| run["mean"]["ndcg"].as_f64().unwrap();
    assert!(ndcg(&measured["runs"][0]) > ndcg(&measured["runs"][1]));
    make(&[]);
    let measured = json(&ok(&both));
    let means = [0, 1].map(|at: usize| &measured["runs"][at]["mean"]);
    assert_eq!(means[0], means[1], "visual ids stay as they are");
    let some = [&both[..], &["--topics", "S.1,S.2", "--per-topic"]].concat();
    let some = json(&ok(&some));
    assert_eq!(some["runs"][0]["per_topic"].as_object().unwrap().len(), 2);
    let bad = fails(&["eval", "--qrels", QRELS, TOPICS]);
    assert!(bad.contains("topics.xml:1"), "{bad}");
}

/// The same bytes from one thread as from many, and visual ids apart even
/// where the index keeps every record.
#[test]
fn runs_are_the_same_for_any_threads() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let formulas = sample_folder().join("formulas");
    ok(&[
        "index",
        text(&formulas),
        "-o",
        &at("s.phoc"),
        "--dedup",
        "none",
    ]);
    for threads in ["1", "3"] {
        let out = at(&format!("{threads}.tsv"));
        let args = ["run", &at("s.phoc"), "--topics", TOPICS, "-o", &out];
        ok(&[&args[..], &["--threads", threads, "--depth", "100"]].concat());
    }
    let run = fs::read_to_string(at("1.tsv")).unwrap();
    assert_eq!(run, fs::read_to_string(at("3.tsv")).unwrap());
    let visual_ids = visual_ids();
    let rows: Vec<Vec<&str>> = run.lines().map(|row| row.split('\t').collect()).collect();
    for topic in rows.chunk_by(|a, b| a[0] == b[0]) {
        assert_eq!(topic.len(), 100);
        let ids: HashSet<_> = topic.iter().map(|row| &visual_ids[row[1]]).collect();
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
    let (index, topics, out) = (at("f.phoc"), at("topics.tsv"), at("r.tsv"));
    let output = run(&["run", &index, "--topics", &topics, "-o", &out]);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        stderr(&output).contains("topic T.2 is left out"),
        "{}",
        stderr(&output)
    );
    assert_eq!(fs::read_to_string(at("r.tsv")).unwrap().lines().count(), 2);
}
