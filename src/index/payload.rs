//! Payloads: a posting stores a word, or a code for it.

use std::fmt::Debug;

use bytemuck::Pod;

use super::codebook::{Codebook, Coder};

/// A word as it is stored: a code of the [`Codebook`], or itself.
pub(crate) trait Payload: Pod + Debug + Send + Sync {
    /// The word.
    fn word(self, codebook: &Codebook) -> u128;

    /// The payload of a word.
    fn pack(word: u128, coder: &Coder) -> Self;
}

impl Payload for u32 {
    fn word(self, codebook: &Codebook) -> u128 {
        codebook.word(self)
    }

    fn pack(word: u128, coder: &Coder) -> Self {
        coder.code(word)
    }
}

macro_rules! whole_words {
    ($($word:ty),*) => {$(
        impl Payload for $word {
            fn word(self, _: &Codebook) -> u128 {
                self.into()
            }

            fn pack(word: u128, _: &Coder) -> Self {
                word as $word
            }
        }
    )*};
}
whole_words!(u64, u128);

/// The bytes of a payload for words of `bits` bits: 4 for a code, 8 or 16 for a word.
pub(super) fn payload_bytes(has_codes: bool, bits: usize) -> u64 {
    match (has_codes, bits) {
        (true, _) => 4,
        (false, ..=64) => 8,
        (false, _) => 16,
    }
}

/// Evaluates an expression with the payload type that has this number of bytes:
/// `with_payload!(bytes, P => work::<P>())`.
macro_rules! with_payload {
    ($bytes:expr, $payload:ident => $work:expr) => {
        match $bytes {
            4 => {
                type $payload = u32;
                $work
            }
            8 => {
                type $payload = u64;
                $work
            }
            _ => {
                type $payload = u128;
                $work
            }
        }
    };
}
pub(crate) use with_payload;
