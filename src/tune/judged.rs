//! The formulas that judgments name.

use std::collections::{BTreeMap, HashSet};

use crate::eval::Qrels;
use crate::index::{Index, IndexError};
use crate::layout::{self, Layout};

/// A judged formula, laid out.
#[derive(Debug)]
pub struct Judged {
    /// Its LaTeX.
    pub latex: String,
    /// Its symbols.
    pub layout: Layout,
    /// Its rank in the order of ids, which decides between equal scores.
    pub rank: u32,
}

/// The judged formulas of an index, laid out, by visual id.
///
/// # Errors
/// When the index is damaged.
pub fn judged_formulas(
    index: &Index,
    qrels: &Qrels,
) -> Result<BTreeMap<String, Judged>, IndexError> {
    let wanted: HashSet<&str> = qrels
        .topics
        .values()
        .flat_map(|topic| topic.keys().map(String::as_str))
        .collect();
    let mut formulas = BTreeMap::new();
    for (formula, rank) in index.all_instances().zip(index.id_ranks()?) {
        let (entry, instances) = formula?;
        let ids = instances
            .iter()
            .map(|instance| entry.visual_id_of(instance));
        for id in ids
            .chain([entry.id.as_str()])
            .filter(|id| wanted.contains(id))
        {
            if let Ok(layout) = layout::latex(&entry.latex) {
                let judged = Judged {
                    latex: entry.latex.clone(),
                    layout,
                    rank: *rank,
                };
                formulas.entry(id.to_owned()).or_insert(judged);
            }
        }
    }
    Ok(formulas)
}
