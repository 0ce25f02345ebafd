//! The layouts of formulas that were laid out before: laying out takes most of a build.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use xxhash_rust::xxh3::xxh3_128;

use crate::index::format::{VarintReader, VarintWriter};
use crate::layout::{self, Layout, LayoutError, Rect, Symbol, SymbolId};
use crate::seen::{self, Part};

/// About how many bytes a layout takes.
const LAYOUT_BYTES: usize = 500;

/// Layouts by the hash of their LaTeX: those of earlier builds, and those of this one.
#[derive(Debug, Default)]
pub(super) struct Layouts {
    /// The most that are kept.
    most: usize,
    before: HashMap<u128, Layout>,
    /// Which of them this build has used.
    used: Mutex<HashSet<u128>>,
    new: Mutex<HashMap<u128, Layout>>,
}

impl Layouts {
    /// The layouts that were written to this file; about so many bytes of them are kept.
    pub(super) fn open(path: &Path, bytes: usize) -> Self {
        let kept = seen::read(path, Part::Layouts).unwrap_or_default();
        let mut reader = VarintReader(&kept);
        let mut before = HashMap::new();
        while let Some((hash, layout)) = read(&mut reader) {
            before.insert(hash, layout);
        }
        Layouts {
            most: bytes / LAYOUT_BYTES,
            before,
            ..Layouts::default()
        }
    }

    /// The layout of some LaTeX, which is laid out only if that was not done before.
    pub(super) fn latex(&self, latex: &str) -> Result<Layout, LayoutError> {
        let hash = xxh3_128(latex.as_bytes());
        if let Some(layout) = self.before.get(&hash) {
            self.used
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .insert(hash);
            return Ok(layout.clone());
        }
        let new = || self.new.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(layout) = new().get(&hash) {
            return Ok(layout.clone());
        }
        let layout = layout::latex(latex)?;
        if new().len() < self.most {
            new().insert(hash, layout.clone());
        }
        Ok(layout)
    }

    /// All that this build has used, in order.
    pub(super) fn written(&self) -> Vec<u8> {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let new = self.new.lock().unwrap_or_else(PoisonError::into_inner);
        let before = used
            .iter()
            .filter_map(|hash| self.before.get_key_value(hash));
        let all: BTreeMap<&u128, &Layout> = before.chain(new.iter()).take(self.most).collect();
        let mut writer = VarintWriter::default();
        for (hash, layout) in all {
            write(&mut writer, *hash, layout);
        }
        writer.0
    }
}

/// Writes a layout exactly: a build from what is kept has the bytes of one from nothing.
fn write(writer: &mut VarintWriter, hash: u128, layout: &Layout) {
    writer.0.extend(hash.to_le_bytes());
    writer.number(layout.symbols().len() as u64);
    for Symbol { id, rect } in layout.symbols() {
        let (kind, value) = match id {
            SymbolId::Char(c) => (0, u64::from(*c)),
            SymbolId::Shape(hash) => (1, *hash),
            SymbolId::Text(text) => (2, u64::from_le_bytes(*text)),
        };
        writer.number(kind);
        writer.number(value);
        for edge in [rect.x0, rect.y0, rect.x1, rect.y1] {
            writer.0.extend(edge.to_bits().to_le_bytes());
        }
    }
}

fn read(reader: &mut VarintReader) -> Option<(u128, Layout)> {
    let (hash, rest) = reader.0.split_first_chunk()?;
    reader.0 = rest;
    let hash = u128::from_le_bytes(*hash);
    let count = reader.number()?;
    let mut symbols = Vec::new();
    for _ in 0..count {
        let (kind, value) = (reader.number()?, reader.number()?);
        let id = match kind {
            0 => SymbolId::Char(char::from_u32(u32::try_from(value).ok()?)?),
            1 => SymbolId::Shape(value),
            _ => SymbolId::Text(value.to_le_bytes()),
        };
        let mut edge = || {
            let (bits, rest) = reader.0.split_first_chunk()?;
            reader.0 = rest;
            Some(f64::from_bits(u64::from_le_bytes(*bits)))
        };
        let rect = Rect::new(edge()?, edge()?, edge()?, edge()?);
        symbols.push(Symbol { id, rect });
    }
    Some((hash, Layout::new(symbols).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_read_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.seen");
        let first = Layouts::open(&path, 1 << 20);
        let formulas = [r"\frac{a}{b}", r"\left(\sqrt[3]{x}\right)", "x"];
        let laid_out = formulas.map(|latex| first.latex(latex).unwrap());
        assert!(first.latex(r"\frac{").is_err());
        seen::write(&path, b"", &first.written()).unwrap();
        let second = Layouts::open(&path, 1 << 20);
        assert_eq!(second.before.len(), 3);
        for (latex, layout) in formulas.iter().zip(&laid_out) {
            assert_eq!(second.latex(latex).as_ref(), Ok(layout));
        }
        assert!(second.new.lock().unwrap().is_empty());
        assert_eq!(second.written(), first.written());
        // What is not used is not kept.
        assert!(Layouts::open(&path, 1 << 20).written().is_empty());
    }
}
