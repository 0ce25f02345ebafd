//! Layouts as an index keeps them: symbols of a size by number, and where each stands.

use std::collections::HashMap;

use super::rows::GlyphRow;
use super::varint::{VarintReader, VarintWriter};
use crate::layout::{Layout, Rect, Symbol, SymbolId};

/// Steps in an em: positions are kept in whole steps.
pub(crate) const STEPS: f64 = 64.0;

/// The bit of a glyph's width that marks a shape, and of its height that marks a text.
const MARK: u32 = 1 << 31;

/// The glyphs of a collection, numbered as they are first seen: the frequent are
/// seen early, so that most numbers are short.
#[derive(Debug, Default)]
pub(in crate::index) struct GlyphTable {
    numbers: HashMap<GlyphRow, u32>,
    rows: Vec<GlyphRow>,
}

impl GlyphTable {
    /// All that were seen, by number.
    pub(in crate::index) fn into_rows(self) -> Vec<GlyphRow> {
        self.rows
    }

    /// Writes a layout, in the order of its symbols: which glyph, and how far it
    /// is from the one before.
    pub(in crate::index) fn write(&mut self, layout: &Layout, writer: &mut VarintWriter) {
        let steps = |v: f64| (v * STEPS).round() as i64;
        let corner = layout.rect();
        let (mut x, mut y) = (0, 0);
        writer.number(layout.symbols().len() as u64);
        for Symbol { id, rect } in layout.symbols() {
            let (x0, y0) = (steps(rect.x0 - corner.x0), steps(rect.y0 - corner.y0));
            let (x1, y1) = (steps(rect.x1 - corner.x0), steps(rect.y1 - corner.y0));
            writer.number(u64::from(self.number(*id, x1 - x0, y1 - y0)));
            writer.signed(x0 - x);
            writer.signed(y0 - y);
            (x, y) = (x1, y0);
        }
    }

    fn number(&mut self, id: SymbolId, width: i64, height: i64) -> u32 {
        let size = |v: i64| u32::try_from(v).unwrap_or(u32::MAX) & !MARK;
        let (id, shape, text) = match id {
            SymbolId::Char(c) => (u64::from(c), 0, 0),
            SymbolId::Shape(hash) => (hash, MARK, 0),
            SymbolId::Text(text) => (u64::from_le_bytes(text), 0, MARK),
        };
        let row = GlyphRow {
            id_low: id as u32,
            id_high: (id >> 32) as u32,
            width: size(width) | shape,
            height: size(height) | text,
        };
        let next = self.rows.len() as u32;
        let number = *self.numbers.entry(row).or_insert(next);
        if number == next {
            self.rows.push(row);
        }
        number
    }
}

/// The layout that was written, its corner at the origin; `None` where the bytes are something
/// else.
pub(in crate::index) fn read_layout(mut bytes: VarintReader, rows: &[GlyphRow]) -> Option<Layout> {
    let count = bytes.number()?;
    // A symbol takes at least three bytes.
    let mut symbols = Vec::with_capacity((count as usize).min(bytes.0.len() / 3));
    let (mut x, mut y) = (0i64, 0i64);
    for _ in 0..count {
        let row = *rows.get(usize::try_from(bytes.number()?).ok()?)?;
        let GlyphRow { width, height, .. } = row;
        let id = u64::from(row.id_low) | u64::from(row.id_high) << 32;
        let id = match (width & MARK, height & MARK) {
            (0, 0) => SymbolId::Char(char::from_u32(u32::try_from(id).ok()?)?),
            (0, _) => SymbolId::Text(id.to_le_bytes()),
            _ => SymbolId::Shape(id),
        };
        let x0 = x.checked_add(bytes.signed()?)?;
        let y0 = y.checked_add(bytes.signed()?)?;
        let x1 = x0.checked_add(i64::from(width & !MARK))?;
        let y1 = y0.checked_add(i64::from(height & !MARK))?;
        let [left, top, right, bottom] = [x0, y0, x1, y1].map(|v| v as f64 / STEPS);
        symbols.push(Symbol {
            id,
            rect: Rect::new(left, top, right, bottom),
        });
        (x, y) = (x1, y0);
    }
    Layout::new(symbols).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn layouts_round_trip_within_a_step(
            symbols in proptest::collection::vec((0u32..0x300, -9.0..9.0, -9.0..9.0, 0.0..3.0, 0.0..3.0), 1..9),
        ) {
            let symbols = symbols.iter().map(|&(c, x, y, w, h)| Symbol {
                id: char::from_u32(c).map_or(SymbolId::Shape(u64::MAX - 7), SymbolId::Char),
                rect: Rect::new(x, y, x + w, y + h),
            });
            let layout = Layout::new(symbols.collect()).unwrap();
            let (mut glyphs, mut writer) = (GlyphTable::default(), VarintWriter::default());
            glyphs.write(&layout, &mut writer);
            let read = read_layout(VarintReader(&writer.0), &glyphs.into_rows()).unwrap();
            let corner = layout.rect();
            prop_assert_eq!(read.symbols().len(), layout.symbols().len());
            for (a, b) in read.symbols().iter().zip(layout.symbols()) {
                prop_assert_eq!(a.id, b.id);
                let edges = |r: &Rect, x: f64, y: f64| [r.x0 - x, r.y0 - y, r.x1 - x, r.y1 - y];
                let pairs = edges(&a.rect, 0.0, 0.0).into_iter().zip(edges(&b.rect, corner.x0, corner.y0));
                for (a, b) in pairs {
                    prop_assert!((a - b).abs() <= 1.0 / STEPS, "{a} {b}");
                }
            }
        }

        #[test]
        fn anything_can_be_read_without_panic(bytes: Vec<u8>, rows: Vec<[u32; 4]>) {
            let _ = read_layout(VarintReader(&bytes), bytemuck::cast_slice(&rows));
        }
    }
}
