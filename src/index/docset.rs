//! Sets of formulas within a window: lists of ids, or bits with ranks.

use super::WINDOW;

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
    /// One bit for each formula.
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

/// A bitmap with ranks in memory.
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
    /// Sets the bits of the formulas with these ids in the window. Always inlined, so that
    /// it is compiled for the processor that the search uses.
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
    /// in their order; `cursor`, 0 at first, is how far a list was read.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// A bitmap has the ids that it was made from, and ranks that count them.
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
