//! The formulas of a window that may be among the best.

use crate::index::WINDOW;

/// Columns of formulas, by their place within the window, and of sums.
///
/// A sum is the weighted bits that a formula shares with the query. Until all terms
/// are processed, it is an upper bound of these.
#[derive(Debug)]
pub(in crate::search) struct Candidates {
    ids: Box<[u16]>,
    sums: Box<[u32]>,
    len: usize,
}

/// Room after the last candidate, since kernels read and write whole registers.
const SLACK: usize = 16;

impl Candidates {
    pub(in crate::search) fn new() -> Self {
        Candidates {
            ids: vec![0; WINDOW + SLACK].into(),
            sums: vec![0; WINDOW + SLACK].into(),
            len: 0,
        }
    }

    pub(in crate::search) fn clear(&mut self) {
        self.len = 0;
    }

    pub(in crate::search) fn len(&self) -> usize {
        self.len
    }

    /// Adds a formula. A window has no more formulas than there is room for.
    #[inline(always)]
    pub(in crate::search) fn push(&mut self, id: u16, sum: u32) {
        self.ids[self.len] = id;
        self.sums[self.len] = sum;
        self.len += 1;
    }

    /// Room for sixteen candidates from a place on that is not after the last.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(in crate::search) fn sixteen(&mut self, place: usize) -> (&mut [u16; 16], &mut [u32; 16]) {
        let place = place.min(WINDOW);
        let ids = self.ids[place..].first_chunk_mut();
        let sums = self.sums[place..].first_chunk_mut();
        match (ids, sums) {
            (Some(ids), Some(sums)) => (ids, sums),
            // There is room for sixteen more than a window has formulas.
            _ => unreachable!(),
        }
    }

    /// Keeps this many of the candidates that were written after the last.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(in crate::search) fn grow(&mut self, count: usize) {
        self.len = (self.len + count).min(WINDOW);
    }

    /// The columns, to be written in place.
    #[inline(always)]
    pub(in crate::search) fn columns(&mut self) -> (&mut [u16], &mut [u32]) {
        (&mut self.ids[..self.len], &mut self.sums[..self.len])
    }

    pub(in crate::search) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    pub(in crate::search) fn iter(&self) -> impl Iterator<Item = (u16, u32)> {
        let ids = self.ids[..self.len].iter().copied();
        ids.zip(self.sums[..self.len].iter().copied())
    }
}
