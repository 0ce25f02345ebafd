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

impl Searcher {
    /// Answers a question with the texts of the index.
    ///
    /// # Errors
    /// When the index has no texts, is damaged where the question looks, or was changed in place;
    /// or when no formula of a question without words can be laid out.
    pub fn ask(&self, request: &AskRequest) -> Result<AskResponse, SearchError> {
        self.index().sound(self.answer_question(request))
    }

    fn answer_question(&self, request: &AskRequest) -> Result<AskResponse, SearchError> {
        let started = Instant::now();
        // An index without texts says so, whatever is asked.
        self.index().words()?;
        let (asked, formulas, notes) = self.look_up(request)?;
        let mut times = AskTimes {
            formulas: started.elapsed(),
            ..AskTimes::default()
        };
        let since = Instant::now();
        let rows = self.index().text_rows()?;
        let mut scores = vec![TextScore::default(); rows.len()];
        let words = self.score_words(&asked, rows, &mut scores)?;
        times.words = since.elapsed();
        let since = Instant::now();
        self.score_formulas(&asked, rows, &mut scores)?;
        let (found, ranked) = ranked(request, &asked.settings, rows, &scores);
        times.joining = since.elapsed();
        let since = Instant::now();
        let matched = Matched::new(&asked, self, &words);
        let hits = ranked.iter().enumerate().map(|(at, text)| {
            let score = scores[*text];
            matched.hit(self, request.from + at + 1, *text, score, &asked.settings)
        });
        let hits = hits.collect::<Result<Vec<_>, IndexError>>()?;
        times.showing = since.elapsed();
        Ok(AskResponse {
            hits,
            found,
            words,
            formulas,
            notes,
            took: started.elapsed(),
            times,
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
        let show = || {
            let (asked, ..) = self.look_up(request)?;
            let rows = self.index().text_rows()?;
            let mut scores = vec![TextScore::default(); rows.len()];
            let words = self.score_words(&asked, rows, &mut scores)?;
            self.score_formulas(&asked, rows, &mut scores)?;
            let matched = Matched::new(&asked, self, &words);
            let hits = (1..).zip(texts).map(|(rank, text)| {
                let score = scores.get(*text).copied().unwrap_or_default();
                Ok(matched.hit(self, rank, *text, score, &asked.settings)?)
            });
            hits.collect()
        };
        self.index().sound(show())
    }

    /// Only the numbers and scores of the best texts: what a benchmark of the ranking measures, and
    /// what is compared with the reference.
    #[doc(hidden)]
    pub fn rank_texts(&self, request: &AskRequest) -> Result<Vec<(usize, f64)>, SearchError> {
        let rank = || {
            let (asked, ..) = self.look_up(request)?;
            let rows = self.index().text_rows()?;
            let mut scores = vec![TextScore::default(); rows.len()];
            self.score_words(&asked, rows, &mut scores)?;
            self.score_formulas(&asked, rows, &mut scores)?;
            let (_, ranked) = ranked(request, &asked.settings, rows, &scores);
            let with_scores = ranked.into_iter();
            let with_scores = with_scores.map(|text| (text, scores[text].sum(&asked.settings)));
            Ok(with_scores.collect())
        };
        self.index().sound(rank())
    }

    /// Finds the formulas most like those of the question.
    pub(super) fn look_up(
        &self,
        request: &AskRequest,
    ) -> Result<(Asked, Vec<AskedFormula>, Vec<String>), SearchError> {
        let settings = request.settings.unwrap_or(self.index().meta().config.ask);
        let words = request.question.words();
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
        let (mut formulas, mut asked, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        for (latex, nearest) in latex.into_iter().zip(found) {
            match nearest {
                Ok(nearest) if some_are_large && !is_large(&nearest) => {}
                Ok(nearest) => {
                    notes.extend(
                        nearest
                            .notes
                            .iter()
                            .map(|note| format!("${latex}$: {note}")),
                    );
                    asked.push(AskedFormula {
                        latex: latex.to_owned(),
                        read_as: nearest.read_as.clone(),
                        formulas: nearest.formulas.len(),
                    });
                    formulas.push(nearest);
                }
                Err(SearchError::Query(error)) => {
                    notes.push(format!("${latex}$ is left out: {error}"));
                    asked.push(AskedFormula {
                        latex: latex.to_owned(),
                        read_as: String::new(),
                        formulas: 0,
                    });
                    // Formulas keep their places.
                    formulas.push(Nearest::default());
                }
                Err(other) => return Err(other),
            }
        }
        let all = Asked {
            settings,
            words,
            formulas,
        };
        Ok((all, asked, notes))
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

/// How many texts were found, and those of the wanted ranks by their numbers: the best first, equal
/// ones in the order of the collection.
fn ranked(
    request: &AskRequest,
    settings: &AskSettings,
    rows: &[TextRow],
    scores: &[TextScore],
) -> (usize, Vec<usize>) {
    let is_wanted = |row: &TextRow| {
        let needed = TextRow::IS_RESULT
            | if request.answers {
                TextRow::IS_ANSWER
            } else {
                0
            };
        row.flags & needed == needed
    };
    let found = rows.iter().zip(scores).enumerate();
    let mut found: Vec<(f64, usize)> = found
        .filter(|(_, (row, _))| is_wanted(row))
        .map(|(text, (_, score))| (score.sum(settings), text))
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
