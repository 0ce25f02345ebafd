//! The one place that knows how phocus stores postings.

use anyhow::ensure;
use phocus::index::Index;

/// A token's postings: formulas, ascending, each with its word.
pub(crate) fn postings(index: &Index, token: u32) -> anyhow::Result<Vec<(u32, u64)>> {
    ensure!(
        index.meta().config.regions.bits() <= 64,
        "peers compare words of 64 bits; {} has wider ones",
        index.path().display()
    );
    let mut all = Vec::new();
    index.each_posting(token, &mut |formula, word| {
        all.push((formula as u32, word as u64));
    })?;
    Ok(all)
}
