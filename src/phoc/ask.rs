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
    pub fn check(&self) -> Result<(), String> {
        let AskSettings {
            alpha,
            kappa,
            k,
            b,
            delta,
            combine: _,
        } = *self;
        let within = |name: &str, value: f64, most: f64| {
            if (0.0..=most).contains(&value) {
                Ok(())
            } else {
                Err(format!(
                    "{name}: expected a number from 0 to {most}, found {value}"
                ))
            }
        };
        within("alpha", alpha, 1.0)?;
        within("k", k, 100.0)?;
        within("b", b, 1.0)?;
        within("delta", delta, 100.0)?;
        if (1..=100_000).contains(&kappa) {
            Ok(())
        } else {
            Err(format!(
                "kappa: expected a number from 1 to 100000, found {kappa}"
            ))
        }
    }
}
