//! Topics, questions and judgments.

use std::path::PathBuf;

use phocus::ask;
use phocus::corpus;
use phocus::eval::Qrels;
use pyo3::prelude::*;

use crate::errors::Raised;
use crate::options::taken_apart;

/// A topic: its number, its LaTeX and the id of its formula.
type Topic = (String, String, String);

/// The topics of a file.
#[pyfunction]
pub fn read_topics(path: PathBuf) -> PyResult<Vec<Topic>> {
    let topics = corpus::read_topics(&path).map_err(Raised::from)?;
    let topics = topics.into_iter();
    Ok(topics
        .map(|topic| (topic.number, topic.latex, topic.formula_id))
        .collect())
}

/// Parts of a text: what each is, and its text.
type Parts = Vec<(&'static str, String)>;

/// A question: its number, title, body and tags.
type Question = (String, Parts, Parts, Vec<String>);

/// The questions of a file.
#[pyfunction]
pub fn read_questions(path: PathBuf) -> PyResult<Vec<Question>> {
    let parts = |parts: &[corpus::TextPart]| -> Parts {
        let parts = parts.iter().map(taken_apart);
        parts.map(|(kind, text)| (kind, text.to_owned())).collect()
    };
    let topics = ask::read_questions(&path).map_err(Raised::from)?;
    let topics = topics.into_iter().map(|topic| {
        let ask::Question {
            title, body, tags, ..
        } = topic.question;
        (topic.number, parts(&title), parts(&body), tags)
    });
    Ok(topics.collect())
}

/// The judgments of a file, by topic and then by visual id.
#[pyfunction]
pub fn read_qrels(path: PathBuf) -> PyResult<Vec<(String, String, i32)>> {
    let qrels = Qrels::read(&path).map_err(Raised::from)?;
    let mut rows = Vec::new();
    for (topic, grades) in qrels.topics {
        let mut grades: Vec<(String, i32)> = grades.into_iter().collect();
        grades.sort_unstable();
        rows.extend((grades.into_iter()).map(|(id, grade)| (topic.clone(), id, grade)));
    }
    Ok(rows)
}
