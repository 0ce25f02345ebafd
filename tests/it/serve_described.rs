//! The description of the interface for programs, held against the server.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::fixtures::binary::{ok, text};
use crate::fixtures::server::Server;

/// Each parameter that is described is taken, and each that is taken is described.
#[test]
fn parameters_are_those_described() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("list.tsv");
    let rows = "1\tx+y\tquestion\tarXiv\n2\tx-y\tanswer\tarXiv\n";
    std::fs::write(&list, format!("id\tlatex\ttype\tsource\n{rows}")).unwrap();
    let index = folder.path().join("list.phoc");
    // Questions are answered with texts.
    let notes = folder.path().join("notes.md");
    std::fs::write(&notes, "# Series\nWhy it diverges: $\\sum 1/n$.\n").unwrap();
    ok(&["index", text(&list), text(&notes), "-o", text(&index)]);
    let server = Server::start(&[text(&index), "--quiet", "--max-k", "7"]);
    let described = server.get("/api/openapi.json", &[]).json();
    let mut names = BTreeSet::new();
    for (path, methods) in described["paths"].as_object().unwrap() {
        let all = methods["get"]["parameters"].as_array().unwrap();
        let value = |parameter: &Value| {
            let schema = &parameter["schema"];
            let told = [
                &parameter["example"],
                &schema["default"],
                &schema["enum"][0],
            ];
            let told = told.into_iter().find(|value| !value.is_null()).unwrap();
            told.as_str()
                .map_or_else(|| told.to_string(), str::to_owned)
        };
        let is_required = |parameter: &&Value| parameter["required"] == true;
        let pair = |parameter: &Value| {
            let name = parameter["name"].as_str().unwrap().to_owned();
            let value = if name == "id" {
                "1".to_owned()
            } else {
                value(parameter)
            };
            (name, value)
        };
        let required: Vec<_> = all.iter().filter(is_required).map(pair).collect();
        for parameter in all {
            let mut asked = required.clone();
            if !is_required(&parameter) {
                asked.push(pair(parameter));
            }
            let asked: Vec<_> = asked
                .iter()
                .map(|(a, b)| (a.as_str(), b.as_str()))
                .collect();
            let answer = server.get(path, &asked);
            assert_eq!(answer.status, 200, "{path} {asked:?}: {}", answer.body);
            let name = parameter["name"].as_str().unwrap();
            names.insert(name.to_owned());
            // What is over a limit of this server is refused.
            let most = parameter["schema"]["maximum"].as_u64();
            if let Some(most) = most.filter(|most| *most < 10) {
                let over = (most + 1).to_string();
                let mut asked = asked.clone();
                asked.retain(|(asked, _)| *asked != name);
                asked.push((name, &over));
                assert_eq!(server.get(path, &asked).status, 400, "{path} {asked:?}");
            }
        }
    }
    let refused = server.get("/api/search", &[("nothing", "1")]).json();
    let taken = refused["error"]
        .as_str()
        .unwrap()
        .split("expected one of")
        .nth(1)
        .unwrap();
    let taken = taken
        .split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect();
    assert_eq!(names, taken);
}
