//! A server whose index files are replaced, written to, cut and removed.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use phocus::index::{Index, section_ranges};
use serde_json::{Value, json};

use crate::fixtures::binary::ok;
use crate::fixtures::sample::sample_index;
use crate::fixtures::server::{Server, index_of};
use crate::fixtures::wait::until;

/// Two indexes whose answers differ, and the path of a copy of the first, which is served.
struct Files {
    folder: tempfile::TempDir,
    first: PathBuf,
    second: PathBuf,
    served: PathBuf,
}

impl Files {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let of = |name: &str, formulas: &[(&str, &str)]| {
            let folder = folder.path().join(name);
            fs::create_dir(&folder).unwrap();
            index_of(&folder, formulas)
        };
        let first = of("first", &[("1", "x^2+y"), ("2", "x^2"), ("3", "z")]);
        let second = of("second", &[("7", "x^3"), ("8", r"\frac{x^2}{a}")]);
        let served = folder.path().join("served.phoc");
        fs::copy(&first, &served).unwrap();
        Files {
            folder,
            first,
            second,
            served,
        }
    }

    fn serve(&self, options: &[&str]) -> Server {
        let mut arguments = vec![self.served.to_str().unwrap(), "--quiet"];
        arguments.extend(options);
        Server::start(&arguments)
    }

    /// Replaces the served file as a whole.
    fn replace(&self, by: &Path) {
        let copy = self.folder.path().join("copy");
        fs::copy(by, &copy).unwrap();
        fs::rename(&copy, &self.served).unwrap();
    }

    /// Writes to the very file that is served.
    fn overwrite(&self, by: &Path) {
        fs::write(&self.served, fs::read(by).unwrap()).unwrap();
    }
}

/// The sample's index with some bytes of a section changed, of those that are not read when it is
/// opened: what is near the ends of a section may be.
fn damaged_sample(section: &str, part: fn(usize, usize) -> Range<usize>) -> Vec<u8> {
    let sample = sample_index("best");
    let names = Index::open(&sample).unwrap().section_sizes();
    let at = names.iter().position(|(name, _)| name == section);
    let mut bytes = fs::read(&sample).unwrap();
    let Range { start, end } = section_ranges(&bytes)[at.unwrap()];
    let near = 1 << 14;
    bytes[part(start + near, end - near)].fill(7);
    bytes
}

fn status(server: &Server) -> u16 {
    server.get("/healthz", &[]).status
}

fn generation(server: &Server) -> u64 {
    let indexes = server.get("/api/indexes", &[]).json();
    indexes["indexes"][0]["generation"].as_u64().unwrap()
}

fn search(server: &Server) -> (u16, Value) {
    let answer = server.get("/api/search", &[("q", "x^2")]);
    (answer.status, answer.json())
}

/// What was found: ids and scores.
fn hits(answer: &Value) -> Vec<(String, f64)> {
    let hits = answer["hits"]
        .as_array()
        .unwrap_or_else(|| panic!("{answer}"));
    let hit = |hit: &Value| {
        (
            hit["id"].as_str().unwrap().to_owned(),
            hit["score"].as_f64(),
        )
    };
    let hits = hits.iter().map(hit);
    hits.map(|(id, score)| (id, score.unwrap())).collect()
}

fn found(server: &Server) -> Vec<(String, f64)> {
    let (status, answer) = search(server);
    assert_eq!(status, 200, "{answer}");
    hits(&answer)
}

/// What searches of the two indexes find.
fn expected(files: &Files) -> [Vec<(String, f64)>; 2] {
    [&files.first, &files.second]
        .map(|index| found(&Server::start(&[index.to_str().unwrap(), "--quiet"])))
}

/// The events that were logged of an index, in order.
fn events(server: &Server) -> Vec<String> {
    let lines = server.told("\"event\"");
    let event = |line: &String| {
        let line: Value = serde_json::from_str(line).unwrap();
        line["event"].as_str().unwrap().to_owned()
    };
    lines.iter().map(event).collect()
}

/// Ends the work of clients when it goes out of use, also where the test fails.
struct Ending<'a>(&'a AtomicBool);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// Clients search while the index is replaced 20 times, four times without a signal: each
/// answer is that of one of the two files.
#[test]
fn a_replaced_index_is_taken_up_under_load() {
    let files = Files::new();
    let expected = expected(&files);
    let server = files.serve(&[]);
    assert_eq!(found(&server), expected[0]);
    let (is_over, answers) = (AtomicBool::new(false), [0, 0].map(AtomicUsize::new));
    std::thread::scope(|scope| {
        let ending = Ending(&is_over);
        for _ in 0..3 {
            scope.spawn(|| {
                while !is_over.load(Relaxed) {
                    let found = found(&server);
                    let of = expected.iter().position(|expected| *expected == found);
                    answers[of.unwrap_or_else(|| panic!("{found:?}"))].fetch_add(1, Relaxed);
                }
            });
        }
        for round in 1..=20 {
            files.replace([&files.first, &files.second][round % 2]);
            if round % 5 != 0 {
                server.signal("HUP");
            }
            until("it is taken up", || generation(&server) == round as u64 + 1);
            assert_eq!(found(&server), expected[round % 2]);
        }
        drop(ending);
    });
    assert!(
        answers.iter().all(|count| count.load(Relaxed) > 20),
        "{answers:?}"
    );
    assert_eq!(events(&server), ["taken-up"; 20]);
    let shown = server.get("/api/indexes", &[]).json();
    assert_eq!(shown["indexes"][0]["formulas"], 3, "{shown}");
    assert_eq!(server.stop(), Some(0));
}

/// What cannot be served does not take the place of what is, and is told of once.
#[test]
fn what_is_no_whole_index_is_not_taken_up() {
    let files = Files::new();
    let expected = expected(&files);
    let server = files.serve(&[]);
    let whole = fs::read(&files.second).unwrap();
    let mut damaged = whole.clone();
    let middle = damaged.len() / 2;
    damaged[middle..middle + 64].fill(0x5a);
    let wrong = files.folder.path().join("wrong");
    let cases = [
        ("not a phocus index", b"hello".to_vec()),
        (
            "cut short or is still being copied",
            whole[..middle].to_vec(),
        ),
        ("is damaged", damaged),
        // Neither opening it nor a search reads this byte.
        (
            "Payloads",
            damaged_sample("Payloads", |start, end| {
                (start + end) / 2..(start + end) / 2 + 1
            }),
        ),
    ];
    for (at, (told, bytes)) in cases.iter().enumerate() {
        fs::write(&wrong, bytes).unwrap();
        files.replace(&wrong);
        until("it is told", || server.told("not-taken-up").len() > at);
        server.signal("HUP");
        assert!(
            server.told("not-taken-up")[at].contains(told),
            "{:?}",
            server.told("event")
        );
        assert_eq!(found(&server), expected[0]);
        let health = server.get("/healthz", &[]);
        assert_eq!(health.status, 200);
        assert!(health.body.contains(told), "{}", health.body);
    }
    files.replace(&files.second);
    until("it is taken up", || generation(&server) == 2);
    assert_eq!(found(&server), expected[1]);
    assert!(!server.get("/healthz", &[]).body.contains("note"));
    let events = events(&server);
    assert_eq!(events[..4], ["not-taken-up"; 4]);
    assert_eq!(events[4..], ["taken-up"]);
}

/// A file that is written to or cut in place while clients search: each answer is that of a
/// sound file or 503, and it is served again once it is sound.
#[test]
fn a_file_that_is_changed_in_place_gives_503_until_it_is_sound() {
    let files = Files::new();
    let expected = expected(&files);
    let server = files.serve(&[]);
    assert_eq!(status(&server), 200);
    let wrong = files.folder.path().join("wrong");
    let whole = fs::read(&files.first).unwrap();
    fs::write(
        &wrong,
        [&whole[..whole.len() / 2], &vec![7; whole.len() / 2]].concat(),
    )
    .unwrap();
    let (is_over, failed) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        let ending = Ending(&is_over);
        for _ in 0..2 {
            scope.spawn(|| {
                while !is_over.load(Relaxed) {
                    let (status, answer) = search(&server);
                    if status == 200 {
                        assert!(expected.contains(&hits(&answer)), "{answer}");
                    } else {
                        assert_eq!(status, 503, "{answer}");
                        assert!(answer["error"].is_string(), "{answer}");
                        failed.fetch_add(1, Relaxed);
                    }
                }
            });
        }
        for round in 0..3 {
            if round == 1 {
                // Cut, which without care would end the process.
                let file = fs::OpenOptions::new().write(true).open(&files.served);
                file.unwrap().set_len(100).unwrap();
            } else {
                files.overwrite(&wrong);
            }
            until("health tells", || status(&server) == 503);
            let health = server.get("/healthz", &[]).json();
            assert_eq!(health["indexes"][0]["status"], "unsound", "{health}");
            assert!(health["error"].as_str().unwrap().starts_with("served: "));
            assert_eq!(search(&server).0, 503);
            assert_eq!(server.get("/api/instances", &[("id", "1")]).status, 503);
            assert_eq!(server.get("/api/render", &[("q", "x")]).status, 200);
            until("it is told", || server.told("not-taken-up").len() > round);
            files.overwrite([&files.second, &files.first][round % 2]);
            until("it is sound", || status(&server) == 200);
            assert_eq!(found(&server), expected[(round + 1) % 2]);
        }
        drop(ending);
    });
    assert!(failed.load(Relaxed) > 3);
    assert_eq!(
        events(&server),
        ["unsound", "not-taken-up", "taken-up"].repeat(3)
    );
    assert_eq!(server.stop(), Some(0));
}

/// Damage that was there when the server started is found by the first request that reads it.
#[test]
fn a_damaged_index_gives_503_until_it_is_replaced() {
    let files = Files::new();
    let expected = expected(&files);
    let bytes = damaged_sample("Entries", |start, end| start..end);
    fs::write(&files.served, bytes).unwrap();
    let server = files.serve(&[]);
    for _ in 0..3 {
        let answer = server.get("/api/search", &[("q", "x"), ("k", "1000")]);
        assert_eq!(answer.status, 503, "{}", answer.body);
        assert!(answer.headers.contains("retry-after: 1\r\n"));
        assert!(answer.body.contains("is damaged"), "{}", answer.body);
    }
    until("health tells", || status(&server) == 503);
    until("it is told", || !server.told("unsound").is_empty());
    files.replace(&files.second);
    until("it is sound", || status(&server) == 200);
    assert_eq!(found(&server), expected[1]);
    assert_eq!(events(&server), ["unsound", "taken-up"]);
}

#[test]
fn an_index_in_memory_is_disturbed_by_nothing_and_still_replaced() {
    let files = Files::new();
    let expected = expected(&files);
    let server = files.serve(&["--in-memory"]);
    fs::write(&files.served, b"nothing").unwrap();
    until("it is told", || !server.told("not-taken-up").is_empty());
    assert_eq!(
        (found(&server), status(&server)),
        (expected[0].clone(), 200)
    );
    files.overwrite(&files.second);
    until("it is taken up", || generation(&server) == 2);
    assert_eq!(
        (found(&server), status(&server)),
        (expected[1].clone(), 200)
    );
    files.replace(&files.first);
    until("it is taken up", || generation(&server) == 3);
    assert_eq!(found(&server), expected[0]);
    assert_eq!(events(&server), ["not-taken-up", "taken-up", "taken-up"]);
}

#[test]
fn a_file_that_is_removed_is_served_on() {
    let files = Files::new();
    let expected = expected(&files);
    let server = files.serve(&[]);
    let elsewhere = files.folder.path().join("elsewhere");
    fs::rename(&files.served, &elsewhere).unwrap();
    until("it is told", || !server.told("missing").is_empty());
    assert_eq!(
        (found(&server), status(&server)),
        (expected[0].clone(), 200)
    );
    fs::rename(&elsewhere, &files.served).unwrap();
    until("it is told", || !server.told("found-again").is_empty());
    fs::remove_file(&files.served).unwrap();
    until("it is told", || server.told("missing").len() == 2);
    fs::copy(&files.second, &files.served).unwrap();
    until("it is taken up", || generation(&server) == 2);
    assert_eq!(found(&server), expected[1]);
    assert_eq!(
        events(&server),
        ["missing", "found-again", "missing", "taken-up"]
    );
}

#[test]
fn indexes_are_described_with_settings_limits_and_facets() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let build = |rows: &str| {
        fs::write(path("list.tsv"), rows).unwrap();
        ok(&["index", &path("list.tsv"), "-o", &path("new.phoc")]);
        fs::rename(path("new.phoc"), path("served.phoc")).unwrap();
    };
    build("id\ttype\tsource\tlatex\n1\tanswer\tnLab\tx\n2\ttitle\tnLab\ty\n");
    let server = Server::start(&[&path("served.phoc"), "--quiet", "--max-k", "10"]);
    let described = || server.get("/api/indexes", &[]).json()["indexes"][0].clone();
    let expected = json!({
        "name": "served",
        "formulas": 2,
        "config": "best",
        "idf": false,
        "rerank": 10,
        "max_k": 10,
        "max_query": 4096,
        "max_question": 8192,
        "texts": 0,
        "ask": null,
        "facets": {
            "type": [{ "value": "answer", "formulas": 1 }, { "value": "title", "formulas": 1 }],
            "source": [{ "value": "nLab", "formulas": 2 }],
        },
        "generation": 1,
    });
    assert_eq!(described(), expected);
    build("id\tlatex\n1\tx\n");
    until("it is taken up", || generation(&server) == 2);
    assert_eq!(described()["facets"], json!({ "type": [], "source": [] }));
}
