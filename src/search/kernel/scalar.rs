//! The plain kernel, and what the others are checked against.

use super::{Candidates, Match, Probe, Share, Simd};
use crate::index::{GROUP, GROUPS};

/// Without any special instruction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scalar;

/// A byte of presence bits as eight bytes of 0 or 1.
const SPREAD: [u64; 256] = {
    let mut spread = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            spread[byte] |= ((byte as u64 >> bit) & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    spread
};

/// The sums and counts of eight formulas, a byte each: they stay under 256, so
/// no addition carries into a neighbour.
#[inline(always)]
fn sums(shares: &[Share], group: usize, eight: usize) -> ([u8; 8], [u8; 8]) {
    let (mut sums, mut counts) = (0u64, 0u64);
    for share in shares {
        let held = SPREAD[usize::from((share.bits[group] >> (8 * eight)) as u8)];
        sums = sums.wrapping_add(held.wrapping_mul(u64::from(share.coarse)));
        counts = counts.wrapping_add(held.wrapping_mul(u64::from(share.counts)));
    }
    (sums.to_le_bytes(), counts.to_le_bytes())
}

/// Takes off what a term does not add to candidates, and leaves out those that
/// fall under their bar.
#[inline(always)]
pub(super) fn take_off<P: Match>(probe: &Probe<P>, found: &mut Candidates) {
    let Probe {
        presence,
        payloads,
        adder,
        most,
        bars,
    } = probe;
    let last = payloads.len() - 1;
    let mut left = 0;
    let (ids, sums) = found.columns();
    for at in 0..ids.len().min(sums.len()) {
        let id = ids[at];
        let (group, bit) = (usize::from(id) / GROUP % GROUPS, usize::from(id) % GROUP);
        let bits = presence.bits[group];
        let before = (bits & ((1 << bit) - 1)).count_ones() as usize;
        // Looked up whether it holds the term or not: a branch would be
        // guessed wrong too often. A damaged rank stays within the postings.
        let rank = (usize::from(presence.ranks[group]) + before).min(last);
        let missed = most - adder.adds(payloads[rank]);
        let sum = sums[at] - missed * ((bits >> bit) & 1) as u32;
        ids[left] = id;
        sums[left] = sum;
        left += usize::from(sum >= bars[group]);
    }
    found.truncate(left);
}

/// Lists the marked formulas whose shares sum to the bar of their group.
#[inline(always)]
pub(super) fn list(
    shares: &[Share],
    marks: &[u64; GROUPS],
    bars: &[u32; GROUPS],
    found: &mut Candidates,
) {
    for (group, (marks, bar)) in marks.iter().zip(bars).enumerate() {
        let mut marks = *marks;
        while marks != 0 {
            let bit = marks.trailing_zeros() as usize;
            marks &= marks - 1;
            let mut sum = 0;
            for share in shares {
                sum += share.most * ((share.bits[group] >> bit) & 1) as u32;
            }
            if sum >= *bar {
                found.push((group * GROUP + bit) as u16, sum);
            }
        }
    }
}

impl Simd for Scalar {
    #[inline(always)]
    fn reach(self, shares: &[Share], bars: &[u8; GROUPS], least: u8, marks: &mut [u64; GROUPS]) {
        for (group, (bar, marks)) in bars.iter().zip(marks).enumerate() {
            *marks = 0;
            for eight in 0..8 {
                let (sums, counts) = sums(shares, group, eight);
                for (bit, (sum, count)) in sums.iter().zip(&counts).enumerate() {
                    let reached = *sum >= *bar && *count >= least;
                    *marks |= u64::from(reached) << (8 * eight + bit);
                }
            }
        }
    }
}
