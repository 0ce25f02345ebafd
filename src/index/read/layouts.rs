//! The layouts of formulas.

use super::blocks::Blocks;
use super::open::Index;
use crate::index::format::{BLOCK, IndexError, Section, VarintReader, read_layout, record_in};
use crate::layout::{self, Layout};

impl Index {
    /// The layout of a formula, its corner at the origin: the stored one, in steps of 1/64 em, or
    /// else a new one from its LaTeX.
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
            path: self.path().to_path_buf(),
            id: entry.id,
            source,
        })
    }

    fn kept_layout(&self, formula: usize) -> Option<Layout> {
        let blocks = Blocks {
            offsets: self.sections.column(Section::LayoutOffsets),
            bytes: self.sections.column(Section::Layouts),
        };
        let record = record_in(blocks.stored(formula / BLOCK)?, formula % BLOCK)?;
        read_layout(VarintReader(record), self.sections.small(Section::Glyphs))
    }

    /// Whether every stored layout can be read.
    pub(super) fn verify_layouts(&self) -> Result<(), IndexError> {
        let kept = (0..self.formulas()).filter(|_| self.meta().keeps_layouts());
        for formula in kept {
            self.layout(formula)?;
        }
        Ok(())
    }
}
