//! Which symbols of a query and of a formula were matched.

use serde::Serialize;

use crate::layout::{Layout, Rect, SymbolId};
use crate::phoc::{PhocConfig, significant_symbols, symbol_key};
use crate::search::rerank::{Compared, Features, RerankQuery};

/// The symbols of a query and of a formula, matched with one another where they can be.
///
/// Boxes are in em, from the corner from which each formula is drawn.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SymbolMatches {
    /// Symbols that were matched, by their names.
    pub matched: Vec<MatchedName>,
    /// Symbols of the query for which the formula has none.
    pub missing: Vec<UnmatchedName>,
    /// Symbols of the formula for which the query has none.
    pub extra: Vec<UnmatchedName>,
}

/// A name of the query and the name of the formula that stands for it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MatchedName {
    /// The symbol in the query.
    pub query: String,
    /// The symbol in the formula: another one if it was renamed.
    pub formula: String,
    /// Where it stands in the query.
    pub query_boxes: Vec<Rect>,
    /// Where it stands in the formula, in the same order.
    pub formula_boxes: Vec<Rect>,
}

/// A symbol that was not matched.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct UnmatchedName {
    /// The symbol.
    pub symbol: String,
    /// Where it stands.
    pub boxes: Vec<Rect>,
}

/// A symbol, and where it stands.
type Placed = (SymbolId, Rect);

impl SymbolMatches {
    /// How many symbols of the query were matched, and how many it has.
    pub fn of_query(&self) -> (usize, usize) {
        let matched: usize = self.matched.iter().map(|name| name.query_boxes.len()).sum();
        let missing: usize = self.missing.iter().map(|name| name.boxes.len()).sum();
        (matched, matched + missing)
    }

    /// `of_query` has the place of the query's symbol for each symbol of the formula.
    fn new(query: &[Placed], formula: &[Placed], of_query: &[Option<usize>]) -> Self {
        let mut matches = SymbolMatches::default();
        let mut is_matched = vec![false; query.len()];
        let mut pairs = Vec::new();
        for ((symbol, rect), at) in formula.iter().zip(of_query) {
            match at {
                Some(at) => {
                    is_matched[*at] = true;
                    pairs.push((*at, *symbol, *rect));
                }
                None => unmatched(&mut matches.extra, *symbol, *rect),
            }
        }
        pairs.sort_by_key(|(at, ..)| *at);
        for (at, symbol, rect) in pairs {
            let (name, other) = (query[at].0.to_string(), symbol.to_string());
            let known = matches.matched.iter_mut();
            let mut known = known.filter(|known| known.query == name && known.formula == other);
            let (query_box, formula_box) = (query[at].1, rect);
            match known.next() {
                Some(known) => {
                    known.query_boxes.push(query_box);
                    known.formula_boxes.push(formula_box);
                }
                None => matches.matched.push(MatchedName {
                    query: name,
                    formula: other,
                    query_boxes: vec![query_box],
                    formula_boxes: vec![formula_box],
                }),
            }
        }
        for ((symbol, rect), is_matched) in query.iter().zip(is_matched) {
            if !is_matched {
                unmatched(&mut matches.missing, *symbol, *rect);
            }
        }
        matches
    }
}

/// Adds a symbol to those that were not matched.
fn unmatched(names: &mut Vec<UnmatchedName>, symbol: SymbolId, rect: Rect) {
    let symbol = symbol.to_string();
    match names.iter_mut().find(|name| name.symbol == symbol) {
        Some(name) => name.boxes.push(rect),
        None => names.push(UnmatchedName {
            symbol,
            boxes: vec![rect],
        }),
    }
}

/// A query and a formula that are compared. Layouts that were stored stand at their corner;
/// `corner` is where that of the formula is drawn.
pub(in crate::search) struct Compare<'a> {
    pub(in crate::search) query: &'a Layout,
    pub(in crate::search) formula: &'a Layout,
    pub(in crate::search) corner: (f64, f64),
}

impl Compare<'_> {
    /// As re-ranking matches symbols, which renames variables and digits.
    pub(in crate::search) fn renamed(&self) -> (Compared, f64, SymbolMatches) {
        let query = RerankQuery::new(self.query);
        let candidate = Features::new(self.formula);
        let compared = query.compare(&candidate);
        let corner = self.query.rect();
        let placed = |features: &Features, (x, y): (f64, f64)| -> Vec<Placed> {
            let symbols = features.symbols();
            symbols
                .map(|(symbol, rect)| (symbol, rect.moved(x, y)))
                .collect()
        };
        let matches = SymbolMatches::new(
            &placed(query.features(), (corner.x0, corner.y0)),
            &placed(&candidate, self.corner),
            &compared.matched,
        );
        (compared, query.highest(), matches)
    }

    /// As the first stage matches symbols: those that are the same token.
    pub(in crate::search) fn same(&self, config: &PhocConfig) -> SymbolMatches {
        let placed = |layout: &Layout, (x, y): (f64, f64)| -> Vec<Placed> {
            let symbols = significant_symbols(layout, config).into_iter();
            symbols
                .map(|symbol| (symbol.id, symbol.rect.moved(x, y)))
                .collect()
        };
        let query = placed(self.query, (0.0, 0.0));
        let corner = self.formula.rect();
        let (x, y) = (self.corner.0 - corner.x0, self.corner.1 - corner.y0);
        let formula = placed(self.formula, (x, y));
        let mut is_taken = vec![false; query.len()];
        let of_query = formula.iter().map(|(symbol, _)| {
            let key = symbol_key(*symbol, config);
            let is_same = |at: &usize| !is_taken[*at] && symbol_key(query[*at].0, config) == key;
            let at = (0..query.len()).find(is_same)?;
            is_taken[at] = true;
            Some(at)
        });
        let of_query: Vec<Option<usize>> = of_query.collect();
        SymbolMatches::new(&query, &formula, &of_query)
    }
}
