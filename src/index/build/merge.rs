//! Merging: equal records become one formula, and formulas are ordered by norm, then by
//! external id. The tokens and the layout of a record pass through as the bytes that they are.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use super::collector::{RECORD_KEY_BYTES, RecordParts};
use super::error::{StageError, advance, corrupt_spill};
use super::facets::{FacetPairs, FacetSets};
use super::invert::Inverter;
use super::spill::{Merge, Sorter};
use super::stores::{MergedFormulas, StoreFile, StoreWriter, store};
use super::texts::place_key;
use super::tokens::read_tokens;
use crate::index::format::{
    GlyphRow, IndexError, NormStep, VarintReader, VarintWriter, id_key, write_entry,
};
use crate::index::payload::Payload;
use crate::progress::{Progress, Stage};

/// The inputs of merging, and its limits.
pub(super) struct Sources<'a> {
    /// Records, sorted by the key that equal records share.
    pub(super) records: Sorter,
    /// How many records there are.
    pub(super) indexed: u64,
    /// The folder of temporary files.
    pub(super) scratch: &'a Path,
    /// About how many bytes of memory to use.
    pub(super) memory: usize,
    /// Whether a formula's external id is its visual id, where it has one.
    pub(super) by_visual_id: bool,
    /// The pairs of types and sources.
    pub(super) facets: FacetPairs,
    /// The glyphs of all layouts, where layouts are kept.
    pub(super) glyphs: Option<Vec<GlyphRow>>,
    /// Whether records stand in texts.
    pub(super) has_texts: bool,
}

/// Makes formulas of records, and hands their tokens to the inverter.
pub(super) fn merge<P: Payload>(
    sources: Sources,
    inverter: &mut Inverter<P>,
    progress: &Progress,
) -> Result<MergedFormulas, StageError> {
    let Sources {
        scratch, memory, ..
    } = sources;
    progress.begin(Stage::Merging, sources.indexed);
    let mut formulas = Sorter::new(scratch, memory / 3);
    let records = sources.records.finish()?;
    let mut grouping = Grouping {
        by_visual_id: sources.by_visual_id,
        facets: FacetSets::new(sources.facets),
        formulas: &mut formulas,
    };
    let count = group(records, &mut grouping, progress)?;
    let facets = grouping.facets;
    if count > u64::from(u32::MAX) {
        return Err(IndexError::TooMany("formulas").into());
    }
    progress.begin(Stage::Ordering, count);
    let mut ordered = OrderedFormulas {
        norms: Vec::new(),
        ids: Sorter::new(scratch, memory / 8),
        entries: store(scratch, true),
        instances: store(scratch, true),
        layouts: sources.glyphs.as_ref().map(|_| store(scratch, false)),
        places: (sources.has_texts).then(|| Sorter::new(scratch, memory / 8)),
        facets,
    };
    let mut formulas = formulas.finish()?;
    let mut number = 0;
    while let Some((key, value)) = formulas.next()? {
        let formula = FormulaParts::read(&value).ok_or_else(corrupt_spill)?;
        ordered.push(number, &key, &formula)?;
        let tokens = read_tokens(formula.tokens).ok_or_else(corrupt_spill)?;
        inverter.push(number, &tokens)?;
        number += 1;
        advance(progress, 1)?;
    }
    ordered.finish(count, sources.glyphs.unwrap_or_default())
}

/// Formulas in their order, as they are written: all but their postings.
struct OrderedFormulas {
    norms: Vec<NormStep>,
    /// The numbers of formulas, by their external ids.
    ids: Sorter,
    entries: StoreWriter,
    instances: StoreWriter,
    /// Layouts, where they are kept.
    layouts: Option<StoreWriter>,
    /// The numbers of formulas by their texts and their places there, where there are texts.
    places: Option<Sorter>,
    facets: FacetSets,
}

impl OrderedFormulas {
    /// Adds the next formula, whose `key` is its norm and its external id.
    fn push(&mut self, number: u32, key: &[u8], formula: &FormulaParts) -> io::Result<()> {
        let (norm, id) = key.split_first_chunk().ok_or_else(corrupt_spill)?;
        let norm = u32::from_be_bytes(*norm);
        if self.norms.last().is_none_or(|last| last.norm != norm) {
            self.norms.push(NormStep {
                norm,
                first_formula: number,
            });
        }
        self.facets.push(formula.facets);
        self.entries.push(formula.entry)?;
        self.instances.push(formula.instances)?;
        if let Some(layouts) = &mut self.layouts {
            layouts.push(formula.layout)?;
        }
        if let Some(places) = &mut self.places {
            for place in formula.places.chunks_exact(PLACE_BYTES) {
                places.push(place, &number.to_le_bytes())?;
            }
        }
        self.ids.push(id, &number.to_le_bytes())
    }

    fn finish(self, count: u64, glyphs: Vec<GlyphRow>) -> Result<MergedFormulas, StageError> {
        let (id_ranks, same_ids) = id_ranks(self.ids.finish()?, count as usize)?;
        Ok(MergedFormulas {
            formulas: count,
            norms: self.norms,
            id_ranks,
            same_ids,
            entries: StoreFile::new(self.entries)?,
            instances: StoreFile::new(self.instances)?,
            layouts: self.layouts.map(StoreFile::new).transpose()?,
            facets: self.facets.finish(),
            glyphs,
            places: self.places.map(Sorter::finish).transpose()?,
        })
    }
}

/// What grouping adds formulas to.
struct Grouping<'a> {
    by_visual_id: bool,
    facets: FacetSets,
    formulas: &'a mut Sorter,
}

/// Groups the records of each formula; the first record gives the formula its text and layout.
/// Returns the number of formulas.
fn group(
    mut records: Merge,
    grouping: &mut Grouping,
    progress: &Progress,
) -> Result<u64, StageError> {
    let mut count = 0;
    let mut open: Option<Group> = None;
    while let Some((key, value)) = records.next()? {
        advance(progress, 1)?;
        match &mut open {
            Some(open) if open.key[..RECORD_KEY_BYTES] == key[..RECORD_KEY_BYTES] => {
                open.add(&value)?;
            }
            _ => {
                if let Some(done) = open.replace(Group::new(key, value)) {
                    done.push_to(grouping)?;
                    count += 1;
                }
            }
        }
    }
    if let Some(done) = open {
        done.push_to(grouping)?;
        count += 1;
    }
    Ok(count)
}

/// The records of one formula.
struct Group {
    /// The sort key of the first record: the key that equal records share, then its number.
    key: Vec<u8>,
    /// The first record, as it was spilled.
    first: Vec<u8>,
    /// The numbers of the further records' pairs of type and source.
    facets: BTreeSet<u32>,
    count: u64,
    /// All occurrences but the first, as they are stored: one symbol may occur a million times.
    instances: Vec<u8>,
    /// The texts of the further records, and their places there.
    places: Vec<u8>,
}

/// The length of a text's number and a formula's place in it.
const PLACE_BYTES: usize = 8;

impl Group {
    fn new(key: Vec<u8>, first: Vec<u8>) -> Self {
        Group {
            key,
            first,
            facets: BTreeSet::new(),
            count: 1,
            instances: Vec::new(),
            places: Vec::new(),
        }
    }

    fn add(&mut self, record: &[u8]) -> io::Result<()> {
        let record = RecordParts::read(record).ok_or_else(corrupt_spill)?;
        self.count += 1;
        self.facets.insert(record.facets);
        self.instances.extend_from_slice(record.instance);
        self.places.extend(place_of(&record));
        Ok(())
    }

    fn push_to(mut self, grouping: &mut Grouping) -> io::Result<()> {
        let record = RecordParts::read(&self.first).ok_or_else(corrupt_spill)?;
        let ids = VarintReader(record.instance).instance_ids();
        let id = match ids.ok_or_else(corrupt_spill)? {
            (_, Some(visual_id)) if grouping.by_visual_id => visual_id.into(),
            (id, _) => id,
        };
        let mut key = record.norm.to_be_bytes().to_vec();
        key.extend(id_key(id.as_str()));
        key.extend(&self.key[RECORD_KEY_BYTES..]);
        let mut entry = VarintWriter::default();
        write_entry(&mut entry, &id, record.latex, self.count, record.instance);
        self.facets.insert(record.facets);
        self.places.extend(place_of(&record));
        let mut value = VarintWriter::default();
        value.number(u64::from(grouping.facets.number(&self.facets)));
        let parts = [
            &entry.0[..],
            &self.instances,
            &self.places,
            record.tokens,
            record.layout,
        ];
        for part in parts {
            value.bytes(part);
        }
        grouping.formulas.push(&key, &value.0)
    }
}

/// The text of a record and its place there, if it stands in one.
fn place_of(record: &RecordParts) -> impl Iterator<Item = u8> {
    let place = record
        .text
        .map(|place| place_key(place.text, place.formula));
    place.into_iter().flatten()
}

/// A formula on its way into the index.
struct FormulaParts<'a> {
    /// The set of its pairs of type and source.
    facets: u32,
    entry: &'a [u8],
    instances: &'a [u8],
    /// The texts that it stands in, and its places there.
    places: &'a [u8],
    tokens: &'a [u8],
    layout: &'a [u8],
}

impl<'a> FormulaParts<'a> {
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let mut reader = VarintReader(bytes);
        Some(FormulaParts {
            facets: u32::try_from(reader.number()?).ok()?,
            entry: reader.bytes()?,
            instances: reader.bytes()?,
            places: reader.bytes()?,
            tokens: reader.bytes()?,
            layout: reader.bytes()?,
        })
    }
}

/// The place of each formula's id, from formulas in the order of their ids, and how many
/// have the id of the one before.
fn id_ranks(mut ids: Merge, count: usize) -> io::Result<(Vec<u32>, u64)> {
    let mut ranks = vec![0; count];
    let (mut rank, mut same) = (0, 0);
    let mut last = Vec::new();
    while let Some((mut key, number)) = ids.next()? {
        let number: [u8; 4] = number.try_into().map_err(|_| corrupt_spill())?;
        ranks[u32::from_le_bytes(number) as usize] = rank;
        rank += 1;
        // Which record it was follows the id.
        key.truncate(key.len().saturating_sub(size_of::<u64>()));
        same += u64::from(key == last);
        last = key;
    }
    Ok((ranks, same))
}
