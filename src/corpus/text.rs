//! Texts: what a question is answered with, a post or a section of a file.

use serde::{Deserialize, Serialize};

use super::{FormulaId, Instance, PostId};

/// A post, or a section of a file, with its words and formulas.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text {
    /// The file, as it was named when it was read.
    pub source: String,
    /// The line where it begins, from 1.
    pub line: u64,
    /// Of a post: its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post: Option<PostId>,
    /// Of a post: the id of the question that it belongs to, which may be its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
    /// Of a post: `question`, `answer` or `other`.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The title of the document that a section is part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// The tags of a question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Where it can be read, where the input says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Its title.
    pub title: Vec<TextPart>,
    /// What follows the title.
    pub body: Vec<TextPart>,
}

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TextPart {
    /// Words.
    Words(String),
    /// A formula, as LaTeX.
    Formula(String),
    /// A formula that is a row of the one before it: it is found, and not shown again.
    Row(String),
    /// The end of a paragraph.
    Break,
}

/// A formula of a text: the number of the text, and which of its formulas it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TextPlace {
    pub(crate) text: u32,
    pub(crate) formula: u32,
}

impl Text {
    /// The title and what follows it.
    pub fn parts(&self) -> impl Iterator<Item = &TextPart> {
        self.title.iter().chain(&self.body)
    }

    /// How many formulas it has, rows included.
    pub(crate) fn formulas(&self) -> usize {
        let is_formula = |part: &&TextPart| part.latex().is_some();
        self.parts().filter(is_formula).count()
    }

    /// Its title as text, with formulas between dollars.
    pub fn title(&self) -> String {
        as_text(&self.title)
    }

    /// It as an occurrence, of which addresses are made.
    pub(crate) fn instance(&self) -> Instance {
        let fields = [
            ("source", Some(self.source.clone())),
            ("line", Some(self.line.to_string())),
            ("title", Some(self.title())),
            ("url", self.url.clone()),
        ];
        let known = fields.into_iter();
        Instance {
            post: self.post.clone(),
            thread: self.thread.clone(),
            kind: self.kind.clone(),
            fields: known
                .filter_map(|(name, value)| Some((name.to_owned(), value?)))
                .collect(),
            ..Instance::new(FormulaId::of_place(self.id()))
        }
    }

    /// What tells it from other texts: the id of the post, or its file and line.
    pub fn id(&self) -> String {
        match &self.post {
            Some(post) => post.to_string(),
            None => format!("{}:{}", self.source, self.line),
        }
    }
}

impl TextPart {
    /// The LaTeX of a formula.
    pub fn latex(&self) -> Option<&str> {
        match self {
            TextPart::Formula(latex) | TextPart::Row(latex) => Some(latex),
            TextPart::Words(_) | TextPart::Break => None,
        }
    }
}

/// Parts as text on one line, with formulas between dollars.
pub(crate) fn as_text(parts: &[TextPart]) -> String {
    let parts = parts.iter().map(|part| match part {
        TextPart::Words(words) => words.clone(),
        TextPart::Formula(latex) => format!("${latex}$"),
        TextPart::Row(_) => String::new(),
        TextPart::Break => "\n".to_owned(),
    });
    let text: String = parts.collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
