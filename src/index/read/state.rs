//! Whether the file of an open index is still what was opened.

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;
use std::time::SystemTime;

/// What became of the file of an open index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileState {
    /// It is as it was when it was opened, or there never was a file.
    Same,
    /// Its path names another file, which can be opened. The open index is as it was.
    Replaced,
    /// Its path names no file that can be read. The open index is as it was.
    Missing,
    /// The very file that is mapped was changed in place, cut, or could not be read: what the
    /// index answers cannot be trusted, and every search is an error
    /// ([`IndexError::Changed`](crate::index::IndexError::Changed)).
    Changed,
}

/// Which file it is, how long, and when it was last written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    /// Device and number of the file, where systems have them.
    file: Option<(u64, u64)>,
    length: u64,
    /// None where the system does not know.
    modified: Option<SystemTime>,
}

impl Stamp {
    /// Of the file that a path names now.
    pub(crate) fn at(path: &Path) -> io::Result<Self> {
        fs::metadata(path).map(|metadata| Stamp::of(&metadata))
    }

    pub(super) fn of(metadata: &Metadata) -> Self {
        Stamp {
            file: file_number(metadata),
            length: metadata.len(),
            modified: metadata.modified().ok(),
        }
    }

    /// Whether length and time are those of another stamp of the same file.
    pub(super) fn has_content_of(&self, other: &Stamp) -> bool {
        (self.length, self.modified) == (other.length, other.modified)
    }
}

#[cfg(unix)]
fn file_number(metadata: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

/// Elsewhere a mapped file cannot be replaced, and its length and its time are compared.
#[cfg(not(unix))]
fn file_number(_: &Metadata) -> Option<(u64, u64)> {
    None
}
