//! The plain kernel; the others are checked against it.

use super::{CandidateLookup, Candidates, Match, Simd, TermBound};
use crate::index::{GROUP, GROUPS};

/// Without any special instruction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scalar;

/// A byte of bitmap bits as eight bytes of 0 or 1.
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
fn sums(bounds: &[TermBound], group: usize, eight: usize) -> ([u8; 8], [u8; 8]) {
    let (mut sums, mut counts) = (0u64, 0u64);
    for bound in bounds {
        let held = SPREAD[usize::from((bound.bits[group] >> (8 * eight)) as u8)];
        sums = sums.wrapping_add(held.wrapping_mul(u64::from(bound.coarse)));
        counts = counts.wrapping_add(held.wrapping_mul(u64::from(bound.counts_toward_min_match)));
    }
    (sums.to_le_bytes(), counts.to_le_bytes())
}

/// Subtracts from each candidate's sum what a term falls short of its largest gain,
/// and leaves out candidates that fall below their threshold.
#[inline(always)]
pub(super) fn subtract_missed<P: Match>(lookup: &CandidateLookup<P>, candidates: &mut Candidates) {
    let CandidateLookup {
        bitmap,
        payloads,
        adder,
        min_sums,
    } = lookup;
    // Postings that were checked are never empty.
    let Some(last) = payloads.len().checked_sub(1) else {
        return;
    };
    let mut kept = 0;
    let (ids, sums) = candidates.columns();
    for at in 0..ids.len().min(sums.len()) {
        let id = ids[at];
        let (group, bit) = (usize::from(id) / GROUP % GROUPS, usize::from(id) % GROUP);
        let bits = bitmap.bits[group];
        let before = (bits & ((1 << bit) - 1)).count_ones() as usize;
        // Looked up whether it holds the term or not: a branch would be
        // guessed wrong too often. A damaged rank stays within the postings.
        let rank = (usize::from(bitmap.ranks[group]) + before).min(last);
        let missed = adder.max_gain - adder.gain(payloads[rank]);
        // Wraps only where the file changes while it is read, which makes the search an error.
        let sum = sums[at].wrapping_sub(missed * ((bits >> bit) & 1) as u32);
        ids[kept] = id;
        sums[kept] = sum;
        kept += usize::from(sum >= min_sums[group]);
    }
    candidates.truncate(kept);
}

/// Lists the marked formulas whose bounds sum to the threshold of their group.
#[inline(always)]
pub(super) fn list(
    bounds: &[TermBound],
    marks: &[u64; GROUPS],
    min_sums: &[u32; GROUPS],
    candidates: &mut Candidates,
) {
    for (group, (marks, threshold)) in marks.iter().zip(min_sums).enumerate() {
        let mut marks = *marks;
        while marks != 0 {
            let bit = marks.trailing_zeros() as usize;
            marks &= marks - 1;
            let mut sum = 0;
            for bound in bounds {
                sum += bound.max_gain * ((bound.bits[group] >> bit) & 1) as u32;
            }
            if sum >= *threshold {
                candidates.push((group * GROUP + bit) as u16, sum);
            }
        }
    }
}

impl Simd for Scalar {
    #[inline(always)]
    fn reach(
        self,
        bounds: &[TermBound],
        thresholds: &[u8; GROUPS],
        min_tokens: u8,
        marks: &mut [u64; GROUPS],
    ) {
        for (group, (threshold, marks)) in thresholds.iter().zip(marks).enumerate() {
            *marks = 0;
            for eight in 0..8 {
                let (sums, counts) = sums(bounds, group, eight);
                for (bit, (sum, count)) in sums.iter().zip(&counts).enumerate() {
                    let reached = *sum >= *threshold && *count >= min_tokens;
                    *marks |= u64::from(reached) << (8 * eight + bit);
                }
            }
        }
    }
}
