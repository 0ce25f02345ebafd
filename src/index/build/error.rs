//! Errors on the way to an index.

use std::io;
use std::path::Path;

use crate::index::format::IndexError;
use crate::progress::Progress;

/// An error of a stage: an I/O error whose file the caller names, or a complete error.
pub(super) enum StageError {
    Io(io::Error),
    Index(IndexError),
}

impl StageError {
    /// The error, of this file.
    pub(super) fn of(self, path: &Path) -> IndexError {
        match self {
            StageError::Io(reason) => IndexError::Io {
                path: path.to_path_buf(),
                reason,
            },
            StageError::Index(error) => error,
        }
    }
}

impl From<io::Error> for StageError {
    fn from(error: io::Error) -> Self {
        StageError::Io(error)
    }
}

impl From<IndexError> for StageError {
    fn from(error: IndexError) -> Self {
        StageError::Index(error)
    }
}

/// Counts work, and fails when someone asked for it to end.
pub(super) fn advance(progress: &Progress, work: u64) -> Result<(), IndexError> {
    use std::sync::atomic::Ordering;
    progress.done.fetch_add(work, Ordering::Relaxed);
    if progress.is_stopped() {
        Err(IndexError::Interrupted)
    } else {
        Ok(())
    }
}

/// A spilled record that does not read as it was written.
pub(super) fn corrupt_spill() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a temporary file was damaged")
}
