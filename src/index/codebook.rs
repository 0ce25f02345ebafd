//! The codebook: words encoded in fewer bits.
//!
//! The bits of a region family take few values: x and y to level 7 have 4,587 patterns
//! that boxes can make, four levels of ellipses 31. So a word is cut into three fields,
//! its first family, its second, and the rest. Its code has the numbers of their patterns,
//! where these numbers fit 13, 13 and 6 bits. The widths are
//! fixed so that looking a code up takes constants alone: with widths by
//! codebook a scan took 1.5 times as long.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use crate::phoc::Regions;

/// Fields of a word that have a number each.
pub(crate) const CODE_FIELDS: usize = 3;
/// Where each field's number begins in a code.
pub(crate) const SHIFTS: [u32; CODE_FIELDS] = [0, 13, 26];
/// How many numbers each field has room for.
pub(crate) const ROOM: [usize; CODE_FIELDS] = [1 << 13, 1 << 13, 1 << 6];

/// How words become codes and codes words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Codebook {
    /// The first bit of each field in a word.
    starts: [usize; CODE_FIELDS],
    /// The patterns of each field, from its first bit on, by number.
    patterns: [Vec<u64>; CODE_FIELDS],
}

impl Codebook {
    /// The codebook with these patterns, or `None` where they are more, or wider,
    /// than codes have room for.
    pub(super) fn new(regions: &Regions, patterns: [Vec<u64>; CODE_FIELDS]) -> Option<Self> {
        let fields = fields(regions)?;
        let fits = patterns
            .iter()
            .zip(ROOM)
            .all(|(all, room)| all.len() <= room);
        fits.then_some(Codebook {
            starts: fields.map(|bits| bits.start),
            patterns,
        })
    }

    /// The codebook of these words.
    #[cfg(test)]
    pub(crate) fn of_words(regions: &Regions, words: &[u128]) -> Option<Self> {
        let cut = u128::MAX >> (u128::BITS as usize - regions.bits());
        let mut counter = PatternCounter::new(regions);
        words.iter().for_each(|word| counter.add(*word & cut));
        counter.codebook(regions)
    }

    /// The patterns of each field, by number.
    pub(crate) fn patterns(&self) -> &[Vec<u64>; CODE_FIELDS] {
        &self.patterns
    }

    /// For each field, the word shifted so that the field begins at bit 0; higher bits follow it.
    pub(crate) fn cut(&self, word: u128) -> [u64; CODE_FIELDS] {
        self.starts.map(|start| (word >> start) as u64)
    }

    /// The word of a code. A number without a pattern adds no bits.
    pub(super) fn word(&self, code: u32) -> u128 {
        let fields = (0..CODE_FIELDS).map(|field| {
            let number = (code >> SHIFTS[field]) as usize % ROOM[field];
            let pattern = self.patterns[field].get(number).copied().unwrap_or(0);
            u128::from(pattern) << self.starts[field]
        });
        fields.fold(0, |a, b| a | b)
    }
}

/// The bits of each field, or `None` where one is wider than 64 bits.
fn fields(regions: &Regions) -> Option<[Range<usize>; CODE_FIELDS]> {
    let fields = regions.field_bits();
    let is_narrow = |bits: &Range<usize>| bits.len() <= u64::BITS as usize;
    fields.iter().all(is_narrow).then_some(fields)
}

/// Counts the patterns of words, and numbers them: the frequent first, so
/// that those looked up most lie together.
#[derive(Debug)]
pub(super) struct PatternCounter {
    /// None where words are too wide for codes.
    fields: Option<[(Range<usize>, Counts); CODE_FIELDS]>,
}

/// How often each pattern of a field occurs.
type Counts = HashMap<u64, u64, Mix>;

impl PatternCounter {
    pub(super) fn new(regions: &Regions) -> Self {
        PatternCounter {
            fields: fields(regions).map(|fields| fields.map(|bits| (bits, HashMap::default()))),
        }
    }

    pub(super) fn add(&mut self, word: u128) {
        for (bits, counts) in self.fields.iter_mut().flatten() {
            *counts.entry(pattern(word, bits)).or_default() += 1;
        }
    }

    /// The codebook, if all patterns fit one.
    pub(super) fn codebook(self, regions: &Regions) -> Option<Codebook> {
        let patterns = self.fields?.map(|(_, counts)| {
            let mut counts: Vec<(u64, u64)> = counts.into_iter().collect();
            counts.sort_unstable_by_key(|&(pattern, count)| (std::cmp::Reverse(count), pattern));
            counts.into_iter().map(|(pattern, _)| pattern).collect()
        });
        Codebook::new(regions, patterns)
    }
}

/// The map from words to codes.
#[derive(Debug)]
pub(crate) struct Coder {
    fields: Vec<(Range<usize>, HashMap<u64, u32, Mix>)>,
}

impl Coder {
    pub(super) fn new(regions: &Regions, codebook: &Codebook) -> Self {
        let numbered = |field: usize| {
            let numbers = codebook.patterns[field].iter().zip(0u32..);
            numbers.map(move |(pattern, number)| (*pattern, number << SHIFTS[field]))
        };
        let fields = fields(regions).into_iter().flatten().enumerate();
        Coder {
            fields: fields
                .map(|(field, bits)| (bits, numbered(field).collect()))
                .collect(),
        }
    }

    /// The code of a word, all of whose patterns were counted.
    pub(super) fn code(&self, word: u128) -> u32 {
        self.fields.iter().fold(0, |code, (bits, codes)| {
            code | codes.get(&pattern(word, bits)).copied().unwrap_or_default()
        })
    }
}

fn pattern(word: u128, bits: &Range<usize>) -> u64 {
    match bits.len() {
        0 => 0,
        len => (word >> bits.start) as u64 & (u64::MAX >> (u64::BITS as usize - len)),
    }
}

type Mix = BuildHasherDefault<MixHasher>;

/// A hash by one multiplication, since each posting is looked up three times. Its keys are not
/// chosen by others, so it need not resist attacks.
#[derive(Debug, Default)]
struct MixHasher(u64);

impl Hasher for MixHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes
            .iter()
            .for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, pattern: u64) {
        let product = u128::from(self.0 ^ pattern) * 0x9e37_79b9_7f4a_7c15;
        self.0 = product as u64 ^ (product >> 64) as u64;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// A word is read from its code without loss.
        #[test]
        fn codes_lose_nothing(
            notation in prop::sample::select(vec!["xy7o4", "x7", "xy5", "xyor3", "o4r4", "x1y3", "x10"]),
            words in prop::collection::vec(any::<u128>(), 1..50),
        ) {
            let regions: Regions = notation.parse().unwrap();
            let words: Vec<u128> = words.iter().map(|word| word & (u128::MAX >> (128 - regions.bits()))).collect();
            let book = Codebook::of_words(&regions, &words).unwrap();
            let coder = Coder::new(&regions, &book);
            for word in words {
                prop_assert_eq!(book.word(coder.code(word)), word);
            }
        }
    }

    #[test]
    fn too_many_or_too_wide_patterns_make_no_codebook() {
        let words: Vec<u128> = (0..8193).collect();
        let regions = "xy7o4".parse().unwrap();
        assert!(Codebook::of_words(&regions, &words[..8192]).is_some());
        assert!(Codebook::of_words(&regions, &words).is_none());
        assert!(Codebook::of_words(&"x12".parse().unwrap(), &words[..9]).is_none());
    }
}
