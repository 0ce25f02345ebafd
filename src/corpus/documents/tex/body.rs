//! The LaTeX of a formula while it is read: its groups, its rows, and what of it is text.

use crate::latex::macros::{Kind, Token, push_source};

/// The commands whose argument is set as text within a formula.
const TEXT: [&str; 21] = [
    "text",
    "mbox",
    "hbox",
    "vbox",
    "fbox",
    "textrm",
    "textbf",
    "textit",
    "textsf",
    "texttt",
    "textsc",
    "textnormal",
    "textup",
    "textsl",
    "textmd",
    "emph",
    "makebox",
    "parbox",
    "framebox",
    "footnote",
    "vcenter",
];

/// What was read of the end of a row.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum RowEnd {
    /// A row goes on.
    #[default]
    None,
    /// The row has ended, and the next one begins with what is read next.
    Read,
    /// The space to the next row is being read.
    Option,
}

/// The LaTeX of a formula, as far as it has been read.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub(super) latex: String,
    pub(super) label: Option<String>,
    /// Where its rows begin, the first one left out.
    pub(super) row_starts: Vec<usize>,
    /// How many environments are open in it.
    environments: usize,
    /// What is read before the next row begins.
    row_end: RowEnd,
    /// For each open group, whether it is set as text.
    pub(super) groups: Vec<bool>,
    /// Whether a group that begins now is set as text.
    text_follows: bool,
}

impl Body {
    /// Whether TeX is in math mode here.
    pub(super) fn is_math(&self) -> bool {
        !self.groups.last().copied().unwrap_or(false)
    }

    /// Notes where rows of the formula itself begin: after `\\`, or after the `*` and the `[2pt]`
    /// that may follow it.
    pub(super) fn note_row(&mut self, token: &Token) {
        let ends_row = matches!(token.name(), Some("\\" | "cr" | "tabularnewline"));
        self.row_end = match (self.row_end, &token.kind) {
            (RowEnd::None, _) if ends_row && self.groups.is_empty() && self.environments == 0 => {
                RowEnd::Read
            }
            (RowEnd::None, _) => RowEnd::None,
            (RowEnd::Read, Kind::Space | Kind::Char('*')) => RowEnd::Read,
            (RowEnd::Read, Kind::Char('[')) => RowEnd::Option,
            (RowEnd::Option, Kind::Char(']')) => RowEnd::Read,
            (RowEnd::Option, _) => RowEnd::Option,
            (RowEnd::Read, _) => {
                self.row_starts.push(token.at);
                RowEnd::None
            }
        };
    }

    pub(super) fn push(&mut self, kind: &Kind) {
        // RaTeX knows mathematics within text between dollars alone.
        let is_delimiter = |name: &str| matches!(name, "(" | ")") && !self.groups.is_empty();
        let kind = match kind {
            Kind::Command(name) if is_delimiter(name) => &Kind::Dollar,
            kind => kind,
        };
        match kind {
            Kind::Command(name) if name.as_ref() == "begin" => self.environments += 1,
            Kind::Command(name) if name.as_ref() == "end" => {
                self.environments = self.environments.saturating_sub(1);
            }
            Kind::Begin => {
                let is_text = self.text_follows || (!self.is_math() && !self.groups.is_empty());
                self.groups.push(is_text);
            }
            Kind::End => {
                self.groups.pop();
            }
            // Mathematics within text within the formula.
            Kind::Dollar => {
                if let Some(is_text) = self.groups.last_mut() {
                    *is_text = !*is_text;
                }
            }
            _ => {}
        }
        self.text_follows = match kind {
            Kind::Command(name) => TEXT.contains(&name.as_ref()),
            Kind::Space => self.text_follows,
            _ => false,
        };
        push_source(&mut self.latex, kind);
    }
}
