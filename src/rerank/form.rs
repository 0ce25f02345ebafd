//! A formula as re-ranking sees it.

use std::collections::BTreeMap;

use crate::index::STEPS;
use crate::layout::{Layout, Rect, Symbol, SymbolId};
use crate::phoc::{PhocConfig, Relation, Sort, Words, counted, fold, neighbours, sort};

/// A symbol that may be renamed: its name and what it is.
pub(super) type Name = (SymbolId, Sort);

/// The form of a formula.
#[derive(Debug)]
pub struct Form {
    /// Its symbols, left to right.
    pub(super) names: Vec<Name>,
    /// Who stands next to whom: places among the symbols.
    pub(super) pairs: Vec<(usize, usize, Relation)>,
    /// What may be renamed, in order, with the regions in which it stands.
    pub(super) renamable: Vec<(Name, u128)>,
}

impl Form {
    /// The form of a layout.
    pub fn new(layout: &Layout) -> Self {
        // Regions only tell which variable stands where which other does:
        // those of the default serve whatever the index has.
        let config = PhocConfig {
            strip: true,
            ..PhocConfig::default()
        };
        let mut symbols = counted(layout, &config);
        // As an index keeps them, so that a formula is wholly like itself.
        let corner = layout.rect();
        let step = |v: f64, from: f64| ((v - from) * STEPS).round() / STEPS;
        for Symbol { rect, .. } in &mut symbols {
            *rect = Rect {
                x0: step(rect.x0, corner.x0),
                y0: step(rect.y0, corner.y0),
                x1: step(rect.x1, corner.x0),
                y1: step(rect.y1, corner.y0),
            };
        }
        let names: Vec<Name> = symbols
            .iter()
            .map(|symbol| (fold(symbol.id), sort(symbol.id)))
            .collect();
        let mut places: BTreeMap<Name, Vec<Rect>> = BTreeMap::new();
        for (name, symbol) in names.iter().zip(&symbols) {
            if name.1 != Sort::Fixed {
                places.entry(*name).or_default().push(symbol.rect);
            }
        }
        let words = Words::new(&symbols, &config);
        let renamable = places
            .into_iter()
            .map(|(name, rects)| (name, words.of(rects.into_iter())));
        Form {
            pairs: neighbours(&symbols),
            renamable: renamable.collect(),
            names,
        }
    }
}
