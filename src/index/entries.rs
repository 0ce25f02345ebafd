//! What an index shows of its formulas.

use super::format::{IndexError, Section};
use super::reader::Index;
use super::store::{BLOCK, Blocks, Entry, Unpacker, record_in};
use crate::corpus::Instance;
use crate::layout::Layout;

impl Index {
    /// What is shown of a formula.
    ///
    /// # Errors
    /// When the store is damaged there.
    pub fn entry(&self, formula: usize) -> Result<Entry, IndexError> {
        let mut entries = self.entries(&[formula])?;
        entries.pop().ok_or_else(|| self.unreadable(formula))
    }

    /// What is shown of some formulas, in their order; each block is unpacked once.
    ///
    /// # Errors
    /// When the store is damaged there.
    pub fn entries(&self, formulas: &[usize]) -> Result<Vec<Entry>, IndexError> {
        let mut order: Vec<usize> = (0..formulas.len()).collect();
        order.sort_unstable_by_key(|at| formulas[*at]);
        let mut entries = vec![Entry::default(); formulas.len()];
        for same in order.chunk_by(|a, b| formulas[*a] / BLOCK == formulas[*b] / BLOCK) {
            let block = self.entry_blocks().block(formulas[same[0]] / BLOCK);
            for at in same {
                let formula = formulas[*at];
                entries[*at] = block
                    .as_deref()
                    .and_then(|block| Unpacker(record_in(block, formula % BLOCK)?).entry())
                    .ok_or_else(|| self.unreadable(formula))?;
            }
        }
        Ok(entries)
    }

    /// How a formula is laid out, to 1/256 of a unit, its corner at the origin.
    ///
    /// # Errors
    /// When the store is damaged there.
    pub fn layout(&self, formula: usize) -> Result<Layout, IndexError> {
        let block = self.layout_blocks().block(formula / BLOCK);
        block
            .and_then(|block| Unpacker(record_in(&block, formula % BLOCK)?).layout())
            .ok_or_else(|| self.unreadable(formula))
    }

    /// All occurrences of a formula.
    ///
    /// # Errors
    /// When the store is damaged there.
    pub fn instances(&self, formula: usize) -> Result<Vec<Instance>, IndexError> {
        let block = self.instance_blocks().block(formula / BLOCK);
        block
            .and_then(|block| unpack_instances(record_in(&block, formula % BLOCK)?))
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
                    let entry = Unpacker(record_in(entries.as_deref()?, at)?).entry()?;
                    let instances = unpack_instances(record_in(instances.as_deref()?, at)?)?;
                    Some((entry, instances))
                };
                read().ok_or_else(|| self.unreadable(number * BLOCK + at))
            })
        })
    }

    fn unreadable(&self, formula: usize) -> IndexError {
        self.damaged(format!("formula {formula} does not read"))
    }

    /// Whether every layout reads.
    pub(super) fn verify_layouts(&self) -> Result<(), IndexError> {
        for number in 0..self.formulas().div_ceil(BLOCK) {
            let block = self.layout_blocks().block(number).unwrap_or_default();
            for formula in number * BLOCK..self.formulas().min((number + 1) * BLOCK) {
                record_in(&block, formula % BLOCK)
                    .and_then(|record| Unpacker(record).layout())
                    .ok_or_else(|| self.unreadable(formula))?;
            }
        }
        Ok(())
    }

    fn layout_blocks(&self) -> Blocks<'_> {
        Blocks {
            offsets: self.column(Section::LayoutOffsets),
            bytes: self.bytes(Section::Layouts),
        }
    }

    fn entry_blocks(&self) -> Blocks<'_> {
        Blocks {
            offsets: self.column(Section::EntryOffsets),
            bytes: self.bytes(Section::Entries),
        }
    }

    fn instance_blocks(&self) -> Blocks<'_> {
        Blocks {
            offsets: self.column(Section::InstanceOffsets),
            bytes: self.bytes(Section::Instances),
        }
    }
}

fn unpack_instances(bytes: &[u8]) -> Option<Vec<Instance>> {
    let mut unpacker = Unpacker(bytes);
    let mut instances = Vec::new();
    while !unpacker.0.is_empty() {
        instances.push(unpacker.instance()?);
    }
    Some(instances)
}
