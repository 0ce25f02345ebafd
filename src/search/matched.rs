//! Which symbols of the query each hit holds, found in their postings.

use std::collections::HashMap;

use super::Query;
use super::response::MatchedSymbol;
use crate::index::{Index, IndexError};
use crate::layout::Rect;
use crate::phoc::{PhocConfig, TokenKey, symbol_key};

/// For each formula, the symbols of the query that it holds, with their boxes
/// where the index keeps layouts.
pub(super) fn matched(
    index: &Index,
    query: &Query,
    formulas: &[usize],
) -> Result<Vec<Vec<MatchedSymbol>>, IndexError> {
    let symbols = query.known().filter(|(_, token)| token.key.is_symbol());
    let mut holders = Vec::new();
    for (number, token) in symbols {
        holders.push((token.key, index.hold(number, formulas)?));
    }
    let keeps_layouts = index.meta().keeps_layouts();
    let config = &index.meta().config;
    (formulas.iter().enumerate())
        .map(|(at, formula)| {
            let boxes = if keeps_layouts {
                boxes(index, *formula, config)?
            } else {
                HashMap::new()
            };
            let held = holders.iter().filter(|(_, holds)| holds[at]);
            let held = held.map(|(key, _)| MatchedSymbol {
                symbol: key.to_string(),
                boxes: boxes.get(key).cloned().unwrap_or_default(),
            });
            Ok(held.collect())
        })
        .collect()
}

/// The boxes of a formula's symbols, by token key.
fn boxes(
    index: &Index,
    formula: usize,
    config: &PhocConfig,
) -> Result<HashMap<TokenKey, Vec<Rect>>, IndexError> {
    let mut boxes: HashMap<TokenKey, Vec<Rect>> = HashMap::new();
    for symbol in index.layout(formula)?.symbols() {
        let key = symbol_key(symbol.id, config);
        boxes.entry(key).or_default().push(symbol.rect);
    }
    Ok(boxes)
}
