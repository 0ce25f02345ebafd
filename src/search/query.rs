//! A query: the tokens of a formula, as an index knows them.

use super::MinMatch;
use crate::index::Index;
use crate::layout::Layout;
use crate::phoc::{Kind, TokenKey, encode};

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
    /// Whether it counts towards [`Query::least`].
    pub counts: bool,
}

/// What is looked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// The distinct tokens of the formula.
    pub tokens: Vec<QueryToken>,
    /// How many of those that count a formula must hold.
    pub least: usize,
    /// What a weight of one stands for: weights are whole numbers.
    pub unit: f64,
}

/// A token with what it weighs.
struct Weighed {
    key: TokenKey,
    number: Option<u32>,
    word: u128,
    /// What a region of its kind counts.
    kind: f64,
    /// What a region counts for its rarity.
    rarity: f64,
}

impl Query {
    /// A query for formulas like `layout`. A shared region counts what its kind
    /// weighs; with `idf`, times ln(N / (n + 1)), at least 0, for a token
    /// that n of N formulas hold.
    ///
    /// The minimum match is of symbols, whatever other tokens there are: pairs and
    /// classes only rank. Where one match is enough, it may be of any kind.
    pub fn new(layout: &Layout, index: &Index, min_match: MinMatch, idf: bool) -> Self {
        let config = &index.meta().config;
        let rarity = |token: Option<u32>| match (idf, token) {
            (true, Some(token)) => {
                let all = index.formulas() as f64;
                (all / (index.frequency(token) as f64 + 1.0)).ln().max(0.0)
            }
            _ => 1.0,
        };
        let encoded = encode(layout, config).into_iter();
        let tokens: Vec<Weighed> = encoded
            .map(|token| {
                let number = index.token(&token.key);
                Weighed {
                    key: token.key,
                    number,
                    word: token.word,
                    kind: config.tokens.weight(token.key.kind),
                    rarity: rarity(number),
                }
            })
            .collect();
        Self::weighted(&tokens, min_match, idf || !config.tokens.are_alike())
    }

    /// Tokens with their weights as fractions, which become whole numbers as
    /// fine as sums allow.
    fn weighted(tokens: &[Weighed], min_match: MinMatch, fractions: bool) -> Self {
        let most: f64 = tokens
            .iter()
            .map(|token| token.kind * token.rarity * f64::from(token.word.count_ones()))
            .sum();
        let shift = match fractions {
            true => (MAX_SUM / most.max(1.0)).log2().floor().clamp(0.0, 24.0),
            false => 0.0,
        };
        let unit = (-shift).exp2();
        let is_symbol = |token: &Weighed| token.key.kind == Kind::Symbol && token.key.nth == 1;
        let symbols = tokens.iter().filter(|token| is_symbol(token)).count();
        let least = min_match.of(if symbols > 0 { symbols } else { tokens.len() });
        let query_token = |token: &Weighed| QueryToken {
            key: token.key,
            token: token.number,
            word: token.word,
            weight: (token.kind * token.rarity / unit).round() as u32,
            counts: least == 1 || symbols == 0 || is_symbol(token),
        };
        Query {
            least,
            unit,
            tokens: tokens.iter().map(query_token).collect(),
        }
    }

    /// The tokens that some formula holds: number, word and weight.
    pub fn known(&self) -> impl Iterator<Item = (u32, u128, u32)> {
        self.known_tokens()
            .map(|(number, token)| (number, token.word, token.weight))
    }

    /// The tokens that some formula holds, with their numbers.
    pub(super) fn known_tokens(&self) -> impl Iterator<Item = (u32, &QueryToken)> {
        let tokens = self.tokens.iter();
        tokens.filter_map(|token| Some((token.token?, token)))
    }

    /// The symbols that no formula holds.
    pub fn unknown(&self) -> impl Iterator<Item = TokenKey> {
        self.tokens
            .iter()
            .filter(|token| token.token.is_none() && token.key.kind == Kind::Symbol)
            .map(|token| token.key)
    }
}
