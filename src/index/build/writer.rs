//! Writing the sections of an index one after the other, then the header.

use std::io::{self, Read, Seek, Write};

use xxhash_rust::xxh3::Xxh3;

use crate::index::format::{HEADER_END, Section, SectionRow, aligned, header};

/// Where an index is written: a file, or memory.
pub(super) trait Target: Write + Seek {}

impl<T: Write + Seek> Target for T {}

/// An index that is being written.
pub(super) struct IndexWriter<'a> {
    out: &'a mut dyn Target,
    rows: Vec<SectionRow>,
    position: u64,
    hash: Xxh3,
}

impl<'a> IndexWriter<'a> {
    /// Leaves room for the header in an empty output.
    pub(super) fn new(out: &'a mut dyn Target) -> io::Result<Self> {
        out.write_all(&[0; HEADER_END])?;
        Ok(IndexWriter {
            out,
            rows: Vec::with_capacity(Section::ALL.len()),
            position: HEADER_END as u64,
            hash: Xxh3::new(),
        })
    }

    /// Writes one section, whose bytes `write` writes.
    pub(super) fn section<E: From<io::Error>>(
        &mut self,
        section: Section,
        write: impl FnOnce(&mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        let offset = aligned(self.position);
        let padding = (offset - self.position) as usize;
        self.out.write_all(&vec![0; padding])?;
        self.position = offset;
        self.hash.reset();
        write(self)?;
        self.rows.push(SectionRow {
            section,
            offset,
            length: self.position - offset,
            checksum: self.hash.digest(),
        });
        Ok(())
    }

    /// Writes a section that is in memory.
    pub(super) fn whole(&mut self, section: Section, bytes: &[u8]) -> io::Result<()> {
        self.section(section, |out| out.write_all(bytes))
    }

    /// Writes a section with all that is left to read.
    pub(super) fn copy(&mut self, section: Section, mut from: impl Read) -> io::Result<()> {
        self.section(section, |out| io::copy(&mut from, out).map(|_| ()))
    }

    /// Writes the header, and gives the length of the whole.
    pub(super) fn finish(mut self) -> io::Result<u64> {
        self.rows.sort_by_key(|row| row.section);
        self.out.rewind()?;
        self.out.write_all(&header(&self.rows, self.position))?;
        self.out.flush()?;
        Ok(self.position)
    }
}

/// Written bytes belong to the section that is open.
impl Write for IndexWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.hash.update(bytes);
        self.position += bytes.len() as u64;
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
