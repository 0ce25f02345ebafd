//! What is shown of a text: its title, and the passage that says most of what was asked.

use std::collections::HashMap;

use super::rank::{Asked, TextScore};
use super::response::{AskedWord, PassagePart, TextHit};
use super::score::Bm25;
use crate::corpus::TextPart;
use crate::index::words::Analyzer;
use crate::index::{IndexError, StoredText};
use crate::phoc::AskSettings;
use crate::search::Searcher;

/// About how many characters a passage has.
const PASSAGE: usize = 320;

/// What of texts was matched, and what each match is worth.
pub(super) struct Matched {
    /// What a word of the question is worth, by its stem.
    words: HashMap<String, f64>,
    /// The formula of the question, by its place from 0, that a formula of the index is most like,
    /// how alike they are, and what the match is worth.
    formulas: HashMap<u32, Match>,
}

#[derive(Debug, Clone, Copy)]
struct Match {
    query: usize,
    likeness: f64,
    worth: f64,
}

/// A part of a text that is shown as a whole: a word with what follows it, or a formula.
struct Piece {
    part: PassagePart,
    /// Its length in characters.
    length: usize,
    /// What it matches: a word's stem, or a formula of the question.
    matches: Option<(Term, f64)>,
    /// Whether a sentence or a paragraph begins with it.
    begins: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Term {
    Word(String),
    Formula(usize),
}

impl Matched {
    pub(super) fn new(asked: &Asked, searcher: &Searcher, words: &[AskedWord]) -> Self {
        let settings = &asked.settings;
        let texts = searcher.index().meta().texts.clone().unwrap_or_default();
        let bm25 = Bm25::new(settings, texts.results, texts.words);
        let weighed = words.iter().filter(|word| word.texts > 0).map(|word| {
            let worth = (1.0 - settings.alpha) * bm25.idf(word.texts);
            (word.stem.clone(), worth)
        });
        let mut formulas: HashMap<u32, Match> = HashMap::new();
        let rarest = bm25.idf(1);
        for (query, nearest) in asked.formulas.iter().enumerate() {
            for (formula, likeness) in &nearest.formulas {
                let one = Match {
                    query,
                    likeness: *likeness,
                    worth: settings.alpha * likeness * rarest,
                };
                let known = formulas.entry(*formula as u32).or_insert(one);
                if known.likeness < one.likeness {
                    *known = one;
                }
            }
        }
        Matched {
            words: weighed.collect(),
            formulas,
        }
    }

    /// A text as a result.
    pub(super) fn hit(
        &self,
        searcher: &Searcher,
        rank: usize,
        number: usize,
        score: TextScore,
        settings: &AskSettings,
    ) -> Result<TextHit, IndexError> {
        let stored = searcher.index().text(number)?;
        let question = match stored.question {
            Some(question) => Some(searcher.index().text(question as usize)?),
            None => None,
        };
        let mut analyzer = Analyzer::default();
        // An answer has the title of its question.
        let titled = question.as_ref().unwrap_or(&stored);
        let title = self.pieces(&titled.text.title, &titled.formulas, &mut analyzer);
        let title_parts: Vec<PassagePart> = title.into_iter().map(|piece| piece.part).collect();
        let own = formulas_of_body(&stored);
        let mut passage = passage(self.pieces(&stored.text.body, own, &mut analyzer));
        let mut passage_in_question = false;
        // What an answer itself does not say, its question does.
        if let Some(question) = &question
            && !is_matched(&passage)
            && !is_matched(&title_parts)
        {
            let formulas = formulas_of_body(question);
            let asked = self.pieces(&question.text.body, formulas, &mut analyzer);
            let asked = self::passage(asked);
            if is_matched(&asked) {
                (passage, passage_in_question) = (asked, true);
            }
        }
        let asked = question.as_ref().map(|question| question.text.id());
        let (line, url) = (stored.text.line, searcher.text_url(&stored.text));
        Ok(TextHit {
            rank,
            id: stored.text.id(),
            score: score.sum(settings),
            words_score: (1.0 - settings.alpha) * score.words,
            formulas_score: settings.alpha * score.formulas,
            title: PassagePart::as_text(&title_parts).trim().to_owned(),
            title_parts,
            passage,
            passage_in_question,
            question: asked,
            tags: question.map_or(stored.text.tags, |question| question.text.tags),
            kind: stored.text.kind,
            document: stored.text.document,
            source: stored.text.source,
            line,
            url,
            text: number,
        })
    }

    fn pieces(
        &self,
        parts: &[TextPart],
        formulas: &[Option<u32>],
        analyzer: &mut Analyzer,
    ) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut formulas = formulas.iter();
        let mut begins = true;
        for part in parts {
            match part {
                TextPart::Break => {
                    pieces.push(Piece::text(" ", false));
                    begins = true;
                }
                TextPart::Row(_) => {
                    formulas.next();
                }
                TextPart::Formula(latex) => {
                    let number = formulas.next().copied().flatten();
                    let found = number.and_then(|number| self.formulas.get(&number));
                    pieces.push(Piece {
                        length: latex.chars().count().div_ceil(2),
                        matches: found.map(|found| (Term::Formula(found.query), found.worth)),
                        begins: std::mem::take(&mut begins),
                        part: PassagePart::Formula {
                            latex: latex.clone(),
                            query: found.map(|found| found.query + 1),
                            likeness: found.map(|found| found.likeness),
                        },
                    });
                }
                TextPart::Words(text) => self.words(text, &mut begins, analyzer, &mut pieces),
            }
        }
        pieces
    }

    /// The words of a text as pieces; `begins` says whether a sentence begins with it, and then
    /// whether one begins after it.
    fn words(
        &self,
        text: &str,
        begins: &mut bool,
        analyzer: &mut Analyzer,
        pieces: &mut Vec<Piece>,
    ) {
        let mut matches = analyzer.words(text).into_iter().filter_map(|token| {
            let worth = *self.words.get(&token.text)?;
            Some((token.offset_from..token.offset_to, token.text, worth))
        });
        let mut next = matches.next();
        let mut at = 0;
        // Words with the white space after them.
        for word in text.split_inclusive(char::is_whitespace) {
            let end = at + word.len();
            let mut from = at;
            while let Some((range, stem, worth)) = next.take_if(|(range, ..)| range.start < end) {
                if from < range.start {
                    pieces.push(Piece::text(
                        &text[from..range.start],
                        std::mem::take(begins),
                    ));
                }
                let mut piece = Piece::text(&text[range.clone()], std::mem::take(begins));
                piece.matches = Some((Term::Word(stem), worth));
                if let PassagePart::Text { matched, .. } = &mut piece.part {
                    *matched = true;
                }
                pieces.push(piece);
                from = range.end;
                next = matches.next();
            }
            if from < end {
                let is_said = !text[from..end].trim().is_empty();
                pieces.push(Piece::text(&text[from..end], *begins && is_said));
                *begins &= !is_said;
            }
            *begins |= word.trim_end().ends_with(['.', '!', '?', ':']);
            at = end;
        }
    }
}

impl Piece {
    fn text(text: &str, begins: bool) -> Self {
        Piece {
            length: text.chars().count(),
            matches: None,
            begins,
            part: PassagePart::Text {
                text: text.split_whitespace().collect::<Vec<_>>().join(" ")
                    + if text.ends_with(char::is_whitespace) {
                        " "
                    } else {
                        ""
                    },
                matched: false,
            },
        }
    }
}

/// Whether anything in parts of a text was matched.
fn is_matched(parts: &[PassagePart]) -> bool {
    parts.iter().any(|part| match part {
        PassagePart::Text { matched, .. } => *matched,
        PassagePart::Formula { query, .. } => query.is_some(),
        PassagePart::Gap => false,
    })
}

/// The numbers of the formulas of a text that come after its title.
fn formulas_of_body(stored: &StoredText) -> &[Option<u32>] {
    let title = stored.text.title.iter();
    let in_title = title.filter(|part| part.latex().is_some()).count();
    stored.formulas.get(in_title..).unwrap_or_default()
}

/// The best passage of about [`PASSAGE`] characters: of those that begin with a sentence, the first
/// of those in which what was matched is worth most, each term once.
fn passage(pieces: Vec<Piece>) -> Vec<PassagePart> {
    let mut best = (-1.0, 0..0);
    let starts = pieces.iter().enumerate();
    for (start, _) in starts.filter(|(_, piece)| piece.begins) {
        let (mut length, mut worth, mut end) = (0, 0.0, start);
        let mut seen: HashMap<&Term, f64> = HashMap::new();
        while end < pieces.len() && (length < PASSAGE || end == start) {
            let piece = &pieces[end];
            if let Some((term, more)) = &piece.matches {
                let known = seen.entry(term).or_default();
                worth += (more - *known).max(0.0);
                *known = known.max(*more);
            }
            length += piece.length;
            end += 1;
        }
        if worth > best.0 {
            best = (worth, start..end);
        }
    }
    let (_, range) = best;
    let (is_begun, is_cut) = (range.start > 0, range.end < pieces.len());
    let chosen = pieces.into_iter().skip(range.start).take(range.len());
    let mut parts = joined(chosen.map(|piece| piece.part));
    if is_begun {
        parts.insert(0, PassagePart::Gap);
    }
    if is_cut {
        parts.push(PassagePart::Gap);
    }
    parts
}

/// Parts with texts that follow one another joined.
fn joined(parts: impl Iterator<Item = PassagePart>) -> Vec<PassagePart> {
    let mut all: Vec<PassagePart> = Vec::new();
    for part in parts {
        if let (
            Some(PassagePart::Text {
                text: before,
                matched: false,
            }),
            PassagePart::Text {
                text,
                matched: false,
            },
        ) = (all.last_mut(), &part)
        {
            if !(before.ends_with(' ') && text == " ") {
                before.push_str(text);
            }
        } else {
            all.push(part);
        }
    }
    all
}
