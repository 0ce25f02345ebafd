//! Regions drawn: in which of them a symbol stands, level by level, as in the papers' first
//! figure; for two formulas, which they share, as in the second.

use super::{PictureError, cells, inner};
use crate::layout::{self, Layout, Rect, SymbolId};
use crate::phoc::{Encoded, PhocConfig, encode_with_boxes, fold};

/// A formula with its picture and the symbol that is looked at.
pub(super) struct Shown {
    pub(super) layout: Layout,
    /// Its drawing as SVG, without the tag around it.
    pub(super) drawing: String,
    /// Its symbols, and which of them is looked at.
    symbols: Vec<(Encoded, Vec<Rect>)>,
    symbol: Option<usize>,
}

impl Shown {
    fn new(config: &PhocConfig, latex: &str) -> Result<Self, PictureError> {
        let (layout, drawing) = inner(latex).map_err(|source| PictureError::Layout {
            latex: latex.to_owned(),
            source,
        })?;
        let tokens = encode_with_boxes(&layout, config).into_iter();
        Ok(Shown {
            layout,
            drawing,
            symbols: tokens.filter(|(token, _)| token.key.is_symbol()).collect(),
            symbol: None,
        })
    }

    /// Looks at the symbol that is `wanted`, or else at one that is the same letter in
    /// another shape.
    fn find(&mut self, wanted: Option<SymbolId>) {
        let is = |fold: fn(SymbolId) -> SymbolId| {
            let mut symbols = self.symbols.iter();
            symbols.position(|(token, _)| Some(fold(token.key.symbol)) == wanted.map(fold))
        };
        self.symbol = is(|id| id).or_else(|| is(fold));
    }

    /// The names of its symbols, each once.
    fn names(&self) -> String {
        let symbols = self.symbols.iter();
        let mut names: Vec<String> = symbols
            .map(|(token, _)| token.key.symbol.to_string())
            .collect();
        names.dedup();
        names.join(", ")
    }

    pub(super) fn symbol(&self) -> Option<&(Encoded, Vec<Rect>)> {
        self.symbol.map(|at| &self.symbols[at])
    }
}

/// Draws the regions of a symbol: of the first symbol if none is named. With another formula,
/// the same symbol of both is drawn, and the regions that both have are coloured.
///
/// # Errors
/// When a formula cannot be laid out or does not have the symbol.
pub fn regions(
    config: &PhocConfig,
    latex: &str,
    symbol: Option<&str>,
    against: Option<&str>,
) -> Result<String, PictureError> {
    let all = std::iter::once(latex).chain(against);
    let mut shown = all
        .map(|latex| Shown::new(config, latex))
        .collect::<Result<Vec<Shown>, PictureError>>()?;
    let first = shown[0].layout.symbols().first();
    let wanted = match symbol {
        Some(name) => of_name(name),
        None => first.map(|symbol| symbol.id),
    };
    shown.iter_mut().for_each(|one| one.find(wanted));
    if shown[0].symbol.is_none() {
        return Err(PictureError::NoSymbol {
            symbol: symbol.unwrap_or_default().to_owned(),
            latex: latex.to_owned(),
            symbols: shown[0].names(),
        });
    }
    Ok(cells::draw(config, &shown))
}

/// The symbol of a name: its number, as in U+002D, its LaTeX, or the character itself.
fn of_name(name: &str) -> Option<SymbolId> {
    let number = name.strip_prefix("U+");
    let number = number.and_then(|hex| char::from_u32(u32::from_str_radix(hex, 16).ok()?));
    let laid_out = || match layout::latex(name).ok()?.symbols() {
        [symbol] => Some(symbol.id),
        _ => None,
    };
    let itself = || name.chars().next().filter(|c| c.len_utf8() == name.len());
    (number.map(SymbolId::Char))
        .or_else(laid_out)
        .or_else(|| itself().map(SymbolId::Char))
}
