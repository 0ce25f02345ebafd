//! Searching with the program: what it finds, its plan, and scores taken apart.

use std::fs;

use serde_json::Value;

use crate::fixtures::binary::{fails, finds_nothing, json, ok, run, stderr, stdout, text};
use crate::fixtures::sample::{TOPICS, sample_index};
use phocus::search::{Request, Searcher};

#[test]
fn search_tells_what_it_found_and_why_not() {
    let index = sample_index("best");
    let index = text(&index);
    let found = ok(&["search", index, "a^2+b^2=c^2", "-k", "3"]);
    let lines: Vec<&str> = found.lines().collect();
    assert_eq!(lines.len(), 4, "{found}");
    assert!(lines[1].contains("a^2+b^2=c^2"), "{found}");
    let args = ["search", index, "a^2+b^2=c^2", "--json", "--idf"];
    let found = json(&ok(&[&args[..], &["--min-match", "75%"]].concat()));
    assert_eq!(found["hits"][0]["latex"], "a^2+b^2=c^2");
    assert_eq!(found["idf"], true);
    assert_eq!(found["min_match"], 0.75);
    let all = ["--min-match", "100%"];
    let nothing =
        |latex: &str, more: &[&str]| finds_nothing(&[&["search", index, latex], more].concat());
    assert!(nothing("日", &[]).contains("none of the"));
    assert!(nothing("日", &[]).contains("phocus info"));
    assert!(nothing("a日", &all).contains("no formula holds 日"));
    assert!(nothing("a日", &all).contains("leave 日 out"));
    let scattered = nothing(r"\aleph\hbar\Re\oint\sqrt[7]{Z}", &all);
    assert!(scattered.contains("Try a lower --min-match"), "{scattered}");
    assert!(nothing("a", &["-k", "0"]).contains("-k is 0"));
    assert!(nothing("a", &["--from", "100000"]).contains("--from passes over"));
    let minus = ok(&["search", index, "-x"]);
    assert!(minus.contains("rank"), "a formula may begin with a minus");
    let message = fails(&["search", index, r"\def\x{\x}\x"]);
    assert!(message.contains("cannot read the formula"), "{message}");
    assert!(fails(&["search", index, ""]).contains("nothing to draw"));
    assert!(fails(&["search", "no-such.phoc", "x"]).contains("no-such.phoc"));
}

#[test]
fn the_plan_is_shown() {
    let index = sample_index("best");
    let plan = |more: &[&str]| {
        let args = ["search", text(&index), "x+y", "--explain-plan"];
        ok(&[&args[..], &["--rerank", "0"], more].concat())
    };
    assert!(plan(&[]).contains("plan: bounded"), "{}", plan(&[]));
    assert!(plan(&["--min-match", "100%"]).contains("plan: conjunctive"));
    assert!(plan(&["--min-match", "70%"]).contains("plan: bounded"));
    assert!(plan(&["-k", "1000"]).contains("plan: scan"));
    assert_eq!(json(&plan(&["--json"]))["plan"]["strategy"], "bounded");
}

#[test]
fn re_ranking_finds_renamed_formulas() {
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
    let reranked = found(&[]);
    assert_eq!(reranked["rerank"], 300);
    assert_eq!(reranked["hits"][0]["latex"], "a^2+b^2", "{reranked}");
    let likeness = |found: &Value, at: usize| found["hits"][at]["likeness"].as_f64();
    assert!(likeness(&reranked, 0) > likeness(&reranked, 1));
    let once = found(&["--rerank", "0"]);
    assert!(once["hits"][0].get("likeness").is_none(), "{once}");
    assert!(ok(&["search", text(&index), "p^2+q^2"]).contains("likeness"));
    // Symbols must match, pairs need not: none but + and 2 are in all.
    let args = ["search", text(&index), "p^2+q^2", "--json", "--min-match"];
    let all = run(&[&args[..], &["100%"]].concat());
    assert_eq!(all.status.code(), Some(1));
    let all = json(&stdout(&all));
    assert_eq!(all["hits"].as_array().unwrap().len(), 0, "{all}");
    let some = found(&["--min-match", "50%", "-k", "1"]);
    assert_eq!(some["hits"].as_array().unwrap().len(), 1, "{some}");
    // An index without layouts lays formulas out anew.
    let plain = folder.path().join("plain.phoc");
    let args = ["index", text(&list), "--config", "xy7o4"];
    ok(&[&args[..], &["-o", text(&plain)]].concat());
    let args = ["search", text(&plain), "p^2+q^2", "--json", "--rerank", "9"];
    let anew = json(&ok(&args));
    assert_eq!(anew["hits"][0]["latex"], "a^2+b^2", "{anew}");
    assert_eq!(likeness(&anew, 0), likeness(&reranked, 0));
    // Regions are counted only where the index was built for it.
    let told = fails(&["search", text(&plain), "p", "--idf=region"]);
    assert!(told.contains("does not count regions"), "{told}");
}

#[test]
fn scores_are_explained() {
    let index = sample_index("best");
    let query = "x^2+y^2";
    let search = |more: &[&str]| {
        let args = [&["search", text(&index), query, "--json"], more].concat();
        json(&ok(&args))["hits"].as_array().unwrap().clone()
    };
    let reranked = search(&["-k", "100"]);
    let hits = search(&["--rerank", "0", "-k", "3"]);
    assert_eq!(hits.len(), 3);
    for hit in hits {
        let id = hit["id"].as_str().unwrap();
        let apart = json(&ok(&["explain", text(&index), query, id, "--json"]));
        assert_eq!(apart["latex"], hit["latex"]);
        let score = hit["score"].as_f64().unwrap();
        let far = apart["score"].as_f64().unwrap() - score;
        assert!(far.abs() < 1e-9, "{apart}");
        // Pairs count wherever they stand, and are told apart from regions.
        let levels = apart["levels"].as_array().unwrap();
        let anywhere = levels.iter().find(|level| level["part"].is_null()).unwrap();
        let pairs = apart["tokens"].as_array().unwrap().iter();
        let pairs = pairs.filter(|token| token["kind"] == "varpair");
        let adds = |share: &Value| share["contribution"].as_f64().unwrap();
        assert!((pairs.map(adds).sum::<f64>() - adds(anywhere)).abs() < 1e-9);
        let same = reranked.iter().find(|other| other["id"] == hit["id"]);
        assert_eq!(apart["likeness"]["sum"], same.unwrap()["likeness"]);
        let shown = ok(&["explain", text(&index), query, id]);
        assert!(shown.contains(&format!("score {score:.4} = ")), "{shown}");
    }
    assert!(fails(&["explain", text(&index), "x", "none"]).contains("has no formula none"));
}

/// What a token weighs comes of how many formulas hold it.
#[test]
fn rare_tokens_weigh_more() {
    let index = sample_index("best");
    let info = json(&ok(&["info", text(&index), "--json"]));
    let all = info["meta"]["formulas"].as_f64().unwrap();
    let found = json(&ok(&["search", text(&index), "x^2+y^2", "--json"]));
    let id = found["hits"][0]["id"].as_str().unwrap();
    let args = ["explain", text(&index), "x^2+y^2", id, "--idf", "--json"];
    let rare = json(&ok(&args));
    for token in rare["tokens"].as_array().unwrap() {
        let number = |key: &str| token[key].as_f64().unwrap();
        let idf = (all / (number("formulas") + 1.0)).ln();
        assert!((number("idf") - idf.max(0.0)).abs() < 1e-9, "{token}");
        let kind = if token["kind"] == "symbol" { 1.0 } else { 8.0 };
        let far = number("weight") - kind * idf;
        assert!(far.abs() < 1e-4 * kind, "{token}");
    }
}

/// LaTeX that was repaired is not passed over in silence, and what was typed whole says nothing.
#[test]
fn search_says_how_the_formula_was_read() {
    let index = sample_index("best");
    let noted = |latex: &str| stderr(&run(&["search", text(&index), latex]));
    assert_eq!(noted("x^2"), "");
    assert_eq!(
        noted(r"\frac{a}{b"),
        "note: The formula is unfinished: read as \\frac{a}{b}\n"
    );
    let unknown = noted(r"\nobody+1");
    assert!(unknown.contains(r"Unknown command \nobody: "), "{unknown}");
}

#[test]
fn what_is_no_index_is_named_with_a_way_out() {
    let folder = fails(&["search", "data-sample/formulas", "x"]);
    assert!(folder.contains("found a folder") && folder.contains("phocus index"));
    let swapped = fails(&["search", "x^2", "sample.phoc"]);
    assert!(swapped.contains("name an index file first"), "{swapped}");
    let output = fails(&["index", "data-sample/formulas", "-o", "-"]);
    assert!(output.contains("is not a plain file"), "{output}");
}

/// The column that orders the rows comes first; `--full` says where each formula occurs, and
/// LaTeX is whole where the output is no terminal.
#[test]
fn the_table_is_ordered_by_its_first_column_and_whole() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("list.tsv");
    let long = vec!["x_{1}"; 300].join("+");
    let rows = format!(
        "id\tpost_id\ttype\tsource\turl\tlatex\n1\t7\tanswer\tarXiv\thttps://example.org/a\t{long}\n2\t\t\t\t\tx_{{2}}\n"
    );
    fs::write(&list, rows).unwrap();
    let index = folder.path().join("list.phoc");
    ok(&["index", text(&list), "-o", text(&index)]);
    let table = |more: &[&str]| ok(&[&["search", text(&index), "x_{1}"][..], more].concat());
    let ordered = |found: &str, first: &str, second: &str| {
        let header: Vec<&str> = found.lines().next().unwrap().split_whitespace().collect();
        assert_eq!(header[..3], ["rank", first, second], "{found}");
        let value = |line: &str| {
            line.split_whitespace()
                .nth(1)
                .unwrap()
                .parse::<f64>()
                .unwrap()
        };
        let values: Vec<f64> = found.lines().skip(1).map(value).collect();
        assert!(values.len() == 2 && values[0] > values[1], "{found}");
    };
    ordered(&table(&[]), "likeness", "score");
    ordered(&table(&["--rerank", "0"]), "score", "id");
    assert!(table(&[]).contains(&long));
    let full = table(&["--full"]);
    assert!(full.contains(&long));
    for line in [
        "first as 1, post 7, answer",
        "source: arXiv",
        "url: https://example.org/a",
    ] {
        let count = full.lines().filter(|found| found.trim() == line).count();
        assert_eq!(count, 1, "{line}: {full}");
    }
}

/// The time of the search alone leaves out the layout and the reading of entries, and all parts
/// are within the whole.
#[test]
fn the_times_of_a_run_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let index = sample_index("best");
    let run = folder.path().join("run.tsv");
    let args = ["run", text(&index), "--topics", TOPICS, "-o", text(&run)];
    let json_of = |more: &[&str]| json(&ok(&[&args[..], &["--json"], more].concat()));
    let report = json_of(&["--threads", "1"]);
    let ms = |name: &str| report[name].as_f64().unwrap();
    let parts = ["mean_ms", "layout_mean_ms", "entries_mean_ms"].map(ms);
    assert!(parts.iter().all(|part| *part > 0.0), "{report}");
    assert!(
        parts.iter().sum::<f64>() * 20.0 <= ms("answering_ms"),
        "{report}"
    );
    assert!(ms("writing_ms") > 0.0, "{report}");
    let said = ok(&args);
    for part in [
        "search alone, a topic: mean",
        "to lay it out",
        "to write the run",
    ] {
        assert!(said.contains(part), "{said}");
    }
    let searcher = Searcher::open(&index).unwrap();
    let request = Request::latex("x^2+y^2").distinct(true);
    let response = searcher.search(&request).unwrap();
    let times = response.times;
    assert_eq!(times.layout + times.search + times.entries, response.took);
    assert!(times.search < response.took);
}
