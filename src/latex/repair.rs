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
const MAX_REPAIRS: usize = 12;

/// LaTeX that was parsed, after repair where need was.
#[derive(Debug)]
pub(crate) struct Repaired<T> {
    /// What the parser made of it.
    pub(crate) parsed: T,
    /// The LaTeX that it parsed.
    pub(crate) latex: String,
    /// Commands that the parser does not know, each once, in the order of repair.
    pub(crate) unknown_commands: Vec<String>,
    /// Whether anything but such commands was repaired.
    pub(crate) mended: bool,
}

/// Parses cleaned LaTeX with `parse`, repairing it where need be.
///
/// # Errors
/// The first error, where no repair helps.
pub(crate) fn parse<T>(
    text: &str,
    parse: impl Fn(&str) -> Result<T, SyntaxError>,
) -> Result<Repaired<T>, SyntaxError> {
    let is_undefined = |command: &str| parse(command).is_err_and(|error| error.is_undefined());
    let mut latex = text.to_owned();
    let mut unknown_commands: Vec<String> = Vec::new();
    let mut first = None;
    let mut mended = false;
    loop {
        let error = match parse(&latex) {
            Ok(parsed) => {
                return Ok(Repaired {
                    parsed,
                    latex,
                    unknown_commands,
                    mended,
                });
            }
            Err(error) => error,
        };
        let (repairs, first) = first.get_or_insert_with(|| (0, error.clone()));
        let next = repaired(&latex, &error, is_undefined);
        let next = next.filter(|next| *next != latex && next.len() <= 2 * MAX_LATEX_BYTES);
        let Some(next) = next.filter(|_| *repairs < MAX_REPAIRS) else {
            return Err(first.clone());
        };
        *repairs += 1;
        latex = next;
        mended |= !error.is_undefined();
        let unknown = error.undefined().map(str::to_owned);
        let unknown = unknown.filter(|command| !unknown_commands.contains(command));
        unknown_commands.extend(unknown.filter(|command| is_undefined(command)));
    }
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
