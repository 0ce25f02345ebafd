//! Runs over the sample, for tests that compare them.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use crate::binary::{json, ok, text};

pub(crate) const TOPICS: &str = "data-sample/topics.xml";
pub(crate) const QRELS: &str = "data-sample/qrels.tsv";

/// An index of the sample and two runs of its topics, and a third that lacks a topic and
/// names what the index does not have.
pub(crate) struct Sample {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) index: PathBuf,
    pub(crate) runs: Vec<PathBuf>,
}

pub(crate) fn sample() -> Sample {
    let folder = tempfile::tempdir().unwrap();
    let index = folder.path().join("best.phoc");
    ok(&["index", "data-sample/formulas", "-o", text(&index)]);
    let path = |name: &str| folder.path().join(name);
    let runs = vec![path("xy7o4.tsv"), path("best.tsv"), path("odd & <b>.tsv")];
    let papers = path("xy7o4.phoc");
    ok(&[
        "index",
        "data-sample/formulas",
        "--config",
        "xy7o4",
        "-o",
        text(&papers),
    ]);
    for (index, to) in [&papers, &index].iter().zip(&runs) {
        ok(&["run", text(index), "--topics", TOPICS, "-o", text(to)]);
    }
    let best = fs::read_to_string(&runs[1]).unwrap();
    let first = best.split('\t').next().unwrap();
    let mut odd: Vec<String> = best
        .lines()
        .filter(|line| !line.starts_with(&format!("{first}\t")))
        .map(str::to_owned)
        .collect();
    let second = odd[0].split('\t').next().unwrap();
    odd.insert(0, format!("{second}\tnowhere<i>\t-\t1\t99\todd"));
    fs::write(&runs[2], odd.join("\n")).unwrap();
    Sample {
        folder,
        index,
        runs,
    }
}

impl Sample {
    /// The command that compares runs, but for these and for where the page goes.
    pub(crate) fn command(&self) -> [&str; 7] {
        let index = text(&self.index);
        [
            "compare", "--qrels", QRELS, "--topics", TOPICS, "--index", index,
        ]
    }

    pub(crate) fn compared(&self, more: &[&str]) -> (PathBuf, String) {
        let page = self.folder.path().join("report.html");
        ok(&[&self.command()[..], &["-o", text(&page)], more].concat());
        let written = fs::read_to_string(&page).unwrap();
        (page, written)
    }

    pub(crate) fn all(&self) -> Vec<&str> {
        self.runs.iter().map(|run| text(run)).collect()
    }

    /// What eval says of every topic: run, topic, MAP'.
    pub(crate) fn average_precisions(&self, runs: &[&str]) -> HashMap<(String, String), f64> {
        let mut args = vec!["eval", "--qrels", QRELS, "--index", text(&self.index)];
        args.extend(runs);
        args.extend(["--per-topic", "--json"]);
        let evaluated = json(&ok(&args));
        let mut found = HashMap::new();
        for run in evaluated["runs"].as_array().unwrap() {
            for (topic, measures) in run["per_topic"].as_object().unwrap() {
                let name = run["run"].as_str().unwrap().to_owned();
                let map = measures["map"].as_f64().unwrap();
                found.insert((name, topic.clone()), map);
            }
        }
        found
    }
}
