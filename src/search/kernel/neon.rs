//! NEON: 16 formulas a register, bitmap bits spread to bytes. Every AArch64
//! has it, and compilers count bits with it by themselves.

use std::arch::aarch64::{
    uint8x16_t, vaddq_u8, vaddv_u8, vandq_u8, vcgeq_u8, vcombine_u8, vdup_n_u8, vdupq_n_u8,
    vget_high_u8, vget_low_u8, vld1q_u8, vtstq_u8,
};

use super::{Simd, TermBound, Work};
use crate::index::{GROUP, GROUPS};

/// Made only where the processor has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Neon(());

/// Does work with NEON.
#[target_feature(enable = "neon")]
pub(super) fn run<W: Work>(work: W) -> W::Output {
    work.with(Neon(()))
}

/// Formulas a register.
const LANES: usize = 16;

/// The bit of each lane within its byte.
#[target_feature(enable = "neon")]
#[inline]
fn bit_of() -> uint8x16_t {
    const BITS: [u8; LANES] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
    // SAFETY: there are sixteen bytes to read.
    unsafe { vld1q_u8(BITS.as_ptr()) }
}

/// 16 bits as 16 bytes of all ones or none.
#[target_feature(enable = "neon")]
#[inline]
fn spread(bits: u16) -> uint8x16_t {
    let [low, high] = bits.to_le_bytes();
    vtstq_u8(vcombine_u8(vdup_n_u8(low), vdup_n_u8(high)), bit_of())
}

/// 16 bytes of all ones or none as 16 bits.
#[target_feature(enable = "neon")]
#[inline]
fn gather(bytes: uint8x16_t) -> u16 {
    let bits = vandq_u8(bytes, bit_of());
    u16::from_le_bytes([vaddv_u8(vget_low_u8(bits)), vaddv_u8(vget_high_u8(bits))])
}

/// Which of 16 formulas, from bit `from` of a group on, have at least `min_tokens` of
/// the bounds and sum to `threshold`.
#[target_feature(enable = "neon")]
#[inline]
fn reach_lanes(
    bounds: &[TermBound],
    group: usize,
    from: usize,
    threshold: u8,
    min_tokens: u8,
) -> u64 {
    let (mut sums, mut counts) = (vdupq_n_u8(0), vdupq_n_u8(0));
    for bound in bounds {
        let held = spread((bound.bits[group] >> from) as u16);
        sums = vaddq_u8(sums, vandq_u8(held, vdupq_n_u8(bound.coarse)));
        counts = vaddq_u8(
            counts,
            vandq_u8(held, vdupq_n_u8(bound.counts_toward_min_match)),
        );
    }
    let reached = vandq_u8(
        vcgeq_u8(sums, vdupq_n_u8(threshold)),
        vcgeq_u8(counts, vdupq_n_u8(min_tokens)),
    );
    u64::from(gather(reached)) << from
}

impl Simd for Neon {
    #[inline(always)]
    fn reach(
        self,
        bounds: &[TermBound],
        thresholds: &[u8; GROUPS],
        min_tokens: u8,
        marks: &mut [u64; GROUPS],
    ) {
        for (group, (threshold, marks)) in thresholds.iter().zip(marks).enumerate() {
            *marks = 0;
            for from in (0..GROUP).step_by(LANES) {
                // SAFETY: a `Neon` is made only where the processor has it.
                *marks |= unsafe { reach_lanes(bounds, group, from, *threshold, min_tokens) };
            }
        }
    }
}
