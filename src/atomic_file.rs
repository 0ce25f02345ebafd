//! Output files: whole, or not there.

use std::fs::{self, File};
use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
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

/// An output that is written bit by bit: packed as its name says, and named
/// when it is whole. `-` is standard output, and what is not a plain file,
/// such as a pipe, is written to as it is.
pub(crate) struct Output {
    packer: Packer,
    path: PathBuf,
}

enum Packer {
    Plain(Target),
    Zstd(zstd::Encoder<'static, Target>),
    Gzip(GzEncoder<Target>),
}

enum Target {
    Whole(BufWriter<NamedTempFile>),
    Direct(BufWriter<File>),
    Stdout(BufWriter<Stdout>),
}

impl Output {
    /// An output to `path`, which stays as it is until [`Output::finish`].
    pub(crate) fn new(path: &Path) -> io::Result<Self> {
        let target = Target::new(path)?;
        let ending = path.extension().unwrap_or_default();
        let packer = match ending.to_str() {
            Some("zst") => {
                Packer::Zstd(zstd::Encoder::new(target, zstd::DEFAULT_COMPRESSION_LEVEL)?)
            }
            Some("gz") => Packer::Gzip(GzEncoder::new(target, Compression::default())),
            _ => Packer::Plain(target),
        };
        let path = path.to_path_buf();
        Ok(Output { packer, path })
    }

    /// Names what was written; without it there is nothing.
    pub(crate) fn finish(self) -> io::Result<()> {
        let target = match self.packer {
            Packer::Plain(target) => target,
            Packer::Zstd(encoder) => encoder.finish()?,
            Packer::Gzip(encoder) => encoder.finish()?,
        };
        match target {
            Target::Direct(mut out) => out.flush(),
            Target::Stdout(mut out) => out.flush(),
            Target::Whole(out) => {
                let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
                name_finished(file, &self.path)
            }
        }
    }

    fn writer(&mut self) -> &mut dyn Write {
        match &mut self.packer {
            Packer::Plain(target) => target,
            Packer::Zstd(encoder) => encoder,
            Packer::Gzip(encoder) => encoder,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

impl Target {
    fn new(path: &Path) -> io::Result<Self> {
        Ok(match path {
            _ if path.as_os_str() == "-" => Target::Stdout(BufWriter::new(io::stdout())),
            _ if is_special(path) => {
                Target::Direct(BufWriter::new(File::options().write(true).open(path)?))
            }
            _ => Target::Whole(BufWriter::new(temporary_beside(path)?)),
        })
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Target::Whole(out) => out,
            Target::Direct(out) => out,
            Target::Stdout(out) => out,
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}
