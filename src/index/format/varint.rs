//! Numbers of any size in as few bytes as they need, and texts after their lengths.

/// Writes strings and numbers one after another.
#[derive(Debug, Default)]
pub(in crate::index) struct VarintWriter(pub(in crate::index) Vec<u8>);

impl VarintWriter {
    pub(in crate::index) fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// Small numbers of either sign stay small.
    pub(in crate::index) fn signed(&mut self, value: i64) {
        self.number((value << 1 ^ value >> 63) as u64);
    }

    pub(in crate::index) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    pub(in crate::index) fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }
}

/// Reads the output of a [`VarintWriter`]; `None` if the bytes are something else.
#[derive(Debug, Clone)]
pub(in crate::index) struct VarintReader<'a>(pub(in crate::index) &'a [u8]);

impl<'a> VarintReader<'a> {
    pub(in crate::index) fn number(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            value |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    pub(in crate::index) fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    pub(in crate::index) fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    pub(in crate::index) fn signed(&mut self) -> Option<i64> {
        let folded = self.number()?;
        Some((folded >> 1) as i64 ^ -((folded & 1) as i64))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_written_is_read(number: u64, signed: i64, text: String) {
            let mut writer = VarintWriter::default();
            writer.number(number);
            writer.signed(signed);
            writer.text(&text);
            let mut reader = VarintReader(&writer.0);
            prop_assert_eq!(reader.number(), Some(number));
            prop_assert_eq!(reader.signed(), Some(signed));
            prop_assert_eq!(reader.text(), Some(&text[..]));
            prop_assert!(reader.0.is_empty());
        }
    }
}
