//! Meeting a query's word with the payloads of postings.

use std::fmt::{self, Debug};

use super::{CandidateLookup, Candidates, Simd, scalar};
use crate::index::{CODE_FIELDS, Codebook, Payload, ROOM, SHIFTS};

/// A payload that can be met with a query's word.
pub(in crate::search) trait Match: Payload {
    /// A query's word, ready to be met with many payloads.
    type Matcher: Debug + Send + Sync;

    /// The same, to be held in registers: what loops write cannot change it.
    type View<'m>: Copy;

    /// Prepares a query's word, given by planes.
    fn matcher(planes: &[u128], codebook: &Codebook) -> Self::Matcher;

    /// Looks at a prepared word.
    fn view(matcher: &Self::Matcher) -> Self::View<'_>;

    /// How many steps of the query's word the payload's bounds.
    fn shared(self, view: Self::View<'_>) -> u32;

    /// Subtracts from candidates what a term does not add. Where processors
    /// have a way of their own, this calls it.
    #[inline(always)]
    fn subtract_missed<S: Simd>(_: S, lookup: &CandidateLookup<Self>, candidates: &mut Candidates) {
        scalar::subtract_missed(lookup, candidates);
    }
}

/// A query's word and its weight, for an inner loop.
pub(in crate::search) struct Adder<'m, P: Match> {
    pub(in crate::search) view: P::View<'m>,
    pub(in crate::search) weight: u32,
    /// The most that one can add.
    pub(in crate::search) max_gain: u32,
}

impl<P: Match> Adder<'_, P> {
    /// What a payload adds to a sum.
    #[inline(always)]
    pub(in crate::search) fn gain(&self, payload: P) -> u32 {
        (payload.shared(self.view) * self.weight).min(self.max_gain)
    }
}

macro_rules! whole_words {
    ($($word:ty),*) => {$(
        impl Match for $word {
            type Matcher = ($word, Vec<$word>);
            type View<'m> = ($word, &'m [$word]);

            fn matcher(planes: &[u128], _: &Codebook) -> Self::Matcher {
                let mut planes = planes.iter().map(|plane| *plane as $word);
                (planes.next().unwrap_or(0), planes.collect())
            }

            #[inline(always)]
            fn view(matcher: &Self::Matcher) -> Self::View<'_> {
                (matcher.0, &matcher.1)
            }

            #[inline(always)]
            fn shared(self, (first, others): Self::View<'_>) -> u32 {
                let mut shared = (self & first).count_ones();
                for (plane, other) in others.iter().enumerate() {
                    shared += (self & other).count_ones() << (plane + 1);
                }
                shared
            }
        }
    )*};
}
whole_words!(u64, u128);

impl Match for u32 {
    type Matcher = Box<CodeTable>;
    type View<'m> = &'m CodeTable;

    #[inline(always)]
    fn matcher(planes: &[u128], codebook: &Codebook) -> Box<CodeTable> {
        CodeTable::new(planes, codebook)
    }

    #[inline(always)]
    fn view(matcher: &Box<CodeTable>) -> &CodeTable {
        matcher
    }

    #[inline(always)]
    fn shared(self, view: &CodeTable) -> u32 {
        view.shared(self)
    }

    #[inline(always)]
    fn subtract_missed<S: Simd>(
        simd: S,
        lookup: &CandidateLookup<u32>,
        candidates: &mut Candidates,
    ) {
        simd.subtract_missed_codes(lookup, candidates);
    }
}

/// The steps that each code bounds with one word, piece by piece.
pub(in crate::search) struct CodeTable(pub(super) [u8; STARTS[2] + ROOM[2]]);

/// Where the numbers of each piece begin in a table.
pub(super) const STARTS: [usize; CODE_FIELDS] = [0, ROOM[0], ROOM[0] + ROOM[1]];

impl CodeTable {
    #[inline(always)]
    fn new(planes: &[u128], codebook: &Codebook) -> Box<Self> {
        let mut table = Box::new(CodeTable([0; STARTS[2] + ROOM[2]]));
        for (plane, word) in planes.iter().enumerate() {
            let pieces = codebook.cut(*word).into_iter().zip(codebook.patterns());
            for (start, (word, patterns)) in STARTS.into_iter().zip(pieces) {
                for (shared, pattern) in table.0[start..].iter_mut().zip(patterns) {
                    // A query's steps of a piece fit a byte; damaged patterns may not.
                    let steps = (pattern & word).count_ones() << plane;
                    *shared = shared.saturating_add(steps as u8);
                }
            }
        }
        table
    }

    /// How many steps the word of `code` bounds.
    #[inline(always)]
    fn shared(&self, code: u32) -> u32 {
        self.piece::<0>(code) + self.piece::<1>(code) + self.piece::<2>(code)
    }

    #[inline(always)]
    fn piece<const PIECE: usize>(&self, code: u32) -> u32 {
        let number = (code >> SHIFTS[PIECE]) as usize % ROOM[PIECE];
        u32::from(self.0[STARTS[PIECE] + number])
    }
}

impl Debug for CodeTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CodeTable")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The table says what words bound, for codes that no word has too.
        #[test]
        fn tables_count_shared_bits(
            notation in prop::sample::select(vec!["xy7o4", "x7", "xy5", "xyor3", "o4r4", "x1y3", "x10"]),
            words in prop::collection::vec(any::<u128>(), 1..50),
            codes in prop::collection::vec(any::<u32>(), 50),
            other in any::<u128>(),
        ) {
            let book = Codebook::of_words(&notation.parse().unwrap(), &words).unwrap();
            let matcher = u32::matcher(&[other], &book);
            let table = u32::view(&matcher);
            for code in codes {
                prop_assert_eq!(code.shared(table), (code.word(&book) & other).count_ones());
            }
        }
    }
}
