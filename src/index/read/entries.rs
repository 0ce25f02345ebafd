//! The entries of formulas: ids, LaTeX and occurrences.

use super::blocks::Blocks;
use super::open::Index;
use crate::corpus::Instance;
use crate::index::format::{BLOCK, Entry, IndexError, Section, VarintReader, record_in};

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
        self.sound(self.read_entries(formulas))
    }

    fn read_entries(&self, formulas: &[usize]) -> Result<Vec<Entry>, IndexError> {
        let mut order: Vec<usize> = (0..formulas.len()).collect();
        order.sort_unstable_by_key(|at| formulas[*at]);
        let mut entries = vec![None; formulas.len()];
        for same in order.chunk_by(|a, b| formulas[*a] / BLOCK == formulas[*b] / BLOCK) {
            let block = self.entry_blocks().block(formulas[same[0]] / BLOCK);
            for at in same {
                let formula = formulas[*at];
                entries[*at] = block
                    .as_deref()
                    .and_then(|block| self.read_entry(record_in(block, formula % BLOCK)?));
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
        let first = self.entry(formula)?.first;
        self.instances_of(formula, first)
    }

    /// All occurrences of a formula of which the first is known.
    pub(crate) fn instances_of(
        &self,
        formula: usize,
        first: Instance,
    ) -> Result<Vec<Instance>, IndexError> {
        let block = self.instance_blocks().block(formula / BLOCK);
        let read = block
            .and_then(|block| self.read_instances(first, record_in(&block, formula % BLOCK)?))
            .ok_or_else(|| self.unreadable(formula));
        self.sound(read)
    }

    /// All formulas in order, each with its occurrences.
    pub fn all_instances(
        &self,
    ) -> impl Iterator<Item = Result<(Entry, Vec<Instance>), IndexError>> {
        (0..self.store_blocks()).flat_map(|number| self.block_instances(number))
    }

    /// How many blocks of formulas the store has.
    pub(crate) fn store_blocks(&self) -> usize {
        self.formulas().div_ceil(BLOCK)
    }

    /// The formulas of a block in order, each with its occurrences.
    pub(crate) fn block_instances(
        &self,
        number: usize,
    ) -> impl Iterator<Item = Result<(Entry, Vec<Instance>), IndexError>> {
        let entries = self.entry_blocks().block(number);
        let instances = self.instance_blocks().block(number);
        let count = BLOCK.min(self.formulas() - number * BLOCK);
        (0..count).map(move |at| {
            let read = || {
                let entry = self.read_entry(record_in(entries.as_deref()?, at)?)?;
                let further = record_in(instances.as_deref()?, at)?;
                let instances = self.read_instances(entry.first.clone(), further)?;
                Some((entry, instances))
            };
            read().ok_or_else(|| self.unreadable(number * BLOCK + at))
        })
    }

    pub(super) fn unreadable(&self, formula: usize) -> IndexError {
        self.damaged(format!("formula {formula} does not read"))
    }

    fn read_entry(&self, record: &[u8]) -> Option<Entry> {
        let mut entry = VarintReader(record).entry(&self.meta().fields)?;
        entry.first.url = entry.first.address(self.link());
        Some(entry)
    }

    /// The first occurrence, which the entry has, and the further ones.
    fn read_instances(&self, first: Instance, further: &[u8]) -> Option<Vec<Instance>> {
        let mut reader = VarintReader(further);
        let mut instances = vec![first];
        while !reader.0.is_empty() {
            let mut instance = reader.instance(&self.meta().fields)?;
            instance.url = instance.address(self.link());
            instances.push(instance);
        }
        Some(instances)
    }

    fn entry_blocks(&self) -> Blocks<'_> {
        Blocks {
            offsets: self.sections.column(Section::EntryOffsets),
            bytes: self.sections.column(Section::Entries),
        }
    }

    fn instance_blocks(&self) -> Blocks<'_> {
        Blocks {
            offsets: self.sections.column(Section::InstanceOffsets),
            bytes: self.sections.column(Section::Instances),
        }
    }
}
