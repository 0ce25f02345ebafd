//! The one place that maps a file.

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

/// Maps a file for reading.
///
/// Whoever reads the map is bound by the SAFETY note below: a value of the file is checked before
/// it is used as a length, an offset or an index. `checks.rs` does so for all tables when a file
/// is opened, [`Postings::is_sound`](super::Postings) for the postings of a token whenever
/// they are fetched, and the kernels of `search/kernel` mask the ids that they index with.
#[allow(unsafe_code)]
pub(super) fn map(path: &Path) -> io::Result<Mmap> {
    let file = File::open(path)?;
    // SAFETY: the map is read only. Were the file to be cut or rewritten in
    // place while it is mapped, reads could fault or change; phocus itself
    // only ever replaces an index by renaming a whole new file over it, which
    // leaves maps of the old one as they are. Every value read from the map is
    // checked before it is used as a length or an index, as said above.
    unsafe { Mmap::map(&file) }
}
