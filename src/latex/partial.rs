//! Completion of LaTeX that is still being typed: open groups are closed, and unfinished
//! tokens are removed, one by one from the end.

use super::balance::closing;
use super::scan::last_token;
use super::suggest::begun;

/// The largest number of tokens that are removed from the end.
const MOST_CUTS: usize = 12;

/// The formulas to which `typed` may be completed, the least changed first. A command at the end for
/// which `is_command` is false is taken for the beginning of another and left out.
pub(crate) fn completions(
    typed: &str,
    is_command: impl Fn(&str) -> bool,
) -> impl Iterator<Item = String> {
    let typed = typed.trim_end();
    beginnings(typed)
        .take(MOST_CUTS)
        // An unfinished command must not be drawn as something else.
        .filter(move |text| !ends_open(text, &is_command))
        .flat_map(move |text| endings(text).map(move |added| format!("{text}{added}")))
}

/// Whether `typed` stops before the formula ends: groups are open, the last token wants another
/// or is the beginning of a command, or `is_formula` is true of it with one or two arguments more.
pub(crate) fn is_unfinished(
    typed: &str,
    is_command: impl Fn(&str) -> bool,
    is_formula: impl Fn(&str) -> bool,
) -> bool {
    let typed = typed.trim_end();
    let last = &typed[last_token(typed)..];
    let waits = matches!(last, "^" | "_" | "\\");
    let is_begun = || !is_command(last) && begun(last).is_some();
    waits
        || (last.starts_with('\\') && is_begun())
        || !closing(typed).is_empty()
        || ["{}", "{}{}"]
            .iter()
            .any(|arguments| is_formula(&format!("{typed}{arguments}")))
}

/// `text`, and what remains of it without its last token, without its last two, ...
fn beginnings(text: &str) -> impl Iterator<Item = &str> {
    let shorter = move |length: &usize| {
        let end = last_token(&text[..*length]);
        Some(text[..end].trim_end().len())
    };
    std::iter::successors(Some(text.len()), shorter)
        .take_while(|length| *length > 0)
        .map(move |length| &text[..length])
}

/// `typed` before the command at its end, and that command: it may be the beginning of
/// a longer one, as `\in` is of `\infty`. `None` where the end is no command.
pub(crate) fn split_last_command(typed: &str) -> Option<(&str, &str)> {
    let typed = typed.trim_end();
    let (before, last) = typed.split_at(last_token(typed));
    let is_command = last.starts_with('\\') && last.ends_with(|c: char| c.is_ascii_alphabetic());
    is_command.then_some((before, last))
}

/// Whether the end is unfinished: `x^`, a line break, a lone backslash, or an unknown
/// command such as `\fra`.
fn ends_open(text: &str, is_command: impl Fn(&str) -> bool) -> bool {
    let last = &text[last_token(text)..];
    matches!(last, "^" | "_" | "\\" | r"\\") || (last.starts_with('\\') && !is_command(last))
}

/// Texts that may be missing at the end, the shortest first: the text that closes all open
/// groups, and one or two arguments before it.
fn endings(text: &str) -> impl Iterator<Item = String> {
    let closing = rest_of_end(text).unwrap_or_else(|| closing(text));
    ["", "{}", "{}{}"]
        .into_iter()
        .map(move |arguments| format!("{arguments}{closing}"))
}

/// The rest of an unfinished `\end{matr`, and the text that closes all other groups.
fn rest_of_end(text: &str) -> Option<String> {
    let (before, end) = text.split_at(text.rfind(r"\end{")?);
    let closing = closing(before);
    let rest = closing.strip_prefix(end).filter(|_| !end.contains('}'));
    rest.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(typed: &str) -> Option<String> {
        completions(typed, |command| command != r"\fra").next()
    }

    #[test]
    fn what_is_begun_is_closed_or_left_out() {
        let cases = [
            ("x^2", "x^2"),
            ("x^ ", "x"),
            ("x^{2", "x^{2}"),
            (r"a+\fra", "a+"),
            (r"a+\", "a+"),
            (r"\left( x", r"\left( x\right."),
            (r"a_{b ^ \fra", "a_{b}"),
            (r"\begin{cases}a\\", r"\begin{cases}a\end{cases}"),
            (r"{\begin{cases}a\end{ca", r"{\begin{cases}a\end{cases}}"),
        ];
        for (typed, latex) in cases {
            assert_eq!(first(typed).as_deref(), Some(latex), "{typed}");
        }
        assert!(first("").is_none() && first("  ").is_none() && first(r"\").is_none());
    }

    #[test]
    fn what_stops_early_is_unfinished() {
        let is_unfinished = |typed: &str| {
            let is_formula = |text: &str| text == r"\sqrt{}";
            is_unfinished(typed, |command| command != r"\fra", is_formula)
        };
        for typed in [
            "x^",
            r"\frac{1}{",
            r"\left(",
            r"x+\fra",
            "x\\",
            r"\sqrt",
            r"\begin{a}",
        ] {
            assert!(is_unfinished(typed), "{typed}");
        }
        for typed in ["x", "x}", r"\left(\right)", r"\beta", r"U_i^'(x)"] {
            assert!(!is_unfinished(typed), "{typed}");
        }
    }

    #[test]
    fn arguments_are_tried_after_none() {
        let tried: Vec<String> = completions(r"{\sqrt", |_| true).take(3).collect();
        assert_eq!(tried, [r"{\sqrt}", r"{\sqrt{}}", r"{\sqrt{}{}}"]);
    }

    #[test]
    fn a_command_at_the_end_may_be_the_beginning_of_another() {
        assert_eq!(split_last_command(r"x\in "), Some(("x", r"\in")));
        assert_eq!(split_last_command(r"\{"), None);
        assert_eq!(split_last_command("x"), None);
    }
}
