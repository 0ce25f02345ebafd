//! The binary's tools for whoever measures: bench, plans, re-ranking, fuse, tune.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod binary;

use std::fs;

use binary::{fails, json, ok, text};
use serde_json::Value;

#[test]
fn bench_times_every_threshold() {
    let folder = tempfile::tempdir().unwrap();
    let index = folder.path().join("sample.phoc");
    ok(&["index", "data-sample/formulas", "-o", text(&index)]);
    let plot = folder.path().join("trade.svg");
    let output = ok(&[
        "bench",
        text(&index),
        "--topics",
        "data-sample/topics.xml",
        "--qrels",
        "data-sample/qrels.tsv",
        "--repeat",
        "2",
        "--throughput",
        "--stream",
        "--plot",
        text(&plot),
        "--json",
    ]);
    let report = json(&output);
    let rows = report["thresholds"].as_array().unwrap();
    let parts: Vec<f64> = rows
        .iter()
        .map(|row| row["min_match"].as_f64().unwrap())
        .collect();
    assert_eq!(parts, [0.0, 0.25, 0.5, 0.75, 0.85, 0.95, 1.0]);
    for row in rows {
        let ms = |name: &str| row[name].as_f64().unwrap();
        assert!(
            ms("q1_ms") <= ms("median_ms") && ms("median_ms") <= ms("q3_ms"),
            "{row}"
        );
        assert!(
            ms("p95_ms") <= ms("p99_ms") && ms("p99_ms") <= ms("max_ms"),
            "{row}"
        );
        assert!(ms("stream_ms") > 0.0);
        assert!(ms("mean_ms") > 0.0 && row["throughput"]["ratio"].as_f64().unwrap() > 0.0);
    }
    // What eval says of a run with the same threshold, ranked again as the index has it.
    assert_eq!(report["rerank"], 300);
    let run = folder.path().join("run.tsv");
    let measured = |more: &[&str]| {
        let topics = "data-sample/topics.xml";
        let args = ["run", text(&index), "--topics", topics, "-o", text(&run)];
        ok(&[&args[..], more].concat());
        let (qrels, index) = ("data-sample/qrels.tsv", text(&index));
        let measured = ok(&[
            "eval",
            "--qrels",
            qrels,
            "--index",
            index,
            "--json",
            text(&run),
        ]);
        json(&measured)["runs"][0]["mean"]["map"].as_f64().unwrap()
    };
    let map = rows[0]["map"].as_f64().unwrap();
    assert!(map > 0.5 && map == measured(&[]), "{map}");
    assert_ne!(map, measured(&["--rerank", "0"]));
    // A picture that reads, with a point for every threshold and measure.
    let drawn = fs::read_to_string(&plot).unwrap();
    assert_eq!(drawn.matches("r=\"4\"").count(), 7 * 3 + 3);
    assert!(roxmltree::Document::parse(&drawn).is_ok());
    let bad = fails(&[
        "bench",
        text(&index),
        "--topics",
        "data-sample/topics.xml",
        "--thresholds",
        "101",
    ]);
    assert!(bad.contains("from 0 to 100"), "{bad}");
}

#[test]
fn the_plan_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let index = folder.path().join("sample.phoc");
    ok(&["index", "data-sample/formulas", "-o", text(&index)]);
    let plan = |more: &[&str]| {
        let args = [
            "search",
            text(&index),
            "x+y",
            "--explain-plan",
            "--rerank",
            "0",
        ];
        let args = [&args[..], more].concat();
        ok(&args)
    };
    assert!(plan(&[]).contains("plan: bounded"), "{}", plan(&[]));
    assert!(plan(&["--min-match", "100%"]).contains("plan: conjunctive"));
    assert!(plan(&["--min-match", "70%"]).contains("plan: bounded"));
    assert!(plan(&["-k", "1000"]).contains("plan: scan"));
    assert_eq!(json(&plan(&["--json"]))["plan"]["strategy"], "bounded");
}

#[test]
fn what_is_ranked_again_finds_renamed_formulas() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("list.txt");
    fs::write(&list, "a^2+a^2\na^2+b^2\nx^2-y\nx^2+y^2+z\n\\frac{1}{2}\n").unwrap();
    let index = folder.path().join("list.phoc");
    ok(&["index", text(&list), "--config", "best", "-o", text(&index)]);
    ok(&["verify", text(&index)]);
    let found = |more: &[&str]| {
        let args = [&["search", text(&index), "p^2+q^2", "--json"], more].concat();
        json(&ok(&args))
    };
    let again = found(&[]);
    assert_eq!(again["rerank"], 300);
    assert_eq!(again["hits"][0]["latex"], "a^2+b^2", "{again}");
    assert!(again["hits"][0]["likeness"].as_f64() > again["hits"][1]["likeness"].as_f64());
    let once = found(&["--rerank", "0"]);
    assert!(once["hits"][0].get("likeness").is_none(), "{once}");
    assert!(ok(&["search", text(&index), "p^2+q^2"]).contains("likeness"));
    // Symbols must match, pairs need not: none but + and 2 are in all.
    let all = found(&["--min-match", "100%"]);
    assert_eq!(all["hits"].as_array().unwrap().len(), 0, "{all}");
    let some = found(&["--min-match", "50%", "-k", "1"]);
    assert_eq!(some["hits"].as_array().unwrap().len(), 1, "{some}");
    // An index without layouts lays formulas out anew.
    let plain = folder.path().join("plain.phoc");
    let args = [
        "index",
        text(&list),
        "--config",
        "xy7o4",
        "-o",
        text(&plain),
    ];
    ok(&args);
    let args = ["search", text(&plain), "p^2+q^2", "--json", "--rerank", "9"];
    let anew = json(&ok(&args));
    assert_eq!(anew["hits"][0]["latex"], "a^2+b^2", "{anew}");
    let likeness = |found: &Value| found["hits"][0]["likeness"].clone();
    assert_eq!(likeness(&anew), likeness(&again));
    // Regions are counted only where the index was built for it.
    let args = ["search", text(&plain), "p", "--idf=region"];
    let told = fails(&args);
    assert!(told.contains("does not count regions"), "{told}");
}

#[test]
fn runs_are_fused_and_weights_tuned() {
    let folder = tempfile::tempdir().unwrap();
    let (topics, qrels) = ("data-sample/topics.xml", "data-sample/qrels.tsv");
    let mut runs = Vec::new();
    for config in ["xy7o4", "best"] {
        let index = folder.path().join(format!("{config}.phoc"));
        let list = "data-sample/formulas";
        ok(&["index", list, "--config", config, "-o", text(&index)]);
        let run = folder.path().join(format!("{config}.tsv"));
        ok(&["run", text(&index), "--topics", topics, "-o", text(&run)]);
        runs.push(run);
    }
    let fused = folder.path().join("fused.tsv");
    for method in ["reciprocal-rank", "min-max"] {
        let (a, b) = (text(&runs[0]), text(&runs[1]));
        ok(&["fuse", a, b, "--method", method, "-o", text(&fused)]);
        let written = fs::read_to_string(&fused).unwrap();
        let first: Vec<&str> = written.lines().next().unwrap().split('\t').collect();
        assert_eq!(first.len(), 6, "{first:?}");
        assert_ne!(first[2], "-", "posts are kept");
    }
    let bad = fails(&[
        "fuse",
        text(&runs[0]),
        "--weights",
        "1",
        "2",
        "-o",
        text(&fused),
    ]);
    assert!(bad.contains("2 weights were given for 1 runs"), "{bad}");
    let index = folder.path().join("xy7o4.phoc");
    let toml = folder.path().join("mine.toml");
    let tuned = json(&ok(&[
        "tune",
        text(&index),
        "--topics",
        topics,
        "--qrels",
        qrels,
        "--folds",
        "3",
        "-o",
        text(&toml),
        "--json",
    ]));
    let map = |which: &str| tuned[which]["map"].as_f64().unwrap();
    assert!(map("on_train") >= map("before"), "{tuned}");
    assert!(map("held_out") > 0.0);
    let again = folder.path().join("mine.phoc");
    ok(&[
        "index",
        "data-sample/formulas",
        "--config",
        text(&toml),
        "-o",
        text(&again),
    ]);
}

#[test]
fn runs_are_compared_and_scores_explained() {
    let folder = tempfile::tempdir().unwrap();
    let (topics, qrels) = ("data-sample/topics.xml", "data-sample/qrels.tsv");
    let index = folder.path().join("sample.phoc");
    ok(&["index", "data-sample/formulas", "-o", text(&index)]);
    let (run, baseline) = (
        folder.path().join("run.tsv"),
        folder.path().join("once.tsv"),
    );
    ok(&["run", text(&index), "--topics", topics, "-o", text(&run)]);
    ok(&[
        "run",
        text(&index),
        "--topics",
        topics,
        "--rerank",
        "0",
        "-o",
        text(&baseline),
    ]);
    let args = [
        "eval",
        "--qrels",
        qrels,
        "--index",
        text(&index),
        text(&run),
        "--compare",
        text(&baseline),
    ];
    let shown = ok(&args);
    assert!(
        shown.contains("against once.tsv:") && shown.contains("p (randomisation)"),
        "{shown}"
    );
    let compared = json(&ok(&[&args[..], &["--json", "--per-topic"]].concat()));
    let only = &compared["runs"][0];
    let against = &compared["baseline"];
    assert_eq!(against["run"], "once.tsv");
    assert!(against["per_topic"].is_object(), "{against}");
    let difference = &only["differences"]["map"];
    let once = [
        "eval",
        "--qrels",
        qrels,
        "--index",
        text(&index),
        text(&baseline),
        "--json",
    ];
    let map = |run: &Value| run["mean"]["map"].as_f64().unwrap();
    let expected = map(only) - map(&json(&ok(&once))["runs"][0]);
    assert_eq!(expected, map(only) - map(against));
    assert!(
        (difference["difference"].as_f64().unwrap() - expected).abs() < 1e-12,
        "{difference}"
    );
    let interval = difference["interval"].as_array().unwrap();
    assert!(interval[0].as_f64() <= difference["difference"].as_f64());
    // A run against itself differs in nothing.
    let same = [
        "eval",
        "--qrels",
        qrels,
        text(&run),
        "--compare",
        text(&run),
        "--json",
    ];
    let same = &json(&ok(&same))["runs"][0]["differences"]["ndcg"];
    assert_eq!(
        (&same["p_t"], &same["difference"]),
        (&1.0.into(), &0.0.into())
    );

    let found = json(&ok(&[
        "search",
        text(&index),
        "x^2+y^2",
        "--json",
        "--rerank",
        "0",
        "-k",
        "3",
    ]));
    for hit in found["hits"].as_array().unwrap() {
        let id = hit["id"].as_str().unwrap();
        let apart = json(&ok(&["explain", text(&index), "x^2+y^2", id, "--json"]));
        assert_eq!(apart["latex"], hit["latex"]);
        let far = apart["score"].as_f64().unwrap() - hit["score"].as_f64().unwrap();
        assert!(far.abs() < 1e-9, "{apart}");
        // Pairs count wherever they stand, and are told apart from regions.
        let levels = apart["levels"].as_array().unwrap();
        let anywhere = levels.iter().find(|level| level["part"].is_null()).unwrap();
        let pairs = apart["tokens"].as_array().unwrap().iter();
        let pairs = pairs.filter(|token| token["kind"] == "varpair");
        let adds = |share: &Value| share["contribution"].as_f64().unwrap();
        assert!((pairs.map(adds).sum::<f64>() - adds(anywhere)).abs() < 1e-9);
        let again = json(&ok(&[
            "search",
            text(&index),
            "x^2+y^2",
            "--json",
            "-k",
            "100",
        ]));
        let hits = again["hits"].as_array().unwrap();
        let same = hits.iter().find(|other| other["id"] == hit["id"]).unwrap();
        assert_eq!(apart["likeness"]["sum"], same["likeness"]);
        let score = format!("score {:.4} = ", hit["score"].as_f64().unwrap());
        assert!(ok(&["explain", text(&index), "x^2+y^2", id]).contains(&score));
    }
    // What a token weighs comes of how many formulas hold it.
    let all = json(&ok(&["info", text(&index), "--json"]))["meta"]["formulas"].clone();
    let id = found["hits"][0]["id"].as_str().unwrap();
    let rare = json(&ok(&[
        "explain",
        text(&index),
        "x^2+y^2",
        id,
        "--idf",
        "--json",
    ]));
    for token in rare["tokens"].as_array().unwrap() {
        let number = |key: &str| token[key].as_f64().unwrap();
        let idf = (all.as_f64().unwrap() / (number("formulas") + 1.0)).ln();
        assert!((number("idf") - idf.max(0.0)).abs() < 1e-9, "{token}");
        let kind = if token["kind"] == "symbol" { 1.0 } else { 8.0 };
        assert!(
            (number("weight") - kind * idf).abs() < 1e-4 * kind,
            "{token}"
        );
    }
    assert!(fails(&["explain", text(&index), "x", "none"]).contains("has no formula none"));
}
