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
use super::{Candidates, Probe, Share, Simd, Work};
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
    fn reach(self, shares: &[Share], bars: &[u8; GROUPS], least: u8, marks: &mut [u64; GROUPS]) {
        for (group, (bar, marks)) in bars.iter().zip(marks).enumerate() {
            // SAFETY: an `Avx512` is made only where the processor has it.
            *marks = unsafe {
                let (mut sums, mut counts) = (_mm512_setzero_si512(), _mm512_setzero_si512());
                for share in shares {
                    let (held, most) = (share.bits[group], _mm512_set1_epi8(share.coarse as i8));
                    sums = _mm512_mask_add_epi8(sums, held, sums, most);
                    if least > 0 {
                        let one = _mm512_set1_epi8(share.counts as i8);
                        counts = _mm512_mask_add_epi8(counts, held, counts, one);
                    }
                }
                let reached = _mm512_cmpge_epu8_mask(sums, _mm512_set1_epi8(*bar as i8));
                reached & _mm512_cmpge_epu8_mask(counts, _mm512_set1_epi8(least as i8))
            };
        }
    }

    #[inline(always)]
    fn list(
        self,
        shares: &[Share],
        marks: &[u64; GROUPS],
        bars: &[u32; GROUPS],
        found: &mut Candidates,
    ) {
        for (group, (marks, bar)) in marks.iter().zip(bars).enumerate() {
            for quarter in 0..4 {
                let marks = (marks >> (16 * quarter)) as u16;
                if marks != 0 {
                    // SAFETY: as above.
                    unsafe { list_sixteen(shares, group, quarter, marks, *bar, found) }
                }
            }
        }
    }

    #[inline(always)]
    fn take_off_codes(self, probe: &Probe<u32>, found: &mut Candidates) {
        // SAFETY: as above.
        unsafe { take_off_codes(probe, found) }
    }
}

/// Lists the marked ones of the sixteen formulas of a quarter of a group.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,popcnt")]
#[inline]
fn list_sixteen(
    shares: &[Share],
    group: usize,
    quarter: usize,
    marks: u16,
    bar: u32,
    found: &mut Candidates,
) {
    let mut sums = _mm512_setzero_si512();
    for share in shares {
        let holds = (share.bits[group] >> (16 * quarter)) as u16;
        let most = _mm512_set1_epi32(share.most as i32);
        sums = _mm512_mask_add_epi32(sums, holds, sums, most);
    }
    let reached = _mm512_mask_cmpge_epu32_mask(marks, sums, _mm512_set1_epi32(bar as i32));
    let first = _mm512_set1_epi32((group * GROUP + 16 * quarter) as i32);
    let places = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    let place = found.len();
    store(found, place, reached, _mm512_add_epi32(first, places), sums);
    found.grow(reached.count_ones() as usize);
}

/// Takes off what a term does not add, sixteen candidates at a time.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vpopcntdq,popcnt,bmi1,bmi2")]
#[inline]
fn take_off_codes(probe: &Probe<u32>, found: &mut Candidates) {
    let len = found.len();
    let (mut at, mut left) = (0, 0);
    while at < len {
        let lanes = match len - at {
            some @ ..16 => (1u16 << some) - 1,
            _ => u16::MAX,
        };
        let (ids, sums) = found.sixteen(at);
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
        let (holds, before) = before(&probe.presence, ids, groups);
        let missed = missed(probe, holds & lanes, groups, before);
        let sums = _mm512_sub_epi32(sums, missed);
        // SAFETY: groups are under 512, and there are as many bars.
        let bars = unsafe { _mm512_i32gather_epi32::<4>(groups, probe.bars.as_ptr().cast()) };
        let kept = _mm512_mask_cmpge_epu32_mask(lanes, sums, bars);
        store(found, left, kept, ids, sums);
        left += kept.count_ones() as usize;
        at += 16;
    }
    found.truncate(left);
}

/// Which of sixteen formulas hold the term, and how many formulas of their
/// groups do before them.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq")]
#[inline]
fn before(presence: &RankedBitmap, ids: __m512i, groups: __m512i) -> (u16, __m512i) {
    let bits_of = presence.bits.as_ptr().cast();
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

/// What sixteen formulas do not add of the most that they could.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline]
fn missed(probe: &Probe<u32>, holds: u16, groups: __m512i, before: __m512i) -> __m512i {
    let low_byte = _mm512_set1_epi32(0xff);
    let none = _mm512_setzero_si512();
    // Two ranks are read at once, as whole numbers, so that none beyond the
    // last is touched.
    let pairs = _mm512_srli_epi32::<1>(groups);
    let odd = _mm512_and_si512(groups, _mm512_set1_epi32(1));
    // SAFETY: pairs are under 256, and there are as many pairs of ranks.
    let ranks = unsafe { _mm512_i32gather_epi32::<4>(pairs, probe.presence.ranks.as_ptr().cast()) };
    let ranks = _mm512_srlv_epi32(ranks, _mm512_slli_epi32::<4>(odd));
    let ranks = _mm512_and_si512(ranks, _mm512_set1_epi32(0xffff));
    // A damaged rank stays within the postings.
    let last = _mm512_set1_epi32(probe.payloads.len() as i32 - 1);
    let ranks = _mm512_min_epu32(_mm512_add_epi32(ranks, before), last);
    let table = probe.adder.view.0.as_ptr();
    // SAFETY: ranks are within the payloads; numbers are within their pieces
    // of the table, and the last piece gives room for the four bytes that are
    // read for one.
    let (codes, first, second, rest) = unsafe {
        let payloads = probe.payloads.as_ptr().cast();
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
    let adds = _mm512_mullo_epi32(shared, _mm512_set1_epi32(probe.adder.weight as i32));
    let most = _mm512_set1_epi32(probe.most as i32);
    _mm512_maskz_sub_epi32(holds, most, _mm512_min_epu32(adds, most))
}

/// Writes the marked ones of sixteen candidates from `place` on.
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
#[inline]
fn store(found: &mut Candidates, place: usize, marks: u16, ids: __m512i, sums: __m512i) {
    let ids = _mm512_cvtepi32_epi16(_mm512_maskz_compress_epi32(marks, ids));
    let sums = _mm512_maskz_compress_epi32(marks, sums);
    let (next_ids, next_sums) = found.sixteen(place);
    // SAFETY: both have room for sixteen.
    unsafe {
        _mm256_storeu_si256(next_ids.as_mut_ptr().cast(), ids);
        _mm512_storeu_si512(next_sums.as_mut_ptr().cast(), sums);
    }
}
