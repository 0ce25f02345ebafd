//! The reference: it scores every formula, sorts them all and takes the first.
//!
//! The engines are checked against it. It has nothing in common with them but the
//! index's postings and the query's integer weights.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::ScoredFormula;
use super::query::Query;
use crate::index::{Index, IndexError};

/// The `k` formulas with the highest scores, computed by the definition.
///
/// # Errors
/// When the index is damaged.
pub fn search(index: &Index, query: &Query, k: usize) -> Result<Vec<ScoredFormula>, IndexError> {
    let shared = shared_bits(index, query)?;
    let ranks = index.id_ranks()?;
    let mut hits = Vec::new();
    for (norm, formulas) in index.norms() {
        for formula in formulas {
            if let Some(&(held, sum)) = shared.get(&formula)
                && held >= query.min_tokens
            {
                let unit = query.unit * index.meta().config.norm_unit().sqrt();
                let rank = ranks[formula];
                hits.push((
                    ScoredFormula {
                        formula,
                        sum: sum as u32,
                        norm,
                        unit,
                    },
                    rank,
                ));
            }
        }
    }
    hits.sort_by(|(a, a_rank), (b, b_rank)| by_score(b, a).then(a_rank.cmp(b_rank)));
    Ok(hits.into_iter().take(k).map(|(hit, _)| hit).collect())
}

/// For each formula: how many of the query's tokens it holds that count towards the
/// minimum match, and the weighted bits that it shares with the query.
fn shared_bits(index: &Index, query: &Query) -> Result<BTreeMap<usize, (usize, u64)>, IndexError> {
    let mut shared: BTreeMap<usize, (usize, u64)> = BTreeMap::new();
    for (number, token) in query.known() {
        index.each_posting(number, &mut |formula, other| {
            let (held, sum) = shared.entry(formula).or_default();
            *held += usize::from(token.counts_toward_min_match);
            let regions = (0..u128::BITS as usize).filter(|region| other >> region & 1 == 1);
            let steps: u32 = regions.map(|region| token.steps(region)).sum();
            *sum += u64::from(steps.min(token.cap)) * u64::from(token.weight);
        })?;
    }
    Ok(shared)
}

/// sum / sqrt(norm) compared exactly: both squared and cleared of fractions.
fn by_score(a: &ScoredFormula, b: &ScoredFormula) -> Ordering {
    let squared =
        |x: &ScoredFormula, y: &ScoredFormula| u128::from(x.sum).pow(2) * u128::from(y.norm);
    squared(a, b).cmp(&squared(b, a))
}
