//! The windowed scan: every posting of every query token, window by window.
//!
//! A window's sums stay in a near cache while each token in turn adds to
//! them. Formulas are ordered by norm, so within a step of equal norms a
//! formula is among the best when its sum reaches one bar, and eight sums are
//! compared at a time.

use std::ops::{AddAssign, Mul, Range};

use wide::i32x8;

use super::Effort;
use super::candidates::Candidates;
use super::kernel::{Match, Simd};
use super::term::{Present, Term};
use super::window::{Engine, Window};
use crate::index::{DocSet, GROUP, WINDOW};

/// All postings are read.
pub(super) struct Scan<'a, P: Match> {
    pub(super) terms: Vec<Term<'a, P>>,
    /// How many tokens a formula must hold.
    pub(super) least: usize,
}

/// What the formulas of one window share with the query.
pub(super) struct Sums {
    /// Weighted bits.
    shared: Vec<i32>,
    /// Tokens, where they are not all as good as one bit.
    held: Option<Vec<u16>>,
}

impl<P: Match> Engine for Scan<'_, P> {
    type Scratch = Sums;

    const PRUNES: bool = false;
    const SEEDS: bool = false;

    fn scratch(&self) -> Sums {
        // A sum is nought where none is held, unless a token may add nothing.
        let all_count = (self.terms.iter()).all(|term| term.counts && term.always_adds);
        let counts = self.least > 1 || !all_count;
        Sums {
            shared: vec![0; WINDOW],
            held: counts.then(|| vec![0; WINDOW]),
        }
    }

    #[inline(always)]
    fn window<S: Simd>(
        &self,
        _: S,
        window: &Window,
        sums: &mut Sums,
        found: &mut Candidates,
    ) -> Effort {
        let mut effort = Effort::default();
        for present in Present::all(&self.terms, window.number) {
            effort.postings += present.held.length as u64;
            add(&present, sums);
        }
        for (_, formulas, bar) in window.bars() {
            collect(sums, formulas, bar, self.least, found);
        }
        effort.candidates = found.len() as u64;
        sums.shared[..window.formulas].fill(0);
        if let Some(held) = &mut sums.held {
            held[..window.formulas].fill(0);
        }
        effort
    }
}

/// Adds a term's share of a window.
#[inline(always)]
fn add<P: Match>(present: &Present<P>, sums: &mut Sums) {
    let Present { term, held } = present;
    match (held.members, present.words()) {
        (members, None) => add_alike(&members, term.most as i32, &mut sums.shared),
        (DocSet::List(ids), Some((payloads, adder))) => {
            for (id, payload) in ids.iter().zip(payloads) {
                sums.shared[usize::from(*id) % WINDOW] += adder.adds(*payload) as i32;
            }
        }
        (DocSet::Bitmap(presence), Some((mut payloads, adder))) => {
            for (group, bits) in presence.bits.iter().enumerate() {
                let mut bits = *bits;
                let here = bits.count_ones() as usize;
                let (these, rest) = payloads.split_at(here.min(payloads.len()));
                payloads = rest;
                let sums = &mut sums.shared[group * GROUP..][..GROUP];
                for payload in these {
                    sums[bits.trailing_zeros() as usize % GROUP] += adder.adds(*payload) as i32;
                    bits &= bits.wrapping_sub(1);
                }
            }
        }
    }
    if let Some(counts) = sums.held.as_mut().filter(|_| term.counts) {
        add_alike(&held.members, 1, counts);
    }
}

/// Adds as much for every formula that holds a token.
#[inline(always)]
fn add_alike<T>(members: &DocSet, adds: T, sums: &mut [T])
where
    T: Copy + AddAssign + Mul<Output = T> + From<bool>,
{
    match members {
        DocSet::List(ids) => {
            for id in *ids {
                sums[usize::from(*id) % WINDOW] += adds;
            }
        }
        DocSet::Bitmap(presence) => {
            for (bits, sums) in presence.bits.iter().zip(sums.chunks_exact_mut(GROUP)) {
                for (bit, sum) in sums.iter_mut().enumerate() {
                    *sum += adds * T::from((bits >> bit) & 1 == 1);
                }
            }
        }
    }
}

/// Finds the formulas of one norm that reach their bar, eight at a time.
#[inline(always)]
fn collect(sums: &Sums, formulas: Range<usize>, bar: u32, least: usize, found: &mut Candidates) {
    let bar = bar.max(u32::from(sums.held.is_none()));
    let mut look = |id: usize| {
        let sum = sums.shared[id] as u32;
        let held = sums.held.as_ref();
        if sum >= bar && held.is_none_or(|held| usize::from(held[id]) >= least) {
            found.push(id as u16, sum);
        }
    };
    let below = i32x8::splat(i32::try_from(bar).unwrap_or(i32::MAX).saturating_sub(1));
    let (eights, rest) = sums.shared[formulas.clone()].as_chunks::<8>();
    for (eight, sums) in eights.iter().enumerate() {
        if i32x8::from(*sums).simd_gt(below).any() {
            let first = formulas.start + eight * 8;
            (first..first + 8).for_each(&mut look);
        }
    }
    (formulas.end - rest.len()..formulas.end).for_each(look);
}
