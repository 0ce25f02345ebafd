//! Arranging: equal records become one formula, and formulas are ordered by
//! norm, then by external id.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

use super::build::{Progress, Stage, StageError};
use super::format::{IndexError, Section};
use super::gather::{GatheredRecord, pack_tokens, unpack_tokens};
use super::glyphs::Row;
use super::invert::Inverter;
use super::posting::Payload;
use super::spill::{Merge, Sorter};
use super::store::{BlockWriter, Entry, Packer, Unpacker};
use super::writer::IndexWriter;
use crate::corpus::Instance;

/// What formulas are made of, and with what means.
pub(super) struct Sources<'a> {
    /// Records, by what makes them equal.
    pub(super) records: Sorter,
    /// Where to spill.
    pub(super) scratch: &'a Path,
    /// About how many bytes of memory to use.
    pub(super) memory: usize,
    /// Whether a formula goes by its visual id, where it has one.
    pub(super) by_visual_id: bool,
    /// What layouts are made of, where they are kept.
    pub(super) glyphs: Option<Vec<Row>>,
}

/// Formulas in their order, all but their postings.
pub(super) struct Arranged {
    pub(super) formulas: u64,
    /// Each norm and the first formula that has it.
    pub(super) norms: Vec<[u32; 2]>,
    /// The place of each formula's external id among all.
    pub(super) id_ranks: Vec<u32>,
    /// Formulas whose id another formula has too, but for the first of each id.
    pub(super) same_ids: u64,
    pub(super) entries: Stored,
    pub(super) instances: Stored,
    /// Where they are kept.
    pub(super) layouts: Option<Stored>,
    /// What they are made of.
    pub(super) glyphs: Vec<Row>,
}

impl Arranged {
    pub(super) fn store_bytes(&self) -> u64 {
        let stores = [&self.entries, &self.instances].into_iter();
        let bytes = |store: &Stored| store.bytes() + size_of_val(&store.offsets[..]) as u64;
        stores.chain(&self.layouts).map(bytes).sum::<u64>() + size_of_val(&self.glyphs[..]) as u64
    }

    pub(super) fn write(self, out: &mut IndexWriter) -> io::Result<()> {
        out.whole(Section::Norms, bytemuck::cast_slice(&self.norms))?;
        out.whole(Section::IdRanks, bytemuck::cast_slice(&self.id_ranks))?;
        self.entries
            .write(out, Section::EntryOffsets, Section::Entries)?;
        self.instances
            .write(out, Section::InstanceOffsets, Section::Instances)?;
        out.whole(Section::Glyphs, bytemuck::cast_slice(&self.glyphs))?;
        match self.layouts {
            Some(layouts) => layouts.write(out, Section::LayoutOffsets, Section::Layouts),
            None => {
                out.whole(Section::LayoutOffsets, &[])?;
                out.whole(Section::Layouts, &[])
            }
        }
    }
}

/// A store that was written aside.
pub(super) struct Stored {
    file: File,
    offsets: Vec<u64>,
}

impl Stored {
    fn bytes(&self) -> u64 {
        self.offsets.last().copied().unwrap_or(0)
    }

    fn write(self, out: &mut IndexWriter, offsets: Section, blocks: Section) -> io::Result<()> {
        out.whole(offsets, bytemuck::cast_slice(&self.offsets))?;
        let length = self.bytes();
        out.copy(blocks, self.file, length)
    }
}

type Store = BlockWriter<BufWriter<File>>;

fn stored(store: Store) -> io::Result<Stored> {
    let (out, offsets) = store.finish()?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    Ok(Stored { file, offsets })
}

/// Makes formulas of records, and hands their tokens to the inverter.
pub(super) fn arrange<P: Payload>(
    sources: Sources,
    indexed: u64,
    inverter: &mut Inverter<P>,
    progress: &Progress,
) -> Result<Arranged, StageError> {
    let Sources {
        records,
        scratch,
        memory,
        by_visual_id,
        glyphs,
    } = sources;
    progress.begin(Stage::Merging, indexed);
    let mut formulas = Sorter::new(scratch, memory / 3);
    let count = merge(records.finish()?, by_visual_id, &mut formulas, progress)?;
    if count > u64::from(u32::MAX) {
        return Err(IndexError::TooMany("formulas").into());
    }
    progress.begin(Stage::Ordering, count);
    let store = |is_compressed| -> io::Result<Store> {
        let out = BufWriter::with_capacity(1 << 20, tempfile::tempfile_in(scratch)?);
        Ok(BlockWriter::new(out, is_compressed))
    };
    let (mut entries, mut instances) = (store(true)?, store(true)?);
    let mut layouts = glyphs.as_ref().map(|_| store(false)).transpose()?;
    let mut ids = Sorter::new(scratch, memory / 8);
    let mut norms: Vec<[u32; 2]> = Vec::new();
    let mut formulas = formulas.finish()?;
    let mut number = 0u32;
    while let Some((key, value)) = formulas.next()? {
        let formula = Formula::unpack(&value).ok_or_else(torn)?;
        let (norm, id) = key.split_first_chunk().ok_or_else(torn)?;
        let norm = u32::from_be_bytes(*norm);
        if norms.last().is_none_or(|last| last[0] != norm) {
            norms.push([norm, number]);
        }
        entries.push(formula.entry)?;
        instances.push(formula.instances)?;
        if let Some(layouts) = &mut layouts {
            layouts.push(formula.layout)?;
        }
        ids.push(id, &number.to_le_bytes())?;
        inverter.push(number, &formula.tokens)?;
        number += 1;
        progress.advance(1)?;
    }
    let (id_ranks, same_ids) = id_ranks(ids.finish()?, count as usize)?;
    Ok(Arranged {
        formulas: count,
        norms,
        id_ranks,
        same_ids,
        entries: stored(entries)?,
        instances: stored(instances)?,
        layouts: layouts.map(stored).transpose()?,
        glyphs: glyphs.unwrap_or_default(),
    })
}

/// A spilled record that does not read as it was written.
fn torn() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a temporary file was damaged")
}

/// Gathers the records of each formula; the first of them stands for all.
fn merge(
    mut records: Merge,
    by_visual_id: bool,
    formulas: &mut Sorter,
    progress: &Progress,
) -> Result<u64, StageError> {
    let mut count = 0;
    let mut open: Option<Group> = None;
    while let Some((key, value)) = records.next()? {
        progress.advance(1)?;
        let (group, ordinal) = key.split_at(16);
        let record = GatheredRecord::unpack(&value).ok_or_else(torn)?;
        match &mut open {
            Some(open) if open.group == group => open.add(&record.instance),
            _ => {
                let mut next = Group {
                    group: group.to_vec(),
                    ordinal: ordinal.to_vec(),
                    latex: record.latex,
                    norm: record.norm,
                    tokens: record.tokens,
                    layout: record.layout,
                    first: record.instance.clone(),
                    count: 0,
                    instances: Packer::default(),
                };
                next.add(&record.instance);
                if let Some(done) = open.replace(next) {
                    done.push_to(formulas, by_visual_id)?;
                    count += 1;
                }
            }
        }
    }
    if let Some(done) = open {
        done.push_to(formulas, by_visual_id)?;
        count += 1;
    }
    Ok(count)
}

/// The records of one formula.
struct Group {
    group: Vec<u8>,
    ordinal: Vec<u8>,
    latex: String,
    norm: u32,
    tokens: Vec<(u32, u128)>,
    /// The layout of the first, packed.
    layout: Vec<u8>,
    first: Instance,
    count: u64,
    /// All of them, packed: one symbol may occur a million times.
    instances: Packer,
}

impl Group {
    fn add(&mut self, instance: &Instance) {
        self.count += 1;
        self.instances.instance(instance);
    }

    fn push_to(self, formulas: &mut Sorter, by_visual_id: bool) -> io::Result<()> {
        let first = self.first;
        let id = match &first.visual_id {
            Some(visual_id) if by_visual_id => visual_id.clone().into(),
            _ => first.id.clone(),
        };
        let mut key = self.norm.to_be_bytes().to_vec();
        key.extend(id_key(id.as_str()));
        key.extend(&self.ordinal);
        let mut entry = Packer::default();
        entry.entry(&Entry {
            id,
            latex: self.latex,
            instances: self.count,
            first,
        });
        let mut value = Packer::default();
        value.bytes(&entry.0);
        value.bytes(&self.instances.0);
        pack_tokens(&self.tokens, &mut value);
        value.bytes(&self.layout);
        formulas.push(&key, &value.0)
    }
}

/// A formula on its way into the index.
struct Formula<'a> {
    entry: &'a [u8],
    instances: &'a [u8],
    tokens: Vec<(u32, u128)>,
    layout: &'a [u8],
}

impl<'a> Formula<'a> {
    fn unpack(bytes: &'a [u8]) -> Option<Self> {
        let mut unpacker = Unpacker(bytes);
        Some(Formula {
            entry: unpacker.bytes()?,
            instances: unpacker.bytes()?,
            tokens: unpack_tokens(&mut unpacker)?,
            layout: unpacker.bytes()?,
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
        let number: [u8; 4] = number.try_into().map_err(|_| torn())?;
        ranks[u32::from_le_bytes(number) as usize] = rank;
        rank += 1;
        // Which record it was follows the id.
        key.truncate(key.len().saturating_sub(size_of::<u64>()));
        same += u64::from(key == last);
        last = key;
    }
    Ok((ranks, same))
}

/// Bytes that sort as ids do: numbers by value and before other texts.
pub(super) fn id_key(id: &str) -> Vec<u8> {
    let is_number = !id.is_empty() && id.len() < 256 && id.bytes().all(|b| b.is_ascii_digit());
    let mut key = Vec::with_capacity(id.len() + 4);
    if is_number {
        let digits = id.trim_start_matches('0');
        key.extend([0, digits.len() as u8]);
        key.extend(digits.as_bytes());
    } else {
        key.push(1);
        key.extend(id.as_bytes());
    }
    // Ends the id, so that none is the beginning of another's key.
    key.push(0);
    key
}

#[cfg(test)]
mod tests {
    use super::id_key;

    #[test]
    fn ids_sort_as_numbers_where_both_are() {
        let mut ids = vec![
            "b",
            "10",
            "9",
            "a10",
            "a",
            "010",
            "2",
            "",
            "100000000000000000000000",
        ];
        ids.sort_by_key(|id| id_key(id));
        assert_eq!(
            ids,
            [
                "2",
                "9",
                "10",
                "010",
                "100000000000000000000000",
                "",
                "a",
                "a10",
                "b"
            ]
        );
    }
}
