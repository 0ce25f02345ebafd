//! Output files: whole, or not there.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// How the names of temporary files and folders begin.
pub(crate) const PREFIX: &str = ".phocus-";

/// A file beside `path`, to be named so when it is whole.
pub(crate) fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new()
        .prefix(PREFIX)
        .tempfile_in(folder_of(path))
}

/// The folder in which `path` is.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Names a file that is whole, as readable as a new file would be.
pub(crate) fn name_finished(file: NamedTempFile, path: &Path) -> io::Result<()> {
    make_readable(file.as_file())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

#[cfg(unix)]
fn make_readable(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_: &File) -> io::Result<()> {
    Ok(())
}

/// Writes a whole file or nothing; `-` is standard output, and what is not a
/// plain file, such as a pipe, is written to as it is.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if path.as_os_str() == "-" {
        return io::stdout().write_all(bytes);
    }
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return fs::write(path, bytes);
    }
    let mut file = temporary_beside(path)?;
    file.write_all(bytes)?;
    name_finished(file, path)
}
