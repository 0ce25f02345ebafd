//! The LaTeX of a formula, span by span: what may be renamed, and where it
//! may be cut.

use super::name::Name;
use super::splitter::Splitter;

/// A stretch of LaTeX.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span<'a> {
    pub(super) text: &'a str,
    pub(super) role: SpanRole,
}

/// The role of a span: how growing a list may change it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SpanRole {
    /// A variable or a number, to be renamed everywhere or nowhere.
    Free(Name),
    /// A letter that is not renamed here, nor then anywhere: the d of dx, the
    /// e of e^x, a letter of a word.
    Frozen(Name),
    /// An operator or relation between two parts of the whole formula.
    Operator,
    /// White space.
    Space,
    /// Anything else, which stays.
    Fixed,
}

/// A formula's spans, which together are its text.
#[derive(Debug)]
pub(super) struct SplitFormula<'a> {
    pub(super) spans: Vec<Span<'a>>,
    /// Whether it may be joined with another formula: its groups are closed, and no
    /// command divides it.
    pub(super) is_closed: bool,
}

impl<'a> SplitFormula<'a> {
    /// The spans of `text`. Malformed LaTeX has spans, too.
    pub(super) fn new(text: &'a str) -> Self {
        let Some((mut spans, is_closed)) = Splitter::split(text) else {
            let role = SpanRole::Fixed;
            return SplitFormula {
                spans: vec![Span { text, role }],
                is_closed: false,
            };
        };
        freeze_words(&mut spans);
        freeze_constants(&mut spans);
        SplitFormula { spans, is_closed }
    }

    /// The names that may be changed, each once, in the order in which they first occur.
    pub(super) fn free_names(&self) -> Vec<Name> {
        let frozen: Vec<Name> = self.frozen_names().collect();
        let mut names = Vec::new();
        for span in &self.spans {
            if let SpanRole::Free(name) = span.role
                && !frozen.contains(&name)
                && !names.contains(&name)
            {
                names.push(name);
            }
        }
        names
    }

    /// The names that stay, in any number.
    pub(super) fn frozen_names(&self) -> impl Iterator<Item = Name> {
        self.spans.iter().filter_map(|span| match span.role {
            SpanRole::Frozen(name) => Some(name),
            _ => None,
        })
    }
}

/// Three letters in a row are a word, as are two in an alphabet of its own.
fn freeze_words(spans: &mut [Span]) {
    let is_letter = |span: &Span| match span.role {
        SpanRole::Free(name) => span.text.len() == 1 && !name.is_number(),
        _ => false,
    };
    for run in spans.chunk_by_mut(|a, b| is_letter(a) && is_letter(b)) {
        let is_italic = matches!(run[0].role, SpanRole::Free(name) if name.is_italic());
        let shortest = if is_italic { 3 } else { 2 };
        if run.len() >= shortest {
            run.iter_mut().for_each(freeze);
        }
    }
}

/// The d of dx and the e of e^x.
fn freeze_constants(spans: &mut [Span]) {
    for at in 0..spans.len() {
        let mut after = spans[at + 1..].iter().filter(|t| t.role != SpanRole::Space);
        let is_constant = match (spans[at].text, after.next()) {
            ("d", Some(next)) => {
                matches!(next.role, SpanRole::Free(name) | SpanRole::Frozen(name) if !name.is_number())
            }
            ("e", Some(next)) => next.text == "^",
            _ => false,
        };
        if is_constant {
            freeze(&mut spans[at]);
        }
    }
}

fn freeze(span: &mut Span) {
    if let SpanRole::Free(name) = span.role {
        span.role = SpanRole::Frozen(name);
    }
}

#[cfg(test)]
mod tests {
    use super::super::commands::Alphabet;
    use super::*;

    /// The names that may be changed, the frozen ones and the operators, as texts.
    fn shown(text: &str) -> [String; 3] {
        let formula = SplitFormula::new(text);
        let all: String = formula.spans.iter().map(|span| span.text).collect();
        assert_eq!(all, text, "spans are the text");
        let of = |wanted: fn(SpanRole) -> bool| {
            let spans = formula.spans.iter().filter(|span| wanted(span.role));
            spans.map(|span| span.text).collect::<Vec<_>>().join(" ")
        };
        [
            of(|role| matches!(role, SpanRole::Free(_))),
            of(|role| matches!(role, SpanRole::Frozen(_))),
            of(|role| role == SpanRole::Operator),
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
        for (text, [free, frozen, operators]) in cases {
            assert_eq!(shown(text), [free, frozen, operators], "{text}");
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
            assert!(!SplitFormula::new(text).is_closed, "{text}");
        }
        for text in [
            "a+b",
            r"{a\over b}",
            r"\begin{matrix}a&b\\c\end{matrix}",
            "|a|",
            "[0,1)",
        ] {
            assert!(SplitFormula::new(text).is_closed, "{text}");
        }
    }

    #[test]
    fn a_name_that_is_held_once_is_free_nowhere() {
        let names = SplitFormula::new(r"\frac{d}{dx}e(e^x)").free_names();
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
