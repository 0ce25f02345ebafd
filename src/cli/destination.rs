//! Where a verb writes: looked at before the work, so that nothing that matters is replaced and
//! no work is lost to a place that cannot be written.

use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};

use super::kind::Kind;
use super::output::Output;
use crate::atomic_file::{folder_of, followed, is_same_file, name_finished, temporary_beside};

/// Whether files may be replaced that phocus did not write: an argument of verbs that write.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct Replacing {
    /// Replace an existing file although phocus did not write it. Inputs are never replaced.
    #[arg(long)]
    pub(super) force: bool,
}

/// An output that may be written.
#[derive(Debug)]
pub(super) struct Destination {
    path: PathBuf,
    kind: Kind,
    pub(super) place: Place,
}

/// How a place is written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A plain file, which is replaced when the new one is complete.
    File,
    /// A pipe or a device.
    Direct,
    /// Standard output, by whatever name.
    Stdout,
}

impl Destination {
    /// The place that `path` names, for an output of this kind that is made from `inputs`.
    ///
    /// # Errors
    /// When it is an input, is there and phocus did not write it as this kind, or cannot be
    /// written.
    pub(super) fn new(
        path: &Path,
        kind: Kind,
        inputs: &[&Path],
        replacing: Replacing,
    ) -> anyhow::Result<Self> {
        let place = place(path)?;
        if place == Place::File {
            let cannot_write = || format!("cannot write {}", path.display());
            check_inputs(path, inputs)?;
            if let Some(found) = look(path)? {
                check_replaced(path, &found, &kind, replacing)?;
            }
            let folder = followed(path).with_context(cannot_write)?;
            let folder = folder_of(&folder);
            ensure!(
                folder.is_dir(),
                "cannot write {}: there is no folder {}",
                path.display(),
                folder.display()
            );
            temporary_beside(path).with_context(cannot_write)?;
        }
        Ok(Destination {
            path: path.to_path_buf(),
            kind,
            place,
        })
    }

    /// The path as it was given.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The same of an output that is made from this one's inputs too: not the same file.
    pub(super) fn apart_from(self, other: &Destination) -> anyhow::Result<Self> {
        let is_same = self.place == Place::File && named(&self.path)? == named(&other.path)?;
        ensure!(
            !is_same,
            "{} and {} are one file: name two",
            other.path.display(),
            self.path.display()
        );
        Ok(self)
    }

    /// Writes all of a file, or nothing.
    pub(super) fn save(&self, bytes: Vec<u8>) -> anyhow::Result<()> {
        self.write_whole(&self.kind.marked(bytes))
            .with_context(|| self.cannot_write())
    }

    fn write_whole(&self, bytes: &[u8]) -> io::Result<()> {
        match self.place {
            Place::Stdout => io::stdout().write_all(bytes),
            Place::Direct => open_direct(&self.path)?.write_all(bytes),
            Place::File => {
                let mut file = temporary_beside(&self.path)?;
                file.write_all(bytes)?;
                name_finished(file, &self.path)
            }
        }
    }

    /// Begins an output that is written piece by piece.
    pub(super) fn begin(&self) -> anyhow::Result<Output> {
        Output::new(&self.path, self.place).with_context(|| self.cannot_write())
    }

    /// What an error of writing it begins with.
    pub(super) fn cannot_write(&self) -> String {
        format!("cannot write {}", self.path.display())
    }

    /// Where its verb reports: standard output, or standard error where the output itself goes
    /// to standard output.
    pub(super) fn report(&self) -> Box<dyn Write> {
        match self.place {
            Place::Stdout => Box::new(io::stderr()),
            _ => Box::new(io::stdout()),
        }
    }
}

/// A pipe or a device, open for writing.
pub(super) fn open_direct(path: &Path) -> io::Result<File> {
    // Where it is a file after all, which the shell opened, more is added to it.
    File::options().append(true).open(path)
}

/// How the place is written to that a path names.
fn place(path: &Path) -> anyhow::Result<Place> {
    if path.as_os_str() == "-" {
        return Ok(Place::Stdout);
    }
    let Some(found) = look(path)? else {
        let name = path.as_os_str().as_encoded_bytes();
        let is_folder = name.ends_with(b"/") || path.file_name().is_none();
        ensure!(
            !is_folder,
            "cannot write {}: there is no such folder",
            path.display()
        );
        return Ok(Place::File);
    };
    ensure!(
        !found.is_dir(),
        "cannot write {0}: it is a folder; name a file in it, such as {1}",
        path.display(),
        path.join("output").display()
    );
    if standard_output().is_some_and(|out| is_same_file(&out, &found)) {
        return Ok(Place::Stdout);
    }
    if found.is_file() && !is_open_elsewhere(path) {
        return Ok(Place::File);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = found.file_type();
        ensure!(
            !kind.is_block_device() && !kind.is_socket(),
            "cannot write {}: it is a disk or a socket; name a file",
            path.display()
        );
    }
    Ok(Place::Direct)
}

/// What is at a path, when links are followed; nothing where nothing is.
fn look(path: &Path) -> anyhow::Result<Option<Metadata>> {
    match fs::metadata(path) {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot write {}", path.display())),
    }
}

/// Whether a path names what a process has open, as /dev/fd/3 does: replacing the file would
/// part it from them.
fn is_open_elsewhere(path: &Path) -> bool {
    let mut path = path.to_path_buf();
    for _ in 0..8 {
        let folder = fs::canonicalize(folder_of(&path)).unwrap_or_default();
        if folder.starts_with("/proc") || folder.starts_with("/dev/fd") {
            return true;
        }
        match fs::read_link(&path) {
            Ok(target) => path = folder_of(&path).join(target),
            Err(_) => return false,
        }
    }
    false
}

/// What standard input is, where the system tells.
fn standard_input() -> Option<Metadata> {
    #[cfg(unix)]
    return opened(std::os::fd::AsFd::as_fd(&io::stdin()));
    #[cfg(not(unix))]
    None
}

/// What standard output is, where the system tells.
fn standard_output() -> Option<Metadata> {
    #[cfg(unix)]
    return opened(std::os::fd::AsFd::as_fd(&io::stdout()));
    #[cfg(not(unix))]
    None
}

#[cfg(unix)]
fn opened(stream: std::os::fd::BorrowedFd) -> Option<Metadata> {
    File::from(stream.try_clone_to_owned().ok()?)
        .metadata()
        .ok()
}

/// Refuses to replace an input.
fn check_inputs(path: &Path, inputs: &[&Path]) -> anyhow::Result<()> {
    let Ok(output) = fs::metadata(path) else {
        return Ok(());
    };
    let is_same = |input: &&&Path| {
        if input.as_os_str() == "-" {
            return standard_input().is_some_and(|input| is_same_file(&input, &output));
        }
        fs::metadata(input).is_ok_and(|input| is_same_file(&input, &output))
    };
    let Some(input) = inputs.iter().find(is_same) else {
        return Ok(());
    };
    let as_what = match input {
        input if input.as_os_str() == "-" => " (standard input)".to_owned(),
        input if *input == path => String::new(),
        input => format!(" ({})", input.display()),
    };
    bail!(
        "{} is one of the inputs{as_what}, and an input is never replaced: name another file to write",
        path.display()
    )
}

/// Refuses to replace a file that phocus did not write, or that is protected.
fn check_replaced(
    path: &Path,
    found: &Metadata,
    kind: &Kind,
    replacing: Replacing,
) -> anyhow::Result<()> {
    let is_protected = found.permissions().readonly();
    if replacing.force && is_protected {
        return Ok(());
    }
    ensure!(
        !is_protected,
        "cannot write {}: it is read-only; name another file, or replace it with --force",
        path.display()
    );
    let failed = || format!("cannot write {}", path.display());
    let opened = File::options().read(true).append(true).open(path);
    let mut file = opened.with_context(failed)?;
    ensure!(
        replacing.force || found.len() == 0 || kind.is_of(&mut file).with_context(failed)?,
        "{} is there already and is not {}: name another file, or replace it with --force",
        path.display(),
        kind.named()
    );
    Ok(())
}

/// A path by which two outputs can be compared before they are there.
fn named(path: &Path) -> io::Result<PathBuf> {
    let path = followed(path)?;
    let folder = fs::canonicalize(folder_of(&path))?;
    Ok(folder.join(path.file_name().unwrap_or_default()))
}
