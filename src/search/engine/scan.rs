//! Scan: every posting of every query token, window by window.
//!
//! A window's sums stay in a near cache while each token in turn adds to
//! them. Formulas are ordered by norm, so within a step of equal norms a
//! formula is among the best when its sum reaches one threshold, and eight
//! sums are compared at a time.

use std::ops::Range;

use wide::i32x8;

use super::candidates::Candidates;
use super::term::{Term, TermInWindow};
use super::window::Window;
use super::{Engine, Worker};
use crate::index::{DocSet, GROUP, WINDOW};
use crate::search::SearchStats;
use crate::search::kernel::{Level, Match, Simd, Work};

/// The engine that reads all postings.
pub(in crate::search) struct Scan<'a, P: Match> {
    pub(in crate::search) terms: Vec<Term<'a, P>>,
    /// How many tokens a formula must hold.
    pub(in crate::search) min_tokens: usize,
}

/// The sums of the formulas of one window.
struct Sums {
    /// The weighted bits that each formula shares with the query.
    shared: Vec<i32>,
    /// The number of tokens that each formula holds; none if a positive sum already
    /// shows that it holds enough.
    held: Option<Vec<u16>>,
}

impl<P: Match> Engine for Scan<'_, P> {
    fn shares_threshold(&self) -> bool {
        false
    }

    fn can_seed(&self) -> bool {
        false
    }

    fn worker(&self, level: Level) -> Box<dyn Worker + '_> {
        // A sum is positive exactly where some token is held, unless a token may add nothing.
        let sum_tells = (self.terms.iter()).all(|t| t.counts_toward_min_match && t.always_adds);
        let counts = self.min_tokens > 1 || !sum_tells;
        Box::new(ScanWorker {
            engine: self,
            level,
            sums: Sums {
                shared: vec![0; WINDOW],
                held: counts.then(|| vec![0; WINDOW]),
            },
        })
    }
}

struct ScanWorker<'e, 'a, P: Match> {
    engine: &'e Scan<'a, P>,
    level: Level,
    sums: Sums,
}

impl<P: Match> Worker for ScanWorker<'_, '_, P> {
    fn search_window(&mut self, window: &Window, candidates: &mut Candidates) -> SearchStats {
        self.level.run(InWindow {
            engine: self.engine,
            sums: &mut self.sums,
            window,
            candidates,
        })
    }
}

struct InWindow<'w, 'a, P: Match> {
    engine: &'w Scan<'a, P>,
    sums: &'w mut Sums,
    window: &'w Window<'w>,
    candidates: &'w mut Candidates,
}

impl<P: Match> Work for InWindow<'_, '_, P> {
    type Output = SearchStats;

    #[inline(always)]
    fn with<S: Simd>(self, _: S) -> SearchStats {
        let InWindow {
            engine,
            sums,
            window,
            candidates,
        } = self;
        let mut stats = SearchStats::default();
        for present in TermInWindow::all(&engine.terms, window.number) {
            stats.postings += present.postings.length as u64;
            add(&present, sums);
        }
        for (formulas, min_sum) in window.min_sums() {
            let required = (min_sum, engine.min_tokens);
            collect(sums, formulas, required, window, candidates);
        }
        stats.candidates = candidates.len() as u64;
        sums.shared[..window.formulas].fill(0);
        if let Some(held) = &mut sums.held {
            held[..window.formulas].fill(0);
        }
        stats
    }
}

/// Adds the gains of a term to the sums of a window.
#[inline(always)]
fn add<P: Match>(present: &TermInWindow<P>, sums: &mut Sums) {
    let TermInWindow { term, postings } = present;
    match (postings.docs, present.payloads()) {
        (docs, None) => add_alike(&docs, term.max_gain as i32, &mut sums.shared),
        (DocSet::List(ids), Some((payloads, adder))) => {
            for (id, payload) in ids.iter().zip(payloads) {
                let sum = &mut sums.shared[usize::from(*id) % WINDOW];
                *sum = sum.wrapping_add(adder.gain(*payload) as i32);
            }
        }
        (DocSet::Bitmap(bitmap), Some((mut payloads, adder))) => {
            for (group, bits) in bitmap.bits.iter().enumerate() {
                let mut bits = *bits;
                let here = bits.count_ones() as usize;
                let (these, rest) = payloads.split_at(here.min(payloads.len()));
                payloads = rest;
                let sums = &mut sums.shared[group * GROUP..][..GROUP];
                for payload in these {
                    let sum = &mut sums[bits.trailing_zeros() as usize % GROUP];
                    *sum = sum.wrapping_add(adder.gain(*payload) as i32);
                    bits &= bits.wrapping_sub(1);
                }
            }
        }
    }
    if let Some(held) = sums.held.as_mut().filter(|_| term.counts_toward_min_match) {
        add_alike(&postings.docs, 1, held);
    }
}

/// A sum, or a count. Those of a sound index never overflow; a damaged list may hold a formula
/// often.
trait Total: Copy {
    fn plus(self, gain: Self, holds: bool) -> Self;
}

impl Total for i32 {
    #[inline(always)]
    fn plus(self, gain: i32, holds: bool) -> i32 {
        self.wrapping_add(gain * i32::from(holds))
    }
}

impl Total for u16 {
    #[inline(always)]
    fn plus(self, gain: u16, holds: bool) -> u16 {
        self.wrapping_add(gain * u16::from(holds))
    }
}

/// Adds the same number for every formula that holds a token.
#[inline(always)]
fn add_alike<T: Total>(docs: &DocSet, gain: T, sums: &mut [T]) {
    match docs {
        DocSet::List(ids) => {
            for id in *ids {
                let sum = &mut sums[usize::from(*id) % WINDOW];
                *sum = sum.plus(gain, true);
            }
        }
        DocSet::Bitmap(bitmap) => {
            for (bits, sums) in bitmap.bits.iter().zip(sums.chunks_exact_mut(GROUP)) {
                for (bit, sum) in sums.iter_mut().enumerate() {
                    *sum = sum.plus(gain, (bits >> bit) & 1 == 1);
                }
            }
        }
    }
}

/// Finds the formulas of one norm that reach their threshold, eight at a time.
#[inline(always)]
fn collect(
    sums: &Sums,
    formulas: Range<usize>,
    (min_sum, min_tokens): (u32, usize),
    window: &Window,
    candidates: &mut Candidates,
) {
    let min_sum = min_sum.max(u32::from(sums.held.is_none()));
    let mut look = |id: usize| {
        let sum = sums.shared[id] as u32;
        let held = sums.held.as_ref();
        let is_enough = held.is_none_or(|held| usize::from(held[id]) >= min_tokens);
        if sum >= min_sum && is_enough && window.passes(id) {
            candidates.push(id as u16, sum);
        }
    };
    let below = i32x8::splat(i32::try_from(min_sum).unwrap_or(i32::MAX).saturating_sub(1));
    let (eights, rest) = sums.shared[formulas.clone()].as_chunks::<8>();
    for (eight, sums) in eights.iter().enumerate() {
        if i32x8::from(*sums).simd_gt(below).any() {
            let first = formulas.start + eight * 8;
            (first..first + 8).for_each(&mut look);
        }
    }
    (formulas.end - rest.len()..formulas.end).for_each(look);
}
