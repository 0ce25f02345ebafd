//! Every kernel against its scalar twin: random lengths, empty inputs, ends of
//! windows.

use proptest::prelude::*;

use super::{Adder, CandidateLookup, Level, Match, Simd, TermBound, Work};
use crate::index::{BitmapBuffer, Codebook, GROUP, GROUPS, WINDOW};
use crate::search::engine::Candidates;

/// Ids of a window's formulas, ascending: none, few or many, and both ends.
fn ids() -> impl Strategy<Value = Vec<u16>> {
    let some = |max_len| prop::collection::btree_set(0..WINDOW as u16, 0..max_len);
    prop_oneof![some(1), some(40), some(3000)].prop_flat_map(|ids| {
        (any::<bool>(), any::<bool>()).prop_map(move |(first, last)| {
            let mut ids = ids.clone();
            ids.extend(first.then_some(0));
            ids.extend(last.then_some(WINDOW as u16 - 1));
            ids.into_iter().collect()
        })
    })
}

/// A term: its formulas, its largest gain, and whether it counts towards the minimum match.
#[derive(Debug, Clone)]
struct Term {
    bits: Box<[u64; GROUPS]>,
    max_gain: u32,
    counts: bool,
}

fn terms() -> impl Strategy<Value = Vec<Term>> {
    let term = (ids(), 0u32..1000, any::<bool>()).prop_map(|(ids, max_gain, counts)| {
        let mut bits = Box::new([0; GROUPS]);
        for id in ids {
            bits[usize::from(id) / GROUP] |= 1 << (usize::from(id) % GROUP);
        }
        Term {
            bits,
            max_gain,
            counts,
        }
    });
    prop::collection::vec(term, 0..9)
}

/// The bounds of terms, with coarse steps as an engine makes them.
fn bounds(terms: &[Term]) -> Vec<TermBound<'_>> {
    let sum: u32 = terms.iter().map(|term| term.max_gain).sum();
    let step = sum.div_ceil(254 - terms.len() as u32).max(1);
    let mut bounds = Vec::new();
    for term in terms {
        bounds.push(TermBound {
            bits: &term.bits,
            max_gain: term.max_gain,
            coarse: term.max_gain.div_ceil(step) as u8,
            counts_toward_min_match: u8::from(term.counts),
        });
    }
    bounds
}

struct Reach<'a> {
    bounds: &'a [TermBound<'a>],
    thresholds: &'a [u8; GROUPS],
    min_tokens: u8,
}

impl Work for Reach<'_> {
    type Output = Vec<u64>;

    #[inline(always)]
    fn with<S: Simd>(self, simd: S) -> Vec<u64> {
        // The contents of the output before must not matter.
        let mut marks = Box::new([u64::MAX; GROUPS]);
        simd.reach(self.bounds, self.thresholds, self.min_tokens, &mut marks);
        marks.to_vec()
    }
}

struct ListMarked<'a> {
    bounds: &'a [TermBound<'a>],
    marks: &'a [u64; GROUPS],
    min_sums: &'a [u32; GROUPS],
}

impl Work for ListMarked<'_> {
    type Output = Vec<(u16, u32)>;

    #[inline(always)]
    fn with<S: Simd>(self, simd: S) -> Vec<(u16, u32)> {
        let mut candidates = Candidates::new();
        simd.list(self.bounds, self.marks, self.min_sums, &mut candidates);
        candidates.iter().collect()
    }
}

struct Subtract<'a, P: Match> {
    ids: &'a [u16],
    payloads: &'a [P],
    matcher: &'a P::Matcher,
    max_gain: u32,
    candidates: &'a [(u16, u32)],
    min_sums: &'a [u32; GROUPS],
}

impl<P: Match> Work for Subtract<'_, P> {
    type Output = Vec<(u16, u32)>;

    #[inline(always)]
    fn with<S: Simd>(self, simd: S) -> Vec<(u16, u32)> {
        let mut buffer = BitmapBuffer::default();
        let mut candidates = Candidates::new();
        for (id, sum) in self.candidates {
            candidates.push(*id, *sum);
        }
        let lookup = CandidateLookup {
            bitmap: buffer.fill(self.ids),
            payloads: self.payloads,
            adder: Adder {
                view: P::view(self.matcher),
                weight: 3,
                max_gain: self.max_gain,
            },
            min_sums: self.min_sums,
        };
        P::subtract_missed(simd, &lookup, &mut candidates);
        candidates.iter().collect()
    }
}

/// Checks one payload type at every level.
fn subtracts<P: Match>(
    payloads: Vec<P>,
    matcher: &P::Matcher,
    (ids, candidates): (&[u16], &[(u16, u32)]),
    min_sums: &[u32; GROUPS],
    max_gain: u32,
) -> Result<(), TestCaseError> {
    let at = |level: Level| {
        level.run(Subtract {
            ids,
            payloads: &payloads,
            matcher,
            max_gain,
            candidates,
            min_sums,
        })
    };
    for level in Level::available() {
        prop_assert_eq!(at(level), at(Level::Scalar), "{}", level);
    }
    Ok(())
}

proptest! {
    #[test]
    fn formulas_are_marked_alike(
        terms in terms(),
        thresholds in prop::collection::vec(any::<u8>(), GROUPS),
        min_tokens in 0u8..5,
    ) {
        let bounds = bounds(&terms);
        let thresholds: &[u8; GROUPS] = thresholds.as_slice().try_into().unwrap();
        let at = |level: Level| level.run(Reach { bounds: &bounds, thresholds, min_tokens });
        for level in Level::available() {
            prop_assert_eq!(at(level), at(Level::Scalar), "{}", level);
        }
    }

    /// A formula that is marked is one that the definition marks.
    #[test]
    fn marks_are_those_of_the_definition(terms in terms(), threshold in 0u8..255, min_tokens in 0u8..5) {
        let bounds = bounds(&terms);
        let thresholds = [threshold; GROUPS];
        let marks = Level::Scalar.run(Reach { bounds: &bounds, thresholds: &thresholds, min_tokens });
        for id in (0..WINDOW).step_by(97) {
            let held = bounds.iter().filter(|bound| bound.bits[id / GROUP] >> (id % GROUP) & 1 == 1);
            let sum: u32 = held.clone().map(|bound| u32::from(bound.coarse)).sum();
            let count: u32 = held.map(|bound| u32::from(bound.counts_toward_min_match)).sum();
            let expected = sum >= u32::from(threshold) && count >= u32::from(min_tokens);
            prop_assert_eq!(marks[id / GROUP] >> (id % GROUP) & 1 == 1, expected);
        }
    }

    #[test]
    fn candidates_are_listed_alike(terms in terms(), marked in ids(), floor in 0u32..2000) {
        let bounds = bounds(&terms);
        let mut marks = Box::new([0; GROUPS]);
        for id in marked {
            marks[usize::from(id) / GROUP] |= 1 << (usize::from(id) % GROUP);
        }
        let min_sums = std::array::from_fn(|group| floor * (group as u32 % 3));
        let at = |level: Level| level.run(ListMarked { bounds: &bounds, marks: &marks, min_sums: &min_sums });
        for level in Level::available() {
            prop_assert_eq!(at(level), at(Level::Scalar), "{}", level);
        }
    }

    #[test]
    fn what_is_missed_is_subtracted_alike(
        ids in ids(),
        candidates in ids(),
        words in prop::collection::vec(any::<u128>(), 1..60),
        query in any::<u128>(),
        floor in 0u32..400,
        // Up to what a word of 128 regions adds, and less: a cap.
        max_gain in 1u32..3 * 128,
        no_payloads in any::<bool>(),
    ) {
        let candidates: Vec<(u16, u32)> = candidates.into_iter().map(|id| (id, 2 * max_gain)).collect();
        let min_sums = std::array::from_fn(|group| max_gain + floor * (group as u32 % 2));
        // Damaged postings may have fewer payloads than formulas.
        let count = if no_payloads { 0 } else { ids.len() };
        let word = |at: usize| words[at % words.len()];
        let parts = (&ids[..], &candidates[..]);
        let book = Codebook::of_words(&"xy7o4".parse().unwrap(), &words).unwrap();
        let codes: Vec<u32> = (0..count).map(|at| word(at) as u32).collect();
        subtracts(codes, &u32::matcher(&[query], &book), parts, &min_sums, max_gain)?;
        let planes = [query, query >> 1];
        let max_sum = 3 * max_gain;
        let more: Vec<(u16, u32)> = candidates.iter().map(|(id, sum)| (*id, sum + max_sum)).collect();
        let parts = (&ids[..], &more[..]);
        let short: Vec<u64> = (0..count).map(|at| word(at) as u64).collect();
        subtracts(short, &u64::matcher(&planes, &book), parts, &min_sums, max_sum)?;
        let long: Vec<u128> = (0..count).map(word).collect();
        subtracts(long, &u128::matcher(&planes, &book), parts, &min_sums, max_sum)?;
    }
}
