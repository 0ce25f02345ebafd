//! Checksums of a file, chunk by chunk.
//!
//! Everything after the header and before the section [`Sums`](super::Section::Sums), which is the
//! last, is covered: sections and the zeros between them. Chunks begin at multiples of [`CHUNK`];
//! the first is shorter, because the header is before it, and so is the last.

use std::ops::Range;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::header::HEADER_END;

/// The bytes of a chunk: four pages. A search checks each chunk that it is the first to read, which
/// takes a microsecond or two.
pub(in crate::index) const CHUNK: usize = 1 << 14;

/// The checksum of some bytes.
pub(in crate::index) fn checksum(bytes: &[u8]) -> u64 {
    xxh3_64(bytes)
}

/// How many chunks there are before `end`.
pub(in crate::index) fn chunks_before(end: usize) -> usize {
    end.div_ceil(CHUNK)
}

/// The bytes of the file that are the chunk of this number, where the last ends at `end`.
pub(in crate::index) fn chunk(number: usize, end: usize) -> Range<usize> {
    let start = (number * CHUNK).max(HEADER_END);
    start..((number + 1) * CHUNK).min(end).max(start)
}

/// Computes the checksums of chunks while the bytes after the header are written.
pub(in crate::index) struct ChunkSums {
    sums: Vec<u64>,
    hash: Xxh3,
    /// How many bytes of the chunk are still to come.
    room: usize,
}

impl ChunkSums {
    pub(in crate::index) fn new() -> Self {
        ChunkSums {
            sums: Vec::new(),
            hash: Xxh3::new(),
            room: CHUNK - HEADER_END,
        }
    }

    /// Adds the next bytes of the file.
    pub(in crate::index) fn push(&mut self, mut bytes: &[u8]) {
        while bytes.len() >= self.room {
            let (these, rest) = bytes.split_at(self.room);
            self.hash.update(these);
            self.sums.push(self.hash.digest());
            self.hash.reset();
            (self.room, bytes) = (CHUNK, rest);
        }
        self.hash.update(bytes);
        self.room -= bytes.len();
    }

    /// The checksum of each chunk; `end` is where the last byte was.
    pub(in crate::index) fn finish(mut self, end: u64) -> Vec<u64> {
        if !end.is_multiple_of(CHUNK as u64) {
            self.sums.push(self.hash.digest());
        }
        self.sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However the bytes come, every one is in the checksum of one chunk.
    #[test]
    fn sums_are_those_of_the_chunks() {
        for length in [
            0,
            1,
            CHUNK - HEADER_END,
            CHUNK,
            3 * CHUNK - HEADER_END,
            70_001,
        ] {
            let end = HEADER_END + length;
            let file: Vec<u8> = (0..end).map(|at| (at * 7 / 3) as u8).collect();
            for step in [1000, CHUNK - 1, CHUNK, 5 * CHUNK] {
                let mut sums = ChunkSums::new();
                file[HEADER_END..]
                    .chunks(step)
                    .for_each(|bytes| sums.push(bytes));
                let sums = sums.finish(end as u64);
                assert_eq!(sums.len(), chunks_before(end));
                let covered: Vec<u8> = (0..sums.len())
                    .flat_map(|number| file[chunk(number, end)].to_vec())
                    .collect();
                assert_eq!(covered, file[HEADER_END..]);
                let expected = (0..sums.len()).map(|number| checksum(&file[chunk(number, end)]));
                assert!(expected.eq(sums), "{length} {step}");
            }
        }
    }
}
