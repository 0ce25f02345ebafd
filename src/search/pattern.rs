//! A formula that others are compared with one by one, without an index.

use super::MinMatch;
use super::rerank::{Features, RerankQuery, whole_likeness};
use crate::layout::{Layout, SymbolId};

/// A formula that is looked for among formulas that no index holds.
///
/// Formulas are compared as re-ranking compares them: as wholes, after the best renaming of
/// variables. The likeness is a part of the likeness that the pattern has with itself.
///
/// ```
/// use phocus::layout;
/// use phocus::search::{MinMatch, Pattern};
///
/// # fn main() -> Result<(), phocus::layout::LayoutError> {
/// let pattern = Pattern::new(&layout::latex("a^2+b^2=c^2")?, MinMatch::ANY);
/// let renamed = pattern.likeness(&layout::latex("x^2+y^2=z^2")?);
/// let other = pattern.likeness(&layout::latex(r"\int f")?);
/// assert!(renamed > Some(0.7) && other < Some(0.2));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Pattern {
    query: RerankQuery,
    /// Its likeness with itself.
    whole: f64,
    /// Its distinct symbols, in order.
    symbols: Vec<SymbolId>,
    /// How many of them a formula must hold.
    required: usize,
}

impl Pattern {
    /// A pattern; formulas have to hold a part of its symbols as they are, not renamed.
    /// [`MinMatch::ANY`] asks for none.
    pub fn new(layout: &Layout, min_match: MinMatch) -> Self {
        let query = RerankQuery::new(layout);
        let symbols = distinct(layout);
        Pattern {
            query,
            whole: whole_likeness(layout),
            required: match min_match {
                MinMatch::ANY => 0,
                part => part.of(symbols.len()),
            },
            symbols,
        }
    }

    /// How alike a formula is, from 0 to 1, if it holds enough of the pattern's symbols.
    pub fn likeness(&self, layout: &Layout) -> Option<f64> {
        if self.required > 0 {
            let held = distinct(layout);
            let is_held = |id: &&SymbolId| held.binary_search(id).is_ok();
            if self.symbols.iter().filter(is_held).count() < self.required {
                return None;
            }
        }
        let likeness = self.query.likeness(&Features::new(layout)).sum();
        Some((likeness / self.whole).clamp(0.0, 1.0))
    }
}

fn distinct(layout: &Layout) -> Vec<SymbolId> {
    let mut ids: Vec<SymbolId> = layout.symbols().iter().map(|symbol| symbol.id).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}
