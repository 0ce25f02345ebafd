//! A formula as re-ranking sees it.

use std::sync::LazyLock;

use crate::index::STEPS;
use crate::layout::{Layout, Rect, Symbol, SymbolId};
use crate::phoc::{PhocConfig, Relation, Sort, Words, counted, fold, neighbours, sort};

/// A symbol that may be renamed: its name and what it is.
pub(super) type Name = (SymbolId, Sort);

/// Regions only tell which variable stands where which other does: those of the
/// papers' serve whatever the index has.
static CONFIG: LazyLock<PhocConfig> = LazyLock::new(|| PhocConfig {
    strip: true,
    ..PhocConfig::default()
});

/// The form of a formula.
#[derive(Debug)]
pub struct Form {
    /// Its symbols: names and boxes.
    pub(super) symbols: Vec<(Name, Rect)>,
    /// Who stands next to whom: places among the symbols.
    pub(super) pairs: Vec<(usize, usize, Relation)>,
    /// What may be renamed, in order, with the regions in which it stands.
    pub(super) renamable: Vec<(Name, u128)>,
}

impl Form {
    /// The form of a layout.
    pub fn new(layout: &Layout) -> Self {
        let mut symbols = counted(layout, &CONFIG);
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
        let named: Vec<(Name, Rect)> = symbols
            .iter()
            .map(|symbol| ((fold(symbol.id), sort(symbol.id)), symbol.rect))
            .collect();
        let is_renamable = |(name, _): &&(Name, Rect)| name.1 != Sort::Fixed;
        let mut places: Vec<(Name, Rect)> = named.iter().filter(is_renamable).copied().collect();
        places.sort_by_key(|(name, _)| *name);
        let words = Words::new(&symbols, &CONFIG);
        let renamable = places.chunk_by(|a, b| a.0 == b.0).map(|same| {
            let rects = same.iter().map(|(_, rect)| *rect);
            (same[0].0, words.of(rects))
        });
        Form {
            pairs: neighbours(&symbols),
            renamable: renamable.collect(),
            symbols: named,
        }
    }

    /// The names of a pair.
    pub(super) fn pair(&self, (first, second, relation): (usize, usize, Relation)) -> Pair {
        let name = |at: usize| self.symbols[at].0.0;
        (name(first), relation, name(second))
    }
}

/// Two names, and how the second stands to the first.
pub(super) type Pair = (SymbolId, Relation, SymbolId);
