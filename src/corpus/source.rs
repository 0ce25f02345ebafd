//! Bytes of the inputs: files and folders, compressed or not.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::MultiGzDecoder;

use super::{CorpusError, Format};

/// The number of bytes by which a file's format is recognised.
const SNIFFED_BYTES: usize = 64 * 1024;

/// A source of bytes.
pub(super) type Source = Box<dyn BufRead + Send>;

/// The files that the given paths name: `-` is standard input, and a folder is replaced by its
/// files in the order of their names, where numbers are ordered by value.
///
/// # Errors
/// When a path does not exist, or a folder holds no file of a known format.
pub(super) fn files(paths: &[PathBuf]) -> Result<VecDeque<PathBuf>, CorpusError> {
    let mut files = VecDeque::new();
    for path in paths {
        let is_stdin = path.as_os_str() == "-";
        if !is_stdin
            && fs::metadata(path)
                .map_err(|source| failed(path, source))?
                .is_dir()
        {
            files.extend(folder(path)?);
        } else {
            files.push_back(path.clone());
        }
    }
    Ok(files)
}

/// The length of all files together, compressed as they are, where every one is a plain file.
pub(super) fn total_bytes(files: &VecDeque<PathBuf>) -> Option<u64> {
    let length = |file: &PathBuf| {
        let found = fs::metadata(file).ok().filter(fs::Metadata::is_file)?;
        Some(found.len())
    };
    files.iter().map(length).sum()
}

/// Opens a file, decompresses it and detects its format; `bytes` counts the bytes that are read.
pub(super) fn open(
    path: &Path,
    format: Option<Format>,
    bytes: &Arc<AtomicU64>,
) -> io::Result<(Source, Format)> {
    let raw: Source = if path.as_os_str() == "-" {
        Box::new(BufReader::new(io::stdin()))
    } else {
        let counted = Counted {
            source: File::open(path)?,
            bytes: Arc::clone(bytes),
        };
        Box::new(BufReader::with_capacity(1 << 18, counted))
    };
    let mut source = decompressed(raw)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let format = match format.or_else(|| Format::of_name(bare_name(&name))) {
        Some(format) => format,
        None => Format::of_content(&peeked(&mut source, SNIFFED_BYTES)?),
    };
    Ok((source, format))
}

/// An error of a file, with its name.
pub(super) fn failed(path: &Path, source: io::Error) -> CorpusError {
    CorpusError::Io {
        path: path.to_path_buf(),
        source,
    }
}

/// The files of a folder that are read, in the order of their names.
fn folder(path: &Path) -> Result<Vec<PathBuf>, CorpusError> {
    let failed = |source| failed(path, source);
    let mut files = Vec::new();
    for entry in fs::read_dir(path).map_err(failed)? {
        let file = entry.map_err(failed)?.path();
        let name = file
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if Format::of_name(bare_name(&name)).is_some() && file.is_file() {
            files.push((natural(&name), file));
        }
    }
    if files.is_empty() {
        return Err(CorpusError::EmptyFolder {
            path: path.to_path_buf(),
        });
    }
    files.sort();
    Ok(files.into_iter().map(|(_, file)| file).collect())
}

/// A file name without the extension of its compression.
fn bare_name(name: &str) -> &str {
    let bare = name
        .strip_suffix(".zst")
        .or_else(|| name.strip_suffix(".gz"));
    bare.unwrap_or(name)
}

/// A key that sorts 2.tsv before 10.tsv.
fn natural(name: &str) -> (u64, String) {
    let digits: String = name.chars().take_while(char::is_ascii_digit).collect();
    (digits.parse().unwrap_or(u64::MAX), name.to_owned())
}

/// Up to `count` of the first bytes, without consuming them.
/// A pipe gives them in pieces of any size.
fn peeked(source: &mut Source, count: usize) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    let limit = count as u64;
    io::Read::read_to_end(&mut io::Read::take(&mut *source, limit), &mut start)?;
    let rest = std::mem::replace(source, Box::new(io::empty()));
    *source = Box::new(io::Read::chain(io::Cursor::new(start.clone()), rest));
    Ok(start)
}

/// Decompresses a file; its first bytes show how it is compressed.
fn decompressed(mut raw: Source) -> io::Result<Source> {
    let start = peeked(&mut raw, 4)?;
    Ok(if start.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]) {
        Box::new(BufReader::with_capacity(
            1 << 18,
            zstd::Decoder::with_buffer(raw)?,
        ))
    } else if start.starts_with(&[0x1F, 0x8B]) {
        Box::new(BufReader::with_capacity(1 << 18, MultiGzDecoder::new(raw)))
    } else {
        raw
    })
}

/// A reader that counts the bytes that are read.
struct Counted {
    source: File,
    bytes: Arc<AtomicU64>,
}

impl io::Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.bytes.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
