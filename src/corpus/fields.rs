//! The names under which tables and JSON hold a formula's parts.

use super::{Content, Instance, Malformed, Place, Read, Record};

/// Names for the formula's source, the first that is there taken.
const LATEX: [&str; 3] = ["latex", "formula", "tex"];
/// Names for its id. A table of distinct formulas may have the visual id alone.
const ID: [&str; 3] = ["id", "formula_id", "visual_id"];

/// Where a row's parts are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Columns {
    latex: usize,
    id: Option<usize>,
    post: Option<usize>,
    thread: Option<usize>,
    kind: Option<usize>,
    visual_id: Option<usize>,
    issue: Option<usize>,
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
        Some(Columns {
            latex: first(LATEX)?,
            id: first(ID),
            post: at("post_id"),
            thread: at("thread_id"),
            kind: at("type"),
            visual_id: at("visual_id"),
            issue: at("issue"),
            count: header.len(),
        })
    }

    /// Whether rows have ids of their own.
    pub(super) fn have_ids(&self) -> bool {
        self.id.is_some()
    }

    /// The record of a row; one without an id is called after its place.
    ///
    /// # Errors
    /// Ids are one word: a run has them between spaces or tabs.
    pub(super) fn record(&self, row: &mut [String], place: Place, many: bool) -> Read {
        let part = |at: Option<usize>| at.map(|at| row[at].clone()).unwrap_or_default();
        let mut instance = Instance {
            id: part(self.id),
            post: part(self.post),
            thread: part(self.thread),
            kind: part(self.kind),
            visual_id: part(self.visual_id),
        };
        if instance.id.is_empty() {
            instance.id = place.id(many);
        }
        let ids = [&instance.id, &instance.post, &instance.visual_id];
        if let Some(id) = ids.iter().find(|id| id.contains(char::is_whitespace)) {
            let reason = format!("expected an id of one word, found `{id}`");
            return Err(Malformed { place, reason });
        }
        Ok(Record {
            instance,
            issue: part(self.issue),
            content: Content::Latex(std::mem::take(&mut row[self.latex])),
            place,
        })
    }
}
