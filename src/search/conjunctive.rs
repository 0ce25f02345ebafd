//! Conjunctive: formulas that hold every one of the query's tokens.
//!
//! In each window the shortest list leads. Where it is a list of ids, each is
//! looked up in the others, by bit or by galloping (Demaine, López-Ortiz and
//! Munro, "Adaptive set intersections", 2000); where it is a set, so are all,
//! and they are intersected 64 formulas at a time. Only what is left is scored.

use super::Effort;
use super::candidates::Candidates;
use super::kernel::{Match, Simd};
use super::survivors::{self, Bars};
use super::term::{Present, Term};
use super::window::{Engine, Window};
use crate::index::{GROUP, Members, ones};

/// Every term must be held.
pub(super) struct Conjunctive<'a, P: Match> {
    pub(super) terms: Vec<Term<'a, P>>,
}

impl<P: Match> Engine for Conjunctive<'_, P> {
    type Scratch = Bars;

    const PRUNES: bool = true;
    const SEEDS: bool = false;

    fn scratch(&self) -> Bars {
        Bars::new(self.terms.iter().map(|term| term.most))
    }

    #[inline(always)]
    fn window<S: Simd>(
        &self,
        simd: S,
        window: &Window,
        bars: &mut Bars,
        found: &mut Candidates,
    ) -> Effort {
        let mut present = Present::all(&self.terms, window.number);
        if present.len() < self.terms.len() {
            return Effort::default();
        }
        present.sort_by_key(|present| present.held.payloads.len());
        // After the shortest, sets before lists: a bit is looked up at once,
        // and leaves few formulas to gallop for.
        let is_list = |present: &Present<P>| matches!(present.held.members, Members::Few(_));
        if let Some((_, others)) = present.split_first_mut() {
            others.sort_by_key(is_list);
        }
        bars.read(window, 0);
        let sum = self.terms.iter().map(|term| term.most).sum();
        intersect(&present, |id| {
            if sum >= bars.of(id) {
                found.push(id, sum);
            }
        });
        survivors::score(simd, &present, bars, found)
    }
}

/// Calls `each` with every formula that all hold, ascending.
#[inline(always)]
fn intersect<P: Match>(present: &[Present<P>], mut each: impl FnMut(u16)) {
    let Some((first, others)) = present.split_first() else {
        return;
    };
    match first.held.members {
        Members::Few(ids) => {
            let mut cursors = vec![0; others.len()];
            for id in ids {
                let mut others = others.iter().zip(&mut cursors);
                if others.all(|(other, cursor)| other.held.members.rank(*id, cursor).is_some()) {
                    each(*id);
                }
            }
        }
        Members::Many(first) => {
            let mut marks = *first.bits;
            for other in others {
                if let Members::Many(presence) = other.held.members {
                    for (mark, bits) in marks.iter_mut().zip(presence.bits) {
                        *mark &= bits;
                    }
                }
            }
            for (group, marks) in marks.iter().enumerate() {
                ones(*marks).for_each(|bit| each((group * GROUP + bit) as u16));
            }
        }
    }
}
