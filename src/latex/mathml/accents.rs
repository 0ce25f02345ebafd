//! Marks above and below of MathML as the accents of LaTeX.

/// How wide a mark is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Width {
    /// As wide as what it is above.
    Wide,
    /// As wide as a letter.
    Narrow,
    /// As the mark is by custom.
    Usual,
}

/// The accent that draws a mark above something; `is_single` if that is one symbol.
pub(super) fn above(mark: &str, width: Width, is_single: bool) -> Option<&'static str> {
    let is_wide = width == Width::Wide || (width == Width::Usual && !is_single);
    let choose =
        |wide: &'static str, narrow: &'static str| Some(if is_wide { wide } else { narrow });
    match mark {
        "^" | "ˆ" | "\u{302}" => choose(r"\widehat", r"\hat"),
        "~" | "˜" | "\u{303}" | "∼" => choose(r"\widetilde", r"\tilde"),
        "ˇ" | "\u{30C}" => choose(r"\widecheck", r"\check"),
        "ˉ" | "-" | "−" | "\u{304}" => choose(r"\overline", r"\bar"),
        // These are as wide as what they are above, where nothing is said.
        "¯" | "‾" | "―" | "_" | "\u{305}" | "─" if width == Width::Narrow => Some(r"\bar"),
        "¯" | "‾" | "―" | "_" | "\u{305}" | "─" => Some(r"\overline"),
        "\u{20D7}" => Some(r"\vec"),
        "→" => choose(r"\overrightarrow", r"\vec"),
        "←" | "\u{20D6}" => Some(r"\overleftarrow"),
        "↔" => Some(r"\overleftrightarrow"),
        "˙" | "." | "\u{307}" | "⋅" | "·" => Some(r"\dot"),
        "¨" | ".." | "\u{308}" => Some(r"\ddot"),
        "⃛" | "..." => Some(r"\dddot"),
        "˘" | "\u{306}" => Some(r"\breve"),
        "´" | "\u{301}" => Some(r"\acute"),
        "`" | "\u{300}" => Some(r"\grave"),
        "˚" | "\u{30A}" => Some(r"\mathring"),
        "⏞" | "︷" => Some(r"\overbrace"),
        "⎴" => Some(r"\overbracket"),
        "⏠" => Some(r"\overgroup"),
        "⇀" => Some(r"\overrightharpoon"),
        "↼" => Some(r"\overleftharpoon"),
        _ => None,
    }
}

/// The command that draws a mark below something.
pub(super) fn below(mark: &str) -> Option<&'static str> {
    match mark {
        "_" | "\u{332}" | "\u{331}" | "¯" | "‾" | "―" | "ˍ" => Some(r"\underline"),
        "⏟" | "︸" => Some(r"\underbrace"),
        "⎵" => Some(r"\underbracket"),
        "⏡" => Some(r"\undergroup"),
        "→" => Some(r"\underrightarrow"),
        "←" => Some(r"\underleftarrow"),
        "↔" => Some(r"\underleftrightarrow"),
        "~" | "˜" | "\u{330}" => Some(r"\utilde"),
        _ => None,
    }
}

/// The arrow that a text above makes longer.
pub(super) fn long_arrow(mark: &str) -> Option<&'static str> {
    match mark {
        "→" | "⟶" => Some(r"\xrightarrow"),
        "←" | "⟵" => Some(r"\xleftarrow"),
        "↔" | "⟷" => Some(r"\xleftrightarrow"),
        "⇒" | "⟹" => Some(r"\xRightarrow"),
        "⇐" | "⟸" => Some(r"\xLeftarrow"),
        "↦" | "⟼" => Some(r"\xmapsto"),
        "↪" => Some(r"\xhookrightarrow"),
        "↩" => Some(r"\xhookleftarrow"),
        "↠" => Some(r"\xtwoheadrightarrow"),
        "⇌" => Some(r"\xrightleftharpoons"),
        _ => None,
    }
}
