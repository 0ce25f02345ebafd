//! Stores of the entries, instances and layouts of formulas, written in blocks to temporary files.

use std::io;
use std::path::Path;

use tempfile::SpooledTempFile;

use super::facets::FacetColumns;
use super::spill::Merge;
use super::temporary::{TempWriter, rewound, temp_file};
use super::writer::IndexWriter;
use crate::index::format::{BlockWriter, GlyphRow, NormStep, Section};

/// A store that is being written.
pub(super) type StoreWriter = BlockWriter<TempWriter>;

/// A new store.
pub(super) fn store(scratch: &Path, is_compressed: bool) -> StoreWriter {
    BlockWriter::new(temp_file(scratch), is_compressed)
}

/// A store that was written to a temporary file.
pub(super) struct StoreFile {
    file: SpooledTempFile,
    offsets: Vec<u64>,
}

impl StoreFile {
    pub(super) fn new(store: StoreWriter) -> io::Result<Self> {
        let (out, offsets) = store.finish()?;
        let file = rewound(out)?;
        Ok(StoreFile { file, offsets })
    }

    pub(super) fn write(
        self,
        out: &mut IndexWriter,
        offsets: Section,
        blocks: Section,
    ) -> io::Result<()> {
        out.whole(offsets, bytemuck::cast_slice(&self.offsets))?;
        out.copy(blocks, self.file)
    }
}

/// Formulas in their order, all but their postings.
pub(super) struct MergedFormulas {
    pub(super) formulas: u64,
    pub(super) norms: Vec<NormStep>,
    /// The place of each formula's external id among all.
    pub(super) id_ranks: Vec<u32>,
    /// The number of formulas that have the same id as another formula before them.
    pub(super) same_ids: u64,
    pub(super) entries: StoreFile,
    pub(super) instances: StoreFile,
    /// Layouts, where they are kept.
    pub(super) layouts: Option<StoreFile>,
    pub(super) facets: FacetColumns,
    /// The glyphs of all layouts.
    pub(super) glyphs: Vec<GlyphRow>,
    /// The number of each formula by its text and its place there.
    pub(super) places: Option<Merge>,
}

impl MergedFormulas {
    pub(super) fn write(self, out: &mut IndexWriter) -> io::Result<()> {
        out.whole(Section::Norms, bytemuck::cast_slice(&self.norms))?;
        out.whole(Section::IdRanks, bytemuck::cast_slice(&self.id_ranks))?;
        self.entries
            .write(out, Section::EntryOffsets, Section::Entries)?;
        self.instances
            .write(out, Section::InstanceOffsets, Section::Instances)?;
        let FacetColumns {
            sets, of_formulas, ..
        } = &self.facets;
        out.whole(Section::FacetSets, bytemuck::cast_slice(sets))?;
        out.whole(Section::FormulaFacets, of_formulas)?;
        out.whole(Section::Glyphs, bytemuck::cast_slice(&self.glyphs))?;
        match self.layouts {
            Some(layouts) => layouts.write(out, Section::LayoutOffsets, Section::Layouts),
            None => {
                out.whole(Section::LayoutOffsets, &[])?;
                out.whole(Section::Layouts, &[])
            }
        }
    }
}
