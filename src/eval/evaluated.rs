//! Runs with their measures, and how they differ.

use std::collections::BTreeMap;
use std::path::Path;

use super::{
    Comparison, EvalError, FormulaLookup, Measure, Measures, Qrels, Run, compare, evaluate, mean,
};
use crate::index::Index;

/// A run with its measures.
#[derive(Debug)]
pub struct Evaluated {
    /// Its name.
    pub name: String,
    /// The run, its ids being visual ids.
    pub run: Run,
    /// Its measures, for every judged topic.
    pub topics: BTreeMap<String, Measures>,
    /// How many of its results the index does not have.
    pub missing: usize,
}

impl Evaluated {
    /// Evaluates a run, after its ids are mapped to visual ids where an index knows them.
    pub fn new(name: String, mut run: Run, qrels: &Qrels, known: Option<&FormulaLookup>) -> Self {
        let missing = known.map_or(0, |known| known.missing(&run));
        if let Some(known) = known {
            run.map_ids(&known.visual_ids);
        }
        Evaluated {
            name,
            topics: evaluate(&run, qrels),
            run,
            missing,
        }
    }

    /// The mean over topics.
    pub fn mean(&self) -> Measures {
        mean(&self.topics)
    }

    /// A measure of one topic; 0 where the topic is not judged.
    pub fn of_topic(&self, topic: &str, measure: &Measure) -> f64 {
        self.topics.get(topic).map_or(0.0, measure.of)
    }

    /// This run against a baseline, by one measure, over the topics that are judged.
    pub fn against(&self, baseline: &Evaluated, measure: &Measure) -> Comparison {
        let values = |run: &Evaluated| -> Vec<f64> {
            let topics = self.topics.keys();
            topics.map(|topic| run.of_topic(topic, measure)).collect()
        };
        compare(&values(self), &values(baseline))
    }

    /// Warnings about the run or its files. Such a run may have low or high measures for another
    /// reason than its results.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        let (all, judged) = (&self.run.topics, self.topics.len());
        let answered = (self.topics.keys())
            .filter(|topic| all.contains_key(*topic))
            .count();
        if answered < judged {
            warnings.push(format!(
                "it has results for {answered} of the {judged} judged topics"
            ));
        }
        if self.missing > 0 {
            let results: usize = all.values().map(Vec::len).sum();
            warnings.push(format!(
                "{} of its {results} results are not in the index",
                self.missing
            ));
        }
        warnings
    }
}

/// Reads and evaluates runs. If there is an index, it also returns what the index knows of the
/// formulas that runs and judgments name.
///
/// # Errors
/// When a run cannot be read, or the index is damaged.
pub fn evaluate_files<P: AsRef<Path>>(
    paths: &[P],
    index: Option<&Index>,
    qrels: &Qrels,
) -> Result<(Vec<Evaluated>, Option<FormulaLookup>), EvalError> {
    let runs = paths.iter().map(|path| Run::read(path.as_ref()));
    let runs: Vec<Run> = runs.collect::<Result<_, _>>()?;
    let known = index.map(|index| FormulaLookup::new(index, &runs, qrels));
    let known = known.transpose()?;
    let named = run_names(paths).into_iter().zip(runs);
    let evaluated = named.map(|(name, run)| Evaluated::new(name, run, qrels, known.as_ref()));
    Ok((evaluated.collect(), known))
}

/// The names of runs: their files' names, with folders where two files have the same name.
pub fn run_names<P: AsRef<Path>>(paths: &[P]) -> Vec<String> {
    let file = |path: &P| path.as_ref().file_name().unwrap_or_default().to_owned();
    let is_one = |path: &P| {
        paths
            .iter()
            .filter(|other| file(other) == file(path))
            .count()
            == 1
    };
    let name = |path: &P| {
        if is_one(path) {
            file(path).to_string_lossy().into_owned()
        } else {
            path.as_ref().display().to_string()
        }
    };
    paths.iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_named_by_their_files() {
        let named = |paths: &[&str]| run_names(paths);
        assert_eq!(named(&["a/x.tsv", "b/y.tsv"]), ["x.tsv", "y.tsv"]);
        assert_eq!(
            named(&["a/x.tsv", "b/x.tsv", "y.tsv"]),
            ["a/x.tsv", "b/x.tsv", "y.tsv"]
        );
    }
}
