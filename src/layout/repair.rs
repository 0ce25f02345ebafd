//! Repair: broken LaTeX, mended by what the parser says of it.
//!
//! Real collections hold unclosed braces, commands of lost preambles and
//! stray alignment marks. Each error has one small repair; after a few, or
//! when one changes nothing, the first error stands.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ratex_parser::{ParseError, ParseNode};

use super::balance::{balanced, token_length};
use super::clean::braced;
use super::{LayoutError, MAX_LATEX_BYTES};

/// The most repairs of one formula: enough for a few undefined commands and
/// what they leave open, few enough that a hopeless one costs little.
const MOST_REPAIRS: usize = 12;

/// Parses cleaned LaTeX, repairing it where need be.
pub(super) fn parse(text: &str) -> Result<Vec<ParseNode>, LayoutError> {
    let first = match attempt(text) {
        Ok(nodes) => return Ok(nodes),
        Err(error) => error,
    };
    let mut tried = text.to_owned();
    let mut error = first.clone();
    for _ in 0..MOST_REPAIRS {
        match repaired(&tried, &error) {
            Some(next) if next != tried && next.len() <= 2 * MAX_LATEX_BYTES => tried = next,
            _ => break,
        }
        match attempt(&tried) {
            Ok(nodes) => return Ok(nodes),
            Err(next) => error = next,
        }
    }
    Err(LayoutError::Parse {
        position: first.loc.map(|loc| loc.start),
        message: first.message,
        text: text.to_owned(),
    })
}

fn attempt(text: &str) -> Result<Vec<ParseNode>, ParseError> {
    catch_unwind(AssertUnwindSafe(|| ratex_parser::parse(text)))
        .unwrap_or_else(|_| Err(ParseError::msg("the parser failed")))
}

/// `text` with what `error` complains of mended, or `None` where nothing is known to help.
fn repaired(text: &str, error: &ParseError) -> Option<String> {
    let message = error.message.as_str();
    let at = error.loc.as_ref().map(|loc| loc.start);
    let about = |start: &str| message.starts_with(start);
    if let Some(command) = message.strip_prefix("Undefined control sequence: ") {
        return (command.len() > 1).then(|| spelled_out(text, command, at));
    }
    if about("Recursion limit") || about("Too many expansions") || about("Resource") {
        return None;
    }
    if about("Double su") {
        return insert(text, at?, "{}");
    }
    if about("Expected group after") {
        return lone_script(text, at?);
    }
    if about("Got function") {
        return braced_call(text, at?);
    }
    if message.contains("in a macro argument") {
        let bracketed = braced_arguments(text);
        if bracketed != text {
            return Some(bracketed);
        }
    }
    if about("Invalid color") {
        return Some(uncoloured(text));
    }
    if about("Too many tab") {
        return Some(any_columns(text));
    }
    if about("Invalid delimiter") || about("Expected delimiter") {
        return Some(unsized_delimiters(text));
    }
    if about("Can't use function") || message.contains("in text mode") {
        return out_of_text(text, at?).or_else(|| Some(text.replace(r"\text{", r"\mathrm{")));
    }
    structural(text, message)
}

/// Repairs of what is open, unopened or misplaced.
fn structural(text: &str, message: &str) -> Option<String> {
    let escaped = escaped_percent(text);
    if escaped != text {
        return Some(escaped);
    }
    let balanced = balanced(text);
    if balanced != text {
        return Some(balanced);
    }
    if message.contains("'&'") || message.contains(r"'\\'") || message.contains(r"\cr") {
        return Some(format!(r"\begin{{matrix}}{text}\end{{matrix}}"));
    }
    if message.starts_with("Expected group as argument") || message.contains("macro argument") {
        return Some(format!("{text}{{}}"));
    }
    None
}

/// An undefined command as its name in text, or, where it is one of
/// mathematics used in text, as mathematics.
fn spelled_out(text: &str, command: &str, at: Option<usize>) -> String {
    let name = command.trim_start_matches('\\');
    let known = !matches!(attempt(command), Err(e) if e.message.starts_with("Undefined control"));
    if let (true, Some(at)) = (known, at)
        && text.get(at..).is_some_and(|rest| rest.starts_with(command))
    {
        return format!("{}${command}${}", &text[..at], &text[at + command.len()..]);
    }
    let shown: String = name
        .chars()
        .filter(|c| c.is_alphanumeric() || *c == '@')
        .collect();
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(found) = rest.find(command) {
        let end = found + command.len();
        let longer = name.ends_with(|c: char| c.is_ascii_alphabetic())
            && rest[end..].starts_with(|c: char| c.is_ascii_alphabetic());
        // A backslash before is the end of `\\`, not the start of a command.
        let escaped = rest[..found]
            .bytes()
            .rev()
            .take_while(|b| *b == b'\\')
            .count()
            % 2
            == 1;
        out.push_str(&rest[..found]);
        match longer || escaped {
            true => out.push_str(command),
            false if shown.is_empty() => {}
            false => out.push_str(&format!(r"\text{{{shown}}}")),
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

fn insert(text: &str, at: usize, what: &str) -> Option<String> {
    let (before, after) = text.split_at_checked(at)?;
    Some(format!("{before}{what}{after}"))
}

/// A `^` or `_` with nothing to raise: `^'` is a prime, any other gets braces.
fn lone_script(text: &str, at: usize) -> Option<String> {
    let (before, after) = text.split_at_checked(at)?;
    let mut rest = after.strip_prefix(['^', '_'])?;
    if after.starts_with('^') && rest.starts_with('\'') {
        return Some(format!("{before}{rest}"));
    }
    rest = rest.trim_start_matches(['^', '_']);
    Some(format!("{before}{}{{}}{rest}", &after[..1]))
}

/// `x^\bar{k}` as `x^{\bar{k}}`: the command and what it takes, in braces.
fn braced_call(text: &str, at: usize) -> Option<String> {
    let (before, after) = text.split_at_checked(at)?;
    let (call, rest) = after.split_at_checked(call_length(after)?)?;
    Some(format!("{before}{{{call}}}{rest}"))
}

/// The length of the command with which `text` begins, with the braces that
/// follow it, or with the one character where it takes an argument and none do.
fn call_length(text: &str) -> Option<usize> {
    let name = token_length(text.strip_prefix('\\').map(|_| text)?, '\\');
    let mut end = name;
    while let Some(inner) = braced(&text[end..]) {
        end += inner.len() + 2;
    }
    if end == name && arguments(&text[1..name]) > 0 {
        let rest = text[end..].trim_start();
        let space = text.len() - end - rest.len();
        end += space + token_length(rest, rest.chars().next()?);
    }
    Some(end)
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
fn braced_arguments(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (token, after) = rest.split_at(token_length(rest, c));
        out.push_str(token);
        rest = after;
        for _ in 0..arguments(token.strip_prefix('\\').unwrap_or_default()) {
            let argument = rest.trim_start();
            if let Some(inner) = braced(argument) {
                out.push_str(&argument[..inner.len() + 2]);
                rest = &argument[inner.len() + 2..];
            } else if let Some(length) = call_length(argument) {
                out.push_str(&format!("{{{}}}", braced_arguments(&argument[..length])));
                rest = &argument[length..];
            }
        }
    }
    out
}

/// Without colours, which show nothing in black and white.
fn uncoloured(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(r"\color").or_else(|| rest.find(r"\textcolor")) {
        out.push_str(&rest[..at]);
        let after = rest[at + 1..].trim_start_matches(|c: char| c.is_ascii_alphabetic());
        rest = match braced(after.trim_start()) {
            Some(inner) => &after.trim_start()[inner.len() + 2..],
            None => after,
        };
    }
    out + rest
}

/// Arrays as matrices, which have as many columns as they need.
fn any_columns(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(r"\begin{array}") {
        out.push_str(&rest[..at]);
        out.push_str(r"\begin{matrix}");
        rest = &rest[at + r"\begin{array}".len()..];
        if let Some(columns) = braced(rest) {
            rest = &rest[columns.len() + 2..];
        }
    }
    out.push_str(rest);
    out.replace(r"\end{array}", r"\end{matrix}")
}

/// Without `\big` and its kin, and `\left` of nothing in particular.
fn unsized_delimiters(text: &str) -> String {
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
    while let Some(c) = rest.chars().next() {
        let (token, after) = rest.split_at(token_length(rest, c));
        let is_sizing = matches!(token, r"\left" | r"\right" | r"\middle");
        out.push_str(if is_sizing { " " } else { token });
        rest = after;
    }
    out
}

/// What cannot stand in text, as mathematics.
fn out_of_text(text: &str, at: usize) -> Option<String> {
    let (before, after) = text.split_at_checked(at)?;
    let length = match after.strip_prefix('\\') {
        Some(name) => {
            1 + name
                .find(|c: char| !c.is_ascii_alphabetic())
                .unwrap_or(name.len())
        }
        None => after.chars().next()?.len_utf8(),
    };
    let (what, rest) = after.split_at_checked(length)?;
    Some(format!("{before}${what}${rest}"))
}

/// Percent signs as signs, where the comment that they begin breaks the formula.
fn escaped_percent(text: &str) -> String {
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
    fn broken_formulas_parse() {
        for broken in [
            r"\frac{a}{b",
            r"x^\bar{k}",
            r"\vec\mathrm{M} + \frac\mathbf{E}{q_1} + \bar\hat b",
            r"U_i^'(x)=p",
            r"p_Y_*(a)",
            r"\R^n \undefined{x}",
            r"k_{80% EtOH}",
            r"a & b \\ c & d",
            r"\begin{cases} x",
            r"\text{a {\phi} b}",
            r"\text{≠}",
            r"{\color{green!50!black} t_3}",
            r"\begin{array}{c}a&b\end{array}",
            r"\left<a\right",
            r"\sqrt",
            r"x^",
        ] {
            if let Err(error) = parse(broken) {
                panic!("{broken}: {error}");
            }
        }
    }

    #[test]
    fn only_sizing_is_dropped_with_a_delimiter() {
        let mended = unsized_delimiters(r"\left\blah a \rightarrow b \right)");
        assert_eq!(mended, r" \blah a \rightarrow b  )");
    }

    #[test]
    fn hopeless_formulas_keep_their_first_error() {
        let deep = "{".repeat(10_000);
        assert!(matches!(parse(&deep), Err(LayoutError::Parse { .. })));
    }
}
