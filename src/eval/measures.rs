//! The measures of ARQMath: unjudged results are dropped before measuring.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

use super::qrels::RELEVANT;
use super::{Qrels, Run};

/// The measures of one topic, or their means over all topics.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Measures {
    /// nDCG', gain the grade, discount log2(rank + 1), no cut.
    pub ndcg: f64,
    /// MAP', relevant from grade 2.
    pub map: f64,
    /// P'@10, relevant from grade 2, always over 10.
    pub p10: f64,
    /// bpref', relevant from grade 2.
    pub bpref: f64,
    /// The reciprocal rank of the first result of grade 2 or more; unjudged results stay in the
    /// ranking.
    pub mrr: f64,
    /// The part of the first ten results that is judged, before unjudged results are dropped.
    pub judged10: f64,
}

/// One of the measures.
#[derive(Debug, Clone, Copy)]
pub struct Measure {
    /// Its name in JSON.
    pub key: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub of: fn(&Measures) -> f64,
}

/// The measures by which runs are compared. The judged part of a run is not one of them.
pub const MEASURES: [Measure; 5] = [
    Measure {
        key: "ndcg",
        name: "nDCG'",
        of: |measures| measures.ndcg,
    },
    Measure {
        key: "map",
        name: "MAP'",
        of: |measures| measures.map,
    },
    Measure {
        key: "p10",
        name: "P'@10",
        of: |measures| measures.p10,
    },
    Measure {
        key: "bpref",
        name: "bpref'",
        of: |measures| measures.bpref,
    },
    Measure {
        key: "mrr",
        name: "MRR",
        of: |measures| measures.mrr,
    },
];

/// Evaluates a run on every judged topic; a topic that the run lacks counts 0.
pub fn evaluate(run: &Run, qrels: &Qrels) -> BTreeMap<String, Measures> {
    let measure = |(topic, grades): (&String, &HashMap<String, i32>)| {
        let results = run.topics.get(topic).map_or(&[][..], Vec::as_slice);
        (topic.clone(), measure_topic(results, grades))
    };
    qrels.topics.iter().map(measure).collect()
}

/// The mean over topics.
pub fn mean(topics: &BTreeMap<String, Measures>) -> Measures {
    let count = topics.len().max(1) as f64;
    let of = |part: fn(&Measures) -> f64| topics.values().map(part).sum::<f64>() / count;
    Measures {
        ndcg: of(|m| m.ndcg),
        map: of(|m| m.map),
        p10: of(|m| m.p10),
        bpref: of(|m| m.bpref),
        mrr: of(|m| m.mrr),
        judged10: of(|m| m.judged10),
    }
}

fn measure_topic(results: &[(String, f64)], grades: &HashMap<String, i32>) -> Measures {
    let ranking = ranking(results);
    let judged10 = ranking
        .iter()
        .take(10)
        .filter(|(id, _)| grades.contains_key(*id))
        .count();
    let is_relevant =
        |(id, _): &(&str, f32)| grades.get(*id).is_some_and(|grade| *grade >= RELEVANT);
    let first = ranking.iter().position(is_relevant);
    let found: Vec<i32> = ranking
        .iter()
        .filter_map(|(id, _)| grades.get(*id).copied())
        .collect();
    let relevant = grades.values().filter(|grade| **grade >= RELEVANT).count();
    let p10 = found
        .iter()
        .take(10)
        .filter(|grade| **grade >= RELEVANT)
        .count();
    Measures {
        ndcg: ndcg(&found, grades),
        map: average_precision(&found, relevant),
        p10: p10 as f64 / 10.0,
        bpref: bpref(&found, relevant, grades.len() - relevant),
        mrr: first.map_or(0.0, |place| 1.0 / (place + 1) as f64),
        judged10: judged10 as f64 / 10.0,
    }
}

/// Distinct ids in the order of trec_eval: the score as f32, equal scores by
/// id, the last first. Of an id that comes twice the best score counts.
pub fn ranking(results: &[(String, f64)]) -> Vec<(&str, f32)> {
    let mut sorted: Vec<(&str, f32)> = results
        .iter()
        .map(|(id, score)| (id.as_str(), *score as f32))
        .collect();
    // 0 and -0 are equal, as they are in C; there is no NaN in a run.
    let by_score = |a: f32, b: f32| b.partial_cmp(&a).unwrap_or(std::cmp::Ordering::Equal);
    sorted.sort_by(|a, b| by_score(a.1, b.1).then(b.0.cmp(a.0)));
    let mut seen = HashSet::new();
    sorted
        .into_iter()
        .filter(|(id, _)| seen.insert(*id))
        .collect()
}

fn ndcg(found: &[i32], grades: &HashMap<String, i32>) -> f64 {
    let mut ideal: Vec<i32> = grades.values().copied().collect();
    ideal.sort_unstable_by(|a, b| b.cmp(a));
    match dcg(&ideal) {
        0.0 => 0.0,
        best => dcg(found) / best,
    }
}

fn dcg(grades: &[i32]) -> f64 {
    let gain = |(rank, grade): (u32, &i32)| f64::from((*grade).max(0)) / f64::from(rank + 1).log2();
    // The sum of nothing is -0.
    (1..).zip(grades).map(gain).sum::<f64>() + 0.0
}

fn average_precision(found: &[i32], relevant: usize) -> f64 {
    let mut hits = 0.0;
    let mut sum = 0.0;
    for (rank, grade) in (1..).zip(found) {
        if *grade >= RELEVANT {
            hits += 1.0;
            sum += hits / f64::from(rank);
        }
    }
    if relevant == 0 {
        0.0
    } else {
        sum / relevant as f64
    }
}

/// Buckley and Voorhees: for each relevant formula found, how few judged
/// irrelevant ones stand before it, as trec_eval counts them.
fn bpref(found: &[i32], relevant: usize, irrelevant: usize) -> f64 {
    let mut before = 0;
    let mut sum = 0.0;
    for grade in found {
        if *grade < RELEVANT {
            before += 1;
        } else if before == 0 {
            sum += 1.0;
        } else {
            sum += 1.0 - before.min(relevant) as f64 / relevant.min(irrelevant) as f64;
        }
    }
    if relevant == 0 {
        0.0
    } else {
        sum / relevant as f64
    }
}
