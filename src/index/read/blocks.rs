//! Blocks of records: the texts and layouts of formulas.

use super::column::Column;
use crate::index::format::unpack;

/// Records in blocks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Blocks<'a> {
    /// Where each block begins, and the last ends.
    pub(super) offsets: Column<'a, u64>,
    pub(super) bytes: Column<'a, u8>,
}

impl<'a> Blocks<'a> {
    /// A block as it is stored.
    pub(super) fn stored(&self, number: usize) -> Option<&'a [u8]> {
        let ends = self.offsets.get(number..number.checked_add(2)?)?;
        let [start, end]: [u64; 2] = ends.try_into().ok()?;
        self.bytes.get(start.try_into().ok()?..end.try_into().ok()?)
    }

    /// A compressed block, unpacked.
    pub(super) fn block(&self, number: usize) -> Option<Vec<u8>> {
        unpack(self.stored(number)?)
    }
}
