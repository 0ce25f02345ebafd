//! Characters and tokens of MathML as LaTeX.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Characters and the commands that draw them, the usual one of several.
const SYMBOLS: &str = include_str!("../symbols.txt");

static COMMANDS: LazyLock<HashMap<char, &str>> = LazyLock::new(|| {
    let rows = SYMBOLS.lines().filter_map(|row| row.split_once(' '));
    rows.filter_map(|(character, command)| Some((character.chars().next()?, command)))
        .collect()
});

/// Names of functions that LaTeX has commands for.
const FUNCTIONS: [&str; 35] = [
    "arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot", "coth", "csc", "deg", "det", "dim",
    "exp", "gcd", "hom", "inf", "injlim", "ker", "lg", "lim", "liminf", "limsup", "ln", "log",
    "max", "min", "Pr", "projlim", "sec", "sin", "sinh", "sup", "tan", "tanh", "arcctg",
];

/// Letters with forms of their own in Unicode: the first of an alphabet of 26, and its command.
const ALPHABETS: [(char, char, &str); 24] = [
    ('𝐀', 'A', r"\mathbf"),
    ('𝐚', 'a', r"\mathbf"),
    ('𝐴', 'A', ""),
    ('𝑎', 'a', ""),
    ('𝑨', 'A', r"\boldsymbol"),
    ('𝒂', 'a', r"\boldsymbol"),
    ('𝒜', 'A', r"\mathcal"),
    ('𝒶', 'a', r"\mathscr"),
    ('𝓐', 'A', r"\mathcal"),
    ('𝓪', 'a', r"\mathscr"),
    ('𝔄', 'A', r"\mathfrak"),
    ('𝔞', 'a', r"\mathfrak"),
    ('𝔸', 'A', r"\mathbb"),
    ('𝕒', 'a', r"\mathbb"),
    ('𝕬', 'A', r"\mathfrak"),
    ('𝖆', 'a', r"\mathfrak"),
    ('𝖠', 'A', r"\mathsf"),
    ('𝖺', 'a', r"\mathsf"),
    ('𝗔', 'A', r"\mathsf"),
    ('𝗮', 'a', r"\mathsf"),
    ('𝘈', 'A', r"\mathsf"),
    ('𝘢', 'a', r"\mathsf"),
    ('𝙰', 'A', r"\mathtt"),
    ('𝚊', 'a', r"\mathtt"),
];

/// Letters of these alphabets that stand elsewhere in Unicode.
const LETTERS: [(char, &str); 25] = [
    ('ℂ', r"\mathbb{C}"),
    ('ℍ', r"\mathbb{H}"),
    ('ℕ', r"\mathbb{N}"),
    ('ℙ', r"\mathbb{P}"),
    ('ℚ', r"\mathbb{Q}"),
    ('ℝ', r"\mathbb{R}"),
    ('ℤ', r"\mathbb{Z}"),
    ('𝟙', r"\mathbb{1}"),
    ('ℬ', r"\mathcal{B}"),
    ('ℰ', r"\mathcal{E}"),
    ('ℱ', r"\mathcal{F}"),
    ('ℋ', r"\mathcal{H}"),
    ('ℐ', r"\mathcal{I}"),
    ('ℒ', r"\mathcal{L}"),
    ('ℳ', r"\mathcal{M}"),
    ('ℛ', r"\mathcal{R}"),
    ('ℯ', r"\mathscr{e}"),
    ('ℊ', r"\mathscr{g}"),
    ('ℴ', r"\mathscr{o}"),
    ('ℭ', r"\mathfrak{C}"),
    ('ℌ', r"\mathfrak{H}"),
    ('ℨ', r"\mathfrak{Z}"),
    ('ℎ', "h"),
    ('ⅆ', "d"),
    ('ⅇ', "e"),
];

/// A character as LaTeX that draws it in mathematics.
pub(crate) fn character(c: char) -> String {
    match c {
        '{' | '}' | '%' | '#' | '&' | '$' | '_' => format!(r"\{c}"),
        '\\' => r"\backslash".to_owned(),
        '~' => r"\sim".to_owned(),
        '^' => r"\wedge".to_owned(),
        '−' | '‐' | '‑' | '–' | '—' => "-".to_owned(),
        'ⅈ' => "i".to_owned(),
        '″' => "''".to_owned(),
        '‴' => "'''".to_owned(),
        '’' => "'".to_owned(),
        '∕' | '⁄' => "/".to_owned(),
        '∶' => ":".to_owned(),
        '\u{A0}' => "~".to_owned(),
        c if c.is_ascii() => c.to_string(),
        // Function application, invisible times and the like, and marks of direction.
        '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{2064}' | '\u{FE00}'..='\u{FE0F}' => {
            String::new()
        }
        '\u{FEFF}' => String::new(),
        _ => letter(c).unwrap_or_else(|| match COMMANDS.get(&c) {
            Some(command) => format!(r"\{command}"),
            None => c.to_string(),
        }),
    }
}

/// A letter or digit of an alphabet of Unicode, as its command draws it.
pub(crate) fn letter(c: char) -> Option<String> {
    if let Some((_, latex)) = LETTERS.iter().find(|(letter, _)| *letter == c) {
        return Some((*latex).to_owned());
    }
    let digit = |first: char| char::from_digit(u32::from(c).checked_sub(first.into())?, 10);
    if let Some(digit) = digit('𝟎') {
        return Some(format!(r"\mathbf{{{digit}}}"));
    }
    ALPHABETS.iter().find_map(|&(first, plain, command)| {
        let place = u32::from(c)
            .checked_sub(first.into())
            .filter(|&place| place < 26)?;
        let letter = char::from_u32(u32::from(plain) + place)?;
        Some(match command {
            "" => letter.to_string(),
            _ => format!("{command}{{{letter}}}"),
        })
    })
}

/// All characters of a text, as mathematics.
pub(super) fn characters(text: &str) -> String {
    let mut out = String::new();
    let is_shown = |c: &char| !c.is_whitespace() || *c == '\u{A0}';
    let mut rest = text.chars().filter(is_shown).peekable();
    while let Some(c) = rest.next() {
        if rest.next_if_eq(&'\u{338}').is_some() {
            push(&mut out, r"\not");
        }
        push(&mut out, &character(c));
    }
    out
}

/// Appends LaTeX; a letter must not lengthen the command before it.
pub(crate) fn push(out: &mut String, latex: &str) {
    let letters = out.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let ends_in_command = letters.len() < out.len() && letters.ends_with('\\');
    if ends_in_command && latex.starts_with(|c: char| c.is_ascii_alphabetic()) {
        out.push(' ');
    }
    out.push_str(latex);
}

/// The command of a `mathvariant`.
pub(super) fn alphabet(variant: &str) -> Option<&'static str> {
    Some(match variant {
        "normal" => r"\mathrm",
        "bold" => r"\mathbf",
        "bold-italic" => r"\boldsymbol",
        "double-struck" => r"\mathbb",
        "script" | "bold-script" => r"\mathcal",
        "fraktur" | "bold-fraktur" => r"\mathfrak",
        "sans-serif" | "bold-sans-serif" | "sans-serif-italic" | "sans-serif-bold-italic" => {
            r"\mathsf"
        }
        "monospace" => r"\mathtt",
        _ => return None,
    })
}

/// An identifier: a letter, a symbol, or a name.
pub(super) fn identifier(text: &str, variant: Option<&str>) -> String {
    let text = text.trim();
    let alphabet = variant.and_then(alphabet);
    let mut letters = text.chars();
    let is_name = letters.next().is_some_and(char::is_alphabetic)
        && letters.clone().next().is_some()
        && letters.all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '\u{A0}'));
    if is_name && FUNCTIONS.contains(&text) && alphabet.is_none_or(|a| a == r"\mathrm") {
        return format!(r"\{text}");
    }
    let drawn = characters(text);
    let is_letter = |c: char| c.is_ascii_alphanumeric();
    match alphabet {
        // Symbols and Greek capitals are upright as they are.
        Some(r"\mathrm") if !drawn.contains(is_letter) || drawn.starts_with('\\') => drawn,
        Some(alphabet) if !drawn.is_empty() => format!("{alphabet}{{{drawn}}}"),
        _ if is_name && !drawn.starts_with('\\') => format!(r"\mathrm{{{drawn}}}"),
        _ => drawn,
    }
}

/// A number; a comma within it has no space after it.
pub(super) fn number(text: &str, variant: Option<&str>) -> String {
    let drawn = characters(text);
    let drawn = match drawn.len() {
        1 => drawn,
        _ => drawn.replace(',', "{,}"),
    };
    match variant.and_then(alphabet).filter(|a| *a != r"\mathrm") {
        Some(alphabet) if !drawn.is_empty() => format!("{alphabet}{{{drawn}}}"),
        _ => drawn,
    }
}

/// An operator: a character, several that are written for one, or a name.
pub(super) fn operator(text: &str) -> String {
    let text = text.trim();
    match text {
        "->" => r"\to".to_owned(),
        "<=" => r"\leq".to_owned(),
        ">=" => r"\geq".to_owned(),
        "!=" => r"\neq".to_owned(),
        "||" => r"\Vert".to_owned(),
        "..." => r"\ldots".to_owned(),
        "|" | "∣" => "|".to_owned(),
        "′" => "'".to_owned(),
        _ if text.chars().nth(1).is_some() && text.starts_with(char::is_alphabetic) => {
            identifier(text, None)
        }
        _ => characters(text),
    }
}

/// Text among mathematics.
pub(super) fn text(text: &str, variant: Option<&str>) -> String {
    let mut inner = String::new();
    for c in text.chars() {
        match c {
            '{' | '}' | '%' | '#' | '&' | '$' | '_' => inner.extend(['\\', c]),
            '\\' => inner.push_str(r"\textbackslash{}"),
            '~' | '^' => {}
            c if c.is_whitespace() => inner.push(' '),
            c if c.is_control() || ('\u{200B}'..='\u{200F}').contains(&c) => {}
            c if c.is_ascii() || c.is_alphabetic() => inner.push(c),
            c => inner.push_str(&format!("${}$", character(c))),
        }
    }
    if inner.is_empty() {
        return inner;
    }
    let command = match variant {
        Some("bold") => r"\textbf",
        Some("italic") => r"\textit",
        Some("monospace") => r"\texttt",
        Some("sans-serif") => r"\textsf",
        _ => r"\text",
    };
    format!("{command}{{{inner}}}")
}
