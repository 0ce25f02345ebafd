//! Texts on their way into an index: their words, and the formulas that they hold.
//!
//! A text is a post or a section of a file. An answer is found by the words and formulas of its
//! question, too; a question that is answered is no result by itself. Texts are kept in temporary
//! files until it is known which formulas they hold.

use std::collections::HashMap;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use tempfile::SpooledTempFile;
use xxhash_rust::xxh3::xxh3_128;

use super::error::{StageError, advance, corrupt_spill};
use super::spill::{Merge, Sorter};
use super::stores::{StoreFile, store};
use super::temporary::{TempWriter, rewound, temp_file};
use super::writer::IndexWriter;
use crate::corpus::Text;
use crate::index::format::{Section, StoredText, TextMeta, TextRow, VarintReader, VarintWriter};
use crate::progress::{Progress, Stage};

/// Texts as they were read.
pub(super) struct TextSpool {
    file: TempWriter,
    texts: Vec<SpooledText>,
    /// How many texts earlier inputs had.
    first: u32,
}

/// What is kept in memory of a text.
#[derive(Debug, Clone, Copy)]
struct SpooledText {
    /// The length of the text in the file.
    bytes: u32,
    formulas: u32,
    role: Role,
}

/// What a text is to others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// A question, by a hash of its file and its id.
    Question(u128),
    /// The answer to a question.
    Answer(u128),
    Other,
}

impl TextSpool {
    pub(super) fn new(scratch: &Path) -> Self {
        TextSpool {
            file: temp_file(scratch),
            texts: Vec::new(),
            first: 0,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Numbers the texts of the next inputs from here on.
    pub(super) fn begin_inputs(&mut self) {
        self.first = self.texts.len() as u32;
    }

    /// The number of a text of the present inputs.
    pub(super) fn number(&self, of_inputs: u32) -> u32 {
        self.first + of_inputs
    }

    pub(super) fn push(&mut self, text: &Text) -> io::Result<()> {
        let mut written = VarintWriter::default();
        written.whole_text(text);
        self.file.write_all(&written.0)?;
        let thread = || {
            let thread = text.thread.as_deref().unwrap_or_default();
            xxh3_128(format!("{}\0{thread}", text.source).as_bytes())
        };
        let role = match text.kind.as_deref() {
            Some("question") => Role::Question(thread()),
            Some("answer") => Role::Answer(thread()),
            _ => Role::Other,
        };
        let too_long = || io::Error::new(io::ErrorKind::FileTooLarge, "a text is too long");
        self.texts.push(SpooledText {
            bytes: u32::try_from(written.0.len()).map_err(|_| too_long())?,
            formulas: text.formulas() as u32,
            role,
        });
        Ok(())
    }

    /// Which text each text answers.
    fn questions(&self) -> Vec<Option<u32>> {
        let numbered = || (0u32..).zip(&self.texts);
        let asked: HashMap<u128, u32> = numbered()
            .filter_map(|(number, text)| match text.role {
                Role::Question(thread) => Some((thread, number)),
                _ => None,
            })
            .collect();
        let question = |text: &SpooledText| match text.role {
            Role::Answer(thread) => asked.get(&thread).copied(),
            _ => None,
        };
        self.texts.iter().map(question).collect()
    }
}

/// How texts become a part of an index.
pub(super) struct TextStage<'a> {
    /// How many formulas the index has.
    pub(super) formulas: u64,
    pub(super) scratch: &'a Path,
    pub(super) memory: usize,
    pub(super) progress: &'a Progress,
}

impl TextStage<'_> {
    /// Writes the texts and all that belongs to them, where there are any.
    pub(super) fn write_any(
        self,
        spool: TextSpool,
        places: Option<Merge>,
        out: &mut IndexWriter,
    ) -> Result<Option<TextMeta>, StageError> {
        #[cfg(feature = "ask")]
        if let Some(places) = places {
            return self.write(spool, places, out).map(Some);
        }
        drop((spool, places));
        write_no_texts(out)?;
        Ok(None)
    }

    /// Writes the texts, what is counted of them, which formula is in which text, and the index of
    /// words. `places` has the number of each formula by its text and its place there.
    #[cfg(feature = "ask")]
    fn write(
        self,
        spool: TextSpool,
        places: Merge,
        out: &mut IndexWriter,
    ) -> Result<TextMeta, StageError> {
        let count = spool.texts.len();
        self.progress.begin(Stage::Texts, 2 * count as u64);
        let questions = spool.questions();
        let mut rows: Vec<TextRow> = (questions.iter().zip(&spool.texts))
            .map(|(question, text)| row(*question, text.role))
            .collect();
        for question in questions.iter().flatten() {
            rows[*question as usize].flags &= !TextRow::IS_RESULT;
        }
        let mut stored = self.store(spool, &questions, places, out)?;
        let words = super::words::WordWriter::new(self.scratch, self.memory / 2);
        let occurrences = self.count(&mut stored, &mut rows, words)?;
        let (occurrences, words) = occurrences;
        out.whole(Section::TextRows, bytemuck::cast_slice(&rows))?;
        self.write_occurrences(occurrences, out)?;
        let files = words.write(out)?;
        let results = rows.iter().filter(|row| row.flags & TextRow::IS_RESULT > 0);
        Ok(TextMeta {
            texts: count as u64,
            results: results.count() as u64,
            words: rows.iter().map(|row| u64::from(row.words)).sum(),
            formulas: rows.iter().map(|row| u64::from(row.formulas)).sum(),
            analyzer: crate::index::words::ANALYZER,
            files,
        })
    }

    /// Writes the texts with the numbers of their formulas, and keeps them for counting.
    fn store(
        &self,
        spool: TextSpool,
        questions: &[Option<u32>],
        places: Merge,
        out: &mut IndexWriter,
    ) -> Result<StoredTexts, StageError> {
        let mut file = BufReader::with_capacity(1 << 18, rewound(spool.file)?);
        let mut kept = temp_file(self.scratch);
        let mut starts = vec![0];
        let mut blocks = store(self.scratch, true);
        let mut places = Places::new(places)?;
        for (number, text) in spool.texts.iter().enumerate() {
            let formulas = places.of(number as u32, text.formulas as usize)?;
            let mut record = VarintWriter::default();
            record.text_numbers(&formulas, questions[number]);
            let start = record.0.len();
            record.0.resize(start + text.bytes as usize, 0);
            file.read_exact(&mut record.0[start..])?;
            blocks.push(&record.0)?;
            kept.write_all(&record.0)?;
            starts.push(starts[number] + record.0.len() as u64);
            advance(self.progress, 1)?;
        }
        StoreFile::new(blocks)?.write(out, Section::TextOffsets, Section::Texts)?;
        Ok(StoredTexts {
            file: rewound(kept)?,
            starts,
        })
    }

    /// Counts the words and formulas of each result, and collects both.
    #[cfg(feature = "ask")]
    fn count(
        &self,
        stored: &mut StoredTexts,
        rows: &mut [TextRow],
        mut words: super::words::WordWriter,
    ) -> Result<(Merge, super::words::WordWriter), StageError> {
        let mut analyzer = crate::index::words::Analyzer::default();
        let mut occurrences = Sorter::new(self.scratch, self.memory / 4);
        for (number, row) in rows.iter_mut().enumerate() {
            let (mut own_words, mut formulas) = (Vec::new(), Vec::new());
            if row.flags & TextRow::IS_RESULT > 0 {
                let question = (row.question != TextRow::NO_TEXT).then_some(row.question as usize);
                for part in [Some(number), question].into_iter().flatten() {
                    let stored = stored.read(part)?;
                    own_words.extend(analyzer.words_of(&stored.text));
                    formulas.extend(stored.formulas.into_iter().flatten());
                }
            }
            row.words = own_words.len() as u32;
            row.formulas = formulas.len() as u32;
            words.add(own_words)?;
            formulas.sort_unstable();
            for same in formulas.chunk_by(|a, b| a == b) {
                let key = [same[0].to_be_bytes(), (number as u32).to_be_bytes()].concat();
                occurrences.push(&key, &(same.len() as u32).to_le_bytes())?;
            }
            advance(self.progress, 1)?;
        }
        Ok((occurrences.finish()?, words))
    }

    /// Writes for each formula the texts that hold it, and how often.
    fn write_occurrences(
        &self,
        mut occurrences: Merge,
        out: &mut IndexWriter,
    ) -> Result<(), StageError> {
        let mut starts = Vec::with_capacity(self.formulas as usize + 1);
        let mut written = temp_file(self.scratch);
        let (mut position, mut last) = (0, 0);
        while let Some((key, value)) = occurrences.next()? {
            let (formula, text) = key_pair(&key)?;
            while starts.len() <= formula as usize {
                starts.push(position);
                last = 0;
            }
            let mut posting = VarintWriter::default();
            posting.number(u64::from(text - last));
            posting.number(u64::from(number_of(&value)?));
            last = text;
            written.write_all(&posting.0)?;
            position += posting.0.len() as u64;
        }
        starts.resize(self.formulas as usize + 1, position);
        out.whole(Section::OccurrenceStarts, bytemuck::cast_slice(&starts))?;
        out.copy(Section::Occurrences, rewound(written)?)?;
        Ok(())
    }
}

/// Writes the sections of an index that has no texts.
fn write_no_texts(out: &mut IndexWriter) -> io::Result<()> {
    let empty = [
        Section::TextOffsets,
        Section::Texts,
        Section::TextRows,
        Section::OccurrenceStarts,
        Section::Occurrences,
        Section::Words,
    ];
    empty
        .iter()
        .try_for_each(|section| out.whole(*section, &[]))
}

fn row(question: Option<u32>, role: Role) -> TextRow {
    let is_answer = matches!(role, Role::Answer(_));
    TextRow {
        words: 0,
        formulas: 0,
        question: question.unwrap_or(TextRow::NO_TEXT),
        flags: TextRow::IS_RESULT | if is_answer { TextRow::IS_ANSWER } else { 0 },
    }
}

/// Texts with the numbers of their formulas, in a file.
struct StoredTexts {
    file: SpooledTempFile,
    starts: Vec<u64>,
}

impl StoredTexts {
    fn read(&mut self, number: usize) -> io::Result<StoredText> {
        let (start, end) = (self.starts[number], self.starts[number + 1]);
        let mut bytes = vec![0; (end - start) as usize];
        self.file.seek(SeekFrom::Start(start))?;
        self.file.read_exact(&mut bytes)?;
        VarintReader(&bytes).stored_text().ok_or_else(corrupt_spill)
    }
}

/// The numbers of formulas, by their texts and their places there.
struct Places {
    sorted: Merge,
    /// The next formula: its text, its place, its number.
    next: Option<(u32, u32, u32)>,
}

impl Places {
    fn new(sorted: Merge) -> io::Result<Self> {
        let mut places = Places { sorted, next: None };
        places.advance()?;
        Ok(places)
    }

    fn advance(&mut self) -> io::Result<()> {
        self.next = match self.sorted.next()? {
            Some((key, value)) => {
                let (text, place) = key_pair(&key)?;
                Some((text, place, number_of(&value)?))
            }
            None => None,
        };
        Ok(())
    }

    /// The numbers of the formulas of a text; none for those that are not in the index.
    fn of(&mut self, text: u32, count: usize) -> io::Result<Vec<Option<u32>>> {
        let mut formulas = vec![None; count];
        while let Some((of, place, number)) = self.next.filter(|(of, ..)| *of <= text) {
            if of == text
                && let Some(formula) = formulas.get_mut(place as usize)
            {
                *formula = Some(number);
            }
            self.advance()?;
        }
        Ok(formulas)
    }
}

/// The key of a formula in a text: sorted by the text, then by the formula's place.
pub(super) fn place_key(text: u32, place: u32) -> [u8; 8] {
    let [a, b, c, d] = text.to_be_bytes();
    let [e, f, g, h] = place.to_be_bytes();
    [a, b, c, d, e, f, g, h]
}

fn key_pair(key: &[u8]) -> io::Result<(u32, u32)> {
    let key: [u8; 8] = key.try_into().map_err(|_| corrupt_spill())?;
    let both = u64::from_be_bytes(key);
    Ok(((both >> 32) as u32, both as u32))
}

fn number_of(value: &[u8]) -> io::Result<u32> {
    let value: [u8; 4] = value.try_into().map_err(|_| corrupt_spill())?;
    Ok(u32::from_le_bytes(value))
}
