//! Bounded: only formulas whose upper bound reaches the threshold are scored.
//!
//! An upper bound of a formula's score follows from which of the query's
//! tokens it holds, as in MaxScore (Howard Turtle and James Flood, "Query
//! evaluation: strategies and optimizations", Information Processing and
//! Management 31(6), 1995). Here the bound is summed for every formula of a
//! window, 64 at a time, from presence bits. The few that reach the threshold
//! are scored term by term until they fall below it. With a minimum match,
//! the tokens that a formula holds are counted in the same pass.

use super::candidates::Candidates;
use super::refine::{self, Refinement, Scratch};
use super::term::Term;
use super::window::Window;
use super::{Engine, Worker};
use crate::search::SearchStats;
use crate::search::kernel::{Level, Match, Simd, Work};

/// A formula must hold at least some number of the tokens.
pub(in crate::search) struct Bounded<'a, P: Match> {
    terms: Vec<Term<'a, P>>,
    requirement: Requirement,
}

/// The requirements on a formula besides a sum that reaches the threshold.
#[derive(Debug, Clone, Copy)]
pub(super) struct Requirement {
    /// How many of the tokens that count towards the minimum match it must hold; 0 if a
    /// positive sum already shows that it holds enough.
    pub(super) min_tokens: u8,
    /// The smallest sum that a result may have.
    pub(super) floor: u32,
}

impl<'a, P: Match> Bounded<'a, P> {
    /// An engine for formulas that hold at least `min_tokens` of the terms that count
    /// towards the minimum match.
    pub(in crate::search) fn new(terms: Vec<Term<'a, P>>, min_tokens: usize) -> Self {
        // Where every token adds something to each formula that holds it, a positive
        // sum is a match, and tokens need not be counted.
        let sum_shows_match = (terms.iter()).all(|t| t.counts_toward_min_match && t.always_adds);
        let requirement = if min_tokens <= 1 && sum_shows_match {
            Requirement {
                min_tokens: 0,
                floor: 1,
            }
        } else {
            Requirement {
                min_tokens: min_tokens as u8,
                floor: 0,
            }
        };
        Bounded { terms, requirement }
    }
}

impl<P: Match> Engine for Bounded<'_, P> {
    fn shares_threshold(&self) -> bool {
        true
    }

    fn can_seed(&self) -> bool {
        true
    }

    fn worker(&self, level: Level) -> Box<dyn Worker + '_> {
        Box::new(BoundedWorker {
            engine: self,
            level,
            scratch: Scratch::new(&self.terms),
        })
    }
}

struct BoundedWorker<'e, 'a, P: Match> {
    engine: &'e Bounded<'a, P>,
    level: Level,
    scratch: Scratch,
}

impl<P: Match> Worker for BoundedWorker<'_, '_, P> {
    fn search_window(&mut self, window: &Window, candidates: &mut Candidates) -> SearchStats {
        self.level.run(InWindow(Refinement {
            terms: &self.engine.terms,
            requirement: self.engine.requirement,
            window,
            scratch: &mut self.scratch,
            candidates,
        }))
    }
}

struct InWindow<'w, 'a, P: Match>(Refinement<'w, 'a, P>);

impl<P: Match> Work for InWindow<'_, '_, P> {
    type Output = SearchStats;

    #[inline(always)]
    fn with<S: Simd>(self, simd: S) -> SearchStats {
        refine::find(simd, self.0)
    }
}
