//! The index: one document a formula, one segment.

use std::fs;
use std::path::Path;

use anyhow::Context;
use tantivy::schema::{FAST, Field, INDEXED, Schema};
use tantivy::{Index, SingleSegmentIndexWriter, TantivyDocument};

use super::list::{TOKENS, word_field};
use crate::columns::{FORMULA, NORM, TOKEN, WORD, read_u32, read_u64};

/// Builds `path` from the columns in `folder`.
pub(super) fn build(folder: &Path, path: &Path) -> anyhow::Result<()> {
    let formulas = read_u32(folder, NORM)?.len();
    let postings = ByFormula::new(folder, formulas)?;
    fs::create_dir_all(path).with_context(|| format!("cannot make {}", path.display()))?;
    let mut schema = Schema::builder();
    let tokens = schema.add_u64_field(TOKENS, INDEXED);
    let words: Vec<Field> = (0..postings.tokens)
        .map(|token| schema.add_u64_field(&word_field(token), FAST))
        .collect();
    let mut writer: SingleSegmentIndexWriter = Index::builder()
        .schema(schema.build())
        .single_segment_index_writer(tantivy::directory::MmapDirectory::open(path)?, 1 << 30)?;
    for formula in 0..formulas {
        let mut document = TantivyDocument::default();
        for (token, word) in postings.of(formula) {
            document.add_u64(tokens, u64::from(token));
            document.add_u64(words[token as usize], word);
        }
        writer.add_document(document)?;
    }
    writer.finalize()?;
    Ok(())
}

/// The postings turned round: tokens and words of each formula.
struct ByFormula {
    tokens: u32,
    starts: Vec<usize>,
    postings: Vec<(u32, u64)>,
}

impl ByFormula {
    fn new(folder: &Path, formulas: usize) -> anyhow::Result<Self> {
        let formula = read_u32(folder, FORMULA)?;
        let token = read_u32(folder, TOKEN)?;
        let word = read_u64(folder, WORD)?;
        let mut starts = vec![0; formulas + 1];
        for formula in &formula {
            starts[*formula as usize + 1] += 1;
        }
        for at in 0..formulas {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut postings = vec![(0, 0); formula.len()];
        for (formula, posting) in formula.iter().zip(token.iter().copied().zip(word)) {
            let place = &mut next[*formula as usize];
            postings[*place] = posting;
            *place += 1;
        }
        Ok(ByFormula {
            tokens: token.last().map_or(0, |last| last + 1),
            starts,
            postings,
        })
    }

    fn of(&self, formula: usize) -> impl Iterator<Item = (u32, u64)> {
        let range = self.starts[formula]..self.starts[formula + 1];
        self.postings[range].iter().copied()
    }
}
