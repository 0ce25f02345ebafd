//! Looking up the ids of runs and judgments in an index.

use std::collections::{HashMap, HashSet};

use super::{Qrels, Run};
use crate::index::{Index, IndexError};

/// Visual ids and LaTeX of the formulas that runs and judgments name.
#[derive(Debug, Default)]
pub struct FormulaLookup {
    /// The visual ids of formula ids.
    pub visual_ids: HashMap<String, String>,
    /// LaTeX by visual id.
    pub formulas: HashMap<String, String>,
}

impl FormulaLookup {
    /// Looks up all that runs and judgments name, going through the whole index once.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn new(index: &Index, runs: &[Run], qrels: &Qrels) -> Result<Self, IndexError> {
        let judged = qrels.topics.values().flat_map(HashMap::keys);
        let wanted: HashSet<&str> = (runs.iter().flat_map(Run::ids))
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
        Ok(known)
    }

    /// How many results of a run the index does not have. The run's ids must not be mapped yet.
    pub(super) fn missing(&self, run: &Run) -> usize {
        let known = if run.has_visual_ids {
            &self.formulas
        } else {
            &self.visual_ids
        };
        let results = run.topics.values().flatten();
        results.filter(|(id, _)| !known.contains_key(id)).count()
    }
}
