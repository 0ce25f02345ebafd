//! The bytes of an index: a mapped file, or memory.

use std::ops::Deref;

use memmap2::Mmap;

/// The bytes of an index, aligned for every kind of row.
#[derive(Debug)]
pub(super) enum Bytes {
    /// A file.
    Mapped(Mmap),
    /// Memory, in chunks as long and as aligned as the longest payload.
    Owned { chunks: Vec<u128>, length: usize },
}

impl Bytes {
    /// A copy of some bytes.
    pub(super) fn copied(bytes: &[u8]) -> Self {
        let mut chunks = vec![0u128; bytes.len().div_ceil(size_of::<u128>())];
        bytemuck::cast_slice_mut(&mut chunks)[..bytes.len()].copy_from_slice(bytes);
        Bytes::Owned {
            chunks,
            length: bytes.len(),
        }
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Owned { chunks, length } => &bytemuck::cast_slice(chunks)[..*length],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_whole_and_aligned() {
        for length in [0, 1, 15, 16, 17, 64] {
            let bytes: Vec<u8> = (0..length).collect();
            let copy = Bytes::copied(&bytes);
            assert_eq!(*copy, *bytes);
            assert!(copy.as_ptr().cast::<u128>().is_aligned());
        }
    }
}
