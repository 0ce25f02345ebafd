//! AVX-512: 64 formulas a register, presence bits as masks.

use std::arch::x86_64::{
    __m256i, __m512i, _mm256_loadu_si256, _mm256_storeu_si256, _mm512_add_epi32, _mm512_and_si512,
    _mm512_castsi256_si512, _mm512_castsi512_si256, _mm512_cmpge_epu8_mask, _mm512_cvtepi32_epi16,
    _mm512_cvtepi64_epi32, _mm512_cvtepu16_epi32, _mm512_cvtepu32_epi64, _mm512_extracti64x4_epi64,
    _mm512_i32gather_epi32, _mm512_i32gather_epi64, _mm512_inserti64x4, _mm512_loadu_si512,
    _mm512_mask_add_epi8, _mm512_mask_add_epi32, _mm512_mask_cmpge_epu32_mask,
    _mm512_mask_i32gather_epi32, _mm512_maskz_compress_epi32, _mm512_maskz_sub_epi32,
    _mm512_min_epu32, _mm512_mullo_epi32, _mm512_permutexvar_epi8, _mm512_popcnt_epi64,
    _mm512_set1_epi8, _mm512_set1_epi32, _mm512_set1_epi64, _mm512_setr_epi32,
    _mm512_setzero_si512, _mm512_slli_epi32, _mm512_sllv_epi64, _mm512_srli_epi32,
    _mm512_srlv_epi32, _mm512_storeu_si512, _mm512_sub_epi32, _mm512_sub_epi64,
    _mm512_test_epi64_mask,
};

use super::matcher::STARTS;
use super::{CandidateLookup, Candidates, Simd, TermBound, Work};
use crate::index::{GROUP, GROUPS, ROOM, RankedBitmap, SHIFTS, WINDOW};

/// Made only where the processor has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Avx512(());

/// Does work with AVX-512.
#[target_feature(
    enable = "avx2,popcnt,lzcnt,bmi1,bmi2,avx512f,avx512bw,avx512vl,avx512vbmi,avx512vpopcntdq"
)]
pub(super) fn run<W: Work>(work: W) -> W::Output {
    work.with(Avx512(()))
}

impl Simd for Avx512 {
    #[inline(always)]
    fn reach(
        self,
        bounds: &[TermBound],
        thresholds: &[u8; GROUPS],
        min_tokens: u8,
        marks: &mut [u64; GROUPS],
    ) {
        // SAFETY: an `Avx512` is made only where the processor has it.
        unsafe { reach(bounds, thresholds, min_tokens, marks) }
    }

    #[inline(always)]
    fn list(
        self,
        bounds: &[TermBound],
        marks: &[u64; GROUPS],
        min_sums: &[u32; GROUPS],
        candidates: &mut Candidates,
    ) {
        // SAFETY: as above.
        unsafe { list(bounds, marks, min_sums, candidates) }
    }

    #[inline(always)]
    fn subtract_missed_codes(self, lookup: &CandidateLookup<u32>, candidates: &mut Candidates) {
        // SAFETY: as above.
        unsafe { subtract_missed_codes(lookup, candidates) }
    }
}

/// Marks the formulas that may reach their threshold, 64 at a time. It is a
/// function of its own, not inlined, so that it is compiled once.
#[target_feature(enable = "avx512f,avx512bw")]
fn reach(
    bounds: &[TermBound],
    thresholds: &[u8; GROUPS],
    min_tokens: u8,
    marks: &mut [u64; GROUPS],
) {
    for (group, (threshold, marks)) in thresholds.iter().zip(marks).enumerate() {
        let (mut sums, mut counts) = (_mm512_setzero_si512(), _mm512_setzero_si512());
        for bound in bounds {
            let (held, gain) = (bound.bits[group], _mm512_set1_epi8(bound.coarse as i8));
            sums = _mm512_mask_add_epi8(sums, held, sums, gain);
            if min_tokens > 0 {
                let one = _mm512_set1_epi8(bound.counts_toward_min_match as i8);
                counts = _mm512_mask_add_epi8(counts, held, counts, one);
            }
        }
        let reached = _mm512_cmpge_epu8_mask(sums, _mm512_set1_epi8(*threshold as i8));
        *marks = reached & _mm512_cmpge_epu8_mask(counts, _mm512_set1_epi8(min_tokens as i8));
    }
}

/// Lists the marked formulas whose bounds sum to the threshold of their group.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,popcnt")]
fn list(
    bounds: &[TermBound],
    marks: &[u64; GROUPS],
    min_sums: &[u32; GROUPS],
    candidates: &mut Candidates,
) {
    for (group, (marks, min_sum)) in marks.iter().zip(min_sums).enumerate() {
        for quarter in 0..4 {
            let marks = (marks >> (16 * quarter)) as u16;
            if marks != 0 {
                list_sixteen(bounds, group, quarter, marks, *min_sum, candidates);
            }
        }
    }
}

/// Lists the marked ones of the sixteen formulas of a quarter of a group.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,popcnt")]
#[inline]
fn list_sixteen(
    bounds: &[TermBound],
    group: usize,
    quarter: usize,
    marks: u16,
    threshold: u32,
    candidates: &mut Candidates,
) {
    let mut sums = _mm512_setzero_si512();
    for bound in bounds {
        let holds = (bound.bits[group] >> (16 * quarter)) as u16;
        let max_gain = _mm512_set1_epi32(bound.max_gain as i32);
        sums = _mm512_mask_add_epi32(sums, holds, sums, max_gain);
    }
    let reached = _mm512_mask_cmpge_epu32_mask(marks, sums, _mm512_set1_epi32(threshold as i32));
    let first = _mm512_set1_epi32((group * GROUP + 16 * quarter) as i32);
    let places = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    let place = candidates.len();
    store(
        candidates,
        place,
        reached,
        _mm512_add_epi32(first, places),
        sums,
    );
    candidates.grow(reached.count_ones() as usize);
}

/// Subtracts what a term falls short of its largest gain, sixteen candidates at a time.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vpopcntdq,popcnt,bmi1,bmi2")]
fn subtract_missed_codes(lookup: &CandidateLookup<u32>, candidates: &mut Candidates) {
    // The last payload bounds what is gathered, so there must be one.
    if lookup.payloads.is_empty() {
        return;
    }
    let len = candidates.len();
    let (mut at, mut left) = (0, 0);
    while at < len {
        let lanes = match len - at {
            some @ ..16 => (1u16 << some) - 1,
            _ => u16::MAX,
        };
        let (ids, sums) = candidates.sixteen(at);
        // SAFETY: both have sixteen numbers to read.
        let (ids, sums) = unsafe {
            let ids = _mm256_loadu_si256(ids.as_ptr().cast());
            (
                _mm512_cvtepu16_epi32(ids),
                _mm512_loadu_si512(sums.as_ptr().cast()),
            )
        };
        let ids = _mm512_and_si512(ids, _mm512_set1_epi32(WINDOW as i32 - 1));
        let groups = _mm512_srli_epi32::<6>(ids);
        let (holds, before) = before(&lookup.bitmap, ids, groups);
        let missed = missed(lookup, holds & lanes, groups, before);
        let sums = _mm512_sub_epi32(sums, missed);
        // SAFETY: groups are under 512, and there are as many thresholds.
        let thresholds =
            unsafe { _mm512_i32gather_epi32::<4>(groups, lookup.min_sums.as_ptr().cast()) };
        let kept = _mm512_mask_cmpge_epu32_mask(lanes, sums, thresholds);
        store(candidates, left, kept, ids, sums);
        left += kept.count_ones() as usize;
        at += 16;
    }
    candidates.truncate(left);
}

/// Which of sixteen formulas hold the term, and for each how many formulas before it
/// in its group do.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq")]
#[inline]
fn before(bitmap: &RankedBitmap, ids: __m512i, groups: __m512i) -> (u16, __m512i) {
    let bits_of = bitmap.bits.as_ptr().cast();
    let eight = |ids: __m256i, groups: __m256i| {
        // SAFETY: groups are under 512, and there is a word for each.
        let bits = unsafe { _mm512_i32gather_epi64::<8>(groups, bits_of) };
        let places = _mm512_and_si512(_mm512_cvtepu32_epi64(ids), _mm512_set1_epi64(63));
        let own = _mm512_sllv_epi64(_mm512_set1_epi64(1), places);
        let below = _mm512_sub_epi64(own, _mm512_set1_epi64(1));
        let before = _mm512_popcnt_epi64(_mm512_and_si512(bits, below));
        (
            _mm512_test_epi64_mask(bits, own),
            _mm512_cvtepi64_epi32(before),
        )
    };
    let low = eight(_mm512_castsi512_si256(ids), _mm512_castsi512_si256(groups));
    let high = eight(
        _mm512_extracti64x4_epi64::<1>(ids),
        _mm512_extracti64x4_epi64::<1>(groups),
    );
    let before = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low.1), high.1);
    (u16::from(low.0) | u16::from(high.0) << 8, before)
}

/// What the gains of sixteen formulas fall short of the term's largest gain.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline]
fn missed(lookup: &CandidateLookup<u32>, holds: u16, groups: __m512i, before: __m512i) -> __m512i {
    let low_byte = _mm512_set1_epi32(0xff);
    let none = _mm512_setzero_si512();
    // Two ranks are read at once, as whole numbers, so that none beyond the
    // last is touched.
    let pairs = _mm512_srli_epi32::<1>(groups);
    let odd = _mm512_and_si512(groups, _mm512_set1_epi32(1));
    // SAFETY: pairs are under 256, and there are as many pairs of ranks.
    let ranks = unsafe { _mm512_i32gather_epi32::<4>(pairs, lookup.bitmap.ranks.as_ptr().cast()) };
    let ranks = _mm512_srlv_epi32(ranks, _mm512_slli_epi32::<4>(odd));
    let ranks = _mm512_and_si512(ranks, _mm512_set1_epi32(0xffff));
    // A damaged rank stays within the postings.
    let last = _mm512_set1_epi32(lookup.payloads.len() as i32 - 1);
    let ranks = _mm512_min_epu32(_mm512_add_epi32(ranks, before), last);
    let table = lookup.adder.view.0.as_ptr();
    // SAFETY: ranks are at most `last`, so within the payloads, which are not
    // empty (see `subtract_missed_codes`); numbers are within their pieces
    // of the table, and the last piece gives room for the four bytes that are
    // read for one.
    let (codes, first, second, rest) = unsafe {
        let payloads = lookup.payloads.as_ptr().cast();
        let codes = _mm512_mask_i32gather_epi32::<4>(none, holds, ranks, payloads);
        let number = _mm512_set1_epi32(ROOM[0] as i32 - 1);
        let first = _mm512_and_si512(codes, number);
        let second = _mm512_and_si512(_mm512_srli_epi32::<{ SHIFTS[1] }>(codes), number);
        (
            codes,
            _mm512_i32gather_epi32::<1>(first, table.cast()),
            _mm512_i32gather_epi32::<1>(second, table.add(STARTS[1]).cast()),
            _mm512_loadu_si512(table.add(STARTS[2]).cast()),
        )
    };
    let third = _mm512_permutexvar_epi8(_mm512_srli_epi32::<{ SHIFTS[2] }>(codes), rest);
    let shared = _mm512_add_epi32(
        _mm512_and_si512(first, low_byte),
        _mm512_add_epi32(
            _mm512_and_si512(second, low_byte),
            _mm512_and_si512(third, low_byte),
        ),
    );
    let adds = _mm512_mullo_epi32(shared, _mm512_set1_epi32(lookup.adder.weight as i32));
    let max_gain = _mm512_set1_epi32(lookup.adder.max_gain as i32);
    _mm512_maskz_sub_epi32(holds, max_gain, _mm512_min_epu32(adds, max_gain))
}

/// Writes the marked ones of sixteen candidates from `place` on.
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
#[inline]
fn store(candidates: &mut Candidates, place: usize, marks: u16, ids: __m512i, sums: __m512i) {
    let ids = _mm512_cvtepi32_epi16(_mm512_maskz_compress_epi32(marks, ids));
    let sums = _mm512_maskz_compress_epi32(marks, sums);
    let (next_ids, next_sums) = candidates.sixteen(place);
    // SAFETY: both have room for sixteen.
    unsafe {
        _mm256_storeu_si256(next_ids.as_mut_ptr().cast(), ids);
        _mm512_storeu_si512(next_sums.as_mut_ptr().cast(), sums);
    }
}
