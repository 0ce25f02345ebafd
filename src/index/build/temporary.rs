//! Temporary files: in memory while they are small, so that a small index needs no disk.

use std::io::{self, BufWriter, Seek};
use std::path::Path;

use tempfile::SpooledTempFile;

/// A file up to this length stays in memory.
const SPOOL_BYTES: usize = 4 << 20;

/// A temporary file that is being written.
pub(super) type TempWriter = BufWriter<SpooledTempFile>;

/// A new temporary file, in `folder` when it has grown.
pub(super) fn temp_file(folder: &Path) -> TempWriter {
    let file = tempfile::spooled_tempfile_in(SPOOL_BYTES, folder);
    BufWriter::with_capacity(1 << 18, file)
}

/// The file, ready to be read from its beginning.
pub(super) fn rewound(file: TempWriter) -> io::Result<SpooledTempFile> {
    let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.rewind()?;
    Ok(file)
}
