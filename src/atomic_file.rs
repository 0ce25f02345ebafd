//! Files that appear only when they are complete.

#[cfg(unix)]
use std::fs::File;
use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

/// How the names of temporary files and folders begin.
pub(crate) const PREFIX: &str = ".phocus-";

/// A temporary file beside `path`; [`name_finished`] gives it that name when it is complete.
pub(crate) fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX);
    // Temporary files are readable by their owner alone. This one becomes an
    // ordinary file, so it gets the permissions that the umask allows.
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

/// Renames a complete file to its final name, and flushes file and folder to disk.
pub(crate) fn name_finished(file: NamedTempFile, path: &Path) -> io::Result<()> {
    file.as_file().sync_all()?;
    file.persist(path)?;
    #[cfg(unix)]
    File::open(folder_of(path))?.sync_all()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_name_is_in_the_present_folder() {
        assert_eq!(folder_of(Path::new("a.txt")), Path::new("."));
        assert_eq!(folder_of(Path::new("b/a.txt")), Path::new("b"));
        assert_eq!(folder_of(Path::new("/a.txt")), Path::new("/"));
    }
}
