//! Runs over topics, as `phocus run` writes them.

use phocus::ask::AskRequest;
use phocus::eval::{
    self, Qrels, Run, RunFormat, RunId, RunRow, run_rows, write_answers, write_topic,
};
use phocus::search::{Request, Response, Searcher};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::errors::Raised;
use crate::index::{Index, of_formula, of_question};
use crate::options::{AskOptions, Asked, SearchOptions};
use crate::work::in_chunks;

/// The results of a topic: as ARQMath has them, as TREC has them, and their LaTeX; or why the
/// topic cannot be read.
type Results = (Option<(String, String, Vec<String>)>, String);

/// A run over topics of formulas.
#[pyfunction]
pub fn run_formulas(
    py: Python<'_>,
    index: &Bound<'_, Index>,
    topics: Vec<(String, String)>,
    options: SearchOptions,
    run_id: Option<&str>,
) -> PyResult<(String, Vec<Results>)> {
    let searcher = &index.get().searcher;
    let run_id = named(run_id, searcher)?;
    let request = options.request()?.distinct(true).matched(false);
    let requests: Vec<Request> = (topics.iter())
        .map(|(_, latex)| of_formula(&request, latex.clone()))
        .collect();
    let responses = in_chunks(py, &requests, |requests| {
        Ok(searcher.search_all(requests, 0))
    })?;
    let results = topics.iter().zip(responses).map(|((topic, _), response)| {
        match response.map_err(Raised::from) {
            Ok(response) => Ok((Some(written(topic, &response, &run_id)?), String::new())),
            Err(error) if error.is_formula() => Ok((None, error.into_text())),
            Err(error) => Err(error.into()),
        }
    });
    let results = results.collect::<PyResult<_>>()?;
    Ok((run_id.to_string(), results))
}

fn written(
    topic: &str,
    response: &Response,
    run_id: &RunId,
) -> PyResult<(String, String, Vec<String>)> {
    let rows: Vec<RunRow> = run_rows(response);
    let write = |format| -> PyResult<String> {
        let mut out = Vec::new();
        write_topic(&mut out, topic, &rows, run_id, format)?;
        Ok(String::from_utf8(out)?)
    };
    let latex = response.hits.iter().map(|hit| hit.latex.clone());
    Ok((
        write(RunFormat::Arqmath)?,
        write(RunFormat::Trec)?,
        latex.collect(),
    ))
}

/// A run of answers to questions: the lines of each topic.
#[pyfunction]
pub fn run_questions(
    py: Python<'_>,
    index: &Bound<'_, Index>,
    topics: Vec<(String, Asked)>,
    options: AskOptions,
    run_id: Option<&str>,
) -> PyResult<(String, Vec<String>)> {
    let searcher = &index.get().searcher;
    let run_id = named(run_id, searcher)?;
    let request = options.request(searcher.index().meta().config.ask)?;
    let request = request.threads(1);
    let requests: Vec<(String, AskRequest)> = (topics.into_iter())
        .map(|(topic, asked)| (topic, of_question(&request, asked)))
        .collect();
    let ranked = in_chunks(py, &requests, |requests| {
        let answers = requests.par_iter().map(|(_, request)| {
            let ranked = searcher.rank_texts(request)?.into_iter();
            let named = ranked.map(|(text, score)| {
                let text = searcher.index().text(text)?;
                Ok((text.text.id(), score))
            });
            named.collect::<Result<Vec<(String, f64)>, Raised>>()
        });
        answers.collect::<Result<Vec<_>, Raised>>()
    })?;
    let results = requests.iter().zip(ranked).map(|((topic, _), answers)| {
        let mut out = Vec::new();
        write_answers(&mut out, topic, &answers, &run_id)?;
        Ok(String::from_utf8(out)?)
    });
    let results = results.collect::<PyResult<_>>()?;
    Ok((run_id.to_string(), results))
}

/// The run id; `phocus-` and the configuration's name where none is given.
fn named(run_id: Option<&str>, searcher: &Searcher) -> Result<RunId, Raised> {
    let usual = || format!("phocus-{}", searcher.index().meta().config.name);
    let name = run_id.map_or_else(usual, str::to_owned);
    name.parse().map_err(Raised::argument)
}

/// The measures of each judged topic, and their means.
#[pyfunction]
pub fn evaluate(
    rows: Vec<(String, String, f64)>,
    judgments: Vec<(String, String, i32)>,
) -> PyResult<String> {
    let mut run = Run::default();
    for (topic, id, score) in rows {
        if score.is_nan() {
            let text = format!("expected a score, found NaN for {id} of topic {topic}");
            return Err(Raised::argument(text).into());
        }
        run.topics.entry(topic).or_default().push((id, score));
    }
    let mut qrels = Qrels::default();
    for (topic, id, grade) in judgments {
        qrels.topics.entry(topic).or_default().insert(id, grade);
    }
    let topics = eval::evaluate(&run, &qrels);
    crate::json(&serde_json::json!({"mean": eval::mean(&topics), "topics": topics}))
}
