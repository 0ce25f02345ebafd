//! Fusion: several runs become one.

use std::collections::BTreeMap;

use super::{Run, RunIds};

/// How scores of several runs are joined.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fusion {
    /// Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): the sum of
    /// weight / (k + rank).
    ReciprocalRank {
        /// The constant k; the greater it is, the less the first ranks stand out. The paper uses 60.
        k: f64,
    },
    /// The sum of weight times score, where each topic's scores of a run are
    /// brought to 0 to 1.
    MinMax,
}

/// Joins runs, each with its weight. Formulas are ordered by their new score,
/// equal ones by id, and the first `depth` kept.
pub fn fuse(runs: &[(Run, f64)], fusion: Fusion, depth: usize) -> Run {
    let mut scores: BTreeMap<&str, BTreeMap<&str, f64>> = BTreeMap::new();
    for (run, weight) in runs {
        for (topic, ranked) in &run.topics {
            let joined = scores.entry(topic).or_default();
            for (id, score) in of_topic(ranked, fusion) {
                *joined.entry(id).or_default() += weight * score;
            }
        }
    }
    let topics = scores.into_iter().map(|(topic, joined)| {
        let mut ranked: Vec<(String, f64)> = joined
            .into_iter()
            .map(|(id, score)| (id.to_owned(), score))
            .collect();
        // The sort is stable, and the formulas are in the order of their ids.
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        ranked.truncate(depth);
        (topic.to_owned(), ranked)
    });
    Run {
        name: "fused".to_owned(),
        ids: runs.first().map_or(RunIds::default(), |(run, _)| run.ids),
        topics: topics.collect(),
        posts: runs.iter().flat_map(|(run, _)| run.posts.clone()).collect(),
    }
}

/// The score of each formula of a topic; a formula that comes twice has its best score.
fn of_topic(ranked: &[(String, f64)], fusion: Fusion) -> BTreeMap<&str, f64> {
    let mut order: Vec<&(String, f64)> = ranked.iter().collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    let (high, low) = (order.first(), order.last());
    let high = high.map_or(0.0, |best| best.1);
    let spread = high - low.map_or(0.0, |worst| worst.1);
    let mut scores = BTreeMap::new();
    let mut rank = 0;
    for (id, score) in order {
        if scores.contains_key(id.as_str()) {
            continue;
        }
        rank += 1;
        let value = match fusion {
            Fusion::ReciprocalRank { k } => 1.0 / (k + f64::from(rank)),
            // All scores are equal: all are the best.
            Fusion::MinMax if spread <= 0.0 => 1.0,
            Fusion::MinMax => 1.0 - (high - score) / spread,
        };
        scores.insert(id.as_str(), value);
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(ranked: &[(&str, f64)]) -> Run {
        let ranked = ranked.iter().map(|(id, score)| ((*id).to_owned(), *score));
        let mut run = Run::default();
        run.topics.insert("B.1".to_owned(), ranked.collect());
        run
    }

    #[test]
    fn ranks_and_scores_are_joined() {
        let runs = [
            (run(&[("a", 9.0), ("b", 5.0), ("c", 1.0)]), 1.0),
            (run(&[("c", 0.3), ("b", 0.2), ("d", 0.1)]), 1.0),
        ];
        let ids = |run: &Run| -> Vec<String> {
            run.topics["B.1"].iter().map(|(id, _)| id.clone()).collect()
        };
        let reciprocal = fuse(&runs, Fusion::ReciprocalRank { k: 60.0 }, 10);
        assert_eq!(ids(&reciprocal), ["c", "b", "a", "d"]);
        let c = reciprocal.topics["B.1"][0].1;
        assert!((c - (1.0 / 63.0 + 1.0 / 61.0)).abs() < 1e-12);
        let sums = fuse(&runs, Fusion::MinMax, 3);
        assert_eq!(ids(&sums), ["a", "b", "c"]);
        assert_eq!(sums.topics["B.1"][0].1, 1.0);
    }

    #[test]
    fn one_result_and_repeated_ids() {
        let runs = [
            (run(&[("a", 2.0)]), 0.5),
            (run(&[("a", 1.0), ("a", 3.0)]), 1.0),
        ];
        let fused = fuse(&runs, Fusion::MinMax, 10);
        assert_eq!(fused.topics["B.1"], [("a".to_owned(), 1.5)]);
    }
}
