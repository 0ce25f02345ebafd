//! Repair: broken LaTeX, mended by what the parser says of it.
//!
//! Real collections hold unclosed braces, commands of lost preambles and
//! stray alignment marks. Each error has one small repair; after a few, or
//! when one changes nothing, the first error stands.

use super::balance::balanced;
use super::mend::{
    any_columns, braced_arguments, braced_call, escaped_percent, inserted, lone_script,
    out_of_text, spelled_out, uncoloured, unsized_delimiters,
};
use super::{MAX_LATEX_BYTES, SyntaxError};

/// The most repairs of one formula: enough for a few undefined commands and
/// what they leave open, few enough that a hopeless one costs little.
const MOST_REPAIRS: usize = 12;

/// Parses cleaned LaTeX with `parse`, repairing it where need be.
///
/// # Errors
/// The first error, where no repair helps.
pub(crate) fn parse<T>(
    text: &str,
    parse: impl Fn(&str) -> Result<T, SyntaxError>,
) -> Result<T, SyntaxError> {
    let first = match parse(text) {
        Ok(parsed) => return Ok(parsed),
        Err(error) => error,
    };
    let is_undefined = |command: &str| parse(command).is_err_and(|error| error.is_undefined());
    let mut tried = text.to_owned();
    let mut error = first.clone();
    for _ in 0..MOST_REPAIRS {
        match repaired(&tried, &error, is_undefined) {
            Some(next) if next != tried && next.len() <= 2 * MAX_LATEX_BYTES => tried = next,
            _ => break,
        }
        match parse(&tried) {
            Ok(parsed) => return Ok(parsed),
            Err(next) => error = next,
        }
    }
    Err(first)
}

/// `text` with what `error` complains of mended, or `None` where nothing is known to help.
fn repaired(
    text: &str,
    error: &SyntaxError,
    is_undefined: impl Fn(&str) -> bool,
) -> Option<String> {
    let message = error.message.as_str();
    let at = error.position;
    let about = |start: &str| message.starts_with(start);
    if let Some(command) = error.undefined() {
        let is_known = !is_undefined(command);
        return (command.len() > 1).then(|| spelled_out(text, command, at.filter(|_| is_known)));
    }
    if about("Recursion limit") || about("Too many expansions") || about("Resource") {
        return None;
    }
    if about("Double su") {
        return inserted(text, at?, "{}");
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
