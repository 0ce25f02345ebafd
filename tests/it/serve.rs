//! The server, over HTTP.

use std::collections::BTreeSet;

use crate::fixtures::posts::index_of_posts;
use crate::fixtures::sample::sample_index;
use crate::fixtures::server::{Server, get, index_of};

const HOSTILE: [(&str, &str); 3] = [
    ("h1", r"\text{<script>alert(1)</script>}+x"),
    ("h2", r"\href{javascript:alert(1)}{x}+y"),
    ("h3", r#"x<img src=x onerror="alert(1)">"#),
];

#[test]
fn searches_are_answered() {
    let index = sample_index("best");
    let server = Server::start(&[index.to_str().unwrap(), "--quiet"]);
    let found = server.get("/api/search", &[("q", "a^2+b^2=c^2"), ("k", "3")]);
    assert_eq!(found.status, 200);
    assert!(
        found
            .headers
            .contains("content-security-policy: default-src 'none'")
    );
    assert!(found.headers.contains("x-content-type-options: nosniff"));
    let found = found.json();
    let hits = found["hits"].as_array().unwrap();
    assert_eq!(hits.len(), 3);
    assert_eq!(hits[0]["latex"], "a^2+b^2=c^2");
    assert_eq!(hits[0]["matched"].as_array().unwrap().len(), 6, "{found}");
    assert!(found["took_ms"].as_f64().unwrap() > 0.0);
    // All that is shared, and no more.
    let all = server.get(
        "/api/search",
        &[
            ("q", r"\int e^{-x^2}"),
            ("min_match", "100%"),
            ("idf", "true"),
        ],
    );
    assert!(
        all.json()["hits"].as_array().unwrap().len() > 2,
        "{}",
        all.body
    );
    let none = server
        .get(
            "/api/search",
            &[("q", r"\aleph+\beth"), ("min_match", "100%")],
        )
        .json();
    assert_eq!(none["hits"].as_array().unwrap().len(), 0);
    assert!(
        none["unknown_symbols"]
            .as_array()
            .unwrap()
            .iter()
            .any(|symbol| symbol == "ℶ"),
        "{none}"
    );
    // A score taken apart is the score.
    for hit in hits {
        let id = hit["id"].as_str().unwrap();
        let apart = server
            .get("/api/explain", &[("q", "a^2+b^2=c^2"), ("id", id)])
            .json();
        let shares = apart["tokens"].as_array().unwrap().iter();
        let sum: f64 = shares
            .map(|token| token["contribution"].as_f64().unwrap())
            .sum();
        let score = hit["score"].as_f64().unwrap();
        assert!((sum - score).abs() < 1e-9 * score, "{sum} {score}");
        assert!((apart["score"].as_f64().unwrap() - score).abs() < 1e-9 * score);
        let places = server.get("/api/instances", &[("id", id)]).json();
        assert_eq!(places["total"], hit["instances"]);
        assert_eq!(
            places["instances"].as_array().unwrap().len() as u64,
            hit["instances"].as_u64().unwrap()
        );
    }
    let id = hits[1]["id"].as_str().unwrap();
    let regions = |symbol: &str| {
        let asked = [("q", "a^2+b^2=c^2"), ("id", id), ("symbol", symbol)];
        server.get("/api/regions", &asked)
    };
    let shared = regions("2").json()["svg"].as_str().unwrap().to_owned();
    assert!(shared.starts_with("<svg") && shared.contains("#8fd19e"));
    assert_eq!(regions("z").status, 400);
    let drawn = server.get("/api/render", &[("q", r"\frac{x}{y}"), ("like", "y")]);
    assert!(drawn.headers.contains("image/svg+xml") && drawn.body.starts_with("<svg"));
    assert_eq!(drawn.body.matches("class=\"mark\"").count(), 1);
    assert!(
        !drawn.body.contains("href") && !drawn.body.contains("<text"),
        "paths alone"
    );
    assert_eq!(server.get("/healthz", &[]).json()["status"], "ok");
    let metrics = server.get("/metrics", &[]).body;
    assert!(
        metrics.contains("phocus_requests_total{path=\"/api/search\",status=\"200\"} 3"),
        "{metrics}"
    );
    assert!(metrics.contains("phocus_request_seconds_bucket{path=\"/api/search\",le=\"+Inf\"} 3"));
    assert_eq!(server.stop(), Some(0), "it ends when it is told to");
}

#[test]
fn what_is_typed_so_far_is_completed() {
    let index = sample_index("best");
    let server = Server::start(&[index.to_str().unwrap(), "--quiet"]);
    let complete = |typed: &str| server.get("/api/complete", &[("q", typed)]).json();
    let whole = r"\int_{-\infty}^{\infty} e^{-x^2}\,dx";
    for end in 1..=whole.len() {
        let found = complete(&whole[..end]);
        let hits = found["hits"]
            .as_array()
            .unwrap_or_else(|| panic!("{end}: {found}"));
        if end > 6 {
            assert!(!hits.is_empty(), "{}: {found}", &whole[..end]);
        }
    }
    let open = complete(r"\frac{a+b");
    assert_eq!(open["read_as"], r"\frac{a+b}{}", "{open}");
    let begun = complete(r"x+\fra");
    assert_eq!(begun["read_as"], "x+");
    assert_eq!(begun["notes"][0], "The formula is unfinished: read as x+");
    assert_eq!(complete("x^")["read_as"], "x");
    assert_eq!(complete("")["hits"].as_array().unwrap().len(), 0);
}

/// Names and values.
type Parameters<'a> = &'a [(&'a str, &'a str)];

#[test]
fn what_is_wrong_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let index = index_of(folder.path(), &[("1", "x+y")]);
    let named = format!("other={}", index.display());
    let server = Server::start(&[
        index.to_str().unwrap(),
        &named,
        "--quiet",
        "--max-query",
        "50",
    ]);
    let long = "x".repeat(51);
    let cases: [(&str, Parameters, u16, &str); 11] = [
        ("/api/search", &[], 400, "q, the LaTeX, is missing"),
        ("/api/search", &[("q", r"\frac{x}{")], 200, ""),
        (
            "/api/search",
            &[("q", "x\u{1}")],
            400,
            "cannot read the formula",
        ),
        ("/api/search", &[("q", &long)], 400, "at most 50"),
        (
            "/api/search",
            &[("q", "x"), ("k", "1001")],
            400,
            "from 1 to 1000",
        ),
        ("/api/search", &[("q", "x"), ("k", "many")], 400, "k"),
        (
            "/api/search",
            &[("q", "x"), ("min_match", "200%")],
            400,
            "min_match",
        ),
        (
            "/api/search",
            &[("q", "x"), ("idf", "region")],
            400,
            "does not count regions",
        ),
        (
            "/api/search",
            &[("q", "x"), ("index", "none")],
            404,
            "list, other",
        ),
        (
            "/api/explain",
            &[("q", "x"), ("id", "7")],
            404,
            "no formula 7",
        ),
        ("/nothing", &[], 404, "nothing here"),
    ];
    for (path, parameters, status, told) in cases {
        let answer = server.get(path, parameters);
        assert_eq!(
            answer.status, status,
            "{path} {parameters:?}: {}",
            answer.body
        );
        assert!(
            answer.body.contains(told),
            "{path} {parameters:?}: {}",
            answer.body
        );
    }
    assert_eq!(
        server
            .get("/api/search", &[("q", "x"), ("index", "other")])
            .status,
        200
    );
    let twice = std::process::Command::new(env!("CARGO_BIN_EXE_phocus"))
        .args(["serve", index.to_str().unwrap(), index.to_str().unwrap()])
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&twice.stderr).contains("two indexes are called list"));
}

#[test]
fn the_description_names_every_path() {
    let folder = tempfile::tempdir().unwrap();
    let index = index_of_posts(folder.path(), &[]);
    let server = Server::start(&[index.to_str().unwrap(), "--quiet"]);
    let described = server.get("/api/openapi.json", &[]).json();
    assert_eq!(described["info"]["version"], env!("CARGO_PKG_VERSION"));
    let paths: BTreeSet<&str> = described["paths"]
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    for path in &paths {
        // Paths that take nothing ignore what they are given.
        let answer = server.get(path, &[("q", "x"), ("id", "22")]);
        assert_eq!(answer.status, 200, "{path} {}", answer.body);
        let unknown = format!("{path}x");
        assert_eq!(server.get(&unknown, &[]).status, 404, "{unknown}");
    }
    // What is counted by name is a path of the description or of the page.
    let metrics = server.get("/metrics", &[]).body;
    let counted = metrics.split("phocus_errors_total{path=\"").skip(1);
    for path in counted.map(|rest| rest.split('"').next().unwrap()) {
        assert!(
            paths.contains(path) || ["/", "other"].contains(&path),
            "{path}"
        );
    }
    assert_eq!(described["info"]["version"], env!("CARGO_PKG_VERSION"));
    // Every path that the page itself asks is described.
    let script = scripts(&server);
    let asked: Vec<&str> = script
        .match_indices("/api/")
        .map(|(at, _)| {
            script[at..]
                .split(|c: char| !c.is_alphanumeric() && c != '/')
                .next()
                .unwrap()
        })
        .collect();
    assert!(asked.len() >= 3, "{asked:?}");
    for path in asked {
        assert!(paths.contains(path), "{path}");
    }
}

/// The page's script: its first module, and those that it imports.
fn scripts(server: &Server) -> String {
    let mut names = vec!["page.js".to_owned()];
    let mut all = String::new();
    let mut at = 0;
    while let Some(name) = names.get(at) {
        let answer = server.get(&format!("/{name}"), &[]);
        assert_eq!(answer.status, 200, "{name}");
        let imported = answer.body.split("from \"./").skip(1);
        let imported = imported.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned()));
        for other in imported.collect::<Vec<String>>() {
            if !names.contains(&other) {
                names.push(other);
            }
        }
        all += &answer.body;
        at += 1;
    }
    assert!(names.len() > 8, "{names:?}");
    all
}

#[test]
fn hostile_formulas_are_never_markup() {
    let folder = tempfile::tempdir().unwrap();
    let index = index_of(folder.path(), &HOSTILE);
    let server = Server::start(&[index.to_str().unwrap(), "--quiet"]);
    for (_, latex) in HOSTILE {
        let drawn = server.get("/api/render", &[("q", latex), ("like", latex)]);
        assert!(
            !drawn.body.contains("<script") && !drawn.body.contains("javascript:"),
            "{}",
            drawn.body
        );
        assert!(!drawn.body.contains("onerror=\""), "{}", drawn.body);
        assert!(drawn.status != 200 || drawn.headers.contains("sandbox"));
        let found = server.get("/api/search", &[("q", "x")]);
        assert!(found.headers.contains("application/json"));
    }
}

/// 100 clients at once, more than there are threads: no error, and memory does not grow
/// with what was asked. A leak of 40 kB a request would show.
#[cfg(target_os = "linux")]
#[test]
fn many_ask_at_once() {
    let index = sample_index("best");
    let server = Server::start(&[index.to_str().unwrap(), "--quiet", "--timeout", "60"]);
    let queries = ["x%5E2", "%5Cfrac%7Ba%7D%7Bb%7D", "%5Csum_n", "a%2Bb%3Dc"];
    let ask = |client: usize| {
        for (at, query) in queries.iter().enumerate() {
            let verb = ["search", "complete", "render"][(client + at) % 3];
            let target = format!("/api/{verb}?q={query}");
            let answer = get(&server.address, &target).unwrap();
            assert_eq!(answer.status, 200, "{target}: {}", answer.body);
        }
    };
    let load = || {
        std::thread::scope(|scope| {
            for client in 0..100 {
                scope.spawn(move || ask(client));
            }
        });
        server.memory()
    };
    // Each thread that works keeps some memory: how much shows only after some rounds.
    for _ in 0..4 {
        load();
    }
    let (first, _) = (load(), load());
    let last = load();
    let limit = first + first / 4 + 16_384;
    assert!(
        last < limit,
        "{first} kB after 2000 requests, {last} kB after 2800"
    );
}
