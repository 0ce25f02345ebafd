//! Runs with their measures, and how they differ.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use super::{Comparison, Measures, Qrels, Run, compare, evaluate, mean};
use crate::index::{Index, IndexError};

/// One of the measures.
pub type Of = fn(&Measures) -> f64;

/// A measure that runs are compared by: its key, its name, and itself.
pub type Compared = (&'static str, &'static str, Of);

/// The measures that runs are compared by.
pub const COMPARED: [Compared; 4] = [
    ("ndcg", "nDCG'", |measures| measures.ndcg),
    ("map", "MAP'", |measures| measures.map),
    ("p10", "P'@10", |measures| measures.p10),
    ("bpref", "bpref'", |measures| measures.bpref),
];

/// A run and how it did.
#[derive(Debug)]
pub struct Evaluated {
    /// What it is called.
    pub name: String,
    /// The run.
    pub run: Run,
    /// Its measures, for every judged topic.
    pub topics: BTreeMap<String, Measures>,
}

impl Evaluated {
    /// Evaluates a run, whose ids are visual ids.
    pub fn new(name: String, run: Run, qrels: &Qrels) -> Self {
        Evaluated {
            name,
            topics: evaluate(&run, qrels),
            run,
        }
    }

    /// The mean over topics.
    pub fn mean(&self) -> Measures {
        mean(&self.topics)
    }

    /// This run against a baseline, by one measure. Both have every judged topic.
    pub fn against(&self, baseline: &Evaluated, of: Of) -> Comparison {
        let values = |run: &Evaluated| -> Vec<f64> { run.topics.values().map(of).collect() };
        compare(&values(self), &values(baseline))
    }
}

/// What runs are called: by their files, with the folders where two files have one name.
pub fn run_names<P: AsRef<Path>>(paths: &[P]) -> Vec<String> {
    let file = |path: &P| path.as_ref().file_name().unwrap_or_default().to_owned();
    paths
        .iter()
        .map(|path| {
            match paths
                .iter()
                .filter(|other| file(other) == file(path))
                .count()
            {
                1 => file(path).to_string_lossy().into_owned(),
                _ => path.as_ref().display().to_string(),
            }
        })
        .collect()
}

/// What an index knows of the ids that runs and judgments name.
#[derive(Debug, Default)]
pub struct Known {
    /// The visual ids of formula ids.
    pub visual_ids: HashMap<String, String>,
    /// LaTeX by visual id.
    pub formulas: HashMap<String, String>,
}

impl Known {
    /// Looks up formula ids and visual ids, going through the whole index once.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn new(index: &Index, wanted: &HashSet<&str>) -> Result<Self, IndexError> {
        let mut known = Known::default();
        for formula in index.all_instances() {
            let (entry, instances) = formula?;
            for instance in instances {
                let visual_id = match instance.visual_id.is_empty() {
                    true => entry.id.clone(),
                    false => instance.visual_id,
                };
                let is_wanted = wanted.contains(instance.id.as_str());
                if is_wanted || wanted.contains(visual_id.as_str()) {
                    let formula = known.formulas.entry(visual_id.clone());
                    formula.or_insert_with(|| entry.latex.clone());
                }
                if is_wanted {
                    known.visual_ids.insert(instance.id, visual_id);
                }
            }
        }
        Ok(known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_runs_apart() {
        let named = |paths: &[&str]| run_names(paths);
        assert_eq!(named(&["a/x.tsv", "b/y.tsv"]), ["x.tsv", "y.tsv"]);
        assert_eq!(
            named(&["a/x.tsv", "b/x.tsv", "y.tsv"]),
            ["a/x.tsv", "b/x.tsv", "y.tsv"]
        );
    }
}
