//! Building an index of files in one call.

use std::path::Path;
use std::sync::atomic::Ordering;

use super::{Dedup, IndexBuilder, Reject, Summary};
use crate::atomic_file;
use crate::corpus::Inputs;
use crate::index::format::IndexError;
use crate::phoc::PhocConfig;
use crate::progress::Progress;

/// How to build.
#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct BuildOptions {
    /// How formulas become words.
    pub config: PhocConfig,
    /// Which records are one formula.
    pub dedup: Dedup,
    /// About how many bytes of memory to use.
    pub memory: usize,
    /// How many threads lay formulas out; 0 is one a core.
    pub threads: usize,
}

impl Default for BuildOptions {
    fn default() -> Self {
        BuildOptions {
            config: PhocConfig::default(),
            dedup: Dedup::default(),
            memory: 1 << 30,
            threads: 0,
        }
    }
}

/// Builds an index of all `inputs` at `path`, as [`IndexBuilder`] does.
///
/// # Errors
/// As those of [`IndexBuilder::add_all`] and [`IndexBuilder::finish`].
#[doc(hidden)]
pub fn build(
    inputs: Inputs,
    path: &Path,
    options: &BuildOptions,
    progress: &Progress,
    on_reject: &mut (dyn FnMut(&Reject) + Send),
) -> Result<Summary, IndexError> {
    if progress.stop.load(Ordering::Relaxed) {
        return Err(IndexError::Interrupted);
    }
    let mut builder = IndexBuilder::new(options.config.clone())
        .dedup(options.dedup)
        .memory(options.memory)
        .threads(options.threads)
        .scratch(atomic_file::folder_of(path))
        .on_reject(on_reject);
    builder.add_all(inputs)?;
    builder.finish(path)
}
