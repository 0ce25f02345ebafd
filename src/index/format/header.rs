//! The header of a file: a table of its sections.
//!
//! ```text
//! 0   magic "phocus\r\n"       8 bytes
//! 8   version                  u32
//! 12  number of sections       u32
//! 16  length of the file       u64
//! 24  checksum of the header, with this field zero, and of the table   u64
//! 32  checksum of the section Sums   u64
//! 40  the table: kind u32, zero u32, offset u64, length u64
//! ```
//!
//! Numbers are little-endian, checksums XXH3. The table is in the order of
//! kinds; sections begin at multiples of 64, zeros between them. They are in
//! any order, but Sums is the last and covers all that is before it.

use std::path::Path;

use super::chunks::{checksum, chunks_before};
use super::error::IndexError;
use super::sections::{ALIGN, Section, SectionRow};

/// The version that is written, and the one that is read.
pub const FORMAT_VERSION: u32 = 8;

/// The first bytes. A transfer that rewrites line ends breaks them.
pub(crate) const MAGIC: [u8; 8] = *b"phocus\r\n";
/// Length of the header before the table.
pub(in crate::index) const HEADER_BYTES: usize = 40;
/// Length of a table row.
pub(in crate::index) const ROW_BYTES: usize = 24;
/// Where the table of sections ends.
pub(in crate::index) const HEADER_END: usize = HEADER_BYTES + Section::ALL.len() * ROW_BYTES;

/// What the header of a file says.
#[derive(Debug)]
pub(in crate::index) struct Header {
    /// Where each section is, in the order of kinds.
    pub(in crate::index) rows: Vec<SectionRow>,
    /// The checksum of the section Sums.
    pub(in crate::index) sums: u64,
}

/// The header of a file of this length.
pub(in crate::index) fn header(contents: &Header, file_bytes: u64) -> Vec<u8> {
    let Header { rows, sums } = contents;
    let mut header = Vec::with_capacity(HEADER_END);
    header.extend_from_slice(&MAGIC);
    header.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
    header.extend_from_slice(&(rows.len() as u32).to_le_bytes());
    header.extend_from_slice(&file_bytes.to_le_bytes());
    header.extend_from_slice(&[0; 8]);
    header.extend_from_slice(&sums.to_le_bytes());
    for row in rows {
        header.extend_from_slice(&(row.section as u32).to_le_bytes());
        header.extend_from_slice(&[0; 4]);
        header.extend_from_slice(&row.offset.to_le_bytes());
        header.extend_from_slice(&row.length.to_le_bytes());
    }
    let checksum = checksum(&header);
    header[24..32].copy_from_slice(&checksum.to_le_bytes());
    header
}

/// The header of a file, checked, and the section Sums with it.
pub(in crate::index) fn read_header(map: &[u8], path: &Path) -> Result<Header, IndexError> {
    let damaged = |what: &str| IndexError::Damaged {
        path: path.to_path_buf(),
        what: what.to_owned(),
    };
    if !map.starts_with(&MAGIC) {
        let start = &map[..map.len().min(8)];
        return Err(IndexError::NotAnIndex {
            path: path.to_path_buf(),
            found: if start.is_empty() {
                "an empty file".to_owned()
            } else {
                format!("`{}`", start.escape_ascii())
            },
        });
    }
    let number = |at: usize| u32_at(map, at).unwrap_or(0);
    let version = number(8);
    if version != FORMAT_VERSION && map.len() >= 12 {
        return Err(IndexError::Version {
            path: path.to_path_buf(),
            found: version,
        });
    }
    let expected = u64_at(map, 16).unwrap_or(HEADER_END as u64);
    if expected != map.len() as u64 || map.len() < HEADER_END {
        return Err(IndexError::Length {
            path: path.to_path_buf(),
            expected,
            found: map.len() as u64,
        });
    }
    let mut header = map[..HEADER_END].to_vec();
    header[24..32].fill(0);
    if Some(checksum(&header)) != u64_at(map, 24) {
        return Err(damaged("its header does not match its checksum"));
    }
    if number(12) as usize != Section::ALL.len() {
        return Err(damaged("its header has another number of sections"));
    }
    let rows = Section::ALL.iter().enumerate();
    let rows = rows
        .map(|(at, section)| section_row(map, at, *section))
        .collect::<Option<Vec<SectionRow>>>()
        .filter(|rows| has_sums_last(rows, map.len()))
        .ok_or_else(|| damaged("its table of sections does not fit the file"))?;
    let sums = u64_at(map, 32).unwrap_or(0);
    if checksum(&map[rows[Section::Sums as usize - 1].range()]) != sums {
        return Err(damaged(
            "its table of checksums does not match its own checksum",
        ));
    }
    Ok(Header { rows, sums })
}

/// Whether the last section has a checksum for each chunk of all that is before it, and all
/// others are before it.
fn has_sums_last(rows: &[SectionRow], file_bytes: usize) -> bool {
    let Some((last, others)) = rows.split_last() else {
        return false;
    };
    let sums = last.range();
    sums.end == file_bytes
        && sums.len() == chunks_before(sums.start) * size_of::<u64>()
        && others.iter().all(|row| row.range().end <= sums.start)
}

/// A row of the table, if it is the row of `section` and the section is within the file.
fn section_row(map: &[u8], at: usize, section: Section) -> Option<SectionRow> {
    let start = HEADER_BYTES + at * ROW_BYTES;
    let row = SectionRow {
        section,
        offset: u64_at(map, start + 8)?,
        length: u64_at(map, start + 16)?,
    };
    let end = row.offset.checked_add(row.length)?;
    let fits = u32_at(map, start)? == section as u32
        && row.offset.is_multiple_of(ALIGN as u64)
        && row.offset >= HEADER_END as u64
        && end <= map.len() as u64;
    fits.then_some(row)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}
