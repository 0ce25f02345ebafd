//! Symbol identity: one Unicode character for all symbols that look the same.
//!
//! Renderers name the same ink differently: KaTeX draws `|` as U+2223 and
//! MathJax as U+007C, a bar accent is U+02C9 to one and U+00AF to the other,
//! and blackboard letters are plain letters of a special font. The functions
//! here bring both to one name.

use super::engine::Font;

/// Alphabets of Unicode's mathematical letters, by the code points of `A`,
/// `a`, capital alpha, small alpha and `0`; a zero where Unicode has none.
struct UnicodeAlphabet {
    upper: u32,
    lower: u32,
    greek_upper: u32,
    greek_lower: u32,
    digits: u32,
}

const fn alphabet(upper: u32, greek_upper: u32, digits: u32) -> UnicodeAlphabet {
    let greek_lower = if greek_upper == 0 {
        0
    } else {
        greek_upper + 26
    };
    UnicodeAlphabet {
        upper,
        lower: upper + 26,
        greek_upper,
        greek_lower,
        digits,
    }
}

const BOLD: UnicodeAlphabet = alphabet(0x1D400, 0x1D6A8, 0x1D7CE);
const ITALIC: UnicodeAlphabet = alphabet(0x1D434, 0x1D6E2, 0);
const BOLD_ITALIC: UnicodeAlphabet = alphabet(0x1D468, 0x1D71C, 0);
const SCRIPT: UnicodeAlphabet = alphabet(0x1D49C, 0, 0);
const FRAKTUR: UnicodeAlphabet = alphabet(0x1D504, 0, 0);
const BLACKBOARD: UnicodeAlphabet = alphabet(0x1D538, 0, 0x1D7D8);
const BOLD_FRAKTUR: UnicodeAlphabet = alphabet(0x1D56C, 0, 0);
const SANS: UnicodeAlphabet = alphabet(0x1D5A0, 0, 0x1D7E2);
const SANS_BOLD: UnicodeAlphabet = alphabet(0x1D5D4, 0, 0x1D7EC);
const SANS_ITALIC: UnicodeAlphabet = alphabet(0x1D608, 0, 0x1D7E2);
const TYPEWRITER: UnicodeAlphabet = alphabet(0x1D670, 0, 0x1D7F6);

/// Letters that Unicode had before it had the alphabets, which have holes there.
const HOLES: &[(u32, char)] = &[
    (0x1D455, 'ℎ'),
    (0x1D49D, 'ℬ'),
    (0x1D4A0, 'ℰ'),
    (0x1D4A1, 'ℱ'),
    (0x1D4A3, 'ℋ'),
    (0x1D4A4, 'ℐ'),
    (0x1D4A7, 'ℒ'),
    (0x1D4A8, 'ℳ'),
    (0x1D4AD, 'ℛ'),
    (0x1D4BA, 'ℯ'),
    (0x1D4BC, 'ℊ'),
    (0x1D4C4, 'ℴ'),
    (0x1D506, 'ℭ'),
    (0x1D50B, 'ℌ'),
    (0x1D50C, 'ℑ'),
    (0x1D515, 'ℜ'),
    (0x1D51D, 'ℨ'),
    (0x1D53A, 'ℂ'),
    (0x1D53F, 'ℍ'),
    (0x1D545, 'ℕ'),
    (0x1D547, 'ℙ'),
    (0x1D548, 'ℚ'),
    (0x1D549, 'ℝ'),
    (0x1D551, 'ℤ'),
];

impl UnicodeAlphabet {
    fn letter(&self, c: char) -> Option<char> {
        let (start, offset) = match c {
            'A'..='Z' => (self.upper, c as u32 - 'A' as u32),
            'a'..='z' => (self.lower, c as u32 - 'a' as u32),
            '0'..='9' => (self.digits, c as u32 - '0' as u32),
            'Α'..='Ω' => (self.greek_upper, c as u32 - 'Α' as u32),
            'α'..='ω' => (self.greek_lower, c as u32 - 'α' as u32),
            _ => {
                let variant = "∂ϵϑϰϕϱϖ".chars().position(|v| v == c)?;
                (self.greek_lower, 25 + variant as u32)
            }
        };
        if start == 0 {
            return None;
        }
        let code = start + offset;
        match HOLES.binary_search_by_key(&code, |hole| hole.0) {
            Ok(hole) => Some(HOLES[hole].1),
            Err(_) => char::from_u32(code),
        }
    }
}

/// The identity of character `c` of a KaTeX font.
pub(super) fn of_glyph(font: Font, c: char) -> char {
    let alphabet = match font {
        Font::MainBold => &BOLD,
        Font::MathItalic | Font::MainItalic => &ITALIC,
        Font::MathBoldItalic | Font::MainBoldItalic => &BOLD_ITALIC,
        // Unicode has one script alphabet for \mathcal and \mathscr.
        Font::CaligraphicRegular | Font::ScriptRegular => &SCRIPT,
        Font::FrakturRegular => &FRAKTUR,
        Font::FrakturBold => &BOLD_FRAKTUR,
        Font::SansSerifRegular => &SANS,
        Font::SansSerifBold => &SANS_BOLD,
        Font::SansSerifItalic => &SANS_ITALIC,
        Font::TypewriterRegular => &TYPEWRITER,
        Font::AmsRegular if c.is_ascii_alphabetic() => &BLACKBOARD,
        _ => return canonical(c),
    };
    canonical(alphabet.letter(c).unwrap_or(c))
}

/// One character for those that are drawn alike.
pub(super) fn canonical(c: char) -> char {
    match c {
        '\u{2223}' | '\u{FF5C}' => '|',
        '\u{2016}' => '∥',
        '*' => '∗',
        // The plain hyphen-minus names rules and fraction bars.
        '-' => '\u{2010}',
        '·' => '⋅',
        '∂' => '𝜕',
        '\u{0131}' | '\u{E131}' => '𝚤',
        '\u{0237}' | '\u{E237}' => '𝚥',
        '\u{02C9}' | '\u{0304}' => '¯',
        '\u{02CA}' => '´',
        '\u{02CB}' | '\u{2035}' => '`',
        '\u{02C6}' | '\u{0302}' => '^',
        '\u{02DC}' | '\u{0303}' => '~',
        '\u{2329}' => '⟨',
        '\u{232A}' => '⟩',
        '\\' => '∖',
        '\u{2215}' => '/',
        '”' => '"',
        '’' => '\'',
        '‘' => '`',
        '°' => '\u{02DA}',
        'ħ' => 'ℏ',
        '\u{E008}' => 'ϝ',
        '\u{E009}' => 'ϰ',
        '𝜊' => '𝑜',
        '𝝄' => '𝒐',
        'µ' => 'μ',
        'Ω' => 'Ω',
        'Å' => 'Å',
        _ => c,
    }
}

/// `base` with a negating slash through it, where Unicode has it as one character.
pub(super) fn negated(base: char) -> Option<char> {
    const NEGATED: &[(char, char)] = &[
        ('<', '≮'),
        ('=', '≠'),
        ('>', '≯'),
        ('|', '∤'),
        ('←', '↚'),
        ('→', '↛'),
        ('↔', '↮'),
        ('⇐', '⇍'),
        ('⇒', '⇏'),
        ('⇔', '⇎'),
        ('∃', '∄'),
        ('∈', '∉'),
        ('∋', '∌'),
        ('∥', '∦'),
        ('∼', '≁'),
        ('≃', '≄'),
        ('≅', '≇'),
        ('≈', '≉'),
        ('≍', '≭'),
        ('≡', '≢'),
        ('≤', '≰'),
        ('≥', '≱'),
        ('≲', '≴'),
        ('≳', '≵'),
        ('≶', '≸'),
        ('≷', '≹'),
        ('≺', '⊀'),
        ('≻', '⊁'),
        ('⊂', '⊄'),
        ('⊃', '⊅'),
        ('⊆', '⊈'),
        ('⊇', '⊉'),
        ('⊑', '⋢'),
        ('⊒', '⋣'),
        ('⊢', '⊬'),
        ('⊨', '⊭'),
        ('⊩', '⊮'),
        ('⊲', '⋪'),
        ('⊳', '⋫'),
        ('⊴', '⋬'),
        ('⊵', '⋭'),
    ];
    let at = NEGATED.binary_search_by_key(&base, |pair| pair.0).ok()?;
    Some(NEGATED[at].1)
}

/// The one symbol that assembled `pieces` draw, from any of its parts.
pub(super) fn assembled(pieces: &[char]) -> Option<char> {
    let has = |code: u32| pieces.iter().any(|&p| p as u32 == code);
    Some(match () {
        () if has(0x23A8) => '{',
        () if has(0x23AC) => '}',
        () if has(0x23A7) || has(0x23A9) => '⟮',
        () if has(0x23AB) || has(0x23AD) => '⟯',
        () if has(0x239B) || has(0x239D) => '(',
        () if has(0x239E) || has(0x23A0) => ')',
        () if has(0x23A1) && has(0x23A3) => '[',
        () if has(0x23A4) && has(0x23A6) => ']',
        () if has(0x23A1) => '⌈',
        () if has(0x23A3) => '⌊',
        () if has(0x23A4) => '⌉',
        () if has(0x23A6) => '⌋',
        () if has(0x23B7) => '√',
        () if pieces.first() == Some(&'\u{E150}') => '⏞',
        () if pieces.first() == Some(&'\u{E152}') => '⏟',
        () if has(0x2190) && has(0x2192) => '↔',
        () if has(0x2190) => '←',
        () if has(0x2192) => '→',
        () if has(0x21D0) && has(0x21D2) => '⇔',
        () if has(0x21D0) => '⇐',
        () if has(0x21D2) => '⇒',
        () if has(0x2013) || has(0x2015) => '-',
        () => canonical(*pieces.first()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_become_their_mathematical_code_points() {
        assert_eq!(of_glyph(Font::MathItalic, 'x'), '\u{1D465}');
        assert_eq!(of_glyph(Font::MathItalic, 'h'), 'ℎ');
        assert_eq!(of_glyph(Font::MathItalic, 'α'), '\u{1D6FC}');
        assert_eq!(of_glyph(Font::MathItalic, 'ϵ'), '\u{1D716}');
        assert_eq!(of_glyph(Font::MainRegular, 'x'), 'x');
        assert_eq!(of_glyph(Font::AmsRegular, 'R'), 'ℝ');
        assert_eq!(of_glyph(Font::AmsRegular, '⊸'), '⊸');
        assert_eq!(of_glyph(Font::CaligraphicRegular, 'A'), '\u{1D49C}');
        assert_eq!(of_glyph(Font::ScriptRegular, 'F'), 'ℱ');
        assert_eq!(of_glyph(Font::MainBold, '2'), '\u{1D7D0}');
        assert_eq!(of_glyph(Font::MainBold, '+'), '+');
        assert_eq!(of_glyph(Font::FrakturRegular, 'g'), '\u{1D524}');
    }

    #[test]
    fn lookup_tables_are_sorted() {
        assert!(HOLES.is_sorted_by_key(|hole| hole.0));
        for base in ['<', '=', '∈', '⊵', '→'] {
            assert!(negated(base).is_some(), "{base}");
        }
    }
}
