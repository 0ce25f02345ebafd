//! A score taken apart: what each of a query's tokens adds for one formula.

use serde::Serialize;

use super::Query;
use crate::index::{Index, IndexError};
use crate::phoc::Kind;

/// A score, token by token.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// The query's tokens, in their order.
    pub tokens: Vec<TokenShare>,
    /// What they add: the sum above the norm.
    pub sum: f64,
    /// What the sum is divided by.
    pub norm: f64,
    /// The score, as a search gives it.
    pub score: f64,
}

/// What one token adds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TokenShare {
    /// The token.
    pub key: String,
    /// Its kind.
    pub kind: Kind,
    /// The regions in which the query has it, the first first.
    pub query_bits: String,
    /// The regions in which the formula has it, if it does.
    pub candidate_bits: Option<String>,
    /// How many they share.
    pub shared: u32,
    /// What a step counts: a region, where all count alike.
    pub weight: f64,
    /// The steps that the shared regions count, capped.
    pub steps: u32,
    /// What it adds to the score.
    pub contribution: f64,
}

/// Takes the score of a formula apart.
///
/// # Errors
/// When the index is damaged where it is looked at.
pub fn explain(index: &Index, query: &Query, formula: usize) -> Result<Explanation, IndexError> {
    let config = &index.meta().config;
    let steps = index.norm_steps();
    let at = steps.partition_point(|step| step[1] as usize <= formula);
    let norm = f64::from(steps[at.saturating_sub(1)][0]).sqrt() / config.norm_unit().sqrt();
    let bits = config.regions.bits();
    let shown = |word: u128| -> String {
        let region = |region: usize| if word >> region & 1 == 1 { '1' } else { '0' };
        (0..bits).map(region).collect()
    };
    let mut tokens = Vec::with_capacity(query.tokens.len());
    let mut sum = 0;
    for token in &query.tokens {
        let held = match token.token {
            Some(number) => index.word(number, formula)?,
            None => None,
        };
        let shared = held.unwrap_or(0) & token.word;
        let regions = (0..bits).filter(|region| shared >> region & 1 == 1);
        let steps = regions
            .map(|region| token.steps(region))
            .sum::<u32>()
            .min(token.cap);
        let adds = u64::from(steps) * u64::from(token.weight);
        sum += adds;
        tokens.push(TokenShare {
            key: token.key.to_string(),
            kind: token.key.kind,
            query_bits: shown(token.word),
            candidate_bits: held.map(shown),
            shared: shared.count_ones(),
            weight: f64::from(token.weight) * query.unit,
            steps,
            contribution: adds as f64 * query.unit / norm,
        });
    }
    let sum = sum as f64 * query.unit;
    Ok(Explanation {
        tokens,
        sum,
        norm,
        score: sum / norm,
    })
}
