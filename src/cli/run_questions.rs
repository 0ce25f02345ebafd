//! `phocus run --task 1`: a run of answers to questions.

use std::collections::HashSet;
use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::ensure;
use serde_json::json;

use super::Status;
use super::destination::Destination;
use super::kind::Kind;
use super::output::print_json;
use super::run::{Args, ms, run_id};
use super::search::unreadable;
use super::table::grouped;
use crate::ask::{AskRequest, QuestionTopic, read_questions};
use crate::eval::{RunFormat, average, quantile, write_answers};
use crate::parallel;
use crate::search::{SearchError, Searcher};

/// The answers to a question, each with its score, and the time that they took.
type Answers = (Vec<(String, f64)>, Duration);

pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let searcher = Searcher::open(&args.index)?;
    ensure_answers(args, &searcher)?;
    let topics = read_questions(&args.topics)?;
    let run_id = run_id(args, &searcher)?;
    let output = Destination::new(
        &args.output,
        Kind::Run(run_id.clone()),
        &[&args.index, &args.topics],
        args.replacing,
    )?;
    let requests = requests(args, &searcher, topics)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads)
        .build()?;
    let started = Instant::now();
    let answers = pool.install(|| {
        parallel::map(&requests, parallel::threads(0), |(_, request)| {
            answers(&searcher, request)
        })
    });
    let answering = started.elapsed();
    let (mut written, mut times) = (Vec::new(), Vec::new());
    let mut lost = 0;
    for ((topic, _), answers) in requests.iter().zip(answers) {
        let (answers, took) = answers.map_err(unreadable)?;
        if answers.is_empty() {
            lost += 1;
            eprintln!("topic {topic} has no answers: no post has a word or a formula of it");
        }
        write_answers(&mut written, topic, &answers, &run_id)?;
        times.push(ms(took));
    }
    output.save(written)?;
    report(args, &output, &times, answering)?;
    Ok(if lost > 0 {
        Status::Partial
    } else {
        Status::Done
    })
}

/// Checks that the index has answers, and that no option is given that a run of answers ignores.
fn ensure_answers(args: &Args, searcher: &Searcher) -> anyhow::Result<()> {
    ensure!(
        args.format == RunFormat::Arqmath && args.scoring.is_default(),
        "--format, --min-match, --idf and --rerank are for formulas, and not for --task 1"
    );
    ensure!(
        searcher.has_answers()?,
        "{} has no answers: a run of Task 1 needs an index of posts, such as Posts.xml",
        args.index.display()
    );
    Ok(())
}

/// Each topic with what is asked for.
fn requests(
    args: &Args,
    searcher: &Searcher,
    topics: Vec<QuestionTopic>,
) -> anyhow::Result<Vec<(String, AskRequest)>> {
    let settings = args.asking.settings(searcher.index().meta().config.ask)?;
    let macros = args.macros.read()?;
    let topics = topics.into_iter().map(|topic| {
        let mut question = topic.question;
        question.options = args.asking.options(&question.options)?;
        let request = AskRequest::new(question)
            .k(args.depth)
            .answers(true)
            .settings(Some(settings))
            .macros(macros.clone())
            .threads(1);
        Ok((topic.number, request))
    });
    topics.collect()
}

fn answers(searcher: &Searcher, request: &AskRequest) -> Result<Answers, SearchError> {
    let started = Instant::now();
    let ranked = searcher.rank_texts(request)?;
    let took = started.elapsed();
    let mut named = Vec::with_capacity(ranked.len());
    let mut seen = HashSet::new();
    for (text, score) in ranked {
        let id = searcher.index().text(text)?.text.id();
        // A collection may have a post twice; a run may not.
        if seen.insert(id.clone()) {
            named.push((id, score));
        }
    }
    Ok((named, took))
}

fn report(
    args: &Args,
    output: &Destination,
    times: &[f64],
    answering: Duration,
) -> anyhow::Result<()> {
    let (mean, median) = (average(times), quantile(times, 0.5));
    let (p95, answering) = (quantile(times, 0.95), ms(answering));
    let mut out = output.report();
    if args.json {
        let report = json!({
            "topics": times.len(), "mean_ms": mean, "median_ms": median, "p95_ms": p95,
            "answering_ms": answering,
        });
        return print_json(&mut out, &report);
    }
    let topics = grouped(times.len() as u64);
    writeln!(out, "{}: {topics} topics", args.output.display())?;
    writeln!(
        out,
        "search alone, a topic: mean {mean:.2} ms, median {median:.2} ms, 95th percentile {p95:.2} ms"
    )?;
    writeln!(out, "in all: {answering:.1} ms to answer the topics")?;
    Ok(())
}
