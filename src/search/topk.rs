//! The best k so far.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A formula that a search found, with its score as whole numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoredFormula {
    /// Its number in the index.
    pub formula: usize,
    /// The weighted bits that it shares with the query.
    pub sum: u32,
    /// Its norm: its mass to the power 2 · `norm_power`, in whole steps.
    pub norm: u32,
    /// The value of one unit of `sum`.
    pub unit: f64,
}

impl ScoredFormula {
    /// Its score: sum · unit / sqrt(norm).
    pub fn score(&self) -> f64 {
        f64::from(self.sum) * self.unit / f64::from(self.norm).sqrt()
    }
}

/// A formula among the best, ordered worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Ranked {
    sum: u32,
    norm: u32,
    id_rank: u32,
    formula: u32,
}

impl Ord for Ranked {
    /// The worse is the greater: the lower score, then the later id.
    fn cmp(&self, other: &Self) -> Ordering {
        let fraction =
            |x: &Self, y: &Self| u128::from(x.sum) * u128::from(x.sum) * u128::from(y.norm);
        fraction(other, self)
            .cmp(&fraction(self, other))
            .then(self.id_rank.cmp(&other.id_rank))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The score of the worst that is kept: sum / sqrt(norm).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Threshold {
    sum: u32,
    norm: u32,
}

impl Threshold {
    /// The threshold while fewer than k are kept: every formula reaches it.
    pub(super) const NONE: Threshold = Threshold { sum: 0, norm: 1 };

    /// The threshold in one word, which threads can share.
    pub(super) fn packed(self) -> u64 {
        u64::from(self.sum) << 32 | u64::from(self.norm)
    }

    pub(super) fn unpacked(packed: u64) -> Self {
        Threshold {
            sum: (packed >> 32) as u32,
            norm: packed as u32,
        }
    }

    /// The smallest sum with which a formula of this norm is not worse.
    pub(super) fn min_sum_for(self, norm: u32) -> u32 {
        let squared = u128::from(self.sum) * u128::from(self.sum) * u128::from(norm);
        let reaches =
            |sum: u32| u128::from(sum) * u128::from(sum) * u128::from(self.norm) >= squared;
        let estimate = f64::from(self.sum) * (f64::from(norm) / f64::from(self.norm)).sqrt();
        let mut sum = (estimate as u32).saturating_sub(1);
        // No sum is as high as u32::MAX, so no formula reaches a threshold of that.
        while sum < u32::MAX && !reaches(sum) {
            sum += 1;
        }
        sum
    }
}

/// Keeps the best `k` of all that is offered.
#[derive(Debug)]
pub struct TopK {
    k: usize,
    worst_first: BinaryHeap<Ranked>,
}

impl TopK {
    /// Room for `k`.
    pub fn new(k: usize) -> Self {
        TopK {
            k,
            worst_first: BinaryHeap::with_capacity(k.min(1 << 16) + 1),
        }
    }

    /// The score that a formula must reach to be among the best.
    pub(super) fn threshold(&self) -> Threshold {
        match self.worst_first.peek() {
            Some(worst) if self.worst_first.len() == self.k => Threshold {
                sum: worst.sum,
                norm: worst.norm,
            },
            _ => Threshold::NONE,
        }
    }

    /// Offers all formulas that another has kept.
    pub fn take_from(&mut self, other: &mut TopK) {
        for ranked in other.worst_first.drain() {
            self.offer_ranked(ranked);
        }
    }

    /// Keeps a formula, if it is among the best. Where scores are equal, the lower
    /// `id_rank` is better.
    pub fn offer(&mut self, formula: usize, sum: u32, norm: u32, id_rank: u32) {
        let ranked = Ranked {
            sum,
            norm,
            id_rank,
            formula: formula as u32,
        };
        self.offer_ranked(ranked);
    }

    fn offer_ranked(&mut self, ranked: Ranked) {
        if self.worst_first.len() < self.k {
            self.worst_first.push(ranked);
        } else if let Some(mut worst) = self.worst_first.peek_mut()
            && ranked < *worst
        {
            *worst = ranked;
        }
    }

    /// All that are kept, best first; `unit` is the value of one unit of their sums.
    pub fn into_formulas(self, unit: f64) -> Vec<ScoredFormula> {
        let best_first = self.worst_first.into_sorted_vec().into_iter();
        best_first
            .map(|ranked| ScoredFormula {
                formula: ranked.formula as usize,
                sum: ranked.sum,
                norm: ranked.norm,
                unit,
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn equal_scores_of_unequal_norms_go_by_id() {
        let mut top = TopK::new(2);
        top.offer(0, 4, 4, 9);
        top.offer(1, 2, 1, 3);
        top.offer(2, 6, 9, 5);
        let formulas: Vec<usize> = top
            .into_formulas(1.0)
            .iter()
            .map(|hit| hit.formula)
            .collect();
        assert_eq!(formulas, [1, 2]);
    }

    proptest! {
        /// The threshold is the smallest sum that is not worse than the worst kept.
        #[test]
        fn thresholds_are_exact(sum in 0u32..2_000_000_000, norm in 1u32..100_000, other in 1u32..100_000) {
            let mut top = TopK::new(1);
            top.offer(0, sum, norm, 0);
            let threshold = top.threshold().min_sum_for(other);
            let at_least = |s: u32| u128::from(s).pow(2) * u128::from(norm)
                >= u128::from(sum).pow(2) * u128::from(other);
            prop_assert!(at_least(threshold) || threshold == u32::MAX);
            prop_assert!(threshold == 0 || !at_least(threshold - 1));
        }
    }
}
