//! Looking up the ids of runs and judgments in an index.

use std::collections::{HashMap, HashSet};

use super::{Qrels, Run, RunIds};
use crate::index::{Index, IndexError};

/// Visual ids and LaTeX of the formulas that runs and judgments name.
#[derive(Debug, Default)]
pub struct FormulaLookup {
    /// The visual ids of formula ids.
    pub visual_ids: HashMap<String, String>,
    /// LaTeX by visual id.
    pub formulas: HashMap<String, String>,
    /// The numbers of texts by the ids of posts.
    pub posts: HashMap<String, usize>,
}

impl FormulaLookup {
    /// Looks up all that runs and judgments name, going through the whole index once.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn new(index: &Index, runs: &[Run], qrels: &Qrels) -> Result<Self, IndexError> {
        let judged = qrels.topics.values().flat_map(HashMap::keys);
        let wanted: HashSet<&str> = (runs.iter().flat_map(Run::all_ids))
            .chain(judged.map(String::as_str))
            .collect();
        let mut known = FormulaLookup::default();
        for formula in index.all_instances() {
            let (entry, instances) = formula?;
            for instance in instances {
                let visual_id = entry.visual_id_of(&instance).to_owned();
                let is_wanted = wanted.contains(instance.id.as_str());
                if is_wanted || wanted.contains(visual_id.as_str()) {
                    let formula = known.formulas.entry(visual_id.clone());
                    formula.or_insert_with(|| entry.latex.clone());
                }
                if is_wanted {
                    known.visual_ids.insert(instance.id.into(), visual_id);
                }
            }
        }
        if runs.iter().any(|run| run.ids == RunIds::Posts) {
            for number in 0..index.texts() {
                let id = index.text(number)?.text.id();
                if wanted.contains(id.as_str()) {
                    known.posts.insert(id, number);
                }
            }
        }
        Ok(known)
    }

    /// How many results of a run the index does not have. The run's ids must not be mapped yet.
    pub(super) fn missing(&self, run: &Run) -> usize {
        if run.ids == RunIds::Posts {
            let results = run.topics.values().flatten();
            return results
                .filter(|(id, _)| !self.posts.contains_key(id))
                .count();
        }
        let known = if run.ids == RunIds::Visual {
            &self.formulas
        } else {
            &self.visual_ids
        };
        let results = run.topics.values().flatten();
        results.filter(|(id, _)| !known.contains_key(id)).count()
    }
}
