//! The plain ranking of texts: every text is read and its words and formulas counted, and nothing
//! of the index of words, of the counts of texts, or of the lists of texts of a formula is used.

use std::collections::{HashMap, HashSet};

use super::request::AskRequest;
use crate::index::words::Analyzer;
use crate::phoc::Combine;
use crate::search::{SearchError, Searcher};

/// The words and formulas of a text that may be a result, each with how often it comes.
#[derive(Default)]
struct Counted {
    number: usize,
    words: HashMap<String, u32>,
    formulas: HashMap<u32, u32>,
    is_answer: bool,
}

impl Searcher {
    /// What [`ask`](Self::ask) finds, by the definition: the numbers of all texts that are found,
    /// with their scores. The formulas most like those of the question are those that a search
    /// finds.
    ///
    /// # Errors
    /// As [`ask`](Self::ask).
    #[doc(hidden)]
    pub fn ask_reference(&self, request: &AskRequest) -> Result<Vec<(usize, f64)>, SearchError> {
        let asked = self.look_up(request)?.asked;
        let texts = self.counted()?;
        let count = texts.len() as f64;
        let settings = &asked.settings;
        let bm25 = |times: u32, length: u32, all: u32, holding: usize| {
            let (times, length, mean) =
                (f64::from(times), f64::from(length), f64::from(all) / count);
            let rare = ((count + 1.0) / holding as f64).ln();
            let slowed = settings.k * (1.0 - settings.b + settings.b * length / mean);
            rare * ((settings.k + 1.0) * times / (slowed + times) + settings.delta)
        };
        let sum_of = |counts: &HashMap<String, u32>| counts.values().sum::<u32>();
        let all_words: u32 = texts.iter().map(|text| sum_of(&text.words)).sum();
        let all_formulas: u32 = texts.iter().flat_map(|text| text.formulas.values()).sum();
        let mut ranked = Vec::new();
        for text in texts
            .iter()
            .filter(|text| text.is_answer || !request.answers)
        {
            let mut words = 0.0;
            for word in &asked.words {
                if let Some(times) = text.words.get(&word.stem) {
                    let holding = texts
                        .iter()
                        .filter(|text| text.words.contains_key(&word.stem));
                    let length = sum_of(&text.words);
                    words +=
                        f64::from(word.times) * bm25(*times, length, all_words, holding.count());
                }
            }
            let mut formulas = 0.0;
            for nearest in &asked.formulas {
                let each = nearest.formulas.iter().filter_map(|(formula, likeness)| {
                    let formula = *formula as u32;
                    let times = text.formulas.get(&formula)?;
                    let holding = texts
                        .iter()
                        .filter(|text| text.formulas.contains_key(&formula));
                    let length = text.formulas.values().sum();
                    Some(likeness * bm25(*times, length, all_formulas, holding.count()))
                });
                formulas += match settings.combine {
                    Combine::Max => each.fold(0.0, f64::max),
                    Combine::Sum => each.sum(),
                };
            }
            let score = (1.0 - settings.alpha) * words + settings.alpha * formulas;
            if score > 0.0 {
                ranked.push((text.number, score));
            }
        }
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        Ok(ranked)
    }

    /// All texts that may be results: all but questions that are answered.
    fn counted(&self) -> Result<Vec<Counted>, SearchError> {
        let mut analyzer = Analyzer::default();
        let stored: Vec<_> = (0..self.index().texts())
            .map(|number| self.index().text(number))
            .collect::<Result<_, _>>()?;
        let answered: HashSet<u32> = stored.iter().filter_map(|text| text.question).collect();
        let mut all = Vec::new();
        for (number, text) in stored.iter().enumerate() {
            if answered.contains(&(number as u32)) {
                continue;
            }
            let mut counted = Counted {
                number,
                is_answer: text.text.kind.as_deref() == Some("answer"),
                ..Counted::default()
            };
            let question = text.question.map(|question| &stored[question as usize]);
            for part in [Some(text), question].into_iter().flatten() {
                for word in analyzer.words_of(&part.text) {
                    *counted.words.entry(word.text).or_default() += 1;
                }
                for formula in part.formulas.iter().flatten() {
                    *counted.formulas.entry(*formula).or_default() += 1;
                }
            }
            all.push(counted);
        }
        Ok(all)
    }
}
