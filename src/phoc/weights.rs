//! What regions count: by level, up to a cap, and by how rare they are.

use std::fmt;
use std::str::FromStr;

use serde::de::{Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{PhocConfig, TokenKind};
use crate::names::{UnknownName, by_name};

/// Weights are whole numbers of these parts, so that sums do not depend on order.
const WEIGHT_SCALE: f64 = 256.0;

/// Whether rare tokens weigh more.
///
/// A token that n of N formulas hold counts ln(N / (n + 1)), at least nought.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Idf {
    /// All count alike.
    #[default]
    Off,
    /// By how many formulas hold the token.
    Token,
    /// By how many hold it in the same region, region by region.
    Region,
}

impl From<bool> for Idf {
    fn from(is_on: bool) -> Self {
        if is_on { Idf::Token } else { Idf::Off }
    }
}

impl fmt::Display for Idf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Idf::Off => "false",
            Idf::Token => "true",
            Idf::Region => "region",
        })
    }
}

impl FromStr for Idf {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        by_name(&[Idf::Token, Idf::Off, Idf::Region], text)
    }
}

impl Serialize for Idf {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Idf::Region => serializer.collect_str(self),
            on_or_off => serializer.serialize_bool(*on_or_off == Idf::Token),
        }
    }
}

impl<'de> Deserialize<'de> for Idf {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct IdfVisitor;
        impl Visitor<'_> for IdfVisitor {
            type Value = Idf;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("true, false or \"region\"")
            }

            fn visit_bool<E>(self, is_on: bool) -> Result<Idf, E> {
                Ok(is_on.into())
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Idf, E> {
                let wrong = |_| E::invalid_value(Unexpected::Str(text), &self);
                text.parse().map_err(wrong)
            }
        }
        deserializer.deserialize_any(IdfVisitor)
    }
}

/// A formula's own bits, weighted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FormulaMass(u64);

impl FormulaMass {
    /// How many they are.
    pub fn bits(self) -> f64 {
        self.0 as f64 / (WEIGHT_SCALE * WEIGHT_SCALE)
    }
}

/// What the tokens of a configuration count.
#[derive(Debug, Clone)]
pub struct Weights<'a> {
    config: &'a PhocConfig,
    /// Regions, and what each of them counts, in parts.
    levels: Vec<(u128, u64)>,
    /// The most that a token's regions count, in parts.
    cap: u64,
}

impl<'a> Weights<'a> {
    /// Those of a configuration.
    pub fn new(config: &'a PhocConfig) -> Self {
        let parts = |level: usize| match config.levels.get(level) {
            Some(weight) => rounded(*weight),
            None => WEIGHT_SCALE as u64,
        };
        Weights {
            config,
            levels: if config.levels.is_empty() {
                vec![(u128::MAX, WEIGHT_SCALE as u64)]
            } else {
                let masks = config.regions.level_masks().into_iter().enumerate();
                masks.map(|(level, mask)| (mask, parts(level))).collect()
            },
            cap: config
                .cap
                .map_or(u64::MAX, |cap| u64::from(cap) * WEIGHT_SCALE as u64),
        }
    }

    /// What a region counts, whatever the token.
    pub fn region(&self, region: usize) -> f64 {
        let level = self.levels.iter().find(|(mask, _)| mask >> region & 1 == 1);
        level.map_or(0.0, |(_, parts)| *parts as f64 / WEIGHT_SCALE)
    }

    /// What a region of a kind counts, whatever the region.
    pub fn kind(&self, kind: TokenKind) -> f64 {
        rounded(self.config.tokens.weight(kind)) as f64 / WEIGHT_SCALE
    }

    /// The most that a token's regions count.
    pub fn cap(&self) -> Option<u32> {
        self.config.cap
    }

    /// Whether all regions of all kinds count one.
    pub fn are_whole(&self) -> bool {
        self.config.levels.is_empty() && self.config.tokens.are_alike()
    }

    /// What the regions of a word count, whatever the kind and the cap.
    pub fn count(&self, word: u128) -> f64 {
        self.parts(word) as f64 / WEIGHT_SCALE
    }

    /// Adds a word of a kind to a formula's own bits.
    pub fn add(&self, kind: TokenKind, word: u128, own: &mut FormulaMass) {
        own.0 += rounded(self.config.tokens.weight(kind)) * self.parts(word).min(self.cap);
    }

    fn parts(&self, word: u128) -> u64 {
        let levels = self.levels.iter();
        let parts = levels.map(|(mask, parts)| parts * u64::from((word & mask).count_ones()));
        parts.sum()
    }
}

fn rounded(weight: f64) -> u64 {
    (weight * WEIGHT_SCALE).round() as u64
}
