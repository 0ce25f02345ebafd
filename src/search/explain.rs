//! A score taken apart: what each of a query's tokens adds for one formula.

use std::ops::Range;

use serde::Serialize;

use super::query::Query;
use super::rerank::Likeness;
use crate::index::{Index, IndexError};
use crate::phoc::{PhocConfig, TokenKind};

/// A score, token by token.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Explanation {
    /// The formula's external id.
    pub id: String,
    /// Its LaTeX.
    pub latex: String,
    /// The query's tokens, in their order.
    pub tokens: Vec<TokenShare>,
    /// What the regions of each part and level add, over all tokens.
    pub levels: Vec<LevelShare>,
    /// What they add: the sum above the norm.
    pub sum: f64,
    /// What the sum is divided by.
    pub norm: f64,
    /// The score, as a search gives it.
    pub score: f64,
    /// How alike query and formula are as wholes, where results are re-ranked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub likeness: Option<Likeness>,
}

/// What one token adds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TokenShare {
    /// The token.
    pub key: String,
    /// Its kind.
    pub kind: TokenKind,
    /// The regions in which the query has it, the first first.
    pub query_bits: String,
    /// The regions in which the formula has it, if it does.
    pub candidate_bits: Option<String>,
    /// How many they share.
    pub shared: u32,
    /// How many formulas of the collection hold it.
    pub formulas: u64,
    /// How rare that makes it, which is part of its weight; 1 without IDF.
    pub idf: f64,
    /// What a step counts: a region, where all count alike.
    pub weight: f64,
    /// The steps that the shared regions count, capped.
    pub steps: u32,
    /// What it adds to the score.
    pub contribution: f64,
}

/// What the regions of one level of a part add.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LevelShare {
    /// The part's letter; none for tokens that count wherever they stand.
    pub part: Option<char>,
    /// The level; 1 is the whole formula, and stands with the first part.
    pub level: usize,
    /// How many regions are shared.
    pub shared: u32,
    /// What they add to the score. Where a token is capped, its regions share what
    /// is left of it.
    pub contribution: f64,
}

/// Takes the score of a formula apart.
///
/// # Errors
/// When the index is damaged where it is looked at.
pub(super) fn explain(
    index: &Index,
    query: &Query,
    formula: usize,
) -> Result<Explanation, IndexError> {
    let config = &index.meta().config;
    let steps = index.norm_steps();
    let at = steps.partition_point(|step| step.first_formula as usize <= formula);
    let norm = f64::from(steps[at.saturating_sub(1)].norm).sqrt() / config.norm_unit().sqrt();
    let bits = config.regions.bits();
    let shown = |word: u128| -> String {
        let region = |region: usize| if word >> region & 1 == 1 { '1' } else { '0' };
        (0..bits).map(region).collect()
    };
    let mut levels = levels(config);
    let mut tokens = Vec::with_capacity(query.tokens.len());
    let mut sum = 0;
    for token in &query.tokens {
        let held = match token.token {
            Some(number) => index.word(number, formula)?,
            None => None,
        };
        let shared = held.unwrap_or(0) & token.word;
        let regions = (0..bits).filter(|region| shared >> region & 1 == 1);
        let all: u32 = regions.clone().map(|region| token.steps(region)).sum();
        let steps = all.min(token.cap);
        let adds = u64::from(steps) * u64::from(token.weight);
        sum += adds;
        let contribution = adds as f64 * query.unit / norm;
        let is_positional = config.tokens.is_positional(token.key.kind);
        for region in regions {
            let is_met = |(within, level): &&mut (Range<usize>, LevelShare)| {
                within.contains(&region) && level.part.is_some() == is_positional
            };
            if let Some((_, level)) = levels.iter_mut().find(is_met) {
                let part = f64::from(token.steps(region)) / f64::from(all.max(1));
                level.shared += 1;
                level.contribution += contribution * part;
            }
        }
        tokens.push(TokenShare {
            key: token.key.to_string(),
            kind: token.key.kind,
            query_bits: shown(token.word),
            candidate_bits: held.map(shown),
            shared: shared.count_ones(),
            formulas: token.token.map_or(0, |number| index.frequency(number)),
            idf: token.rarity,
            weight: f64::from(token.weight) * query.unit,
            steps,
            contribution,
        });
    }
    let sum = sum as f64 * query.unit;
    Ok(Explanation {
        id: String::new(),
        latex: String::new(),
        likeness: None,
        tokens,
        levels: levels.into_iter().map(|(_, level)| level).collect(),
        sum,
        norm,
        score: sum / norm,
    })
}

/// The regions of each level of each family; last the whole formula, for tokens
/// that are not positional.
fn levels(config: &PhocConfig) -> Vec<(Range<usize>, LevelShare)> {
    let share = |part: Option<char>, level: usize| LevelShare {
        part,
        level,
        shared: 0,
        contribution: 0.0,
    };
    let mut levels: Vec<(Range<usize>, LevelShare)> = Vec::new();
    for region in config.regions.iter() {
        match levels.last_mut() {
            Some((bits, _)) if region.index > 0 => bits.end = region.bit + 1,
            _ => {
                let of = share(Some(region.family.letter()), region.level);
                levels.push((region.bit..region.bit + 1, of));
            }
        }
    }
    levels.push((0..1, share(None, 1)));
    levels
}
