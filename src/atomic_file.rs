//! Files that appear only when they are complete.
//!
//! A file is written under a temporary name beside its own. Whoever writes it holds a lock on it,
//! which ends with the process however that ends; so a temporary file that nobody locks was left
//! by a process that was killed, and the next one that writes to the folder removes it.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// How the names of temporary files begin.
const PREFIX: &str = ".phocus-";
/// How they end. Versions that held no lock wrote none.
const SUFFIX: &str = ".tmp";
/// The longest chain of symbolic links that is followed, as in Linux.
const MAX_LINKS: usize = 40;

/// A temporary file beside `path`; [`name_finished`] gives it that name when it is complete. What
/// killed processes left in the folder is removed.
pub(crate) fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let path = followed(path)?;
    let folder = folder_of(&path);
    sweep(folder);
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    // Temporary files are readable by their owner alone. This one becomes an
    // ordinary file, so it gets the permissions that the umask allows.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    loop {
        let file = builder.tempfile_in(folder)?;
        if is_held(&file) {
            return Ok(file);
        }
    }
}

/// Gives a complete file its final name, and flushes file and folder to disk. A symbolic link of
/// that name stays, and what it leads to is replaced; permissions stay as they were.
pub(crate) fn name_finished(file: NamedTempFile, path: &Path) -> io::Result<()> {
    let path = followed(path)?;
    if let Ok(replaced) = fs::metadata(&path) {
        file.as_file().set_permissions(replaced.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(&path)?;
    #[cfg(unix)]
    File::open(folder_of(&path))?.sync_all()?;
    Ok(())
}

/// The folder in which `path` is.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Where a path leads when symbolic links at its end are followed, even if nothing is there.
pub(crate) fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = folder_of(&path).join(target),
            // What is no link, or is not there.
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("its symbolic links lead in a circle"))
}

/// Whether these describe one file, whatever names led to it.
pub(crate) fn is_same_file(a: &Metadata, b: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        (a.dev(), a.ino()) == (b.dev(), b.ino())
    }
    #[cfg(not(unix))]
    {
        let times = |of: &Metadata| (of.len(), of.modified().ok(), of.created().ok());
        times(a) == times(b)
    }
}

/// Locks a temporary file for as long as it is open. Whether it still has its name: another
/// process may have swept it before it was locked.
fn is_held(file: &NamedTempFile) -> bool {
    // Where files cannot be locked, nobody sweeps either.
    file.as_file().lock().is_err() || is_named(file.as_file(), file.path())
}

/// Whether the file that `path` names is this one.
fn is_named(file: &File, path: &Path) -> bool {
    let named = fs::symlink_metadata(path);
    named.is_ok_and(|named| {
        file.metadata()
            .is_ok_and(|file| is_same_file(&file, &named))
    })
}

/// Removes what killed processes left in a folder.
fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let is_file = entry.file_type().is_ok_and(|found| found.is_file());
        if is_file && is_temporary(&entry.file_name()) {
            // What cannot be removed stays.
            let _ = remove_if_left(&entry.path());
        }
    }
}

/// Removes a temporary file that no process holds.
fn remove_if_left(path: &Path) -> io::Result<()> {
    let file = File::options().write(true).open(path)?;
    if file.try_lock().is_ok() && is_named(&file, path) {
        fs::remove_file(path)?;
    }
    Ok(())
}

fn is_temporary(name: &OsStr) -> bool {
    let middle = name.to_str().and_then(|name| {
        let rest = name.strip_prefix(PREFIX)?;
        rest.strip_suffix(SUFFIX)
    });
    middle.is_some_and(|middle| {
        middle.len() == 6 && middle.chars().all(|c| c.is_ascii_alphanumeric())
    })
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

    /// What no process holds is swept; what is being written, and what only looks alike, is not.
    #[test]
    fn what_was_left_is_swept_and_what_is_being_written_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let held = temporary_beside(&at("a")).unwrap();
        let others = [".phocus-abc.tmp", ".phocus-abcdef", "phocus-abcdef.tmp"];
        for name in others.iter().chain([&".phocus-abcdef.tmp"]) {
            fs::write(at(name), "left").unwrap();
        }
        fs::create_dir(at(".phocus-folder.tmp")).unwrap();
        let second = temporary_beside(&at("b")).unwrap();
        assert!(!at(".phocus-abcdef.tmp").exists());
        assert!(others.iter().all(|name| at(name).exists()));
        assert!(at(".phocus-folder.tmp").exists());
        assert!(is_temporary(held.path().file_name().unwrap()));
        assert!(held.path().exists() && second.path().exists());
        let path = held.path().to_path_buf();
        // A process that is killed removes nothing; its lock ends.
        let (file, kept) = held.keep().unwrap();
        drop(file);
        assert!(kept.exists());
        drop(temporary_beside(&at("c")).unwrap());
        assert!(!path.exists() && second.path().exists());
    }

    /// A file that is swept before it is locked is noticed.
    #[test]
    fn a_file_that_lost_its_name_is_not_held() {
        let file = NamedTempFile::new().unwrap();
        assert!(is_held(&file));
        fs::remove_file(file.path()).unwrap();
        assert!(!is_held(&file));
        fs::write(file.path(), "another").unwrap();
        assert!(!is_held(&file));
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_and_what_they_lead_to_is_replaced() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("deep")).unwrap();
        symlink("deep/target", at("link")).unwrap();
        symlink("link", at("second")).unwrap();
        let write = |text: &str| {
            let file = temporary_beside(&at("second")).unwrap();
            assert_eq!(file.path().parent().unwrap(), at("deep"));
            fs::write(file.path(), text).unwrap();
            name_finished(file, &at("second")).unwrap();
            assert!(at("second").is_symlink() && at("link").is_symlink());
            fs::read_to_string(at("deep/target")).unwrap()
        };
        assert_eq!(write("to nowhere"), "to nowhere");
        fs::set_permissions(at("deep/target"), PermissionsExt::from_mode(0o640)).unwrap();
        assert_eq!(write("again"), "again");
        let kept = fs::metadata(at("deep/target")).unwrap().permissions();
        assert_eq!(kept.mode() & 0o777, 0o640);
        symlink("round", at("round")).unwrap();
        assert!(temporary_beside(&at("round")).is_err());
    }
}
