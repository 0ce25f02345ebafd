//! Cutting formulas at an operator, and joining two at one.

use super::spans::{SpanRole, SplitFormula};
use crate::random::Random;

/// One side of an operator of `formula`, where it has one.
pub(super) fn cut(formula: &SplitFormula, random: &mut Random) -> Option<String> {
    let at = *random.pick(&operators(formula))?;
    let side = if random.percent(50) {
        &formula.spans[..at]
    } else {
        &formula.spans[at + 1..]
    };
    let text: String = side.iter().map(|span| span.text).collect();
    let text = trimmed(&text);
    (!text.is_empty()).then(|| text.to_owned())
}

/// An operator of `formula`, where it has one.
pub(super) fn operator<'a>(formula: &SplitFormula<'a>, random: &mut Random) -> Option<&'a str> {
    let at = *random.pick(&operators(formula))?;
    Some(formula.spans[at].text)
}

/// Two formulas with an operator between them, where both can stand so.
pub(super) fn join(left: &SplitFormula, operator: &str, right: &SplitFormula) -> Option<String> {
    let text = |formula: &SplitFormula| -> String {
        let spans = formula.spans.iter().map(|span| span.text);
        spans.collect()
    };
    let (left_text, right_text) = (text(left), text(right));
    let (left_text, right_text) = (trimmed(&left_text), right_text.trim());
    let can_join = left.is_closed && right.is_closed;
    (can_join && !left_text.is_empty()).then(|| format!("{left_text} {operator} {right_text}"))
}

fn operators(formula: &SplitFormula) -> Vec<usize> {
    if !formula.is_closed {
        return Vec::new();
    }
    let spans = formula.spans.iter().enumerate();
    spans
        .filter(|(_, span)| span.role == SpanRole::Operator)
        .map(|(at, _)| at)
        .collect()
}

/// Text without punctuation and space at its end; the space of `\ ` stays.
fn trimmed(text: &str) -> &str {
    let text = text.trim_start();
    let end = text.trim_end_matches([' ', '\n', '\t', ',', '.', ';', ':']);
    if end.ends_with('\\') { text } else { end }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_cut_is_at_an_operator_of_the_whole() {
        let formula = SplitFormula::new(r"f(x+1) = \frac{a+b}{c} \le 2.");
        let cuts: BTreeSet<String> = (0..50)
            .filter_map(|number| cut(&formula, &mut Random::new(1, number)))
            .collect();
        let expected = [
            "2",
            r"\frac{a+b}{c} \le 2",
            "f(x+1)",
            r"f(x+1) = \frac{a+b}{c}",
        ];
        assert_eq!(cuts, expected.map(str::to_owned).into());
        assert_eq!(
            cut(&SplitFormula::new("f(x+1"), &mut Random::new(1, 1)),
            None
        );
    }

    #[test]
    fn joined_formulas_stay_apart() {
        let joined =
            |left, right| join(&SplitFormula::new(left), r"\in", &SplitFormula::new(right));
        assert_eq!(joined("x,", "Y").as_deref(), Some(r"x \in Y"));
        assert_eq!(joined(r"a\\b", "Y"), None);
        assert_eq!(joined(".", "Y"), None);
    }
}
