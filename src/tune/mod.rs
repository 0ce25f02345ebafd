//! Tuning: which kinds of token count how much, by what judgments say.
//!
//! Measures drop what is not judged, so only judged formulas are scored: each
//! is met once with its topic, kind by kind, and any weights are tried on
//! these numbers. A coordinate search changes one setting at a time while that
//! helps. What it reaches on the topics it was tuned on says little; so it is
//! repeated without each part of the topics in turn, and measured on that
//! part: the held-out estimate.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::eval::{Measures, Qrels, Run, evaluate, mean};
use crate::layout::Layout;
use crate::phoc::{Encoded, Kind, Kinds, PhocConfig, Use, Weights, encode};

/// Occurrences that are told apart.
const REPEATS: usize = 8;
const KINDS: usize = Kind::ALL.len();

/// Caps on what one token counts, in regions; the last is none.
const CAPS: [u32; 5] = [8, 12, 16, 24, u32::MAX];

/// Bits by cap, by kind, and by which occurrence of a token they are.
type Bits = [[[f64; REPEATS]; KINDS]; CAPS.len()];

/// What a measure says of a set of topics.
pub type Goal = fn(&Measures) -> f64;

/// Settings to choose from: a weight of 0 is a kind that is left out.
const WEIGHTS: [f64; 6] = [0.0, 0.5, 1.0, 1.5, 2.0, 4.0];
const NORMS: [f64; 6] = [0.2, 0.25, 0.3, 0.35, 0.4, 0.5];
const TIMES: [u8; 4] = [1, 2, 3, 4];

/// What is tuned.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Settings {
    weights: [f64; KINDS],
    repeats: [u8; KINDS],
    norm: f64,
    /// Which of [`CAPS`].
    cap: usize,
}

impl Settings {
    fn of(config: &PhocConfig) -> Self {
        Settings {
            weights: Kind::ALL.map(|kind| config.tokens.weight(kind)),
            repeats: Kind::ALL.map(|kind| config.tokens.repeats(kind).max(1)),
            norm: config.norm,
            // The nearest that is tried.
            cap: config.cap.map_or(CAPS.len() - 1, |cap| {
                let distance = |at: &usize| CAPS[*at].abs_diff(cap);
                (0..CAPS.len() - 1).min_by_key(distance).unwrap_or(0)
            }),
        }
    }

    /// Every setting that differs in one thing.
    fn neighbours(self) -> Vec<Settings> {
        let mut all = Vec::new();
        for norm in NORMS {
            all.push(Settings { norm, ..self });
        }
        for cap in 0..CAPS.len() {
            all.push(Settings { cap, ..self });
        }
        for kind in 0..KINDS {
            for weight in WEIGHTS {
                let mut next = self;
                next.weights[kind] = weight;
                all.push(next);
            }
            for times in TIMES.into_iter().filter(|_| self.weights[kind] > 0.0) {
                let mut next = self;
                next.repeats[kind] = times;
                all.push(next);
            }
        }
        all.retain(|next| *next != self && next.weights.iter().any(|weight| *weight > 0.0));
        all
    }

    fn kinds(self) -> Kinds {
        let used = Kind::ALL.into_iter().enumerate();
        let used = used.filter(|(at, _)| self.weights[*at] > 0.0);
        Kinds::of(used.map(|(at, kind)| {
            let (weight, repeats) = (self.weights[at], self.repeats[at]);
            (kind, Use { weight, repeats })
        }))
    }

    /// The weighted sum of some bits.
    fn sum(&self, bits: &Bits) -> f64 {
        let kinds = self.weights.iter().zip(&self.repeats).zip(&bits[self.cap]);
        kinds
            .map(|((weight, repeats), bits)| weight * bits[*repeats as usize - 1])
            .sum()
    }
}

/// A judged formula, met with its topic.
#[derive(Debug)]
struct Met {
    visual_id: String,
    shared: Bits,
    own: Bits,
}

/// Judged topics, ready for any weights.
#[derive(Debug)]
pub struct Tuner {
    config: PhocConfig,
    topics: BTreeMap<String, Vec<Met>>,
    qrels: Qrels,
}

/// What tuning found.
#[derive(Debug)]
pub struct Tuned {
    /// The configuration that is best on all topics.
    pub config: PhocConfig,
    /// How the configuration that was given does.
    pub before: Measures,
    /// How the best does on the topics that it was tuned on.
    pub on_train: Measures,
    /// How the best of the other topics do on each part.
    pub held_out: Measures,
}

impl Tuner {
    /// Meets every judged formula with its topic. `formulas` are by visual id.
    pub fn new(
        config: &PhocConfig,
        topics: &[(String, Layout)],
        formulas: &BTreeMap<String, Layout>,
        qrels: &Qrels,
    ) -> Self {
        let all = PhocConfig {
            tokens: Kinds::of(Kind::ALL.map(|kind| {
                let repeats = REPEATS as u8;
                (
                    kind,
                    Use {
                        weight: 1.0,
                        repeats,
                    },
                )
            })),
            ..config.clone()
        };
        let weights = Weights::new(config);
        let encoded: BTreeMap<&str, Vec<Encoded>> = formulas
            .par_iter()
            .map(|(id, layout)| (id.as_str(), encode(layout, &all)))
            .collect();
        let met = topics.par_iter().filter_map(|(number, layout)| {
            let query = encode(layout, &all);
            let judged = qrels.topics.get(number)?.keys();
            let met = judged.filter_map(|id| {
                let candidate = encoded.get(id.as_str())?;
                Some(Met {
                    visual_id: id.clone(),
                    shared: shared(&query, candidate, &weights),
                    own: shared(candidate, candidate, &weights),
                })
            });
            Some((number.clone(), met.collect()))
        });
        Tuner {
            config: config.clone(),
            topics: met.collect(),
            qrels: qrels.clone(),
        }
    }

    /// Searches for the best settings, and estimates what they are worth with
    /// the topics in `folds` parts.
    pub fn tune(&self, folds: usize, goal: Goal, each: &mut dyn FnMut(&str)) -> Tuned {
        let names: Vec<&str> = self.topics.keys().map(String::as_str).collect();
        let folds = folds.clamp(2, names.len().max(2));
        let mut held_out = BTreeMap::new();
        for fold in 0..folds {
            let (out, train): (Vec<_>, Vec<_>) =
                (0..names.len()).partition(|at| at % folds == fold);
            let pick = |places: Vec<usize>| -> Vec<&str> {
                places.into_iter().map(|at| names[at]).collect()
            };
            let best = self.search(&pick(train), goal);
            held_out.extend(self.measure(best, &pick(out)));
            each(&format!(
                "part {} of {folds}: {}",
                fold + 1,
                self.shown(best)
            ));
        }
        let start = Settings::of(&self.config);
        let best = self.search(&names, goal);
        Tuned {
            config: self.configured(best),
            before: mean(&self.measure(start, &names)),
            on_train: mean(&self.measure(best, &names)),
            held_out: mean(&held_out),
        }
    }

    fn configured(&self, settings: Settings) -> PhocConfig {
        PhocConfig {
            name: format!("{}-tuned", self.config.name),
            tokens: settings.kinds(),
            norm: settings.norm,
            cap: Some(CAPS[settings.cap]).filter(|cap| *cap < u32::MAX),
            ..self.config.clone()
        }
    }

    fn shown(&self, settings: Settings) -> String {
        let kinds = Kind::ALL
            .into_iter()
            .zip(settings.weights.iter().zip(settings.repeats));
        let kinds = kinds.filter(|(_, (weight, _))| **weight > 0.0);
        let kinds: Vec<String> = kinds
            .map(|(kind, (weight, times))| format!("{kind:?} {weight} x{times}"))
            .collect();
        let cap = match CAPS[settings.cap] {
            u32::MAX => String::new(),
            cap => format!(", cap {cap}"),
        };
        format!("{}, norm {}{cap}", kinds.join(", "), settings.norm)
    }

    /// Changes the one thing that helps most, while anything does.
    fn search(&self, topics: &[&str], goal: Goal) -> Settings {
        let value = |settings: Settings| goal(&mean(&self.measure(settings, topics)));
        let mut best = Settings::of(&self.config);
        let mut reached = value(best);
        loop {
            let tried: Vec<(Settings, f64)> = best
                .neighbours()
                .into_par_iter()
                .map(|next| (next, value(next)))
                .collect();
            // The first of equals, so that results do not depend on threads.
            let next = tried
                .into_iter()
                .reduce(|a, b| if b.1 > a.1 { b } else { a });
            match next {
                // Less than this is noise.
                Some((next, value)) if value > reached + 1e-3 => (best, reached) = (next, value),
                _ => return best,
            }
        }
    }

    /// The measures of some topics.
    fn measure(&self, settings: Settings, topics: &[&str]) -> BTreeMap<String, Measures> {
        let mut run = Run::default();
        let mut qrels = self.qrels.clone();
        qrels
            .topics
            .retain(|topic, _| topics.contains(&topic.as_str()));
        for topic in topics {
            let ranked = self.topics[*topic].iter().filter_map(|met| {
                let (shared, own) = (settings.sum(&met.shared), settings.sum(&met.own));
                let score = shared / own.max(1.0).powf(settings.norm);
                (shared > 0.0).then(|| (met.visual_id.clone(), score))
            });
            run.topics.insert((*topic).to_owned(), ranked.collect());
        }
        evaluate(&run, &qrels)
    }
}

/// The bits that two formulas share: of every kind, those of first occurrences,
/// of first and second ones, and so on. Both are in the order of keys.
fn shared(a: &[Encoded], b: &[Encoded], weights: &Weights) -> Bits {
    let mut bits = [[[0.0; REPEATS]; KINDS]; CAPS.len()];
    let mut others = b.iter().peekable();
    for token in a {
        while others.next_if(|other| other.key < token.key).is_some() {}
        if let Some(other) = others.next_if(|other| other.key == token.key) {
            let count = weights.count(token.word & other.word);
            let (kind, nth) = (token.key.kind as usize, usize::from(token.key.nth) - 1);
            for (bits, cap) in bits.iter_mut().zip(CAPS) {
                bits[kind][nth] += count.min(f64::from(cap));
            }
        }
    }
    for kind in bits.as_flattened_mut() {
        for nth in 1..REPEATS {
            kind[nth] += kind[nth - 1];
        }
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout;

    fn laid_out(latex: &str) -> Layout {
        layout::latex(latex).unwrap()
    }

    /// Judgments that only pairs can tell apart: tuning finds that they help,
    /// and the estimate is of topics that it did not see.
    #[test]
    fn what_helps_is_found() {
        let mut qrels = Qrels::default();
        let mut formulas = BTreeMap::new();
        let mut topics = Vec::new();
        for (number, letters) in ["ab", "cd", "pq", "uv", "xy", "mn"].iter().enumerate() {
            let (a, b) = letters.split_at(1);
            let topic = format!("T.{number}");
            // The same symbols; only the good one has them in the query's order.
            let good = format!(r"z\qquad\qquad {a}+{b}");
            let bad = format!(r"{b}+{a}\qquad\qquad z");
            topics.push((topic.clone(), laid_out(&format!("{a}+{b}"))));
            let judged = qrels.topics.entry(topic).or_default();
            for (latex, grade) in [(good, 3), (bad, 0)] {
                let id = format!("{number}-{grade}");
                formulas.insert(id.clone(), laid_out(&latex));
                judged.insert(id, grade);
            }
        }
        let config = PhocConfig::default();
        let tuner = Tuner::new(&config, &topics, &formulas, &qrels);
        let tuned = tuner.tune(3, |measures| measures.map, &mut |_| {});
        assert!(tuned.held_out.map >= tuned.before.map, "{tuned:?}");
        assert_eq!(tuned.on_train.map, 1.0, "{tuned:?}");
        let again = tuner.tune(3, |measures| measures.map, &mut |_| {});
        assert_eq!(again.config, tuned.config);
    }
}
