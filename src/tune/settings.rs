//! The settings that are tuned, and those that differ from them in one thing.

use super::bits::{Bits, CAPS, KINDS};
use crate::phoc::{KindSettings, PhocConfig, TokenKind};

/// Weights to choose from. A token without positions is one region where others are some ten.
const ANYWHERE_WEIGHTS: [f64; 3] = [4.0, 8.0, 16.0];
const POSITIONAL_WEIGHTS: [f64; 3] = [0.5, 1.0, 2.0];
/// Repeats to choose from.
const TIMES: [u8; 3] = [1, 2, 4];
/// Powers of the norm to choose from.
const NORMS: [f64; 6] = [0.2, 0.25, 0.3, 0.35, 0.4, 0.5];

/// The settings that are tuned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Settings {
    /// Kinds of weight 0 are left out.
    pub(super) kinds: [KindSettings; KINDS],
    pub(super) norm: f64,
    /// Which of [`CAPS`].
    pub(super) cap: usize,
}

impl Settings {
    pub(super) fn of(config: &PhocConfig) -> Self {
        Settings {
            kinds: TokenKind::ALL.map(|kind| KindSettings {
                weight: config.tokens.weight(kind),
                repeats: config.tokens.repeats(kind).max(1),
                positional: config.tokens.is_positional(kind),
            }),
            norm: config.norm_power,
            // The nearest that is tried.
            cap: config.cap.map_or(CAPS.len() - 1, |cap| {
                let distance = |at: &usize| CAPS[*at].abs_diff(cap);
                (0..CAPS.len() - 1).min_by_key(distance).unwrap_or(0)
            }),
        }
    }

    /// Every setting that differs in one thing.
    pub(super) fn neighbours(self) -> Vec<Settings> {
        let mut all = Vec::new();
        for norm in NORMS {
            all.push(Settings { norm, ..self });
        }
        for cap in 0..CAPS.len() {
            all.push(Settings { cap, ..self });
        }
        for (kind, used) in self.kinds.into_iter().enumerate() {
            let mut with = |used: KindSettings| {
                let mut next = self;
                next.kinds[kind] = used;
                all.push(next);
            };
            with(KindSettings {
                weight: 0.0,
                ..used
            });
            for (positional, weights) in [(false, ANYWHERE_WEIGHTS), (true, POSITIONAL_WEIGHTS)] {
                for weight in weights {
                    with(KindSettings {
                        weight,
                        positional,
                        ..used
                    });
                }
            }
            for repeats in TIMES.into_iter().filter(|_| used.weight > 0.0) {
                with(KindSettings { repeats, ..used });
            }
        }
        all.retain(|next| *next != self && next.used().next().is_some());
        all
    }

    /// The kinds that are not left out.
    pub(super) fn used(&self) -> impl Iterator<Item = (TokenKind, KindSettings)> {
        let kinds = TokenKind::ALL.into_iter().zip(self.kinds);
        kinds.filter(|(_, used)| used.weight > 0.0)
    }

    /// The weighted sum of some bits.
    pub(super) fn sum(&self, bits: &Bits) -> f64 {
        let of = |(kind, used): (TokenKind, KindSettings)| {
            let cap = if used.positional { 1 + self.cap } else { 0 };
            used.weight * bits[cap][kind as usize][usize::from(used.repeats) - 1]
        };
        self.used().map(of).sum()
    }
}
