//! Mends: for each error that a parser reports, the small change that removes it.

use super::scan::{split_braced, split_token, token};

/// An undefined command as its name in text; or, where it is defined in mathematics
/// and stands in text at `in_text`, as mathematics.
pub(super) fn spelled_out(text: &str, command: &str, in_text: Option<usize>) -> String {
    if let Some(at) = in_text
        && text.get(at..).is_some_and(|rest| rest.starts_with(command))
    {
        return format!("{}${command}${}", &text[..at], &text[at + command.len()..]);
    }
    let name = command.trim_start_matches('\\');
    let shown: String = name
        .chars()
        .filter(|c| c.is_alphanumeric() || *c == '@')
        .collect();
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(found) = rest.find(command) {
        let end = found + command.len();
        let is_longer = name.ends_with(|c: char| c.is_ascii_alphabetic())
            && rest[end..].starts_with(|c: char| c.is_ascii_alphabetic());
        out.push_str(&rest[..found]);
        if is_longer || ends_escaping(&rest[..found]) {
            out.push_str(command);
        } else if !shown.is_empty() {
            out.push_str(&format!(r"\text{{{shown}}}"));
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

/// Whether a backslash after `text` is the second of `\\`, not the start of a command.
fn ends_escaping(text: &str) -> bool {
    let backslashes = text.bytes().rev().take_while(|b| *b == b'\\');
    backslashes.count() % 2 == 1
}

/// `text` with `what` inserted at byte `at`.
pub(super) fn inserted(text: &str, at: usize, what: &str) -> Option<String> {
    let (before, after) = text.split_at_checked(at)?;
    Some(format!("{before}{what}{after}"))
}

/// A `^` or `_` without an argument: `^'` is a prime, any other gets empty braces.
pub(super) fn lone_script(text: &str, at: usize) -> Option<String> {
    let (before, after) = text.split_at_checked(at)?;
    let mut rest = after.strip_prefix(['^', '_'])?;
    if after.starts_with('^') && rest.starts_with('\'') {
        return Some(format!("{before}{rest}"));
    }
    rest = rest.trim_start_matches(['^', '_']);
    Some(format!("{before}{}{{}}{rest}", &after[..1]))
}

/// `x^\bar{k}` as `x^{\bar{k}}`: the command and its argument, in braces.
pub(super) fn braced_call(text: &str, at: usize) -> Option<String> {
    let (before, after) = text.split_at_checked(at)?;
    let (call, rest) = after.split_at_checked(call_length(after)?)?;
    Some(format!("{before}{{{call}}}{rest}"))
}

/// The length of the command with which `text` begins, with the braces that
/// follow it, or with the one token where it takes an argument and none do.
fn call_length(text: &str) -> Option<usize> {
    let command = text.starts_with('\\').then(|| token(text))?;
    let mut rest = &text[command.len()..];
    while let Some((_, after)) = split_braced(rest) {
        rest = after;
    }
    if rest.len() == text.len() - command.len() && arguments(&command[1..]) > 0 {
        rest = split_token(rest.trim_start())?.1;
    }
    Some(text.len() - rest.len())
}

/// How many arguments a command takes, of those that people write without braces.
fn arguments(name: &str) -> usize {
    match name {
        "frac" | "tfrac" | "dfrac" | "cfrac" | "binom" | "overset" | "underset" | "stackrel" => 2,
        "hat" | "bar" | "vec" | "dot" | "ddot" | "tilde" | "check" | "breve" | "acute"
        | "grave" | "mathring" | "widehat" | "widetilde" | "overline" | "underline" | "sqrt"
        | "mathbf" | "mathrm" | "mathit" | "mathsf" | "mathcal" | "mathbb" | "boldsymbol"
        | "bm" => 1,
        _ => 0,
    }
}

/// `\vec\mathrm{M}` as `\vec{\mathrm{M}}`, for every command that takes an argument.
pub(super) fn braced_arguments(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some((token, after)) = split_token(rest) {
        out.push_str(token);
        rest = after;
        for _ in 0..arguments(token.strip_prefix('\\').unwrap_or_default()) {
            let argument = rest.trim_start();
            if let Some((inner, after)) = split_braced(argument) {
                out.push_str(&format!("{{{inner}}}"));
                rest = after;
            } else if let Some(length) = call_length(argument) {
                out.push_str(&format!("{{{}}}", braced_arguments(&argument[..length])));
                rest = &argument[length..];
            }
        }
    }
    out
}

/// Removes commands of colours, which layouts ignore.
pub(super) fn uncoloured(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(r"\color").or_else(|| rest.find(r"\textcolor")) {
        out.push_str(&rest[..at]);
        let after = rest[at + 1..].trim_start_matches(|c: char| c.is_ascii_alphabetic());
        rest = split_braced(after.trim_start()).map_or(after, |(_, rest)| rest);
    }
    out + rest
}

/// Replaces arrays by matrices, which have as many columns as they need.
pub(super) fn any_columns(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(r"\begin{array}") {
        out.push_str(&rest[..at]);
        out.push_str(r"\begin{matrix}");
        rest = &rest[at + r"\begin{array}".len()..];
        rest = split_braced(rest).map_or(rest, |(_, after)| after);
    }
    out.push_str(rest);
    out.replace(r"\end{array}", r"\end{matrix}")
}

/// Removes `\big` and its variants, and `\left` without a delimiter.
pub(super) fn unsized_delimiters(text: &str) -> String {
    let mut out = text.to_owned();
    for size in ["Bigg", "bigg", "Big", "big"] {
        for side in ["l", "r", "m", ""] {
            out = out.replace(&format!(r"\{size}{side}\"), r"\");
        }
    }
    if out != text {
        return out;
    }
    out.clear();
    let mut rest = text;
    while let Some((token, after)) = split_token(rest) {
        let is_sizing = matches!(token, r"\left" | r"\right" | r"\middle");
        out.push_str(if is_sizing { " " } else { token });
        rest = after;
    }
    out
}

/// Symbols that text cannot contain, as mathematics.
pub(super) fn out_of_text(text: &str, at: usize) -> Option<String> {
    let (before, after) = text.split_at_checked(at)?;
    let (what, rest) = split_token(after)?;
    Some(format!("{before}${what}${rest}"))
}

/// Escapes percent signs where the comment that they begin breaks the formula.
pub(super) fn escaped_percent(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut escaped = false;
    for c in text.chars() {
        if c == '%' && !escaped {
            out.push('\\');
        }
        escaped = c == '\\' && !escaped;
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sizing_is_dropped_with_a_delimiter() {
        let mended = unsized_delimiters(r"\left\blah a \rightarrow b \right)");
        assert_eq!(mended, r" \blah a \rightarrow b  )");
    }

    #[test]
    fn arguments_get_their_braces() {
        assert_eq!(
            braced_arguments(r"\vec\mathrm{M}+\frac\hat b{c}"),
            r"\vec{\mathrm{M}}+\frac{\hat b}{c}"
        );
        assert_eq!(braced_call(r"x^\bar k y", 2).unwrap(), r"x^{\bar k} y");
        assert_eq!(braced_call(r"x^y", 2), None);
    }

    #[test]
    fn an_undefined_command_is_spelled_out() {
        let text = r"\R^n+\Rn+\\R";
        assert_eq!(spelled_out(text, r"\R", None), r"\text{R}^n+\Rn+\\R");
        assert_eq!(
            spelled_out(r"\text{a \in b}", r"\in", Some(8)),
            r"\text{a $\in$ b}"
        );
    }
}
