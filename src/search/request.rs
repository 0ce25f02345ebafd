//! A request: what is searched for, and how.

use std::sync::Arc;

use super::kernel::Level;
use super::{Group, MinMatch, Strategy};
use crate::corpus::Instance;
use crate::layout::{Layout, Macros};
use crate::phoc::Idf;

/// The formula that is searched for.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Formula {
    /// LaTeX source.
    Latex(String),
    /// An SVG drawing.
    Svg(String),
    /// A formula that is laid out already.
    Layout(Layout),
}

/// What is searched for, and how.
///
/// The defaults are those of the command line: the ten best formulas, any one
/// symbol in common, IDF and re-ranking as the index's configuration says, on
/// all cores.
///
/// ```
/// use phocus::search::{MinMatch, Request};
///
/// let request = Request::latex(r"\int_0^1 x\,dx")
///     .k(5)
///     .min_match(MinMatch::ALL);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Request {
    /// The formula.
    pub formula: Formula,
    /// Macros that the formula may use, besides those of the index's documents.
    pub macros: Option<Arc<Macros>>,
    /// How many of the best results are passed over, as those of earlier pages.
    pub from: usize,
    /// How many results are wanted after these.
    pub k: usize,
    /// How much of the query a result must hold.
    pub min_match: MinMatch,
    /// Whether rare tokens weigh more; `None` is as the index's configuration says.
    pub idf: Option<Idf>,
    /// How many of the first results are re-ranked; `None` is as the index's
    /// configuration says.
    pub rerank: Option<usize>,
    /// Whether a visual id is a result only once, as a run wants it.
    pub distinct: bool,
    /// Which formulas are one result. `from` and `k` then count groups, and `distinct` has no
    /// effect.
    pub group: Group,
    /// The types of text that a result must be in: of a question, of an answer. None are all.
    pub kinds: Vec<String>,
    /// The sources that a result must be from, as the input's field `source` names them. None are
    /// all. With types, one occurrence must be both in such a type and from such a source.
    pub sources: Vec<String>,
    /// Whether each hit says which symbols of the query it holds, and where.
    pub matched: bool,
    /// The most threads that are used; 0 is all of the current rayon pool.
    pub threads: usize,
    /// The engine; `None` lets the plan choose. All engines give the same
    /// results.
    pub strategy: Option<Strategy>,
    /// The instructions that are used; `None` is the best that the processor
    /// has. All give the same results.
    pub level: Option<Level>,
}

impl Request {
    /// Searches for a formula in any form.
    pub fn new(formula: Formula) -> Self {
        Request {
            formula,
            macros: None,
            from: 0,
            k: 10,
            min_match: MinMatch::ANY,
            idf: None,
            rerank: None,
            distinct: false,
            group: Group::None,
            kinds: Vec::new(),
            sources: Vec::new(),
            matched: true,
            threads: 0,
            strategy: None,
            level: None,
        }
    }

    /// Searches for a LaTeX formula.
    pub fn latex(latex: impl Into<String>) -> Self {
        Request::new(Formula::Latex(latex.into()))
    }

    /// Searches for the formula that an SVG draws.
    pub fn svg(svg: impl Into<String>) -> Self {
        Request::new(Formula::Svg(svg.into()))
    }

    /// Searches for a formula that is laid out already.
    pub fn layout(layout: Layout) -> Self {
        Request::new(Formula::Layout(layout))
    }

    /// The same with macros that the formula may use.
    pub fn macros(mut self, macros: Option<Arc<Macros>>) -> Self {
        self.macros = macros;
        self
    }

    /// The same from the result after this many: a page begins where the one before it ends.
    ///
    /// ```
    /// use phocus::search::Request;
    ///
    /// let second_page = Request::latex("x^2").from(20).k(20);
    /// ```
    pub fn from(mut self, from: usize) -> Self {
        self.from = from;
        self
    }

    /// The rank of the last result that is wanted.
    pub(super) fn last(&self) -> usize {
        self.from.saturating_add(self.k)
    }

    /// The same for this many results.
    pub fn k(mut self, k: usize) -> Self {
        self.k = k;
        self
    }

    /// The same with this minimum match.
    pub fn min_match(mut self, min_match: MinMatch) -> Self {
        self.min_match = min_match;
        self
    }

    /// The same with this IDF, whatever the index's configuration says.
    pub fn idf(mut self, idf: impl Into<Idf>) -> Self {
        self.idf = Some(idf.into());
        self
    }

    /// The same with this many of the first results re-ranked; 0 is none.
    pub fn rerank(mut self, depth: usize) -> Self {
        self.rerank = Some(depth);
        self
    }

    /// The same with each visual id only once, or as often as it comes.
    pub fn distinct(mut self, distinct: bool) -> Self {
        self.distinct = distinct;
        self
    }

    /// The same with formulas that differ only in writing, or in the names of variables too, as
    /// one result.
    ///
    /// ```
    /// use phocus::search::{Group, Request};
    ///
    /// // x^2 and x^2, with a comma are one result.
    /// let request = Request::latex("x^2").group(Group::Writing);
    /// ```
    pub fn group(mut self, group: Group) -> Self {
        self.group = group;
        self
    }

    /// The same for formulas that occur in text of one of these types, such as `question`.
    pub fn kinds(mut self, kinds: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.kinds = kinds.into_iter().map(Into::into).collect();
        self
    }

    /// The same for formulas that occur in one of these sources, as the input's field `source`
    /// names them.
    pub fn sources(mut self, sources: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.sources = sources.into_iter().map(Into::into).collect();
        self
    }

    /// Whether an occurrence is of one of the wanted types and from one of the wanted sources.
    pub(super) fn passes(&self, instance: &Instance) -> bool {
        let is_one = |wanted: &[String], value: Option<&str>| {
            wanted.is_empty() || value.is_some_and(|value| wanted.iter().any(|one| one == value))
        };
        is_one(&self.kinds, instance.kind.as_deref()) && is_one(&self.sources, instance.source())
    }

    /// The same with the matched symbols of each hit, or without.
    pub fn matched(mut self, matched: bool) -> Self {
        self.matched = matched;
        self
    }

    /// The same on at most this many threads; 0 is all of the current rayon pool.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// The same by this engine.
    pub fn strategy(mut self, strategy: Strategy) -> Self {
        self.strategy = Some(strategy);
        self
    }

    /// The same with these instructions of the processor.
    pub fn level(mut self, level: Level) -> Self {
        self.level = Some(level);
        self
    }
}
