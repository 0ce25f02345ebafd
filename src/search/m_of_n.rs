//! m of n: formulas that hold at least so many of the query's tokens.
//!
//! Tokens are counted for 64 formulas at a time from presence bits; what holds
//! enough of them, and may be among the best, is scored.

use super::Effort;
use super::candidates::Candidates;
use super::kernel::{Match, Simd};
use super::survivors::{self, Scratch};
use super::term::Term;
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
        survivors::find(simd, &self.terms, (self.least, 0), window, scratch, found)
    }
}
