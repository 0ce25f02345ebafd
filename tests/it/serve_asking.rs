//! Questions over HTTP.

use serde_json::{Value, json};

use crate::fixtures::posts::index_of_posts;
use crate::fixtures::server::{Server, index_of};

const QUESTION: &str = r"why does $\sum_{n=1}^\infty \frac{1}{n}$ diverge?";

/// The parts of a passage that were matched: words, and formulas with their likeness.
fn matched(passage: &Value) -> Vec<String> {
    let parts = passage.as_array().unwrap().iter();
    let matched = parts.filter(|part| part["matched"] == true || !part["query"].is_null());
    let shown = matched.map(|part| match part["kind"].as_str().unwrap() {
        "text" => part["text"].as_str().unwrap().to_owned(),
        _ => format!(
            "{} {:.2}",
            part["query"],
            part["likeness"].as_f64().unwrap()
        ),
    });
    shown.collect()
}

#[test]
fn questions_are_answered() {
    let folder = tempfile::tempdir().unwrap();
    let link = ["--link", "https://example.org/{post}"];
    let index = index_of_posts(folder.path(), &link);
    let server = Server::start(&[index.to_str().unwrap(), "--quiet"]);
    let found = server.get("/api/ask", &[("q", QUESTION), ("k", "2")]);
    assert_eq!(found.status, 200, "{}", found.body);
    let found = found.json();
    let first = &found["hits"][0];
    assert_eq!(first["id"], "2");
    assert_eq!(
        (&first["type"], &first["question"]),
        (&json!("answer"), &json!("1"))
    );
    assert_eq!(first["url"], "https://example.org/2");
    assert_eq!(first["tags"], json!(["series", "harmonic"]));
    assert_eq!(matched(&first["passage"])[..2], ["1 1.00", "diverges"]);
    assert_eq!(
        found["formulas"][0]["latex"],
        r"\sum_{n=1}^\infty\frac{1}{n}"
    );
    assert!(
        found["words"]
            .as_array()
            .unwrap()
            .iter()
            .any(|word| word["word"] == "diverge")
    );
    // What was asked, and how it was answered.
    let own = json!([
        found["index"],
        found["texts"],
        found["question"],
        found["from"],
        found["k"]
    ]);
    assert_eq!(own, json!(["posts", 3, QUESTION, 0, 2]));
    assert_eq!(found["settings"]["kappa"], 400);
    assert!(found["took_ms"].as_f64().unwrap() > 0.0);
    let sum = first["words_score"].as_f64().unwrap() + first["formulas_score"].as_f64().unwrap();
    assert!(
        (sum - first["score"].as_f64().unwrap()).abs() < 1e-9,
        "{first}"
    );
    // Requests are counted as those of searches are.
    let metrics = server.get("/metrics", &[]).body;
    assert!(metrics.contains(r#"phocus_requests_total{path="/api/ask",status="200"} 1"#));
}

#[test]
fn settings_pages_and_answers_alone_may_be_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let index = index_of_posts(folder.path(), &[]);
    let server = Server::start(&[index.to_str().unwrap(), "--quiet", "--max-k", "50"]);
    let ask = |more: &[(&str, &str)]| {
        let question = [("q", "a limit $e$ diverges")];
        server
            .get("/api/ask", &[&question[..], more].concat())
            .json()
    };
    let ids = |found: &Value| -> Vec<String> {
        let hits = found["hits"].as_array().unwrap().iter();
        hits.map(|hit| hit["id"].as_str().unwrap().to_owned())
            .collect()
    };
    let all = ask(&[]);
    let second = ask(&[("from", "1"), ("k", "1")]);
    assert_eq!(ids(&second), ids(&all)[1..2]);
    assert_eq!(second["hits"][0]["rank"], 2);
    assert!(ids(&all).contains(&"5".to_owned()), "{all}");
    let answers = ask(&[("answers", "true")]);
    assert!(
        answers["hits"]
            .as_array()
            .unwrap()
            .iter()
            .all(|hit| hit["type"] == "answer")
    );
    let words = ask(&[("alpha", "0"), ("kappa", "7")]);
    assert_eq!(
        (&words["settings"]["alpha"], &words["settings"]["kappa"]),
        (&json!(0.0), &json!(7))
    );
    assert_eq!(words["hits"][0]["formulas_score"], 0.0);
    // The limit of the server holds for what is asked, and for what the index says.
    assert_eq!(ask(&[("kappa", "1000")])["settings"]["kappa"], 50);
    assert_eq!(all["settings"]["kappa"], 50);
    let many: Vec<String> = (0..30).map(|n| format!("$x_{{{n}}}$")).collect();
    let found = server.get("/api/ask", &[("q", &many.join(" "))]).json();
    assert_eq!(found["formulas"].as_array().unwrap().len(), 20);
    let note = "The question has 30 formulas: the 20 longest are searched for.";
    assert!(
        found["notes"].as_array().unwrap().contains(&json!(note)),
        "{found}"
    );
}

#[test]
fn what_is_wrong_with_a_question_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let posts = index_of_posts(folder.path(), &[]);
    let formulas = format!(
        "formulas={}",
        index_of(folder.path(), &[("1", "x+y")]).display()
    );
    let server = Server::start(&[
        posts.to_str().unwrap(),
        &formulas,
        "--quiet",
        "--max-query",
        "50",
    ]);
    let (fits, long) = ("why ".repeat(25), "why ".repeat(26));
    let cases = [
        (vec![], 400, "q, the question, is missing"),
        (
            vec![("q", long.as_str())],
            400,
            "is 104 bytes long where at most 100 are read",
        ),
        (vec![("q", fits.as_str())], 200, "hits"),
        (
            vec![("q", "why"), ("alpha", "2")],
            400,
            "alpha: expected a share from 0 to 1, found `2`",
        ),
        (vec![("q", "why"), ("alpha", "NaN")], 400, "alpha: expected"),
        (
            vec![("q", "why"), ("kappa", "0")],
            400,
            "kappa: expected a number from 1, found `0`",
        ),
        (
            vec![("q", "why"), ("answers", "yes")],
            400,
            "answers: expected true or false",
        ),
        (vec![("q", "why"), ("k", "1001")], 400, "from 1 to 1000"),
        (vec![("q", "why"), ("index", "none")], 404, "no such index"),
        (
            vec![("q", "why"), ("index", "formulas")],
            404,
            "formulas has no texts",
        ),
        (vec![("q", r"is $\undefined{$ odd")], 200, "hits"),
    ];
    for (parameters, status, told) in cases {
        let answer = server.get("/api/ask", &parameters);
        assert_eq!(answer.status, status, "{parameters:?}: {}", answer.body);
        assert!(
            answer.body.contains(told),
            "{parameters:?}: {}",
            answer.body
        );
    }
}

#[test]
fn what_is_typed_is_a_question_or_a_formula() {
    let folder = tempfile::tempdir().unwrap();
    let posts = index_of_posts(folder.path(), &[]);
    let formulas = format!(
        "formulas={}",
        index_of(folder.path(), &[("1", "x+y")]).display()
    );
    let server = Server::start(&[posts.to_str().unwrap(), &formulas, "--quiet"]);
    let reading = |typed: &str| server.get("/api/reading", &[("q", typed)]).json();
    let question = reading(QUESTION);
    assert_eq!(question["kind"], "question");
    assert_eq!(question["parts"][0]["text"], "why does ");
    assert_eq!(
        question["parts"][1]["latex"],
        r"\sum_{n=1}^\infty\frac{1}{n}"
    );
    assert_eq!(reading(r"\frac{a}{b}")["kind"], "formula");
    assert_eq!(reading("")["kind"], "formula");
    // The page knows from this whether it may ask.
    let indexes = server.get("/api/indexes", &[]).json();
    let (posts, formulas) = (&indexes["indexes"][0], &indexes["indexes"][1]);
    assert_eq!(
        (&posts["texts"], &posts["max_question"]),
        (&json!(3), &json!(8192))
    );
    assert_eq!(posts["ask"]["alpha"], 0.9);
    assert_eq!(
        (&formulas["texts"], &formulas["ask"]),
        (&json!(0), &Value::Null)
    );
}
