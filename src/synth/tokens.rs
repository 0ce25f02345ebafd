//! The LaTeX of a formula, token by token: what may be renamed, and where it
//! may be cut.

use super::name::Name;
use super::scanner::Scanner;

/// A stretch of LaTeX.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) role: Role,
}

/// What may become of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A variable or a number, to be renamed everywhere or nowhere.
    Free(Name),
    /// A letter that is not renamed here, nor then anywhere: the d of dx, the
    /// e of e^x, a letter of a word.
    Held(Name),
    /// An operator or relation between two parts of the whole formula.
    Operator,
    /// White space.
    Space,
    /// Anything else, which stays.
    Fixed,
}

/// A formula's tokens, which together are its text.
#[derive(Debug)]
pub(super) struct Formula<'a> {
    pub(super) tokens: Vec<Token<'a>>,
    /// Whether it may stand beside another: what it opens it closes, and no
    /// command divides it.
    pub(super) is_closed: bool,
}

impl<'a> Formula<'a> {
    /// The tokens of `text`. Malformed LaTeX has tokens, too.
    pub(super) fn new(text: &'a str) -> Self {
        let Some((mut tokens, is_closed)) = Scanner::scan(text) else {
            let role = Role::Fixed;
            return Formula {
                tokens: vec![Token { text, role }],
                is_closed: false,
            };
        };
        hold_words(&mut tokens);
        hold_constants(&mut tokens);
        Formula { tokens, is_closed }
    }

    /// The names that may be changed, each once, in the order in which they
    /// first stand.
    pub(super) fn free_names(&self) -> Vec<Name> {
        let held: Vec<Name> = self.held_names().collect();
        let mut names = Vec::new();
        for token in &self.tokens {
            if let Role::Free(name) = token.role
                && !held.contains(&name)
                && !names.contains(&name)
            {
                names.push(name);
            }
        }
        names
    }

    /// The names that stay, in any number.
    pub(super) fn held_names(&self) -> impl Iterator<Item = Name> {
        self.tokens.iter().filter_map(|token| match token.role {
            Role::Held(name) => Some(name),
            _ => None,
        })
    }
}

/// Three letters in a row are a word, as are two in an alphabet of its own.
fn hold_words(tokens: &mut [Token]) {
    let is_letter = |token: &Token| match token.role {
        Role::Free(name) => token.text.len() == 1 && !name.is_number(),
        _ => false,
    };
    for run in tokens.chunk_by_mut(|a, b| is_letter(a) && is_letter(b)) {
        let is_italic = matches!(run[0].role, Role::Free(name) if name.is_italic());
        let shortest = if is_italic { 3 } else { 2 };
        if run.len() >= shortest {
            run.iter_mut().for_each(hold);
        }
    }
}

/// The d of dx and the e of e^x.
fn hold_constants(tokens: &mut [Token]) {
    for at in 0..tokens.len() {
        let mut after = tokens[at + 1..].iter().filter(|t| t.role != Role::Space);
        let holds = match (tokens[at].text, after.next()) {
            ("d", Some(next)) => {
                matches!(next.role, Role::Free(name) | Role::Held(name) if !name.is_number())
            }
            ("e", Some(next)) => next.text == "^",
            _ => false,
        };
        if holds {
            hold(&mut tokens[at]);
        }
    }
}

fn hold(token: &mut Token) {
    if let Role::Free(name) = token.role {
        token.role = Role::Held(name);
    }
}

#[cfg(test)]
mod tests {
    use super::super::commands::Alphabet;
    use super::*;

    /// What may be renamed, what is held, and operators, as texts.
    fn shown(text: &str) -> [String; 3] {
        let formula = Formula::new(text);
        let all: String = formula.tokens.iter().map(|token| token.text).collect();
        assert_eq!(all, text, "tokens are the text");
        let of = |wanted: fn(Role) -> bool| {
            let tokens = formula.tokens.iter().filter(|token| wanted(token.role));
            tokens.map(|token| token.text).collect::<Vec<_>>().join(" ")
        };
        [
            of(|role| matches!(role, Role::Free(_))),
            of(|role| matches!(role, Role::Held(_))),
            of(|role| role == Role::Operator),
        ]
    }

    #[test]
    fn names_and_operators_are_told_from_the_rest() {
        let cases = [
            (r"x_1+\alpha y=2", [r"x 1 \alpha y 2", "", "+ ="]),
            (r"\sin x \in \mathbb{R}", ["x R", "", r"\in"]),
            (
                r"\text{if }n\mathrm{and}\operatorname*{ab} m",
                ["n m", "", ""],
            ),
            (r"\int_0^1 e^{x}\,d x dt", ["0 1 x x t", "e d d", ""]),
            (r"Type\to Hom(A,B)", ["A B", "T y p e H o m", r"\to"]),
            (r"\mathbf{AB}c+{\rm tr}\,M", ["c M", "A B", "+"]),
            (r"-a+-b", ["a b", "", "+"]),
            (r"x^+ - |y+z|", ["x y z", "", "-"]),
            (r"\left(a+b\right)-\frac{c+d}{2}", ["a b c d 2", "", "-"]),
            (r"a\kern-3.5pt b\hspace{2em}c", ["a b c", "", ""]),
            (
                r"\begin{array}{cc}a&b\\[2pt]c&d\end{array}",
                ["a b c d", "", ""],
            ),
            (r"\textcolor{red}{x}\not= y", ["x y", "", ""]),
            (r"\def\a{b}\a", ["", "", ""]),
            ("a &lt; b &#38; c", ["a b c", "", ""]),
            (r"\mathrm d x \mathbf{1}2", ["x 2", "", ""]),
        ];
        for (text, [free, held, operators]) in cases {
            assert_eq!(shown(text), [free, held, operators], "{text}");
        }
    }

    #[test]
    fn what_is_left_open_or_divided_stands_alone() {
        for text in [
            "a+(b",
            "a}b",
            r"a&b",
            r"a\\b",
            r"a\over b",
            "|a",
            r"\begin{x}",
            "{a",
        ] {
            assert!(!Formula::new(text).is_closed, "{text}");
        }
        for text in [
            "a+b",
            r"{a\over b}",
            r"\begin{matrix}a&b\\c\end{matrix}",
            "|a|",
            "[0,1)",
        ] {
            assert!(Formula::new(text).is_closed, "{text}");
        }
    }

    #[test]
    fn a_name_that_is_held_once_is_free_nowhere() {
        let names = Formula::new(r"\frac{d}{dx}e(e^x)").free_names();
        assert_eq!(names, [Name::letter(Alphabet::Italic, 'x').unwrap()]);
    }

    #[test]
    fn anything_has_tokens() {
        for text in [
            "", "\\", "{\\", r"\text{", r"\kern", r"\begin", "é^", r"\\[", r"\left",
        ] {
            shown(text);
        }
    }
}
