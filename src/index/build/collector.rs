//! Collecting what was laid out, in the order in which it was read, sorted by what makes
//! records equal.

use std::collections::HashMap;
use std::io;

use super::options::BuildOptions;
use super::spill::Sorter;
use super::summary::{Reject, Summary};
use super::tokens::write_tokens;
use crate::corpus::Record;
use crate::index::codebook::PatternCounter;
use crate::index::format::{GlyphTable, VarintReader, VarintWriter};
use crate::layout::Layout;
use crate::phoc::TokenKey;

/// What became of a record.
pub(super) enum RecordOutcome {
    /// It is laid out.
    Formula(EncodedRecord),
    /// ARQMath's rules keep it out of every result.
    Withheld(&'static str),
    /// It cannot be indexed.
    Rejected(Reject),
}

/// A record that is laid out and encoded.
pub(super) struct EncodedRecord {
    pub(super) record: Record,
    /// What makes it equal to others; none where no record is.
    pub(super) group: Option<u128>,
    pub(super) norm: u32,
    pub(super) tokens: Vec<(TokenKey, u128)>,
    /// Its layout, where layouts are kept.
    pub(super) layout: Option<Layout>,
}

/// Bytes of a record's sort key that say what makes it equal to others. Its number follows.
pub(super) const RECORD_KEY_BYTES: usize = size_of::<u128>();

/// All records that can be indexed, by what makes them equal.
pub(super) struct Collector {
    pub(super) records: Sorter,
    /// Token keys in the order in which they were first seen.
    pub(super) keys: Vec<TokenKey>,
    /// The place of each key among them.
    numbers: HashMap<TokenKey, u32>,
    /// The patterns of the tokens' words.
    pub(super) patterns: PatternCounter,
    /// What layouts are made of.
    pub(super) glyphs: GlyphTable,
    /// Whether any record has a visual id.
    pub(super) has_visual_ids: bool,
    pub(super) summary: Summary,
}

impl Collector {
    pub(super) fn new(options: &BuildOptions) -> Self {
        Collector {
            records: Sorter::new(&options.scratch, options.memory() / 2),
            keys: Vec::new(),
            numbers: HashMap::new(),
            patterns: PatternCounter::new(&options.config.regions),
            glyphs: GlyphTable::default(),
            has_visual_ids: false,
            summary: Summary::default(),
        }
    }

    /// Adds the outcomes of the next records.
    pub(super) fn collect(
        &mut self,
        outcomes: Vec<RecordOutcome>,
        on_reject: &mut (dyn FnMut(&Reject) + Send),
    ) -> io::Result<()> {
        for outcome in outcomes {
            let summary = &mut self.summary;
            summary.read += 1;
            match outcome {
                RecordOutcome::Withheld(reason) => {
                    *summary.withheld.entry(reason).or_default() += 1;
                }
                RecordOutcome::Rejected(reject) => {
                    *summary.rejected.entry(reject.reason).or_default() += 1;
                    on_reject(&reject);
                }
                RecordOutcome::Formula(formula) => self.add(formula)?,
            }
        }
        Ok(())
    }

    fn add(&mut self, formula: EncodedRecord) -> io::Result<()> {
        let EncodedRecord {
            record,
            group,
            norm,
            tokens,
            layout,
        } = formula;
        let number = self.summary.indexed;
        self.summary.indexed += 1;
        self.has_visual_ids |= record.instance.visual_id.is_some();
        let group = group.unwrap_or(u128::from(number));
        let mut key = group.to_be_bytes().to_vec();
        key.extend(number.to_be_bytes());
        for (_, word) in &tokens {
            self.patterns.add(*word);
        }
        let numbered = tokens.iter().map(|(key, word)| (self.number(*key), *word));
        let tokens = write_tokens(numbered);
        let (mut instance, mut kept) = (VarintWriter::default(), VarintWriter::default());
        instance.instance(&record.instance);
        if let Some(layout) = layout {
            self.glyphs.write(&layout, &mut kept);
        }
        let parts = RecordParts {
            instance: &instance.0,
            latex: record.content.latex(),
            norm,
            tokens: &tokens,
            layout: &kept.0,
        };
        self.records.push(&key, &parts.written())
    }

    /// The number of a token, in the order in which tokens are first seen.
    fn number(&mut self, key: TokenKey) -> u32 {
        let next = self.keys.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.keys.push(key);
        }
        number
    }
}

/// A record as it is spilled. Its instance, tokens and layout are bytes that later stages pass on
/// as they are.
pub(super) struct RecordParts<'a> {
    pub(super) instance: &'a [u8],
    pub(super) latex: &'a str,
    pub(super) norm: u32,
    pub(super) tokens: &'a [u8],
    pub(super) layout: &'a [u8],
}

impl<'a> RecordParts<'a> {
    fn written(&self) -> Vec<u8> {
        let mut writer = VarintWriter::default();
        writer.bytes(self.instance);
        writer.text(self.latex);
        writer.number(u64::from(self.norm));
        writer.bytes(self.tokens);
        writer.bytes(self.layout);
        writer.0
    }

    pub(super) fn read(bytes: &'a [u8]) -> Option<Self> {
        let mut reader = VarintReader(bytes);
        Some(RecordParts {
            instance: reader.bytes()?,
            latex: reader.text()?,
            norm: u32::try_from(reader.number()?).ok()?,
            tokens: reader.bytes()?,
            layout: reader.bytes()?,
        })
    }
}
