//! Symbols with boxes, of which a layout is made.

use std::fmt;

use serde::{Serialize, Serializer};
use xxhash_rust::xxh3::Xxh3;

use super::{LayoutError, Rect};

/// The identity of a symbol, the same for every renderer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SymbolId {
    /// One Unicode character: italic x is U+1D465, minus U+2212, a rule U+002D.
    Char(char),
    /// An unnamed shape, by the hash of its outline.
    Shape(u64),
    /// A number or a name that counts as one symbol: up to eight ASCII characters, the rest
    /// zeros. No renderer draws it; tokens have it where a configuration groups symbols.
    Text([u8; 8]),
}

impl SymbolId {
    /// A number or a name; one letter is itself.
    pub fn text(letters: &[u8]) -> Self {
        if let [letter] = letters {
            return SymbolId::Char(char::from(*letter));
        }
        let mut text = [0; 8];
        text.iter_mut()
            .zip(letters)
            .for_each(|(to, from)| *to = *from);
        SymbolId::Text(text)
    }
}

impl fmt::Display for SymbolId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SymbolId::Char(c) => write!(f, "{c}"),
            SymbolId::Shape(hash) => write!(f, "#{hash:016x}"),
            SymbolId::Text(text) => {
                f.write_str(String::from_utf8_lossy(text).trim_end_matches('\0'))
            }
        }
    }
}

impl Serialize for SymbolId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// One drawn symbol and the box of its ink.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Symbol {
    /// Its identity.
    pub id: SymbolId,
    /// The box of its ink, in em.
    pub rect: Rect,
}

/// A formula as it is drawn: at least one symbol, and the box around all.
///
/// Lengths are in em of the formula's text size, whether it came as LaTeX or as SVG.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    symbols: Vec<Symbol>,
    rect: Rect,
}

impl Layout {
    /// A layout of these symbols.
    ///
    /// # Errors
    /// When there is no symbol, or a box is not finite.
    pub fn new(symbols: Vec<Symbol>) -> Result<Self, LayoutError> {
        let rect = symbols
            .iter()
            .map(|symbol| symbol.rect)
            .reduce(|a, b| a.union(&b))
            .ok_or(LayoutError::Empty)?;
        if !symbols.iter().all(|symbol| symbol.rect.is_finite()) {
            return Err(LayoutError::NotFinite);
        }
        Ok(Layout { symbols, rect })
    }

    /// The same layout, all its lengths multiplied by `factor`.
    ///
    /// # Errors
    /// When that makes a box that is not finite.
    #[cfg(feature = "svg")]
    pub(super) fn scaled(mut self, factor: f64) -> Result<Self, LayoutError> {
        for symbol in &mut self.symbols {
            symbol.rect = symbol.rect.scaled(factor);
        }
        Layout::new(self.symbols)
    }

    /// The symbols, in the order in which they were drawn.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// The box around all symbols.
    pub fn rect(&self) -> Rect {
        self.rect
    }

    /// A hash that two formulas have in common when they draw the same symbols at
    /// the same places, even from different LaTeX. Positions are relative to
    /// the formula's corner, in steps of 1/1024 em; the odd offset
    /// keeps the round numbers that layouts are full of off the steps' edges.
    pub fn fingerprint(&self) -> u128 {
        let step = |v: f64| ((v * 1024.0 + 0.3719).floor() as i64).to_le_bytes();
        let mut marks: Vec<_> = self
            .symbols
            .iter()
            .map(|Symbol { id, rect }| {
                (
                    *id,
                    [
                        step(rect.x0 - self.rect.x0),
                        step(rect.y0 - self.rect.y0),
                        step(rect.x1 - self.rect.x0),
                        step(rect.y1 - self.rect.y0),
                    ],
                )
            })
            .collect();
        marks.sort_unstable();
        let mut hash = Xxh3::new();
        for (id, edges) in marks {
            match id {
                SymbolId::Char(c) => hash.update(&u64::from(c).to_le_bytes()),
                SymbolId::Shape(shape) => hash.update(&(shape | 1 << 63).to_le_bytes()),
                SymbolId::Text(text) => hash.update(&text),
            }
            hash.update(edges.as_flattened());
        }
        hash.digest128()
    }
}
