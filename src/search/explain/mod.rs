//! Why a formula is a result: what each of a query's tokens adds to its score, which symbols of
//! the two were matched, and what that comes to in words.

mod matches;
mod words;

pub(super) use matches::Compare;
pub use matches::{MatchedName, SymbolMatches, UnmatchedName};
pub(super) use words::{Reranking, words};

use std::ops::Range;

use serde::Serialize;

use super::query::{Query, QueryToken};
use super::rerank::Likeness;
use crate::index::{Index, IndexError};
use crate::phoc::{PhocConfig, TokenKind};

/// The explanation of a formula's score, token by token.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Explanation {
    /// The formula's external id.
    pub id: String,
    /// Its LaTeX.
    pub latex: String,
    /// The LaTeX of the query as it was laid out; empty for a query that is no LaTeX.
    pub read_as: String,
    /// What was guessed or left out to read the query, each in a sentence.
    pub notes: Vec<String>,
    /// The query's tokens, in their order.
    pub tokens: Vec<TokenShare>,
    /// What the regions of each family and level add, summed over all tokens.
    pub levels: Vec<LevelShare>,
    /// The sum of what all tokens add: the numerator of the score.
    pub sum: f64,
    /// The denominator of the score.
    pub norm: f64,
    /// The score that a search gives.
    pub score: f64,
    /// The likeness of query and formula, where results are re-ranked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub likeness: Option<Likeness>,
    /// The number by which results are ordered.
    pub order: Order,
    /// Which symbols of the query and of the formula were matched.
    pub matches: SymbolMatches,
    /// All this in words: whole sentences.
    pub words: Vec<String>,
}

/// The number by which a result stands where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Order {
    /// What it is.
    pub by: OrderedBy,
    /// The number: the hit's likeness or score.
    pub value: f64,
}

/// What orders results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OrderedBy {
    /// Re-ranking: the formula is among the first, which are compared as wholes.
    Likeness,
    /// The first stage alone.
    Score,
}

/// What one token of the query adds to a score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TokenShare {
    /// The token.
    pub key: String,
    /// Its kind.
    pub kind: TokenKind,
    /// The query's word as text, `1` for each region in which the query has the token.
    pub query_bits: String,
    /// The formula's word as text, if the formula holds the token.
    pub candidate_bits: Option<String>,
    /// The number of regions that query and formula share.
    pub shared: u32,
    /// The document frequency: how many formulas of the index hold the token.
    pub formulas: u64,
    /// The IDF, which is a factor of its weight; 1 without IDF.
    pub idf: f64,
    /// The weight of one step; where all regions count alike, a region is one step.
    pub weight: f64,
    /// The number of steps of the shared regions, at most the cap.
    pub steps: u32,
    /// What it adds to the score.
    pub contribution: f64,
}

/// What the regions of one level of a family add.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LevelShare {
    /// The family's letter; none for tokens that are not positional.
    pub part: Option<char>,
    /// The level; level 1 is the whole formula, and is listed with the first family.
    pub level: usize,
    /// How many regions are shared.
    pub shared: u32,
    /// What they add to the score. The contribution of a capped token is divided among
    /// its regions in proportion.
    pub contribution: f64,
}

/// Explains the score of a formula.
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
    let mut levels = Levels::of(config);
    let mut tokens = Vec::with_capacity(query.tokens.len());
    let mut sum = 0;
    for token in &query.tokens {
        let candidate_word = match token.token {
            Some(number) => index.word(number, formula)?,
            None => None,
        };
        let shared = SharedRegions::of(token, candidate_word);
        let gain = u64::from(shared.capped_steps) * u64::from(token.weight);
        sum += gain;
        let contribution = gain as f64 * query.unit / norm;
        levels.add(token, &shared, contribution);
        tokens.push(TokenShare {
            key: token.key.to_string(),
            kind: token.key.kind,
            query_bits: config.regions.bit_string(token.word),
            candidate_bits: candidate_word.map(|word| config.regions.bit_string(word)),
            shared: shared.word.count_ones(),
            formulas: token.token.map_or(0, |number| index.frequency(number)),
            idf: token.rarity,
            weight: f64::from(token.weight) * query.unit,
            steps: shared.capped_steps,
            contribution,
        });
    }
    let sum = sum as f64 * query.unit;
    Ok(Explanation {
        id: String::new(),
        latex: String::new(),
        read_as: String::new(),
        notes: Vec::new(),
        likeness: None,
        tokens,
        levels: levels.rows.into_iter().map(|(_, level)| level).collect(),
        sum,
        norm,
        score: sum / norm,
        order: Order {
            by: OrderedBy::Score,
            value: sum / norm,
        },
        matches: SymbolMatches::default(),
        words: Vec::new(),
    })
}

/// The regions of a token that query and formula share.
struct SharedRegions {
    word: u128,
    /// The steps of all shared regions.
    steps: u32,
    /// The same, at most the token's cap.
    capped_steps: u32,
}

impl SharedRegions {
    fn of(token: &QueryToken, candidate_word: Option<u128>) -> Self {
        let mut shared = SharedRegions {
            word: candidate_word.unwrap_or(0) & token.word,
            steps: 0,
            capped_steps: 0,
        };
        shared.steps = shared.regions().map(|region| token.steps(region)).sum();
        shared.capped_steps = shared.steps.min(token.cap);
        shared
    }

    fn regions(&self) -> impl Iterator<Item = usize> + '_ {
        (0..u128::BITS as usize).filter(|region| self.word >> region & 1 == 1)
    }
}

/// What the levels of all families add.
struct Levels<'a> {
    config: &'a PhocConfig,
    /// The regions of each level of each family, and what they add; the last row is the whole
    /// formula, for tokens that are not positional.
    rows: Vec<(Range<usize>, LevelShare)>,
}

impl<'a> Levels<'a> {
    /// All levels, to which no token was added yet.
    fn of(config: &'a PhocConfig) -> Self {
        let empty = |part: Option<char>, level: usize| LevelShare {
            part,
            level,
            shared: 0,
            contribution: 0.0,
        };
        let mut rows: Vec<(Range<usize>, LevelShare)> = Vec::new();
        for region in config.regions.iter() {
            match rows.last_mut() {
                Some((bits, _)) if region.index > 0 => bits.end = region.bit + 1,
                _ => {
                    let row = empty(Some(region.family.letter()), region.level);
                    rows.push((region.bit..region.bit + 1, row));
                }
            }
        }
        rows.push((0..1, empty(None, 1)));
        Levels { config, rows }
    }

    /// Divides what a token contributes among the levels of its shared regions.
    fn add(&mut self, token: &QueryToken, shared: &SharedRegions, contribution: f64) {
        let is_positional = self.config.tokens.is_positional(token.key.kind);
        for region in shared.regions() {
            let holds_region = |(bits, level): &&mut (Range<usize>, LevelShare)| {
                bits.contains(&region) && level.part.is_some() == is_positional
            };
            if let Some((_, level)) = self.rows.iter_mut().find(holds_region) {
                let part = f64::from(token.steps(region)) / f64::from(shared.steps.max(1));
                level.shared += 1;
                level.contribution += contribution * part;
            }
        }
    }
}
