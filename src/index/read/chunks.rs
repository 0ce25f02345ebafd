//! Which chunks of a file were found to be as they were written.
//!
//! A chunk is checked when it is first read and then remembered. One that differs from what was
//! written is remembered, too: whatever is read of it after that, and whichever thread does,
//! every answer is an error from then on.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::index::format::{CHUNK, checksum, chunk, chunks_before};

/// The bits of a word of the bitmap.
const WORD: usize = u64::BITS as usize;

/// The chunks of a file.
#[derive(Debug)]
pub(super) struct Chunks {
    /// A bit for each chunk that was found sound. Nothing else depends on the order in which
    /// threads see them: a thread that misses one checks the chunk again.
    are_sound: Box<[AtomicU64]>,
    /// Where their checksums are; they cover everything before.
    sums: Range<usize>,
    /// The first chunk that was found to be damaged.
    damaged: OnceLock<usize>,
}

impl Chunks {
    /// Chunks of which none was looked at yet; `sums` is where the file has their checksums.
    pub(super) fn new(sums: Range<usize>) -> Self {
        let words = chunks_before(sums.start).div_ceil(WORD);
        Chunks {
            are_sound: (0..words).map(|_| AtomicU64::new(0)).collect(),
            sums,
            damaged: OnceLock::new(),
        }
    }

    /// Whether some bytes were found to be as they were written. This is what searches wait for:
    /// the bits of a window's postings are nearly always in one word.
    #[inline]
    pub(super) fn are_known(&self, bytes: &Range<usize>) -> bool {
        let (first, last) = (bytes.start / CHUNK, bytes.end.saturating_sub(1) / CHUNK);
        let (first_bit, last_bit) = (first % WORD, last % WORD);
        let mask = u64::MAX << first_bit & u64::MAX >> (WORD - 1 - last_bit);
        let word = self.are_sound.get(first / WORD);
        first / WORD == last / WORD && word.is_some_and(|word| word.load(Relaxed) & mask == mask)
    }

    /// Whether some bytes of the file are as they were written: those that are not known are
    /// checked.
    #[cold]
    pub(super) fn are_sound(&self, file: &[u8], bytes: Range<usize>) -> bool {
        let end = bytes.end.div_ceil(CHUNK);
        bytes.is_empty() || (bytes.start / CHUNK..end).all(|number| self.is_sound(file, number))
    }

    fn is_sound(&self, file: &[u8], number: usize) -> bool {
        let chunk = number * CHUNK..(number + 1) * CHUNK;
        self.are_known(&chunk) || self.check(file, number)
    }

    fn check(&self, file: &[u8], number: usize) -> bool {
        let is_sound = self.matches(file, number).unwrap_or(false);
        if is_sound {
            let word = &self.are_sound[number / WORD];
            word.fetch_or(1 << (number % WORD), Relaxed);
        } else {
            self.damaged.get_or_init(|| number);
        }
        is_sound
    }

    /// Whether a chunk has the checksum that the file has for it, if it has one.
    fn matches(&self, file: &[u8], number: usize) -> Option<bool> {
        let sums = file.get(self.sums.clone())?;
        let (sums, _) = sums.as_chunks::<{ size_of::<u64>() }>();
        let expected = u64::from_le_bytes(*sums.get(number)?);
        Some(checksum(file.get(chunk(number, self.sums.start))?) == expected)
    }

    /// Checks all chunks anew, and says whether they are sound.
    pub(super) fn all_match(&self, file: &[u8]) -> bool {
        (0..chunks_before(self.sums.start)).all(|number| self.check(file, number))
    }

    /// The bytes of a chunk that was found to be damaged, if one was.
    pub(super) fn damaged(&self) -> Option<Range<usize>> {
        let number = *self.damaged.get()?;
        Some(chunk(number, self.sums.start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::format::{ChunkSums, HEADER_END};

    #[test]
    fn chunks_are_checked_once_when_they_are_read() {
        let end = 3 * CHUNK + 64;
        let mut file: Vec<u8> = (0..end).map(|at| (at / 5) as u8).collect();
        let mut sums = ChunkSums::new();
        sums.push(&file[HEADER_END..]);
        let sums = sums.finish(end as u64);
        file.extend_from_slice(bytemuck::cast_slice(&sums));
        let chunks = Chunks::new(end..file.len());
        assert!(chunks.are_sound(&file, CHUNK - 1..CHUNK + 1));
        assert!(chunks.are_sound(&file, end - 1..end));
        // The second and the third chunk.
        file[CHUNK + 9] ^= 1;
        file[2 * CHUNK] ^= 1;
        assert!(
            chunks.are_sound(&file, CHUNK..2 * CHUNK),
            "it was read before"
        );
        assert_eq!(chunks.damaged(), None);
        assert!(!chunks.are_sound(&file, 2 * CHUNK + 7..2 * CHUNK + 8));
        assert_eq!(chunks.damaged(), Some(2 * CHUNK..3 * CHUNK));
        // Checked anew, though it was known.
        file[2 * CHUNK] ^= 1;
        assert!(!chunks.all_match(&file));
        file[CHUNK + 9] ^= 1;
        assert!(chunks.all_match(&file));
        assert!(chunks.damaged().is_some(), "it is not forgotten");
    }
}
