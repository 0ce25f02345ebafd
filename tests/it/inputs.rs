//! Inputs: what is read, what is refused or skipped with a reason, and facets of what was read.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use phocus::corpus::Instance;
use phocus::index::{FacetValue, Index};
use phocus::search::Searcher;

use crate::fixtures::binary::{json, ok, run, stderr, text};
use crate::fixtures::server::Server;

fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

/// The error of what is refused, for which nothing is written.
fn refused(folder: &Path, input: &Path, more: &[&str]) -> String {
    let output = folder.join("refused.phoc");
    let args = [&["index", text(input), "-o", text(&output)][..], more].concat();
    let ended = run(&args);
    assert!(!ended.status.success(), "{}", input.display());
    assert!(!output.exists());
    stderr(&ended)
}

#[test]
fn files_that_are_no_lists_of_formulas_are_refused_by_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let list = write(at, "list.txt", "x+1\ny^2\n");
    let index = at.join("list.phoc");
    ok(&["index", text(&list), "-o", text(&index)]);
    let same = write(at, "index.txt", fs::read(&index).unwrap());
    for (input, what) in [
        (write(at, "a.pdf", "%PDF-1.7\nx\n"), "PDF"),
        (write(at, "a.txt", "%PDF-1.7\nx\n"), "PDF"),
        (index, "a phocus index"),
        (same, "a phocus index"),
        (write(at, "b.txt", b"x\0\x01y\n"), "a binary file"),
        (write(at, "p.png", b"\x89PNG\r\n\x1a\n"), "PNG"),
        (write(at, "z.txt", b"PK\x03\x04rest"), "ZIP"),
        (write(at, "u.txt", b"\xFF\xFEx\0\n\0"), "UTF-16"),
        (
            write(at, "prose.txt", "A list of things to do.\nBuy some milk.\n"),
            "text without formulas",
        ),
        (write(at, "paper.docx", "x\n"), "an office document"),
        (write(at, "tool.py", "import x\n"), "program text"),
    ] {
        let message = refused(at, &input, &[]);
        assert!(
            message.contains(&format!("it seems to be {what}; ")),
            "{message}"
        );
        assert!(message.contains(text(&input)), "{message}");
    }
    // A name is overruled, bytes are not.
    let lines = write(at, "lines.py", "x+1\n");
    ok(&[
        "index",
        text(&lines),
        "-o",
        text(&at.join("l.phoc")),
        "--format",
        "text",
    ]);
    assert!(refused(at, &at.join("a.pdf"), &["--format", "text"]).contains("PDF"));
}

#[test]
fn a_folder_tells_what_it_has_besides() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "1.txt", "x+1\n");
    write(at, "2.txt", "%PDF-1.7\n");
    for name in ["a.pdf", "b.PDF", "c.png", "notes.org", "data.xyz"] {
        write(at, name, "x\n");
    }
    write(at, "package.json", "{\"name\": \"x\"}");
    write(at, "people.csv", "name,age\nAda,36\n");
    write(at, "todo.txt", "A list of things to do.\nBuy some milk.\n");
    write(at, "figure.svg", "<svg/>");
    fs::create_dir(at.join("more")).unwrap();
    write(&at.join("more"), "notes.md", "So $x^2$.\n");
    let outside = tempfile::tempdir().unwrap();
    let secret = write(outside.path(), "secret.md", "$s$\n");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&secret, at.join("link.md")).unwrap();
    let index = at.join("own.phoc");
    let built = || ok(&["index", text(at), "-o", text(&index)]);
    let shown = built();
    let counts = "1 .xyz file, 1 Org file, 3 PDF, 1 PNG, 1 JSON without formulas, \
        1 CSV without formulas, 1 text without formulas, 1 SVG drawing, 1 link out of the folder";
    assert!(shown.contains("indexed              2\n"), "{shown}");
    let skipped = shown.lines().find(|line| line.contains("skipped")).unwrap();
    for count in counts.split(", ") {
        assert!(skipped.contains(count), "{skipped}");
    }
    let first = fs::read(&index).unwrap();
    // The index within the folder is not read.
    assert!(built().contains("1 phocus index"));
    assert!(fs::read(&index).unwrap() == first);
    let summary = json(&ok(&["index", text(at), "-o", text(&index), "--json"]));
    assert_eq!(summary["skipped"]["PDF"], 3);
    assert_eq!(summary["skipped_files"].as_array().unwrap().len(), 13);
    let none = tempfile::tempdir().unwrap();
    write(none.path(), "a.pdf", "x");
    let message = refused(at, none.path(), &[]);
    assert!(message.contains("it holds 1 PDF"), "{message}");
}

#[test]
fn csv_and_arrays_of_json_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let array =
        "[\n{\"id\": \"a\", \"latex\": \"x^2\", \"n\": 1},\n{\"id\": \"b\", \"latex\": \"y+1\"}\n]";
    for (name, content) in [
        ("a.csv", "id,latex,n\na,x^2,1\nb,\"y+1\",\n"),
        ("b.csv", "n;id;latex\n1;a;x^2\n;b;y+1\n"),
        ("c.json", array),
        ("plain", array),
        ("table", "id,latex,n\na,x^2,1\nb,y+1,\n"),
        ("comma.txt", "id,latex,n\na,x^2,1\nb,y+1,\n"),
        ("tabs.txt", "id\tlatex\tn\na\tx^2\t1\nb\ty+1\t\n"),
        ("array.txt", array),
        (
            "lines.json",
            "{\"id\": \"a\", \"latex\": \"x^2\", \"n\": 1}\n{\"id\": \"b\", \"latex\": \"y+1\"}\n",
        ),
    ] {
        let index = at.join("x.phoc");
        ok(&["index", text(&write(at, name, content)), "-o", text(&index)]);
        let index = Index::open(&index).unwrap();
        assert_eq!(index.formulas(), 2, "{name}");
        let first = index.entry(index.find("a").unwrap().unwrap()).unwrap();
        assert_eq!(
            (first.latex.as_str(), first.first.field("n")),
            ("x^2", Some("1")),
            "{name}"
        );
    }
    let texts = write(at, "texts.json", "[\"x^2\", \"y+1\",\n 7]");
    let rejects = at.join("rejects.tsv");
    let index = at.join("t.phoc");
    ok(&[
        "index",
        text(&texts),
        "-o",
        text(&index),
        "--rejects",
        text(&rejects),
    ]);
    assert_eq!(Index::open(&index).unwrap().formulas(), 2);
    let rejected = fs::read_to_string(&rejects).unwrap();
    assert!(
        rejected.contains("texts.json:2") && rejected.contains("JSON object"),
        "{rejected}"
    );
    let message = refused(at, &write(at, "h.csv", "name,value\na,b\n"), &[]);
    assert!(message.contains("expected a header"), "{message}");
}

#[test]
fn a_file_that_is_mostly_rejected_is_told_loudly() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "1.tsv", "id\tlatex\n1\tx\n2\ty\n3\tz\nonly\n");
    let bad = write(
        at,
        "2.jsonl",
        "{\"latex\": \"x\"}\nprose\nmore\nand more\nagain\n",
    );
    let index = at.join("x.phoc");
    let shown = ok(&["index", text(at), "-o", text(&index)]);
    assert!(
        shown.contains("2.jsonl may not be what it was taken for: 4 of its 5 formulas or lines"),
        "{shown}"
    );
    assert!(
        shown.contains("line 2: ") && shown.contains("phocus reads documents, TSV"),
        "{shown}"
    );
    assert!(!shown.contains("1.tsv may"), "{shown}");
    let summary = json(&ok(&["index", text(at), "-o", text(&index), "--json"]));
    let told = summary["mostly_rejected"].as_array().unwrap();
    assert_eq!((told.len(), &told[0]["rejected"]), (1, &4.into()));
    assert_eq!(told[0]["reasons"].as_array().unwrap().len(), 3);
    fs::write(&bad, "prose\nmore\n").unwrap();
    let message = refused(at, &bad, &[]);
    assert!(
        message.contains("line 1: ") && message.contains("phocus reads documents, TSV"),
        "{message}"
    );
}

#[test]
fn facets_count_formulas() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let mut rows = String::from("id\tlatex\ttype\tSource\n");
    for n in 0..400 {
        let kind = ["title", "question", "answer", ""][n % 4];
        let source = ["wiki", "arxiv", "wiki"][n % 3];
        rows += &format!("{n}\tx_{{{}}}\t{kind}\t{source}\n", n % 70);
    }
    let list = write(at, "list.tsv", rows);
    let path = at.join("list.phoc");
    ok(&["index", text(&list), "-o", text(&path)]);
    let index = Index::open(&path).unwrap();
    index.verify().unwrap();
    let facets = index.meta().facets.clone();
    let all: Vec<_> = index.all_instances().map(Result::unwrap).collect();
    let is_of = |value: &FacetValue, of: fn(&Instance) -> Option<&str>| {
        let has = |instances: &Vec<Instance>| instances.iter().any(|i| of(i) == Some(&value.value));
        all.iter().filter(|(_, instances)| has(instances)).count() as u64
    };
    let (kinds, sources) = (facets.kinds.unwrap(), facets.sources.unwrap());
    assert_eq!((kinds.len(), sources.len()), (3, 2));
    for kind in &kinds {
        assert_eq!(
            kind.formulas,
            is_of(kind, |instance| instance.kind.as_deref())
        );
    }
    for source in &sources {
        assert_eq!(source.formulas, is_of(source, Instance::source));
    }
    assert!(sources.is_sorted_by(|a, b| a.formulas >= b.formulas));
    // What a search filters by is the same.
    let searcher = Searcher::new(index);
    let searched = searcher.facets().unwrap();
    for (stored, searched) in [(&kinds, searched.kinds()), (&sources, searched.sources())] {
        let stored: BTreeMap<&str, u64> =
            stored.iter().map(|v| (&v.value[..], v.formulas)).collect();
        let searched = searched.iter().map(|v| (&v.value[..], v.formulas));
        assert_eq!(stored, searched.collect());
    }
    let shown = ok(&["info", text(&path)]);
    assert!(
        shown.contains("sources") && shown.contains("wiki 70"),
        "{shown}"
    );
    let server = Server::start(&[text(&path)]);
    let served = server.get("/api/indexes", &[]).json();
    let values = &served["indexes"][0]["facets"]["source"];
    assert_eq!(values[0]["formulas"], 70);
    assert_eq!(values.as_array().unwrap().len(), 2);
}
