//! The formulas of documents as records, each with its place.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use super::texts::TextReader;
use super::{About, Document, FoundFormula, LineIndex, Loaded, Surroundings};
use crate::corpus::{Content, FormulaId, Instance, Malformed, Place, ReadResult, Record, place};

/// The records of a document, and its problems; its texts go to `texts`, where texts are wanted.
pub(in crate::corpus) fn records(
    file: &Arc<PathBuf>,
    mut loaded: Loaded<Document>,
    rows: bool,
    texts: Option<&mut TextReader>,
) -> VecDeque<ReadResult> {
    if rows {
        loaded.value.add_rows();
    }
    let Loaded {
        text,
        lines_before,
        value: document,
    } = loaded;
    let lines = LineIndex::new(&text);
    let at = |offset: usize| {
        let (line, column) = lines.place(&text, offset);
        ((line + lines_before) as u64, column as u64)
    };
    let mut names = Names::default();
    let around = document.surroundings();
    let source = file.display().to_string();
    let in_texts = texts.map(|texts| texts.document(&document, &source, |offset| at(offset).0));
    let mut in_texts = in_texts.into_iter().flatten();
    let records = document.formulas().zip(around).map(|(formula, around)| {
        let (line, column) = at(formula.at);
        let place = Place {
            file: Arc::clone(file),
            line,
        };
        let id = names.of(formula, &document.about, &place, column);
        let instance = instance(id, formula, around, &document.about, &place, column);
        Ok(Record {
            instance,
            content: Content::Latex(formula.latex.clone()),
            issue: None,
            place: Some(place),
            text: in_texts.next().flatten(),
        })
    });
    let mut all: VecDeque<ReadResult> = records.collect();
    for problem in &document.problems {
        let place = Place {
            file: Arc::clone(file),
            line: at(problem.at).0,
        };
        all.push_back(Err(Malformed {
            place,
            reason: problem.reason.clone(),
        }));
    }
    all
}

/// Gives formulas their ids.
#[derive(Default)]
struct Names {
    /// The id that was made last, and how many formulas have it.
    last: String,
    count: usize,
}

impl Names {
    /// The id of a formula: that which its post gives it, else its place; of several at one place,
    /// such as those of a post, with a number.
    fn of(
        &mut self,
        formula: &FoundFormula,
        about: &About,
        place: &Place,
        column: u64,
    ) -> FormulaId {
        let own = formula.id.as_ref().filter(|_| about.post.is_some());
        if let Some(id) = own.and_then(|id| FormulaId::new(id.as_str()).ok()) {
            return id;
        }
        let name = match (&about.post, &about.kind) {
            (Some(post), Some(kind)) => format!("{post}.{kind}"),
            _ => format!("{place}:{column}"),
        };
        self.count = if name == self.last { self.count + 1 } else { 1 };
        self.last = name;
        FormulaId::of_place(match self.count {
            1 => self.last.clone(),
            count => format!("{}.{count}", self.last),
        })
    }
}

fn instance(
    id: FormulaId,
    formula: &FoundFormula,
    around: Surroundings,
    about: &About,
    place: &Place,
    column: u64,
) -> Instance {
    let fields = [
        (place::SOURCE, Some(place.file.display().to_string())),
        (place::LINE, Some(place.line.to_string())),
        (place::COLUMN, Some(column.to_string())),
        ("title", about.title.clone()),
        (place::SECTION, around.section),
        (place::SENTENCE, Some(around.sentence)),
        ("label", formula.label.clone()),
        ("tags", Some(about.tags.join(" "))),
        ("url", about.url.clone()),
    ];
    let kept = fields.into_iter().filter_map(|(name, value)| {
        let value = value.filter(|value| !value.is_empty())?;
        Some((name.to_owned(), value))
    });
    Instance {
        post: about.post.clone(),
        thread: about.thread.clone(),
        kind: about.kind.clone(),
        fields: kept.collect(),
        ..Instance::new(id)
    }
}
