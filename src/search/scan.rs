//! The windowed scan: every posting of every query token, window by window.
//!
//! A window's sums stay in a near cache while each token in turn adds to
//! them. Formulas are ordered by norm, so within a step of equal norms a
//! formula is among the best when its sum reaches one bar, and eight sums are
//! compared at a time.

use std::iter::Peekable;

use wide::i32x8;

use super::topk::TopK;
use super::{Hit, Query};
use crate::index::{Index, IndexError, Postings, WINDOW, Word};

/// The `k` best by a scan of all postings.
pub(super) fn search<W: Word>(
    index: &Index,
    query: &Query,
    k: usize,
) -> Result<Vec<Hit>, IndexError> {
    if k == 0 {
        return Ok(Vec::new());
    }
    let mut lists = Vec::new();
    for (token, word, weight) in query.known() {
        lists.push(List::new(index.postings::<W>(token)?, W::of(word), weight));
    }
    let mut scan = Scan::new(index, query, k);
    for window in 0..index.windows() {
        let mut is_touched = false;
        for list in &mut lists {
            is_touched |= list.add_to(window, &mut scan.sums);
        }
        if is_touched {
            scan.collect(window);
        }
    }
    Ok(scan.top.into_hits(query.unit))
}

/// A token's postings in one window: its number, the formulas, their words.
type Window<'a, W> = (usize, &'a [u16], &'a [W]);

/// A query token's postings, and how far they are read.
struct List<'a, W> {
    windows: Peekable<Box<dyn Iterator<Item = Window<'a, W>> + 'a>>,
    word: W,
    weight: u32,
}

impl<'a, W: Word> List<'a, W> {
    fn new(postings: Postings<'a, W>, word: W, weight: u32) -> Self {
        let windows: Box<dyn Iterator<Item = _> + 'a> = Box::new(postings.windows());
        List {
            windows: windows.peekable(),
            word,
            weight,
        }
    }

    /// Adds this token's share of a window; `false` where it has none.
    fn add_to(&mut self, window: usize, sums: &mut Sums) -> bool {
        let Some((_, ids, words)) = self.windows.next_if(|(next, ..)| *next == window) else {
            return false;
        };
        for (id, word) in ids.iter().zip(words) {
            let bits = (*word & self.word).ones();
            sums.shared[*id as usize % WINDOW] += (bits * self.weight) as i32;
        }
        if let Some(held) = &mut sums.held {
            for id in ids {
                held[*id as usize % WINDOW] += 1;
            }
        }
        true
    }
}

/// What the formulas of one window share with the query.
struct Sums {
    /// Weighted bits.
    shared: Vec<i32>,
    /// Tokens, where they are not all as good as one bit.
    held: Option<Vec<u16>>,
}

struct Scan<'a> {
    index: &'a Index,
    sums: Sums,
    least: usize,
    norms: Vec<(u32, std::ops::Range<usize>)>,
    /// The first step of norms that the next window has.
    step: usize,
    top: TopK,
}

impl<'a> Scan<'a> {
    fn new(index: &'a Index, query: &Query, k: usize) -> Self {
        // Every shared token shares the whole formula's bit: a sum is nought
        // where none is held, unless a token weighs nothing.
        let counts = query.least > 1 || query.known().any(|(.., weight)| weight == 0);
        Scan {
            index,
            sums: Sums {
                shared: vec![0; WINDOW],
                held: counts.then(|| vec![0; WINDOW]),
            },
            least: query.least,
            norms: index.norms().collect(),
            step: 0,
            top: TopK::new(k.min(index.formulas())),
        }
    }

    /// Offers what a window holds, and clears it.
    fn collect(&mut self, window: usize) {
        let start = window * WINDOW;
        let end = (start + WINDOW).min(self.index.formulas());
        while self.norms[self.step].1.end <= start {
            self.step += 1;
        }
        for (norm, formulas) in &self.norms[self.step..] {
            if formulas.start >= end {
                break;
            }
            let range = formulas.start.max(start) - start..formulas.end.min(end) - start;
            collect_step(
                &self.sums,
                range,
                *norm,
                start,
                self.least,
                self.index,
                &mut self.top,
            );
        }
        self.sums.shared.fill(0);
        if let Some(held) = &mut self.sums.held {
            held.fill(0);
        }
    }
}

/// Offers the formulas of one norm, eight at a time.
fn collect_step(
    sums: &Sums,
    range: std::ops::Range<usize>,
    norm: u32,
    start: usize,
    least: usize,
    index: &Index,
    top: &mut TopK,
) {
    let id_ranks = index.id_ranks();
    let lowest = u32::from(sums.held.is_none());
    let mut bar = top.bar(norm).max(lowest);
    let mut offer = |at: usize, bar: &mut u32| {
        let sum = sums.shared[at] as u32;
        let is_held = sums
            .held
            .as_ref()
            .is_none_or(|held| usize::from(held[at]) >= least);
        if sum >= *bar && is_held {
            top.offer(start + at, sum, norm, id_ranks[start + at]);
            *bar = top.bar(norm).max(lowest);
        }
    };
    let (eights, rest) = sums.shared[range.clone()].as_chunks::<8>();
    for (eight, sums) in eights.iter().enumerate() {
        let below = i32x8::splat(i32::try_from(bar).unwrap_or(i32::MAX).saturating_sub(1));
        if i32x8::from(*sums).simd_gt(below).any() {
            let first = range.start + eight * 8;
            (first..first + 8).for_each(|at| offer(at, &mut bar));
        }
    }
    (range.end - rest.len()..range.end).for_each(|at| offer(at, &mut bar));
}
