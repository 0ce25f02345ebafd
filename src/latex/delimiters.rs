//! The formula within text that was pasted: between dollars and the like, in a display
//! environment, or in a code span of Markdown.

use super::scan::{braced, split_token};

/// A formula that was found in text.
#[derive(Debug, PartialEq)]
pub(crate) struct FoundFormula {
    /// The formula, without the delimiters around it.
    pub(crate) latex: String,
    /// What was left out or guessed, each in a sentence.
    pub(crate) notes: Vec<String>,
}

/// Environments that begin a displayed formula within text.
const DISPLAYS: [&str; 9] = [
    "equation",
    "align",
    "alignat",
    "gather",
    "multline",
    "flalign",
    "eqnarray",
    "displaymath",
    "math",
];

/// What stands around a formula in text.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Delimiters {
    Dollars,
    DoubleDollars,
    Parentheses,
    Brackets,
    Environment,
    Backticks,
}

impl Delimiters {
    /// How a note shows them.
    fn shown(self) -> &'static str {
        match self {
            Delimiters::Dollars => "$…$",
            Delimiters::DoubleDollars => "$$…$$",
            Delimiters::Parentheses => r"\(…\)",
            Delimiters::Brackets => r"\[…\]",
            Delimiters::Environment => r"\begin{…}…\end{…}",
            Delimiters::Backticks => "`…`",
        }
    }
}

/// A formula in text: `start..end` with its delimiters.
struct Span<'a> {
    delimiters: Delimiters,
    start: usize,
    end: usize,
    latex: &'a str,
}

/// The formula in `text`: all of it, unless it has delimiters around a part of it. Of several the
/// longest is taken: it says the most.
pub(crate) fn formula_in(text: &str) -> FoundFormula {
    let text = unquoted(unfenced(text.trim()));
    let mut spans = Spans::default();
    spans.read(text);
    let Spans { mut found, prices } = spans;
    if found
        .iter()
        .any(|span| span.delimiters != Delimiters::Environment)
    {
        found.retain(|span| span.delimiters != Delimiters::Environment);
    }
    let outside = outside(text, &found);
    let longest = found
        .iter()
        .rev()
        .max_by_key(|span| span.latex.trim().len());
    let Some(span) = longest.filter(|span| is_delimited(span, &outside)) else {
        return with_prices(text, &prices);
    };
    let latex = span.latex.trim().trim_matches('`').to_owned();
    let mut notes = Vec::new();
    if found.len() > 1 {
        let count = found.len();
        notes.push(format!(
            "Of {count} formulas in the text the longest is read: {latex}"
        ));
    }
    if outside.contains(char::is_alphanumeric) {
        let shown = span.delimiters.shown();
        notes.push(format!("The text around {shown} is left out."));
    }
    FoundFormula { latex, notes }
}

/// The inside of a fenced code block of Markdown, with or without its closing fence.
fn unfenced(text: &str) -> &str {
    let Some((_, inside)) = text.split_once("```") else {
        return text;
    };
    let inside = inside.split("```").next().unwrap_or(inside);
    let named = inside.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
    let is_named = named.starts_with(['\n', '\r']) || inside.starts_with("math");
    (if is_named { named } else { inside }).trim()
}

/// `text` without the quotation marks around all of it.
fn unquoted(text: &str) -> &str {
    let pairs = [('"', '"'), ('“', '”'), ('«', '»')];
    let inner = pairs.iter().find_map(|&(open, close)| {
        let inner = text.strip_prefix(open)?.strip_suffix(close)?;
        (!inner.contains([open, close])).then_some(inner)
    });
    inner.map_or(text, str::trim)
}

/// The text outside of all spans.
fn outside(text: &str, found: &[Span]) -> String {
    let mut outside = String::new();
    let mut at = 0;
    for span in found {
        outside.push_str(&text[at..span.start]);
        at = span.end;
    }
    outside + &text[at..]
}

/// Whether the delimiters are such, not a part of a formula: an environment may be a part of
/// one, as in `\left\{\begin{align}…`, and so may a quotation mark.
fn is_delimited(span: &Span, outside: &str) -> bool {
    let is_prose = || {
        let words = outside.split(|c: char| !c.is_alphabetic());
        let has_words = words.into_iter().any(|word| word.chars().count() > 1);
        has_words && !outside.contains(['\\', '^', '_', '=', '{', '}', '&', '+', '<', '>'])
    };
    match span.delimiters {
        Delimiters::Environment => is_prose(),
        Delimiters::Backticks => outside.trim().is_empty() || is_prose(),
        _ => true,
    }
}

/// `text`, with the dollars of prices as LaTeX has them.
fn with_prices(text: &str, prices: &[usize]) -> FoundFormula {
    let mut latex = String::with_capacity(text.len() + prices.len());
    let mut notes = Vec::new();
    let mut at = 0;
    for &price in prices {
        latex.push_str(&text[at..price]);
        latex.push_str(r"\$");
        at = price + 1;
        let amount: String = text[at..]
            .chars()
            .take_while(|c| is_of_amount(*c))
            .collect();
        let amount = amount.trim_end_matches(['.', ',']);
        notes.push(format!("${amount} is read as a price, with a dollar sign."));
    }
    latex.push_str(&text[at..]);
    FoundFormula { latex, notes }
}

fn is_of_amount(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '.' | ',')
}

/// The formulas in a text, and the dollars that are of prices.
#[derive(Default)]
struct Spans<'a> {
    found: Vec<Span<'a>>,
    prices: Vec<usize>,
}

impl<'a> Spans<'a> {
    /// Goes through a text; delimiters within braces belong to a `\text` of a formula.
    fn read(&mut self, text: &'a str) {
        let mut depth = 0usize;
        let mut at = 0;
        while let Some((token, _)) = split_token(&text[at..]) {
            let end = match token {
                "{" => {
                    depth += 1;
                    None
                }
                "}" => {
                    depth = depth.saturating_sub(1);
                    None
                }
                _ if depth > 0 => None,
                "$" => self.dollar(text, at),
                r"\(" => Some(self.closed_by(text, at, r"\)", Delimiters::Parentheses)),
                r"\[" => Some(self.closed_by(text, at, r"\]", Delimiters::Brackets)),
                "`" if !text[at..].starts_with("``") && text[at + 1..].contains('`') => {
                    Some(self.closed_by(text, at, "`", Delimiters::Backticks))
                }
                r"\begin" => self.environment(text, at),
                _ => None,
            };
            at = end.unwrap_or(at + token.len());
        }
    }

    /// Adds what is between `at` and `closing`, or the end. Returns where it ends.
    fn closed_by(
        &mut self,
        text: &'a str,
        at: usize,
        closing: &str,
        delimiters: Delimiters,
    ) -> usize {
        // Opening and closing delimiters are equally long.
        let inner = at + closing.len();
        let close = find_token(&text[inner..], closing).map(|close| inner + close);
        self.add(
            text,
            delimiters,
            at,
            inner..close.unwrap_or(text.len()),
            closing,
        )
    }

    fn add(
        &mut self,
        text: &'a str,
        delimiters: Delimiters,
        start: usize,
        inner: std::ops::Range<usize>,
        closing: &str,
    ) -> usize {
        let end = (inner.end + closing.len()).min(text.len());
        let latex = &text[inner];
        self.found.push(Span {
            delimiters,
            start,
            end,
            latex,
        });
        end
    }

    /// A dollar opens a formula, or is that of a price, or closes all that is before it.
    fn dollar(&mut self, text: &'a str, at: usize) -> Option<usize> {
        let rest = &text[at..];
        if let Some(inner) = rest.strip_prefix("$$") {
            let closing = if inner.contains("$$") { "$$" } else { "$" };
            let close = inner.find(closing).map(|close| at + 2 + close);
            let inner = at + 2..close.unwrap_or(text.len());
            return Some(self.add(text, Delimiters::DoubleDollars, at, inner, closing));
        }
        let close = find_token(&rest[1..], "$").map(|close| at + 1 + close);
        if is_price(text, at, close) {
            self.prices.push(at);
            return None;
        }
        let is_last = close.is_none() && rest.len() == 1;
        if is_last && self.found.is_empty() {
            return Some(self.add(text, Delimiters::Dollars, 0, 0..at, "$"));
        }
        let inner = at + 1..close.unwrap_or(text.len());
        Some(self.add(text, Delimiters::Dollars, at, inner, "$"))
    }

    fn environment(&mut self, text: &'a str, at: usize) -> Option<usize> {
        let name = braced(text[at + r"\begin".len()..].trim_start())?;
        let plain = name.strip_suffix('*').unwrap_or(name);
        if !DISPLAYS.contains(&plain) {
            return None;
        }
        let closing = format!(r"\end{{{name}}}");
        let end = text[at..].find(&closing);
        let end = end.map_or(text.len(), |end| at + end + closing.len());
        Some(self.add(text, Delimiters::Environment, at, at..end, ""))
    }
}

/// Where a token stands in `text`, outside of braces.
fn find_token(text: &str, wanted: &str) -> Option<usize> {
    let mut depth = 0usize;
    let mut rest = text;
    while let Some((token, after)) = split_token(rest) {
        match token {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            _ if token == wanted && depth == 0 => return Some(text.len() - rest.len()),
            _ => {}
        }
        rest = after;
    }
    None
}

/// Whether the dollar at `at` is that of a price, not the first of two around a formula: a number
/// follows it and ends there, and the dollar at `close` does not close, as in `$5 and $6`.
fn is_price(text: &str, at: usize, close: Option<usize>) -> bool {
    let after = &text[at + 1..];
    let rest = after.trim_start_matches(is_of_amount);
    let is_amount = after.starts_with(|c: char| c.is_ascii_digit())
        && !rest.starts_with(|c: char| !c.is_whitespace() && !";:!?)]".contains(c));
    let closes = |close: usize| {
        let before = text[..close].ends_with(|c: char| !c.is_whitespace());
        before && !text[close + 1..].starts_with(|c: char| c.is_ascii_digit())
    };
    is_amount && !close.is_some_and(closes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_is_found_within_its_delimiters() {
        let cases = [
            ("x^2", "x^2", ""),
            ("$x^2$", "x^2", ""),
            ("$ x^2 $.", "x^2", ""),
            ("$x^2$ text", "x^2", "$…$"),
            ("so $$x^2$$ holds", "x^2", "$$…$$"),
            (r"by \(x^2\) we", "x^2", r"\(…\)"),
            (r"\[x^2 \\[2pt] y\]", r"x^2 \\[2pt] y", ""),
            ("$x^2", "x^2", ""),
            ("x^2$", "x^2", ""),
            ("$$x^2$", "x^2", ""),
            ("let $x^2", "x^2", "$…$"),
            ("`x^2`", "x^2", ""),
            ("take `x^2` here", "x^2", "`…`"),
            ("$`x^2`$", "x^2", ""),
            ("```math\nx^2\n```", "x^2", ""),
            ("```\nx^2\n```", "x^2", ""),
            ("\"x^2\"", "x^2", ""),
            (
                r"We have \begin{equation}x^2\end{equation} here",
                r"\begin{equation}x^2\end{equation}",
                r"\begin{…}…\end{…}",
            ),
        ];
        for (text, latex, around) in cases {
            let found = formula_in(text);
            assert_eq!(found.latex, latex, "{text}");
            let notes: Vec<String> = (!around.is_empty())
                .then(|| format!("The text around {around} is left out."))
                .into_iter()
                .collect();
            assert_eq!(found.notes, notes, "{text}");
        }
    }

    #[test]
    fn of_several_formulas_the_longest_is_taken() {
        let found = formula_in("if $a$ then $a+b$ or $b+a$");
        assert_eq!(found.latex, "a+b");
        assert_eq!(
            found.notes[0],
            "Of 3 formulas in the text the longest is read: a+b"
        );
        assert_eq!(found.notes[1], "The text around $…$ is left out.");
    }

    #[test]
    fn what_is_within_a_formula_is_no_delimiter() {
        for latex in [
            r"x \text{ if $y$}",
            r"\left\{\begin{align}a&=b\\c&=d\end{align}\right.",
            r"\begin{align}a\end{align}",
            r"\text{``a''}",
            r"\$5+\$6",
            r"a \\[3pt] b",
        ] {
            let found = formula_in(latex);
            assert_eq!((found.latex.as_str(), found.notes.len()), (latex, 0));
        }
    }

    #[test]
    fn a_price_is_no_formula() {
        for (text, latex) in [
            ("$5", r"\$5"),
            ("$5,000.", r"\$5,000."),
            ("$5 and $10", r"\$5 and \$10"),
            ("$5$", "5"),
            ("$2x+1", "2x+1"),
            ("$2$-adic", "2"),
            ("costs $5, so $x^2$", "x^2"),
        ] {
            assert_eq!(formula_in(text).latex, latex, "{text}");
        }
        let notes = formula_in("$5,000.").notes;
        assert_eq!(notes, ["$5,000 is read as a price, with a dollar sign."]);
    }
}
