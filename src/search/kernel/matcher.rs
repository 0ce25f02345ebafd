//! Comparing a query's word with the payloads of postings.

use std::fmt::{self, Debug};

use super::{CandidateLookup, Candidates, Simd, scalar};
use crate::index::{CODE_FIELDS, Codebook, Payload, ROOM, SHIFTS};

/// A payload that can be compared with a query's word.
pub(in crate::search) trait Match: Payload {
    /// A query's word, prepared for comparison with many payloads.
    type Matcher: Debug + Send + Sync;

    /// A view of a prepared word that compilers can keep in registers.
    type View<'m>: Copy;

    /// Prepares a query's word, given by planes.
    fn matcher(planes: &[u128], codebook: &Codebook) -> Self::Matcher;

    /// The view of a prepared word.
    fn view(matcher: &Self::Matcher) -> Self::View<'_>;

    /// The number of steps of the query's word that the payload's word shares.
    fn shared(self, view: Self::View<'_>) -> u32;

    /// Subtracts from each candidate's sum what the term falls short of its largest
    /// gain. Payloads for which `S` has a loop of its own use that.
    #[inline(always)]
    fn subtract_missed<S: Simd>(_: S, lookup: &CandidateLookup<Self>, candidates: &mut Candidates) {
        scalar::subtract_missed(lookup, candidates);
    }
}

/// A query's word and its weight, for an inner loop.
pub(in crate::search) struct Adder<'m, P: Match> {
    pub(in crate::search) view: P::View<'m>,
    pub(in crate::search) weight: u32,
    /// The largest gain of a payload.
    pub(in crate::search) max_gain: u32,
}

impl<P: Match> Adder<'_, P> {
    /// The gain of a payload: what it adds to a sum.
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

/// The steps that each code's word shares with one word, field by field of the codes.
pub(in crate::search) struct CodeTable(pub(super) [u8; STARTS[2] + ROOM[2]]);

/// Where the numbers of each field begin in a table.
pub(super) const STARTS: [usize; CODE_FIELDS] = [0, ROOM[0], ROOM[0] + ROOM[1]];

impl CodeTable {
    #[inline(always)]
    fn new(planes: &[u128], codebook: &Codebook) -> Box<Self> {
        let mut table = Box::new(CodeTable([0; STARTS[2] + ROOM[2]]));
        for (plane, word) in planes.iter().enumerate() {
            let fields = codebook.cut(*word).into_iter().zip(codebook.patterns());
            for (start, (word, patterns)) in STARTS.into_iter().zip(fields) {
                for (shared, pattern) in table.0[start..].iter_mut().zip(patterns) {
                    // A query's steps in a field fit a byte; those of damaged patterns may not.
                    let steps = (pattern & word).count_ones() << plane;
                    *shared = shared.saturating_add(steps as u8);
                }
            }
        }
        table
    }

    /// The number of steps that the word of `code` shares.
    #[inline(always)]
    fn shared(&self, code: u32) -> u32 {
        self.field::<0>(code) + self.field::<1>(code) + self.field::<2>(code)
    }

    #[inline(always)]
    fn field<const FIELD: usize>(&self, code: u32) -> u32 {
        let number = (code >> SHIFTS[FIELD]) as usize % ROOM[FIELD];
        u32::from(self.0[STARTS[FIELD] + number])
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
        /// The table has the shared steps of every code, also of codes that no word has.
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
