//! The texts that were found, and how.

use std::time::Duration;

use serde::{Serialize, Serializer};

/// What was found for a question, and how.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AskResponse {
    /// The texts, best first.
    pub hits: Vec<TextHit>,
    /// How many texts have any word of the question, or a formula like one of its formulas.
    pub found: usize,
    /// The words of the question.
    pub words: Vec<AskedWord>,
    /// The formulas of the question.
    pub formulas: Vec<AskedFormula>,
    /// What was guessed or left out to read the question, each in a sentence.
    pub notes: Vec<String>,
    /// The time that the answer took.
    #[serde(rename = "took_ms", serialize_with = "write_ms")]
    pub took: Duration,
    /// Where that time went.
    pub times: AskTimes,
}

/// Where the time of an answer went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct AskTimes {
    /// Finding the formulas most like those of the question.
    #[serde(rename = "formulas_ms", serialize_with = "write_ms")]
    pub formulas: Duration,
    /// Reading which texts hold the words.
    #[serde(rename = "words_ms", serialize_with = "write_ms")]
    pub words: Duration,
    /// Joining words and formulas, and ranking.
    #[serde(rename = "joining_ms", serialize_with = "write_ms")]
    pub joining: Duration,
    /// Reading the texts, and choosing what is shown of them.
    #[serde(rename = "showing_ms", serialize_with = "write_ms")]
    pub showing: Duration,
}

fn write_ms<S: Serializer>(took: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(took.as_secs_f64() * 1e3)
}

/// A word of the question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct AskedWord {
    /// The word, as it was first written.
    pub word: String,
    /// Its stem, by which it is found.
    pub stem: String,
    /// How many texts have it.
    pub texts: u64,
}

/// A formula of the question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct AskedFormula {
    /// The formula, as it was written.
    pub latex: String,
    /// The formula as it was read; empty where it cannot be.
    pub read_as: String,
    /// How many formulas like it count.
    pub formulas: usize,
}

/// A text that was found: a post, or a section of a file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TextHit {
    /// Its place among the results, from 1.
    pub rank: usize,
    /// The id of the post, or the file and the line.
    pub id: String,
    /// `question`, `answer` or `other` for a post; none for a section of a file.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Its score.
    pub score: f64,
    /// What words add to the score.
    pub words_score: f64,
    /// What formulas add to the score.
    pub formulas_score: f64,
    /// Its title, or that of its question, with formulas between dollars.
    pub title: String,
    /// The same in parts, with what was matched.
    pub title_parts: Vec<PassagePart>,
    /// The title of the document that a section is part of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// The passage that says most of what was asked.
    pub passage: Vec<PassagePart>,
    /// Whether the passage is one of its question, because the text itself has nothing that was
    /// asked for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub passage_in_question: bool,
    /// The id of its question, for an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// The tags of its question.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The file.
    pub source: String,
    /// The line where it begins.
    pub line: u64,
    /// Where it can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The number of the text in the index.
    #[serde(skip)]
    pub text: usize,
}

/// A part of a passage.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum PassagePart {
    /// Text.
    Text {
        /// The text.
        text: String,
        /// Whether it is a word of the question.
        matched: bool,
    },
    /// A formula.
    Formula {
        /// Its LaTeX.
        latex: String,
        /// The formula of the question that it is most like, by its place from 1, if it counts.
        #[serde(skip_serializing_if = "Option::is_none")]
        query: Option<usize>,
        /// How alike the two are, from 0 to 1.
        #[serde(skip_serializing_if = "Option::is_none")]
        likeness: Option<f64>,
    },
    /// Something is left out.
    Gap,
}

impl PassagePart {
    /// Parts as text, with formulas between dollars.
    pub fn as_text(parts: &[PassagePart]) -> String {
        let parts = parts.iter().map(|part| match part {
            PassagePart::Text { text, .. } => text.clone(),
            PassagePart::Formula { latex, .. } => format!("${latex}$"),
            PassagePart::Gap => "…".to_owned(),
        });
        parts.collect()
    }
}
