//! Run files: written to ARQMath's rules, read as ARQMath's or TREC's.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::str::FromStr;

use super::{EvalError, read_lines};
use crate::names::{UnknownName, by_name};
use crate::search::{Hit, Response};

/// How a run is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RunFormat {
    /// topic, formula id, post id, rank, score, run id; tabs between.
    #[default]
    Arqmath,
    /// topic, Q0, visual id, rank, score, run id; spaces between.
    Trec,
}

impl fmt::Display for RunFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RunFormat::Arqmath => "arqmath",
            RunFormat::Trec => "trec",
        })
    }
}

impl FromStr for RunFormat {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        by_name(&[RunFormat::Arqmath, RunFormat::Trec], text)
    }
}

/// The name that a run gives itself in each of its lines: one word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunId(String);

/// A text that is no [`RunId`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a run id of one word, without spaces; found `{0}`")]
pub struct RunIdError(String);

impl FromStr for RunId {
    type Err = RunIdError;

    fn from_str(text: &str) -> Result<Self, RunIdError> {
        if text.is_empty() || text.contains(char::is_whitespace) {
            Err(RunIdError(text.to_owned()))
        } else {
            Ok(RunId(text.to_owned()))
        }
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A result, as a run has it.
#[derive(Debug, Clone, PartialEq)]
pub struct RunRow {
    /// The formula's id.
    pub formula_id: String,
    /// Its visual id.
    pub visual_id: String,
    /// The post that holds it, empty where it is unknown.
    pub post_id: String,
    /// Its score.
    pub score: f64,
}

/// The rows of a response. Their scores have its order: a re-ranked hit has its likeness
/// plus 1, every other hit a score below 1.
pub fn run_rows(response: &Response) -> Vec<RunRow> {
    let best = response.hits.iter().map(|hit| hit.score);
    let best = best.fold(0.0, f64::max);
    let score = |hit: &Hit| match hit.likeness {
        Some(likeness) => 1.0 + likeness,
        None if response.rerank > 0 => hit.score / (best + 1.0),
        None => hit.score,
    };
    let row = |hit: &Hit| RunRow {
        formula_id: hit.first.id.to_string(),
        visual_id: hit.visual_id().to_owned(),
        post_id: (hit.first.post.as_ref()).map_or_else(String::new, ToString::to_string),
        score: score(hit),
    };
    response.hits.iter().map(row).collect()
}

/// Writes the results of one topic, which must be in order.
///
/// Scorers sort again by score, some as f32 and ties by id, so written scores
/// strictly decrease even as f32: a tie is written as the next lower number.
///
/// # Errors
/// When it cannot be written.
pub fn write_topic(
    out: &mut dyn Write,
    topic: &str,
    rows: &[RunRow],
    run_id: &RunId,
    format: RunFormat,
) -> io::Result<()> {
    let mut last = f32::INFINITY;
    for (rank, row) in (1..).zip(rows) {
        let score = (row.score as f32).min(last.next_down());
        last = score;
        match format {
            RunFormat::Arqmath => {
                let post = if row.post_id.is_empty() {
                    "-"
                } else {
                    &row.post_id
                };
                let id = &row.formula_id;
                writeln!(out, "{topic}\t{id}\t{post}\t{rank}\t{score}\t{run_id}")?;
            }
            RunFormat::Trec => {
                let id = &row.visual_id;
                writeln!(out, "{topic} Q0 {id} {rank} {score} {run_id}")?;
            }
        }
    }
    Ok(())
}

/// Writes the answers to one question, which must be in order: topic, post, rank, score, run id,
/// with tabs between, as ARQMath's Task 1 has them. Scores strictly decrease, as in
/// [`write_topic`].
///
/// # Errors
/// When it cannot be written.
pub fn write_answers(
    out: &mut dyn Write,
    topic: &str,
    answers: &[(String, f64)],
    run_id: &RunId,
) -> io::Result<()> {
    let mut last = f32::INFINITY;
    for (rank, (post, score)) in (1..).zip(answers) {
        let score = (*score as f32).min(last.next_down());
        last = score;
        writeln!(out, "{topic}\t{post}\t{rank}\t{score}\t{run_id}")?;
    }
    Ok(())
}

/// What the ids of a run are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RunIds {
    /// Those of formulas.
    #[default]
    Formulas,
    /// Visual ids, as a TREC run has them.
    Visual,
    /// Those of posts, as a run of Task 1 has them.
    Posts,
}

/// A run as it was read: for each topic, ids with scores in the file's order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Run {
    /// Its run id.
    pub name: String,
    /// What its ids are.
    pub ids: RunIds,
    /// Results by topic.
    pub topics: BTreeMap<String, Vec<(String, f64)>>,
    /// The post of each formula that has one.
    pub posts: HashMap<String, String>,
}

impl Run {
    /// Reads a run of ARQMath's Task 1 or 2, or a TREC run. The format is that of its lines, the last
    /// line's if they differ.
    ///
    /// # Errors
    /// When the file cannot be read or a line is something else.
    pub fn read(path: &Path) -> Result<Self, EvalError> {
        let expected = "topic, formula id, post id, rank, score and run id, or topic, post id, rank, score and run id, or topic, Q0, id, rank, score and run id";
        let rows = read_lines(path, expected, |line| {
            let fields: Vec<&str> = if line.contains('\t') {
                line.split('\t').map(str::trim).collect()
            } else {
                line.split_whitespace().collect()
            };
            if let &[topic, post, _, score, name] = &fields[..] {
                let score: f64 = score.parse().ok().filter(|score: &f64| !score.is_nan())?;
                let row = (topic.to_owned(), post.to_owned(), score, None);
                return Some((row, RunIds::Posts, name.to_owned()));
            }
            let &[topic, second, third, _, score, name] = &fields[..] else {
                return None;
            };
            let is_trec = second.eq_ignore_ascii_case("Q0");
            let ids = if is_trec {
                RunIds::Visual
            } else {
                RunIds::Formulas
            };
            let id = if is_trec { third } else { second };
            let score: f64 = score.parse().ok()?;
            let post = (!is_trec && third != "-").then(|| third.to_owned());
            let row = (topic.to_owned(), id.to_owned(), score, post);
            (!score.is_nan()).then(|| (row, ids, name.to_owned()))
        })?;
        let mut run = Run::default();
        for ((topic, id, score, post), ids, name) in rows {
            if let Some(post) = post {
                run.posts.insert(id.clone(), post);
            }
            run.topics.entry(topic).or_default().push((id, score));
            run.ids = ids;
            run.name = name;
        }
        Ok(run)
    }

    /// Puts visual ids for formula ids, where `visual_ids` has them. An id
    /// that is a visual id may be another formula's id: those stay.
    pub fn map_ids(&mut self, visual_ids: &HashMap<String, String>) {
        if self.ids != RunIds::Formulas {
            return;
        }
        for (id, _) in self.topics.values_mut().flatten() {
            if let Some(visual_id) = visual_ids.get(id) {
                id.clone_from(visual_id);
            }
        }
    }

    /// All ids in it.
    pub fn all_ids(&self) -> HashSet<&str> {
        self.topics
            .values()
            .flatten()
            .map(|(id, _)| id.as_str())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rows(scores: &[f64]) -> Vec<RunRow> {
        let row = |(id, score): (usize, &f64)| RunRow {
            formula_id: id.to_string(),
            visual_id: format!("v{id}"),
            post_id: String::new(),
            score: *score,
        };
        scores.iter().enumerate().map(row).collect()
    }

    fn written(scores: &[f64], format: RunFormat) -> String {
        let mut out = Vec::new();
        write_topic(
            &mut out,
            "B.1",
            &rows(scores),
            &"me".parse().unwrap(),
            format,
        )
        .unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn both_formats() {
        assert_eq!(
            written(&[2.5], RunFormat::Arqmath),
            "B.1\t0\t-\t1\t2.5\tme\n"
        );
        assert_eq!(written(&[2.5], RunFormat::Trec), "B.1 Q0 v0 1 2.5 me\n");
    }

    proptest! {
        /// For any ties, a scorer that reads f32 or f64 finds the written order.
        #[test]
        fn scores_strictly_decrease(mut scores in proptest::collection::vec(0.0f64..3.0, 0..50), ties in 1usize..4) {
            scores.sort_by(|a, b| b.total_cmp(a));
            let scores: Vec<f64> = scores.iter().flat_map(|s| std::iter::repeat_n(*s, ties)).collect();
            let file = tempfile::NamedTempFile::new().unwrap();
            std::fs::write(file.path(), written(&scores, RunFormat::Arqmath)).unwrap();
            if scores.is_empty() {
                prop_assert!(Run::read(file.path()).is_err());
                return Ok(());
            }
            let read = Run::read(file.path()).unwrap();
            let results = &read.topics["B.1"];
            prop_assert_eq!(results.len(), scores.len());
            prop_assert!(results.is_sorted_by(|a, b| a.1 > b.1 && (a.1 as f32) > (b.1 as f32)));
            for ((id, score), (at, wanted)) in results.iter().zip(scores.iter().enumerate()) {
                prop_assert_eq!(id, &at.to_string());
                prop_assert!((score - wanted).abs() < 1e-4);
            }
        }
    }
}
