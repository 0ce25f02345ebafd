//! A section that is checked where it is read.

use std::ops::Range;

use super::sections::Sections;

/// Rows of a section, or of a part of it. They are handed out only where their chunks are as they
/// were written; where they are not, the index is marked as damaged, and
/// [`Index::sound`](super::Index::sound) refuses the answer.
#[derive(Debug)]
pub(super) struct Column<'a, T> {
    sections: &'a Sections,
    /// Where they are in the file.
    offset: usize,
    rows: &'a [T],
}

impl<T> Clone for Column<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Column<'_, T> {}

impl<'a, T> Column<'a, T> {
    pub(super) fn new(sections: &'a Sections, offset: usize, rows: &'a [T]) -> Self {
        Column {
            sections,
            offset,
            rows,
        }
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Some of the rows, which are not looked at yet; none where there are not so many.
    pub(super) fn part(&self, rows: Range<usize>) -> Option<Self> {
        let start = rows.start;
        let rows = self.rows.get(rows)?;
        Some(Column {
            sections: self.sections,
            offset: self.offset + start * size_of::<T>(),
            rows,
        })
    }

    /// Some of the rows; none where there are not so many, or where they are damaged.
    #[inline]
    pub(super) fn get(&self, rows: Range<usize>) -> Option<&'a [T]> {
        self.part(rows)?.all()
    }

    /// One row.
    #[inline]
    pub(super) fn row(&self, place: usize) -> Option<&'a T> {
        self.get(place..place.checked_add(1)?)?.first()
    }

    /// All rows; none where some are damaged.
    #[inline]
    pub(super) fn all(&self) -> Option<&'a [T]> {
        let bytes = self.offset..self.offset + size_of_val(self.rows);
        self.sections.are_sound(bytes).then_some(self.rows)
    }
}
