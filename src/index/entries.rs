//! What an index shows of its formulas.

use super::arrange::id_key;
use super::format::{IndexError, Section};
use super::glyphs;
use super::reader::Index;
use super::store::{BLOCK, Blocks, Entry, Unpacker, record_in};
use crate::corpus::Instance;
use crate::layout::{self, Layout};

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
        let mut entries = vec![None; formulas.len()];
        for same in order.chunk_by(|a, b| formulas[*a] / BLOCK == formulas[*b] / BLOCK) {
            let block = self.entry_blocks().block(formulas[same[0]] / BLOCK);
            for at in same {
                let formula = formulas[*at];
                entries[*at] = block
                    .as_deref()
                    .and_then(|block| Unpacker(record_in(block, formula % BLOCK)?).entry());
            }
        }
        let read = entries.into_iter().zip(formulas);
        read.map(|(entry, formula)| entry.ok_or_else(|| self.unreadable(*formula)))
            .collect()
    }

    /// The formulas in the order of their external ids, to look ids up with.
    pub fn by_id(&self) -> Vec<u32> {
        let mut by_id = vec![0; self.formulas()];
        for (formula, rank) in self.id_ranks().iter().enumerate() {
            if let Some(place) = by_id.get_mut(*rank as usize) {
                *place = formula as u32;
            }
        }
        by_id
    }

    /// The formula of an external id, in [`by_id`](Self::by_id).
    ///
    /// # Errors
    /// When the store is damaged where it is looked at.
    pub fn formula_of(&self, id: &str, by_id: &[u32]) -> Result<Option<usize>, IndexError> {
        let wanted = id_key(id);
        let (mut low, mut high) = (0, by_id.len());
        while low < high {
            let middle = low.midpoint(high);
            let formula = by_id[middle] as usize;
            let found = self.entry(formula)?.id;
            match id_key(found.as_str()).cmp(&wanted) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                // 7 and 07 sort as one.
                std::cmp::Ordering::Equal if found == *id => return Ok(Some(formula)),
                std::cmp::Ordering::Equal => return Ok(None),
            }
        }
        Ok(None)
    }

    /// How a formula is laid out, its corner at the origin: as it is kept, to
    /// 1/64 of a unit, or else anew from its LaTeX.
    ///
    /// # Errors
    /// When the store is damaged there, or there is no LaTeX to lay out.
    pub fn layout(&self, formula: usize) -> Result<Layout, IndexError> {
        if self.meta().keeps_layouts() {
            let kept = self.kept_layout(formula);
            return kept.ok_or_else(|| self.unreadable(formula));
        }
        let entry = self.entry(formula)?;
        layout::latex(&entry.latex).map_err(|source| IndexError::NoLayout {
            path: self.path.clone(),
            id: entry.id,
            source,
        })
    }

    fn kept_layout(&self, formula: usize) -> Option<Layout> {
        let blocks = Blocks {
            offsets: self.column(Section::LayoutOffsets),
            bytes: self.bytes(Section::Layouts),
        };
        let record = record_in(blocks.stored(formula / BLOCK)?, formula % BLOCK)?;
        glyphs::unpack(Unpacker(record), self.column(Section::Glyphs))
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

    /// Whether every layout that is kept reads.
    pub(super) fn verify_layouts(&self) -> Result<(), IndexError> {
        let kept = (0..self.formulas()).filter(|_| self.meta().keeps_layouts());
        for formula in kept {
            self.layout(formula)?;
        }
        Ok(())
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
