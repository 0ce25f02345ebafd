//! Making the checksums of a damaged file right again, for tests and fuzzing.
//!
//! Checksums keep damage from the code that reads sections. A file whose checksums are right
//! and whose contents are not reaches that code, which must still not panic.

use std::ops::Range;

use super::chunks::{checksum, chunk, chunks_before};
use super::header::{HEADER_BYTES, HEADER_END, ROW_BYTES};
use super::sections::Section;

/// Where each section of an index file begins and ends, by its table; a section that does not
/// fit the file is empty.
#[doc(hidden)]
#[must_use]
pub fn section_ranges(bytes: &[u8]) -> Vec<Range<usize>> {
    let row = |at: usize| HEADER_BYTES + at * ROW_BYTES;
    let number = |at: usize| -> Option<usize> {
        let number = bytes.get(at..at + 8)?.try_into().ok()?;
        usize::try_from(u64::from_le_bytes(number)).ok()
    };
    let range = |at: usize| {
        let start = number(row(at) + 8)?;
        let end = start.checked_add(number(row(at) + 16)?)?;
        (end <= bytes.len()).then_some(start..end)
    };
    (0..Section::ALL.len())
        .map(|at| range(at).unwrap_or_default())
        .collect()
}

/// Makes the length of an index file and all of its checksums right. Bytes that are too few
/// for a header stay as they are. A table of checksums that does not fit the file stays as it
/// is, too, and the file is refused for it.
#[doc(hidden)]
pub fn reseal(bytes: &mut [u8]) {
    if bytes.len() < HEADER_END {
        return;
    }
    let length = bytes.len() as u64;
    bytes[16..24].copy_from_slice(&length.to_le_bytes());
    let sums = section_ranges(bytes).pop().unwrap_or_default();
    if sums.start >= HEADER_END && sums.len() == chunks_before(sums.start) * size_of::<u64>() {
        for number in 0..chunks_before(sums.start) {
            let sum = checksum(&bytes[chunk(number, sums.start)]);
            let at = sums.start + number * size_of::<u64>();
            bytes[at..at + size_of::<u64>()].copy_from_slice(&sum.to_le_bytes());
        }
    }
    let checksum_of_sums = checksum(&bytes[sums]);
    bytes[32..40].copy_from_slice(&checksum_of_sums.to_le_bytes());
    bytes[24..32].fill(0);
    let checksum = checksum(&bytes[..HEADER_END]);
    bytes[24..32].copy_from_slice(&checksum.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Record;
    use crate::index::{Index, IndexBuilder};
    use crate::phoc::PhocConfig;

    #[test]
    fn a_resealed_file_opens() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("formulas.phoc");
        let mut builder = IndexBuilder::new(PhocConfig::default());
        builder
            .add(Record::latex("1".parse().unwrap(), "a+b"))
            .unwrap();
        builder.finish(&path).unwrap();
        let sound = std::fs::read(&path).unwrap();
        let mut bytes = sound.clone();
        reseal(&mut bytes);
        assert_eq!(bytes, sound, "nothing was damaged");
        // The description backwards: its checksum alone keeps it from being read.
        let meta = section_ranges(&bytes)[0].clone();
        bytes[meta].reverse();
        std::fs::write(&path, &bytes).unwrap();
        let error = Index::open(&path).unwrap_err().to_string();
        assert!(error.contains("checksum"), "{error}");
        reseal(&mut bytes);
        std::fs::write(&path, &bytes).unwrap();
        let error = Index::open(&path).unwrap_err().to_string();
        assert!(error.contains("description does not read"), "{error}");
    }
}
