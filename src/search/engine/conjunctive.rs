//! Conjunctive: formulas that hold every one of the query's tokens.
//!
//! In each window the shortest list leads. Where it is a list of ids, each is
//! looked up in the others, by bit or by galloping (Erik Demaine, Alejandro
//! López-Ortiz and J. Ian Munro, "Adaptive set intersections, unions, and
//! differences", SODA 2000); where it is a bitmap, so are all, and they are
//! intersected 64 formulas at a time. Only the formulas that remain are scored.

use super::candidates::Candidates;
use super::refine::{self, WindowThresholds};
use super::term::{Term, TermInWindow};
use super::window::Window;
use super::{Engine, Worker};
use crate::index::{DocSet, GROUP, MAX_LIST_LEN, ones};
use crate::search::SearchStats;
use crate::search::kernel::{Level, Match, Simd, Work};

/// Groups in a cache line.
const LINE: usize = 8;

/// Every term that counts towards the minimum match must be held.
pub(in crate::search) struct Conjunctive<'a, P: Match> {
    /// The terms that count towards the minimum match, the rarest first.
    required: Vec<Term<'a, P>>,
    /// The terms that only add to the score.
    others: Vec<Term<'a, P>>,
}

impl<'a, P: Match> Conjunctive<'a, P> {
    pub(in crate::search) fn new(terms: Vec<Term<'a, P>>) -> Self {
        let (mut required, others): (Vec<_>, _) =
            (terms.into_iter()).partition(|term| term.counts_toward_min_match);
        required.sort_by_key(Term::frequency);
        Conjunctive { required, others }
    }
}

impl<P: Match> Engine for Conjunctive<'_, P> {
    fn shares_threshold(&self) -> bool {
        true
    }

    fn can_seed(&self) -> bool {
        false
    }

    fn worker(&self, level: Level) -> Box<dyn Worker + '_> {
        let terms: Vec<&Term<P>> = self.required.iter().chain(&self.others).collect();
        Box::new(ConjunctiveWorker {
            engine: self,
            level,
            thresholds: WindowThresholds::new(terms.iter().map(|term| term.max_gain)),
        })
    }
}

struct ConjunctiveWorker<'e, 'a, P: Match> {
    engine: &'e Conjunctive<'a, P>,
    level: Level,
    thresholds: WindowThresholds,
}

impl<P: Match> Worker for ConjunctiveWorker<'_, '_, P> {
    fn search_window(&mut self, window: &Window, candidates: &mut Candidates) -> SearchStats {
        self.level.run(InWindow {
            engine: self.engine,
            thresholds: &mut self.thresholds,
            window,
            candidates,
        })
    }
}

struct InWindow<'w, 'a, P: Match> {
    engine: &'w Conjunctive<'a, P>,
    thresholds: &'w mut WindowThresholds,
    window: &'w Window<'w>,
    candidates: &'w mut Candidates,
}

impl<P: Match> Work for InWindow<'_, '_, P> {
    type Output = SearchStats;

    #[inline(always)]
    fn with<S: Simd>(self, simd: S) -> SearchStats {
        let InWindow {
            engine,
            thresholds,
            window,
            candidates,
        } = self;
        let Some(mut present) = TermInWindow::every(&engine.required, window.number) else {
            return SearchStats::default();
        };
        present.sort_by_key(|present| present.postings.length);
        // After the shortest, bitmaps before lists: a bit is looked up at once,
        // and leaves few formulas to gallop for.
        let is_list = |present: &TermInWindow<P>| matches!(present.postings.docs, DocSet::List(_));
        if let Some((_, others)) = present.split_first_mut() {
            others.sort_by_key(is_list);
        }
        let sum = engine.required.iter().map(|term| term.max_gain).sum();
        intersect(&present, |id| {
            if window.passes(usize::from(id)) {
                candidates.push(id, sum);
            }
        });
        if candidates.len() == 0 {
            return SearchStats::default();
        }
        let others = TermInWindow::all(&engine.others, window.number);
        for other in &others {
            add_max_gain(other, candidates);
        }
        present.extend(others);
        thresholds.read(window, 0);
        refine::score(simd, &present, thresholds, candidates)
    }
}

/// Adds a term's largest gain to the sums of the candidates that hold it.
#[inline(always)]
fn add_max_gain<P: Match>(present: &TermInWindow<P>, candidates: &mut Candidates) {
    let mut cursor = 0;
    let (ids, sums) = candidates.columns();
    for (id, sum) in ids.iter().zip(sums) {
        let is_held = match &present.postings.docs {
            DocSet::Bitmap(bitmap) => bitmap.holds(*id),
            list => list.rank(*id, &mut cursor).is_some(),
        };
        *sum += present.term.max_gain * u32::from(is_held);
    }
}

/// Keeps the ids that are also in `docs`, and says how many are left.
#[inline(always)]
fn keep(ids: &mut [u16], docs: &DocSet) -> usize {
    let mut kept = 0;
    match docs {
        // Without a branch: lookups do not wait for each other.
        DocSet::Bitmap(bitmap) => {
            for at in 0..ids.len() {
                let id = ids[at];
                ids[kept] = id;
                kept += usize::from(bitmap.holds(id));
            }
        }
        DocSet::List(_) => {
            let mut cursor = 0;
            for at in 0..ids.len() {
                let id = ids[at];
                ids[kept] = id;
                kept += usize::from(docs.rank(id, &mut cursor).is_some());
            }
        }
    }
    kept
}

/// Calls `each` with every formula that all terms have, ascending.
#[inline(always)]
fn intersect<P: Match>(present: &[TermInWindow<P>], mut each: impl FnMut(u16)) {
    let Some((first, others)) = present.split_first() else {
        return;
    };
    match first.postings.docs {
        DocSet::List(ids) => {
            let mut kept = [0; MAX_LIST_LEN];
            let (kept, _) = kept.split_at_mut(ids.len().min(MAX_LIST_LEN));
            kept.copy_from_slice(ids);
            let mut len = kept.len();
            for other in others {
                len = keep(&mut kept[..len], &other.postings.docs);
            }
            kept[..len].iter().for_each(|id| each(*id));
        }
        DocSet::Bitmap(first) => {
            let (lines, _) = first.bits.as_chunks::<LINE>();
            for (line, marks) in lines.iter().enumerate() {
                let mut marks = *marks;
                for other in others {
                    if let DocSet::Bitmap(bitmap) = other.postings.docs {
                        let bits = &bitmap.bits[line * LINE..][..LINE];
                        for (mark, bits) in marks.iter_mut().zip(bits) {
                            *mark &= bits;
                        }
                    }
                    // Most intersections are empty after a few terms; the other terms are then not read.
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
