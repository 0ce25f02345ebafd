//! Formulas between delimiters, as MathJax, KaTeX and Markdown have them: `$…$`, `$$…$$`,
//! `\(…\)`, `\[…\]`, and environments of mathematics.

use std::collections::HashMap;
use std::ops::Range;

use super::tex::is_math_environment;

/// Which delimiters count.
#[derive(Debug, Clone, Copy)]
pub(super) struct Delimiters {
    /// `$…$`. A dollar opens a formula where no white space follows it, and closes one where
    /// none stands before it and no digit after it: `$5 and $10` has none.
    pub(super) dollars: bool,
    /// `$ … $` too, where what is between them can only be a formula.
    pub(super) loose_dollars: bool,
    /// Whether `\(` and `\[` may be brackets of the text, as in Markdown, where programs escape
    /// them: what is prose between them is none.
    pub(super) escapes: bool,
    /// Whether an empty line may stand within a formula, as in HTML.
    pub(super) blank_lines: bool,
}

/// A formula in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Span {
    /// The formula with its delimiters.
    pub(super) whole: Range<usize>,
    /// Its LaTeX.
    pub(super) latex: Range<usize>,
    pub(super) is_display: bool,
}

/// The formulas in `text`, in order; none begins within `skipped`, ranges in order.
pub(super) fn formulas(text: &str, skipped: &[Range<usize>], rules: Delimiters) -> Vec<Span> {
    let mut scanner = Scanner {
        rules,
        unclosed: HashMap::new(),
    };
    let mut spans = Vec::new();
    let mut skipped = skipped.iter().peekable();
    let mut at = 0;
    while let Some(next) = text[at..].find(['$', '\\']) {
        at += next;
        while skipped.next_if(|range| range.end <= at).is_some() {}
        if let Some(range) = skipped.peek().filter(|range| range.start <= at) {
            at = range.end;
            continue;
        }
        // A formula ends before code begins.
        let end = skipped.peek().map_or(text.len(), |range| range.start);
        let found = match text.as_bytes()[at] {
            b'$' => scanner.dollars(&text[..end], at),
            _ => scanner.command(&text[..end], at),
        };
        at = match found {
            Ok(span) => {
                let end = span.whole.end;
                spans.push(span);
                end
            }
            Err(passed) => at + passed,
        };
    }
    spans
}

struct Scanner {
    rules: Delimiters,
    /// Up to where there is none of a delimiter that closes: who looks for one does not look
    /// twice, however many formulas are opened.
    unclosed: HashMap<String, usize>,
}

impl Scanner {
    /// Where `close` stands in the paragraph in which `start` is.
    fn closing(&mut self, text: &str, start: usize, close: &str) -> Option<usize> {
        if self.unclosed.get(close).is_some_and(|end| start < *end) {
            return None;
        }
        match closing(&text[start..], close, self.rules.blank_lines) {
            Ok(length) => Some(start + length),
            Err(length) => {
                self.unclosed.insert(close.to_owned(), start + length);
                None
            }
        }
    }

    /// The formula that a dollar opens, or how many bytes to pass over.
    fn dollars(&mut self, text: &str, at: usize) -> Result<Span, usize> {
        let is_display = text[at..].starts_with("$$");
        let close = if is_display { "$$" } else { "$" };
        if !is_display && !self.rules.dollars {
            return Err(1);
        }
        let start = at + close.len();
        let end = self.closing(text, start, close).ok_or(close.len())?;
        let inner = &text[start..end];
        let is_formula = is_display
            || closes(inner, &text[end + 1..])
            || (self.rules.loose_dollars && is_mathematics(inner));
        // A formula holds no dollar: one that closes nothing may open the next.
        is_formula
            .then(|| Span {
                whole: at..end + close.len(),
                latex: start..end,
                is_display,
            })
            .ok_or(1)
    }

    /// The formula that a backslash opens, or how many bytes to pass over.
    fn command(&mut self, text: &str, at: usize) -> Result<Span, usize> {
        let rest = &text[at + 1..];
        // Where a backslash escapes, Markdown makes \\( of what MathJax is to see as \(.
        let doubled = self.rules.escapes && (rest.starts_with(r"\(") || rest.starts_with(r"\["));
        let open = if doubled { 3 } else { 2 };
        let (close, is_display) = match text.as_bytes().get(at + open - 1) {
            Some(b'(') => (r"\)", false),
            Some(b'[') => (r"\]", true),
            Some(b'b') => return self.environment(text, at).ok_or(1),
            Some(_) => return Err(1 + rest.chars().next().map_or(0, char::len_utf8)),
            None => return Err(1),
        };
        let close = if doubled {
            format!(r"\{close}")
        } else {
            close.to_owned()
        };
        let start = at + open;
        let end = self.closing(text, start, &close).ok_or(open)?;
        if self.rules.escapes && !doubled && is_prose(&text[start..end]) {
            return Err(open);
        }
        Ok(Span {
            whole: at..end + close.len(),
            latex: start..end,
            is_display,
        })
    }

    /// An environment of mathematics: its LaTeX is the whole.
    fn environment(&mut self, text: &str, at: usize) -> Option<Span> {
        let rest = text[at..].strip_prefix(r"\begin{")?;
        let name: String = rest.chars().take(40).take_while(|c| *c != '}').collect();
        let is_unclosed = self.unclosed.get(&name).is_some_and(|end| at < *end);
        if !is_math_environment(&name) || is_unclosed {
            return None;
        }
        let end = format!("\\end{{{name}}}");
        let Some(length) = text[at..].find(&end) else {
            self.unclosed.insert(name, text.len());
            return None;
        };
        let whole = at..at + length + end.len();
        Some(Span {
            latex: whole.clone(),
            whole,
            is_display: true,
        })
    }
}

/// Whether a dollar after `inner` and before `after` closes a formula.
fn closes(inner: &str, after: &str) -> bool {
    !inner.is_empty()
        && !inner.starts_with(char::is_whitespace)
        && !inner.ends_with(char::is_whitespace)
        && !after.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether text between dollars, with white space at an end, can only be a formula.
fn is_mathematics(inner: &str) -> bool {
    let trimmed = inner.trim();
    let mut letters = trimmed.chars();
    let is_letter = letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none();
    is_letter || trimmed.contains(['\\', '^', '_', '='])
}

/// Whether text between escaped brackets is no formula: the number of a reference, words, or
/// what Markdown marks.
fn is_prose(inner: &str) -> bool {
    let is_number = |c: char| c.is_ascii_digit() || c == ',' || c == ' ';
    let is_latex = inner.contains(['\\', '^', '_', '=', '<', '>', '+']);
    let words = inner.split(|c: char| !c.is_alphabetic());
    let words: Vec<usize> = words.map(|word| word.chars().count()).collect();
    let is_said = words.iter().filter(|letters| **letters > 1).count() > 1
        && words.iter().any(|letters| *letters > 2);
    inner.chars().all(is_number)
        || inner.starts_with('*')
        || ["**", "](", "`", "$"]
            .iter()
            .any(|mark| inner.contains(mark))
        || (!is_latex && is_said)
}

/// Where `close` stands in the paragraph with which `text` begins, unescaped; else how long that
/// is. `$$` is looked for as it is: in `$$a$$$` it comes first.
fn closing(text: &str, close: &str, blank_lines: bool) -> Result<usize, usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at..].starts_with(close.as_bytes()) {
            return Ok(at);
        }
        at += match bytes[at] {
            b'\\' => 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
            b'\n' if !blank_lines && is_blank_line(&text[at + 1..]) => return Err(at),
            _ => text[at..].chars().next().map_or(1, char::len_utf8),
        };
    }
    Err(text.len())
}

fn is_blank_line(text: &str) -> bool {
    let line = text.trim_start_matches([' ', '\t', '\r', '>']);
    line.starts_with('\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let rules = Delimiters {
            dollars: true,
            loose_dollars: false,
            escapes: false,
            blank_lines: false,
        };
        let spans = formulas(text, &[], rules);
        spans.into_iter().map(|span| &text[span.latex]).collect()
    }

    #[test]
    fn delimiters_hold_formulas_and_prices_do_not() {
        for (text, expected) in [
            ("a $x^2$ b", vec!["x^2"]),
            ("$$x$$ and $y$", vec!["x", "y"]),
            (r"\(a\) \[b\]", vec!["a", "b"]),
            (
                r"\begin{align}a&=b\end{align}",
                vec![r"\begin{align}a&=b\end{align}"],
            ),
            (r"\begin{itemize}$a$\end{itemize}", vec!["a"]),
            ("it costs $5 and $10, or $20", vec![]),
            (r"it costs \$5 and $x$", vec!["x"]),
            (r"$a\$b$", vec![r"a\$b"]),
            ("$x\n\ny$", vec![]),
            ("$$x\n\ny$$", vec![]),
            ("$a $b$", vec!["b"]),
            ("A $5 bill, $x$ and $y$", vec!["x", "y"]),
            ("Cost: $3/unit, profit $p$", vec!["p"]),
            ("Set $PATH and $HOME then $x$.", vec!["x"]),
            ("$", vec![]),
            (r"\", vec![]),
            (r"\é $é$", vec!["é"]),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn escaped_brackets_of_prose_are_no_delimiters() {
        for prose in [
            r"\[**bold**\]",
            r"\[12, 13\]",
            r"\(see above\)",
            r"\[a link\](x)",
            r"\[see `x`\]",
            r"\[lemma-bounded-size\]",
        ] {
            assert!(
                is_prose(&prose[2..prose.len() - 2]) || prose.contains("]("),
                "{prose}"
            );
        }
        for formula in [
            "x",
            "x + y",
            r"\alpha beta",
            "f(x)",
            "a_1 to b",
            "AB-CD",
            "n/2",
        ] {
            assert!(!is_prose(formula), "{formula}");
        }
    }
}
