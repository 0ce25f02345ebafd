//! The entries of formulas: ids, LaTeX and occurrences.

use super::open::Index;
use crate::corpus::Instance;
use crate::index::format::{BLOCK, Blocks, Entry, IndexError, Section, VarintReader, record_in};

impl Index {
    /// The entry of a formula.
    ///
    /// # Errors
    /// When the store is damaged there.
    pub fn entry(&self, formula: usize) -> Result<Entry, IndexError> {
        let mut entries = self.entries(&[formula])?;
        entries.pop().ok_or_else(|| self.unreadable(formula))
    }

    /// The entries of some formulas, in their order; each block is decompressed once.
    ///
    /// # Errors
    /// When the store is damaged there.
    pub fn entries(&self, formulas: &[usize]) -> Result<Vec<Entry>, IndexError> {
        let mut order: Vec<usize> = (0..formulas.len()).collect();
        order.sort_unstable_by_key(|at| formulas[*at]);
        let mut entries = vec![None; formulas.len()];
        for same in order.chunk_by(|a, b| formulas[*a] / BLOCK == formulas[*b] / BLOCK) {
            let block = self.entry_blocks().block(formulas[same[0]] / BLOCK);
            for at in same {
                let formula = formulas[*at];
                entries[*at] = block
                    .as_deref()
                    .and_then(|block| VarintReader(record_in(block, formula % BLOCK)?).entry());
            }
        }
        let read = entries.into_iter().zip(formulas);
        read.map(|(entry, formula)| entry.ok_or_else(|| self.unreadable(*formula)))
            .collect()
    }

    /// All occurrences of a formula.
    ///
    /// # Errors
    /// When the store is damaged there.
    pub fn instances(&self, formula: usize) -> Result<Vec<Instance>, IndexError> {
        let block = self.instance_blocks().block(formula / BLOCK);
        block
            .and_then(|block| read_instances(record_in(&block, formula % BLOCK)?))
            .ok_or_else(|| self.unreadable(formula))
    }

    /// All formulas in order, each with its occurrences.
    pub fn all_instances(
        &self,
    ) -> impl Iterator<Item = Result<(Entry, Vec<Instance>), IndexError>> {
        let blocks = self.formulas().div_ceil(BLOCK);
        (0..blocks).flat_map(move |number| {
            let entries = self.entry_blocks().block(number);
            let instances = self.instance_blocks().block(number);
            let count = BLOCK.min(self.formulas() - number * BLOCK);
            (0..count).map(move |at| {
                let read = || {
                    let entry = VarintReader(record_in(entries.as_deref()?, at)?).entry()?;
                    let instances = read_instances(record_in(instances.as_deref()?, at)?)?;
                    Some((entry, instances))
                };
                read().ok_or_else(|| self.unreadable(number * BLOCK + at))
            })
        })
    }

    pub(super) fn unreadable(&self, formula: usize) -> IndexError {
        self.damaged(format!("formula {formula} does not read"))
    }

    fn entry_blocks(&self) -> Blocks<'_> {
        Blocks {
            offsets: self.sections.column(Section::EntryOffsets),
            bytes: self.sections.bytes(Section::Entries),
        }
    }

    fn instance_blocks(&self) -> Blocks<'_> {
        Blocks {
            offsets: self.sections.column(Section::InstanceOffsets),
            bytes: self.sections.bytes(Section::Instances),
        }
    }
}

fn read_instances(bytes: &[u8]) -> Option<Vec<Instance>> {
    let mut reader = VarintReader(bytes);
    let mut instances = Vec::new();
    while !reader.0.is_empty() {
        instances.push(reader.instance()?);
    }
    Some(instances)
}
