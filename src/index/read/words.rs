//! Reading tantivy's index of words in place: its files are parts of the mapped index.

use std::io;
use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    Directory, DirectoryLock, FileHandle, Lock, OwnedBytes, WatchCallback, WatchHandle, WritePtr,
};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocSet, HasLen, InvertedIndexReader, SegmentReader, TERMINATED, Term};

use super::sections::Sections;
use crate::index::format::{Section, WordFile};
use crate::index::words::schema;

/// The index of words.
pub(crate) struct Words {
    reader: Arc<InvertedIndexReader>,
    field: Field,
}

impl std::fmt::Debug for Words {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Words")
    }
}

impl Words {
    /// Opens the index of words in these sections, whose files these are.
    pub(super) fn open(sections: Arc<Sections>, files: &[WordFile]) -> tantivy::Result<Self> {
        let directory = MappedDirectory {
            sections,
            files: files.into(),
        };
        let index = tantivy::Index::open(directory)?;
        let segments = index.searchable_segments()?;
        let [segment] = &segments[..] else {
            let what = format!("its words have {} segments, expected 1", segments.len());
            return Err(tantivy::TantivyError::SystemError(what));
        };
        let (_, field) = schema();
        Ok(Words {
            reader: SegmentReader::open(segment)?.inverted_index(field)?,
            field,
        })
    }

    /// In how many texts a word stands.
    pub(crate) fn frequency(&self, word: &str) -> io::Result<u32> {
        self.reader
            .doc_freq(&Term::from_field_text(self.field, word))
    }

    /// Calls `each` with every text that has a word, in order, and how often it has it.
    pub(crate) fn postings(&self, word: &str, mut each: impl FnMut(u32, u32)) -> io::Result<()> {
        let term = Term::from_field_text(self.field, word);
        let found = self
            .reader
            .read_postings(&term, IndexRecordOption::WithFreqs)?;
        if let Some(mut postings) = found {
            let mut text = postings.doc();
            while text != TERMINATED {
                each(text, tantivy::postings::Postings::term_freq(&postings));
                text = postings.advance();
            }
        }
        Ok(())
    }
}

/// The files of tantivy's index, as parts of a section.
#[derive(Debug, Clone)]
struct MappedDirectory {
    sections: Arc<Sections>,
    files: Arc<[WordFile]>,
}

impl MappedDirectory {
    /// Where a file is in the index.
    fn range(&self, path: &Path) -> Option<Range<usize>> {
        let file = self
            .files
            .iter()
            .find(|file| Path::new(&file.name) == path)?;
        let section = self.sections.range(Section::Words);
        let start = section
            .start
            .checked_add(usize::try_from(file.offset).ok()?)?;
        let end = start.checked_add(usize::try_from(file.bytes).ok()?)?;
        (end <= section.end).then_some(start..end)
    }

    fn handle(&self, path: &Path) -> Result<MappedFile, OpenReadError> {
        let missing = || OpenReadError::FileDoesNotExist(path.to_path_buf());
        Ok(MappedFile {
            range: self.range(path).ok_or_else(missing)?,
            sections: Arc::clone(&self.sections),
        })
    }
}

fn read_only() -> io::Error {
    io::Error::new(
        io::ErrorKind::ReadOnlyFilesystem,
        "an index is not written to",
    )
}

impl Directory for MappedDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        Ok(Arc::new(self.handle(path)?))
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        Err(DeleteError::IoError {
            io_error: Arc::new(read_only()),
            filepath: path.to_path_buf(),
        })
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        Ok(self.range(path).is_some())
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        Err(OpenWriteError::wrap_io_error(
            read_only(),
            PathBuf::from(path),
        ))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let file = self.handle(path)?;
        let bytes = file.read_bytes(0..file.len());
        let bytes =
            bytes.map_err(|error| OpenReadError::wrap_io_error(error, path.to_path_buf()))?;
        Ok(bytes.to_vec())
    }

    fn atomic_write(&self, _: &Path, _: &[u8]) -> io::Result<()> {
        Err(read_only())
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    /// Nothing is written, so there is nothing to lock.
    fn acquire_lock(&self, _: &Lock) -> Result<DirectoryLock, LockError> {
        Ok(DirectoryLock::from(Box::new(())))
    }

    fn watch(&self, _: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}

/// A part of the index. Its bytes are handed out where they are, once they were found to be as
/// they were written.
#[derive(Debug)]
struct MappedFile {
    sections: Arc<Sections>,
    range: Range<usize>,
}

impl HasLen for MappedFile {
    fn len(&self) -> usize {
        self.range.len()
    }
}

impl FileHandle for MappedFile {
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        let start = self.range.start.checked_add(range.start);
        let range = start.map(|start| start..start + range.len());
        let range = range.filter(|range| range.end <= self.range.end);
        let cut = || io::Error::new(io::ErrorKind::UnexpectedEof, "a file of words is cut");
        let range = range.ok_or_else(cut)?;
        if !self.sections.are_sound(range.clone()) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the words are damaged",
            ));
        }
        Ok(OwnedBytes::new(SectionBytes {
            sections: Arc::clone(&self.sections),
            range,
        }))
    }
}

/// Bytes of the index that keep it open.
pub(super) struct SectionBytes {
    sections: Arc<Sections>,
    range: Range<usize>,
}

impl Deref for SectionBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.sections.all()[self.range.clone()]
    }
}
