//! The sections of a file.

use std::ops::Range;

/// Sections begin at multiples of this.
pub(super) const ALIGN: usize = 64;

/// The kinds of section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub(in crate::index) enum Section {
    /// [`Meta`] as JSON.
    Meta = 1,
    /// Where each token's key begins: u32, one more than tokens.
    KeyOffsets = 2,
    /// The keys of tokens, in order, as [`keys`](super::keys) encodes them.
    Keys = 3,
    /// Where each token's postings begin: u64, one more than tokens.
    PostingStarts = 4,
    /// Where each token's runs begin: u32, one more than tokens.
    RunStarts = 5,
    /// For each window in which a token has postings, a [`WindowRun`](super::WindowRun).
    Runs = 6,
    /// Formulas within their windows, where they are few: u16.
    Ids = 7,
    /// Formulas within their windows, where they are many: a bit each.
    Bits = 8,
    /// How many bits are set before each 64: u16.
    Ranks = 9,
    /// The payloads of postings of positional kinds: codes of words, u32, or words, u64 or
    /// u128.
    Payloads = 10,
    /// The patterns of the codebook, field by field: u64.
    Patterns = 11,
    /// Each norm, and the first formula that has it: [`NormStep`](super::NormStep).
    Norms = 12,
    /// The place of each formula's external id among all: u32.
    IdRanks = 13,
    /// Where each block of entries begins: u64, one more than blocks.
    EntryOffsets = 14,
    /// Compressed entries.
    Entries = 15,
    /// Where each block of instances begins: u64, one more than blocks.
    InstanceOffsets = 16,
    /// Compressed instances.
    Instances = 17,
    /// Where each block of layouts begins: u64, one more than blocks.
    LayoutOffsets = 18,
    /// Layouts, where results are re-ranked.
    Layouts = 19,
    /// How many formulas hold each token in each region, where IDF is by
    /// region: u32.
    RegionCounts = 20,
    /// The symbols of a size that layouts are made of: [`GlyphRow`](super::GlyphRow).
    Glyphs = 21,
    /// The sets of pairs of type and source that formulas have: u32, see `docs/index-format.md`.
    FacetSets = 22,
    /// The set of each formula: u8, or u16 where there are more than 256 sets.
    FormulaFacets = 23,
    /// Where each block of texts begins: u64, one more than blocks.
    TextOffsets = 24,
    /// Compressed texts.
    Texts = 25,
    /// What is counted of each text: [`TextRow`](super::TextRow).
    TextRows = 26,
    /// Where the texts of each formula begin: u64, one more than formulas.
    OccurrenceStarts = 27,
    /// For each formula the texts that hold it, and how often.
    Occurrences = 28,
    /// The files of tantivy's index of words, one after another.
    Words = 29,
    /// The checksum of each chunk of all that is before this section, the last: u64.
    Sums = 30,
}

impl Section {
    /// All, in the order of the table.
    pub(in crate::index) const ALL: [Section; 30] = [
        Section::Meta,
        Section::KeyOffsets,
        Section::Keys,
        Section::PostingStarts,
        Section::RunStarts,
        Section::Runs,
        Section::Ids,
        Section::Bits,
        Section::Ranks,
        Section::Payloads,
        Section::Patterns,
        Section::Norms,
        Section::IdRanks,
        Section::EntryOffsets,
        Section::Entries,
        Section::InstanceOffsets,
        Section::Instances,
        Section::LayoutOffsets,
        Section::Layouts,
        Section::RegionCounts,
        Section::Glyphs,
        Section::FacetSets,
        Section::FormulaFacets,
        Section::TextOffsets,
        Section::Texts,
        Section::TextRows,
        Section::OccurrenceStarts,
        Section::Occurrences,
        Section::Words,
        Section::Sums,
    ];

    /// The sections that a search does not read: LaTeX, instances, layouts and texts.
    pub(in crate::index) const STORE: [Section; 13] = [
        Section::EntryOffsets,
        Section::Entries,
        Section::InstanceOffsets,
        Section::Instances,
        Section::LayoutOffsets,
        Section::Layouts,
        Section::Glyphs,
        Section::TextOffsets,
        Section::Texts,
        Section::TextRows,
        Section::OccurrenceStarts,
        Section::Occurrences,
        Section::Words,
    ];

    /// Whether it is small enough to be checked whenever the file is opened.
    pub(in crate::index) fn is_checked_on_opening(self) -> bool {
        matches!(
            self,
            Section::Meta
                | Section::KeyOffsets
                | Section::Keys
                | Section::PostingStarts
                | Section::RunStarts
                | Section::Patterns
                | Section::Norms
                | Section::Glyphs
                | Section::FacetSets
        )
    }
}

/// Where a section is: a row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::index) struct SectionRow {
    pub(in crate::index) section: Section,
    pub(in crate::index) offset: u64,
    pub(in crate::index) length: u64,
}

impl SectionRow {
    /// Its bytes of the file.
    pub(in crate::index) fn range(&self) -> Range<usize> {
        self.offset as usize..(self.offset + self.length) as usize
    }
}

/// The next multiple of [`ALIGN`].
pub(in crate::index) fn aligned(offset: u64) -> u64 {
    offset.next_multiple_of(ALIGN as u64)
}
