//! Whether a text is prose, prose with formulas in it, or a list of formulas.

/// Whether a text is prose in which formulas stand between delimiters. In a list of formulas
/// dollars stand within `\text`, and what is outside of them is LaTeX.
pub(super) fn is_prose_with_formulas(text: &str) -> bool {
    let (mut delimited, mut bare) = (0, 0);
    for line in text.lines() {
        let outside = outside_of_formulas(line);
        delimited += usize::from(outside.len() < line.len());
        bare += usize::from(is_latex(&outside));
    }
    delimited > bare
}

/// A line without what stands between delimiters, as far as these are on the line.
fn outside_of_formulas(line: &str) -> String {
    let mut outside = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(['$', '\\']) {
        let (before, from) = rest.split_at(at);
        outside.push_str(before);
        let pair = [("$$", "$$"), (r"\(", r"\)"), (r"\[", r"\]"), ("$", "$")]
            .into_iter()
            .find(|(open, _)| from.starts_with(open));
        let closed = pair.and_then(|(open, close)| from[open.len()..].split_once(close));
        match closed {
            Some((within, after)) if !within.trim().is_empty() => rest = after,
            // A command, or a character that a backslash stands before.
            _ => {
                let escaped = from.chars().take(2).map(char::len_utf8);
                let length = if from.starts_with('\\') {
                    escaped.sum()
                } else {
                    1
                };
                outside.push_str(&from[..length]);
                rest = &from[length..];
            }
        }
    }
    outside + rest
}

/// Whether a text has what only LaTeX has.
pub(crate) fn is_latex(text: &str) -> bool {
    let is_command = |(at, _)| {
        let after: Option<char> = text[at + 1..].chars().next();
        after.is_some_and(|c| c.is_ascii_alphabetic())
    };
    text.contains(['^', '_']) || text.match_indices('\\').any(is_command)
}

/// Whether most lines of a text that say something are sentences rather than formulas.
pub(super) fn is_prose(text: &str) -> bool {
    let is_word = |word: &&str| {
        let word = word.trim_matches(|c: char| c.is_ascii_punctuation());
        word.chars().count() > 1 && word.chars().all(char::is_alphabetic)
    };
    let is_sentence = |line: &&str| !is_latex(line) && line.split(' ').filter(is_word).count() > 2;
    let said = text.lines().filter(|line| !line.trim().is_empty());
    let (lines, sentences) = (said.clone().count(), said.filter(is_sentence).count());
    2 * sentences > lines
}

/// Whether a text without delimiters is LaTeX rather than words.
#[cfg(feature = "ask")]
pub(crate) fn is_formula(text: &str) -> bool {
    is_latex(text) && !is_prose(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_told_from_lists_of_formulas() {
        for prose in [
            "Let $x$ be odd.\nThen $$x^2$$ is.\n",
            r"So \(a_1\) and \[b\] are.",
            "It is $x$, and costs \\$5 or $6.\n",
        ] {
            assert!(is_prose_with_formulas(prose), "{prose}");
        }
        for list in [
            r"f(x) = 0 \text{ if $x$ is odd}",
            r"\begin{array}{c} a \\[2pt] b \end{array}",
            "x+1\ny^2\n",
            "",
        ] {
            assert!(!is_prose_with_formulas(list), "{list}");
            assert!(!is_prose(list), "{list}");
        }
        assert!(is_prose(
            "A list of things to do.\nBuy some milk, and bread.\n"
        ));
        assert!(!is_prose("sin x\n2 + 2 = 4\n"));
    }
}
