//! Symbols that differ only in shape or name: folded letters, and classes.

use crate::layout::SymbolId;

/// The role of a symbol: variables and numbers may be renamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// A letter in italics, bold, script or Fraktur, or a Greek one.
    Variable,
    /// A digit.
    Number,
    /// Operators, brackets, upright and blackboard letters, which have a fixed meaning.
    Fixed,
}

const MATH_LETTERS: std::ops::RangeInclusive<u32> = 0x1D400..=0x1D7FF;
const BLACKBOARD: std::ops::RangeInclusive<u32> = 0x1D538..=0x1D56B;
const BLACKBOARD_DIGITS: std::ops::RangeInclusive<u32> = 0x1D7D8..=0x1D7E1;
const SCRIPT_TO_BOLD_FRAKTUR: std::ops::RangeInclusive<u32> = 0x1D49C..=0x1D59F;
const GREEK: std::ops::RangeInclusive<u32> = 0x1D6A8..=0x1D7CB;
const DIGITS: std::ops::RangeInclusive<u32> = 0x1D7CE..=0x1D7FF;
/// Letters that Unicode had before it had the alphabets.
const LETTERLIKE: std::ops::RangeInclusive<u32> = 0x2100..=0x214F;
const OLD_LETTERS: &str = "ℎℬℰℱℋℐℒℳℛℯℊℴℭℌℑℜℨ";

/// The Greek letters of one alphabet, in Unicode's order.
const GREEK_LETTERS: &str = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡϴΣΤΥΦΧΨΩ∇αβγδεζηθικλμνξοπρςστυφχψω∂ϵϑϰϕϱϖ";

/// Families of operators: all of a family are one class, named by the first.
const FAMILIES: &[&str] = &[
    "+−±∓",
    "=≠≈≡∼≃≅≐:",
    "<>≤≥≪≫⩽⩾≦≧≺≻",
    "×⋅∗∘·∙⊗⊙",
    "∑∏∐⋃⋂⨁⨂",
    "∫∬∭∮",
    "→⟶↦⟹⇒⇐⇔⟺←⟵⟷↔↪↠⟼",
];

/// The role of a symbol.
pub fn role_of(id: SymbolId) -> Role {
    let c = match id {
        SymbolId::Char(c) => c,
        SymbolId::Text([first, ..]) => char::from(first),
        SymbolId::Shape(_) => return Role::Fixed,
    };
    let code = u32::from(c);
    if c.is_ascii_digit() || (DIGITS.contains(&code) && !BLACKBOARD_DIGITS.contains(&code)) {
        Role::Number
    } else if MATH_LETTERS.contains(&code) && !BLACKBOARD.contains(&code)
        || (0x370..=0x3FF).contains(&code)
        || LETTERLIKE.contains(&code) && OLD_LETTERS.contains(c)
    {
        Role::Variable
    } else {
        Role::Fixed
    }
}

/// The upright form of a letter of any slant and weight; script, Fraktur and
/// blackboard letters are letters of their own.
pub fn fold(id: SymbolId) -> SymbolId {
    let SymbolId::Char(c) = id else {
        return id;
    };
    let code = u32::from(c);
    let folded = if c == 'ℎ' {
        Some('h')
    } else if SCRIPT_TO_BOLD_FRAKTUR.contains(&code) || BLACKBOARD_DIGITS.contains(&code) {
        None
    } else if (0x1D400..=0x1D6A3).contains(&code) {
        let place = (code - 0x1D400) % 52;
        char::from_u32(if place < 26 { 65 + place } else { 71 + place })
    } else if GREEK.contains(&code) {
        GREEK_LETTERS.chars().nth(((code - 0x1D6A8) % 58) as usize)
    } else if DIGITS.contains(&code) {
        char::from_u32(48 + (code - 0x1D7CE) % 10)
    } else {
        None
    };
    SymbolId::Char(folded.unwrap_or(c))
}

/// The symbol that represents its class: one for variables, one for
/// numbers, one for upright letters, one for each family of operators.
pub fn class(id: SymbolId) -> SymbolId {
    let c = match id {
        SymbolId::Char(c) => c,
        SymbolId::Text([first, ..]) => char::from(first),
        SymbolId::Shape(_) => return id,
    };
    let stands = match role_of(id) {
        Role::Variable => Some('𝑥'),
        Role::Number => Some('0'),
        Role::Fixed if c.is_alphabetic() && c.is_ascii() => Some('a'),
        Role::Fixed => FAMILIES
            .iter()
            .find(|family| family.contains(c))
            .and_then(|family| family.chars().next()),
    };
    SymbolId::Char(stands.unwrap_or(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(c: char) -> String {
        fold(SymbolId::Char(c)).to_string()
    }

    #[test]
    fn letters_fold_and_classes_stand_for_many() {
        let pairs = [
            ('𝑥', "x"),
            ('𝐀', "A"),
            ('𝛼', "α"),
            ('𝝎', "ω"),
            ('ℎ', "h"),
            ('𝟗', "9"),
            ('ℝ', "ℝ"),
            ('𝒜', "𝒜"),
            ('+', "+"),
        ];
        for (c, expected) in pairs {
            assert_eq!(folded(c), expected);
        }
        let classes = |text: &str| -> String {
            text.chars()
                .map(|c| class(SymbolId::Char(c)).to_string())
                .collect()
        };
        assert_eq!(classes("𝑎𝛽Γ𝒜37−≤sℝ∮"), "𝑥𝑥𝑥𝑥00+<aℝ∫");
        assert_eq!(role_of(SymbolId::Char('𝔸')), Role::Fixed);
    }
}
