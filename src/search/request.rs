//! A request: what is searched for, and how.

use super::kernel::Level;
use super::{MinMatch, Strategy};
use crate::layout::Layout;
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
    /// How many results are wanted.
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
            k: 10,
            min_match: MinMatch::ANY,
            idf: None,
            rerank: None,
            distinct: false,
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
