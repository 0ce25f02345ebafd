//! A token's postings: which formulas hold it, and where in them.
//!
//! Formulas are in windows. In each that has any, a token's formulas are a
//! list of ids where they are few, and a set of bits with ranks where they are
//! many: smaller there, and 64 formulas are met in one step. Payloads follow
//! in the same order, across all windows, unless only that a token is there
//! counts.

use std::fmt::Debug;

use bytemuck::Pod;

use super::WINDOW;
use super::codebook::{Codebook, Coder};
use crate::phoc::WHOLE;

/// A word as it is stored: a code of the [`Codebook`], or itself.
pub(crate) trait Payload: Pod + Debug + Send + Sync {
    /// The word.
    fn word(self, codebook: &Codebook) -> u128;

    /// What stands for a word.
    fn pack(word: u128, coder: &Coder) -> Self;
}

impl Payload for u32 {
    fn word(self, codebook: &Codebook) -> u128 {
        codebook.word(self)
    }

    fn pack(word: u128, coder: &Coder) -> Self {
        coder.code(word)
    }
}

macro_rules! whole_words {
    ($($word:ty),*) => {$(
        impl Payload for $word {
            fn word(self, _: &Codebook) -> u128 {
                self.into()
            }

            fn pack(word: u128, _: &Coder) -> Self {
                word as $word
            }
        }
    )*};
}
whole_words!(u64, u128);

/// Formulas in a group: a machine word of presence bits.
pub(crate) const GROUP: usize = u64::BITS as usize;
/// Groups in a window.
pub(crate) const GROUPS: usize = WINDOW / GROUP;

/// More formulas than these are kept as a set of bits. With its ranks a set
/// takes the room of 2,560 ids, but making sets of lists was a third of a search
/// for ten results when this was 2,048.
pub(crate) const MAX_LIST_LEN: usize = 1024;

/// Which formulas of a window hold a token.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RankedBitmap<'a> {
    /// A bit a formula.
    pub(crate) bits: &'a [u64; GROUPS],
    /// How many bits are set before each group.
    pub(crate) ranks: &'a [u16; GROUPS],
}

impl RankedBitmap<'_> {
    /// Whether a formula is one of them.
    #[inline(always)]
    pub(crate) fn holds(&self, id: u16) -> bool {
        let (group, bit) = (usize::from(id) / GROUP % GROUPS, usize::from(id) % GROUP);
        (self.bits[group] >> bit) & 1 == 1
    }
}

/// A presence in memory.
#[derive(Debug, Clone)]
pub(crate) struct BitmapBuffer {
    bits: [u64; GROUPS],
    ranks: [u16; GROUPS],
}

impl Default for BitmapBuffer {
    fn default() -> Self {
        BitmapBuffer {
            bits: [0; GROUPS],
            ranks: [0; GROUPS],
        }
    }
}

impl BitmapBuffer {
    /// The presence of formulas by their ids within the window. Always
    /// inlined, so that searches count its bits by their own means.
    #[inline(always)]
    pub(crate) fn fill(&mut self, ids: &[u16]) -> RankedBitmap<'_> {
        self.bits.fill(0);
        for id in ids {
            self.bits[usize::from(*id) / GROUP % GROUPS] |= 1 << (usize::from(*id) % GROUP);
        }
        let mut rank = 0;
        for (bits, before) in self.bits.iter().zip(&mut self.ranks) {
            *before = rank;
            rank += bits.count_ones() as u16;
        }
        RankedBitmap {
            bits: &self.bits,
            ranks: &self.ranks,
        }
    }
}

/// Formulas of a window, by their place within it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum DocSet<'a> {
    /// Ascending ids.
    List(&'a [u16]),
    /// A bit each.
    Bitmap(RankedBitmap<'a>),
}

impl DocSet<'_> {
    /// The place of a formula among them, if it is one. Formulas are asked for
    /// in their order; `cursor`, nought at first, is how far a list was read.
    #[inline(always)]
    pub(crate) fn rank(&self, id: u16, cursor: &mut usize) -> Option<usize> {
        match self {
            DocSet::List(ids) => {
                // Galloping: the step doubles until it is too far.
                let rest = &ids[*cursor..];
                let mut reach = 1;
                while reach < rest.len() && rest[reach] < id {
                    reach *= 2;
                }
                let near = &rest[reach / 2..rest.len().min(reach + 1)];
                *cursor += reach / 2 + near.partition_point(|other| *other < id);
                (ids.get(*cursor) == Some(&id)).then_some(*cursor)
            }
            DocSet::Bitmap(presence) => {
                let (group, bit) = (usize::from(id) / GROUP % GROUPS, usize::from(id) % GROUP);
                let bits = presence.bits[group];
                let before = (bits & ((1 << bit) - 1)).count_ones() as usize;
                ((bits >> bit) & 1 == 1).then(|| usize::from(presence.ranks[group]) + before)
            }
        }
    }

    /// Their ids, ascending.
    pub(crate) fn ids(&self) -> Vec<u16> {
        match self {
            DocSet::List(ids) => ids.to_vec(),
            DocSet::Bitmap(presence) => {
                let groups = presence.bits.iter().enumerate();
                groups
                    .flat_map(|(at, bits)| ones(*bits).map(move |bit| (at * GROUP + bit) as u16))
                    .collect()
            }
        }
    }
}

/// The places of the bits that are set, ascending.
pub(crate) fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = (bits != 0).then(|| bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        next
    })
}

/// A token's postings in one window.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WindowPostings<'a, P> {
    /// The formulas.
    pub(crate) docs: DocSet<'a>,
    /// How many they are.
    pub(crate) length: usize,
    /// What each holds, in the same order, where it counts where they stand.
    pub(crate) payloads: Option<&'a [P]>,
}

impl<P: Payload> WindowPostings<'_, P> {
    /// The formulas, ascending, each with the word of the regions in which it
    /// has the token.
    pub(crate) fn words(&self, codebook: &Codebook) -> Vec<(u16, u128)> {
        let ids = self.docs.ids().into_iter();
        match self.payloads {
            Some(payloads) => ids
                .zip(payloads.iter().map(|payload| payload.word(codebook)))
                .collect(),
            None => ids.map(|id| (id, WHOLE)).collect(),
        }
    }
}

/// A token's postings in a window, as the file says: the window, its first
/// posting among the token's, and where its ids or its presence are.
pub(super) type Run = [u32; 3];

/// The postings of one token.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Postings<'a, P> {
    /// Windows in which there are any, ascending.
    pub(super) runs: &'a [Run],
    /// The ids of all tokens.
    pub(super) ids: &'a [u16],
    /// The presence bits of all tokens.
    pub(super) bits: &'a [[u64; GROUPS]],
    /// Their ranks.
    pub(super) ranks: &'a [[u16; GROUPS]],
    /// How many formulas hold this token.
    pub(super) length: usize,
    /// What these hold, where it counts where they stand.
    pub(super) payloads: Option<&'a [P]>,
}

impl<'a, P: Payload> Postings<'a, P> {
    /// How many formulas hold the token.
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// Whether it counts where the token stands.
    pub(crate) fn is_positional(&self) -> bool {
        self.payloads.is_some()
    }

    /// The windows in which the token occurs, ascending.
    pub(crate) fn windows(&self) -> impl Iterator<Item = usize> + use<'a, P> {
        self.runs.iter().map(|run| run[0] as usize)
    }

    /// The postings in a window, if there are any.
    pub(crate) fn window(&self, window: usize) -> Option<WindowPostings<'a, P>> {
        let place = match self.runs.get(window) {
            // A token that is in every window.
            Some(run) if run[0] as usize == window => window,
            _ => self
                .runs
                .binary_search_by_key(&window, |run| run[0] as usize)
                .ok()?,
        };
        self.held(place)
    }

    /// The postings of the run at `place`; none where the file is damaged.
    fn held(&self, place: usize) -> Option<WindowPostings<'a, P>> {
        let [_, start, at] = *self.runs.get(place)?;
        let next = self.runs.get(place + 1);
        let end = next.map_or(self.length, |next| next[1] as usize);
        let length = end.checked_sub(start as usize)?;
        let payloads = match self.payloads {
            Some(payloads) => Some(payloads.get(start as usize..end)?),
            None => None,
        };
        let at = at as usize;
        let docs = if length <= MAX_LIST_LEN {
            DocSet::List(self.ids.get(at..at + length)?)
        } else {
            DocSet::Bitmap(RankedBitmap {
                bits: self.bits.get(at)?,
                ranks: self.ranks.get(at)?,
            })
        };
        Some(WindowPostings {
            docs,
            length,
            payloads,
        })
    }

    /// Whether windows ascend, their postings follow each other and all are there.
    pub(super) fn is_sound(&self, windows: usize) -> bool {
        let starts_at_zero = self.runs.first().is_none_or(|run| run[1] == 0);
        let ascends = self.runs.is_sorted_by(|a, b| a[0] < b[0] && a[1] < b[1]);
        let fits = self
            .runs
            .last()
            .is_none_or(|run| (run[0] as usize) < windows && (run[1] as usize) < self.length);
        starts_at_zero
            && ascends
            && fits
            && self.runs.is_empty() == (self.length == 0)
            && (0..self.runs.len()).all(|place| self.held(place).is_some())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// A presence has the ids that it was made of, and ranks that count them.
        #[test]
        fn a_presence_is_its_ids(ids in prop::collection::btree_set(0..WINDOW as u16, 0..3000)) {
            let ids: Vec<u16> = ids.into_iter().collect();
            let mut buffer = BitmapBuffer::default();
            buffer.fill(&[1, 2, 3]);
            let presence = buffer.fill(&ids);
            prop_assert_eq!(&DocSet::Bitmap(presence).ids(), &ids);
            for (rank, id) in ids.iter().enumerate() {
                let (group, bit) = (usize::from(*id) / GROUP, usize::from(*id) % GROUP);
                let before = presence.bits[group] & ((1 << bit) - 1);
                prop_assert_eq!(usize::from(presence.ranks[group]) + before.count_ones() as usize, rank);
            }
        }
    }
}
