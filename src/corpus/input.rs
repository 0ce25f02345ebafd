//! Inputs: the records of files, folders and standard input, one after another.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[cfg(feature = "documents")]
use super::documents::{DocumentReader, OpenDocuments};
use super::json_array::JsonArray;
use super::lines::Lines;
use super::source::{self, InputFile, Opened, Source};
use super::tsv::TsvReader;
use super::{
    CorpusError, Foreign, Format, InputOptions, MAX_SVG_BYTES, Malformed, Place, ReadResult,
    Record, Text, jsonl,
};
use crate::latex::macros::Definitions;

/// The records of all inputs, in order.
pub struct Inputs {
    files: VecDeque<InputFile>,
    options: InputOptions,
    #[cfg(feature = "documents")]
    documents: DocumentReader,
    current: Option<Reader>,
    bytes: Arc<AtomicU64>,
    total: Option<u64>,
    /// Whether ids that are line numbers need their file's name.
    many: bool,
    besides: Arc<Mutex<Besides>>,
}

/// What inputs hold besides records, as far as they were read.
#[derive(Debug, Default)]
pub(crate) struct Besides {
    /// The files of folders that are not read.
    pub(crate) skipped: Skipped,
    /// The macros of documents.
    pub(crate) macros: Definitions,
    /// What was read of documents, for the next time, and the file to write it to.
    pub(crate) seen: Option<(PathBuf, Vec<u8>)>,
}

/// Files of folders that are not read, counted by what they seem to be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Skipped {
    /// How many files there are of each kind.
    pub counts: BTreeMap<String, u64>,
    /// The first of them, each with its kind.
    pub files: Vec<(PathBuf, String)>,
}

/// The largest number of skipped files that are listed.
const MAX_LISTED: usize = 100;

impl Skipped {
    pub(super) fn add(&mut self, path: &Path, what: &Foreign) {
        *self.counts.entry(what.kind.clone()).or_default() += 1;
        if self.files.len() < MAX_LISTED {
            self.files.push((path.to_path_buf(), what.kind.clone()));
        }
    }

    /// A list of formulas, where documents are read.
    #[cfg(feature = "documents")]
    pub(super) fn list(&mut self, path: &Path) {
        self.add(path, &Foreign::list());
    }

    /// The kinds with their numbers, such as `3 PDF, 12 PNG, 1 phocus index`; none where nothing
    /// was skipped.
    pub fn described(&self) -> Option<String> {
        let bare = |kind: &str| {
            let bare = kind.strip_prefix("a ").or_else(|| kind.strip_prefix("an "));
            bare.unwrap_or(kind).to_owned()
        };
        let kinds = self.counts.iter();
        let kinds: Vec<String> = kinds
            .map(|(kind, count)| format!("{count} {}", bare(kind)))
            .collect();
        (!kinds.is_empty()).then(|| kinds.join(", "))
    }
}

impl std::fmt::Debug for Inputs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inputs")
            .field("files", &self.files)
            .finish_non_exhaustive()
    }
}

enum Reader {
    Table(TsvReader<Source>),
    Array(JsonArray<Source>),
    Lines(Lines<Source>, Format, Arc<PathBuf>),
    Svg(Source, Arc<PathBuf>),
    /// Records that were read already.
    #[cfg(feature = "documents")]
    Records(VecDeque<ReadResult>, Arc<PathBuf>),
    #[cfg(feature = "documents")]
    Dump {
        documents: OpenDocuments,
        /// The records of the last document that are still to be given.
        waiting: VecDeque<ReadResult>,
        file: Arc<PathBuf>,
    },
}

impl Inputs {
    /// Opens all records of these files and folders; `-` is standard input. A
    /// folder's files come in the order of their names, numbers by value.
    ///
    /// # Errors
    /// When one of them is not there, or is a file of a kind that is not read.
    pub fn new(paths: &[PathBuf], options: impl Into<InputOptions>) -> Result<Self, CorpusError> {
        let options = options.into();
        let mut skipped = Skipped::default();
        let files = source::files(paths, &options, &mut skipped)?;
        Ok(Inputs {
            many: files.len() > 1,
            total: source::total_bytes(&files),
            #[cfg(feature = "documents")]
            documents: DocumentReader::new(&files, paths, &options),
            files,
            options,
            current: None,
            bytes: Arc::default(),
            besides: Arc::new(Mutex::new(Besides {
                skipped,
                ..Besides::default()
            })),
        })
    }

    /// The files that are still to be read; `-` is standard input.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|file| file.path.as_path())
    }

    /// The total size of the inputs in bytes, before decompression, where it is known.
    pub fn total_bytes(&self) -> Option<u64> {
        self.total
    }

    /// The counter of the bytes that were read so far.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.bytes)
    }

    /// What the inputs hold besides records, as far as is known: what a file holds is seen when
    /// its turn comes.
    pub(crate) fn besides(&self) -> Arc<Mutex<Besides>> {
        Arc::clone(&self.besides)
    }

    /// Looks at what is known besides records.
    fn beside(&self) -> MutexGuard<'_, Besides> {
        self.besides.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next_record(&mut self) -> Result<Option<ReadResult>, CorpusError> {
        loop {
            if let Some(reader) = &mut self.current {
                let path = reader.file();
                let failed = |error| source::failed(&path, error);
                #[cfg(feature = "documents")]
                if let Reader::Dump {
                    documents,
                    waiting,
                    file,
                } = reader
                    && waiting.is_empty()
                    && let Some(read) = documents.next()
                {
                    match read {
                        Ok(document) => *waiting = self.documents.records(file, document),
                        Err(reason) => return Ok(Some(Err(unreadable(file, reason)))),
                    }
                    continue;
                }
                if let Some(read) = reader.next(self.many).map_err(failed)? {
                    return Ok(Some(read));
                }
                self.current = None;
                #[cfg(feature = "documents")]
                self.documents.end_file();
            }
            match self.files.pop_front() {
                Some(file) => self.current = self.open(file)?,
                None => {
                    #[cfg(feature = "documents")]
                    self.end();
                    return Ok(None);
                }
            }
        }
    }

    /// Leaves what is known of documents after all of them were read.
    #[cfg(feature = "documents")]
    fn end(&mut self) {
        let (macros, seen) = (self.documents.definitions(), self.documents.seen());
        let seen = self.options.seen.clone().zip(seen);
        let mut besides = self.beside();
        besides.macros = macros;
        // Whoever asks for further records finds none, and nothing more was read.
        besides.seen = besides.seen.take().or(seen);
    }

    /// The texts that were read since this was last asked, in order.
    pub(crate) fn take_texts(&mut self) -> Vec<Text> {
        #[cfg(feature = "documents")]
        return self.documents.texts();
        #[cfg(not(feature = "documents"))]
        Vec::new()
    }

    /// The file that has what was read of documents before.
    pub(crate) fn seen_before(&self) -> Option<&Path> {
        self.options.seen.as_deref()
    }

    /// A reader of a file; none where the file is skipped.
    fn open(&mut self, file: InputFile) -> Result<Option<Reader>, CorpusError> {
        #[cfg(feature = "documents")]
        {
            let path = Arc::new(file.path.clone());
            if let Some(records) = self.documents.remembered(&path) {
                return Ok(Some(Reader::Records(records.into(), path)));
            }
        }
        let opened = match source::open(&file, self.options.format, &self.bytes) {
            Ok(opened) => opened,
            Err(_) if file.is_found => Opened::Foreign(Foreign::unreadable()),
            Err(error) => return Err(source::failed(&file.path, error)),
        };
        let InputFile { path, is_found } = file;
        let (source, format) = match opened {
            Opened::Formulas(source, format) => (source, format),
            Opened::Foreign(what) if is_found => {
                self.beside().skipped.add(&path, &what);
                return Ok(None);
            }
            Opened::Foreign(what) => return Err(CorpusError::Foreign { path, what }),
        };
        let file = Arc::new(path);
        Ok(Some(match format {
            Format::Tsv => Reader::Table(TsvReader::new(Lines::new(source), file, &['\t'])?),
            Format::Csv => Reader::Table(TsvReader::new(Lines::new(source), file, &[',', ';'])?),
            Format::Json => Reader::Array(JsonArray::new(source, file)),
            Format::Svg => Reader::Svg(source, file),
            #[cfg(feature = "documents")]
            Format::Document(format) => match self.documents.open(&file, source, format) {
                OpenDocuments::One(read) => {
                    let records = match read {
                        None => VecDeque::new(),
                        Some(Ok(read)) => self.documents.records_of_file(&file, *read),
                        Some(Err(reason)) => [Err(unreadable(&file, reason))].into(),
                    };
                    Reader::Records(records, file)
                }
                documents => Reader::Dump {
                    documents,
                    waiting: VecDeque::new(),
                    file,
                },
            },
            _ => Reader::Lines(Lines::new(source), format, file),
        }))
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
            Reader::Table(table) => table.file(),
            Reader::Array(array) => array.file(),
            Reader::Lines(_, _, file) | Reader::Svg(_, file) => Arc::clone(file),
            #[cfg(feature = "documents")]
            Reader::Records(_, file) | Reader::Dump { file, .. } => Arc::clone(file),
        }
    }

    fn next(&mut self, many: bool) -> io::Result<Option<ReadResult>> {
        match self {
            Reader::Table(table) => table.next(many),
            Reader::Array(array) => array.next(many),
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
            #[cfg(feature = "documents")]
            Reader::Records(records, _) => Ok(records.pop_front()),
            #[cfg(feature = "documents")]
            Reader::Dump { waiting, .. } => Ok(waiting.pop_front()),
        }
    }
}

/// A document that cannot be read.
#[cfg(feature = "documents")]
fn unreadable(file: &Arc<PathBuf>, reason: String) -> Malformed {
    let place = Place {
        file: Arc::clone(file),
        line: 1,
    };
    Malformed { place, reason }
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
