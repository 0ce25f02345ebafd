//! Refining: candidates are selected by their upper bounds, and scored term by term
//! until their exact score is known or their upper bound falls below the threshold.

use super::bounded::Requirement;
use super::candidates::Candidates;
use super::term::{Term, TermInWindow};
use super::window::Window;
use crate::index::{BitmapBuffer, DocSet, GROUP, GROUPS};
use crate::search::SearchStats;
use crate::search::kernel::{Adder, CandidateLookup, Match, Simd, TermBound};

/// The largest sum of the coarse bounds of all terms. A threshold of 255 is thus
/// reached by no formula.
const MAX_COARSE: u32 = 254;

/// The sums that the formulas of a window must reach: for each group of 64,
/// the smallest of the group.
#[derive(Debug)]
pub(super) struct WindowThresholds {
    exact: [u32; GROUPS],
    /// In steps of `step`, rounded up, to be compared with coarse bounds.
    coarse: [u8; GROUPS],
    /// The size of a coarse step.
    step: u32,
}

impl WindowThresholds {
    /// Thresholds for terms with these largest gains.
    pub(super) fn new(max_gains: impl ExactSizeIterator<Item = u32>) -> Self {
        // Coarse bounds are rounded up: each may be one step too high.
        let room = MAX_COARSE.saturating_sub(max_gains.len() as u32).max(1);
        WindowThresholds {
            exact: [0; GROUPS],
            coarse: [0; GROUPS],
            step: max_gains.sum::<u32>().div_ceil(room).max(1),
        }
    }

    /// Reads the thresholds of a window; each is at least `floor`.
    pub(super) fn read(&mut self, window: &Window, floor: u32) {
        self.exact.fill(u32::MAX);
        self.coarse.fill(u8::MAX);
        for (formulas, min_sum) in window.min_sums() {
            let min_sum = min_sum.max(floor);
            let coarse = min_sum.div_ceil(self.step).min(MAX_COARSE + 1) as u8;
            for group in formulas.start / GROUP..formulas.end.div_ceil(GROUP) {
                self.exact[group] = self.exact[group].min(min_sum);
                self.coarse[group] = self.coarse[group].min(coarse);
            }
        }
    }

    /// The sum that a formula must reach, or one below it.
    #[inline(always)]
    fn of(&self, id: u16) -> u32 {
        self.exact[usize::from(id) / GROUP % GROUPS]
    }
}

/// The memory that a thread keeps from window to window.
pub(super) struct Scratch {
    buffers: Vec<BitmapBuffer>,
    thresholds: WindowThresholds,
    marks: [u64; GROUPS],
}

impl Scratch {
    pub(super) fn new<P: Match>(terms: &[Term<P>]) -> Self {
        Scratch {
            buffers: vec![BitmapBuffer::default(); terms.len()],
            thresholds: WindowThresholds::new(terms.iter().map(|term| term.max_gain)),
            marks: [0; GROUPS],
        }
    }
}

/// The search of one window: its terms and requirement, and where results go.
pub(super) struct Refinement<'w, 'a, P: Match> {
    pub(super) terms: &'w [Term<'a, P>],
    pub(super) requirement: Requirement,
    pub(super) window: &'w Window<'w>,
    pub(super) scratch: &'w mut Scratch,
    pub(super) candidates: &'w mut Candidates,
}

/// Finds the formulas of a window that meet the requirement and reach their
/// threshold.
#[inline(always)]
pub(super) fn find<S: Simd, P: Match>(simd: S, refinement: Refinement<P>) -> SearchStats {
    let Refinement {
        terms,
        requirement,
        window,
        scratch,
        candidates,
    } = refinement;
    let Scratch {
        buffers,
        thresholds,
        marks,
    } = scratch;
    let mut present = TermInWindow::all(terms, window.number);
    if present.len() < usize::from(requirement.min_tokens) {
        return SearchStats::default();
    }
    thresholds.read(window, requirement.floor);
    let bounds = bounds(&mut present, buffers, thresholds);
    let min_tokens = requirement.min_tokens;
    match window.seed_target {
        Some(target) => mark_best(
            simd,
            &bounds,
            thresholds,
            (min_tokens, window),
            target,
            marks,
        ),
        None => simd.reach(&bounds, &thresholds.coarse, min_tokens, marks),
    }
    window.restrict(marks);
    simd.list(&bounds, marks, &thresholds.exact, candidates);
    score(simd, &present, thresholds, candidates)
}

/// The terms of a window as bitmaps, each with its upper bound.
#[inline(always)]
fn bounds<'a, P: Match>(
    present: &mut [TermInWindow<'a, P>],
    buffers: &'a mut [BitmapBuffer],
    thresholds: &WindowThresholds,
) -> Vec<TermBound<'a>> {
    // A loop, not a collected iterator: that would be compiled apart, for
    // processors without popcnt.
    let mut bounds = Vec::with_capacity(present.len());
    for (present, buffer) in present.iter_mut().zip(buffers) {
        let max_gain = present.term.max_gain;
        bounds.push(TermBound {
            bits: present.as_bitmap(buffer),
            max_gain,
            coarse: max_gain.div_ceil(thresholds.step).min(MAX_COARSE) as u8,
            counts_toward_min_match: u8::from(present.term.counts_toward_min_match),
        });
    }
    bounds
}

/// Marks about `target` formulas of a window that look best and hold enough
/// tokens: the window is only searched to raise the threshold.
#[inline(always)]
fn mark_best<S: Simd>(
    simd: S,
    bounds: &[TermBound],
    thresholds: &WindowThresholds,
    (min_tokens, window): (u8, &Window),
    target: usize,
    marks: &mut [u64; GROUPS],
) {
    let at_least = |floor: u8| thresholds.coarse.map(|threshold| threshold.max(floor));
    // By halving, the highest threshold that enough formulas reach.
    let (mut low, mut high) = (0, MAX_COARSE as u8 + 1);
    while high - low > 1 {
        let middle = low.midpoint(high);
        simd.reach(bounds, &at_least(middle), min_tokens, marks);
        window.restrict(marks);
        let mut count = 0;
        for marks in &*marks {
            count += marks.count_ones() as usize;
        }
        if count >= target {
            low = middle;
        } else {
            high = middle;
        }
    }
    simd.reach(bounds, &at_least(low), min_tokens, marks);
}

/// Scores candidates, term by term, and leaves out those whose upper bound falls
/// below their threshold.
///
/// A candidate's sum begins as its upper bound. Each term subtracts what its gain
/// falls short of its largest gain: after the last term, the sum is exact.
#[inline(always)]
pub(super) fn score<S: Simd, P: Match>(
    simd: S,
    present: &[TermInWindow<P>],
    thresholds: &WindowThresholds,
    candidates: &mut Candidates,
) -> SearchStats {
    let scored = candidates.len() as u64;
    let mut postings = 0;
    for present in present {
        // A token that is not positional adds the same to every formula that holds
        // it, and the upper bound already contains that.
        let Some((payloads, adder)) = present.payloads() else {
            continue;
        };
        postings += candidates.len() as u64;
        match present.postings.docs {
            DocSet::List(ids) => {
                subtract_missed_of_list(ids, payloads, &adder, thresholds, candidates);
            }
            DocSet::Bitmap(bitmap) => {
                let lookup = CandidateLookup {
                    bitmap,
                    payloads,
                    adder,
                    min_sums: &thresholds.exact,
                };
                P::subtract_missed(simd, &lookup, candidates);
            }
        }
    }
    SearchStats {
        candidates: scored,
        postings,
        ..SearchStats::default()
    }
}

/// Subtracts what a term falls short of its largest gain, where its formulas are a list.
#[inline(always)]
fn subtract_missed_of_list<P: Match>(
    ids: &[u16],
    payloads: &[P],
    adder: &Adder<P>,
    thresholds: &WindowThresholds,
    candidates: &mut Candidates,
) {
    let (mut cursor, mut kept) = (0, 0);
    let (listed, sums) = candidates.columns();
    for at in 0..listed.len().min(sums.len()) {
        let (id, mut sum) = (listed[at], sums[at]);
        if let Some(rank) = DocSet::List(ids).rank(id, &mut cursor) {
            sum = sum.wrapping_sub(adder.max_gain - adder.gain(payloads[rank]));
        }
        listed[kept] = id;
        sums[kept] = sum;
        kept += usize::from(sum >= thresholds.of(id));
    }
    candidates.truncate(kept);
}
