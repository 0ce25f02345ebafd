//! The names under which tables and JSON hold a formula's parts.

use std::str::FromStr;

use super::{Content, IdError, Instance, Malformed, Place, ReadResult, Record};

/// The names that the column of the formula's source may have, in order of preference.
const LATEX: [&str; 3] = ["latex", "formula", "tex"];
/// The names that the column of its id may have. A table of distinct formulas may have only the
/// visual id.
const ID: [&str; 3] = ["id", "formula_id", "visual_id"];

/// The positions of a row's fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Columns {
    latex: usize,
    id: Option<usize>,
    post: Option<usize>,
    thread: Option<usize>,
    kind: Option<usize>,
    visual_id: Option<usize>,
    issue: Option<usize>,
    /// The columns that are kept under their own names.
    kept: Vec<(usize, String)>,
    /// How many there are.
    pub(super) count: usize,
}

impl Columns {
    /// The columns of a header, or `None` where it has no formula.
    pub(super) fn of(header: &[impl AsRef<str>]) -> Option<Self> {
        let at = |name: &str| {
            header
                .iter()
                .position(|column| column.as_ref().trim().eq_ignore_ascii_case(name))
        };
        let first = |names: [&str; 3]| names.into_iter().find_map(at);
        let mut columns = Columns {
            latex: first(LATEX)?,
            id: first(ID),
            post: at("post_id"),
            thread: at("thread_id"),
            kind: at("type"),
            visual_id: at("visual_id"),
            issue: at("issue"),
            kept: Vec::new(),
            count: header.len(),
        };
        for (at, name) in header.iter().enumerate() {
            let name = name.as_ref().trim();
            let is_new = columns.kept.iter().all(|(_, other)| other != name);
            if !name.is_empty() && is_new && !columns.uses(at) {
                columns.kept.push((at, name.to_owned()));
            }
        }
        Some(columns)
    }

    /// Whether phocus has a name of its own for a column.
    fn uses(&self, at: usize) -> bool {
        let used = [
            self.id,
            self.post,
            self.thread,
            self.kind,
            self.visual_id,
            self.issue,
        ];
        at == self.latex || used.contains(&Some(at))
    }

    /// Whether rows have ids of their own.
    pub(super) fn have_ids(&self) -> bool {
        self.id.is_some()
    }

    /// The record of a row. A row without an id gets one that is made of its place.
    ///
    /// # Errors
    /// When an id is not one word.
    pub(super) fn record(&self, row: &mut [String], place: Place, many: bool) -> ReadResult {
        let content = Content::Latex(std::mem::take(&mut row[self.latex]));
        match self.instance(row, &place, many) {
            Ok(instance) => Ok(Record {
                instance,
                issue: part(row, self.issue),
                content,
                place: Some(place),
                text: None,
            }),
            Err(error) => Err(Malformed {
                place,
                reason: error.to_string(),
            }),
        }
    }

    fn instance(&self, row: &[String], place: &Place, many: bool) -> Result<Instance, IdError> {
        Ok(Instance {
            id: match id(row, self.id)? {
                Some(id) => id,
                None => place.id(many),
            },
            post: id(row, self.post)?,
            thread: part(row, self.thread),
            kind: part(row, self.kind),
            visual_id: id(row, self.visual_id)?,
            fields: (self.kept.iter())
                .filter(|(at, _)| !row[*at].is_empty())
                .map(|(at, name)| (name.clone(), row[*at].clone()))
                .collect(),
            url: None,
        })
    }
}

/// A field that is not empty.
fn part(row: &[String], at: Option<usize>) -> Option<String> {
    let field = &row[at?];
    (!field.is_empty()).then(|| field.clone())
}

/// An id, where the field is not empty.
fn id<T: FromStr<Err = IdError>>(row: &[String], at: Option<usize>) -> Result<Option<T>, IdError> {
    let field = at
        .map(|at| row[at].as_str())
        .filter(|field| !field.is_empty());
    field.map(str::parse).transpose()
}
