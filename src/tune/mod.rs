//! Tuning: weights of token kinds for which judged topics are answered best.
//!
//! Measures ignore unjudged formulas, so only judged ones are scored. The bits that each shares
//! with its topic are counted once, by kind of token; any weights are then tried on these counts,
//! hundreds in a second. What is found is then measured by real searches.
//! A coordinate search changes one setting at a time for as long as that helps. How well it does
//! on the topics that it was tuned on says little, so it is repeated without each part of the
//! topics in turn and measured on that part: the held-out estimate.

mod bits;
mod judged;
mod measured;
mod settings;

pub use judged::{Judged, judged_formulas};

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::eval::{Measures, Qrels, Run, evaluate, mean, mean_and_error};
use crate::layout::Layout;
use crate::phoc::{Encoded, KindSettings, PhocConfig, TokenKind, TokenKinds, Weights, encode};
use crate::search::SearchError;
use bits::{Bits, CAPS, REPEATS, shared};
use settings::Settings;

/// The number that tuning maximises, from the measures of a topic.
pub type Goal = fn(&Measures) -> f64;

/// The bits that a judged formula shares with its topic, and with itself.
#[derive(Debug)]
struct Met {
    visual_id: String,
    rank: u32,
    shared: Bits,
    own: Bits,
}

/// Judged topics, ready for any weights.
#[derive(Debug)]
pub struct Tuner<'a> {
    config: PhocConfig,
    layouts: BTreeMap<&'a str, &'a Layout>,
    formulas: &'a BTreeMap<String, Judged>,
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

impl<'a> Tuner<'a> {
    /// Meets every judged formula with its topic. `formulas` are by visual id.
    pub fn new(
        config: &PhocConfig,
        topics: &'a [(String, Layout)],
        formulas: &'a BTreeMap<String, Judged>,
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
        let layouts = topics.iter();
        Tuner {
            config: config.clone(),
            layouts: layouts.map(|(name, layout)| (&name[..], layout)).collect(),
            formulas,
            topics: met.collect(),
            qrels: qrels.clone(),
        }
    }

    /// Searches for the best settings, and estimates what they are worth with
    /// the topics in `folds` parts.
    ///
    /// # Errors
    /// When the judged formulas cannot be indexed, for want of room for temporary files.
    pub fn tune(
        &self,
        folds: usize,
        goal: Goal,
        each: &mut dyn FnMut(&str),
    ) -> Result<Tuned, SearchError> {
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
            held_out.extend(self.measure_by_search(&self.configured(best), &pick(out))?);
            each(&format!(
                "part {} of {folds}: {}",
                fold + 1,
                self.shown(best)
            ));
        }
        let config = self.configured(self.search(&names, goal));
        Ok(Tuned {
            before: mean(&self.measure_by_search(&self.config, &names)?),
            on_train: mean(&self.measure_by_search(&config, &names)?),
            held_out: mean(&held_out),
            config,
        })
    }

    /// The measures of some topics, by searches.
    fn measure_by_search(
        &self,
        config: &PhocConfig,
        topics: &[&str],
    ) -> Result<BTreeMap<String, Measures>, SearchError> {
        let topics = topics.iter().map(|topic| (*topic, self.layouts[topic]));
        let topics: Vec<(&str, &Layout)> = topics.collect();
        measured::measured(config, &topics, self.formulas, &self.qrels)
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

    /// The measures of some topics, from the counts.
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
            let grades = qrels.topics.entry(topic).or_default();
            for (latex, grade) in [(good, 3), (bad, 0)] {
                let id = format!("{number}-{grade}");
                let (layout, rank) = (laid_out(&latex), formulas.len() as u32);
                let judged = Judged {
                    latex,
                    layout,
                    rank,
                };
                formulas.insert(id.clone(), judged);
                grades.insert(id, grade);
            }
        }
        let config = PhocConfig::papers();
        let tuner = Tuner::new(&config, &topics, &formulas, &qrels);
        let tuned = tuner.tune(3, |m| m.map, &mut |_| {}).unwrap();
        assert!(tuned.held_out.map >= tuned.before.map, "{tuned:?}");
        assert_eq!(tuned.on_train.map, 1.0, "{tuned:?}");
        let again = tuner.tune(3, |m| m.map, &mut |_| {}).unwrap();
        assert_eq!(again.config, tuned.config);
        // What the counts say is what searches find, with any settings that are tried.
        let names: Vec<&str> = tuner.topics.keys().map(String::as_str).collect();
        let start = Settings::of(&config);
        for settings in start.neighbours().into_iter().chain([start]) {
            let counted = tuner.measure(settings, &names);
            let config = tuner.configured(settings);
            assert_eq!(
                counted,
                tuner.measure_by_search(&config, &names).unwrap(),
                "{settings:?}"
            );
        }
    }
}
