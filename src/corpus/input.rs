//! Inputs: the records of files, folders and standard input, one after another.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::lines::Lines;
use super::source::{self, Source};
use super::tsv::TsvReader;
use super::{CorpusError, Format, MAX_SVG_BYTES, Malformed, Place, ReadResult, Record, jsonl};

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
    /// Opens all records of these files and folders; `-` is standard input. A
    /// folder's files come in the order of their names, numbers by value.
    ///
    /// # Errors
    /// When one of them is not there.
    pub fn new(paths: &[PathBuf], format: Option<Format>) -> Result<Self, CorpusError> {
        let files = source::files(paths)?;
        Ok(Inputs {
            many: files.len() > 1,
            total: source::total_bytes(&files),
            files,
            format,
            current: None,
            bytes: Arc::default(),
        })
    }

    /// The total size of the inputs in bytes, before decompression, where it is known.
    pub fn total_bytes(&self) -> Option<u64> {
        self.total
    }

    /// The counter of the bytes that were read so far.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.bytes)
    }

    fn next_record(&mut self) -> Result<Option<ReadResult>, CorpusError> {
        loop {
            if let Some(reader) = &mut self.current {
                let path = reader.file();
                let failed = |error| source::failed(&path, error);
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
        let (source, format) = source::open(&path, self.format, &self.bytes)
            .map_err(|error| source::failed(&path, error))?;
        let file = Arc::new(path);
        Ok(match format {
            Format::Tsv => Reader::Tsv(TsvReader::new(Lines::new(source), file)?),
            Format::Svg => Reader::Svg(source, file),
            Format::Jsonl | Format::Text => Reader::Lines(Lines::new(source), format, file),
        })
    }
}

impl Iterator for Inputs {
    type Item = Result<ReadResult, CorpusError>;

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

    fn next(&mut self, many: bool) -> io::Result<Option<ReadResult>> {
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
                    Ok(text) => Ok(Record::latex(place.id(many), text).read_at(place)),
                }));
            },
            Reader::Svg(source, file) => svg(source, file),
        }
    }
}

/// A whole file as one drawing, with the file's name as its id.
fn svg(source: &mut Source, file: &Arc<PathBuf>) -> io::Result<Option<ReadResult>> {
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
    // The rest of a file that is too long is not another drawing.
    *source = Box::new(io::empty());
    Ok(Some(match String::from_utf8(bytes) {
        Ok(text) => Ok(Record::svg(place.id_of_file(), text).read_at(place)),
        Err(_) => Err(Malformed {
            place,
            reason: "the file is not UTF-8".to_owned(),
        }),
    }))
}
