//! Numbers and names: symbols that are read as one.

use serde::{Deserialize, Serialize};

use super::PhocConfig;
use super::roles::fold;
use crate::layout::{Symbol, SymbolId};

/// How the digits of a number, or the letters of a name such as sin, become symbols.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GroupingMode {
    /// Separate symbols.
    #[default]
    Apart,
    /// Separate symbols that all have the box of the whole.
    Expand,
    /// One symbol.
    Whole,
}

/// The widest gap between letters of a name, in em: a thin space is wider.
const GAP: f64 = 0.12;
/// The widest gap between digits, in em; the digit 1 has much room around it.
const DIGIT_GAP: f64 = 0.2;
/// The largest difference in height and place between digits of one number, in em.
const ALIKE: f64 = 0.06;

/// A digit of a number or a letter of a name, as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Letter {
    Digit(u8),
    Upright(u8),
}

impl Letter {
    fn of(symbol: &Symbol, config: &PhocConfig) -> Option<Self> {
        let digit = if config.fold {
            fold(symbol.id)
        } else {
            symbol.id
        };
        match (symbol.id, digit) {
            (_, SymbolId::Char(c)) if c.is_ascii_digit() => Some(Letter::Digit(c as u8)),
            (SymbolId::Char(c), _) if c.is_ascii_alphabetic() => Some(Letter::Upright(c as u8)),
            _ => None,
        }
    }

    fn text(self) -> u8 {
        match self {
            Letter::Digit(c) | Letter::Upright(c) => c,
        }
    }

    fn together(self, config: &PhocConfig) -> GroupingMode {
        match self {
            Letter::Digit(_) => config.numbers,
            Letter::Upright(_) => config.names,
        }
    }
}

/// Whether a letter goes on after another, where the first stands on the left.
fn follows(a: (&Symbol, Letter), b: (&Symbol, Letter)) -> bool {
    let ((a, first), (b, second)) = ((&a.0.rect, a.1), (&b.0.rect, b.1));
    let gap = b.x0 - a.x1;
    match (first, second) {
        // A power is smaller and higher.
        (Letter::Digit(_), Letter::Digit(_)) => {
            (a.y0 - b.y0).abs() < ALIKE
                && (a.y1 - b.y1).abs() < ALIKE
                && (-GAP..DIGIT_GAP).contains(&gap)
        }
        (Letter::Upright(_), Letter::Upright(_)) => {
            let overlap = a.y1.min(b.y1) - a.y0.max(b.y0);
            overlap > 0.5 * a.height().min(b.height()) && (-GAP..GAP).contains(&gap)
        }
        _ => false,
    }
}

/// The symbols with numbers and names as the configuration has them: first those
/// that neighbours are looked for among, then those that stand by themselves.
pub(super) fn together(symbols: Vec<Symbol>, config: &PhocConfig) -> (Vec<Symbol>, Vec<Symbol>) {
    if [config.numbers, config.names] == [GroupingMode::Apart; 2] {
        return (symbols.clone(), symbols);
    }
    let (mut apart, mut expanded) = (Vec::new(), Vec::new());
    for run in runs(&symbols, config) {
        let whole = run[1..].iter().fold(symbols[run[0]].rect, |whole, at| {
            whole.union(&symbols[*at].rect)
        });
        let letters: Vec<u8> = (run.iter())
            .filter_map(|at| Letter::of(&symbols[*at], config))
            .map(Letter::text)
            .collect();
        let how = Letter::of(&symbols[run[0]], config).map(|letter| letter.together(config));
        match how.filter(|_| run.len() > 1) {
            Some(GroupingMode::Whole) => {
                // Longer ones are pieces of eight.
                let pieces = letters.chunks(8).map(|piece| Symbol {
                    id: SymbolId::text(piece),
                    rect: whole,
                });
                apart.extend(pieces.clone());
                expanded.extend(pieces);
            }
            how => {
                let rect = |symbol: &Symbol| match how {
                    Some(GroupingMode::Expand) => whole,
                    _ => symbol.rect,
                };
                apart.extend(run.iter().map(|at| symbols[*at]));
                expanded.extend(run.iter().map(|at| Symbol {
                    rect: rect(&symbols[*at]),
                    ..symbols[*at]
                }));
            }
        }
    }
    (apart, expanded)
}

/// The symbols in runs, each from left to right; most are runs of one.
fn runs(symbols: &[Symbol], config: &PhocConfig) -> Vec<Vec<usize>> {
    let mut by_left: Vec<usize> = (0..symbols.len()).collect();
    by_left.sort_by(|a, b| symbols[*a].rect.x0.total_cmp(&symbols[*b].rect.x0));
    let mut runs: Vec<Vec<usize>> = Vec::new();
    for at in by_left {
        let letter = Letter::of(&symbols[at], config);
        let goes_on = |run: &&mut Vec<usize>| {
            let last = run[run.len() - 1];
            match (Letter::of(&symbols[last], config), letter) {
                (Some(first), Some(letter)) => {
                    follows((&symbols[last], first), (&symbols[at], letter))
                }
                _ => false,
            }
        };
        match runs.iter_mut().rev().find(goes_on) {
            Some(run) => run.push(at),
            None => runs.push(vec![at]),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout;
    use crate::phoc::encode;

    fn shown(latex: &str, how: &str) -> Vec<(String, usize)> {
        let mut config: PhocConfig = "xy7o4".parse().unwrap();
        config.numbers = serde_json::from_str(&format!("\"{how}\"")).unwrap();
        config.names = config.numbers;
        let encoded = encode(&layout::latex(latex).unwrap(), &config);
        let shown = |token: &crate::phoc::Encoded| {
            (token.key.to_string(), token.word.count_ones() as usize)
        };
        encoded.iter().map(shown).collect()
    }

    fn keys(latex: &str, how: &str) -> String {
        let keys: Vec<String> = shown(latex, how).into_iter().map(|(key, _)| key).collect();
        keys.join(" ")
    }

    #[test]
    fn numbers_and_names_are_one() {
        assert_eq!(keys(r"\sin 120", "apart"), "0 1 2 i n s");
        assert_eq!(keys(r"\sin 120", "expand"), "0 1 2 i n s");
        assert_eq!(keys(r"\sin 120", "whole"), "120 sin");
        assert_eq!(keys(r"\log\log 7", "whole"), "7 log");
        assert_eq!(keys(r"12^{34}x_{10}", "whole"), "𝑥 10 12 34");
        assert_eq!(keys(r"2^3", "whole"), "2 3");
        assert_eq!(keys(r"\frac{12}{34}", "whole"), "- 12 34");
        assert_eq!(keys(r"1234567890", "whole"), "12345678 90");
    }

    /// Every digit stands where the number does.
    #[test]
    fn digits_take_the_whole_number_s_place() {
        let words = shown(r"120+x", "expand");
        assert_eq!(words[1].1, words[2].1);
        assert_eq!(words[2].1, words[3].1);
        assert!(words[1].1 > shown(r"120+x", "apart")[1].1);
    }
}
