//! Files of documents, each read as one document or, where it is a dump, as many.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::project::Project;
use super::records::records;
use super::seen::{Include, Seen, SeenRecord};
use super::texts::TextReader;
use super::{Document, Formulas, asciidoc, html, ipynb, markdown, plain, posts, rst, wikidump};
use super::{wikitext, xml};
use crate::corpus::source::{self, InputFile, Opened, Source, decompressed};
use crate::corpus::{CorpusError, DocumentFormat, Format, InputOptions, ReadResult, Skipped, Text};
use crate::latex::macros::Definitions;

/// The longest document that is read, in bytes. Dumps may be longer.
pub const MAX_DOCUMENT_BYTES: u64 = 64 << 20;

/// The text of a file or of one document in it, and what was made of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Loaded<T = ()> {
    /// The text, as UTF-8.
    pub text: String,
    /// How many lines of the file are before it.
    pub lines_before: usize,
    /// What was made of it.
    pub value: T,
}

impl Loaded {
    pub(super) fn with<T>(self, value: T) -> Loaded<T> {
        Loaded {
            text: self.text,
            lines_before: self.lines_before,
            value,
        }
    }
}

/// Reads the text of a file, decompressed.
///
/// # Errors
/// When it cannot be read, or is longer than [`MAX_DOCUMENT_BYTES`].
pub(super) fn load(path: &Path) -> io::Result<Loaded> {
    whole(decompressed(Box::new(BufReader::new(File::open(path)?)))?)
}

/// Reads a whole text. Bytes that are not UTF-8 are read as Latin-1, as old papers are written.
fn whole(source: Source) -> io::Result<Loaded> {
    let mut bytes = Vec::new();
    source
        .take(MAX_DOCUMENT_BYTES + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_DOCUMENT_BYTES {
        return Err(io::Error::other(format!(
            "longer than {} MiB, which is more than is read of a document",
            MAX_DOCUMENT_BYTES >> 20
        )));
    }
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => error
            .as_bytes()
            .iter()
            .map(|byte| char::from(*byte))
            .collect(),
    };
    Ok(Loaded {
        text,
        lines_before: 0,
        value: (),
    })
}

/// Reads files of documents; LaTeX files with those that belong to them.
#[derive(Debug)]
pub(in crate::corpus) struct DocumentReader {
    project: Project,
    /// What the macros of documents that are no LaTeX files mean.
    definitions: BTreeMap<PathBuf, Definitions>,
    seen: Seen,
    texts: TextReader,
    /// Whether texts are wanted besides formulas.
    has_texts: bool,
    /// Whether rows of formulas are formulas.
    rows: bool,
}

/// The documents of a file.
pub(in crate::corpus) enum OpenDocuments {
    One(Option<Result<Box<Loaded<Document>>, String>>),
    Posts(posts::Rows),
    Pages(wikidump::Pages),
}

impl DocumentReader {
    /// A reader of these files, which may include one another and further files of the folders
    /// that they were found in.
    pub(in crate::corpus) fn new(
        files: &VecDeque<InputFile>,
        given: &[PathBuf],
        options: &InputOptions,
    ) -> Self {
        let mut seen = Seen::open(options);
        let is_tex = Some(Format::Document(DocumentFormat::Tex));
        let tex: Vec<PathBuf> = files
            .iter()
            .filter(|file| file.format() == is_tex)
            .map(|file| file.path.clone())
            .collect();
        let folders: Vec<PathBuf> = given
            .iter()
            .map(|path| {
                if path.is_dir() {
                    return path.clone();
                }
                // The files beside a file that is given may be included by it.
                let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
                folder.unwrap_or(Path::new(".")).to_owned()
            })
            .collect();
        DocumentReader {
            project: Project::new(&tex, &folders, &mut seen),
            definitions: BTreeMap::new(),
            seen,
            texts: TextReader::default(),
            has_texts: options.texts,
            rows: options.rows,
        }
    }

    /// What the macros of all that was read mean.
    pub(in crate::corpus) fn definitions(&self) -> Definitions {
        let mut all = Definitions::default();
        let of_files = self.definitions.values();
        of_files
            .chain(self.project.definitions.values())
            .for_each(|definitions| all.join(definitions));
        all
    }

    /// What was read, for the next time.
    pub(in crate::corpus) fn seen(&mut self) -> Option<Vec<u8>> {
        self.seen.written()
    }

    /// The records of a file that was read before and did not change since.
    pub(in crate::corpus) fn remembered(&mut self, file: &Arc<PathBuf>) -> Option<Vec<ReadResult>> {
        let is_tex = DocumentFormat::of_path(file) == Some(DocumentFormat::Tex);
        let root = is_tex.then(|| self.project.root(file));
        let project = &self.project;
        let resolve = |root: &Path, include: &Include| {
            project.resolve(root, &include.from, &include.name, &include.ending)
        };
        let remembered = self.seen.records(file, root.as_deref(), resolve)?;
        self.definitions
            .insert(file.to_path_buf(), remembered.definitions);
        let before = self.texts.add(remembered.texts);
        let mut records = remembered.records;
        for place in records
            .iter_mut()
            .flatten()
            .flat_map(|record| &mut record.text)
        {
            place.text += before;
        }
        Some(records)
    }

    /// The records of a document; its texts are kept until they are [taken](Self::texts).
    pub(in crate::corpus) fn records(
        &mut self,
        file: &Arc<PathBuf>,
        document: Loaded<Document>,
    ) -> VecDeque<ReadResult> {
        let texts = self.has_texts.then_some(&mut self.texts);
        records(file, document, self.rows, texts)
    }

    /// The texts that were completed since this was last asked.
    pub(in crate::corpus) fn texts(&mut self) -> Vec<Text> {
        self.texts.take()
    }

    /// Completes what was begun in the file that ends.
    pub(in crate::corpus) fn end_file(&mut self) {
        self.texts.end();
    }

    /// The records of a file of one document, kept for the next time.
    pub(in crate::corpus) fn records_of_file(
        &mut self,
        file: &Arc<PathBuf>,
        document: Loaded<Document>,
    ) -> VecDeque<ReadResult> {
        self.texts.end();
        let (before, waiting) = self.texts.completed();
        let waiting = waiting.len();
        let mut records = self.records(file, document);
        self.keep(file, records.make_contiguous(), before, waiting);
        records
    }

    /// Keeps the records of a file for the next time, and its texts: those that are waiting after
    /// the first `waiting`, `before` of which were completed before.
    fn keep(&mut self, file: &Path, records: &[ReadResult], before: u32, waiting: usize) {
        let definitions = self.definitions.get(file);
        let definitions = definitions.or_else(|| self.project.definitions.get(file));
        let definitions = definitions.cloned().unwrap_or_default();
        let texts = &self.texts.completed().1[waiting..];
        let records = records.iter().map(|read| SeenRecord::of(read, before));
        self.seen
            .keep(file, definitions, records.collect(), texts.to_vec());
    }

    /// Opens a file of documents.
    pub(in crate::corpus) fn open(
        &mut self,
        path: &Path,
        source: Source,
        format: DocumentFormat,
    ) -> OpenDocuments {
        let read = match format {
            DocumentFormat::Posts => return OpenDocuments::Posts(posts::Rows::new(source)),
            DocumentFormat::WikiDump => {
                return OpenDocuments::Pages(wikidump::Pages::new(source));
            }
            DocumentFormat::Tex if path.as_os_str() != "-" => {
                self.project.document(path, &mut self.seen)
            }
            format => whole(source).and_then(|loaded| {
                let mut formulas = Formulas::default();
                let document = read(&loaded.text, format, &mut formulas)?;
                let mut definitions = Definitions::default();
                definitions.add(&formulas.macros);
                self.definitions.insert(path.to_path_buf(), definitions);
                Ok(loaded.with(document))
            }),
        };
        let read = read.map(Box::new).map_err(|error| error.to_string());
        OpenDocuments::One(Some(read))
    }
}

impl Iterator for OpenDocuments {
    /// A document, or why it cannot be read.
    type Item = Result<Loaded<Document>, String>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            OpenDocuments::One(read) => Some(read.take()?.map(|read| *read)),
            OpenDocuments::Posts(rows) => rows.next(),
            OpenDocuments::Pages(pages) => pages.next(),
        }
    }
}

/// The parts of a text in a format.
fn read(text: &str, format: DocumentFormat, formulas: &mut Formulas) -> io::Result<Document> {
    Ok(match format {
        DocumentFormat::Tex => super::tex::read(text, &mut formulas.macros, &mut ()),
        DocumentFormat::Markdown => markdown::read(text, formulas),
        DocumentFormat::Html => html::read(text, formulas),
        DocumentFormat::Notebook => ipynb::read(text, formulas)?,
        DocumentFormat::Rst => rst::read(text, formulas),
        DocumentFormat::AsciiDoc => asciidoc::read(text, formulas),
        DocumentFormat::Wikitext => wikitext::read(text, formulas),
        DocumentFormat::Xml => xml::read(text, formulas).map_err(io::Error::other)?,
        DocumentFormat::Prose | DocumentFormat::Posts | DocumentFormat::WikiDump => {
            plain::read(text, formulas)
        }
    })
}

/// A document that was read.
#[derive(Debug)]
pub struct ReadFile {
    /// The path of its file.
    pub path: PathBuf,
    /// Its text and its parts, or why it cannot be read.
    pub read: Result<Loaded<Document>, String>,
}

/// The documents of files and folders, in the order of their paths.
pub struct Documents {
    files: VecDeque<InputFile>,
    reader: DocumentReader,
    format: Option<Format>,
    rows: bool,
    current: Option<(PathBuf, OpenDocuments)>,
    /// The files of folders that are not read.
    pub skipped: Skipped,
}

impl std::fmt::Debug for Documents {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Documents")
            .field("files", &self.files)
            .finish_non_exhaustive()
    }
}

impl Documents {
    /// Finds the documents in these files and folders; `-` is standard input.
    ///
    /// # Errors
    /// When one of them is not there, a file is named that is not read, or a pattern is none.
    pub fn new(paths: &[PathBuf], options: &InputOptions) -> Result<Self, CorpusError> {
        let mut skipped = Skipped::default();
        let files = source::files(paths, options, &mut skipped)?;
        Ok(Documents {
            reader: DocumentReader::new(&files, paths, options),
            format: options.format,
            rows: options.rows,
            files,
            current: None,
            skipped,
        })
    }

    /// Opens a file, unless it is no document.
    fn open(&mut self, file: &InputFile) -> io::Result<Option<OpenDocuments>> {
        let (source, format) = match source::open(file, self.format, &Arc::default())? {
            Opened::Formulas(source, format) => (source, format),
            Opened::Foreign(what) => {
                self.skipped.add(&file.path, &what);
                return Ok(None);
            }
        };
        let format = match format {
            Format::Document(format) => format,
            // A file that is named is read, whatever its name and its beginning.
            Format::Text if !file.is_found => DocumentFormat::Prose,
            _ => {
                self.skipped.list(&file.path);
                return Ok(None);
            }
        };
        Ok(Some(self.reader.open(&file.path, source, format)))
    }
}

impl Iterator for Documents {
    type Item = ReadFile;

    fn next(&mut self) -> Option<ReadFile> {
        loop {
            if let Some((path, documents)) = &mut self.current {
                if let Some(mut read) = documents.next() {
                    if let Ok(loaded) = &mut read
                        && self.rows
                    {
                        loaded.value.add_rows();
                    }
                    let path = path.clone();
                    return Some(ReadFile { path, read });
                }
                self.current = None;
            }
            let file = self.files.pop_front()?;
            match self.open(&file) {
                Ok(opened) => self.current = opened.map(|opened| (file.path, opened)),
                Err(error) => {
                    return Some(ReadFile {
                        path: file.path,
                        read: Err(error.to_string()),
                    });
                }
            }
        }
    }
}
