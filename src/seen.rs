//! The file beside an index that has what was read for it, so that the next build reads only what
//! has changed. Whoever loses it loses time alone.
//!
//! It holds the records of documents and the layouts of formulas, each packed. A file that another
//! program wrote, or that is damaged, is as good as none.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::UNIX_EPOCH;

use xxhash_rust::xxh3::xxh3_64;

use crate::atomic_file;

/// How the file begins.
pub(crate) const MAGIC: &[u8] = b"phocus seen\r\n";
const VERSION: u64 = 1;
const LEVEL: i32 = 1;

/// The parts of the file.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Part {
    /// The records of documents.
    Documents,
    /// The layouts of formulas.
    Layouts,
}

/// A part of the file, if the file is there and was written by this very program.
pub(crate) fn read(path: &Path, part: Part) -> Option<Vec<u8>> {
    let bytes = fs::read(path).ok()?;
    let mut rest = bytes.strip_prefix(MAGIC)?;
    let mut number = || {
        let (bytes, after) = rest.split_first_chunk::<8>()?;
        rest = after;
        Some(u64::from_le_bytes(*bytes))
    };
    let (program, sum, length) = (number()?, number()?, number()?);
    if program != this_program() || sum != xxh3_64(rest) {
        return None;
    }
    let (documents, layouts) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    zstd::decode_all(match part {
        Part::Documents => documents,
        Part::Layouts => layouts,
    })
    .ok()
}

/// Writes the file, whole or not at all.
pub(crate) fn write(path: &Path, documents: &[u8], layouts: &[u8]) -> io::Result<()> {
    let documents = zstd::encode_all(documents, LEVEL)?;
    let layouts = zstd::encode_all(layouts, LEVEL)?;
    let packed = [documents.as_slice(), &layouts].concat();
    let mut file = atomic_file::temporary_beside(path)?;
    file.write_all(MAGIC)?;
    for number in [this_program(), xxh3_64(&packed), documents.len() as u64] {
        file.write_all(&number.to_le_bytes())?;
    }
    file.write_all(&packed)?;
    atomic_file::name_finished(file, path)
}

/// What tells this program from another, which may read and lay out otherwise.
fn this_program() -> u64 {
    let program = std::env::current_exe().and_then(fs::metadata);
    let built = program.and_then(|found| Ok((found.len(), found.modified()?)));
    let built = built.map_or((0, 0), |(length, time)| {
        let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        (length, since.as_nanos() as u64)
    });
    xxh3_64(format!("{VERSION} {} {built:?}", env!("CARGO_PKG_VERSION")).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_back_and_damage_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.seen");
        assert_eq!(read(&path, Part::Documents), None);
        write(&path, b"documents", b"layouts").unwrap();
        assert_eq!(read(&path, Part::Documents).unwrap(), b"documents");
        assert_eq!(read(&path, Part::Layouts).unwrap(), b"layouts");
        let sound = fs::read(&path).unwrap();
        for at in 0..sound.len() {
            let mut bytes = sound.clone();
            bytes[at] ^= 1;
            fs::write(&path, &bytes).unwrap();
            assert_eq!(read(&path, Part::Documents), None, "{at}");
            fs::write(&path, &sound[..at]).unwrap();
            assert_eq!(read(&path, Part::Layouts), None, "{at}");
        }
    }
}
