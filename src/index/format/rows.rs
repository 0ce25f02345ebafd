//! Rows of the sections that are tables, as they are in the file.

use bytemuck::{Pod, Zeroable};

/// A token's postings in a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct WindowRun {
    /// The window.
    pub(crate) window: u32,
    /// The first of its postings, counted from the token's first.
    pub(crate) first_posting: u32,
    /// The place of its first id among all ids, or of its bitmap among all bitmaps.
    pub(crate) place: u32,
}

/// A norm and the formulas that have it: up to the next step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct NormStep {
    /// The norm.
    pub(crate) norm: u32,
    /// The first formula that has it.
    pub(crate) first_formula: u32,
}

/// A symbol of a size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct GlyphRow {
    /// The lower half of 64 bits that say which symbol it is.
    pub(crate) id_low: u32,
    /// The upper half.
    pub(crate) id_high: u32,
    /// Its width in steps; the highest bit marks a shape.
    pub(crate) width: u32,
    /// Its height in steps; the highest bit marks a text.
    pub(crate) height: u32,
}

/// What is counted of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct TextRow {
    /// How many words it has, those of its question included; 0 where it is no result by itself.
    pub(crate) words: u32,
    /// How many formulas it has, counted likewise.
    pub(crate) formulas: u32,
    /// The text of its question, or [`NO_TEXT`](Self::NO_TEXT).
    pub(crate) question: u32,
    /// Bits: [`IS_RESULT`](Self::IS_RESULT), [`IS_ANSWER`](Self::IS_ANSWER).
    pub(crate) flags: u32,
}

impl TextRow {
    /// Stands for no text.
    pub(crate) const NO_TEXT: u32 = u32::MAX;
    /// It may be a result: all but questions that are answered are.
    pub(crate) const IS_RESULT: u32 = 1;
    /// It is an answer.
    pub(crate) const IS_ANSWER: u32 = 2;
}
