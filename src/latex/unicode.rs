//! Characters of Unicode that people type or copy, as LaTeX.
//!
//! The parser knows Greek letters, relations, operators, superscripts and more as they are. Here
//! are those that it does not know, that are not seen, or that are written for others.

use super::mathml::letter;
use super::scan::{command_name, split_braced, split_token};

/// Roots within roots are read no deeper than this.
const MOST_NESTED: usize = 16;

/// Text with LaTeX for what only Unicode has, and what was guessed, each in a sentence.
pub(crate) fn plain(text: &str) -> (String, Vec<String>) {
    let mut notes = Vec::new();
    let plain = if text.is_ascii() {
        text.to_owned()
    } else {
        rewritten(text, 0, &mut notes)
    };
    (plain, notes)
}

fn rewritten(text: &str, depth: usize, notes: &mut Vec<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((token, after)) = split_token(rest) {
        rest = after;
        let mut characters = token.chars();
        let c = match (characters.next(), characters.next()) {
            (Some(c), None) => c,
            _ => {
                push(&mut out, token);
                if is_text(command_name(token))
                    && let Some((inner, after)) = split_braced(rest)
                {
                    out.push_str(&format!("{{{}}}", in_text(inner)));
                    rest = after;
                }
                continue;
            }
        };
        if let Some(index) = root(c) {
            rest = radicand(c, index, rest, (&mut out, depth), notes);
        } else if let Some(command) = combining(c) {
            accented(&mut out, command);
        } else {
            if "’‘“”".contains(c) {
                note(notes, format!("{c} is read as a prime."));
            }
            push(&mut out, &character(c));
        }
    }
    out
}

/// Adds a note unless it is there already.
fn note(notes: &mut Vec<String>, note: String) {
    if !notes.contains(&note) {
        notes.push(note);
    }
}

/// Appends LaTeX; a letter must not lengthen the command before it.
fn push(out: &mut String, latex: &str) {
    let name = out.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let is_command = name.len() < out.len() && name.ends_with('\\');
    if is_command && latex.starts_with(|c: char| c.is_ascii_alphabetic()) && out.len() > name.len()
    {
        out.push(' ');
    }
    out.push_str(latex);
}

/// A character as LaTeX; itself where the parser knows it.
fn character(c: char) -> String {
    let known = match c {
        c if c.is_ascii() => return c.to_string(),
        c if is_unseen(c) => "",
        '\u{A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}' => " ",
        '−' | '‐' | '‑' | '‒' | '–' | '—' | '﹣' | '⁃' => "-",
        '’' | '‘' | '′' => "'",
        '“' | '”' | '″' => "''",
        '‴' => "'''",
        '∕' | '⁄' => "/",
        '∶' => ":",
        'µ' => r"\mu ",
        'Ω' => r"\Omega ",
        'K' => "K",
        '∆' => r"\Delta ",
        '⩽' => r"\leqslant ",
        '⩾' => r"\geqslant ",
        '∙' | '‧' => r"\cdot ",
        '〈' => r"\langle ",
        '〉' => r"\rangle ",
        '！'..='～' => {
            let plain = char::from_u32(u32::from(c) - 0xFEE0);
            return plain.unwrap_or(c).to_string();
        }
        _ => {
            return fraction(c)
                .or_else(|| letter(c))
                .unwrap_or_else(|| c.to_string());
        }
    };
    known.to_owned()
}

/// Whether a character has no ink and no width: joiners, marks of direction, soft hyphens,
/// invisible operators.
fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{AD}'
            | '\u{200B}'..='\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}'
    )
}

/// A fraction that is one character.
fn fraction(c: char) -> Option<String> {
    const ALL: [(char, u8, u8); 18] = [
        ('½', 1, 2),
        ('⅓', 1, 3),
        ('⅔', 2, 3),
        ('¼', 1, 4),
        ('¾', 3, 4),
        ('⅕', 1, 5),
        ('⅖', 2, 5),
        ('⅗', 3, 5),
        ('⅘', 4, 5),
        ('⅙', 1, 6),
        ('⅚', 5, 6),
        ('⅐', 1, 7),
        ('⅛', 1, 8),
        ('⅜', 3, 8),
        ('⅝', 5, 8),
        ('⅞', 7, 8),
        ('⅑', 1, 9),
        ('⅒', 1, 10),
    ];
    let (_, above, below) = ALL.iter().find(|(fraction, ..)| *fraction == c)?;
    Some(format!(r"\frac{{{above}}}{{{below}}}"))
}

/// The index of a root sign.
fn root(c: char) -> Option<&'static str> {
    match c {
        '√' => Some(""),
        '∛' => Some("[3]"),
        '∜' => Some("[4]"),
        _ => None,
    }
}

/// Writes a root with what follows it: braces, parentheses, a number or one symbol. Returns what
/// is after that.
fn radicand<'a>(
    sign: char,
    index: &str,
    rest: &'a str,
    (out, depth): (&mut String, usize),
    notes: &mut Vec<String>,
) -> &'a str {
    let rest = rest.trim_start();
    let (inner, after) = split_braced(rest)
        .or_else(|| parenthesized(rest))
        .unwrap_or_else(|| rest.split_at(unit_length(rest)));
    if inner.is_empty() || depth >= MOST_NESTED {
        push(out, r"\surd ");
        return rest;
    }
    let shown = &rest[..rest.len() - after.len()];
    let radicand = rewritten(inner, depth + 1, notes);
    push(out, &format!(r"\sqrt{index}{{{radicand}}}"));
    if !shown.starts_with('{') {
        note(
            notes,
            format!(r"{sign}{shown} is read as \sqrt{index}{{{radicand}}}"),
        );
    }
    after
}

/// The text within the parentheses with which `text` begins, and the text after them.
fn parenthesized(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return (at > 0).then(|| (&text[1..at], &text[at + 1..]));
        }
    }
    None
}

/// The length of the number or token with which `text` begins.
fn unit_length(text: &str) -> usize {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.');
    match digits.unwrap_or(text.len()) {
        0 => split_token(text).map_or(0, |(token, _)| token.len()),
        digits => digits,
    }
}

/// The command of a mark that combines with the character before it.
fn combining(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{300}' => r"\grave",
        '\u{301}' => r"\acute",
        '\u{302}' => r"\hat",
        '\u{303}' => r"\tilde",
        '\u{304}' | '\u{305}' => r"\bar",
        '\u{306}' => r"\breve",
        '\u{307}' => r"\dot",
        '\u{308}' => r"\ddot",
        '\u{30A}' => r"\mathring",
        '\u{30C}' => r"\check",
        '\u{331}' | '\u{332}' => r"\underline",
        '\u{338}' => r"\not",
        '\u{20D7}' => r"\vec",
        _ => return None,
    })
}

/// Sets the last character of `out` under a mark.
fn accented(out: &mut String, command: &str) {
    if let Some(base) = out.pop() {
        let is_symbol = base.is_alphanumeric() || command == r"\not";
        push(
            out,
            &if is_symbol {
                format!("{command}{{{base}}}")
            } else {
                base.to_string()
            },
        );
    }
}

fn is_text(command: &str) -> bool {
    command == "mbox" || command == "hbox" || command.starts_with("text")
}

/// The inside of `\text`, where only what is not seen is left out.
fn in_text(text: &str) -> String {
    text.chars().filter(|c| !is_unseen(*c)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_become_latex() {
        for (typed, latex) in [
            ("∫₀¹ x² dx", "∫₀¹ x² dx"),
            ("a−b–c", "a-b-c"),
            ("x\u{A0}+\u{200B}y", "x +y"),
            ("ｘ＋１", "x+1"),
            ("ℝ𝐱𝒜", r"\mathbb{R}\mathbf{x}\mathcal{A}"),
            ("½x", r"\frac{1}{2}x"),
            ("x\u{302}+y\u{20D7}", r"\hat{x}+\vec{y}"),
            ("=\u{338}", r"\not{=}"),
            (r"\text{don’t}", r"\text{don’t}"),
            (r"\alpha ℝ", r"\alpha \mathbb{R}"),
            (r"\inｘ", r"\in x"),
        ] {
            assert_eq!(plain(typed), (latex.to_owned(), Vec::new()), "{typed}");
        }
    }

    #[test]
    fn what_is_guessed_is_told() {
        for (typed, latex, note) in [
            ("√2+1", r"\sqrt{2}+1", r"√2 is read as \sqrt{2}"),
            ("√(x+1)", r"\sqrt{x+1}", r"√(x+1) is read as \sqrt{x+1}"),
            ("∛x", r"\sqrt[3]{x}", r"∛x is read as \sqrt[3]{x}"),
            ("√ α", r"\sqrt{α}", r"√α is read as \sqrt{α}"),
            ("f’(x)", "f'(x)", "’ is read as a prime."),
        ] {
            assert_eq!(plain(typed), (latex.to_owned(), vec![note.to_owned()]));
        }
        assert_eq!(plain("√{2}").1, Vec::<String>::new());
        let deep = "√(".repeat(3000) + &")".repeat(3000);
        assert!(plain(&deep).0.len() < 100_000);
    }
}
