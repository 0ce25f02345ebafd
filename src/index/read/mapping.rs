//! The one place that maps a file, and knows whether it is still as it was mapped.

mod faults;

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;

use super::state::Stamp;
use faults::Guard;
pub use faults::survive_cut_files;

/// A file that is mapped for reading.
///
/// Whoever reads the map is bound by the SAFETY note below: a value of the file is checked before
/// it is used as a length, an offset or an index, each time that it is read. The kernels of
/// `search/kernel` mask the ids that they index with.
#[derive(Debug)]
pub(super) struct Mapping {
    // Fields are dropped in this order: the guard must not outlive the map.
    guard: Guard,
    map: Mmap,
    file: File,
    opened: Stamp,
}

impl Mapping {
    /// Maps the file at `path`.
    #[allow(unsafe_code)]
    pub(super) fn new(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let opened = Stamp::of(&file.metadata()?);
        // SAFETY: the map is read only. Were the file rewritten in place while it is mapped,
        // reads could change; were it cut, they would end the process or, after
        // `survive_cut_files`, give zeros. phocus itself only ever replaces an index by renaming
        // a whole new file over it, which leaves maps of the old one as they are. Every value
        // read from the map is checked before it is used as a length or an index, as said above.
        let map = unsafe { Mmap::map(&file)? };
        Ok(Mapping {
            guard: Guard::new(&map),
            map,
            file,
            opened,
        })
    }

    /// What the file was when it was mapped.
    pub(super) fn opened(&self) -> Stamp {
        self.opened
    }

    /// Whether the mapped file, wherever it is now, was written to since then.
    pub(super) fn is_changed(&self) -> bool {
        let now = self.file.metadata().map(|metadata| Stamp::of(&metadata));
        self.guard.has_faulted() || now.map_or(true, |now| !now.has_content_of(&self.opened))
    }
}

impl Deref for Mapping {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.map
    }
}

// SAFETY: the bytes belong to a `Sections` that the value shares and never changes: a map, or a
// vector that is not written to. Both stay where they are while the value is moved, and as long as
// it lives.
#[cfg(feature = "ask")]
#[allow(unsafe_code)]
unsafe impl stable_deref_trait::StableDeref for super::words::SectionBytes {}
