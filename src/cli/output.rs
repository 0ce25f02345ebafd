//! What verbs write: a file that is replaced only when it is complete, standard output, or a pipe.

use std::fs::File;
use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use tempfile::NamedTempFile;

use super::destination::{Place, open_direct};
use crate::atomic_file::{name_finished, temporary_beside};
use crate::eval::Evaluated;

/// Prints warnings about runs that were measured.
pub(super) fn warn(runs: &[Evaluated]) {
    for run in runs {
        for warning in run.warnings() {
            eprintln!("warning: {}: {warning}", run.name);
        }
    }
}

/// Prints a value as indented JSON.
pub(super) fn print_json(out: &mut dyn Write, value: &impl Serialize) -> anyhow::Result<()> {
    Ok(writeln!(out, "{}", serde_json::to_string_pretty(value)?)?)
}

/// An output that is written piece by piece: it is compressed if its name says so, and gets
/// its name when it is complete.
pub(super) struct Output {
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
    pub(super) fn new(path: &Path, place: Place) -> io::Result<Self> {
        let target = match place {
            Place::Stdout => Target::Stdout(BufWriter::new(io::stdout())),
            Place::Direct => Target::Direct(BufWriter::new(open_direct(path)?)),
            Place::File => Target::Whole(BufWriter::new(temporary_beside(path)?)),
        };
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

    /// Gives the complete file its name; without this call there is no file.
    pub(super) fn finish(self) -> io::Result<()> {
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Read;

    use super::*;
    use crate::cli::destination::{Destination, Replacing};
    use crate::cli::kind::Kind;

    fn names(folder: &Path) -> Vec<String> {
        let files = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = files
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn to(path: &Path) -> Destination {
        let replacing = Replacing { force: true };
        Destination::new(path, Kind::List, &[], replacing).unwrap()
    }

    #[test]
    fn a_file_is_whole_or_stays_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "old").unwrap();
        let mut output = to(&path).begin().unwrap();
        output.write_all(&[b'x'; 100_000]).unwrap();
        output.flush().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        drop(output);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["a.txt"]);
        let mut output = to(&path).begin().unwrap();
        output.write_all(b"new").unwrap();
        output.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        to(&path).save(b"newer".to_vec()).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"newer");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn outputs_are_packed_as_their_names_say() {
        let folder = tempfile::tempdir().unwrap();
        let text = "formula ".repeat(10_000);
        let written = |name: &str| {
            let path = folder.path().join(name);
            let mut output = to(&path).begin().unwrap();
            output.write_all(text.as_bytes()).unwrap();
            output.finish().unwrap();
            fs::read(&path).unwrap()
        };
        assert_eq!(written("a.tsv"), text.as_bytes());
        let zstd = written("a.tsv.zst");
        assert!(zstd.len() < text.len() / 100);
        assert_eq!(zstd::decode_all(&zstd[..]).unwrap(), text.as_bytes());
        let gzip = written("a.tsv.gz");
        let mut unpacked = String::new();
        let mut decoder = flate2::read::GzDecoder::new(&gzip[..]);
        decoder.read_to_string(&mut unpacked).unwrap();
        assert_eq!(unpacked, text);
    }

    /// A pipe is written to, and is a pipe after it.
    #[cfg(unix)]
    #[test]
    fn pipes_are_written_to_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let through = |write: &dyn Fn()| {
            std::thread::scope(|scope| {
                let reader = scope.spawn(|| fs::read_to_string(&pipe).unwrap());
                write();
                reader.join().unwrap()
            })
        };
        let whole = through(&|| to(&pipe).save(b"at once".to_vec()).unwrap());
        assert_eq!(whole, "at once");
        let by_bit = through(&|| {
            let mut output = to(&pipe).begin().unwrap();
            output.write_all(b"bit ").unwrap();
            output.write_all(b"by bit").unwrap();
            output.finish().unwrap();
        });
        assert_eq!(by_bit, "bit by bit");
        assert!(!fs::metadata(&pipe).unwrap().is_file());
    }

    /// The file has the permissions that any program's output has.
    #[cfg(unix)]
    #[test]
    fn a_file_has_the_permissions_of_others() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let mode = |name: &str| {
            let found = fs::metadata(folder.path().join(name)).unwrap();
            found.permissions().mode() & 0o777
        };
        fs::write(folder.path().join("plain"), "x").unwrap();
        to(&folder.path().join("ours")).save(b"x".to_vec()).unwrap();
        assert_eq!(mode("ours"), mode("plain"));
    }
}
