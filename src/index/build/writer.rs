//! Writing the sections of an index one after the other, then the header.

use std::io::{self, Read, Seek, Write};

use crate::index::format::{
    ChunkSums, HEADER_END, Header, Section, SectionRow, aligned, checksum, header,
};

/// Where an index is written: a file, or memory.
pub(super) trait Target: Write + Seek {}

impl<T: Write + Seek> Target for T {}

/// An index that is being written.
pub(super) struct IndexWriter<'a> {
    out: &'a mut dyn Target,
    rows: Vec<SectionRow>,
    position: u64,
    sums: ChunkSums,
}

impl<'a> IndexWriter<'a> {
    /// Leaves room for the header in an empty output.
    pub(super) fn new(out: &'a mut dyn Target) -> io::Result<Self> {
        out.write_all(&[0; HEADER_END])?;
        Ok(IndexWriter {
            out,
            rows: Vec::with_capacity(Section::ALL.len()),
            position: HEADER_END as u64,
            sums: ChunkSums::new(),
        })
    }

    /// Writes one section, whose bytes `write` writes.
    pub(super) fn section<E: From<io::Error>>(
        &mut self,
        section: Section,
        write: impl FnOnce(&mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        let offset = self.pad()?;
        write(self)?;
        self.rows.push(SectionRow {
            section,
            offset,
            length: self.position - offset,
        });
        Ok(())
    }

    /// How many bytes these sections have, as far as they are written.
    pub(super) fn bytes_of(&self, sections: &[Section]) -> u64 {
        let rows = self.rows.iter();
        let rows = rows.filter(|row| sections.contains(&row.section));
        rows.map(|row| row.length).sum()
    }

    /// Writes zeros up to where the next section begins, and says where that is.
    fn pad(&mut self) -> io::Result<u64> {
        let offset = aligned(self.position);
        let padding = (offset - self.position) as usize;
        self.write_all(&vec![0; padding])?;
        Ok(offset)
    }

    /// Writes a section that is in memory.
    pub(super) fn whole(&mut self, section: Section, bytes: &[u8]) -> io::Result<()> {
        self.section(section, |out| out.write_all(bytes))
    }

    /// Writes a section with all that is left to read.
    pub(super) fn copy(&mut self, section: Section, mut from: impl Read) -> io::Result<()> {
        self.section(section, |out| io::copy(&mut from, out).map(|_| ()))
    }

    /// Writes the checksums of all chunks and then the header, and gives the length of the whole.
    pub(super) fn finish(mut self) -> io::Result<u64> {
        let offset = self.pad()?;
        let IndexWriter {
            out,
            mut rows,
            sums,
            ..
        } = self;
        let sums = sums.finish(offset);
        let sums: &[u8] = bytemuck::cast_slice(&sums);
        out.write_all(sums)?;
        rows.push(SectionRow {
            section: Section::Sums,
            offset,
            length: sums.len() as u64,
        });
        rows.sort_by_key(|row| row.section);
        let file_bytes = offset + sums.len() as u64;
        let sums = checksum(sums);
        out.rewind()?;
        out.write_all(&header(&Header { rows, sums }, file_bytes))?;
        out.flush()?;
        Ok(file_bytes)
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
        self.sums.push(bytes);
        self.position += bytes.len() as u64;
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
