//! Names: variables and numbers, in classes whose members may replace each other.

use super::commands::{Alphabet, greek_command};

/// A class of names that may replace each other and look alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Class {
    /// Small Latin letters of an alphabet.
    Small(Alphabet),
    /// Capital Latin letters of one.
    Capital(Alphabet),
    /// Small Greek letters of one.
    SmallGreek(Alphabet),
    /// Capital Greek letters of one.
    CapitalGreek(Alphabet),
    /// Numbers of this many digits.
    Number(usize),
}

/// A variable or a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Name {
    pub(super) class: Class,
    /// The letter's character, or the number.
    pub(super) code: u32,
}

/// The longest numbers that are names; longer ones are too rare to draw from.
const MOST_DIGITS: usize = 4;

impl Name {
    /// The name of a letter, unless it is part of a word.
    pub(super) fn letter(alphabet: Alphabet, letter: char) -> Option<Self> {
        let class = match letter {
            _ if alphabet == Alphabet::Words => return None,
            'a'..='z' => Class::Small(alphabet),
            'A'..='Z' => Class::Capital(alphabet),
            'α'..='ϵ' => Class::SmallGreek(alphabet),
            'Α'..='Ω' => Class::CapitalGreek(alphabet),
            _ => return None,
        };
        let code = u32::from(letter);
        Some(Name { class, code })
    }

    /// The name of a number in ordinary digits.
    pub(super) fn number(alphabet: Alphabet, digits: &str) -> Option<Self> {
        let is_name = alphabet == Alphabet::Italic && digits.len() <= MOST_DIGITS;
        let code = digits.parse().ok().filter(|_| is_name)?;
        let class = Class::Number(digits.len());
        Some(Name { class, code })
    }

    pub(super) fn is_number(self) -> bool {
        matches!(self.class, Class::Number(_))
    }

    /// Whether it is a letter in the default alphabet of formulas.
    pub(super) fn is_italic(self) -> bool {
        matches!(
            self.class,
            Class::Small(Alphabet::Italic) | Class::Capital(Alphabet::Italic)
        )
    }

    /// Writes it as LaTeX has it, within its alphabet.
    pub(super) fn write(self, out: &mut String) {
        if let Class::Number(digits) = self.class {
            out.push_str(&format!("{:0digits$}", self.code));
            return;
        }
        let letter = char::from_u32(self.code).unwrap_or('x');
        match greek_command(letter) {
            Some(command) => {
                out.push('\\');
                out.push_str(command);
            }
            None => out.push(letter),
        }
    }
}
