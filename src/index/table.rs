//! Reading the header of an index: its version, its length, its sections.

use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::HEADER_END;
use super::format::{
    ALIGN, FORMAT_VERSION, HEADER_BYTES, IndexError, MAGIC, ROW_BYTES, Row, Section,
};

/// The table of sections, checked.
pub(super) fn table(map: &[u8], path: &Path) -> Result<Vec<Row>, IndexError> {
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
    if Some(xxh3_64(&header)) != u64_at(map, 24) || number(12) as usize != Section::ALL.len() {
        return Err(damaged("its header does not match its checksum"));
    }
    let rows = Section::ALL.iter().enumerate().map(|(at, section)| {
        let start = HEADER_BYTES + at * ROW_BYTES;
        let row = Row {
            section: *section,
            offset: u64_at(map, start + 8)?,
            length: u64_at(map, start + 16)?,
            checksum: u64_at(map, start + 24)?,
        };
        let end = row.offset.checked_add(row.length)?;
        let fits = u32_at(map, start)? == *section as u32
            && row.offset.is_multiple_of(ALIGN as u64)
            && row.offset >= HEADER_END as u64
            && end <= map.len() as u64;
        fits.then_some(row)
    });
    rows.collect::<Option<Vec<Row>>>()
        .ok_or_else(|| damaged("its table of sections does not fit the file"))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}
