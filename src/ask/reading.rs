//! Whether what is typed is a question, or a formula to search for.

use super::question::typed_parts;
use crate::corpus::{TextPart, is_formula, is_latex};
use crate::layout::is_mathml;

/// Words that formulas have: functions, operators and letters as they are typed without backslash.
const NAMES: [&str; 65] = [
    "alpha", "arccos", "arcsin", "arctan", "arg", "beta", "binom", "cdot", "chi", "cos", "cosh",
    "cot", "csc", "deg", "delta", "det", "dim", "epsilon", "erf", "eta", "exp", "frac", "gamma",
    "gcd", "hbar", "hom", "inf", "infty", "int", "iota", "kappa", "ker", "lambda", "lcm", "lim",
    "liminf", "limsup", "log", "max", "min", "mod", "nabla", "omega", "oplus", "otimes", "phi",
    "pmod", "prod", "psi", "rank", "rho", "sec", "sigma", "sin", "sinh", "span", "sqrt", "sum",
    "sup", "tan", "tanh", "tau", "theta", "times", "zeta",
];

/// Whether what is typed is a question: whether it has words outside of its formulas.
///
/// Beside a formula between delimiters one word of two letters is enough. A text without any needs
/// two words of three letters, or one of four, that are no names of functions or letters. What has
/// LaTeX outside of delimiters is a formula, and so is MathML. What follows a delimiter that is not
/// closed yet is a formula that is being typed.
///
/// ```
/// use phocus::ask::is_question;
///
/// assert!(is_question("why does $\\sum 1/n$ diverge?"));
/// assert!(is_question("countable ordinals"));
/// assert!(!is_question("\\sum 1/n") && !is_question("$x$") && !is_question("sin x + cos y"));
/// ```
pub fn is_question(typed: &str) -> bool {
    if is_mathml(typed) {
        return false;
    }
    let parts = typed_parts(typed);
    let mut outside = String::new();
    for part in &parts {
        match part {
            TextPart::Words(words) => outside.push_str(words),
            _ => outside.push(' '),
        }
    }
    let opened = ["$", r"\(", r"\["]
        .iter()
        .filter_map(|open| outside.find(open));
    let opened = opened.min();
    outside.truncate(opened.unwrap_or(outside.len()));
    let has_formula = opened.is_some() || parts.iter().any(|part| part.latex().is_some());
    !is_latex(&outside) && has_words(&outside, has_formula)
}

fn has_words(text: &str, has_formula: bool) -> bool {
    let words = text.split_whitespace().map(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        // A word may have a hyphen or an apostrophe in it; what has an operator in it is none.
        let is_word = |c: char| c.is_alphabetic() || matches!(c, '-' | '\'' | '’');
        let is_name = NAMES.contains(&word.to_lowercase().as_str());
        let letters = word.chars().filter(|c| c.is_alphabetic()).count();
        if word.chars().all(is_word) && !is_name {
            letters
        } else {
            0
        }
    });
    let lengths: Vec<usize> = words.collect();
    let longest = lengths.iter().max().copied().unwrap_or(0);
    let least = if has_formula { 2 } else { 4 };
    longest >= least || lengths.iter().filter(|letters| **letters > 2).count() > 1
}

/// Words that join formulas, so that they make no question.
const JOINING: [&str; 15] = [
    "all",
    "and",
    "any",
    "each",
    "else",
    "for",
    "iff",
    "let",
    "otherwise",
    "such",
    "that",
    "then",
    "when",
    "where",
    "with",
];

/// Makes formulas of the LaTeX that stands among words without delimiters, and of what follows a
/// delimiter that is not closed. A text that has less than two words beside its LaTeX is left as it
/// is: it is a formula.
pub(super) fn with_bare_formulas(parts: Vec<TextPart>) -> Vec<TextPart> {
    let has_formula = parts.iter().any(|part| part.latex().is_some());
    let mut all = Vec::new();
    for part in parts {
        match part {
            TextPart::Words(words) => match unclosed(&words) {
                Some((before, latex)) => {
                    all.push(TextPart::Words(before.to_owned()));
                    all.push(TextPart::Formula(latex.to_owned()));
                }
                None if !has_formula && is_latex(&words) && asks(&words) => {
                    all.extend(among_words(&words));
                }
                None => all.push(TextPart::Words(words)),
            },
            part => all.push(part),
        }
    }
    all
}

/// The words before a delimiter that is not closed, and the LaTeX after it.
fn unclosed(text: &str) -> Option<(&str, &str)> {
    let opened = ["$$", "$", r"\(", r"\["].iter().filter_map(|open| {
        let (before, latex) = text.split_once(open)?;
        Some((before, latex.trim()))
    });
    let (before, latex) = opened.min_by_key(|(before, _)| before.len())?;
    let is_formula = is_latex(latex) || latex.contains('=');
    (is_formula && !before.trim().is_empty()).then_some((before, latex))
}

/// Whether a text has two words of three letters that are no part of formulas.
fn asks(text: &str) -> bool {
    let mut depth = 0;
    let words = text.split_whitespace().filter(|word| {
        let is_outside = depth == 0 && !word.contains(['\\', '^', '_', '{', '}']);
        depth += word.matches('{').count() as i32 - word.matches('}').count() as i32;
        let bare = word
            .trim_matches(|c: char| !c.is_alphanumeric())
            .to_lowercase();
        let is_word = bare.chars().count() > 2 && bare.chars().all(char::is_alphabetic);
        let is_name = NAMES.contains(&bare.as_str()) || JOINING.contains(&bare.as_str());
        is_outside && is_word && !is_name
    });
    words.count() > 1
}

/// Words, and runs of LaTeX, signs, numbers and single letters between them as formulas.
fn among_words(text: &str) -> Vec<TextPart> {
    let is_word = |word: &&str| {
        let letters = word.chars().filter(|c| c.is_alphabetic()).count();
        letters > 1 && !is_latex(word) && !word.contains(['{', '}', '='])
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let runs = words.chunk_by(|a, b| is_word(a) == is_word(b));
    let parts = runs.map(|run| {
        let joined = run.join(" ");
        if is_word(&run[0]) || !is_latex(&joined) {
            TextPart::Words(format!("{joined} "))
        } else {
            let latex = joined.trim_end_matches(['?', ',', '.', ';', ':']);
            TextPart::Formula(latex.to_owned())
        }
    });
    parts.collect()
}

/// Whether a text without formulas between delimiters is one formula: it has LaTeX and is no prose,
/// or it has no word at all.
pub(super) fn is_bare_formula(typed: &str) -> bool {
    let has_letters_together = |word: &str| {
        let letters = word.chars().filter(|c| c.is_alphabetic()).count();
        letters > 1
    };
    let mut words = typed.split(|c: char| !c.is_alphanumeric());
    is_formula(typed) || (!typed.trim().is_empty() && !words.any(has_letters_together))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_outside_of_formulas_make_a_question() {
        for question in [
            "why does $\\sum 1/n$ diverge?",
            "is $x$ odd",
            "$x$ is odd",
            r"limit of \(a_n\)",
            r"show that \[x^2\]",
            "Cauchy-Schwarz inequality",
            "diverges",
            "why is pi irrational?",
            "the sum of two squares",
            "what's a \u{2019}ring\u{2019}?",
            "<p>Why is <span class=\"math-container\">$x$</span> odd?</p>",
            // While a formula is being typed.
            r"why does $\sum_{n",
            r"why does \(\sum_{n",
        ] {
            assert!(is_question(question), "{question}");
        }
    }

    #[test]
    fn a_formula_is_none() {
        for formula in [
            "",
            "x",
            "x+y",
            "why",
            "$x$",
            "$x$, $y$",
            "$$",
            "$\\text{why is it odd}$",
            r"\frac{a}{b}",
            r"\int_0^\infty e^{-x^2} dx = \frac{\sqrt{\pi}}{2}",
            r"f(x) = 0 \text{ if $x$ is odd}",
            r"\begin{align} x &= y \text{ for some odd } z \end{align}",
            "sin x + cos y",
            "log log x",
            "abc+defg=h",
            "√(x+1)",
            "<math><mi>why</mi><mi>not</mi></math>",
            r"x \in A \text{ for all } A",
        ] {
            assert!(!is_question(formula), "{formula}");
        }
    }

    #[test]
    fn latex_among_words_is_a_formula_without_delimiters_too() {
        let read = |typed: &str| {
            let parts = super::super::Question::read(typed).body.into_iter();
            let parts = parts.map(|part| match part {
                TextPart::Formula(latex) => format!("[{latex}]"),
                TextPart::Words(words) => words.trim().to_owned(),
                _ => String::new(),
            });
            parts.collect::<Vec<_>>().join(" ")
        };
        for (typed, expected) in [
            (
                "what is the derivative of x^2?",
                "what is the derivative of [x^2]",
            ),
            (
                "solve x^2 + 1 = 0 over reals",
                "solve [x^2 + 1 = 0] over reals",
            ),
            (
                "why does 2^n grow faster than n^2",
                "why does [2^n] grow faster than [n^2]",
            ),
            (r"why does $\sum_{n", r"why does [\sum_{n]"),
            (r"limit of \(\frac{1}{n", r"limit of [\frac{1}{n]"),
            ("costs $5", "costs $5"),
            (
                r"x^2 \text{ for every real number } x",
                r"[x^2 \text{ for every real number } x]",
            ),
            ("x^2 for all x", "[x^2 for all x]"),
        ] {
            assert_eq!(read(typed), expected, "{typed}");
        }
    }

    #[test]
    fn what_has_no_word_is_a_formula() {
        for formula in ["x+y", "1/n", r"\frac1n", "∑ 1/n"] {
            assert!(is_bare_formula(formula), "{formula}");
        }
        for words in ["", " ", "ring", "why is it so", "gcd"] {
            assert!(!is_bare_formula(words), "{words}");
        }
    }
}
