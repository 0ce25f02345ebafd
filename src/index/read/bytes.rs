//! The bytes of an index: a mapped file, or memory.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;
use std::path::Path;

use super::mapping::Mapping;
use super::state::{FileState, Stamp};

/// The bytes of an index, aligned for every kind of row.
#[derive(Debug)]
pub(super) enum Bytes {
    /// A file.
    Mapped(Mapping),
    /// Memory.
    Owned {
        memory: Memory,
        /// The file that was read, if one was.
        read: Option<Stamp>,
    },
}

/// Memory, in chunks as long and as aligned as the longest payload.
#[derive(Debug)]
pub(super) struct Memory {
    chunks: Vec<u128>,
    length: usize,
}

impl Memory {
    fn zeros(length: usize) -> Self {
        Memory {
            chunks: vec![0; length.div_ceil(size_of::<u128>())],
            length,
        }
    }

    fn as_mut(&mut self) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(&mut self.chunks)[..self.length]
    }
}

impl Bytes {
    /// The file at `path`, mapped.
    pub(super) fn mapped(path: &Path) -> io::Result<Self> {
        Ok(Bytes::Mapped(Mapping::new(path)?))
    }

    /// The file at `path`, read.
    pub(super) fn read(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let stamp = Stamp::of(&file.metadata()?);
        let length = usize::try_from(file.metadata()?.len())
            .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        let mut memory = Memory::zeros(length);
        file.read_exact(memory.as_mut())?;
        if Stamp::of(&file.metadata()?) != stamp {
            return Err(io::Error::other("it changed while it was read"));
        }
        Ok(Bytes::Owned {
            memory,
            read: Some(stamp),
        })
    }

    /// A copy of some bytes.
    pub(super) fn copied(bytes: &[u8]) -> Self {
        let mut memory = Memory::zeros(bytes.len());
        memory.as_mut().copy_from_slice(bytes);
        Bytes::Owned { memory, read: None }
    }

    /// What became of the file at `path` that they were opened from.
    pub(super) fn state(&self, path: &Path) -> FileState {
        if self.is_changed() {
            return FileState::Changed;
        }
        let opened = match self {
            Bytes::Mapped(map) => Some(map.opened()),
            Bytes::Owned { read, .. } => *read,
        };
        let Some(opened) = opened else {
            return FileState::Same;
        };
        match Stamp::at(path) {
            Ok(now) if now == opened => FileState::Same,
            Ok(_) => FileState::Replaced,
            Err(_) => FileState::Missing,
        }
    }

    /// Whether they are memory, and no mapped file.
    pub(super) fn are_owned(&self) -> bool {
        matches!(self, Bytes::Owned { .. })
    }

    /// Whether they may no longer be what was opened.
    pub(super) fn is_changed(&self) -> bool {
        match self {
            Bytes::Mapped(map) => map.is_changed(),
            Bytes::Owned { .. } => false,
        }
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Owned { memory, .. } => &bytemuck::cast_slice(&memory.chunks)[..memory.length],
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
