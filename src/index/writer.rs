//! Writing the file: sections in order, then the header, then the name.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

use tempfile::NamedTempFile;
use xxhash_rust::xxh3::Xxh3;

use super::HEADER_END;
use super::format::{FORMAT_VERSION, MAGIC, Row, Section, aligned};
use crate::atomic_file;

/// An index that is being written, under another name until it is whole.
pub(super) struct IndexWriter {
    file: NamedTempFile,
    rows: Vec<Row>,
    end: u64,
}

impl IndexWriter {
    /// Begins a file beside where it shall be.
    pub(super) fn new(path: &Path) -> io::Result<Self> {
        let file = atomic_file::temporary_beside(path)?;
        Ok(IndexWriter {
            file,
            rows: Vec::with_capacity(Section::ALL.len()),
            end: HEADER_END as u64,
        })
    }

    /// Begins a section of `length` bytes; several may be written at once.
    pub(super) fn section(&mut self, section: Section, length: u64) -> io::Result<SectionWriter> {
        let offset = aligned(self.end);
        let mut file = self.file.reopen()?;
        file.seek(SeekFrom::Start(offset))?;
        self.end = offset + length;
        Ok(SectionWriter {
            row: Row {
                section,
                offset,
                length,
                checksum: 0,
            },
            out: BufWriter::with_capacity(1 << 20, file),
            hash: Xxh3::new(),
            written: 0,
        })
    }

    /// Ends a section.
    pub(super) fn end(&mut self, section: SectionWriter) -> io::Result<()> {
        let SectionWriter {
            mut row,
            mut out,
            hash,
            written,
        } = section;
        out.flush()?;
        debug_assert_eq!(written, row.length, "{:?}", row.section);
        row.checksum = hash.digest();
        self.rows.push(row);
        Ok(())
    }

    /// A section that is in memory.
    pub(super) fn whole(&mut self, section: Section, bytes: &[u8]) -> io::Result<()> {
        let mut writer = self.section(section, bytes.len() as u64)?;
        writer.write_all(bytes)?;
        self.end(writer)
    }

    /// Copies a section from a file that is `length` bytes long.
    pub(super) fn copy(&mut self, section: Section, mut from: File, length: u64) -> io::Result<()> {
        from.rewind()?;
        let mut writer = self.section(section, length)?;
        io::copy(&mut from, &mut writer)?;
        self.end(writer)
    }

    /// Writes the header, makes sure that all is on disk, and names the file.
    pub(super) fn finish(mut self, path: &Path) -> io::Result<u64> {
        self.rows.sort_by_key(|row| row.section);
        let mut header = Vec::new();
        header.extend_from_slice(&MAGIC);
        header.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
        header.extend_from_slice(&(self.rows.len() as u32).to_le_bytes());
        header.extend_from_slice(&self.end.to_le_bytes());
        header.extend_from_slice(&[0; 8]);
        for row in &self.rows {
            header.extend_from_slice(&row.to_bytes());
        }
        let checksum = xxhash_rust::xxh3::xxh3_64(&header);
        header[24..32].copy_from_slice(&checksum.to_le_bytes());
        let file = self.file.as_file_mut();
        file.set_len(self.end)?;
        file.rewind()?;
        file.write_all(&header)?;
        atomic_file::name_finished(self.file, path)?;
        Ok(self.end)
    }
}

/// A section that is being written.
pub(super) struct SectionWriter {
    row: Row,
    out: BufWriter<File>,
    hash: Xxh3,
    written: u64,
}

impl Write for SectionWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.hash.update(bytes);
        self.written += bytes.len() as u64;
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
