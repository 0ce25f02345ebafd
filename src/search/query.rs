//! A query: the tokens of a formula, as an index knows them.

use super::MinMatch;
use crate::index::Index;
use crate::layout::Layout;
use crate::phoc::{TokenKey, encode};

/// The largest sum of weighted bits: sums fit an i32.
const MAX_SUM: f64 = (1u32 << 31) as f64 - 65_536.0;

/// A token that is looked for.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryToken {
    /// What it is.
    pub key: TokenKey,
    /// Its number in the index, if any formula holds it.
    pub token: Option<u32>,
    /// Its regions.
    pub word: u128,
    /// What each shared region counts, in units of [`Query::unit`].
    pub weight: u32,
}

/// What is looked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// The distinct tokens of the formula.
    pub tokens: Vec<QueryToken>,
    /// How many of them a formula must hold.
    pub least: usize,
    /// What a weight of one stands for: weights are whole numbers.
    pub unit: f64,
}

impl Query {
    /// A query for formulas like `layout`. With `idf` a shared region counts
    /// ln(N / (n + 1)), at least 0, for a token that n of N formulas hold.
    pub fn new(layout: &Layout, index: &Index, min_match: MinMatch, idf: bool) -> Self {
        let encoded = encode(layout, &index.meta().config);
        let weight = |token: Option<u32>| match (idf, token) {
            (true, Some(token)) => {
                let all = index.formulas() as f64;
                (all / (index.frequency(token) as f64 + 1.0)).ln().max(0.0)
            }
            _ => 1.0,
        };
        let known = encoded.into_iter().map(|token| {
            let number = index.token(&token.key);
            (token.key, number, token.word, weight(number))
        });
        Self::weighted(known.collect(), min_match, idf)
    }

    /// Tokens with their weights as fractions, which become whole numbers as
    /// fine as sums allow.
    fn weighted(
        tokens: Vec<(TokenKey, Option<u32>, u128, f64)>,
        min_match: MinMatch,
        fractions: bool,
    ) -> Self {
        let most: f64 = tokens
            .iter()
            .map(|(_, _, word, w)| w * f64::from(word.count_ones()))
            .sum();
        let shift = match fractions {
            true => (MAX_SUM / most.max(1.0)).log2().floor().clamp(0.0, 24.0),
            false => 0.0,
        };
        let unit = (-shift).exp2();
        Query {
            least: min_match.of(tokens.len()),
            unit,
            tokens: tokens
                .into_iter()
                .map(|(key, token, word, weight)| QueryToken {
                    key,
                    token,
                    word,
                    weight: (weight / unit).round() as u32,
                })
                .collect(),
        }
    }

    /// The tokens that some formula holds: number, word and weight.
    pub fn known(&self) -> impl Iterator<Item = (u32, u128, u32)> {
        self.tokens
            .iter()
            .filter_map(|token| Some((token.token?, token.word, token.weight)))
    }

    /// The tokens that no formula holds.
    pub fn unknown(&self) -> impl Iterator<Item = TokenKey> {
        self.tokens
            .iter()
            .filter(|token| token.token.is_none())
            .map(|token| token.key)
    }
}
