//! Judgments: how relevant a visually distinct formula is to a topic.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use super::{EvalError, read_lines};

/// Grades from this up are relevant to the measures that know only yes and no.
pub(super) const RELEVANT: i32 = 2;

/// Grades by topic and visual id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Qrels {
    /// Topics in the order of their names.
    pub topics: BTreeMap<String, HashMap<String, i32>>,
}

impl Qrels {
    /// Reads lines of topic, iteration, visual id, grade.
    ///
    /// # Errors
    /// When the file cannot be read or a line is something else.
    pub fn read(path: &Path) -> Result<Self, EvalError> {
        let expected = "topic, 0, visual id and grade";
        let rows = read_lines(path, expected, |line| {
            let mut fields = line.split_whitespace();
            let (topic, _, id, grade) = (
                fields.next()?,
                fields.next()?,
                fields.next()?,
                fields.next()?,
            );
            let grade: i32 = grade.parse().ok()?;
            fields
                .next()
                .is_none()
                .then(|| (topic.to_owned(), id.to_owned(), grade))
        })?;
        let mut qrels = Qrels::default();
        for (topic, id, grade) in rows {
            qrels.topics.entry(topic).or_default().insert(id, grade);
        }
        Ok(qrels)
    }

    /// Only the topics that are `wanted`.
    pub fn restrict(&mut self, wanted: &[String]) {
        self.topics.retain(|topic, _| wanted.contains(topic));
    }
}
