//! Sorting more than memory holds: sorted runs on disk, then a merge.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// The longest record: offsets are 32 bits.
const MAX_RECORD_BYTES: usize = 1 << 30;

/// Where a record is in the arena.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    start: u32,
    key: u32,
    value: u32,
}

/// Sorts records by their keys, equal keys in the order of arrival.
pub(super) struct Sorter {
    folder: PathBuf,
    budget: usize,
    arena: Vec<u8>,
    slots: Vec<Slot>,
    runs: Vec<File>,
}

impl Sorter {
    /// A sorter that spills to `folder` and keeps about `budget` bytes in memory.
    pub(super) fn new(folder: &Path, budget: usize) -> Self {
        Sorter {
            folder: folder.to_path_buf(),
            budget: budget.min(u32::MAX as usize / 2),
            arena: Vec::new(),
            slots: Vec::new(),
            runs: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, key: &[u8], value: &[u8]) -> io::Result<()> {
        let more = key.len() + value.len() + size_of::<Slot>();
        if self.used() + more > self.budget && !self.slots.is_empty() {
            self.spill()?;
        }
        if more > MAX_RECORD_BYTES {
            let what = "one formula's occurrences are more than 1 GiB";
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
        }
        self.slots.push(Slot {
            start: self.arena.len() as u32,
            key: key.len() as u32,
            value: value.len() as u32,
        });
        self.arena.extend_from_slice(key);
        self.arena.extend_from_slice(value);
        Ok(())
    }

    fn used(&self) -> usize {
        self.arena.len() + self.slots.len() * size_of::<Slot>()
    }

    fn sort(&mut self) {
        let arena = &self.arena;
        let key = |slot: &Slot| &arena[slot.start as usize..(slot.start + slot.key) as usize];
        self.slots
            .sort_unstable_by(|a, b| key(a).cmp(key(b)).then(a.start.cmp(&b.start)));
    }

    fn spill(&mut self) -> io::Result<()> {
        self.sort();
        let mut out = BufWriter::with_capacity(1 << 18, tempfile::tempfile_in(&self.folder)?);
        for slot in &self.slots {
            let start = slot.start as usize;
            let end = start + (slot.key + slot.value) as usize;
            out.write_all(&slot.key.to_le_bytes())?;
            out.write_all(&slot.value.to_le_bytes())?;
            out.write_all(&self.arena[start..end])?;
        }
        let mut file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        self.runs.push(file);
        self.arena.clear();
        self.slots.clear();
        Ok(())
    }

    /// All records, in order.
    pub(super) fn finish(mut self) -> io::Result<Merge> {
        if self.runs.is_empty() {
            self.sort();
            return Ok(Merge::Memory {
                arena: self.arena,
                slots: self.slots.into_iter(),
            });
        }
        self.spill()?;
        self.arena = Vec::new();
        let mut runs = Vec::with_capacity(self.runs.len());
        let mut heads = BinaryHeap::new();
        for (number, file) in self.runs.into_iter().enumerate() {
            let mut run = BufReader::with_capacity(1 << 17, file);
            if let Some((key, value)) = read_record(&mut run)? {
                heads.push(Reverse((key, number, value)));
            }
            runs.push(run);
        }
        Ok(Merge::Disk { runs, heads })
    }
}

/// Sorted records, from memory or merged from runs.
pub(super) enum Merge {
    Memory {
        arena: Vec<u8>,
        slots: std::vec::IntoIter<Slot>,
    },
    Disk {
        runs: Vec<BufReader<File>>,
        heads: BinaryHeap<Reverse<Head>>,
    },
}

/// The next record of a run: its key, the run, its value.
type Head = (Vec<u8>, usize, Vec<u8>);

impl Merge {
    /// The next key and value.
    pub(super) fn next(&mut self) -> io::Result<Option<(Vec<u8>, Vec<u8>)>> {
        match self {
            Merge::Memory { arena, slots } => Ok(slots.next().map(|slot| {
                let start = slot.start as usize;
                let middle = start + slot.key as usize;
                let end = middle + slot.value as usize;
                (arena[start..middle].to_vec(), arena[middle..end].to_vec())
            })),
            Merge::Disk { runs, heads } => {
                let Some(Reverse((key, number, value))) = heads.pop() else {
                    return Ok(None);
                };
                if let Some((key, value)) = read_record(&mut runs[number])? {
                    heads.push(Reverse((key, number, value)));
                }
                Ok(Some((key, value)))
            }
        }
    }
}

fn read_record(run: &mut impl Read) -> io::Result<Option<(Vec<u8>, Vec<u8>)>> {
    let mut lengths = [0; 8];
    match run.read_exact(&mut lengths) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let [a, b, c, d, e, f, g, h] = lengths;
    let mut key = vec![0; u32::from_le_bytes([a, b, c, d]) as usize];
    let mut value = vec![0; u32::from_le_bytes([e, f, g, h]) as usize];
    run.read_exact(&mut key)?;
    run.read_exact(&mut value)?;
    Ok(Some((key, value)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sorts_alike_in_memory_and_on_disk(
            records in proptest::collection::vec(("[a-c]{1,3}", ".{0,4}"), 0..200),
            budget in prop_oneof![Just(1usize), Just(300), Just(1 << 20)],
        ) {
            let folder = tempfile::tempdir().unwrap();
            let mut sorter = Sorter::new(folder.path(), budget);
            for (key, value) in &records {
                sorter.push(key.as_bytes(), value.as_bytes()).unwrap();
            }
            let mut merge = sorter.finish().unwrap();
            let sorted: Vec<(Vec<u8>, Vec<u8>)> = std::iter::from_fn(|| merge.next().unwrap()).collect();
            let mut expected: Vec<(Vec<u8>, Vec<u8>)> =
                records.into_iter().map(|(k, v)| (k.into_bytes(), v.into_bytes())).collect();
            expected.sort_by(|a, b| a.0.cmp(&b.0));
            prop_assert_eq!(sorted, expected);
        }
    }
}
