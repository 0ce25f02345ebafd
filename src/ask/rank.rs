//! Ranking texts: by words, by formulas, and by both.

use std::collections::HashMap;
use std::time::Instant;

use super::passage::Matched;
use super::question::QuestionWord;
use super::request::AskRequest;
use super::response::{AskResponse, AskTimes, AskedFormula, AskedWord, TextHit};
use super::score::Bm25;
use crate::index::{IndexError, TextRow};
use crate::parallel;
use crate::phoc::{AskSettings, Combine};
use crate::search::{Nearest, Request, SearchError, Searcher};

/// What a question is looked up with.
pub(super) struct Asked {
    pub(super) settings: AskSettings,
    pub(super) words: Vec<QuestionWord>,
    /// Its formulas that can be read, each with the formulas most like it.
    pub(super) formulas: Vec<Nearest>,
}

/// What a text is worth.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct TextScore {
    pub(super) words: f64,
    pub(super) formulas: f64,
}

impl TextScore {
    pub(super) fn sum(&self, settings: &AskSettings) -> f64 {
        (1.0 - settings.alpha) * self.words + settings.alpha * self.formulas
    }
}

/// What a question is looked up with, and what is told of that.
pub(super) struct LookedUp {
    pub(super) asked: Asked,
    formulas: Vec<AskedFormula>,
    notes: Vec<String>,
}

/// All texts with what they are worth.
struct Scored<'a> {
    looked_up: LookedUp,
    rows: &'a [TextRow],
    scores: Vec<TextScore>,
    words: Vec<AskedWord>,
    times: AskTimes,
}

impl Searcher {
    /// Answers a question with the texts of the index.
    ///
    /// # Errors
    /// When the index has no texts, is damaged where the question looks, or was changed in place.
    pub fn ask(&self, request: &AskRequest) -> Result<AskResponse, SearchError> {
        self.index().sound(self.answer_question(request))
    }

    fn answer_question(&self, request: &AskRequest) -> Result<AskResponse, SearchError> {
        let started = Instant::now();
        let mut scored = self.scored(request)?;
        let since = Instant::now();
        let (found, ranked) = scored.ranked(request);
        scored.times.joining += since.elapsed();
        let since = Instant::now();
        let hits = self.shown(&scored, request.from, &ranked)?;
        scored.times.showing = since.elapsed();
        Ok(AskResponse {
            hits,
            found,
            words: scored.words,
            formulas: scored.looked_up.formulas,
            notes: scored.looked_up.notes,
            took: started.elapsed(),
            times: scored.times,
        })
    }

    /// These texts as results of a question, whether they are among the best or not: for those who
    /// know which texts to show.
    ///
    /// # Errors
    /// As [`ask`](Self::ask).
    pub fn show_texts(
        &self,
        request: &AskRequest,
        texts: &[usize],
    ) -> Result<Vec<TextHit>, SearchError> {
        let show = || Ok(self.shown(&self.scored(request)?, 0, texts)?);
        self.index().sound(show())
    }

    /// Only the numbers and scores of the best texts: what a benchmark of the ranking measures, and
    /// what is compared with the reference.
    #[doc(hidden)]
    pub fn rank_texts(&self, request: &AskRequest) -> Result<Vec<(usize, f64)>, SearchError> {
        let rank = || {
            let scored = self.scored(request)?;
            let (_, ranked) = scored.ranked(request);
            let with_scores = ranked.into_iter().map(|text| (text, scored.sum(text)));
            Ok(with_scores.collect())
        };
        self.index().sound(rank())
    }

    /// Whether any of the texts is an answer.
    ///
    /// # Errors
    /// When the index is damaged there.
    pub fn has_answers(&self) -> Result<bool, SearchError> {
        let has = || {
            let mut rows = self.index().text_rows()?.iter();
            Ok(rows.any(|row| row.flags & TextRow::IS_ANSWER > 0))
        };
        self.index().sound(has())
    }

    fn scored(&self, request: &AskRequest) -> Result<Scored<'_>, SearchError> {
        // An index without texts says so, whatever is asked.
        self.index().words()?;
        let mut times = AskTimes::default();
        let since = Instant::now();
        let looked_up = self.look_up(request)?;
        times.formulas = since.elapsed();
        let since = Instant::now();
        let rows = self.index().text_rows()?;
        let mut scores = vec![TextScore::default(); rows.len()];
        let words = self.score_words(&looked_up.asked, rows, &mut scores)?;
        times.words = since.elapsed();
        let since = Instant::now();
        self.score_formulas(&looked_up.asked, rows, &mut scores)?;
        times.joining = since.elapsed();
        Ok(Scored {
            looked_up,
            rows,
            scores,
            words,
            times,
        })
    }

    /// Texts as results, of which the first has the rank after `from`.
    fn shown(
        &self,
        scored: &Scored,
        from: usize,
        texts: &[usize],
    ) -> Result<Vec<TextHit>, IndexError> {
        let asked = &scored.looked_up.asked;
        let matched = Matched::new(asked, self, &scored.words);
        let hits = (from + 1..).zip(texts).map(|(rank, text)| {
            let score = scored.scores.get(*text).copied().unwrap_or_default();
            matched.hit(self, rank, *text, score, &asked.settings)
        });
        hits.collect()
    }

    /// Finds the formulas most like those of the question.
    pub(super) fn look_up(&self, request: &AskRequest) -> Result<LookedUp, SearchError> {
        let settings = request.settings.unwrap_or(self.index().meta().config.ask);
        let latex = request.question.formulas();
        let threads = parallel::threads(request.threads);
        // One formula is searched for on all threads, several side by side.
        let each = if latex.len() > 1 { 1 } else { threads };
        let found = parallel::map(&latex, threads, |latex| {
            let request = Request::latex(*latex)
                .macros(request.macros.clone())
                .k(settings.kappa)
                .rerank(settings.kappa)
                .matched(false)
                .threads(each);
            self.nearest(&request)
        });
        let min_symbols = request.question.options.min_symbols();
        let is_large = |found: &Nearest| found.symbols >= min_symbols;
        let some_are_large = found.iter().flatten().any(is_large);
        let mut looked_up = LookedUp {
            asked: Asked {
                settings,
                words: request.question.words(),
                formulas: Vec::new(),
            },
            formulas: Vec::new(),
            notes: Vec::new(),
        };
        for (latex, nearest) in latex.into_iter().zip(found) {
            let is_small = nearest.as_ref().is_ok_and(|found| !is_large(found));
            if !(some_are_large && is_small) {
                looked_up.add(latex, nearest)?;
            }
        }
        Ok(looked_up)
    }

    fn score_words(
        &self,
        asked: &Asked,
        rows: &[TextRow],
        scores: &mut [TextScore],
    ) -> Result<Vec<AskedWord>, IndexError> {
        let index = self.index();
        let texts = index.meta().texts.clone().unwrap_or_default();
        let bm25 = Bm25::new(&asked.settings, texts.results, texts.words);
        let words = index.words()?;
        let unreadable = |error| index.unreadable_words(&error);
        let mut found = Vec::with_capacity(asked.words.len());
        for word in &asked.words {
            let frequency = u64::from(words.frequency(&word.stem).map_err(unreadable)?);
            found.push(AskedWord {
                word: word.word.clone(),
                stem: word.stem.clone(),
                texts: frequency,
            });
            if frequency == 0 {
                continue;
            }
            let weight = f64::from(word.times) * bm25.idf(frequency);
            let add = |text: u32, times: u32| {
                if let (Some(row), Some(score)) =
                    (rows.get(text as usize), scores.get_mut(text as usize))
                {
                    score.words += weight * bm25.tf(times, row.words);
                }
            };
            words.postings(&word.stem, add).map_err(unreadable)?;
        }
        Ok(found)
    }

    fn score_formulas(
        &self,
        asked: &Asked,
        rows: &[TextRow],
        scores: &mut [TextScore],
    ) -> Result<(), IndexError> {
        let texts = self.index().meta().texts.clone().unwrap_or_default();
        let bm25 = Bm25::new(&asked.settings, texts.results, texts.formulas);
        // What the formulas that are like one of the question add to each text.
        let mut added: HashMap<u32, f64> = HashMap::new();
        let mut holding = Vec::new();
        for nearest in &asked.formulas {
            for (formula, likeness) in &nearest.formulas {
                holding.clear();
                self.index()
                    .texts_of(*formula, |text, times| holding.push((text, times)))?;
                let weight = likeness * bm25.idf(holding.len() as u64);
                for (text, times) in &holding {
                    let more = weight * bm25.tf(*times, rows[*text as usize].formulas);
                    let added = added.entry(*text).or_default();
                    *added = match asked.settings.combine {
                        Combine::Max => added.max(more),
                        Combine::Sum => *added + more,
                    };
                }
            }
            for (text, added) in added.drain() {
                scores[text as usize].formulas += added;
            }
        }
        Ok(())
    }
}

impl LookedUp {
    /// Adds a formula of the question with those most like it. One that cannot be read keeps its
    /// place.
    fn add(
        &mut self,
        latex: &str,
        nearest: Result<Nearest, SearchError>,
    ) -> Result<(), SearchError> {
        let nearest = match nearest {
            Err(SearchError::Query(error)) => {
                let shown = shortened(latex);
                self.notes.push(format!("${shown}$ is left out: {error}"));
                Nearest::default()
            }
            nearest => nearest?,
        };
        let notes = nearest.notes.iter();
        self.notes
            .extend(notes.map(|note| format!("${}$: {note}", shortened(latex))));
        self.formulas.push(AskedFormula {
            latex: latex.to_owned(),
            read_as: nearest.read_as.clone(),
            formulas: nearest.formulas.len(),
        });
        self.asked.formulas.push(nearest);
        Ok(())
    }
}

/// A formula as a note names it: its beginning, where it is long.
fn shortened(latex: &str) -> String {
    const SHOWN: usize = 80;
    if latex.chars().count() <= SHOWN {
        return latex.to_owned();
    }
    latex.chars().take(SHOWN).chain(['…']).collect()
}

impl Scored<'_> {
    fn sum(&self, text: usize) -> f64 {
        self.scores[text].sum(&self.looked_up.asked.settings)
    }

    /// How many texts were found, and those of the wanted ranks by their numbers: the best first,
    /// equal ones in the order of the collection.
    fn ranked(&self, request: &AskRequest) -> (usize, Vec<usize>) {
        let needed = TextRow::IS_RESULT
            | if request.answers {
                TextRow::IS_ANSWER
            } else {
                0
            };
        let rows = self.rows.iter().enumerate();
        let mut found: Vec<(f64, usize)> = rows
            .filter(|(_, row)| row.flags & needed == needed)
            .map(|(text, _)| (self.sum(text), text))
            .filter(|(score, _)| *score > 0.0)
            .collect();
        let order = |a: &(f64, usize), b: &(f64, usize)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        let (count, last) = (found.len(), request.from.saturating_add(request.k));
        if last < count {
            found.select_nth_unstable_by(last, order);
            found.truncate(last);
        }
        found.sort_unstable_by(order);
        let wanted = found.into_iter().skip(request.from);
        (count, wanted.map(|(_, text)| text).collect())
    }
}
