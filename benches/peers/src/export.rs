//! An index and topics as columns and queries that any engine can read.

use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};
use phocus::index::Index;
use phocus::layout::Layout;
use phocus::search::internals::Query;

use crate::columns::{Column, FORMULA, ID_RANK, NORM, TOKEN, WORD};
use crate::postings::postings;
use crate::query::{FILE, MODES, PeerQuery, min_match, read_layouts};

/// Writes everything the peers need to `folder`.
pub(crate) fn export(index: &Path, folder: &Path, topics: &[&str]) -> anyhow::Result<()> {
    let index = Index::open(index)?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    export_postings(&index, folder)?;
    export_formulas(&index, folder)?;
    let mut lines = String::new();
    for (topic, layout) in read_layouts(topics)? {
        let query = query(topic, &layout, &index)?;
        check_order_is_exact(&query, &index)?;
        lines.push_str(&query.to_line());
        lines.push('\n');
    }
    fs::write(folder.join(FILE), lines).context("cannot write the queries")
}

fn export_postings(index: &Index, folder: &Path) -> anyhow::Result<()> {
    let mut formulas = Column::create(folder, FORMULA)?;
    let mut tokens = Column::create(folder, TOKEN)?;
    let mut words = Column::create(folder, WORD)?;
    for token in 0..index.meta().tokens as u32 {
        for (formula, word) in postings(index, token)? {
            formulas.push(formula.to_le_bytes())?;
            tokens.push(token.to_le_bytes())?;
            words.push(word.to_le_bytes())?;
        }
    }
    formulas.finish()?;
    tokens.finish()?;
    words.finish()
}

fn export_formulas(index: &Index, folder: &Path) -> anyhow::Result<()> {
    let mut norms = Column::create(folder, NORM)?;
    for (norm, formulas) in index.norms() {
        for _ in formulas {
            norms.push(norm.to_le_bytes())?;
        }
    }
    norms.finish()?;
    let mut ranks = Column::create(folder, ID_RANK)?;
    for rank in index.id_ranks()? {
        ranks.push(rank.to_le_bytes())?;
    }
    ranks.finish()
}

fn query(topic: String, layout: &Layout, index: &Index) -> anyhow::Result<PeerQuery> {
    let mut least = [0; 3];
    let mut tokens = Vec::new();
    for (least, mode) in least.iter_mut().zip(MODES) {
        let query = Query::new(layout, index, min_match(mode)?, false);
        *least = query.min_tokens;
        ensure!(
            query.known().all(|(_, token)| token.weight == 1 && token.planes.len() == 1),
            "peers compare unweighted scores; topic {topic} has weights"
        );
        let known = query.known();
        tokens = known.map(|(token, query)| (token, query.word as u64)).collect();
    }
    Ok(PeerQuery {
        topic,
        least,
        tokens,
    })
}

/// The peers order formulas by sum² / norm as a double. Division rounds
/// correctly, so equal fractions are equal there; others, a/b and c/d, are apart by at
/// least 1 part in a·d, which a double tells while that is below 2^52.
fn check_order_is_exact(query: &PeerQuery, index: &Index) -> anyhow::Result<()> {
    let bits = query.tokens.iter().map(|(_, word)| word.count_ones());
    let most = u128::from(bits.sum::<u32>());
    let norm = index.norms().map(|(norm, _)| u128::from(norm)).max();
    ensure!(
        most * most * norm.unwrap_or(1) < 1 << 52,
        "topic {} is too long for scores to be compared as doubles",
        query.topic
    );
    Ok(())
}
