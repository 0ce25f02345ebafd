//! Columns of numbers as files: little-endian, nothing else, so that numpy
//! and Java read them in one call.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context;

/// Formulas of the postings; u32.
pub(crate) const FORMULA: &str = "formula.u32";
/// Their tokens, ascending; u32.
pub(crate) const TOKEN: &str = "token.u32";
/// Their words; u64.
pub(crate) const WORD: &str = "word.u64";
/// Each formula's norm; u32.
pub(crate) const NORM: &str = "norm.u32";
/// Each formula's place by external id; u32.
pub(crate) const ID_RANK: &str = "id_rank.u32";

/// A column that is being written.
pub(crate) struct Column(BufWriter<fs::File>);

impl Column {
    pub(crate) fn create(folder: &Path, name: &str) -> anyhow::Result<Self> {
        let path = folder.join(name);
        let file = fs::File::create(&path);
        let file = file.with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Column(BufWriter::with_capacity(1 << 20, file)))
    }

    pub(crate) fn push<const BYTES: usize>(&mut self, number: [u8; BYTES]) -> anyhow::Result<()> {
        Ok(self.0.write_all(&number)?)
    }

    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        Ok(self.0.flush()?)
    }
}

/// A column of u32.
pub(crate) fn read_u32(folder: &Path, name: &str) -> anyhow::Result<Vec<u32>> {
    let bytes = read(folder, name)?;
    let (numbers, _) = bytes.as_chunks();
    Ok(numbers.iter().map(|n| u32::from_le_bytes(*n)).collect())
}

/// A column of u64.
pub(crate) fn read_u64(folder: &Path, name: &str) -> anyhow::Result<Vec<u64>> {
    let bytes = read(folder, name)?;
    let (numbers, _) = bytes.as_chunks();
    Ok(numbers.iter().map(|n| u64::from_le_bytes(*n)).collect())
}

fn read(folder: &Path, name: &str) -> anyhow::Result<Vec<u8>> {
    let path = folder.join(name);
    fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
}
