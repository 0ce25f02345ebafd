//! Whether a query is a part of a larger formula: its symbols, moved and scaled.
//!
//! The anchor is the query's symbol that is rarest in the candidate. It is
//! aligned with each of its occurrences there, and the other symbols of the
//! query that then coincide with symbols of the candidate are counted. Since
//! other letters are wider or narrower, each is looked for from where the last
//! one was found.

use super::features::{Features, NamedSymbol};
use super::similarity::{NameSimilarity, Similarity};
use crate::layout::Rect;

/// How far from its expected place a symbol may be, in em of the query's size.
const REACH: f64 = 0.35;
/// The number of anchors that are tried.
const ANCHORS: usize = 2;
/// The number of occurrences that an anchor is aligned with.
const PLACES: usize = 4;

/// How much of the query stands in the candidate as it does in itself: 1 is all of it.
pub(super) fn part(query: &Features, candidate: &Features, similarity: &NameSimilarity) -> f64 {
    let mut best = 0;
    for anchor in anchors(query, candidate, similarity) {
        let NamedSymbol { name, rect: from } = query.symbols[anchor];
        let symbols = candidate.symbols.iter();
        let places = symbols.map(|other| (similarity.of(name, other.name), other.rect));
        let places = places.filter(|(similar, _)| *similar != Similarity::None);
        for (similar, to) in places.take(PLACES) {
            // Only the same symbol tells its size.
            let scale = if similar == Similarity::Same {
                scale(&from, &to)
            } else {
                1.0
            };
            let mut over = Overlay {
                candidate,
                similarity,
                scale,
                taken: vec![false; candidate.symbols.len()],
                names: Vec::new(),
                tenths: 0,
            };
            over.follow(query.symbols[anchor..].iter(), (from, to));
            over.follow(query.symbols[..anchor].iter().rev(), (from, to));
            best = best.max(over.tenths);
        }
    }
    best as f64 / (10 * query.symbols.len()) as f64
}

/// The symbols of the query that the candidate has, the rarest there first.
fn anchors(
    query: &Features,
    candidate: &Features,
    similarity: &NameSimilarity,
) -> impl Iterator<Item = usize> {
    let mut rarest = [(usize::MAX, 0); ANCHORS];
    for (at, symbol) in query.symbols.iter().enumerate() {
        // One that is no rarer than these need not be counted to the end.
        let limit = rarest[ANCHORS - 1].0;
        let others = candidate.symbols.iter();
        let similar =
            others.filter(|other| similarity.of(symbol.name, other.name) != Similarity::None);
        let count = similar.take(limit).count();
        if (1..limit).contains(&count) {
            rarest[ANCHORS - 1] = (count, at);
            rarest.sort_unstable();
        }
    }
    let found = rarest.into_iter().filter(|(count, _)| *count < usize::MAX);
    found.map(|(_, at)| at)
}

fn scale(from: &Rect, to: &Rect) -> f64 {
    if from.height() > from.width() {
        to.height() / from.height()
    } else {
        to.width() / from.width().max(1e-6)
    }
}

/// A query that is aligned with a candidate.
struct Overlay<'a> {
    candidate: &'a Features,
    similarity: &'a NameSimilarity,
    scale: f64,
    /// Whether each of the candidate's symbols is already matched with one of the query.
    taken: Vec<bool>,
    /// The pairs of names of the query and the candidate that are matched.
    names: Vec<(usize, usize)>,
    /// How much of the query coincides, in tenths of a symbol.
    tenths: u64,
}

impl Overlay<'_> {
    /// Looks for symbols one after the other, from a place in the query and the
    /// same place in the candidate.
    fn follow<'q>(
        &mut self,
        symbols: impl Iterator<Item = &'q NamedSymbol>,
        (mut last, mut place): (Rect, Rect),
    ) {
        for NamedSymbol { name, rect } in symbols {
            let x = place.x1 + self.scale * (rect.x1 - last.x1);
            let y = place.y1 + self.scale * (rect.y1 - last.y1);
            if let Some(nearest) = self.nearest(*name, x, y) {
                let NamedSymbol {
                    name: other,
                    rect: there,
                } = self.candidate.symbols[nearest];
                self.taken[nearest] = true;
                let known = self.names.iter().find(|(a, b)| a == name || *b == other);
                if known.is_none_or(|known| *known == (*name, other)) {
                    let is_same = self.similarity.of(*name, other) == Similarity::Same;
                    self.tenths += if is_same { 10 } else { 7 };
                    self.names.push((*name, other));
                }
                (last, place) = (*rect, there);
            }
        }
    }

    /// The symbol nearest to a place that may stand for a name there.
    fn nearest(&self, name: usize, x: f64, y: f64) -> Option<usize> {
        let reach = REACH * self.scale;
        let symbols = &self.candidate.symbols;
        // They are in the order of their right edges.
        let first = symbols.partition_point(|symbol| symbol.rect.x1 < x - reach);
        let mut nearest = None;
        for (at, NamedSymbol { name: other, rect }) in symbols.iter().enumerate().skip(first) {
            if rect.x1 > x + reach {
                break;
            }
            let far = (rect.x1 - x).abs().max((rect.y1 - y).abs());
            let is_nearer = far <= reach && nearest.is_none_or(|(best, _)| far < best);
            if is_nearer && !self.taken[at] && self.similarity.of(name, *other) != Similarity::None
            {
                nearest = Some((far, at));
            }
        }
        nearest.map(|(_, at)| at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout;

    fn of(query: &str, candidate: &str) -> f64 {
        let features = |latex: &str| Features::new(&layout::latex(latex).unwrap());
        let (query, candidate) = (features(query), features(candidate));
        part(&query, &candidate, &NameSimilarity::new(&query, &candidate))
    }

    #[test]
    fn a_part_is_found_wherever_it_stands() {
        let query = r"\frac{a+b}{c}";
        assert_eq!(of(query, query), 1.0);
        assert_eq!(of(query, r"x=\int_0^1 \frac{a+b}{c} dx"), 1.0);
        assert_eq!(of(query, r"\sqrt{1+\frac{a+b}{c}}"), 1.0);
        // As a power it is smaller; in fractions of fractions too.
        assert!(of("a+b=c", r"e^{a+b=c}") > 0.9);
    }

    #[test]
    fn other_letters_are_renamed_alike() {
        let renamed = of("x+y=xy", "1-(p+q=pq)");
        assert!(renamed > of("x+y=xy", "1-(p+q=qp)"), "{renamed}");
        assert!(renamed < 1.0 && renamed > 0.7, "{renamed}");
    }

    #[test]
    fn what_stands_otherwise_is_no_part() {
        assert!(of(r"\frac{a}{b}", "a-b") < 0.7);
        assert_eq!(of("+", "-"), 0.0);
    }
}
