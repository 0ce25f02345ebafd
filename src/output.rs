//! Output files: whole, or not there.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// How the names of temporary files and folders begin.
pub(crate) const PREFIX: &str = ".phocus-";

/// A file beside `path`, to be named so when it is whole.
pub(crate) fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX);
    // Temporary files are their owner's alone; what comes of this one is a
    // file like others, as the umask has it.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder_of(path))
}

/// The folder in which `path` is.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Names a file that is whole, and makes sure that it stays so named.
pub(crate) fn name_finished(file: NamedTempFile, path: &Path) -> io::Result<()> {
    file.as_file().sync_all()?;
    file.persist(path)?;
    #[cfg(unix)]
    File::open(folder_of(path))?.sync_all()?;
    Ok(())
}

/// Whether `path` is there and is no plain file: a folder, a pipe, a device.
/// Renaming a file over it would take its place.
pub(crate) fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file())
}

/// Writes a whole file or nothing; `-` is standard output, and what is not a
/// plain file, such as a pipe, is written to as it is.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if path.as_os_str() == "-" {
        return io::stdout().write_all(bytes);
    }
    if is_special(path) {
        return fs::write(path, bytes);
    }
    let mut file = temporary_beside(path)?;
    file.write_all(bytes)?;
    name_finished(file, path)
}
