//! Files that are there whole, or not at all.

#[cfg(unix)]
use std::fs::File;
use std::io;
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
