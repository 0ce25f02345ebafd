//! One token's postings with their words, for jumping and for scanning.

use tantivy::columnar::Column;
use tantivy::postings::{BlockSegmentPostings, SegmentPostings};
use tantivy::query::Scorer;
use tantivy::schema::{IndexRecordOption, Term};
use tantivy::{DocId, DocSet, Score, SegmentReader};

/// The field of terms.
pub(super) const TOKENS: &str = "tokens";

/// The fast field of a token's words.
pub(super) fn word_field(token: u32) -> String {
    format!("word{token}")
}

fn column(reader: &SegmentReader, token: u32) -> tantivy::Result<Column<u64>> {
    reader.fast_fields().u64(&word_field(token))
}

fn term(reader: &SegmentReader, token: u32) -> tantivy::Result<Term> {
    let field = reader.schema().get_field(TOKENS)?;
    Ok(Term::from_field_u64(field, u64::from(token)))
}

/// A list that jumps: for formulas that hold every token.
pub(super) struct Jumping {
    postings: SegmentPostings,
    column: Column<u64>,
    word: u64,
}

impl Jumping {
    /// The list of a token that some formula holds.
    pub(super) fn open(reader: &SegmentReader, token: u32, word: u64) -> tantivy::Result<Self> {
        let term = term(reader, token)?;
        let postings = reader
            .inverted_index(term.field())?
            .read_postings(&term, IndexRecordOption::Basic)?;
        Ok(Jumping {
            postings: postings.unwrap_or_else(SegmentPostings::empty),
            column: column(reader, token)?,
            word,
        })
    }
}

impl DocSet for Jumping {
    fn advance(&mut self) -> DocId {
        self.postings.advance()
    }

    fn seek(&mut self, target: DocId) -> DocId {
        self.postings.seek(target)
    }

    fn doc(&self) -> DocId {
        self.postings.doc()
    }

    fn size_hint(&self) -> u32 {
        self.postings.size_hint()
    }
}

impl Scorer for Jumping {
    /// The bits shared here; looked up only for formulas that hold all.
    fn score(&mut self) -> Score {
        let word = self.column.first(self.doc()).unwrap_or(0);
        (word & self.word).count_ones() as Score
    }
}

/// tantivy's postings come in blocks of this many.
const BLOCK: usize = 128;

/// A list that is read from end to end, a block at a time.
pub(super) struct Scanning {
    postings: BlockSegmentPostings,
    column: Column<u64>,
    word: u64,
    /// The words of the block.
    words: [u64; BLOCK],
    /// How far the block is read.
    at: usize,
    /// How many postings were in blocks before it.
    rows: usize,
}

impl Scanning {
    /// The list of a token that some formula holds.
    pub(super) fn open(reader: &SegmentReader, token: u32, word: u64) -> tantivy::Result<Self> {
        let term = term(reader, token)?;
        let postings = reader
            .inverted_index(term.field())?
            .read_block_postings(&term, IndexRecordOption::Basic)?;
        let mut list = Scanning {
            postings: postings.unwrap_or_else(BlockSegmentPostings::empty),
            column: column(reader, token)?,
            word,
            words: [0; BLOCK],
            at: 0,
            rows: 0,
        };
        list.read_words();
        Ok(list)
    }

    fn read_words(&mut self) {
        let length = self.postings.block_len();
        let words = &mut self.words[..length];
        self.column.values.get_range(self.rows as u64, words);
    }

    /// The next formula that holds the token, if any is left.
    pub(super) fn next(&self) -> Option<DocId> {
        self.postings.docs().get(self.at).copied()
    }

    /// Calls `add` with each formula before `end` and the bits it shares.
    pub(super) fn scan_to(&mut self, end: DocId, mut add: impl FnMut(DocId, u32)) {
        loop {
            let docs = self.postings.docs();
            let length = docs.len();
            let stop = match docs.last() {
                Some(last) if *last < end => length,
                Some(_) => self.at + docs[self.at..].partition_point(|doc| *doc < end),
                None => return,
            };
            for (doc, word) in docs[self.at..stop].iter().zip(&self.words[self.at..stop]) {
                add(*doc, (word & self.word).count_ones());
            }
            self.at = stop;
            if stop < length {
                return;
            }
            self.rows += length;
            self.at = 0;
            self.postings.advance();
            self.read_words();
        }
    }
}
