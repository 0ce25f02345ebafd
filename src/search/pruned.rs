//! Pruned: only formulas that may be among the best are scored.
//!
//! What a formula can score at most is known from which of the query's tokens
//! it holds, as in MaxScore (Turtle and Flood, "Query evaluation: strategies
//! and optimizations", 1995); here this bound is summed for every formula, 64
//! at a time, from presence bits. The few that reach the bar are scored term
//! by term until they fall under it. With a threshold, formulas must hold so
//! many of the tokens too: that is [`MOfN`](super::m_of_n::MOfN).

use super::Effort;
use super::candidates::Candidates;
use super::kernel::{Match, Simd};
use super::survivors::{self, Scratch};
use super::term::Term;
use super::window::{Engine, Window};

/// Every token counts, and one is enough.
pub(super) struct Pruned<'a, P: Match> {
    pub(super) terms: Vec<Term<'a, P>>,
}

impl<P: Match> Engine for Pruned<'_, P> {
    type Scratch = Scratch;

    const PRUNES: bool = true;
    const SEEDS: bool = true;

    fn scratch(&self) -> Scratch {
        Scratch::new(&self.terms)
    }

    #[inline(always)]
    fn window<S: Simd>(
        &self,
        simd: S,
        window: &Window,
        scratch: &mut Scratch,
        found: &mut Candidates,
    ) -> Effort {
        // One bit is enough, and every token that is held shares one.
        survivors::find(simd, &self.terms, (0, 1), window, scratch, found)
    }
}
