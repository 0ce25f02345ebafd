//! The minimum match: how much of the query a formula must hold.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

/// A part of the query's distinct symbols, from none to all.
#[derive(Debug, Clone, Copy, Default, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct MinMatch(f64);

/// Why a text is no minimum match.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a part of the query such as 75%, 0.75 or 100%, found `{0}`")]
pub struct MinMatchError(String);

impl MinMatch {
    /// Any one symbol will do.
    pub const ANY: MinMatch = MinMatch(0.0);
    /// All symbols.
    pub const ALL: MinMatch = MinMatch(1.0);

    /// A part between 0 and 1.
    pub fn new(part: f64) -> Option<Self> {
        (0.0..=1.0).contains(&part).then_some(MinMatch(part))
    }

    /// The part, between 0 and 1.
    pub fn part(self) -> f64 {
        self.0
    }

    /// How many of `distinct` symbols a formula must hold: rounded down, but at least one.
    pub fn of(self, distinct: usize) -> usize {
        // 0.29 * 100 is a hair under 29 in binary.
        let part = (self.0 * distinct as f64 + 1e-9).floor() as usize;
        part.clamp(1, distinct.max(1))
    }
}

impl FromStr for MinMatch {
    type Err = MinMatchError;

    /// Reads `75%` or `0.75`.
    fn from_str(text: &str) -> Result<Self, MinMatchError> {
        let refuse = || MinMatchError(text.to_owned());
        let (number, percent) = match text.trim().strip_suffix('%') {
            Some(number) => (number, true),
            None => (text.trim(), false),
        };
        let value: f64 = number.trim().parse().map_err(|_| refuse())?;
        let part = if percent { value / 100.0 } else { value };
        MinMatch::new(part).ok_or_else(refuse)
    }
}

impl fmt::Display for MinMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", (self.0 * 10_000.0).round() / 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_rounded_down_and_at_least_one() {
        let at = |text: &str, distinct| text.parse::<MinMatch>().unwrap().of(distinct);
        assert_eq!(at("75%", 5), 3);
        assert_eq!(at("0.75", 4), 3);
        assert_eq!(at("0%", 7), 1);
        assert_eq!(at("100%", 7), 7);
        assert_eq!(at("29%", 100), 29);
        assert_eq!(at("1", 3), 3);
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "-1%", "101%", "75", "NaN", "half", "inf"] {
            assert!(text.parse::<MinMatch>().is_err(), "{text}");
        }
    }
}
