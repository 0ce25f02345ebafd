//! A question, and how it is answered.

use std::sync::Arc;

use super::Question;
use crate::layout::Macros;
use crate::phoc::AskSettings;

/// A question, and how it is answered.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AskRequest {
    /// The question.
    pub question: Question,
    /// Macros that its formulas may use, besides those of the index's documents.
    pub macros: Option<Arc<Macros>>,
    /// How many of the best results are passed over.
    pub from: usize,
    /// How many results are wanted after these.
    pub k: usize,
    /// How the ranking weighs; none is as the index's configuration says.
    pub settings: Option<AskSettings>,
    /// Whether only answers are results, as in a run of ARQMath's Task 1.
    pub answers: bool,
    /// The most threads that are used; 0 is all of the current rayon pool.
    pub threads: usize,
}

impl AskRequest {
    /// The ten best texts for a question.
    pub fn new(question: Question) -> Self {
        AskRequest {
            question,
            macros: None,
            from: 0,
            k: 10,
            settings: None,
            answers: false,
            threads: 0,
        }
    }

    /// The same for this many results.
    pub fn k(mut self, k: usize) -> Self {
        self.k = k;
        self
    }

    /// The same from the result after this many.
    pub fn from(mut self, from: usize) -> Self {
        self.from = from;
        self
    }

    /// The same with these settings.
    pub fn settings(mut self, settings: Option<AskSettings>) -> Self {
        self.settings = settings;
        self
    }

    /// The same with macros that formulas may use.
    pub fn macros(mut self, macros: Option<Arc<Macros>>) -> Self {
        self.macros = macros;
        self
    }

    /// The same with answers alone, or with all texts.
    pub fn answers(mut self, answers: bool) -> Self {
        self.answers = answers;
        self
    }

    /// The same on at most this many threads; 0 is all of the current rayon pool.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }
}
