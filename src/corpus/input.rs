//! Inputs: files, folders and standard input, one after another.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::MultiGzDecoder;

use super::lines::Lines;
use super::record::file_stem;
use super::tsv::TsvReader;
use super::{Content, CorpusError, Instance, Malformed, Place, Record, jsonl};

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Tab-separated values with a header.
    Tsv,
    /// One JSON object a line.
    Jsonl,
    /// One LaTeX formula a line.
    Text,
    /// One SVG drawing a file.
    Svg,
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Format::Tsv => "tsv",
            Format::Jsonl => "jsonl",
            Format::Text => "text",
            Format::Svg => "svg",
        })
    }
}

impl std::str::FromStr for Format {
    type Err = crate::UnknownName;

    fn from_str(text: &str) -> Result<Self, crate::UnknownName> {
        let all = [Format::Tsv, Format::Jsonl, Format::Text, Format::Svg];
        crate::names::by_name(&all, text)
    }
}

impl Format {
    /// What the name of a file, without its compression, says.
    fn of_name(name: &str) -> Option<Self> {
        Some(
            match name.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
                "tsv" | "tab" => Format::Tsv,
                "jsonl" | "ndjson" => Format::Jsonl,
                "txt" | "tex" => Format::Text,
                "svg" => Format::Svg,
                _ => return None,
            },
        )
    }

    /// What the beginning of a file says.
    fn of_content(start: &[u8]) -> Self {
        let start = String::from_utf8_lossy(start);
        let first = start.lines().next().unwrap_or_default();
        match first.trim_start().chars().next() {
            Some('{') if serde_json::from_str::<serde_json::Value>(first).is_ok() => Format::Jsonl,
            Some('<') if start.contains("<svg") => Format::Svg,
            _ if first.contains('\t') => Format::Tsv,
            _ => Format::Text,
        }
    }
}

/// How much of a file tells what it holds.
const SNIFFED_BYTES: usize = 64 * 1024;

/// The longest drawing that is read; what is longer is refused when it is laid out.
const MAX_SVG_BYTES: usize = 4 * 1024 * 1024;

/// Something read.
pub type Read = Result<Record, Malformed>;

type Source = Box<dyn BufRead + Send>;

/// The records of all inputs, in order.
pub struct Inputs {
    files: VecDeque<PathBuf>,
    format: Option<Format>,
    current: Option<Reader>,
    bytes: Arc<AtomicU64>,
    total: Option<u64>,
    /// Whether ids that are line numbers need their file's name.
    many: bool,
}

impl std::fmt::Debug for Inputs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inputs")
            .field("files", &self.files)
            .finish_non_exhaustive()
    }
}

enum Reader {
    Tsv(TsvReader<Source>),
    Lines(Lines<Source>, Format, Arc<PathBuf>),
    Svg(Source, Arc<PathBuf>),
}

impl Inputs {
    /// All records of these files and folders; `-` is standard input. A
    /// folder's files come in the order of their names, numbers by value.
    ///
    /// # Errors
    /// When one of them is not there.
    pub fn new(paths: &[PathBuf], format: Option<Format>) -> Result<Self, CorpusError> {
        let mut files = VecDeque::new();
        for path in paths {
            let failed = |source| CorpusError::Io {
                path: path.clone(),
                source,
            };
            if path.as_os_str() == "-" {
                files.push_back(path.clone());
            } else if fs::metadata(path).map_err(failed)?.is_dir() {
                files.extend(folder(path)?);
            } else {
                files.push_back(path.clone());
            }
        }
        let total = files
            .iter()
            .map(|file| {
                fs::metadata(file)
                    .ok()
                    .filter(fs::Metadata::is_file)
                    .map(|m| m.len())
            })
            .sum();
        Ok(Inputs {
            many: files.len() > 1,
            files,
            format,
            current: None,
            bytes: Arc::default(),
            total,
        })
    }

    /// How many bytes there are to read, compressed as they are, where that is known.
    pub fn total_bytes(&self) -> Option<u64> {
        self.total
    }

    /// How many bytes were read, counted as reading goes on.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.bytes)
    }

    fn next_record(&mut self) -> Result<Option<Read>, CorpusError> {
        loop {
            if let Some(reader) = &mut self.current {
                let path = reader.file();
                let failed = |source| CorpusError::Io {
                    path: path.to_path_buf(),
                    source,
                };
                if let Some(read) = reader.next(self.many).map_err(failed)? {
                    return Ok(Some(read));
                }
                self.current = None;
            }
            match self.files.pop_front() {
                Some(file) => self.current = Some(self.open(file)?),
                None => return Ok(None),
            }
        }
    }

    fn open(&self, path: PathBuf) -> Result<Reader, CorpusError> {
        let failed = |source| CorpusError::Io {
            path: path.clone(),
            source,
        };
        let raw: Source = if path.as_os_str() == "-" {
            Box::new(BufReader::new(io::stdin()))
        } else {
            let file = File::open(&path).map_err(failed)?;
            let counted = Counted {
                source: file,
                bytes: Arc::clone(&self.bytes),
            };
            Box::new(BufReader::with_capacity(1 << 18, counted))
        };
        let mut source = decompressed(raw).map_err(failed)?;
        let peek = |source: &mut Source| peeked(source, SNIFFED_BYTES);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let format = match self.format.or_else(|| Format::of_name(bare_name(&name))) {
            Some(format) => format,
            None => Format::of_content(&peek(&mut source).map_err(failed)?),
        };
        let file = Arc::new(path.clone());
        Ok(match format {
            Format::Tsv => Reader::Tsv(TsvReader::new(Lines::new(source), file)?),
            Format::Svg => Reader::Svg(source, file),
            Format::Jsonl | Format::Text => Reader::Lines(Lines::new(source), format, file),
        })
    }
}

impl Iterator for Inputs {
    type Item = Result<Read, CorpusError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.next_record().transpose();
        if matches!(next, Some(Err(_))) {
            self.files.clear();
            self.current = None;
        }
        next
    }
}

impl Reader {
    fn file(&self) -> Arc<PathBuf> {
        match self {
            Reader::Tsv(table) => table.file(),
            Reader::Lines(_, _, file) | Reader::Svg(_, file) => Arc::clone(file),
        }
    }

    fn next(&mut self, many: bool) -> io::Result<Option<Read>> {
        match self {
            Reader::Tsv(table) => table.next(many),
            Reader::Lines(lines, format, file) => loop {
                let Some(line) = lines.next()? else {
                    return Ok(None);
                };
                let place = Place {
                    file: Arc::clone(file),
                    line: line.number,
                };
                return Ok(Some(match line.text {
                    Err(reason) => Err(Malformed {
                        place,
                        reason: reason.to_owned(),
                    }),
                    Ok(text) if text.trim().is_empty() => continue,
                    Ok(text) if *format == Format::Jsonl => jsonl::record(&text, place, many),
                    Ok(text) => Ok(plain(place.id(many), Content::Latex(text), place)),
                }));
            },
            Reader::Svg(source, file) => svg(source, file),
        }
    }
}

fn plain(id: String, content: Content, place: Place) -> Record {
    Record {
        instance: Instance {
            id,
            ..Instance::default()
        },
        content,
        issue: String::new(),
        place,
    }
}

/// A whole file as one drawing, with the file's name as its id.
fn svg(source: &mut Source, file: &Arc<PathBuf>) -> io::Result<Option<Read>> {
    let mut bytes = Vec::new();
    io::Read::read_to_end(
        &mut io::Read::take(&mut *source, MAX_SVG_BYTES as u64 + 1),
        &mut bytes,
    )?;
    if bytes.is_empty() {
        return Ok(None);
    }
    let place = Place {
        file: Arc::clone(file),
        line: 1,
    };
    // What is left of a file that is too long is not another drawing.
    *source = Box::new(io::empty());
    Ok(Some(match String::from_utf8(bytes) {
        Ok(text) => Ok(plain(file_stem(file), Content::Svg(text), place)),
        Err(_) => Err(Malformed {
            place,
            reason: "the file is not UTF-8".to_owned(),
        }),
    }))
}

/// The files of a folder that are read, in the order of their names.
fn folder(path: &Path) -> Result<Vec<PathBuf>, CorpusError> {
    let failed = |source| CorpusError::Io {
        path: path.to_path_buf(),
        source,
    };
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

/// A name without the ending of its compression.
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

/// The first bytes, as many as there are up to `count`, which stay to be read.
/// A pipe gives them in pieces of any size.
fn peeked(source: &mut Source, count: usize) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    let limit = count as u64;
    io::Read::read_to_end(&mut io::Read::take(&mut *source, limit), &mut start)?;
    let rest = std::mem::replace(source, Box::new(io::empty()));
    *source = Box::new(io::Read::chain(io::Cursor::new(start.clone()), rest));
    Ok(start)
}

/// Undoes compression, which the first bytes tell.
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

/// Counts what is read.
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
