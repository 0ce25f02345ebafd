//! Queries: how what somebody typed or pasted is read.
//!
//! Formulas of a collection are read by [`read_latex`](super::read_latex), which takes them for
//! LaTeX and for nothing else. A query may also be unfinished, mistyped, or text with a formula
//! in it. Previews, completions, searches, explanations and the command line all read it here,
//! and say in the same notes what was guessed.

use super::display::{self, LatexLayout};
use super::{Layout, LayoutError, engine};
use crate::latex::delimiters::formula_in;
use crate::latex::macros::Macros;
use crate::latex::mathml;
use crate::latex::partial::{completions, is_unfinished, split_last_command};
use crate::latex::suggest::{self, suggestion, without_mistyped};
use crate::latex::unicode;

/// The most notes, and the longest formula in one, in characters.
const MOST_NOTES: usize = 8;
const LONGEST_SHOWN: usize = 120;

/// A query that was laid out, and how it was read.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ReadQuery {
    /// The layout.
    pub layout: Layout,
    /// The LaTeX that was laid out.
    pub read_as: String,
    /// What was guessed or left out, each in a sentence; none where the query was read as it is.
    pub notes: Vec<String>,
    /// Commands that are not known, each with its backslash.
    pub unknown_commands: Vec<String>,
}

/// Reads a query as [`read_latex`](super::read_latex) reads a formula, where it is one; or the
/// formula in a text, or what there is of one that is still being typed, or that is mistyped.
///
/// ```
/// let read = phocus::layout::read_query(r"where $\frac{1}{x+$")?;
/// assert_eq!(read.read_as, r"\frac{1}{x+}");
/// assert_eq!(read.notes[0], "The text around $…$ is left out.");
/// # Ok::<(), phocus::layout::LayoutError>(())
/// ```
///
/// # Errors
/// When nothing in it can be laid out; never panics, whatever the input.
pub fn read_query(typed: &str) -> Result<ReadQuery, LayoutError> {
    read_query_with(typed, &[])
}

/// Reads a query as [`read_query`] does, with macros replaced: first those of the first set.
///
/// # Errors
/// As [`read_query`].
pub fn read_query_with(typed: &str, macros: &[&Macros]) -> Result<ReadQuery, LayoutError> {
    Source::of(typed, macros)?.read()
}

/// Whether a query is MathML, or text with MathML in it.
pub fn is_mathml(typed: &str) -> bool {
    mathml::is_mathml(typed)
}

/// How a query that is still being typed may be read: as it is, and without a command at its end,
/// which may be the beginning of a longer one, as `\in` is of `\infty`. Macros are replaced as
/// [`read_query_with`] does.
pub fn readings_with(typed: &str, macros: &[&Macros]) -> impl Iterator<Item = ReadQuery> {
    let source = Source::of(typed, macros).ok();
    let first = source.clone().and_then(|source| source.read().ok());
    // The second reading is made only when the caller asks for it.
    let second = move || source?.without_last_command();
    first
        .into_iter()
        .chain(std::iter::once_with(second).flatten())
}

/// The LaTeX of a query, and what was guessed to find it.
#[derive(Clone)]
struct Source {
    latex: String,
    notes: Vec<String>,
}

impl Source {
    fn of(typed: &str, macros: &[&Macros]) -> Result<Self, LayoutError> {
        if mathml::is_mathml(typed) {
            return Source::of_mathml(typed);
        }
        display::check(typed)?;
        let mut found = formula_in(typed);
        let (latex, guessed) = unicode::plain(&found.latex);
        found.notes.extend(guessed);
        let mut source = Source {
            latex,
            notes: found.notes,
        };
        source.replace(macros);
        Ok(source)
    }

    /// Replaces macros, and notes which.
    fn replace(&mut self, macros: &[&Macros]) {
        let mut names = Vec::new();
        // Definitions that RaTeX refuses, such as those of commands that it knows.
        let own = Macros::read(&self.latex);
        if !own.is_empty()
            && !is_exact(&self.latex)
            && let Some(replaced) = own.replaced(&self.latex)
        {
            self.latex = replaced.latex.trim().to_owned();
        }
        for macros in macros {
            if let Some(replaced) = macros.replaced(&self.latex) {
                self.latex = replaced.latex;
                names.extend(replaced.names);
            }
        }
        if !names.is_empty() {
            let (names, read_as) = (names.join(", "), shown(&self.latex));
            self.notes
                .push(format!("With {names} replaced it is read as {read_as}"));
        }
    }

    /// The LaTeX that the longest `math` element in a text stands for.
    fn of_mathml(typed: &str) -> Result<Self, LayoutError> {
        let (found, around) = mathml::within(typed);
        let longest = found.iter().rev().max_by_key(|formula| formula.len());
        let converted = mathml::to_latex(longest.unwrap_or(&typed));
        let converted = converted.map_err(|error| LayoutError::MathMl(error.0))?;
        let mut notes = Vec::new();
        if found.len() > 1 {
            let count = found.len();
            notes.push(format!(
                "Of {count} formulas in the text the longest is read."
            ));
        }
        if around.contains(char::is_alphanumeric) {
            notes.push("The text around <math>…</math> is left out.".to_owned());
        }
        let annotation = converted.annotation.map(|tex| formula_in(&tex).latex);
        if let Some(latex) = annotation.filter(|tex| is_exact(tex) || converted.latex.is_err()) {
            let read_as = shown(&latex);
            notes.push(format!(
                "The TeX that the MathML carries is read: {read_as}"
            ));
            return Ok(Source { latex, notes });
        }
        let latex = converted
            .latex
            .map_err(|error| LayoutError::MathMl(error.0))?;
        let read_as = shown(&latex);
        notes.push(format!("The MathML is read as LaTeX: {read_as}"));
        Ok(Source { latex, notes })
    }

    fn read(mut self) -> Result<ReadQuery, LayoutError> {
        let mut unknown = Vec::new();
        match display::exact(&self.latex) {
            Err(LayoutError::Parse { .. }) => {}
            Err(other) => return Err(other),
            Ok(read) => return Ok(self.answer(read, unknown)),
        }
        let without = without_mistyped(&self.latex, is_known);
        self.latex = without.latex;
        for (command, meant) in without.left_out {
            self.notes.push(format!(
                r"Unknown command {command}: did you mean \{meant}? It is left out."
            ));
            unknown.push(command);
        }
        if !unknown.is_empty()
            && let Ok(read) = display::exact(&self.latex)
        {
            return Ok(self.answer(read, unknown));
        }
        if is_unfinished(&self.latex, engine::is_command, is_exact)
            && let Some(read) = completed(&self.latex)
        {
            return Ok(self.unfinished(read, unknown));
        }
        match (display::read_latex(&self.latex), completed(&self.latex)) {
            (Ok(read), _) => Ok(self.mended(read, unknown)),
            (_, Some(read)) => Ok(self.unfinished(read, unknown)),
            (Err(error), None) => Err(self.unreadable(error, unknown)),
        }
    }

    fn without_last_command(self) -> Option<ReadQuery> {
        let (before, _) = split_last_command(&self.latex)?;
        let read = completed(before)?;
        Some(self.unfinished(read, Vec::new()))
    }

    /// A formula that was completed, or of which the last part was left out.
    fn unfinished(mut self, read: LatexLayout, unknown: Vec<String>) -> ReadQuery {
        self.note_names(&read);
        let read_as = shown(&read.read_as);
        self.notes
            .push(format!("The formula is unfinished: read as {read_as}"));
        self.answer(read, unknown)
    }

    /// A formula that was mended where it is no LaTeX.
    fn mended(mut self, read: LatexLayout, unknown: Vec<String>) -> ReadQuery {
        self.note_names(&read);
        if read.mended {
            let read_as = shown(&read.read_as);
            self.notes
                .push(format!("The formula is not quite LaTeX: read as {read_as}"));
        }
        self.answer(read, unknown)
    }

    /// Notes which unknown commands stand as their names.
    fn note_names(&mut self, read: &LatexLayout) {
        for command in &read.unknown_commands {
            self.notes.push(format!(
                "Unknown command {command}: it is read as its name."
            ));
        }
    }

    fn answer(mut self, read: LatexLayout, mut unknown: Vec<String>) -> ReadQuery {
        if self.notes.len() > MOST_NOTES {
            self.notes.truncate(MOST_NOTES);
            self.notes
                .push("There is more that was guessed.".to_owned());
        }
        unknown.extend(read.unknown_commands);
        ReadQuery {
            layout: read.layout,
            read_as: read.read_as,
            notes: self.notes,
            unknown_commands: unknown,
        }
    }

    /// Why nothing can be laid out: a mistyped command, where nothing else is there.
    fn unreadable(&self, error: LayoutError, unknown: Vec<String>) -> LayoutError {
        let alone = self.latex.trim();
        let command = unknown.into_iter().next();
        let command = command.or_else(|| suggest::begun(alone).map(|_| alone.to_owned()));
        let meant = |command: &str| suggestion(command).or_else(|| suggest::begun(command));
        match command.and_then(|command| Some((meant(&command)?, command))) {
            Some((meant, command)) => LayoutError::UnknownCommand {
                command,
                meant: format!(r"\{meant}"),
            },
            None => error,
        }
    }
}

/// The first completion of unfinished LaTeX that can be laid out.
fn completed(latex: &str) -> Option<LatexLayout> {
    completions(latex, engine::is_command)
        .find_map(|completion| display::read_latex(&completion).ok())
}

fn is_known(command: &str) -> bool {
    suggest::is_listed(command) || engine::is_command(command)
}

fn is_exact(latex: &str) -> bool {
    display::exact(latex).is_ok()
}

/// A formula as a note shows it.
fn shown(latex: &str) -> String {
    match latex.char_indices().nth(LONGEST_SHOWN) {
        Some((end, _)) => format!("{}…", &latex[..end]),
        None => latex.to_owned(),
    }
}
#[cfg(test)]
mod tests;
