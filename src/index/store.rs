//! What is shown of a formula, in compressed blocks.

use std::cell::RefCell;
use std::io::{self, Write};
use std::str::FromStr;

use serde::Serialize;
use zstd::bulk::Decompressor;

use crate::corpus::{FormulaId, Instance, PostId, VisualId};

/// Formulas in a block. More compress better, fewer are faster to show: at
/// 32 a block is about 2 KB.
pub(super) const BLOCK: usize = 32;

/// How hard blocks are compressed.
const LEVEL: i32 = 3;

/// The largest block that is written or read: some twenty million instances.
const MAX_BLOCK_BYTES: usize = 1 << 30;

/// A distinct formula, as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Its external id: its visual id, or the id of its first instance.
    pub id: FormulaId,
    /// LaTeX of its first instance.
    pub latex: String,
    /// How often it occurs.
    pub instances: u64,
    /// Where it occurs first.
    pub first: Instance,
}

impl Entry {
    /// What tells it from other formulas in a run: its visual id, or its own id.
    pub fn visual_id(&self) -> &str {
        self.visual_id_of(&self.first)
    }

    /// The same for one of its occurrences: formulas that are merged by their layout may have
    /// visual ids of their own.
    pub fn visual_id_of<'a>(&'a self, instance: &'a Instance) -> &'a str {
        instance.visual_id_or(&self.id)
    }
}

/// Writes strings and numbers one after another.
#[derive(Debug, Default)]
pub(super) struct Packer(pub(super) Vec<u8>);

impl Packer {
    pub(super) fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// Small numbers of either sign stay small.
    pub(super) fn signed(&mut self, value: i64) {
        self.number((value << 1 ^ value >> 63) as u64);
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    pub(super) fn instance(&mut self, instance: &Instance) {
        let Instance {
            id,
            post,
            thread,
            kind,
            visual_id,
        } = instance;
        self.text(id.as_str());
        self.text(post.as_ref().map_or("", PostId::as_str));
        self.text(thread.as_deref().unwrap_or_default());
        self.text(kind.as_deref().unwrap_or_default());
        self.text(visual_id.as_ref().map_or("", VisualId::as_str));
    }

    pub(super) fn entry(&mut self, entry: &Entry) {
        self.text(entry.id.as_str());
        self.text(&entry.latex);
        self.number(entry.instances);
        self.instance(&entry.first);
    }
}

/// Reads what a [`Packer`] wrote; `None` where that is not what is there.
#[derive(Debug, Clone)]
pub(super) struct Unpacker<'a>(pub(super) &'a [u8]);

impl<'a> Unpacker<'a> {
    pub(super) fn number(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            value |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    pub(super) fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    fn str(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    pub(super) fn text(&mut self) -> Option<String> {
        self.str().map(str::to_owned)
    }

    pub(super) fn instance(&mut self) -> Option<Instance> {
        Some(Instance {
            id: self.str()?.parse().ok()?,
            post: id(self.str()?)?,
            thread: part(self.str()?),
            kind: part(self.str()?),
            visual_id: id(self.str()?)?,
        })
    }

    pub(super) fn signed(&mut self) -> Option<i64> {
        let folded = self.number()?;
        Some((folded >> 1) as i64 ^ -((folded & 1) as i64))
    }

    pub(super) fn entry(&mut self) -> Option<Entry> {
        Some(Entry {
            id: self.str()?.parse().ok()?,
            latex: self.text()?,
            instances: self.number()?,
            first: self.instance()?,
        })
    }
}

/// A text that is there, or none where it is empty.
fn part(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// An id that is there, none where it is empty, or nothing where it is no id.
fn id<T: FromStr>(text: &str) -> Option<Option<T>> {
    if text.is_empty() {
        Some(None)
    } else {
        text.parse().ok().map(Some)
    }
}

/// Writes records in blocks, each record with its length.
pub(super) struct BlockWriter<W> {
    out: W,
    is_compressed: bool,
    block: Packer,
    records: usize,
    /// Where each block begins, and the last ends.
    pub(super) offsets: Vec<u64>,
}

impl<W: Write> BlockWriter<W> {
    pub(super) fn new(out: W, is_compressed: bool) -> Self {
        BlockWriter {
            out,
            is_compressed,
            block: Packer::default(),
            records: 0,
            offsets: vec![0],
        }
    }

    pub(super) fn push(&mut self, record: &[u8]) -> io::Result<()> {
        self.block.bytes(record);
        self.records += 1;
        if self.records == BLOCK {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.block.0.len() > MAX_BLOCK_BYTES {
            let what = "the occurrences of 32 formulas are more than 1 GiB";
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
        }
        let compressed;
        let packed = if self.is_compressed {
            compressed = zstd::bulk::compress(&self.block.0, LEVEL)?;
            &compressed
        } else {
            &self.block.0
        };
        self.out.write_all(packed)?;
        self.offsets
            .push(self.offsets[self.offsets.len() - 1] + packed.len() as u64);
        self.block.0.clear();
        self.records = 0;
        Ok(())
    }

    /// Writes what is left, and gives back the output.
    pub(super) fn finish(mut self) -> io::Result<(W, Vec<u64>)> {
        if self.records > 0 {
            self.flush()?;
        }
        self.out.flush()?;
        Ok((self.out, self.offsets))
    }
}

thread_local! {
    /// Making one takes longer than unpacking does: kept, a topic's 1000 entries
    /// of the sample took 8.6 ms where they took 24.
    static UNPACKER: RefCell<Option<Decompressor<'static>>> = RefCell::new(Decompressor::new().ok());
}

/// Compressed records, mapped.
#[derive(Debug, Clone, Copy)]
pub(super) struct Blocks<'a> {
    pub(super) offsets: &'a [u64],
    pub(super) bytes: &'a [u8],
}

impl<'a> Blocks<'a> {
    /// A block as it is stored.
    pub(super) fn stored(&self, number: usize) -> Option<&'a [u8]> {
        let start = usize::try_from(*self.offsets.get(number)?).ok()?;
        let end = usize::try_from(*self.offsets.get(number + 1)?).ok()?;
        self.bytes.get(start..end)
    }

    /// A compressed block, unpacked.
    pub(super) fn block(&self, number: usize) -> Option<Vec<u8>> {
        let packed = self.stored(number)?;
        let size = Decompressor::upper_bound(packed)?.min(MAX_BLOCK_BYTES);
        UNPACKER.with_borrow_mut(|unpacker| unpacker.as_mut()?.decompress(packed, size).ok())
    }
}

/// One record of an unpacked block.
pub(super) fn record_in(block: &[u8], number: usize) -> Option<&[u8]> {
    let mut unpacker = Unpacker(block);
    for _ in 0..number {
        unpacker.bytes()?;
    }
    unpacker.bytes()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn entries_round_trip(
            ids in proptest::collection::vec("[^\\s]{1,12}", 2),
            texts in proptest::collection::vec(proptest::option::of("[^\\s]{1,12}"), 4),
            latex in ".{0,12}",
            instances: u64,
        ) {
            let entry = Entry {
                id: ids[0].parse().unwrap(),
                latex,
                instances,
                first: Instance {
                    id: ids[1].parse().unwrap(),
                    post: texts[0].as_ref().map(|id| id.parse().unwrap()),
                    thread: texts[1].clone(),
                    kind: texts[2].clone(),
                    visual_id: texts[3].as_ref().map(|id| id.parse().unwrap()),
                },
            };
            let mut packer = Packer::default();
            packer.entry(&entry);
            prop_assert_eq!(Unpacker(&packer.0).entry(), Some(entry));
        }

        #[test]
        fn anything_can_be_unpacked_without_panic(bytes: Vec<u8>) {
            let _ = Unpacker(&bytes).entry();
        }
    }

    #[test]
    fn blocks_give_back_each_record() {
        let mut writer = BlockWriter::new(Vec::new(), true);
        for n in 0..BLOCK * 2 + 3 {
            writer.push(n.to_string().as_bytes()).unwrap();
        }
        let (bytes, offsets) = writer.finish().unwrap();
        let blocks = Blocks {
            offsets: &offsets,
            bytes: &bytes,
        };
        let record = |n: usize| record_in(&blocks.block(n / BLOCK)?, n % BLOCK).map(<[u8]>::to_vec);
        for n in 0..BLOCK * 2 + 3 {
            assert_eq!(record(n).unwrap(), n.to_string().as_bytes());
        }
        assert_eq!(record(BLOCK * 2 + 3), None);
    }
}
