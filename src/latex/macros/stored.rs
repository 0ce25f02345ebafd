//! Macros as text: what a collection remembers of the macros of its documents, and what a person
//! gives in a file.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Macros;
use super::definition::{Macro, Meaning, Parameter};
use super::expand::{Expander, Mode};
use super::token::{Kind, push_source, source};

/// The longest definition that a collection remembers, and the most that it remembers in all, in
/// bytes.
const MAX_DEFINITION: usize = 1_000;
const MAX_REMEMBERED: usize = 64 << 10;

/// A formula with macros replaced.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Replaced {
    pub(crate) latex: String,
    /// The macros that it had, each with its backslash.
    pub(crate) names: Vec<String>,
}

impl Macros {
    /// The macros that a text defines, such as the preamble of a document: `\newcommand`, `\def`
    /// and their relatives. Whatever else the text has is passed over.
    ///
    /// ```
    /// use phocus::layout::{Macros, read_query_with};
    ///
    /// let macros = Macros::read(r"\newcommand{\inner}[2]{\langle #1,#2\rangle}");
    /// let read = read_query_with(r"\inner{x}{y}", &[&macros])?;
    /// assert_eq!(read.read_as, r"\langle x,y\rangle");
    /// # Ok::<(), phocus::layout::LayoutError>(())
    /// ```
    pub fn read(text: &str) -> Self {
        let mut macros = Macros::default();
        let mut expander = Expander::new(text, &mut macros);
        while expander.next().is_some() {}
        macros
    }

    /// Whether nothing is defined.
    pub fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }

    /// A formula with these macros replaced, if it has any.
    pub(crate) fn replaced(&self, latex: &str) -> Option<Replaced> {
        let mut names: Vec<String> = Vec::new();
        for (at, _) in latex.match_indices('\\') {
            let name = crate::latex::scan::command_name(&latex[at..]);
            let shown = format!("\\{name}");
            if self.commands.contains_key(name) && !names.contains(&shown) {
                names.push(shown);
            }
        }
        if names.is_empty() {
            return None;
        }
        let mut macros = self.clone();
        let mut expander = Expander::new(latex, &mut macros);
        expander.mode = Mode::Display;
        let mut latex = String::new();
        while let Some(token) = expander.next() {
            push_source(&mut latex, &token.kind);
        }
        Some(Replaced { latex, names })
    }

    /// Each command with the LaTeX that defines it, as far as that can be written.
    fn definitions(&self) -> impl Iterator<Item = (&str, String)> {
        self.commands
            .iter()
            .filter_map(|(name, meaning)| Some((name.as_ref(), definition(name, meaning)?)))
    }
}

/// The LaTeX that gives a command its meaning.
fn definition(name: &Arc<str>, meaning: &Meaning) -> Option<String> {
    let called = match meaning {
        Meaning::Macro(called) => called,
        Meaning::Same(kind @ (Kind::Command(_) | Kind::Char(_))) => {
            let mut text = format!(r"\let\{name}=");
            push_source(&mut text, kind);
            return Some(text);
        }
        Meaning::Same(_) => return None,
    };
    let body = source(&called.body);
    let head = match delimited_head(called) {
        Some(parameters) => format!(r"\def\{name}{parameters}"),
        None => format!(
            r"\NewDocumentCommand{{\{name}}}{{{}}}",
            specification(called)?
        ),
    };
    Some(format!("{head}{{{body}}}"))
}

/// The parameters of a macro as `\def` has them; none where it has others.
fn delimited_head(called: &Macro) -> Option<String> {
    let mut head = String::new();
    let push = |head: &mut String, kinds: &[Kind]| {
        for kind in kinds {
            push_source(head, kind);
        }
    };
    push(&mut head, &called.prefix);
    for (number, parameter) in called.parameters.iter().enumerate() {
        // Writing to a text does not fail.
        let _ = write!(head, "#{}", number + 1);
        match parameter {
            Parameter::Plain => {}
            Parameter::UpTo(end) => push(&mut head, end),
            _ => return None,
        }
    }
    Some(head)
}

/// The parameters of a macro as xparse has them.
fn specification(called: &Macro) -> Option<String> {
    if !called.prefix.is_empty() {
        return None;
    }
    let mut text = String::new();
    for parameter in &called.parameters {
        let written = match parameter {
            Parameter::Plain => write!(text, "m"),
            Parameter::Flag(c) => write!(text, "t{c}"),
            Parameter::Between(open, close, default) => {
                write!(text, "D{open}{close}{{{}}}", source(default))
            }
            Parameter::Group(default) => write!(text, "G{{{}}}", source(default)),
            Parameter::UpTo(_) => return None,
        };
        written.ok()?;
    }
    Some(text)
}

/// The definitions of many documents: what each command means, and in how many of them.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Definitions(BTreeMap<String, BTreeMap<String, u64>>);

impl Definitions {
    /// Adds those of one document.
    pub(crate) fn add(&mut self, macros: &Macros) {
        for (name, definition) in macros.definitions() {
            if definition.len() <= MAX_DEFINITION {
                let meanings = self.0.entry(name.to_owned()).or_default();
                *meanings.entry(definition).or_default() += 1;
            }
        }
    }

    /// Adds all of others.
    pub(crate) fn join(&mut self, others: &Definitions) {
        for (name, meanings) in &others.0 {
            let own = self.0.entry(name.clone()).or_default();
            for (definition, count) in meanings {
                *own.entry(definition.clone()).or_default() += count;
            }
        }
    }

    /// The definitions to remember, as LaTeX: for each command the one that most documents have.
    /// Commands that `is_known` knows keep the meaning that they have everywhere.
    pub(crate) fn remembered(&self, is_known: impl Fn(&str) -> bool) -> String {
        let mut most: Vec<(u64, &str, &str)> = Vec::new();
        for (name, meanings) in &self.0 {
            // Of equals the first in order.
            let best = meanings.iter().rev().max_by_key(|(_, count)| **count);
            if let Some((definition, count)) = best.filter(|_| !is_known(name)) {
                most.push((*count, name, definition));
            }
        }
        most.sort_by_key(|(count, ..)| std::cmp::Reverse(*count));
        let mut bytes = 0;
        most.retain(|(_, _, definition)| {
            bytes += definition.len() + 1;
            bytes <= MAX_REMEMBERED
        });
        most.sort_by_key(|(_, name, _)| *name);
        let lines: Vec<&str> = most.iter().map(|(_, _, definition)| *definition).collect();
        lines.join("\n")
    }
}

/// The macros that were written by [`Definitions::remembered`].
pub(crate) fn recalled(definitions: &str) -> Macros {
    Macros::read(&format!("\\makeatletter {definitions}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PREAMBLE: &str = r"
        \newcommand{\R}{\mathbb{R}} \def\pair<#1,#2>{\langle #1,#2\rangle}
        \newcommand{\norm}[2][2]{\|#2\|_{#1}} \DeclareMathOperator{\rk}{rk}
        \DeclarePairedDelimiter\abs{\lvert}{\rvert} \let\eps=\varepsilon
        \NewDocumentCommand{\ev}{s m G{x}}{#2(#3)} \makeatletter\def\in@ner{i}\makeatother";

    #[test]
    fn what_is_remembered_means_the_same() {
        let macros = Macros::read(PREAMBLE);
        let mut definitions = Definitions::default();
        definitions.add(&macros);
        let again = recalled(&definitions.remembered(|name| name == "eps"));
        for (latex, expected) in [
            (r"x\in\R^2", r"x\in\mathbb{R}^2"),
            (r"\pair<a,b>", r"\langle a,b\rangle "),
            (r"\norm{x}+\norm[1]{x}", r"\|x\|_{2}+\|x\|_{1}"),
            (r"\rk A", r"\operatorname{rk}A"),
            (
                r"\abs*{x}\abs{y}",
                r"\left\lvert x\right\rvert\lvert y\rvert ",
            ),
            (r"\ev f{y}+\ev f", r"f(y)+f(x)"),
        ] {
            let squeezed = |text: &str| text.replace(' ', "");
            for macros in [&macros, &again] {
                let replaced = macros.replaced(latex).unwrap().latex;
                assert_eq!(squeezed(&replaced), squeezed(expected), "{latex}");
            }
        }
        assert!(macros.replaced(r"\eps").is_some() && again.replaced(r"\eps").is_none());
        assert_eq!(macros.replaced(r"\alpha+\Rx"), None);
    }

    #[test]
    fn the_most_frequent_meaning_is_remembered() {
        let mut definitions = Definitions::default();
        for text in [r"\def\a{1}\def\b{1}", r"\def\a{2}\def\b{2}", r"\def\a{2}"] {
            definitions.add(&Macros::read(text));
        }
        assert_eq!(
            definitions.remembered(|_| false),
            "\\def\\a{2}\n\\def\\b{1}"
        );
        let long = format!(r"\def\c{{{}}}", "x".repeat(2_000));
        definitions.add(&Macros::read(&long));
        assert!(!definitions.remembered(|_| false).contains('x'));
    }
}
