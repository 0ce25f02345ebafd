//! The one place that knows how phocus stores postings.

use anyhow::ensure;
use phocus::index::{Index, WINDOW};

/// A token's postings: formulas, ascending, each with its word.
pub(crate) fn postings(index: &Index, token: u32) -> anyhow::Result<Vec<(u32, u64)>> {
    ensure!(
        index.meta().word_bytes == 8,
        "peers compare words of 64 bits; {} has wider ones",
        index.path().display()
    );
    let mut all = Vec::new();
    for (window, ids, words) in index.postings::<u64>(token)?.windows() {
        let start = (window * WINDOW) as u32;
        all.extend(
            ids.iter()
                .zip(words)
                .map(|(id, word)| (start + u32::from(*id), *word)),
        );
    }
    Ok(all)
}
