//! Writing tantivy's index of words: with bounded memory, and the same bytes each time.
//!
//! Words are collected until they fill the memory, and written as a segment; in the end all
//! segments are merged into one. Tantivy names segments at random; here the one that is left has a
//! fixed name.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tantivy::directory::error::{DeleteError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, Directory, FileHandle, OwnedBytes, TerminatingWrite, WatchCallback, WatchHandle,
    WritePtr,
};
use tantivy::indexer::merge_filtered_segments;
use tantivy::schema::Field;
use tantivy::store::Compressor;
use tantivy::tokenizer::{PreTokenizedString, Token};
use tantivy::{HasLen, Index, IndexSettings, SingleSegmentIndexWriter, TantivyDocument};
use tempfile::SpooledTempFile;

use super::writer::IndexWriter;
use crate::index::format::{Section, WordFile, aligned};
use crate::index::words::schema;

/// The least memory for words.
const MIN_MEMORY: usize = 16 << 20;
/// A file up to this length stays in memory.
const SPOOL_BYTES: usize = 1 << 20;
/// The name of the one segment.
const SEGMENT: &str = "00000000000000000000000000000001";
/// The name of tantivy's description of its index.
const META: &str = "meta.json";

/// Collects the words of texts, one text after another.
pub(super) struct WordWriter {
    scratch: PathBuf,
    memory: usize,
    field: Field,
    /// The segment that is being collected.
    open: Option<SingleSegmentIndexWriter>,
    /// The segments that are written, each an index.
    written: Vec<Index>,
}

impl WordWriter {
    pub(super) fn new(scratch: &Path, memory: usize) -> Self {
        WordWriter {
            scratch: scratch.to_path_buf(),
            memory: memory.max(MIN_MEMORY),
            field: schema().1,
            open: None,
            written: Vec::new(),
        }
    }

    /// Adds the words of the next text, which may come from several pieces.
    pub(super) fn add(&mut self, mut words: Vec<Token>) -> io::Result<()> {
        // Tantivy takes positions that ascend.
        for (position, word) in words.iter_mut().enumerate() {
            word.position = position;
        }
        let open = match &mut self.open {
            Some(open) => open,
            None => {
                let builder = Index::builder().schema(schema().0).settings(settings());
                let directory = ScratchDirectory::new(&self.scratch);
                let writer = builder.single_segment_index_writer(directory, self.memory);
                self.open.insert(writer.map_err(failed)?)
            }
        };
        let mut document = TantivyDocument::default();
        let words = PreTokenizedString {
            text: String::new(),
            tokens: words,
        };
        document.add_pre_tokenized_text(self.field, words);
        open.add_document(document).map_err(failed)?;
        if open.mem_usage() > self.memory {
            self.write_segment()?;
        }
        Ok(())
    }

    fn write_segment(&mut self) -> io::Result<()> {
        if let Some(open) = self.open.take() {
            self.written.push(open.finalize().map_err(failed)?);
        }
        Ok(())
    }

    /// Merges all segments and writes the files of the index; says where each is.
    pub(super) fn write(mut self, out: &mut IndexWriter) -> io::Result<Vec<WordFile>> {
        self.write_segment()?;
        let directory = ScratchDirectory::new(&self.scratch);
        let mut segments = Vec::new();
        for index in &self.written {
            segments.extend(index.searchable_segments().map_err(failed)?);
        }
        let all = vec![None; segments.len()];
        let merged = merge_filtered_segments(&segments, settings(), all, directory.clone());
        let merged = merged.map_err(failed)?;
        let metas = merged.searchable_segment_metas().map_err(failed)?;
        let [meta] = &metas[..] else {
            return Err(io::Error::other(
                "the words were not merged into one segment",
            ));
        };
        let random = meta.id().uuid_string();
        drop(merged);
        let mut files = Vec::new();
        let mut position = 0;
        out.section(Section::Words, |out| {
            for (name, file) in directory.into_files() {
                let name = name.replace(&random, SEGMENT);
                let mut bytes = Vec::new();
                let mut file = lock(&file);
                file.rewind()?;
                file.read_to_end(&mut bytes)?;
                if name == META {
                    bytes = described(&bytes)?;
                }
                let padding = aligned(position) - position;
                out.write_all(&vec![0; padding as usize])?;
                out.write_all(&bytes)?;
                position += padding;
                files.push(WordFile {
                    name,
                    offset: position,
                    bytes: bytes.len() as u64,
                });
                position += bytes.len() as u64;
            }
            Ok::<(), io::Error>(())
        })?;
        Ok(files)
    }
}

/// Words are not stored: texts are, elsewhere.
fn settings() -> IndexSettings {
    IndexSettings {
        docstore_compression: Compressor::None,
        docstore_compress_dedicated_thread: false,
        ..IndexSettings::default()
    }
}

/// Tantivy's description of its index, with the fixed name of the segment, and without the names
/// of those that it was merged from.
fn described(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut meta: Value = serde_json::from_slice(bytes)?;
    if let Some(meta) = meta.as_object_mut() {
        meta.remove("payload");
    }
    let hyphens = [0..8, 8..12, 12..16, 16..20, 20..32].map(|part: Range<usize>| &SEGMENT[part]);
    meta["segments"][0]["segment_id"] = hyphens.join("-").into();
    Ok(serde_json::to_vec(&meta)?)
}

fn failed(error: tantivy::TantivyError) -> io::Error {
    match error {
        tantivy::TantivyError::IoError(error) => io::Error::new(error.kind(), error.to_string()),
        error => io::Error::other(error),
    }
}

/// A file in memory, or on disk without a name.
type ScratchFile = Arc<Mutex<SpooledTempFile>>;

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A folder of temporary files that have no names on disk: nothing is left of them, however the
/// process ends.
#[derive(Debug, Clone)]
struct ScratchDirectory {
    folder: PathBuf,
    files: Arc<Mutex<BTreeMap<PathBuf, ScratchFile>>>,
}

impl ScratchDirectory {
    fn new(folder: &Path) -> Self {
        ScratchDirectory {
            folder: folder.to_path_buf(),
            files: Arc::default(),
        }
    }

    /// The files by name, but for tantivy's list of them.
    fn into_files(self) -> Vec<(String, ScratchFile)> {
        let files = lock(&self.files);
        let named = files.iter().filter_map(|(path, file)| {
            let name = path.to_str()?.to_owned();
            (!name.starts_with('.')).then(|| (name, Arc::clone(file)))
        });
        named.collect()
    }

    fn file(&self, path: &Path) -> Option<ScratchFile> {
        lock(&self.files).get(path).cloned()
    }

    fn create(&self, path: &Path) -> ScratchFile {
        let file = tempfile::spooled_tempfile_in(SPOOL_BYTES, &self.folder);
        let file = Arc::new(Mutex::new(file));
        lock(&self.files).insert(path.to_path_buf(), Arc::clone(&file));
        file
    }
}

impl Directory for ScratchDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        let missing = || OpenReadError::FileDoesNotExist(path.to_path_buf());
        let file = self.file(path).ok_or_else(missing)?;
        let length = lock(&file)
            .seek(SeekFrom::End(0))
            .map_err(|error| OpenReadError::wrap_io_error(error, path.to_path_buf()))?;
        Ok(Arc::new(ScratchHandle {
            file,
            length: length as usize,
        }))
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        match lock(&self.files).remove(path) {
            Some(_) => Ok(()),
            None => Err(DeleteError::FileDoesNotExist(path.to_path_buf())),
        }
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        Ok(self.file(path).is_some())
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        if self.file(path).is_some() {
            return Err(OpenWriteError::FileAlreadyExists(path.to_path_buf()));
        }
        Ok(BufWriter::new(Box::new(ScratchWriter(self.create(path)))))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let missing = || OpenReadError::FileDoesNotExist(path.to_path_buf());
        let file = self.file(path).ok_or_else(missing)?;
        let mut file = lock(&file);
        let mut bytes = Vec::new();
        file.rewind()
            .and_then(|()| file.read_to_end(&mut bytes))
            .map_err(|error| OpenReadError::wrap_io_error(error, path.to_path_buf()))?;
        Ok(bytes)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        lock(&self.create(path)).write_all(data)
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    fn watch(&self, _: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}

/// Writes a file from its end on.
struct ScratchWriter(ScratchFile);

impl Write for ScratchWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut file = lock(&self.0);
        file.seek(SeekFrom::End(0))?;
        file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        lock(&self.0).flush()
    }
}

impl TerminatingWrite for ScratchWriter {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        self.flush()
    }
}

/// Reads pieces of a file.
#[derive(Debug)]
struct ScratchHandle {
    file: ScratchFile,
    length: usize,
}

impl HasLen for ScratchHandle {
    fn len(&self) -> usize {
        self.length
    }
}

impl FileHandle for ScratchHandle {
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        let mut bytes = vec![0; range.len()];
        let mut file = lock(&self.file);
        file.seek(SeekFrom::Start(range.start as u64))?;
        file.read_exact(&mut bytes)?;
        Ok(OwnedBytes::new(bytes))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::index::words::Analyzer;

    /// The bytes of an index of words that is collected with so much memory, and how many segments
    /// that made.
    fn written(memory: usize) -> (Vec<u8>, usize) {
        let mut words = WordWriter::new(&std::env::temp_dir(), 0);
        words.memory = memory;
        let mut analyzer = Analyzer::default();
        for number in 0..3000u32 {
            // Words that all texts have, that few have, and that one has.
            let text = format!("series of {} and x{number} {}", number % 7, number * number);
            words.add(analyzer.words(&text)).unwrap();
        }
        let segments = words.written.len();
        let mut bytes = Cursor::new(Vec::new());
        let mut out = IndexWriter::new(&mut bytes).unwrap();
        words.write(&mut out).unwrap();
        (bytes.into_inner(), segments)
    }

    #[test]
    fn words_are_the_same_bytes_with_any_memory() {
        let (expected, segments) = written(MIN_MEMORY);
        assert_eq!(segments, 0, "all fit");
        let (bytes, segments) = written(1 << 20);
        assert!(segments > 1, "{segments}");
        assert!(bytes == expected);
    }
}
