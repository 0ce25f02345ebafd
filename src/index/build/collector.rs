//! Collecting encoded records in the order of reading, and sorting them so that equal records
//! are adjacent.

use std::collections::HashMap;
use std::io;

use super::facets::FacetPairs;
use super::fields::FieldNames;
use super::options::BuildOptions;
use super::spill::Sorter;
use super::summary::{FileTally, Reject, Summary};
use super::texts::TextSpool;
use super::tokens::write_tokens;
use crate::corpus::{Record, TextPlace};
use crate::index::codebook::PatternCounter;
use crate::index::format::{GlyphTable, VarintReader, VarintWriter};
use crate::latex::macros::Definitions;
use crate::layout::Layout;
use crate::phoc::TokenKey;

/// The outcome of laying out and encoding one record.
pub(super) enum RecordOutcome {
    /// It is laid out.
    Formula(Box<EncodedRecord>),
    /// ARQMath's rules keep it out of every result.
    Withheld(&'static str),
    /// It cannot be indexed.
    Rejected(Reject),
}

/// A record that is laid out and encoded.
pub(super) struct EncodedRecord {
    pub(super) record: Record,
    /// The key that equal records share; none where no two records are equal.
    pub(super) group: Option<u128>,
    pub(super) norm: u32,
    pub(super) tokens: Vec<(TokenKey, u128)>,
    /// Its layout, where layouts are kept.
    pub(super) layout: Option<Layout>,
}

/// The length of the key that equal records share, in a record's sort key. Its number follows.
pub(super) const RECORD_KEY_BYTES: usize = size_of::<u128>();

/// All records that can be indexed, sorted so that equal ones are adjacent.
pub(super) struct Collector {
    pub(super) records: Sorter,
    /// Token keys in the order in which they were first seen.
    pub(super) keys: Vec<TokenKey>,
    /// The place of each key among them.
    numbers: HashMap<TokenKey, u32>,
    /// The patterns of the tokens' words.
    pub(super) patterns: PatternCounter,
    /// The glyphs of all layouts.
    pub(super) glyphs: GlyphTable,
    /// The names of the instances' fields.
    pub(super) fields: FieldNames,
    /// The pairs of types and sources.
    pub(super) facets: FacetPairs,
    /// The texts of the documents.
    pub(super) texts: TextSpool,
    /// What the macros of the documents mean.
    pub(super) macros: Definitions,
    /// The records of each file.
    pub(super) files: FileTally,
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
            fields: FieldNames::default(),
            facets: FacetPairs::default(),
            texts: TextSpool::new(&options.scratch),
            macros: Definitions::default(),
            files: FileTally::default(),
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
                    self.files.count(reject.place.as_ref(), Some(&reject));
                    on_reject(&reject);
                }
                RecordOutcome::Formula(formula) => self.add(*formula)?,
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
        self.files.count(record.place.as_ref(), None);
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
        let names = &mut self.fields;
        instance.instance(&record.instance, |name, value| names.number(name, value));
        if let Some(layout) = layout {
            self.glyphs.write(&layout, &mut kept);
        }
        let parts = RecordParts {
            instance: &instance.0,
            latex: record.content.latex(),
            facets: self.facets.number(&record.instance),
            text: (record.text).map(|place| TextPlace {
                text: self.texts.number(place.text),
                ..place
            }),
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
    /// The number of its pair of type and source.
    pub(super) facets: u32,
    /// In which text it stands.
    pub(super) text: Option<TextPlace>,
    pub(super) norm: u32,
    pub(super) tokens: &'a [u8],
    pub(super) layout: &'a [u8],
}

impl<'a> RecordParts<'a> {
    fn written(&self) -> Vec<u8> {
        let mut writer = VarintWriter::default();
        writer.bytes(self.instance);
        writer.text(self.latex);
        writer.number(u64::from(self.facets));
        writer.number(self.text.map_or(0, |place| u64::from(place.text) + 1));
        writer.number(self.text.map_or(0, |place| u64::from(place.formula)));
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
            facets: u32::try_from(reader.number()?).ok()?,
            text: {
                let (text, formula) = (reader.number()?, reader.number()?);
                let formula = u32::try_from(formula).ok()?;
                let text = text.checked_sub(1).map(u32::try_from).transpose().ok()?;
                text.map(|text| TextPlace { text, formula })
            },
            norm: u32::try_from(reader.number()?).ok()?,
            tokens: reader.bytes()?,
            layout: reader.bytes()?,
        })
    }
}
