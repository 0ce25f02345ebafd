//! LaTeX that is still being typed.

use crate::layout::{self, Layout};

/// A query as it was understood.
#[derive(Debug)]
pub(super) struct Reading {
    /// What was laid out.
    pub(super) latex: String,
    /// What was done to it, in words; none where it was whole.
    pub(super) changes: Vec<String>,
    pub(super) layout: Layout,
}

/// The most ends that are tried without.
const MOST_CUTS: usize = 12;

/// Reads what has been typed so far: what is open is closed, what is begun and
/// means nothing yet is left out. None where nothing is left.
pub(super) fn read(typed: &str) -> Option<Reading> {
    let mut rest = typed.trim_end();
    let mut dropped: Vec<&str> = Vec::new();
    for _ in 0..MOST_CUTS {
        if rest.is_empty() {
            return None;
        }
        for closing in endings(rest) {
            let latex = format!("{rest}{closing}");
            // What means nothing yet must not be drawn as what it is not.
            if !ends_open(rest)
                && let Ok(layout) = layout::latex(&latex)
            {
                let left_out: String = dropped.iter().rev().copied().collect();
                let changes = [("left out", left_out), ("added", closing)];
                let changes = changes.into_iter().filter(|(_, what)| !what.is_empty());
                return Some(Reading {
                    latex,
                    changes: changes.map(|(how, what)| format!("{how} {what}")).collect(),
                    layout,
                });
            }
        }
        let (before, end) = rest.split_at(last_token(rest));
        dropped.push(end);
        rest = before.trim_end();
    }
    None
}

/// How what has been typed may be read: as it is, and without a command at its end,
/// which may be the beginning of a longer one, as `\in` is of `\infty`.
pub(super) fn readings(typed: &str) -> impl Iterator<Item = Reading> {
    let (before, last) = typed.trim_end().split_at(last_token(typed.trim_end()));
    let is_command = last.len() > 1 && last.starts_with('\\');
    let without = move || {
        let mut reading = read(before).filter(|_| is_command)?;
        reading.changes.insert(0, format!("left out {last}"));
        Some(reading)
    };
    // The second only where it is asked for.
    let without = std::iter::once_with(without).flatten();
    read(typed).into_iter().chain(without)
}

/// Whether the end waits for something: `x^`, a lone backslash, a command that
/// there is not, as `\fra`.
fn ends_open(text: &str) -> bool {
    let last = &text[last_token(text)..];
    let is_unknown = last.len() > 1
        && last.starts_with('\\')
        && ratex_parser::parse(&format!("{last}{{}}{{}}")).is_err();
    last == "^" || last == "_" || last == "\\" || is_unknown
}

/// What may be missing at the end, least first: nothing, what closes all that is open,
/// and arguments before that.
fn endings(text: &str) -> Vec<String> {
    let open = unclosed(text);
    ["", "{}", "{}{}"]
        .map(|arguments| format!("{arguments}{open}"))
        .to_vec()
}

/// What closes the braces, fences and environments that are open, innermost first.
fn unclosed(text: &str) -> String {
    let mut open: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let command: usize = match rest.strip_prefix('\\') {
            Some(after) => {
                1 + after
                    .find(|c: char| !c.is_ascii_alphabetic())
                    .unwrap_or(after.len())
            }
            None => c.len_utf8(),
        };
        // A backslash and a sign are a command too.
        let length = if command == 1 && c == '\\' {
            1 + rest[1..].chars().next().map_or(0, char::len_utf8)
        } else {
            command
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        match token {
            "{" => open.push("}".to_owned()),
            "}" => drop(open.pop_if(|close| close == "}")),
            r"\left" => open.push(r"\right.".to_owned()),
            r"\right" => drop(open.pop_if(|close| close == r"\right.")),
            r"\begin" => {
                let name = rest.strip_prefix('{').and_then(|name| name.split_once('}'));
                if let Some((name, after)) = name {
                    open.push(format!(r"\end{{{name}}}"));
                    rest = after;
                }
            }
            r"\end" => drop(open.pop_if(|close| close.starts_with(r"\end"))),
            _ => {}
        }
    }
    open.reverse();
    open.concat()
}

/// Where the last token begins: a command with its name, or one character.
fn last_token(text: &str) -> usize {
    let letters = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    match letters.strip_suffix('\\') {
        Some(before) if letters.len() < text.len() => before.len(),
        _ => text.char_indices().next_back().map_or(0, |(at, _)| at),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_begun_is_closed_or_left_out() {
        let cases = [
            ("x^2", "x^2", ""),
            ("x^", "x", "left out ^"),
            ("x^{2", "x^{2}", "added }"),
            (r"\frac{a+b", r"\frac{a+b}", ""),
            (r"a+\fra", "a+", r"left out \fra"),
            (r"a+\", "a+", r"left out \"),
            (r"\left( x", r"\left( x\right.", r"added \right."),
            (
                r"\begin{pmatrix} a & b",
                r"\begin{pmatrix} a & b\end{pmatrix}",
                r"added \end{pmatrix}",
            ),
            (r"\sqrt", r"\sqrt", ""),
        ];
        for (typed, expected, change) in cases {
            let reading = read(typed).unwrap_or_else(|| panic!("{typed}"));
            assert!(
                reading.latex.starts_with(expected),
                "{typed}: {}",
                reading.latex
            );
            if !change.is_empty() {
                assert_eq!(reading.changes, [change], "{typed}");
            }
        }
        assert!(read("").is_none() && read("  ").is_none() && read(r"\").is_none());
    }

    proptest! {
        #[test]
        fn every_beginning_of_a_formula_is_read_or_refused(
            cut in 0usize..60,
            latex in prop::sample::select(vec![
                r"\int_0^\infty \frac{\sin x}{x}\,dx = \frac{\pi}{2}",
                r"\left\{\begin{matrix} a & b \\ c & d\end{matrix}\right\}",
                r"\sqrt[3]{\overline{x}^{y_{1}}}",
            ]),
        ) {
            let typed: String = latex.chars().take(cut).collect();
            if let Some(reading) = read(&typed) {
                prop_assert!(layout::latex(&reading.latex).is_ok());
            } else {
                prop_assert!(typed.chars().count() < 7, "{typed}");
            }
        }
    }
}
