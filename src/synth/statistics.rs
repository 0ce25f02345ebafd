//! Statistics of a set of formulas that matter to searches.

use std::collections::HashMap;

use serde::Serialize;

use crate::phoc::{Encoded, TokenKey};

/// Exact counts over a set of formulas.
#[derive(Debug, Clone, Default)]
pub struct Statistics {
    /// The number of distinct tokens of each formula.
    pub sizes: Histogram,
    /// The number of bits in the words of each formula.
    pub norms: Histogram,
    /// How many formulas hold each token.
    frequencies: HashMap<TokenKey, u64>,
}

impl Statistics {
    /// Counts a formula.
    pub fn add(&mut self, tokens: &[Encoded]) {
        self.sizes.add(tokens.len());
        let bits: u32 = tokens.iter().map(|token| token.word.count_ones()).sum();
        self.norms.add(bits as usize);
        for token in tokens {
            *self.frequencies.entry(token.key).or_default() += 1;
        }
    }

    /// How many formulas there are.
    pub fn formulas(&self) -> u64 {
        self.sizes.count
    }

    /// How many tokens all formulas have together.
    pub fn postings(&self) -> u64 {
        self.sizes.sum
    }

    /// How many different tokens there are.
    pub fn tokens(&self) -> usize {
        self.frequencies.len()
    }

    /// The tokens that most formulas hold, the most frequent first.
    pub fn most_frequent(&self, count: usize) -> Vec<TokenKey> {
        let mut tokens: Vec<_> = self.frequencies.iter().collect();
        tokens.sort_unstable_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
        tokens.iter().take(count).map(|(key, _)| **key).collect()
    }

    /// How many formulas in a hundred hold a token.
    pub fn percent(&self, key: TokenKey) -> f64 {
        let holding = self.frequencies.get(&key).copied().unwrap_or(0);
        100.0 * holding as f64 / self.formulas().max(1) as f64
    }
}

/// How often each whole number occurred.
#[derive(Debug, Clone, Default)]
pub struct Histogram {
    counts: Vec<u64>,
    count: u64,
    sum: u64,
}

impl Histogram {
    /// Counts a number.
    pub fn add(&mut self, value: usize) {
        if self.counts.len() <= value {
            self.counts.resize(value + 1, 0);
        }
        self.counts[value] += 1;
        self.count += 1;
        self.sum += value as u64;
    }

    /// The mean of all, 0 of none.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.count.max(1) as f64
    }

    /// The least number that `percent` in a hundred do not exceed.
    pub fn percentile(&self, percent: u64) -> usize {
        let mut left = (self.count * percent).div_ceil(100);
        for (value, count) in self.counts.iter().enumerate() {
            if left <= *count {
                return value;
            }
            left -= count;
        }
        0
    }

    /// Mean and percentiles, to be shown.
    pub fn summary(&self) -> Distribution {
        Distribution {
            mean: self.mean(),
            p5: self.percentile(5),
            p25: self.percentile(25),
            median: self.percentile(50),
            p75: self.percentile(75),
            p95: self.percentile(95),
            p99: self.percentile(99),
        }
    }
}

/// The mean of some numbers, and some of their percentiles.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Distribution {
    /// The mean.
    pub mean: f64,
    /// The 5th percentile.
    pub p5: usize,
    /// The first quartile.
    pub p25: usize,
    /// The 50th percentile.
    pub median: usize,
    /// The third quartile.
    pub p75: usize,
    /// The 95th percentile.
    pub p95: usize,
    /// The 99th percentile.
    pub p99: usize,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout;
    use crate::phoc::{PhocConfig, encode};

    #[test]
    fn percentiles_are_of_the_numbers_themselves() {
        let mut histogram = Histogram::default();
        assert_eq!(histogram.percentile(50), 0);
        for value in [3, 1, 4, 1, 5] {
            histogram.add(value);
        }
        let found = [0, 20, 50, 75, 100].map(|percent| histogram.percentile(percent));
        assert_eq!(found, [0, 1, 3, 4, 5]);
        assert!((histogram.mean() - 2.8).abs() < 1e-12);
    }

    #[test]
    fn tokens_count_once_a_formula() {
        let config = PhocConfig::papers();
        let mut statistics = Statistics::default();
        for latex in ["x+x", "x"] {
            statistics.add(&encode(&layout::latex(latex).unwrap(), &config));
        }
        assert_eq!((statistics.formulas(), statistics.postings()), (2, 3));
        let frequent = statistics.most_frequent(2);
        let shown: Vec<String> = frequent.iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["𝑥", "+"]);
        assert_eq!(statistics.percent(frequent[1]), 50.0);
    }
}
