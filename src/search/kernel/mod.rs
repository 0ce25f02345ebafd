//! Kernels: the innermost loops, in a version for every kind of processor.
//!
//! [`Level::run`] runs a piece of work that is compiled for what the processor
//! has: all that is inlined into it may use those instructions, so a
//! plain build counts bits with `popcnt`. What compilers do not find by
//! themselves is in [`Simd`], written by hand beside its plain twin
//! [`scalar`].
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod matcher;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;
#[cfg(test)]
mod twins;

pub(super) use matcher::{Adder, Match};

use std::fmt;
use std::sync::LazyLock;

use super::engine::Candidates;
use crate::index::{GROUPS, RankedBitmap};

/// A token's formulas in a window, and the upper bound of what it adds to a sum.
#[derive(Debug, Clone, Copy)]
pub(super) struct TermBound<'a> {
    /// One bit for each formula.
    pub(super) bits: &'a [u64; GROUPS],
    /// The largest gain of the token: an upper bound of what it adds.
    pub(super) max_gain: u32,
    /// `max_gain` in coarse steps, rounded up: over all terms these sum to less than 255.
    pub(super) coarse: u8,
    /// 1 if it counts towards the minimum match, else 0.
    pub(super) counts_toward_min_match: u8,
}

/// A token's postings in a window, to be looked up for candidates.
pub(super) struct CandidateLookup<'a, P: Match> {
    /// Which formulas hold it.
    pub(super) bitmap: RankedBitmap<'a>,
    /// The payload of each of them.
    pub(super) payloads: &'a [P],
    /// Computes the gain of a payload. A candidate's sum begins with the term's largest gain.
    pub(super) adder: Adder<'a, P>,
    /// The sums that candidates must reach, by group.
    pub(super) min_sums: &'a [u32; GROUPS],
}

/// The loops that each kind of processor does in its own way.
pub(super) trait Simd: Copy {
    /// Marks the formulas of a window that hold at least `min_tokens` of the
    /// terms that count, and whose coarse bounds sum to the threshold of their
    /// group of 64.
    fn reach(
        self,
        bounds: &[TermBound],
        thresholds: &[u8; GROUPS],
        min_tokens: u8,
        marks: &mut [u64; GROUPS],
    );

    /// Lists the marked formulas whose bounds sum to the threshold of their
    /// group, with these sums. Only processors with masks have a way of their own:
    /// few formulas are marked, so others gain nothing.
    #[inline(always)]
    fn list(
        self,
        bounds: &[TermBound],
        marks: &[u64; GROUPS],
        min_sums: &[u32; GROUPS],
        candidates: &mut Candidates,
    ) {
        scalar::list(bounds, marks, min_sums, candidates);
    }

    /// Subtracts from each candidate's sum the difference between the term's largest
    /// gain and its gain in that formula, and leaves out candidates that fall below
    /// their threshold. The term's payloads are codes.
    #[inline(always)]
    fn subtract_missed_codes(self, lookup: &CandidateLookup<u32>, candidates: &mut Candidates) {
        scalar::subtract_missed(lookup, candidates);
    }
}

/// Work that is compiled for every kind of processor.
pub(super) trait Work {
    /// Its result.
    type Output;

    /// Does the work. Every implementation must be `#[inline(always)]`.
    fn with<S: Simd>(self, simd: S) -> Self::Output;
}

/// The kinds of processor that kernels are written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// The instructions that every processor of the target has.
    Scalar,
    /// AArch64, which always has NEON.
    Neon,
    /// x86-64 with AVX2, popcnt and BMI.
    Avx2,
    /// x86-64 with AVX-512 F, BW, VL, VBMI and VPOPCNTDQ.
    Avx512,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Level::Scalar => "no vector instructions",
            Level::Neon => "NEON",
            Level::Avx2 => "AVX2",
            Level::Avx512 => "AVX-512",
        })
    }
}

impl Level {
    /// The best that this processor has.
    pub fn best() -> Self {
        static BEST: LazyLock<Level> = LazyLock::new(Level::detect);
        *BEST
    }

    /// All that this processor has, the best last.
    pub fn available() -> Vec<Self> {
        let mut levels = vec![Level::Scalar];
        #[cfg(target_arch = "x86_64")]
        if Level::best() >= Level::Avx2 {
            levels.push(Level::Avx2);
        }
        levels.push(Level::best());
        levels.dedup();
        levels
    }

    #[cfg(target_arch = "x86_64")]
    fn detect() -> Self {
        let has_avx2 = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2");
        let has_avx512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vpopcntdq");
        match (has_avx2, has_avx512) {
            (true, true) => Level::Avx512,
            (true, false) => Level::Avx2,
            _ => Level::Scalar,
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn detect() -> Self {
        if cfg!(target_arch = "aarch64") {
            Level::Neon
        } else {
            Level::Scalar
        }
    }

    /// Runs work that is compiled for this level, or for the best that the
    /// processor has, if that is lower.
    pub(super) fn run<W: Work>(self, work: W) -> W::Output {
        match self.min(Level::best()) {
            // SAFETY: the best level was found by asking the processor, and
            // lower ones of the same kind have no other instructions.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { avx512::run(work) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { avx2::run(work) },
            // SAFETY: as above.
            #[cfg(target_arch = "aarch64")]
            Level::Neon => unsafe { neon::run(work) },
            _ => work.with(scalar::Scalar),
        }
    }
}
