//! The reference: every formula scored plainly, all sorted, the first taken.
//!
//! It shares nothing with the engines but the index's postings and the
//! query's whole weights, and is what they are checked against.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::{Hit, Query};
use crate::index::{Index, IndexError, WINDOW, Word};

/// The `k` formulas most like the query, by the definition.
///
/// # Errors
/// When the index is damaged.
pub fn search(index: &Index, query: &Query, k: usize) -> Result<Vec<Hit>, IndexError> {
    let shared = match index.meta().word_bytes {
        8 => shared_bits::<u64>(index, query)?,
        _ => shared_bits::<u128>(index, query)?,
    };
    let mut hits = Vec::new();
    for (norm, formulas) in index.norms() {
        for formula in formulas {
            if let Some(&(held, sum)) = shared.get(&formula)
                && held >= query.least
            {
                let unit = query.unit;
                let rank = index.id_ranks()[formula];
                hits.push((
                    Hit {
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

/// For each formula: how many of the query's tokens it holds, and the
/// weighted bits that they share.
fn shared_bits<W: Word>(
    index: &Index,
    query: &Query,
) -> Result<BTreeMap<usize, (usize, u64)>, IndexError> {
    let mut shared: BTreeMap<usize, (usize, u64)> = BTreeMap::new();
    for (token, word, weight) in query.known() {
        for (window, ids, words) in index.postings::<W>(token)?.windows() {
            for (id, other) in ids.iter().zip(words) {
                let bits = (W::of(word) & *other).ones();
                let (held, sum) = shared.entry(window * WINDOW + *id as usize).or_default();
                *held += 1;
                *sum += u64::from(bits) * u64::from(weight);
            }
        }
    }
    Ok(shared)
}

/// sum / sqrt(norm) compared exactly: both squared and cleared of fractions.
fn by_score(a: &Hit, b: &Hit) -> Ordering {
    let squared = |x: &Hit, y: &Hit| u128::from(x.sum).pow(2) * u128::from(y.norm);
    squared(a, b).cmp(&squared(b, a))
}
