//! Survivors: formulas are selected by which terms they hold, and what is left
//! over is scored as far as it need be.

use super::Effort;
use super::candidates::Candidates;
use super::kernel::{Adder, Match, Probe, Share, Simd};
use super::term::{Present, Term};
use super::window::Window;
use crate::index::{BitmapBuffer, DocSet, GROUP, GROUPS};

/// The most that the shares of a selection sum to: 255 is a bar that none reaches.
const MOST: u32 = 254;

/// What the formulas of a window must reach, the least of each group of 64.
#[derive(Debug)]
pub(super) struct Bars {
    exact: [u32; GROUPS],
    /// In steps of `step`, rounded up, for shares of a byte.
    coarse: [u8; GROUPS],
    /// What one of `coarse` stands for.
    step: u32,
}

impl Bars {
    /// For terms that can add so much each.
    pub(super) fn new(most: impl ExactSizeIterator<Item = u32>) -> Self {
        // A share is rounded up: each may be one step more.
        let room = MOST.saturating_sub(most.len() as u32).max(1);
        Bars {
            exact: [0; GROUPS],
            coarse: [0; GROUPS],
            step: most.sum::<u32>().div_ceil(room).max(1),
        }
    }

    /// Reads the bars of a window; each is at least `lowest`.
    pub(super) fn read(&mut self, window: &Window, lowest: u32) {
        self.exact.fill(u32::MAX);
        self.coarse.fill(u8::MAX);
        for (_, formulas, bar) in window.bars() {
            let bar = bar.max(lowest);
            let coarse = bar.div_ceil(self.step).min(MOST + 1) as u8;
            for group in formulas.start / GROUP..formulas.end.div_ceil(GROUP) {
                self.exact[group] = self.exact[group].min(bar);
                self.coarse[group] = self.coarse[group].min(coarse);
            }
        }
    }

    /// What a formula must reach, or less.
    #[inline(always)]
    pub(super) fn of(&self, id: u16) -> u32 {
        self.exact[usize::from(id) / GROUP % GROUPS]
    }
}

/// What a thread keeps from window to window.
pub(super) struct Scratch {
    buffers: Vec<BitmapBuffer>,
    bars: Bars,
    marks: [u64; GROUPS],
}

impl Scratch {
    pub(super) fn new<P: Match>(terms: &[Term<P>]) -> Self {
        Scratch {
            buffers: vec![BitmapBuffer::default(); terms.len()],
            bars: Bars::new(terms.iter().map(|term| term.most)),
            marks: [0; GROUPS],
        }
    }
}

/// Finds the formulas of a window that hold at least `least` of the terms and
/// reach their bar, which is at least `lowest`.
#[inline(always)]
pub(super) fn find<S: Simd, P: Match>(
    simd: S,
    terms: &[Term<P>],
    (least, lowest): (u8, u32),
    window: &Window,
    scratch: &mut Scratch,
    found: &mut Candidates,
) -> Effort {
    let Scratch {
        buffers,
        bars,
        marks,
    } = scratch;
    let mut present = Present::all(terms, window.number);
    if present.len() < usize::from(least) {
        return Effort::default();
    }
    bars.read(window, lowest);
    let shares = shares(&mut present, buffers, bars);
    select(simd, &shares, bars, least, window.wanted, marks);
    simd.list(&shares, marks, &bars.exact, found);
    score(simd, &present, bars, found)
}

/// The terms of a window as sets, and what each can add at most.
#[inline(always)]
fn shares<'a, P: Match>(
    present: &mut [Present<'a, P>],
    buffers: &'a mut [BitmapBuffer],
    bars: &Bars,
) -> Vec<Share<'a>> {
    // A loop, not a collected iterator: that would be compiled apart, for
    // processors without popcnt.
    let mut shares = Vec::with_capacity(present.len());
    for (present, buffer) in present.iter_mut().zip(buffers) {
        shares.push(Share {
            bits: present.as_set(buffer),
            most: present.term.most,
            coarse: present.term.most.div_ceil(bars.step).min(MOST) as u8,
            counts: u8::from(present.term.counts),
        });
    }
    shares
}

/// Marks the formulas of a window that may be among the best and hold at
/// least so many of the terms. Of a window that is only to raise the bar, those
/// that look best are enough: about `wanted`.
#[inline(always)]
fn select<S: Simd>(
    simd: S,
    shares: &[Share],
    bars: &Bars,
    least: u8,
    wanted: Option<usize>,
    marks: &mut [u64; GROUPS],
) {
    let mut coarse = bars.coarse;
    if let Some(wanted) = wanted {
        // By halving, the highest bar that enough formulas reach.
        let (mut low, mut high) = (0, MOST as u8 + 1);
        while high - low > 1 {
            let middle = low.midpoint(high);
            for (coarse, bar) in coarse.iter_mut().zip(&bars.coarse) {
                *coarse = middle.max(*bar);
            }
            simd.reach(shares, &coarse, least, marks);
            let mut count = 0;
            for marks in &*marks {
                count += marks.count_ones() as usize;
            }
            if count >= wanted {
                low = middle;
            } else {
                high = middle;
            }
        }
        for (coarse, bar) in coarse.iter_mut().zip(&bars.coarse) {
            *coarse = low.max(*bar);
        }
    }
    simd.reach(shares, &coarse, least, marks);
}

/// Scores the listed formulas, term by term, and leaves out those that cannot
/// reach their bar any more.
///
/// Each term takes off what it does not add of the most that it could: after
/// the last, what is left is the sum.
#[inline(always)]
pub(super) fn score<S: Simd, P: Match>(
    simd: S,
    present: &[Present<P>],
    bars: &Bars,
    found: &mut Candidates,
) -> Effort {
    let candidates = found.len() as u64;
    let mut postings = 0;
    for present in present {
        // What adds the most wherever it is held has nothing to take off.
        let Some((payloads, adder)) = present.words() else {
            continue;
        };
        postings += found.len() as u64;
        match present.held.members {
            DocSet::List(ids) => take_off_few((ids, payloads), &adder, bars, found),
            DocSet::Bitmap(presence) => {
                let probe = Probe {
                    presence,
                    payloads,
                    most: adder.most,
                    adder,
                    bars: &bars.exact,
                };
                P::take_off(simd, &probe, found);
            }
        }
    }
    Effort {
        candidates,
        postings,
    }
}

/// Takes off what a term does not add, where its formulas are a list.
#[inline(always)]
fn take_off_few<P: Match>(
    (ids, payloads): (&[u16], &[P]),
    adder: &Adder<P>,
    bars: &Bars,
    found: &mut Candidates,
) {
    let (mut cursor, mut left) = (0, 0);
    let (listed, sums) = found.columns();
    for at in 0..listed.len().min(sums.len()) {
        let (id, mut sum) = (listed[at], sums[at]);
        if let Some(rank) = DocSet::List(ids).rank(id, &mut cursor) {
            sum -= adder.most - adder.adds(payloads[rank]);
        }
        listed[left] = id;
        sums[left] = sum;
        left += usize::from(sum >= bars.of(id));
    }
    found.truncate(left);
}
