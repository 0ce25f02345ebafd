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
use super::survivors::{self, Bars};
use super::term::{Present, Term};
use super::window::{Engine, Window};
use crate::index::{GROUPS, PresenceBuffer};

/// Every token counts, and one is enough.
pub(super) struct Pruned<'a, P: Match> {
    pub(super) terms: Vec<Term<'a, P>>,
}

/// What a thread keeps.
pub(super) struct Scratch {
    pub(super) buffers: Vec<PresenceBuffer>,
    pub(super) bars: Bars,
    pub(super) marks: [u64; GROUPS],
}

impl Scratch {
    pub(super) fn new<P: Match>(terms: &[Term<P>]) -> Self {
        Scratch {
            buffers: vec![PresenceBuffer::default(); terms.len()],
            bars: Bars::new(terms.iter().map(|term| term.most)),
            marks: [0; GROUPS],
        }
    }
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
        let Scratch {
            buffers,
            bars,
            marks,
        } = scratch;
        bars.read(window, 1);
        let mut present = Present::all(&self.terms, window.number);
        let shares = survivors::shares(&mut present, buffers, bars);
        survivors::select(simd, &shares, bars, 0, window.wanted, marks);
        simd.list(&shares, marks, &bars.exact, found);
        survivors::score(simd, &present, bars, found)
    }
}
