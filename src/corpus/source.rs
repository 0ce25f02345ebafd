//! Bytes of the inputs: files and folders, compressed or not.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::MultiGzDecoder;

use super::input::Skipped;
use super::{CorpusError, Foreign, Format};

/// The number of bytes by which a file's format is recognised.
const SNIFFED_BYTES: usize = 64 * 1024;

/// A source of bytes.
pub(super) type Source = Box<dyn BufRead + Send>;

/// Which files are read, and how.
#[derive(Debug, Clone, Default)]
pub struct InputOptions {
    /// The format of all files; without it names and contents tell.
    pub format: Option<Format>,
    /// Which files of folders are read.
    pub selection: Selection,
    /// Whether each row of a displayed formula of several rows is a formula, too.
    pub rows: bool,
    /// Whether the texts of documents are read besides their formulas, for questions.
    pub texts: bool,
    /// The file that has what was read of documents before, so that those that did not change are
    /// not read again; whoever builds an index of the inputs writes it.
    pub seen: Option<PathBuf>,
}

/// Files of this format, or of any.
impl From<Option<Format>> for InputOptions {
    fn from(format: Option<Format>) -> Self {
        InputOptions {
            format,
            ..InputOptions::default()
        }
    }
}

/// Which files of folders are read.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Whether files and folders whose names begin with a dot are read.
    pub hidden: bool,
    /// Whether files are read that a `.gitignore` or the like names.
    pub ignored: bool,
    /// Patterns of `.gitignore` that names have to match; those with `!` in front must not.
    pub globs: Vec<String>,
}

/// A file to be read.
#[derive(Debug, Clone)]
pub(super) struct InputFile {
    pub(super) path: PathBuf,
    /// Whether a folder has it, where files of other kinds may be, too.
    pub(super) is_found: bool,
}

impl InputFile {
    /// The format that its name tells.
    pub(super) fn format(&self) -> Option<Format> {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        Format::of_name(bare_name(&name))
    }
}

/// A file that can be read, or what it is instead.
pub(super) enum Opened {
    Formulas(Source, Format),
    Foreign(Foreign),
}

/// The files that the given paths name: `-` is standard input, and a folder is replaced by the
/// files in it and in its folders, in the order of their names, where numbers are ordered by
/// value. Files of a folder that are not read are added to `skipped`.
///
/// # Errors
/// When a path does not exist, a file is named that is not read, or a folder holds no file of a
/// known format.
pub(super) fn files(
    paths: &[PathBuf],
    options: &InputOptions,
    skipped: &mut Skipped,
) -> Result<VecDeque<InputFile>, CorpusError> {
    let mut files = VecDeque::new();
    for path in paths {
        let failed = |source| failed(path, source);
        let found = if path.as_os_str() == "-" {
            None
        } else {
            Some(fs::metadata(path).map_err(failed)?)
        };
        if found.as_ref().is_some_and(fs::Metadata::is_dir) {
            files.extend(folder(path, options, skipped)?);
            continue;
        }
        let file = InputFile {
            path: path.clone(),
            is_found: false,
        };
        // A pipe can be read once.
        if found.is_some_and(|found| found.is_file())
            && let Opened::Foreign(what) =
                open(&file, options.format, &Arc::default()).map_err(failed)?
        {
            let path = path.clone();
            return Err(CorpusError::Foreign { path, what });
        }
        files.push_back(file);
    }
    Ok(files)
}

/// The length of all files together, compressed as they are, where every one is a plain file.
pub(super) fn total_bytes(files: &VecDeque<InputFile>) -> Option<u64> {
    let length = |file: &InputFile| {
        let found = fs::metadata(&file.path)
            .ok()
            .filter(fs::Metadata::is_file)?;
        Some(found.len())
    };
    files.iter().map(length).sum()
}

/// Opens a file, decompresses it and detects its format; `bytes` counts the bytes that are read.
pub(super) fn open(
    file: &InputFile,
    given: Option<Format>,
    bytes: &Arc<AtomicU64>,
) -> io::Result<Opened> {
    let path = &file.path;
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
    let bare = bare_name(&name);
    let start = peeked(&mut source, SNIFFED_BYTES)?;
    let named = Format::of_name(bare);
    let foreign = Foreign::of_content(&start)
        .or_else(|| Foreign::of_name(bare).filter(|_| given.is_none() && named.is_none()));
    if let Some(foreign) = foreign {
        return Ok(Opened::Foreign(foreign));
    }
    let format = match (given, named) {
        (Some(format), _) => format,
        (None, Some(named)) => named.refined(&start),
        (None, None) => Format::of_content(&start),
    };
    if matches!(format, Format::Document(_)) && !cfg!(feature = "documents") {
        return Ok(Opened::Foreign(Foreign::document()));
    }
    // A file that is named is what its name says, unless anything may be called so.
    let is_doubted = file.is_found || (given.is_none() && format == Format::Text);
    if is_doubted && !format.is_list(&start) {
        return Ok(Opened::Foreign(Foreign::other(format)));
    }
    Ok(Opened::Formulas(source, format))
}

/// An error of a file, with its name.
pub(super) fn failed(path: &Path, source: io::Error) -> CorpusError {
    CorpusError::Io {
        path: path.to_path_buf(),
        source,
    }
}

/// The files of a folder and of its folders that are read, in the order of their names. Drawings
/// are formulas where nothing else is read; beside documents they are their figures.
fn folder(
    path: &Path,
    options: &InputOptions,
    skipped: &mut Skipped,
) -> Result<Vec<InputFile>, CorpusError> {
    let (mut files, mut others) = (Vec::new(), Vec::new());
    let (walked, unread) = walk(path, &options.selection).map_err(|error| failed(path, error))?;
    for _ in 0..unread {
        others.push((path.to_path_buf(), Foreign::unreadable()));
    }
    for found in walked {
        let file = InputFile {
            path: found,
            is_found: true,
        };
        let name = file.path.file_name().unwrap_or_default().to_string_lossy();
        let bare = bare_name(&name);
        if leads_out(&file.path, path) {
            others.push((file.path.clone(), Foreign::link()));
            continue;
        }
        match file.format() {
            Some(_) => files.push(file),
            None => {
                let what = Foreign::of_name(bare).unwrap_or_else(|| Foreign::unknown(bare));
                others.push((file.path.clone(), what));
            }
        }
    }
    let is_document = |file: &InputFile| matches!(file.format(), Some(Format::Document(_)));
    if files.iter().any(is_document) {
        let is_figure = |file: &InputFile| file.format() == Some(Format::Svg);
        let (figures, read) = files.into_iter().partition(is_figure);
        files = read;
        let figures: Vec<InputFile> = figures;
        others.extend(
            figures
                .into_iter()
                .map(|file| (file.path, Foreign::figure())),
        );
    }
    others.sort();
    let mut own = Skipped::default();
    for (file, what) in others {
        own.add(&file, &what);
        skipped.add(&file, &what);
    }
    if files.is_empty() {
        let found = own.described();
        return Err(CorpusError::EmptyFolder {
            path: path.to_path_buf(),
            found: found.map_or(String::new(), |found| format!(" (it holds {found})")),
        });
    }
    Ok(files)
}

/// Whether a file is a link to one outside of the folder.
fn leads_out(file: &Path, folder: &Path) -> bool {
    let is_within = || {
        Some(
            file.canonicalize()
                .ok()?
                .starts_with(folder.canonicalize().ok()?),
        )
    };
    file.is_symlink() && is_within() != Some(true)
}

/// The files of a folder and of its folders, in the order of their names. Links to folders are
/// not followed. Also how many folders in it cannot be read.
#[cfg(feature = "documents")]
fn walk(folder: &Path, selection: &Selection) -> io::Result<(Vec<PathBuf>, usize)> {
    let mut globs = ignore::overrides::OverrideBuilder::new(folder);
    for glob in &selection.globs {
        globs.add(glob).map_err(io::Error::other)?;
    }
    let walk = ignore::WalkBuilder::new(folder)
        .standard_filters(!selection.ignored)
        .hidden(!selection.hidden)
        .overrides(globs.build().map_err(io::Error::other)?)
        .build();
    let (mut files, mut unread) = (Vec::new(), 0);
    for entry in walk {
        match entry {
            Ok(entry) if entry.path().is_file() => files.push(entry.into_path()),
            Ok(_) => {}
            Err(_) => unread += 1,
        }
    }
    files.sort_by_cached_key(|path| natural(path));
    Ok((files, unread))
}

/// The files of a folder, in the order of their names.
#[cfg(not(feature = "documents"))]
fn walk(folder: &Path, selection: &Selection) -> io::Result<(Vec<PathBuf>, usize)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        if entry.path().is_file() && (selection.hidden || !is_hidden) {
            files.push(entry.path());
        }
    }
    files.sort_by_cached_key(|path| natural(path));
    Ok((files, 0))
}

/// A file name without the extension of its compression.
fn bare_name(name: &str) -> &str {
    let bare = name
        .strip_suffix(".zst")
        .or_else(|| name.strip_suffix(".gz"));
    bare.unwrap_or(name)
}

/// A key that sorts `2.tsv` before `10.tsv`, and what a folder holds together: for each part of
/// the path its texts and numbers in turn.
fn natural(path: &Path) -> Vec<Vec<(String, u64)>> {
    let parts = path.components();
    parts
        .map(|part| {
            let name = part.as_os_str().to_string_lossy();
            let mut key = Vec::new();
            let mut rest: &str = &name;
            while !rest.is_empty() {
                let digit = |c: char| c.is_ascii_digit();
                let digits = rest.find(digit).unwrap_or(rest.len());
                let after = rest[digits..].find(|c| !digit(c));
                let after = after.map_or(rest.len(), |end| digits + end);
                let number = rest[digits..after].parse().unwrap_or(u64::MAX);
                key.push((rest[..digits].to_owned(), number));
                rest = &rest[after..];
            }
            key
        })
        .collect()
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
pub(super) fn decompressed(mut raw: Source) -> io::Result<Source> {
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
