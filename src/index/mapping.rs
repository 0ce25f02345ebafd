//! The one place that maps a file.

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

/// Maps a file for reading.
#[allow(unsafe_code)]
pub(super) fn map(path: &Path) -> io::Result<Mmap> {
    let file = File::open(path)?;
    // SAFETY: the map is read only. Were the file to be cut or rewritten in
    // place while it is mapped, reads could fault or change; phocus itself
    // only ever replaces an index by renaming a whole new file over it, which
    // leaves maps of the old one as they are. Every value read from the map is
    // checked before it is used as a length or an index.
    unsafe { Mmap::map(&file) }
}
