//! What several fuzz targets use.

use std::path::{Path, PathBuf};

use phocus::index::FORMAT_VERSION;

/// The stored index of the present format, in the configuration `best`.
pub fn stored_index() -> PathBuf {
    let name = format!("../tests/golden/index/v{FORMAT_VERSION}-best.phoc");
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}
