//! The features of a formula that re-ranking compares.

use std::sync::LazyLock;

use crate::index::STEPS;
use crate::layout::{Layout, Rect, Symbol, SymbolId};
use crate::phoc::{
    PhocConfig, RegionEncoder, Relation, Role, fold, neighbours, role_of, significant_symbols,
};

/// The name of a symbol: its glyph and its role. One glyph may have two roles: a slanted x
/// is a variable, an upright one is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SymbolName {
    pub(super) glyph: SymbolId,
    pub(super) role: Role,
}

impl SymbolName {
    fn of(symbol: &Symbol) -> Self {
        SymbolName {
            glyph: fold(symbol.id),
            role: role_of(symbol.id),
        }
    }
}

/// A symbol: which of the names it has, and its box.
#[derive(Debug, Clone, Copy)]
pub(super) struct NamedSymbol {
    pub(super) name: usize,
    pub(super) rect: Rect,
}

/// Regions are only used to find which variables have similar positions, so the papers'
/// regions serve for every index.
static CONFIG: LazyLock<PhocConfig> = LazyLock::new(|| PhocConfig {
    strip: true,
    ..PhocConfig::papers()
});

/// The features of a formula.
#[derive(Debug)]
pub(crate) struct Features {
    /// The names of its symbols, each once, in order.
    pub(super) names: Vec<SymbolName>,
    /// The regions in which each name stands, where it may be renamed.
    pub(super) words: Vec<u128>,
    /// Its symbols, in the order of their right edges.
    pub(super) symbols: Vec<NamedSymbol>,
    /// Neighbours: two places among the symbols, and how the second stands to
    /// the first.
    pub(super) pairs: Vec<(usize, usize, Relation)>,
}

impl Features {
    /// The features of a layout.
    pub(crate) fn new(layout: &Layout) -> Self {
        let mut symbols = significant_symbols(layout, &CONFIG);
        // Rounded as an index stores them, so that a formula is equal to itself.
        let corner = layout.rect();
        // Not negative, so this rounds, and needs no call for it.
        let step = |v: f64, from: f64| ((v - from) * STEPS + 0.5) as u32 as f64 / STEPS;
        for Symbol { rect, .. } in &mut symbols {
            *rect = Rect {
                x0: step(rect.x0, corner.x0),
                y0: step(rect.y0, corner.y0),
                x1: step(rect.x1, corner.x0),
                y1: step(rect.y1, corner.y0),
            };
        }
        let mut by_name: Vec<(SymbolName, usize)> =
            symbols.iter().map(SymbolName::of).zip(0..).collect();
        by_name.sort_unstable();
        let regions = RegionEncoder::new(&symbols, &CONFIG);
        let named = |symbol: &Symbol| NamedSymbol {
            name: 0,
            rect: symbol.rect,
        };
        let mut features = Features {
            names: Vec::with_capacity(by_name.len()),
            words: Vec::with_capacity(by_name.len()),
            symbols: symbols.iter().map(named).collect(),
            pairs: neighbours(&symbols),
        };
        for same in by_name.chunk_by(|a, b| a.0 == b.0) {
            for (_, at) in same {
                features.symbols[*at].name = features.names.len();
            }
            let name = same[0].0;
            features.names.push(name);
            features.words.push(match name.role {
                Role::Fixed => 0,
                _ => regions.of(same.iter().map(|(_, at)| symbols[*at].rect)),
            });
        }
        features
    }

    /// Its symbols: what each looks like, and its box from the formula's corner.
    pub(crate) fn symbols(&self) -> impl Iterator<Item = (SymbolId, Rect)> {
        let symbols = self.symbols.iter();
        symbols.map(|symbol| (self.names[symbol.name].glyph, symbol.rect))
    }

    /// The names that may be renamed.
    pub(super) fn renamable(&self) -> impl Iterator<Item = usize> {
        (0..self.names.len()).filter(|name| self.names[*name].role != Role::Fixed)
    }
}
