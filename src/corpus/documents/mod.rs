//! Documents: prose with formulas in it, as people write it.
//!
//! Each reader turns the text of a file into the parts of a [`Document`]: text, headings and
//! formulas, in order, each formula with the place where it begins. What a formula is indexed
//! as, and the sentence that is shown around it, both come from there.

mod asciidoc;
mod delimited;
mod files;
mod html;
mod ipynb;
mod markdown;
mod places;
mod plain;
mod posts;
mod project;
mod records;
mod rows;
mod rst;
mod seen;
pub(crate) mod tex;
mod texts;
mod wikidump;
mod wikitext;
mod xml;

pub(super) use files::{DocumentReader, OpenDocuments};
pub use files::{Documents, Loaded, MAX_DOCUMENT_BYTES, ReadFile};
pub use places::{LineIndex, Surroundings};
#[cfg(feature = "ask")]
pub(crate) use texts::{of_html, of_plain_text};

use crate::corpus::PostId;
use crate::latex::macros::Macros;
use crate::latex::mathml;
use files::load;

/// Prose with formulas in it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Document {
    /// What is known of it besides its file.
    pub about: About,
    /// What it consists of, in order.
    pub parts: Vec<Part>,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

/// What is known of a document besides its file: a dump holds many.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct About {
    /// Its title: that of a page, or of a post's question, as text with formulas between dollars.
    pub title: Option<String>,
    /// The id of the post or of the page.
    pub post: Option<PostId>,
    /// The id of the question that a post belongs to.
    pub thread: Option<String>,
    /// What kind of text it is: title, question, answer or comment.
    pub kind: Option<String>,
    /// The tags of a question.
    pub tags: Vec<String>,
    /// Where it can be read, where the dump says so.
    pub url: Option<String>,
}

/// A part of a document.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// Text between formulas.
    Text(String),
    /// A formula.
    Formula(FoundFormula),
    /// The title of the document or of a section.
    Heading(Heading),
    /// The end of a paragraph.
    Break,
}

/// The title of a document or of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// Its text, with formulas between dollars.
    pub title: String,
    /// Where it stands, as a byte offset in the document's text.
    pub at: usize,
}

/// A formula of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundFormula {
    /// Its LaTeX, with the document's own macros replaced.
    pub latex: String,
    /// Whether it stands on lines of its own.
    pub is_display: bool,
    /// The name by which the document refers to it.
    pub label: Option<String>,
    /// The id that the document gives it.
    pub id: Option<String>,
    /// Where it begins, as a byte offset in the document's text.
    pub at: usize,
    /// Where its rows begin, the first one left out, if that is known.
    pub row_starts: Vec<usize>,
    /// Whether it is a row of the formula before it.
    pub is_row: bool,
}

/// Something that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where, as a byte offset in the document's text.
    pub at: usize,
    /// Why.
    pub reason: String,
}

impl Document {
    /// The formulas, in order.
    pub fn formulas(&self) -> impl Iterator<Item = &FoundFormula> {
        self.parts.iter().filter_map(|part| match part {
            Part::Formula(formula) => Some(formula),
            _ => None,
        })
    }

    /// All of it as text, with the formulas between dollars.
    pub fn prose(&self) -> String {
        let parts = self.parts.iter().map(|part| match part {
            Part::Text(text) => text.clone(),
            Part::Heading(heading) => format!("{}\n", heading.title),
            Part::Formula(formula) if formula.is_row => String::new(),
            Part::Formula(formula) => format!("${}$", formula.latex),
            Part::Break => "\n".to_owned(),
        });
        let words: String = parts.collect();
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn text(&mut self, more: &str) {
        match self.parts.last_mut() {
            Some(Part::Text(text)) => text.push_str(more),
            _ => self.parts.push(Part::Text(more.to_owned())),
        }
    }

    fn end_paragraph(&mut self) {
        if !matches!(
            self.parts.last(),
            None | Some(Part::Break | Part::Heading(_))
        ) {
            self.parts.push(Part::Break);
        }
    }

    fn heading(&mut self, title: &str, at: usize) {
        let words: Vec<&str> = title.split_whitespace().collect();
        if !words.is_empty() {
            let title = words.join(" ");
            self.parts.push(Part::Heading(Heading { title, at }));
        }
    }

    /// Adds the formulas and the problems of another, without its text.
    fn take_formulas(&mut self, other: Document) {
        let parts = other.parts.into_iter();
        let formulas = parts.filter(|part| matches!(part, Part::Formula(_)));
        self.parts.extend(formulas);
        self.problems.extend(other.problems);
    }

    /// Adds a formula, unless there is nothing in it.
    fn formula(&mut self, formula: FoundFormula) {
        if !formula.latex.trim().is_empty() {
            self.parts.push(Part::Formula(formula));
        }
    }

    fn last_formula(&mut self) -> Option<&mut FoundFormula> {
        self.parts.iter_mut().rev().find_map(|part| match part {
            Part::Formula(formula) => Some(formula),
            _ => None,
        })
    }

    fn problem(&mut self, at: usize, reason: impl Into<String>) {
        let reason = reason.into();
        self.problems.push(Problem { at, reason });
    }
}

/// What the formulas of a document have in common: its macros.
#[derive(Debug, Default)]
pub(crate) struct Formulas {
    macros: Macros,
}

impl Formulas {
    /// Adds a formula to a document, with the macros replaced that were defined before it. A
    /// formula that only defines macros adds none.
    fn add(&mut self, document: &mut Document, latex: &str, is_display: bool, at: usize) {
        let (latex, label) = tex::read_formula(latex, &mut self.macros);
        document.formula(FoundFormula {
            latex,
            is_display,
            label,
            id: None,
            at,
            row_starts: Vec::new(),
            is_row: false,
        });
    }
}

/// The LaTeX of a formula in MathML: that which it was made of, if it says so, or else that which
/// its elements stand for.
fn of_mathml(source: &str) -> Result<String, String> {
    let read = mathml::to_latex(source).map_err(|error| error.0)?;
    match read.annotation.or_else(|| alternative(source)) {
        Some(tex) => Ok(tex),
        None => read.latex.map_err(|error| error.0),
    }
}

/// The TeX in the attribute `alttext`, as Wikipedia and LaTeXML have it.
fn alternative(source: &str) -> Option<String> {
    let tag = &source[..source.find('>')? + 1];
    let value = tag.split_once("alttext=")?.1;
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let text = value[1..].split(quote).next()?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
