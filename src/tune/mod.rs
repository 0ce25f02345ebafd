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

use crate::eval::{Measures, Qrels, Run, evaluate, mean, mean_and_error};
use crate::layout::Layout;
use crate::phoc::{
    Encoded, KindSettings, PhocConfig, TokenKind, TokenKinds, WHOLE, Weights, encode,
};

/// Occurrences that are told apart.
const REPEATS: usize = 8;
const KINDS: usize = TokenKind::ALL.len();

/// Caps on what one token counts, in regions; the last is none.
const CAPS: [u32; 5] = [8, 12, 16, 24, u32::MAX];

/// Bits by kind, and by which occurrence of a token they are: first without
/// places, then for each cap.
type Bits = [[[f64; REPEATS]; KINDS]; 1 + CAPS.len()];

/// What a measure says of a set of topics.
pub type Goal = fn(&Measures) -> f64;

/// Settings to choose from. A token without places is one region where others are
/// some ten.
const NO_PLACES: [f64; 3] = [4.0, 8.0, 16.0];
const PLACES: [f64; 3] = [0.5, 1.0, 2.0];
const TIMES: [u8; 3] = [1, 2, 4];
const NORMS: [f64; 6] = [0.2, 0.25, 0.3, 0.35, 0.4, 0.5];

/// What is tuned.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Settings {
    /// TokenKinds of weight 0 are left out.
    kinds: [KindSettings; KINDS],
    norm: f64,
    /// Which of [`CAPS`].
    cap: usize,
}

impl Settings {
    fn of(config: &PhocConfig) -> Self {
        Settings {
            kinds: TokenKind::ALL.map(|kind| KindSettings {
                weight: config.tokens.weight(kind),
                repeats: config.tokens.repeats(kind).max(1),
                positional: config.tokens.is_positional(kind),
            }),
            norm: config.norm_power,
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
        for (kind, used) in self.kinds.into_iter().enumerate() {
            let mut with = |used: KindSettings| {
                let mut next = self;
                next.kinds[kind] = used;
                all.push(next);
            };
            with(KindSettings {
                weight: 0.0,
                ..used
            });
            for (places, weights) in [(false, NO_PLACES), (true, PLACES)] {
                for weight in weights {
                    with(KindSettings {
                        weight,
                        positional: places,
                        ..used
                    });
                }
            }
            for repeats in TIMES.into_iter().filter(|_| used.weight > 0.0) {
                with(KindSettings { repeats, ..used });
            }
        }
        all.retain(|next| *next != self && next.used().next().is_some());
        all
    }

    /// The kinds that are not left out.
    fn used(&self) -> impl Iterator<Item = (TokenKind, KindSettings)> {
        let kinds = TokenKind::ALL.into_iter().zip(self.kinds);
        kinds.filter(|(_, used)| used.weight > 0.0)
    }

    /// The weighted sum of some bits.
    fn sum(&self, bits: &Bits) -> f64 {
        let of = |(kind, used): (TokenKind, KindSettings)| {
            let cap = if used.positional { 1 + self.cap } else { 0 };
            used.weight * bits[cap][kind as usize][usize::from(used.repeats) - 1]
        };
        self.used().map(of).sum()
    }
}

/// A judged formula.
#[derive(Debug)]
pub struct Judged {
    /// Its symbols.
    pub layout: Layout,
    /// Its place by id among all: equal scores go by it.
    pub rank: u32,
}

/// A judged formula, met with its topic.
#[derive(Debug)]
struct Met {
    visual_id: String,
    rank: u32,
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
        formulas: &BTreeMap<String, Judged>,
        qrels: &Qrels,
    ) -> Self {
        let all = PhocConfig {
            tokens: TokenKinds::of(TokenKind::ALL.map(|kind| {
                let repeats = REPEATS as u8;
                (
                    kind,
                    KindSettings {
                        repeats,
                        ..KindSettings::default()
                    },
                )
            })),
            ..config.clone()
        };
        let weights = Weights::new(config);
        let encoded: BTreeMap<&str, (u32, Vec<Encoded>)> = formulas
            .par_iter()
            .map(|(id, judged)| (id.as_str(), (judged.rank, encode(&judged.layout, &all))))
            .collect();
        let met = topics.par_iter().filter_map(|(number, layout)| {
            let query = encode(layout, &all);
            let judged = qrels.topics.get(number)?.keys();
            let met = judged.filter_map(|id| {
                let (rank, candidate) = encoded.get(id.as_str())?;
                Some(Met {
                    visual_id: id.clone(),
                    rank: *rank,
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
            tokens: TokenKinds::of(settings.used()),
            norm_power: settings.norm,
            cap: Some(CAPS[settings.cap]).filter(|cap| *cap < u32::MAX),
            ..self.config.clone()
        }
    }

    fn shown(&self, settings: Settings) -> String {
        let shown = |(kind, used): (TokenKind, KindSettings)| {
            let places = if used.positional { "" } else { " anywhere" };
            format!("{kind:?} {} x{}{places}", used.weight, used.repeats)
        };
        let kinds: Vec<String> = settings.used().map(shown).collect();
        let cap = match CAPS[settings.cap] {
            u32::MAX => String::new(),
            cap => format!(", cap {cap}"),
        };
        format!("{}, norm {}{cap}", kinds.join(", "), settings.norm)
    }

    /// Changes the one thing that helps most, while anything helps by more than
    /// its standard error: less is noise, and does worse on other topics.
    fn search(&self, topics: &[&str], goal: Goal) -> Settings {
        let values = |settings: Settings| -> Vec<f64> {
            let measured = self.measure(settings, topics);
            measured.values().map(goal).collect()
        };
        let mut best = Settings::of(&self.config);
        let mut reached = values(best);
        loop {
            let tried: Vec<(Settings, Vec<f64>, f64)> = best
                .neighbours()
                .into_par_iter()
                .filter_map(|next| {
                    let values = values(next);
                    let gains = values.iter().zip(&reached).map(|(new, old)| new - old);
                    let (gain, error) = mean_and_error(&gains.collect::<Vec<f64>>());
                    (gain > error).then_some((next, values, gain))
                })
                .collect();
            // The first of equals, so that results do not depend on threads.
            let next = tried
                .into_iter()
                .reduce(|a, b| if b.2 > a.2 { b } else { a });
            match next {
                Some((next, values, _)) => (best, reached) = (next, values),
                None => return best,
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
            let scored = self.topics[*topic].iter().filter_map(|met| {
                let (shared, own) = (settings.sum(&met.shared), settings.sum(&met.own));
                let score = shared / own.max(1.0).powf(settings.norm);
                (shared > 0.0).then_some((score, met))
            });
            let mut scored: Vec<(f64, &Met)> = scored.collect();
            scored.sort_by(|(a, met), (b, other)| b.total_cmp(a).then(met.rank.cmp(&other.rank)));
            let ranked = scored.iter().enumerate();
            let ranked = ranked.map(|(at, (_, met))| (met.visual_id.clone(), -(at as f64)));
            run.topics.insert((*topic).to_owned(), ranked.collect());
        }
        evaluate(&run, &qrels)
    }
}

/// The bits that two formulas share: of every kind, those of first occurrences,
/// of first and second ones, and so on. Both are in the order of keys.
fn shared(a: &[Encoded], b: &[Encoded], weights: &Weights) -> Bits {
    let mut bits: Bits = [[[0.0; REPEATS]; KINDS]; 1 + CAPS.len()];
    let mut others = b.iter().peekable();
    for token in a {
        while others.next_if(|other| other.key < token.key).is_some() {}
        if let Some(other) = others.next_if(|other| other.key == token.key) {
            let count = weights.count(token.word & other.word);
            let (kind, nth) = (token.key.kind as usize, usize::from(token.key.nth) - 1);
            let [anywhere, capped @ ..] = &mut bits;
            anywhere[kind][nth] += weights.count(WHOLE);
            for (bits, cap) in capped.iter_mut().zip(CAPS) {
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
                let (layout, rank) = (laid_out(&latex), formulas.len() as u32);
                formulas.insert(id.clone(), Judged { layout, rank });
                judged.insert(id, grade);
            }
        }
        let config = PhocConfig::papers();
        let tuner = Tuner::new(&config, &topics, &formulas, &qrels);
        let tuned = tuner.tune(3, |measures| measures.map, &mut |_| {});
        assert!(tuned.held_out.map >= tuned.before.map, "{tuned:?}");
        assert_eq!(tuned.on_train.map, 1.0, "{tuned:?}");
        let again = tuner.tune(3, |measures| measures.map, &mut |_| {});
        assert_eq!(again.config, tuned.config);
    }
}
