//! `phocus run --task 1`: a run of answers to questions.

use std::io::Write;
use std::time::{Duration, Instant};

use serde_json::json;

use super::Status;
use super::destination::Destination;
use super::kind::Kind;
use super::output::print_json;
use super::run::{Args, ms, run_id};
use super::search::unreadable;
use super::table::grouped;
use crate::ask::{AskRequest, QuestionTopic, read_questions};
use crate::eval::{average, quantile, write_answers};
use crate::parallel;
use crate::search::{SearchError, Searcher};

/// The answers to a question, each with its score, and the time that they took.
type Answers = (Vec<(String, f64)>, Duration);

pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let searcher = Searcher::open(&args.index)?;
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
    for ((topic, _), answers) in requests.iter().zip(answers) {
        let (answers, took) = answers.map_err(unreadable)?;
        write_answers(&mut written, topic, &answers, &run_id)?;
        times.push(ms(took));
    }
    output.save(written)?;
    report(args, &output, &times, answering)?;
    Ok(Status::Done)
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
    let named = ranked.into_iter().map(|(text, score)| {
        let text = searcher.index().text(text)?;
        Ok((text.text.id(), score))
    });
    Ok((named.collect::<Result<_, SearchError>>()?, took))
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
