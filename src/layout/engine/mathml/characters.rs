//! Characters of RaTeX's symbols, and forms of letters.

use ratex_font::{Mode as FontMode, get_symbol};
use ratex_parser::Mode;

/// The character that a symbol draws: itself, or what its command stands for.
pub(super) fn character(symbol: &str, mode: Mode) -> String {
    let mode = match mode {
        Mode::Math => FontMode::Math,
        Mode::Text => FontMode::Text,
    };
    let known = match symbol {
        "-" => Some('−'),
        "*" => Some('∗'),
        "'" | r"\prime" => Some('′'),
        r"\ " | "~" | r"\nobreakspace" | r"\space" => Some('\u{A0}'),
        r"\allowbreak" | r"\nobreak" => return String::new(),
        r"\lt" => Some('<'),
        r"\gt" => Some('>'),
        _ => get_symbol(symbol, mode).and_then(|info| info.codepoint),
    };
    match known {
        // What KaTeX's fonts have in their own places.
        Some('\u{E000}'..='\u{F8FF}') | None => private(symbol),
        Some(character) => character.to_string(),
    }
}

/// Symbols that Unicode has elsewhere, or in two characters.
fn private(symbol: &str) -> String {
    let known = match symbol {
        r"\lvertneqq" => "≨",
        r"\gvertneqq" => "≩",
        r"\varsubsetneq" => "⊊",
        r"\varsupsetneq" => "⊋",
        r"\varsubsetneqq" => "⫋",
        r"\varsupsetneqq" => "⫌",
        r"\nleqslant" => "⩽\u{338}",
        r"\ngeqslant" => "⩾\u{338}",
        r"\nleqq" => "≦\u{338}",
        r"\ngeqq" => "≧\u{338}",
        r"\nsubseteqq" => "⫅\u{338}",
        r"\nsupseteqq" => "⫆\u{338}",
        r"\nshortmid" => "∤",
        r"\nshortparallel" => "∦",
        r"\@not" | r"\not" => "\u{338}",
        other => other.trim_start_matches('\\'),
    };
    known.to_owned()
}

/// A letter or digit in the form that a font of LaTeX gives it; itself where Unicode has none.
pub(super) fn in_font(c: char, font: &str) -> char {
    let (capital, small, digit) = match font {
        "mathbf" | "textbf" | "bf" | "bold" => ('𝐀', Some('𝐚'), Some('𝟎')),
        "boldsymbol" | "bm" | "mathbfit" => ('𝑨', Some('𝒂'), Some('𝟎')),
        "mathcal" | "cal" | "mathscr" => ('𝒜', Some('𝒶'), None),
        "mathfrak" | "frak" => ('𝔄', Some('𝔞'), None),
        "mathbb" | "Bbb" => ('𝔸', Some('𝕒'), Some('𝟘')),
        "mathsf" | "sf" | "textsf" => ('𝖠', Some('𝖺'), Some('𝟢')),
        "mathtt" | "tt" | "texttt" => ('𝙰', Some('𝚊'), Some('𝟶')),
        _ => return c,
    };
    // Those that Unicode had before it had alphabets.
    const OLDER: [(&str, &str, &str); 4] = [
        ("mathcal", "BEFHILMRego", "ℬℰℱℋℐℒℳℛℯℊℴ"),
        ("mathscr", "BEFHILMRego", "ℬℰℱℋℐℒℳℛℯℊℴ"),
        ("mathfrak", "CHIRZ", "ℭℌℑℜℨ"),
        ("mathbb", "CHNPQRZ", "ℂℍℕℙℚℝℤ"),
    ];
    let older = OLDER.iter().filter(|(name, ..)| *name == font);
    let mut older = older.flat_map(|(_, plain, old)| plain.chars().zip(old.chars()));
    if let Some((_, old)) = older.find(|(plain, _)| *plain == c) {
        return old;
    }
    let shifted = |first: char, from: char| {
        let place = u32::from(c) - u32::from(from);
        char::from_u32(u32::from(first) + place).unwrap_or(c)
    };
    match c {
        'A'..='Z' => shifted(capital, 'A'),
        'a'..='z' => small.map_or(c, |small| shifted(small, 'a')),
        '0'..='9' => digit.map_or(c, |digit| shifted(digit, '0')),
        _ => c,
    }
}

/// The mark of an accent, and whether it is as wide as its base.
pub(super) fn accent(label: &str) -> (&'static str, bool) {
    match label.trim_start_matches('\\') {
        "hat" | "^" => ("^", false),
        "widehat" => ("^", true),
        "tilde" | "~" => ("~", false),
        "widetilde" | "utilde" => ("~", true),
        "bar" | "=" => ("¯", false),
        "check" | "v" => ("ˇ", false),
        "widecheck" => ("ˇ", true),
        "vec" => ("→", false),
        "dot" | "." => ("˙", false),
        "ddot" | "\"" => ("¨", false),
        "dddot" => ("\u{20DB}", false),
        "ddddot" => ("\u{20DC}", false),
        "breve" | "u" => ("˘", false),
        "acute" | "'" => ("´", false),
        "grave" | "`" => ("`", false),
        "mathring" | "r" => ("˚", false),
        "overrightarrow" | "underrightarrow" | "Overrightarrow" => ("→", true),
        "overleftarrow" | "underleftarrow" => ("←", true),
        "overleftrightarrow" | "underleftrightarrow" => ("↔", true),
        "overgroup" => ("⏠", true),
        "undergroup" => ("⏡", true),
        "overleftharpoon" => ("↼", true),
        "overrightharpoon" => ("⇀", true),
        "c" => ("¸", false),
        _ => ("‾", true),
    }
}

/// The character of an arrow that grows.
pub(super) fn arrow(label: &str) -> &'static str {
    match label.trim_start_matches('\\') {
        "xleftarrow" | "xlongleftarrow" => "←",
        "xleftrightarrow" => "↔",
        "xRightarrow" => "⇒",
        "xLeftarrow" => "⇐",
        "xLeftrightarrow" => "⇔",
        "xmapsto" => "↦",
        "xhookrightarrow" => "↪",
        "xhookleftarrow" => "↩",
        "xtwoheadrightarrow" => "↠",
        "xtwoheadleftarrow" => "↞",
        "xrightleftharpoons" | "xrightequilibrium" => "⇌",
        "xleftrightharpoons" | "xleftequilibrium" => "⇋",
        "xrightharpoonup" => "⇀",
        "xrightharpoondown" => "⇁",
        "xleftharpoonup" => "↼",
        "xleftharpoondown" => "↽",
        "xlongequal" => "=",
        "xtofrom" | "xrightleftarrows" => "⇄",
        _ => "→",
    }
}
