//! A query: the tokens of a formula, as an index knows them.

use super::MinMatch;
use crate::index::Index;
use crate::layout::Layout;
use crate::phoc::{Idf, Regions, TokenKey, TokenKind, Weights, encode};

/// The largest sum of weighted bits: sums fit an i32.
const MAX_SUM: f64 = (1u32 << 31) as f64 - 65_536.0;

/// The largest number of steps of the regions in one field of a code, so that their
/// sum fits a byte.
const MAX_STEPS: f64 = 255.0;
/// The largest number of steps of one unit of weight; finer steps do not make results better.
const FINEST: f64 = 64.0;

/// A token of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryToken {
    /// The token.
    pub key: TokenKey,
    /// Its number in the index, if any formula of the index holds it.
    pub token: Option<u32>,
    /// Its regions.
    pub word: u128,
    /// The weight of each region in steps, bit-sliced: plane i has bit i of the steps. A
    /// region of three steps is in the first plane and in the second. Where all regions
    /// count alike, there is one plane.
    pub planes: Vec<u128>,
    /// The cap: shared regions count at most this many steps.
    pub cap: u32,
    /// The weight of a step, in units of [`Query::unit`].
    pub weight: u32,
    /// Its IDF, in its rarest region where IDF is by region; 1 without IDF.
    pub rarity: f64,
    /// Whether it counts towards [`Query::min_tokens`].
    pub counts_toward_min_match: bool,
}

impl QueryToken {
    /// How many steps a region counts.
    pub fn steps(&self, region: usize) -> u32 {
        let planes = self.planes.iter().enumerate();
        planes
            .map(|(plane, bits)| ((bits >> region & 1) as u32) << plane)
            .sum()
    }

    /// Its largest gain: an upper bound of what it adds to a sum.
    pub fn max_gain(&self) -> u32 {
        all_steps(&self.planes).min(self.cap) * self.weight
    }

    /// An upper bound of what it adds for each unit of a formula's mass.
    pub(super) fn max_ratio(&self, weights: &Weights) -> f64 {
        let ratio = |region| f64::from(self.steps(region)) / weights.region(region);
        // With a cap, a formula's mass may be no more than that.
        let max_steps = f64::from(all_steps(&self.planes).min(self.cap));
        let capped = weights.cap().map_or(0.0, |cap| max_steps / f64::from(cap));
        let steps = regions(self.word).map(ratio).fold(capped, f64::max);
        steps * f64::from(self.weight) / weights.kind(self.key.kind)
    }

    /// Whether it adds something to every formula that holds it: every word has the
    /// region of the whole formula.
    pub(super) fn always_adds(&self) -> bool {
        self.steps(0) * self.weight > 0
    }
}

/// The tokens of a formula, with their weights in one index.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// The distinct tokens of the formula.
    pub tokens: Vec<QueryToken>,
    /// The minimum match: how many of the tokens that count towards it a formula must hold.
    pub min_tokens: usize,
    /// The value of a weight of one: weights are whole numbers of these units.
    pub unit: f64,
}

/// A token with its weight as a fraction.
struct Weighed {
    key: TokenKey,
    number: Option<u32>,
    word: u128,
    /// Its IDF.
    rarity: f64,
    /// The weight of a step.
    step: f64,
    planes: Vec<u128>,
    cap: u32,
}

impl Query {
    /// A query for formulas like `layout`.
    ///
    /// A token adds kind · min(cap · ρ, Σ level(r) · ρ(r)) over the regions r that a
    /// formula shares: what its kind weighs, what the region's level weighs, and how
    /// rare it is. Without IDF ρ(r) is 1; by token it is ln(N / (n + 1)), at least
    /// 0, where n of N formulas hold the token; by region n is how many hold it
    /// in r. ρ is the largest of them. Regions that differ in weight count whole
    /// steps, as many as fit 255 for each piece of a word and at most 64.
    ///
    /// Only symbols count towards the minimum match; tokens of other kinds, such as pairs and
    /// classes, only rank. Where one match is enough, it may be of any kind.
    pub fn new(layout: &Layout, index: &Index, min_match: MinMatch, idf: impl Into<Idf>) -> Self {
        let (config, idf) = (&index.meta().config, idf.into());
        let weights = Weights::new(config);
        let all = index.formulas() as f64;
        let rarity = |held: u64| (all / (held as f64 + 1.0)).ln().max(0.0);
        let encoded = encode(layout, config).into_iter();
        let tokens: Vec<Weighed> = encoded
            .map(|token| {
                let number = index.token(&token.key);
                let by_region = match idf {
                    // Where they are damaged, `Index::sound` refuses whatever is found.
                    Idf::Region => {
                        number.and_then(|number| index.region_frequencies(number).ok().flatten())
                    }
                    Idf::Off | Idf::Token => None,
                };
                let rarity_of = |region: usize| match (idf, number, by_region) {
                    (_, _, Some(held)) => rarity(u64::from(held[region])),
                    (Idf::Off, ..) | (_, None, _) => 1.0,
                    (_, Some(number), None) => rarity(index.frequency(number)),
                };
                let counts = regions(token.word).map(|region| (region, rarity_of(region)));
                let rarest = counts.clone().map(|(_, rarity)| rarity).fold(0.0, f64::max);
                let counts: Vec<(usize, f64)> = counts
                    .map(|(region, rarity)| {
                        let part = rarity / rarest.max(f64::MIN_POSITIVE);
                        (region, weights.region(region) * part)
                    })
                    .collect();
                let (planes, steps) = in_steps(token.word, &counts, &config.regions);
                let cap = weights
                    .cap()
                    .map_or(f64::INFINITY, |cap| f64::from(cap) * steps);
                let kind = weights.kind(token.key.kind);
                Weighed {
                    key: token.key,
                    number,
                    word: token.word,
                    rarity: rarest,
                    step: kind * rarest / steps,
                    cap: cap.round().max(1.0) as u32,
                    planes,
                }
            })
            .collect();
        let fractions = idf != Idf::Off || !weights.are_whole();
        Self::weighted(tokens, min_match, fractions)
    }

    /// Tokens with their weights as fractions, which become whole numbers as
    /// fine as sums allow.
    fn weighted(tokens: Vec<Weighed>, min_match: MinMatch, fractions: bool) -> Self {
        let symbols = tokens.iter().filter(|token| token.key.is_symbol());
        let symbols = symbols.count();
        let min_tokens = min_match.of(if symbols > 0 { symbols } else { tokens.len() });
        let query_token = |token: Weighed, unit: f64| {
            let weight = (token.step / unit).round() as u32;
            QueryToken {
                token: token.number,
                word: token.word,
                cap: token.cap,
                weight,
                rarity: token.rarity,
                counts_toward_min_match: min_tokens == 1 || symbols == 0 || token.key.is_symbol(),
                key: token.key,
                planes: token.planes,
            }
        };
        let max_gains = tokens
            .iter()
            .map(|token| token.step * f64::from(all_steps(&token.planes)));
        let shift = if fractions {
            (MAX_SUM / max_gains.sum::<f64>().max(1.0)).log2().floor()
        } else {
            0.0
        };
        let unit = (-shift.clamp(0.0, 24.0)).exp2();
        let tokens = tokens.into_iter().map(|token| query_token(token, unit));
        Query {
            tokens: tokens.collect(),
            min_tokens,
            unit,
        }
    }

    /// The tokens that some formula holds, with their numbers.
    pub fn known(&self) -> impl Iterator<Item = (u32, &QueryToken)> + Clone {
        let tokens = self.tokens.iter();
        tokens.filter_map(|token| Some((token.token?, token)))
    }

    /// Those of them that count towards the minimum match.
    pub fn known_counting(&self) -> impl Iterator<Item = (u32, &QueryToken)> + Clone {
        self.known()
            .filter(|(_, token)| token.counts_toward_min_match)
    }

    /// The symbols that no formula holds.
    pub fn unknown(&self) -> impl Iterator<Item = TokenKey> {
        self.tokens
            .iter()
            .filter(|token| token.token.is_none() && token.key.kind == TokenKind::Symbol)
            .map(|token| token.key)
    }
}

/// The regions of a word.
fn regions(word: u128) -> impl Iterator<Item = usize> + Clone {
    (0..u128::BITS as usize).filter(move |region| word >> region & 1 == 1)
}

/// The weights of regions in whole steps, bit-sliced, and how many steps are one unit
/// of weight.
fn in_steps(word: u128, counts: &[(usize, f64)], regions: &Regions) -> (Vec<u128>, f64) {
    if counts.iter().all(|(_, count)| *count == 1.0) {
        return (vec![word], 1.0);
    }
    // As fine as the field with the largest sum allows, each region rounded up.
    let fits = regions.field_bits().into_iter().map(|piece| {
        let within = counts.iter().filter(|(region, _)| piece.contains(region));
        let (all, sum) = within.fold((0.0, 0.0), |(all, sum), (_, count)| {
            (all + 1.0, sum + count)
        });
        (MAX_STEPS - all) / f64::max(sum, f64::MIN_POSITIVE)
    });
    let steps = fits.fold(FINEST, f64::min);
    let mut planes = vec![0; 8];
    for (region, count) in counts {
        let whole = ((count * steps).round() as u32).max(u32::from(*count > 0.0));
        for (plane, bits) in planes.iter_mut().enumerate() {
            *bits |= u128::from(whole >> plane & 1) << region;
        }
    }
    let used = planes
        .iter()
        .rposition(|bits| *bits != 0)
        .map_or(1, |last| last + 1);
    planes.truncate(used);
    (planes, steps)
}

/// The steps of all regions.
fn all_steps(planes: &[u128]) -> u32 {
    let planes = planes.iter().enumerate();
    planes.map(|(plane, bits)| bits.count_ones() << plane).sum()
}
