//! The texts of an index, and which formulas they hold.

use super::blocks::Blocks;
use super::open::Index;
use crate::index::format::{
    BLOCK, IndexError, Section, StoredText, TextRow, VarintReader, record_in,
};

impl Index {
    /// How many texts it has: posts, and sections of files.
    pub fn texts(&self) -> usize {
        self.meta()
            .texts
            .as_ref()
            .map_or(0, |texts| texts.texts as usize)
    }

    /// A text by its number.
    ///
    /// # Errors
    /// When there is none, or the index is damaged there.
    pub fn text(&self, number: usize) -> Result<StoredText, IndexError> {
        let block = self.text_blocks().block(number / BLOCK);
        let read =
            block.and_then(|block| VarintReader(record_in(&block, number % BLOCK)?).stored_text());
        self.sound(read.ok_or_else(|| self.damaged(format!("text {number} does not read"))))
    }

    /// What is counted of all texts.
    pub(crate) fn text_rows(&self) -> Result<&[TextRow], IndexError> {
        let rows = self.sections.column(Section::TextRows).all();
        rows.ok_or_else(|| self.damaged("the counts of its texts do not read".to_owned()))
    }

    /// Calls `each` with every text that holds a formula, in order, and how often it does.
    pub(crate) fn texts_of(
        &self,
        formula: usize,
        mut each: impl FnMut(u32, u32),
    ) -> Result<(), IndexError> {
        if self.meta().texts.is_none() {
            return Ok(());
        }
        let mut read = || {
            let starts = self.sections.column::<u64>(Section::OccurrenceStarts);
            let [start, end]: [u64; 2] = starts.get(formula..formula + 2)?.try_into().ok()?;
            let bytes = self.sections.column::<u8>(Section::Occurrences);
            let bytes = bytes.get(start.try_into().ok()?..end.try_into().ok()?)?;
            let (mut reader, mut text) = (VarintReader(bytes), 0u64);
            while !reader.0.is_empty() {
                text = text.checked_add(reader.number()?)?;
                let times = u32::try_from(reader.number()?).ok()?;
                let number = u32::try_from(text).ok()?;
                ((number as usize) < self.texts()).then(|| each(number, times))?;
            }
            Some(())
        };
        read().ok_or_else(|| self.damaged(format!("the texts of formula {formula} do not read")))
    }

    fn text_blocks(&self) -> Blocks<'_> {
        Blocks {
            offsets: self.sections.column(Section::TextOffsets),
            bytes: self.sections.column(Section::Texts),
        }
    }
}

#[cfg(feature = "ask")]
impl Index {
    /// That the index of words does not read.
    pub(crate) fn unreadable_words(&self, error: &std::io::Error) -> IndexError {
        self.damaged(format!("its index of words does not read: {error}"))
    }

    /// The index of words.
    ///
    /// # Errors
    /// When the index has no texts, was made by another way from text to words, or is damaged.
    pub(crate) fn words(&self) -> Result<&super::words::Words, IndexError> {
        if let Some(words) = self.words.get() {
            return Ok(words);
        }
        let Some(texts) = &self.meta().texts else {
            return Err(IndexError::NoTexts {
                path: self.path().to_path_buf(),
            });
        };
        if texts.analyzer != crate::index::words::ANALYZER {
            return Err(self.damaged("its words were made in another way".to_owned()));
        }
        let sections = std::sync::Arc::clone(&self.sections);
        let opened = super::words::Words::open(sections, &texts.files);
        let words = opened
            .map_err(|error| self.damaged(format!("its index of words does not open: {error}")))?;
        Ok(self.words.get_or_init(|| words))
    }
}
