//! A token's postings: which formulas hold it, and where in them.

use std::fmt::Debug;
use std::ops::BitAnd;

use bytemuck::Pod;

/// A word of regions, as wide as a configuration needs.
pub trait Word: Pod + BitAnd<Output = Self> + Debug + Send + Sync {
    /// Of the low bits of `word`.
    fn of(word: u128) -> Self;

    /// How many regions are set.
    fn ones(self) -> u32;
}

impl Word for u64 {
    fn of(word: u128) -> Self {
        word as u64
    }

    fn ones(self) -> u32 {
        self.count_ones()
    }
}

impl Word for u128 {
    fn of(word: u128) -> Self {
        word
    }

    fn ones(self) -> u32 {
        self.count_ones()
    }
}

/// The postings of one token, by window.
#[derive(Debug, Clone, Copy)]
pub struct Postings<'a, W> {
    /// Windows in which there are any, ascending, and where their postings begin.
    pub(super) runs: &'a [[u32; 2]],
    /// Formulas within their windows.
    pub(super) ids: &'a [u16],
    /// Their words.
    pub(super) words: &'a [W],
}

impl<'a, W: Word> Postings<'a, W> {
    /// How many formulas hold the token.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether none does.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Each window in which the token occurs, with the formulas there by
    /// their place within the window, and their words.
    pub fn windows(&self) -> impl Iterator<Item = (usize, &'a [u16], &'a [W])> + use<'a, W> {
        let Postings { runs, ids, words } = *self;
        let ends = runs.iter().skip(1).map(|run| run[1] as usize);
        let ends = ends.chain(std::iter::once(ids.len()));
        runs.iter().zip(ends).map(move |(run, end)| {
            let range = run[1] as usize..end;
            (run[0] as usize, &ids[range.clone()], &words[range])
        })
    }

    /// Whether windows ascend and their postings follow each other.
    pub(super) fn is_sound(&self, windows: usize) -> bool {
        let starts_at_zero = self.runs.first().is_none_or(|run| run[1] == 0);
        let ascends = self.runs.is_sorted_by(|a, b| a[0] < b[0] && a[1] < b[1]);
        let fits = self
            .runs
            .last()
            .is_none_or(|run| (run[0] as usize) < windows && (run[1] as usize) < self.ids.len());
        starts_at_zero && ascends && fits && self.runs.is_empty() == self.ids.is_empty()
    }
}
