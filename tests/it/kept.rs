//! What inputs say of a formula under names of their own: kept in the index, and shown.

use std::fs;
use std::path::{Path, PathBuf};

use phocus::corpus::{Inputs, Instance};
use phocus::index::{Index, IndexBuilder};
use phocus::phoc::PhocConfig;

use crate::fixtures::binary::{json, ok, run, stderr, text};
use crate::fixtures::server::Server;

/// A table and lines of JSON, with columns that phocus has a name for and others.
fn inputs(folder: &Path) -> Vec<PathBuf> {
    let table = folder.join("1.tsv");
    let rows = [
        "title\tid\tlatex\tsource\ttype\tpages",
        "Squares\ta1\tx^2\twiki\ttitle\t12",
        "\ta2\tx^2\tarxiv\tanswer\t",
        "\"a\tb\"\ta3\ty+1\twiki\t\t3",
    ];
    fs::write(&table, rows.join("\n")).unwrap();
    let lines = folder.join("2.jsonl");
    let objects = [
        r#"{"score": 0.50, "id": "b1", "latex": "x^2", "tags": ["p", "q r"], "source": "mse"}"#,
        r#"{"id": "b2", "latex": "z_3", "ok": false, "none": null}"#,
    ];
    fs::write(&lines, objects.join("\n")).unwrap();
    vec![table, lines]
}

fn build(folder: &Path, threads: usize) -> Index {
    let path = folder.join(format!("{threads}.phoc"));
    let mut builder = IndexBuilder::new(PhocConfig::default()).threads(threads);
    builder
        .add_all(Inputs::new(&inputs(folder), None).unwrap())
        .unwrap();
    let summary = builder.finish(&path).unwrap();
    let names = ["title", "source", "pages", "score", "tags", "ok"];
    assert_eq!(summary.fields, names);
    Index::open(&path).unwrap()
}

fn fields(instance: &Instance) -> Vec<(&str, &str)> {
    let fields = instance.fields.iter();
    fields
        .map(|(name, value)| (&name[..], &value[..]))
        .collect()
}

#[test]
fn columns_without_a_name_of_ours_are_kept_with_each_occurrence() {
    let folder = tempfile::tempdir().unwrap();
    let index = build(folder.path(), 1);
    index.verify().unwrap();
    let formula = index.find("a1").unwrap().unwrap();
    let instances = index.instances(formula).unwrap();
    let expected: [&[(&str, &str)]; 3] = [
        &[("title", "Squares"), ("source", "wiki"), ("pages", "12")],
        &[("source", "arxiv")],
        &[
            ("score", "0.50"),
            ("tags", r#"["p","q r"]"#),
            ("source", "mse"),
        ],
    ];
    assert_eq!(instances.iter().map(fields).collect::<Vec<_>>(), expected);
    assert_eq!(index.entry(formula).unwrap().first, instances[0]);
    let other = index.entry(index.find("a3").unwrap().unwrap()).unwrap();
    assert_eq!(other.first.field("title"), Some("a\tb"));
    let again = build(folder.path(), 4);
    assert!(
        again.as_bytes() == index.as_bytes(),
        "any number of threads"
    );
}

#[test]
fn what_is_kept_is_in_json() {
    let folder = tempfile::tempdir().unwrap();
    let index = build(folder.path(), 1);
    let found = ok(&["search", text(index.path()), "x^2", "-k1", "--json"]);
    let first = &json(&found)["hits"][0]["first"];
    assert_eq!(first["fields"]["title"], "Squares");
    assert_eq!(first["fields"]["pages"], "12");
    assert_eq!(first["fields"]["source"], "wiki");
    assert_eq!(first["fields"].as_object().unwrap().len(), 3);
}

#[test]
fn values_that_are_too_long_are_told_and_their_formulas_indexed() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("t.tsv");
    let long = "w".repeat(5000);
    fs::write(
        &table,
        format!("id\tlatex\ttext\n1\tx\t{long}\n2\ty\tshort\n"),
    )
    .unwrap();
    let path = folder.path().join("t.phoc");
    let shown = ok(&["index", text(&table), "-o", text(&path)]);
    assert!(shown.contains("kept      text"), "{shown}");
    assert!(shown.contains("not kept (1 of text)"), "{shown}");
    let index = Index::open(&path).unwrap();
    assert_eq!(index.formulas(), 2);
    let first = |id: &str| index.entry(index.find(id).unwrap().unwrap()).unwrap().first;
    assert_eq!(
        (first("1").field("text"), first("2").field("text")),
        (None, Some("short"))
    );
}

#[test]
fn occurrences_are_listed_page_by_page() {
    let folder = tempfile::tempdir().unwrap();
    let index = build(folder.path(), 1);
    let index = text(index.path());
    let shown = ok(&["instances", index, "a1"]);
    let lines: Vec<Vec<&str>> = (shown.lines())
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(lines[0], ["a1", "x^2"]);
    assert_eq!(lines[1], ["occurs", "3", "times"]);
    assert_eq!(
        lines[3],
        ["id", "type", "title", "source", "pages", "score", "tags"]
    );
    assert_eq!(lines[4], ["a1", "title", "Squares", "wiki", "12"]);
    assert_eq!(lines[6], ["b1", "mse", "0.50", "[\"p\",\"q", "r\"]"]);
    let part = ok(&["instances", index, "a1", "--from", "1", "-k", "1"]);
    assert!(
        part.contains("2 to 2 are") && part.contains("--from 2 shows"),
        "{part}"
    );
    assert!(
        part.contains("arxiv") && !part.contains("Squares"),
        "{part}"
    );
    // The id of an occurrence that is not the first leads to the same formula.
    let listed = json(&ok(&["instances", index, "b1", "--json", "-k", "2"]));
    assert_eq!((&listed["id"], &listed["total"]), (&"a1".into(), &3.into()));
    assert_eq!(listed["instances"][1]["fields"]["source"], "arxiv");
    assert_eq!(listed["instances"].as_array().unwrap().len(), 2);
    let unknown = run(&["instances", index, "no-such"]);
    let message = stderr(&unknown);
    assert!(!unknown.status.success() && unknown.stdout.is_empty());
    assert!(
        message.starts_with("error: there is no formula no-such"),
        "{message}"
    );
}

#[test]
fn addresses_come_from_a_template_or_a_column_and_are_never_guessed() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("t.tsv");
    let rows = [
        "id\tpost_id\tlatex\turl\tpage",
        "1\t77\tx^2\thttps://a.org/1\tA b",
        "2\t\ty+1\tjavascript:alert(1)\t",
    ];
    fs::write(&table, rows.join("\n")).unwrap();
    let at = |name: &str| folder.path().join(name);
    let urls = |index: &Path, ids: &[&str]| -> Vec<serde_json::Value> {
        let listed = |id| json(&ok(&["instances", text(index), id, "--json"]));
        ids.iter()
            .map(|id| listed(id)["instances"][0]["url"].clone())
            .collect()
    };
    let null = serde_json::Value::Null;
    ok(&["index", text(&table), "-o", text(&at("plain.phoc"))]);
    assert_eq!(
        urls(&at("plain.phoc"), &["1", "2"]),
        ["https://a.org/1".into(), null.clone()]
    );
    let link = "https://q.org/{page}?p={post}";
    let linked = at("linked.phoc");
    ok(&["index", text(&table), "-o", text(&linked), "--link", link]);
    let made = "https://q.org/A%20b?p=77";
    assert_eq!(urls(&linked, &["1", "2"]), [made.into(), null.clone()]);
    let found = json(&ok(&["search", text(&linked), "x^2", "-k1", "--json"]));
    assert_eq!(found["hits"][0]["first"]["url"], made);
    let odd = run(&[
        "index",
        text(&table),
        "-o",
        text(&at("x.phoc")),
        "--link",
        "ftp://{id}",
    ]);
    assert_eq!(odd.status.code(), Some(2));
    assert!(
        stderr(&odd).contains("has to begin with https://"),
        "{}",
        stderr(&odd)
    );
    let told = ok(&[
        "index",
        text(&table),
        "-o",
        text(&at("n.phoc")),
        "--link",
        "http://a/{no}",
    ]);
    assert!(told.contains("no formula has an address"), "{told}");
    let named = format!("l={}", text(&linked));
    let plain = format!("p={}", text(&at("plain.phoc")));
    let all = "http://all.org/{id}";
    let server = Server::start(&[
        &named,
        &plain,
        "--link",
        all,
        "--link",
        "l=http://l.org/{page}",
    ]);
    let url = |index: &str, id: &str| {
        let answer = server
            .get("/api/instances", &[("index", index), ("id", id)])
            .json();
        answer["instances"][0]["url"].clone()
    };
    assert_eq!(url("l", "1"), "http://l.org/A%20b");
    assert_eq!(url("l", "2"), null);
    assert_eq!(url("p", "2"), "http://all.org/2");
    let unknown = run(&["serve", &named, "--link", "http://a/{no}"]);
    assert!(
        stderr(&unknown).contains("which l does not keep; it has id"),
        "{}",
        stderr(&unknown)
    );
    let unknown = run(&["serve", &named, "--link", "x=http://a/{id}"]);
    assert!(
        stderr(&unknown).contains("for the index x, and there is l"),
        "{}",
        stderr(&unknown)
    );
}
