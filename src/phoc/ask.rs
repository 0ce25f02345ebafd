//! How questions are answered: settings of the ranking of texts.

use serde::{Deserialize, Serialize};

/// How words and formulas are weighed when a question is answered. `docs/asking.md` defines the
/// score.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AskSettings {
    /// The share of formulas in the score, from 0 to 1; words have the rest.
    pub alpha: f64,
    /// How many of the formulas most like a formula of the question count.
    pub kappa: usize,
    /// How soon a further occurrence adds little: k of BM25+.
    pub k: f64,
    /// How much longer texts lose, from 0 to 1: b of BM25+.
    pub b: f64,
    /// What an occurrence adds at least, however long the text is: delta of BM25+.
    pub delta: f64,
    /// How the formulas of a text that are like one formula of the question count together.
    pub combine: Combine,
}

/// How the formulas of a text that are like one formula of the question count together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Combine {
    /// The one that counts most counts alone.
    #[default]
    Max,
    /// All are added up, as in Ng's thesis.
    Sum,
}

impl Default for AskSettings {
    fn default() -> Self {
        AskSettings {
            alpha: 0.9,
            kappa: 400,
            k: 1.2,
            b: 0.75,
            delta: 1.0,
            combine: Combine::Max,
        }
    }
}

impl AskSettings {
    /// Says what is wrong with the settings, if something is.
    ///
    /// # Errors
    /// What is out of bounds.
    pub fn check(&self) -> Result<(), &'static str> {
        let is_share = |value: f64| (0.0..=1.0).contains(&value);
        let is_weight = |value: f64| (0.0..=100.0).contains(&value);
        match () {
            () if !is_share(self.alpha) => Err("`alpha` of `ask` is a share from 0 to 1"),
            () if !(1..=100_000).contains(&self.kappa) => {
                Err("`kappa` of `ask` is a number of formulas from 1 to 100000")
            }
            () if !is_weight(self.k) => Err("`k` of `ask` is a number from 0 to 100"),
            () if !is_share(self.b) => Err("`b` of `ask` is a number from 0 to 1"),
            () if !is_weight(self.delta) => Err("`delta` of `ask` is a number from 0 to 100"),
            () => Ok(()),
        }
    }
}
