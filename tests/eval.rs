//! Measures against trec_eval's, through goldens made with pytrec_eval.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};

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
