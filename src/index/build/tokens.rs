//! The tokens of a formula on its way into an index: numbers and words.

use crate::index::format::{VarintReader, VarintWriter};

/// Writes tokens, each with its word without the zeros at its end.
pub(super) fn write_tokens(tokens: impl ExactSizeIterator<Item = (u32, u128)>) -> Vec<u8> {
    let mut writer = VarintWriter::default();
    writer.number(tokens.len() as u64);
    for (token, word) in tokens {
        writer.number(u64::from(token));
        let bytes = word.to_le_bytes();
        let used = 16 - (word.leading_zeros() / 8) as usize;
        writer.bytes(&bytes[..used]);
    }
    writer.0
}

/// The tokens that were written; `None` where the bytes are something else.
pub(super) fn read_tokens(bytes: &[u8]) -> Option<Vec<(u32, u128)>> {
    let mut reader = VarintReader(bytes);
    let count = reader.number()?;
    (0..count)
        .map(|_| {
            let token = u32::try_from(reader.number()?).ok()?;
            let bytes = reader.bytes()?;
            let mut word = [0; 16];
            word.get_mut(..bytes.len())?.copy_from_slice(bytes);
            Some((token, u128::from_le_bytes(word)))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn tokens_round_trip(tokens: Vec<(u32, u128)>) {
            prop_assert_eq!(read_tokens(&write_tokens(tokens.iter().copied())), Some(tokens));
        }
    }
}
