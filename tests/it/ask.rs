//! Questions in words and formulas: what is found, and that it is found by the definition.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use phocus::ask::{AskRequest, PassagePart, Question, read_questions};
use phocus::index::Index;
use phocus::phoc::{AskSettings, Combine};
use phocus::search::Searcher;
use proptest::prelude::*;

use crate::fixtures::binary::{fails, finds_nothing, json, ok, run, stderr, text};
use crate::fixtures::required;
use crate::fixtures::sample::{build_texts, sample_folder, sample_posts};

fn build(folder: &Path, inputs: &[PathBuf]) -> PathBuf {
    let path = folder.join("texts.phoc");
    build_texts(&path, inputs);
    path
}

/// The numbers of texts and their scores are those of the plain ranking.
fn assert_exact(searcher: &Searcher, request: &AskRequest) {
    let all = request.clone().k(usize::MAX);
    let found = searcher.rank_texts(&all).unwrap();
    let expected = searcher.ask_reference(&all).unwrap();
    assert_eq!(found.len(), expected.len(), "{request:?}");
    for (found, expected) in found.iter().zip(&expected) {
        let close = (found.1 - expected.1).abs() <= 1e-9 * expected.1.max(1.0);
        assert!(close, "{found:?} {expected:?} {request:?}");
    }
    // Texts whose scores differ by rounding alone may change places.
    let order = |ranked: &[(usize, f64)]| -> Vec<(String, usize)> {
        let mut keys: Vec<_> = (ranked.iter())
            .map(|(text, score)| (format!("{score:.9}"), *text))
            .collect();
        keys.sort();
        keys
    };
    assert_eq!(order(&found), order(&expected));
    for k in [1, 3, 10] {
        let first = searcher.rank_texts(&request.clone().k(k)).unwrap();
        assert_eq!(first, found[..k.min(found.len())]);
        let next = searcher.rank_texts(&request.clone().from(k).k(k)).unwrap();
        assert_eq!(next, found[k.min(found.len())..(2 * k).min(found.len())]);
    }
}

fn settings() -> impl Strategy<Value = AskSettings> {
    let combine = prop_oneof![Just(Combine::Max), Just(Combine::Sum)];
    (0.0..=1.0f64, 1usize..60, 0.0..3.0f64, 0.0..=1.0f64, combine).prop_map(
        |(alpha, kappa, k, b, combine)| AskSettings {
            alpha,
            kappa,
            k,
            b,
            combine,
            ..AskSettings::default()
        },
    )
}

/// Words and formulas of posts: few, so that many come more than once.
fn content() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        "(the|series|diverges|limits|of|integral|proof|is|Proofs)",
        "[$](x|y|x[+]y|x[+]1|a_n|a_k|x\\^2|\\\\frac1n|\\\\frac1k|\\\\sum a_n)[$]",
    ];
    proptest::collection::vec(part, 0..9).prop_map(|parts| parts.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// Posts of any words and formulas, any question, any settings: questions with answers and
    /// without, answers before their questions or without one.
    #[test]
    fn random_posts_are_ranked_by_the_definition(
        posts in proptest::collection::vec((content(), content(), 0usize..4), 1..14),
        questions in proptest::collection::vec((content(), settings(), any::<bool>()), 1..4),
    ) {
        let mut dump = String::from("<posts>\n");
        for (number, (title, body, thread)) in posts.iter().enumerate() {
            let id = number + 1;
            let body = body.replace('&', "&amp;");
            let _ = match thread {
                0 => writeln!(dump, r#"<row Id="{id}" PostTypeId="1" Title="{title}" Body="{body}" Tags="&lt;limits&gt;" />"#),
                thread => writeln!(dump, r#"<row Id="{id}" PostTypeId="2" ParentId="{thread}" Body="{body}" />"#),
            };
        }
        dump.push_str("<row Id=\"99\" PostTypeId=\"2\" ParentId=\"98\" Body=\"$x$ alone\" />\n</posts>\n");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("Posts.xml");
        fs::write(&path, dump).unwrap();
        let searcher = Searcher::open(build(folder.path(), &[path])).unwrap();
        searcher.index().verify().unwrap();
        for (question, settings, answers) in questions {
            let request = AskRequest::new(Question::read(&question))
                .settings(Some(settings))
                .answers(answers);
            assert_exact(&searcher, &request);
        }
    }
}

#[test]
fn real_questions_are_ranked_by_the_definition() {
    let Some(folder) = required::real_data("mse") else {
        return;
    };
    let scratch = tempfile::tempdir().unwrap();
    let path = build(scratch.path(), &[folder.join("Posts.xml.zst")]);
    let searcher = Searcher::open(path).unwrap();
    let topics = read_questions(&folder.join("topics-task1-2020.xml")).unwrap();
    for topic in topics.into_iter().step_by(25) {
        assert_exact(&searcher, &AskRequest::new(topic.question).answers(true));
    }
}

#[test]
fn a_question_finds_answers_by_words_by_formulas_and_by_both() {
    let searcher = Searcher::open(sample_posts()).unwrap();
    let first = |question: &str| {
        let response = searcher.ask(&AskRequest::new(Question::read(question)));
        response.unwrap().hits.swap_remove(0)
    };
    // Words alone, in other forms than the posts have.
    assert_eq!(first("the eigenvalue of symmetric matrices").id, "12");
    // A formula alone, with other letters.
    let hit = first(r"$y^y$");
    assert_eq!(hit.id, "17");
    assert!(hit.words_score == 0.0 && hit.formulas_score > 0.0);
    let hit = first(r"Why does $\sum_{k=1}^\infty\frac1k$ diverge?");
    assert_eq!(hit.question.as_deref(), Some("1"));
    assert_eq!(hit.title, "Why does the harmonic series diverge?");
    assert_eq!(hit.kind.as_deref(), Some("answer"));
    assert_eq!(hit.tags[0], "calculus");
    assert!(hit.words_score > 0.0 && hit.formulas_score > 0.0);
    assert!((hit.words_score + hit.formulas_score - hit.score).abs() < 1e-9);
}

/// What is marked is exactly what was matched: each word by its stem, each formula with the one of
/// the question that it is most like, and how alike the two are.
#[test]
fn passages_show_what_was_matched_and_how_well() {
    let searcher = Searcher::open(sample_posts()).unwrap();
    let question = r"Limit $\left(1+\frac1n\right)^n$ and logarithms $\ln x$";
    let response = searcher
        .ask(&AskRequest::new(Question::read(question)).k(20))
        .unwrap();
    let hit = response.hits.iter().find(|hit| hit.id == "6").unwrap();
    let matched: Vec<&str> = (hit.passage.iter())
        .filter_map(|part| match part {
            PassagePart::Text { text, matched } if *matched => Some(text.trim()),
            _ => None,
        })
        .collect();
    assert_eq!(matched, ["logarithms", "limit"]);
    let titled = hit.title_parts.iter().find_map(|part| match part {
        PassagePart::Formula {
            query, likeness, ..
        } => query.zip(*likeness),
        _ => None,
    });
    assert_eq!(titled, Some((1, 1.0)), "the title has the very formula");
    let of_passage = hit.passage.iter().filter_map(|part| match part {
        PassagePart::Formula {
            query, likeness, ..
        } => query.zip(*likeness),
        _ => None,
    });
    for (query, likeness) in of_passage {
        assert!((1..=2).contains(&query) && likeness > 0.0 && likeness <= 1.0);
    }
}

#[test]
fn sections_of_files_answer_with_their_places() {
    let folder = tempfile::tempdir().unwrap();
    let notes = folder.path().join("notes.md");
    let source = "# Heat\nThe heat equation $u_t=u_{xx}$ describes diffusion.\n\n\
                  # Waves\nThe wave equation $u_{tt}=u_{xx}$ describes strings.\n";
    fs::write(&notes, source).unwrap();
    let path = build(folder.path(), std::slice::from_ref(&notes));
    let shown = ok(&[
        "ask",
        text(&path),
        "how do strings move: $v_{tt}=v_{xx}$",
        "-k",
        "1",
    ]);
    assert!(shown.contains("Waves"), "{shown}");
    assert!(shown.contains("notes.md:4"), "{shown}");
    assert!(shown.contains("$u_{tt}=u_{xx}$["), "{shown}");
    let answer = ok(&["ask", text(&path), "strings", "--json"]);
    let answer = json(&answer);
    assert_eq!(answer["hits"][0]["line"], 4);
    assert_eq!(answer["hits"][0]["document"], "Heat");
    assert_eq!(answer["found"], 1);
    assert_eq!(answer["words"][0]["texts"], 1);
}

/// The same bytes whatever the memory, the threads, and however often a build reads only what
/// changed.
#[test]
fn the_same_texts_give_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let documents = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/documents");
    let posts = sample_folder().join("posts.xml");
    let index = |name: &str, options: &[&str]| {
        let path = folder.path().join(name);
        let mut arguments = vec!["index", text(&documents), text(&posts), "-o", text(&path)];
        arguments.extend(options);
        ok(&arguments);
        fs::read(&path).unwrap()
    };
    let expected = index("a.phoc", &[]);
    assert!(index("b.phoc", &["--memory", "32M", "--threads", "1"]) == expected);
    assert!(
        index("a.phoc", &[]) == expected,
        "built again from what was kept"
    );
    assert!(index("c.phoc", &["--no-seen"]) == expected);
    let without = index("d.phoc", &["--no-texts"]);
    assert!(without.len() < expected.len());
    let opened = Index::open(&folder.path().join("d.phoc")).unwrap();
    assert_eq!(opened.texts(), 0);
    opened.verify().unwrap();
}

#[test]
fn runs_of_task_1_are_made_measured_and_compared() {
    let folder = tempfile::tempdir().unwrap();
    let index = sample_posts();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (both, words, page) = (file("both.tsv"), file("words.tsv"), file("page.html"));
    let topics = "data-sample/questions.xml";
    let qrels = "data-sample/questions-qrels.tsv";
    let arguments = ["run", text(&index), "--task", "1", "--topics", topics, "-o"];
    let run = |more: &[&str]| ok(&[&arguments[..], more].concat());
    run(&[&both]);
    run(&[&words, "--alpha", "0"]);
    let written = fs::read_to_string(&both).unwrap();
    let rows: Vec<Vec<&str>> = written
        .lines()
        .map(|line| line.split('\t').collect())
        .collect();
    assert!(rows.iter().all(|row| row.len() == 5));
    assert_eq!(
        (rows[0][0], rows[0][2], rows[0][4]),
        ("T.1", "1", "phocus-best")
    );
    // Answers only.
    let answers = [
        "2", "3", "5", "6", "8", "10", "12", "14", "15", "17", "19", "21", "23", "25", "27", "29",
    ];
    assert!(rows.iter().all(|row| answers.contains(&row[1])));
    let measured = json(&ok(&[
        "eval",
        "--qrels",
        qrels,
        "--index",
        text(&index),
        &both,
        "--json",
    ]));
    assert_eq!(measured["runs"][0]["mean"]["mrr"], 1.0);
    assert!(measured["runs"][0]["mean"]["map"].as_f64().unwrap() > 0.9);
    let again = file("again.tsv");
    run(&[&again, "--threads", "1"]);
    assert_eq!(fs::read_to_string(&again).unwrap(), written);
    let arguments = [
        "--qrels",
        qrels,
        "--topics",
        topics,
        "--index",
        text(&index),
    ];
    ok(&[&["compare"], &arguments[..], &[&words, &both, "-o", &page]].concat());
    let page = fs::read_to_string(&page).unwrap();
    assert!(page.contains("<b>diverges</b>") || page.contains("<b>series</b>"));
    assert!(page.contains("like formula 1 of the question: 0."));
    let fused = file("fused.tsv");
    ok(&["fuse", &words, &both, "-o", &fused]);
    let fused = fs::read_to_string(&fused).unwrap();
    assert!(fused.lines().all(|line| line.split('\t').count() == 5));
}

#[test]
fn what_cannot_be_asked_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let index = sample_posts();
    let list = folder.path().join("list.txt");
    fs::write(&list, "x^2\ny^2\n").unwrap();
    let formulas = folder.path().join("formulas.phoc");
    ok(&["index", text(&list), "-o", text(&formulas)]);
    let error = fails(&["ask", text(&formulas), "why?"]);
    assert!(error.contains("has no texts"), "{error}");
    let error = fails(&["ask", text(&index), "why?", "--alpha", "2"]);
    assert!(
        error.contains("expected a number from 0 to 1, found 2"),
        "{error}"
    );
    let said = finds_nothing(&["ask", text(&index), "the"]);
    assert!(said.contains("no words that are looked for"), "{said}");
    let said = finds_nothing(&["ask", text(&index), "zeppelin"]);
    assert!(said.contains("No text found"), "{said}");
    let error = fails(&[
        "run",
        text(&index),
        "--topics",
        "data-sample/topics.xml",
        "-o",
        "-",
        "--kappa",
        "3",
    ]);
    assert!(error.contains("--task 1"), "{error}");
    let topics = folder.path().join("topics.tsv");
    fs::write(&topics, "no tab").unwrap();
    let error = fails(&[
        "run",
        text(&index),
        "--task",
        "1",
        "--topics",
        text(&topics),
        "-o",
        "-",
    ]);
    assert!(error.contains("line 1 has no TAB"), "{error}");
    let questions = "data-sample/questions.xml";
    let arguments = ["run", text(&index), "--task", "1", "-o", "-", "--topics"];
    let refused = |more: &[&str]| fails(&[&arguments[..], more].concat());
    let error = refused(&[questions, "--format", "trec"]);
    assert!(error.contains("not for --task 1"), "{error}");
    let error = refused(&["data-sample/topics.xml"]);
    assert!(error.contains("it is a formula of Task 2"), "{error}");
    let notes = folder.path().join("notes.md");
    fs::write(&notes, "A note on $x^2$.").unwrap();
    let notes = build(folder.path(), std::slice::from_ref(&notes));
    let arguments = [
        "run",
        text(&notes),
        "--task",
        "1",
        "-o",
        "-",
        "--topics",
        questions,
    ];
    let error = fails(&arguments);
    assert!(error.contains("has no answers"), "{error}");
    // A topic without anything to look for is named, and the rest is answered.
    fs::write(&topics, "A.1\tthe of\nA.2\tharmonic series\n").unwrap();
    let arguments = [
        "run",
        text(&index),
        "--task",
        "1",
        "-o",
        "-",
        "--topics",
        text(&topics),
    ];
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("topic A.1 has no answers"));
    // A formula that cannot be read is told, and the rest is asked.
    let output = run(&["ask", text(&index), "harmonic $\\frac{$"]);
    assert!(stderr(&output).contains("note:"), "{}", stderr(&output));
}
