//! m of n: formulas that hold at least so many of the query's tokens.
//!
//! Tokens are counted for 64 formulas at a time from presence bits; what holds
//! enough of them, and may be among the best, is scored.

use super::Effort;
use super::candidates::Candidates;
use super::kernel::{Match, Simd};
use super::pruned::Scratch;
use super::survivors;
use super::term::{Present, Term};
use super::window::{Engine, Window};

/// So many of the terms must be held.
pub(super) struct MOfN<'a, P: Match> {
    pub(super) terms: Vec<Term<'a, P>>,
    pub(super) least: u8,
}

impl<P: Match> Engine for MOfN<'_, P> {
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
        let mut present = Present::all(&self.terms, window.number);
        if present.len() < usize::from(self.least) {
            return Effort::default();
        }
        bars.read(window, 0);
        let shares = survivors::shares(&mut present, buffers, bars);
        survivors::select(simd, &shares, bars, self.least, window.wanted, marks);
        simd.list(&shares, marks, &bars.exact, found);
        survivors::score(simd, &present, bars, found)
    }
}
