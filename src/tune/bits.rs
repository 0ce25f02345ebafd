//! The bits that two formulas share, counted in every way that settings may weigh them.

use crate::phoc::{Encoded, TokenKind, WHOLE, Weights};

/// Occurrences of a token that are told apart; later ones count as the last.
pub(super) const REPEATS: usize = 8;
pub(super) const KINDS: usize = TokenKind::ALL.len();

/// Caps on what one token counts, in regions; the last is none.
pub(super) const CAPS: [u32; 5] = [8, 12, 16, 24, u32::MAX];

/// Shared bits by kind and by the number of occurrences that are counted: first without positions,
/// then for each cap.
pub(super) type Bits = [[[f64; REPEATS]; KINDS]; 1 + CAPS.len()];

/// The bits that two formulas share: of every kind, those of first occurrences,
/// of first and second ones, and so on. Both are in the order of keys.
pub(super) fn shared(a: &[Encoded], b: &[Encoded], weights: &Weights) -> Bits {
    let mut bits: Bits = [[[0.0; REPEATS]; KINDS]; 1 + CAPS.len()];
    let mut others = b.iter().peekable();
    for token in a {
        while others.next_if(|other| other.key < token.key).is_some() {}
        if let Some(other) = others.next_if(|other| other.key == token.key) {
            let count = weights.count(token.word & other.word);
            let (kind, nth) = (token.key.kind as usize, usize::from(token.key.nth) - 1);
            let [anywhere, capped @ ..] = &mut bits;
            anywhere[kind][nth] += weights.count(WHOLE);
            for (bits, cap) in capped.iter_mut().zip(CAPS) {
                bits[kind][nth] += count.min(f64::from(cap));
            }
        }
    }
    for kind in bits.as_flattened_mut() {
        for nth in 1..REPEATS {
            kind[nth] += kind[nth - 1];
        }
    }
    bits
}
