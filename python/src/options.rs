//! The options of searches and of questions, as the Python modules give them.

use std::sync::Arc;

use phocus::ask::{AskRequest, Question};
use phocus::corpus::TextPart;
use phocus::layout::Macros;
use phocus::phoc::{AskSettings, Idf};
use phocus::search::{MinMatch, Request};
use pyo3::prelude::*;

use crate::errors::Raised;

/// How formulas are searched for. What is none is as the index's configuration says.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct SearchOptions {
    k: usize,
    from_: usize,
    min_match: Share,
    idf: Option<Switch>,
    rerank: Option<usize>,
    group: Option<String>,
    types: Vec<String>,
    sources: Vec<String>,
    macros: Option<String>,
    matched: bool,
    distinct: bool,
}

/// A share as a number or as text, such as `75%`.
#[derive(FromPyObject)]
enum Share {
    Text(String),
    Number(f64),
}

/// Whether, or how, rare symbols weigh more.
#[derive(FromPyObject)]
enum Switch {
    Is(bool),
    Text(String),
}

impl SearchOptions {
    /// A request with these options, whose formula is still to be told.
    pub fn request(self) -> Result<Request, Raised> {
        let min_match = match &self.min_match {
            Share::Text(text) => text.parse::<MinMatch>(),
            Share::Number(number) => number.to_string().parse(),
        };
        let mut request = Request::latex("")
            .k(self.k)
            .from(self.from_)
            .min_match(min_match.map_err(Raised::argument)?)
            .kinds(self.types)
            .sources(self.sources)
            .macros(macros(self.macros.as_deref()))
            .matched(self.matched)
            .distinct(self.distinct);
        if let Some(idf) = self.idf {
            request = request.idf(match idf {
                Switch::Is(is_on) => is_on.into(),
                Switch::Text(text) => text.parse::<Idf>().map_err(Raised::argument)?,
            });
        }
        if let Some(depth) = self.rerank {
            request = request.rerank(depth);
        }
        if let Some(group) = self.group {
            request = request.group(group.parse().map_err(Raised::argument)?);
        }
        Ok(request)
    }
}

/// Macros by the LaTeX that defines them.
pub fn macros(latex: Option<&str>) -> Option<Arc<Macros>> {
    latex.map(|latex| Arc::new(Macros::read(latex)))
}

/// How questions are answered. What is none is as the index's configuration says.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct AskOptions {
    k: usize,
    from_: usize,
    answers: bool,
    alpha: Option<f64>,
    macros: Option<String>,
}

impl AskOptions {
    /// A request with these options, whose question is still to be told.
    pub fn request(self, usual: AskSettings) -> Result<AskRequest, Raised> {
        let settings = AskSettings {
            alpha: self.alpha.unwrap_or(usual.alpha),
            ..usual
        };
        settings.check().map_err(Raised::argument)?;
        Ok(AskRequest::new(Question::default())
            .k(self.k)
            .from(self.from_)
            .answers(self.answers)
            .settings(Some(settings))
            .macros(macros(self.macros.as_deref())))
    }
}

/// A question as it is typed, or in the parts that a topic has.
#[derive(FromPyObject)]
pub enum Asked {
    /// A text with formulas between dollars.
    Typed(String),
    /// A topic: title, body and tags.
    Topic(Parts, Parts, Vec<String>),
}

/// Parts of a text: what each is, and its text.
type Parts = Vec<(String, String)>;

impl Asked {
    /// The question.
    pub fn question(self) -> Question {
        match self {
            Asked::Typed(text) => Question::read(&text),
            Asked::Topic(title, body, tags) => {
                let mut question = Question {
                    title: title.into_iter().map(part).collect(),
                    body: body.into_iter().map(part).collect(),
                    tags,
                    ..Question::default()
                };
                question.options.min_characters = TOPIC_CHARACTERS;
                question
            }
        }
    }
}

/// The fewest characters of a topic's formula that is searched for, as
/// [`read_questions`](phocus::ask::read_questions) has it.
const TOPIC_CHARACTERS: usize = 3;

fn part((kind, text): (String, String)) -> TextPart {
    match kind.as_str() {
        "formula" => TextPart::Formula(text),
        "row" => TextPart::Row(text),
        "break" => TextPart::Break,
        _ => TextPart::Words(text),
    }
}

/// A part of a text as what it is, and its text.
pub fn taken_apart(part: &TextPart) -> (&'static str, &str) {
    match part {
        TextPart::Words(words) => ("words", words),
        TextPart::Formula(latex) => ("formula", latex),
        TextPart::Row(latex) => ("row", latex),
        TextPart::Break => ("break", ""),
    }
}
