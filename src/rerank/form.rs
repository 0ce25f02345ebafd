//! A formula as re-ranking sees it.

use std::sync::LazyLock;

use crate::index::STEPS;
use crate::layout::{Layout, Rect, Symbol, SymbolId};
use crate::phoc::{
    PhocConfig, RegionEncoder, Relation, Role, fold, neighbours, role_of, significant_symbols,
};

/// What a symbol is called, and what it is. One name may be of two sorts: a
/// slanted x is a variable, an upright one is not.
pub(super) type Name = (SymbolId, Role);

/// Regions only tell which variable stands where which other does: those of the
/// papers' serve whatever the index has.
static CONFIG: LazyLock<PhocConfig> = LazyLock::new(|| PhocConfig {
    strip: true,
    ..PhocConfig::default()
});

/// The form of a formula.
#[derive(Debug)]
pub struct Form {
    /// What its symbols are called, each name once, in order.
    pub(super) names: Vec<Name>,
    /// The regions in which each name stands, where it may be renamed.
    pub(super) words: Vec<u128>,
    /// Its symbols: which of the names, and their boxes.
    pub(super) symbols: Vec<(usize, Rect)>,
    /// Who stands next to whom: places among the symbols.
    pub(super) pairs: Vec<(usize, usize, Relation)>,
}

impl Form {
    /// The form of a layout.
    pub fn new(layout: &Layout) -> Self {
        let mut symbols = significant_symbols(layout, &CONFIG);
        // As an index keeps them, so that a formula is wholly like itself.
        let corner = layout.rect();
        // Not less than nought, so this rounds, and needs no call for it.
        let step = |v: f64, from: f64| ((v - from) * STEPS + 0.5) as u32 as f64 / STEPS;
        for Symbol { rect, .. } in &mut symbols {
            *rect = Rect {
                x0: step(rect.x0, corner.x0),
                y0: step(rect.y0, corner.y0),
                x1: step(rect.x1, corner.x0),
                y1: step(rect.y1, corner.y0),
            };
        }
        let named = symbols
            .iter()
            .map(|symbol| (fold(symbol.id), role_of(symbol.id)));
        let mut by_name: Vec<(Name, usize)> = named.zip(0..).collect();
        by_name.sort_unstable();
        let within = RegionEncoder::new(&symbols, &CONFIG);
        let pairs = neighbours(&symbols);
        let mut form = Form {
            names: Vec::with_capacity(by_name.len()),
            words: Vec::with_capacity(by_name.len()),
            symbols: symbols.iter().map(|symbol| (0, symbol.rect)).collect(),
            pairs,
        };
        for same in by_name.chunk_by(|a, b| a.0 == b.0) {
            for (_, at) in same {
                form.symbols[*at].0 = form.names.len();
            }
            form.names.push(same[0].0);
            form.words.push(match same[0].0.1 {
                Role::Fixed => 0,
                _ => within.of(same.iter().map(|(_, at)| symbols[*at].rect)),
            });
        }
        form
    }

    /// The names that may be renamed.
    pub(super) fn renamable(&self) -> impl Iterator<Item = usize> {
        (0..self.names.len()).filter(|name| self.names[*name].1 != Role::Fixed)
    }
}
