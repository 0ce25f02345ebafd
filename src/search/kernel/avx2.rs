//! AVX2: 32 formulas a register, bitmap bits spread to bytes.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi8, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_max_epu8,
    _mm256_movemask_epi8, _mm256_set1_epi8, _mm256_set1_epi32, _mm256_set1_epi64x,
    _mm256_setr_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8,
};

use super::{Simd, TermBound, Work};
use crate::index::GROUPS;

/// Made only where the processor has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Avx2(());

/// Does work with AVX2 and popcnt.
#[target_feature(enable = "avx2,popcnt,lzcnt,bmi1,bmi2")]
pub(super) fn run<W: Work>(work: W) -> W::Output {
    work.with(Avx2(()))
}

/// 32 bits as 32 bytes of all ones or none.
#[target_feature(enable = "avx2")]
#[inline]
fn spread(bits: u32) -> __m256i {
    let byte_of = _mm256_setr_epi8(
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3,
        3, 3,
    );
    let bit_of = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
    let bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(bits as i32), byte_of);
    _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit_of), bit_of)
}

/// Which of 32 formulas, from bit `from` of a group on, have at least `min_tokens` of
/// the bounds and sum to `threshold`.
#[target_feature(enable = "avx2")]
#[inline]
fn reach_half(bounds: &[TermBound], group: usize, from: u32, threshold: u8, min_tokens: u8) -> u64 {
    let (mut sums, mut counts) = (_mm256_setzero_si256(), _mm256_setzero_si256());
    for bound in bounds {
        let held = spread((bound.bits[group] >> from) as u32);
        let gain = _mm256_set1_epi8(bound.coarse as i8);
        sums = _mm256_add_epi8(sums, _mm256_and_si256(held, gain));
        let one = _mm256_set1_epi8(bound.counts_toward_min_match as i8);
        counts = _mm256_add_epi8(counts, _mm256_and_si256(held, one));
    }
    let reached = _mm256_and_si256(at_least(sums, threshold), at_least(counts, min_tokens));
    u64::from(_mm256_movemask_epi8(reached) as u32) << from
}

/// Which bytes are not less than another. AVX2 compares signed bytes alone:
/// one that is the greater of itself and the other is not less.
#[target_feature(enable = "avx2")]
#[inline]
fn at_least(bytes: __m256i, other: u8) -> __m256i {
    _mm256_cmpeq_epi8(_mm256_max_epu8(bytes, _mm256_set1_epi8(other as i8)), bytes)
}

/// Marks the formulas that may reach their threshold. It is a function of its
/// own, not inlined, so that it is compiled once.
#[target_feature(enable = "avx2")]
fn reach(
    bounds: &[TermBound],
    thresholds: &[u8; GROUPS],
    min_tokens: u8,
    marks: &mut [u64; GROUPS],
) {
    for (group, (threshold, marks)) in thresholds.iter().zip(marks).enumerate() {
        *marks = reach_half(bounds, group, 0, *threshold, min_tokens)
            | reach_half(bounds, group, 32, *threshold, min_tokens);
    }
}

impl Simd for Avx2 {
    #[inline(always)]
    fn reach(
        self,
        bounds: &[TermBound],
        thresholds: &[u8; GROUPS],
        min_tokens: u8,
        marks: &mut [u64; GROUPS],
    ) {
        // SAFETY: an `Avx2` is made only where the processor has it.
        unsafe { reach(bounds, thresholds, min_tokens, marks) }
    }
}
