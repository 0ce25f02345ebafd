//! Whether a query is a part of a larger formula: its symbols, moved and scaled.
//!
//! A symbol of the query that the candidate has seldom is laid over each of these few; the
//! others should then stand where they stand in the query. Since other letters are
//! wider or narrower, each is looked for from where the last one was found.

use super::alike::{Alike, Like};
use super::form::Form;
use crate::layout::Rect;

/// How far from its place a symbol may be, in em of the query's size.
const NEAR: f64 = 0.35;
/// Symbols that are laid over.
const ANCHORS: usize = 2;
/// Places that one is laid over.
const PLACES: usize = 4;

/// How much of the query stands in the candidate as it does in itself: 1 is all of it.
pub(super) fn part(query: &Form, candidate: &Form, alike: &Alike) -> f64 {
    let mut best = 0;
    for anchor in anchors(query, candidate, alike) {
        let (name, from) = query.symbols[anchor];
        let symbols = candidate.symbols.iter();
        let places = symbols.map(|(other, to)| (alike.of(name, *other), to));
        let places = places.filter(|(like, _)| *like != Like::Not);
        for (like, to) in places.take(PLACES) {
            // Only the same symbol tells its size.
            let scale = if like == Like::Same {
                scale(&from, to)
            } else {
                1.0
            };
            let mut over = Over {
                candidate,
                alike,
                scale,
                taken: vec![false; candidate.symbols.len()],
                names: Vec::new(),
                tenths: 0,
            };
            over.follow(query.symbols[anchor..].iter(), (from, *to));
            over.follow(query.symbols[..anchor].iter().rev(), (from, *to));
            best = best.max(over.tenths);
        }
    }
    best as f64 / (10 * query.symbols.len()) as f64
}

/// The symbols of the query that the candidate has, the rarest there first.
fn anchors(query: &Form, candidate: &Form, alike: &Alike) -> impl Iterator<Item = usize> {
    let mut rarest = [(usize::MAX, 0); ANCHORS];
    for (at, (name, _)) in query.symbols.iter().enumerate() {
        // What is no rarer than the last of them need not be counted out.
        let limit = rarest[ANCHORS - 1].0;
        let others = candidate.symbols.iter();
        let like = others.filter(|(other, _)| alike.of(*name, *other) != Like::Not);
        let count = like.take(limit).count();
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

/// A query that is laid over a candidate.
struct Over<'a> {
    candidate: &'a Form,
    alike: &'a Alike,
    scale: f64,
    /// The candidate's symbols that stand for one already.
    taken: Vec<bool>,
    /// Which name stands for which.
    names: Vec<(usize, usize)>,
    /// What is found, in tenths of a symbol.
    tenths: u64,
}

impl Over<'_> {
    /// Looks for symbols one after the other, from a place in the query and the
    /// same place in the candidate.
    fn follow<'q>(
        &mut self,
        symbols: impl Iterator<Item = &'q (usize, Rect)>,
        (mut last, mut place): (Rect, Rect),
    ) {
        for (name, rect) in symbols {
            let x = place.x1 + self.scale * (rect.x1 - last.x1);
            let y = place.y1 + self.scale * (rect.y1 - last.y1);
            if let Some(nearest) = self.nearest(*name, x, y) {
                let (other, there) = self.candidate.symbols[nearest];
                self.taken[nearest] = true;
                let known = self.names.iter().find(|(a, b)| a == name || *b == other);
                if known.is_none_or(|known| *known == (*name, other)) {
                    let is_same = self.alike.of(*name, other) == Like::Same;
                    self.tenths += if is_same { 10 } else { 7 };
                    self.names.push((*name, other));
                }
                (last, place) = (*rect, there);
            }
        }
    }

    /// The symbol nearest to a place that may stand for a name there.
    fn nearest(&self, name: usize, x: f64, y: f64) -> Option<usize> {
        let reach = NEAR * self.scale;
        let symbols = &self.candidate.symbols;
        // They are in the order of their right edges.
        let first = symbols.partition_point(|(_, rect)| rect.x1 < x - reach);
        let mut nearest = None;
        for (at, (other, rect)) in symbols.iter().enumerate().skip(first) {
            if rect.x1 > x + reach {
                break;
            }
            let far = (rect.x1 - x).abs().max((rect.y1 - y).abs());
            let is_nearer = far <= reach && nearest.is_none_or(|(best, _)| far < best);
            if is_nearer && !self.taken[at] && self.alike.of(name, *other) != Like::Not {
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
        let form = |latex: &str| Form::new(&layout::latex(latex).unwrap());
        let (query, candidate) = (form(query), form(candidate));
        part(&query, &candidate, &Alike::new(&query, &candidate))
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
