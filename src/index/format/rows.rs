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
