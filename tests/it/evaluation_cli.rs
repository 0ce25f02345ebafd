//! The verbs for whoever measures: bench, fuse, tune, and eval of one run against another.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::fixtures::binary::{fails, json, ok, run, stderr, text};
use crate::fixtures::runs;
use crate::fixtures::sample::{QRELS, TOPICS, sample_index};

/// Times every threshold on the sample, with everything that bench can add: its report.
fn benched(index: &Path, plot: &Path) -> Value {
    let (index, plot) = (text(index), text(plot));
    let args = ["bench", index, "--topics", TOPICS, "--qrels", QRELS];
    let more = ["--repeat", "2", "--throughput", "--stream", "--json"];
    json(&ok(&[&args[..], &more, &["--plot", plot]].concat()))
}

#[test]
fn bench_times_every_threshold() {
    let folder = tempfile::tempdir().unwrap();
    let index = sample_index("best");
    let plot = folder.path().join("trade.svg");
    let report = benched(&index, &plot);
    let rows = report["thresholds"].as_array().unwrap();
    let parts = rows.iter().map(|row| row["min_match"].as_f64().unwrap());
    assert!(parts.eq([0.0, 0.25, 0.5, 0.75, 0.85, 0.95, 1.0]));
    for row in rows {
        let ms = |name: &str| row[name].as_f64().unwrap();
        let ascending = ["q1_ms", "median_ms", "q3_ms", "p95_ms", "p99_ms", "max_ms"];
        assert!(ascending.map(ms).is_sorted(), "{row}");
        assert!(ms("stream_ms") > 0.0 && ms("mean_ms") > 0.0, "{row}");
        assert!(row["throughput"]["ratio"].as_f64().unwrap() > 0.0, "{row}");
    }
    // A picture that reads, with a point for every threshold and measure.
    let drawn = fs::read_to_string(&plot).unwrap();
    assert_eq!(drawn.matches("r=\"4\"").count(), 7 * 3 + 3);
    assert!(roxmltree::Document::parse(&drawn).is_ok());
}

#[test]
fn bench_measures_what_eval_measures() {
    let folder = tempfile::tempdir().unwrap();
    let index = sample_index("best");
    let report = benched(&index, &folder.path().join("trade.svg"));
    assert_eq!(report["rerank"], 300);
    let run = folder.path().join("run.tsv");
    let measured = |more: &[&str]| {
        let args = ["run", text(&index), "--topics", TOPICS, "-o", text(&run)];
        ok(&[&args[..], more].concat());
        let args = ["eval", "--qrels", QRELS, "--index", text(&index), "--json"];
        let measured = json(&ok(&[&args[..], &[text(&run)]].concat()));
        measured["runs"][0]["mean"]["map"].as_f64().unwrap()
    };
    let map = report["thresholds"][0]["map"].as_f64().unwrap();
    assert!(map > 0.5 && map == measured(&[]), "{map}");
    assert_ne!(map, measured(&["--rerank", "0"]));
    let args = ["bench", text(&index), "--topics", TOPICS];
    let bad = fails(&[&args[..], &["--thresholds", "101"]].concat());
    assert!(bad.contains("from 0 to 100"), "{bad}");
}

#[test]
fn runs_are_fused() {
    let sample = runs::sample();
    let fused = sample.folder.path().join("fused.tsv");
    let (a, b) = (text(&sample.runs[0]), text(&sample.runs[1]));
    for method in ["reciprocal-rank", "min-max"] {
        ok(&["fuse", a, b, "--method", method, "-o", text(&fused)]);
        let written = fs::read_to_string(&fused).unwrap();
        let first: Vec<&str> = written.lines().next().unwrap().split('\t').collect();
        assert_eq!(first.len(), 6, "{first:?}");
        assert_ne!(first[2], "-", "posts are kept");
    }
    let args = ["fuse", a, "-o", text(&fused), "--weights", "1", "2"];
    let bad = fails(&args);
    assert!(bad.contains("2 weights were given for 1 runs"), "{bad}");
}

#[test]
fn weights_are_tuned() {
    let folder = tempfile::tempdir().unwrap();
    let index = sample_index("xy7o4");
    let toml = folder.path().join("mine.toml");
    let args = ["tune", text(&index), "--topics", TOPICS, "--qrels", QRELS];
    let more = ["--folds", "3", "--json", "-o", text(&toml)];
    let tuned = json(&ok(&[&args[..], &more].concat()));
    let map = |which: &str| tuned[which]["map"].as_f64().unwrap();
    assert!(map("on_train") >= map("before"), "{tuned}");
    assert!(map("held_out") > 0.0, "{tuned}");
    let list = folder.path().join("list.txt");
    fs::write(&list, "a+b\n").unwrap();
    let built = folder.path().join("mine.phoc");
    let config = ["--config", text(&toml)];
    ok(&[&["index", text(&list), "-o", text(&built)][..], &config].concat());
}

#[test]
fn eval_compares_runs() {
    let folder = tempfile::tempdir().unwrap();
    let index = sample_index("best");
    let run = text(&runs::sample().runs[1]);
    let baseline = folder.path().join("once.tsv");
    let args = ["run", text(&index), "--topics", TOPICS, "--rerank", "0"];
    ok(&[&args[..], &["-o", text(&baseline)]].concat());
    let judged = ["eval", "--qrels", QRELS, "--index", text(&index)];
    let args = [&judged[..], &[run, "--compare", text(&baseline)]].concat();
    let shown = ok(&args);
    assert!(shown.contains("against once.tsv:"), "{shown}");
    assert!(shown.contains("p (randomis"), "{shown}");
    let compared = json(&ok(&[&args[..], &["--json", "--per-topic"]].concat()));
    let (only, against) = (&compared["runs"][0], &compared["baseline"]);
    assert_eq!(against["run"], "once.tsv");
    assert!(against["per_topic"].is_object(), "{against}");
    let alone = json(&ok(&[&judged[..], &[text(&baseline), "--json"]].concat()));
    let map = |run: &Value| run["mean"]["map"].as_f64().unwrap();
    let expected = map(only) - map(&alone["runs"][0]);
    assert_eq!(expected, map(only) - map(against));
    let found = &only["differences"]["map"];
    let difference = found["difference"].as_f64().unwrap();
    assert!((difference - expected).abs() < 1e-12, "{found}");
    assert!(found["interval"][0].as_f64().unwrap() <= difference);
    // A run against itself differs in nothing.
    let args = ["eval", "--qrels", QRELS, run, "--compare", run, "--json"];
    let same = &json(&ok(&args))["runs"][0]["differences"]["ndcg"];
    assert_eq!(same["p_t"], 1.0);
    assert_eq!(same["difference"], 0.0);
}

/// A baseline among the runs is measured once, and not compared with itself; formula ids that
/// nobody maps to visual ids are warned of.
#[test]
fn eval_knows_its_baseline_and_its_ids() {
    let sample = runs::sample();
    let (all, index) = (sample.all(), text(&sample.index));
    let eval = [
        "eval",
        "--qrels",
        QRELS,
        all[0],
        all[1],
        "--compare",
        all[0],
        "--json",
    ];
    let output = run(&eval);
    assert!(stderr(&output).contains("name the index with --index"));
    let mapped = run(&[&eval[..], &["--index", index]].concat());
    assert!(!stderr(&mapped).contains("--index"), "{}", stderr(&mapped));
    let report = json(&String::from_utf8(mapped.stdout).unwrap());
    let names: Vec<&str> = report["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| run["run"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["best.tsv"]);
}
