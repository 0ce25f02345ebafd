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
use crate::index::{DocSet, GROUP, MAX_LIST_LEN, ones};

/// Groups in a cache line.
const LINE: usize = 8;

/// Every term must be held.
pub(super) struct Conjunctive<'a, P: Match> {
    /// Those that count, the rarest first.
    required: Vec<Term<'a, P>>,
    /// Those that only add to the score.
    others: Vec<Term<'a, P>>,
}

impl<'a, P: Match> Conjunctive<'a, P> {
    pub(super) fn new(terms: Vec<Term<'a, P>>) -> Self {
        let (mut required, others): (Vec<_>, _) = terms.into_iter().partition(|term| term.counts);
        required.sort_by_key(Term::frequency);
        Conjunctive { required, others }
    }
}

impl<P: Match> Engine for Conjunctive<'_, P> {
    type Scratch = Bars;

    const PRUNES: bool = true;
    const SEEDS: bool = false;

    fn scratch(&self) -> Bars {
        let terms: Vec<&Term<P>> = self.required.iter().chain(&self.others).collect();
        Bars::new(terms.iter().map(|term| term.most))
    }

    #[inline(always)]
    fn window<S: Simd>(
        &self,
        simd: S,
        window: &Window,
        bars: &mut Bars,
        found: &mut Candidates,
    ) -> Effort {
        let Some(mut present) = Present::every(&self.required, window.number) else {
            return Effort::default();
        };
        present.sort_by_key(|present| present.held.length);
        // After the shortest, sets before lists: a bit is looked up at once,
        // and leaves few formulas to gallop for.
        let is_list = |present: &Present<P>| matches!(present.held.members, DocSet::List(_));
        if let Some((_, others)) = present.split_first_mut() {
            others.sort_by_key(is_list);
        }
        let sum = self.required.iter().map(|term| term.most).sum();
        intersect(&present, |id| found.push(id, sum));
        if found.len() == 0 {
            return Effort::default();
        }
        let others = Present::all(&self.others, window.number);
        for other in &others {
            add_where_held(other, found);
        }
        present.extend(others);
        bars.read(window, 0);
        survivors::score(simd, &present, bars, found)
    }
}

/// Adds the most that a term can add to the candidates that hold it.
#[inline(always)]
fn add_where_held<P: Match>(present: &Present<P>, found: &mut Candidates) {
    let mut cursor = 0;
    let (ids, sums) = found.columns();
    for (id, sum) in ids.iter().zip(sums) {
        let is_held = match &present.held.members {
            DocSet::Bitmap(presence) => presence.holds(*id),
            few => few.rank(*id, &mut cursor).is_some(),
        };
        *sum += present.term.most * u32::from(is_held);
    }
}

/// Keeps the ids that are also members: how many are left.
#[inline(always)]
fn keep(ids: &mut [u16], members: &DocSet) -> usize {
    let mut left = 0;
    match members {
        // Without a branch: lookups do not wait for each other.
        DocSet::Bitmap(presence) => {
            for at in 0..ids.len() {
                let id = ids[at];
                ids[left] = id;
                left += usize::from(presence.holds(id));
            }
        }
        DocSet::List(_) => {
            let mut cursor = 0;
            for at in 0..ids.len() {
                let id = ids[at];
                ids[left] = id;
                left += usize::from(members.rank(id, &mut cursor).is_some());
            }
        }
    }
    left
}

/// Calls `each` with every formula that all hold, ascending.
#[inline(always)]
fn intersect<P: Match>(present: &[Present<P>], mut each: impl FnMut(u16)) {
    let Some((first, others)) = present.split_first() else {
        return;
    };
    match first.held.members {
        DocSet::List(ids) => {
            let mut left = [0; MAX_LIST_LEN];
            let (left, _) = left.split_at_mut(ids.len().min(MAX_LIST_LEN));
            left.copy_from_slice(ids);
            let mut len = left.len();
            for other in others {
                len = keep(&mut left[..len], &other.held.members);
            }
            left[..len].iter().for_each(|id| each(*id));
        }
        DocSet::Bitmap(first) => {
            let (lines, _) = first.bits.as_chunks::<LINE>();
            for (line, marks) in lines.iter().enumerate() {
                let mut marks = *marks;
                for other in others {
                    if let DocSet::Bitmap(presence) = other.held.members {
                        let bits = &presence.bits[line * LINE..][..LINE];
                        for (mark, bits) in marks.iter_mut().zip(bits) {
                            *mark &= bits;
                        }
                    }
                    // Most are empty soon: what is left is not even read.
                    if marks == [0; LINE] {
                        break;
                    }
                }
                for (group, marks) in marks.iter().enumerate() {
                    let first = (line * LINE + group) * GROUP;
                    ones(*marks).for_each(|bit| each((first + bit) as u16));
                }
            }
        }
    }
}
