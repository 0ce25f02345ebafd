//! Which symbols stand next to each other, and how.

use std::fmt;

use crate::layout::{Rect, Symbol};

/// The direction of a neighbour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// To the right, on the line.
    Right,
    /// To the right and higher: a superscript, a numerator after its sign.
    UpRight,
    /// To the right and lower.
    DownRight,
    /// Below.
    Below,
}

impl Relation {
    /// All of them.
    pub const ALL: [Relation; 4] = [
        Relation::Right,
        Relation::UpRight,
        Relation::DownRight,
        Relation::Below,
    ];
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Relation::Right => "→",
            Relation::UpRight => "↗",
            Relation::DownRight => "↘",
            Relation::Below => "↓",
        })
    }
}

/// How far a neighbour may be, in em.
const REACH: f64 = 1.5;
/// Centres that are no higher or lower than this are on one line.
const LINE: f64 = 0.35;
/// Centres that are higher or lower than this are off the line, where the
/// symbols do not reach each other's.
const OFF_LINE: f64 = 0.2;
/// The weight of a vertical distance, relative to a horizontal one.
const SLANT: f64 = 0.3;

/// For every symbol its nearest neighbour in each direction: two places among
/// the symbols, and how the second stands to the first.
pub fn neighbours(symbols: &[Symbol]) -> Vec<(usize, usize, Relation)> {
    // Left to right, so that what begins too far right ends the search; it
    // begins where anything reaches as far as the symbol does.
    let rects = symbols.iter().map(|symbol| symbol.rect);
    let mut by_left: Vec<(Rect, usize)> = rects.zip(0..).collect();
    by_left.sort_by(|(a, _), (b, _)| a.x0.total_cmp(&b.x0));
    let mut farthest = f64::NEG_INFINITY;
    let reached: Vec<f64> = by_left
        .iter()
        .map(|(rect, _)| {
            farthest = farthest.max(rect.x1);
            farthest
        })
        .collect();
    let mut found = Vec::with_capacity(2 * symbols.len());
    for (at, symbol) in symbols.iter().enumerate() {
        let mut nearest: [Option<(f64, usize)>; Relation::ALL.len()] = [None; 4];
        let start = reached.partition_point(|reached| *reached < symbol.rect.x0 - 1e-9);
        for &(ref rect, other) in &by_left[start..] {
            if rect.x0 > symbol.rect.x1 + REACH {
                break;
            }
            // What ends before it begins is no neighbour of its.
            if other == at || rect.x1 < symbol.rect.x0 {
                continue;
            }
            if let Some((relation, distance)) = relation(&symbol.rect, rect) {
                let best = &mut nearest[relation as usize];
                // The nearest, and of equals the first.
                if best.is_none_or(|best| (distance, other) < best) {
                    *best = Some((distance, other));
                }
            }
        }
        for relation in Relation::ALL {
            if let Some((_, other)) = nearest[relation as usize] {
                found.push((at, other, relation));
            }
        }
    }
    found
}

/// How `to` stands to `from`, and how far off, if it is a neighbour.
fn relation(from: &Rect, to: &Rect) -> Option<(Relation, f64)> {
    let ((cx, cy), (bx, by)) = (from.center(), to.center());
    let overlap = 0.35 * from.width().min(to.width());
    if to.x0 >= from.x1 - overlap - 1e-9 && bx > cx {
        let gap = (to.x0 - from.x1).max(0.0);
        let relation = if to.y1 < cy && by < cy - OFF_LINE {
            Relation::UpRight
        } else if to.y0 > cy && by > cy + OFF_LINE {
            Relation::DownRight
        } else if (by - cy).abs() < LINE
            || (to.y0 < cy && cy < to.y1)
            || (from.y0 < by && by < from.y1)
        {
            Relation::Right
        } else if by < cy {
            Relation::UpRight
        } else {
            Relation::DownRight
        };
        (gap <= REACH).then(|| (relation, gap + SLANT * (by - cy).abs()))
    } else if to.y0 >= from.y1 - 0.05 && to.x0 < from.x1 && to.x1 > from.x0 {
        let gap = (to.y0 - from.y1).max(0.0);
        (gap <= REACH).then(|| (Relation::Below, gap + SLANT * (bx - cx).abs()))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout;

    fn shown(latex: &str) -> Vec<String> {
        let layout = layout::latex(latex).unwrap();
        let symbols = layout.symbols();
        let mut pairs: Vec<String> = neighbours(symbols)
            .into_iter()
            .map(|(a, b, relation)| format!("{}{relation}{}", symbols[a].id, symbols[b].id))
            .collect();
        pairs.sort();
        pairs
    }

    #[test]
    fn lines_scripts_and_fractions() {
        assert_eq!(shown("x+1"), ["+→1", "𝑥→+"]);
        assert_eq!(shown("x^2"), ["𝑥↗2"]);
        assert_eq!(shown("A_2"), ["𝐴↘2"]);
        // The subscript of a low letter reaches above its centre: as measured, it is on the line.
        assert_eq!(shown("x_2"), ["𝑥→2"]);
        assert_eq!(shown(r"\frac{a}{b}"), ["-↓𝑏", "𝑎↓-"]);
    }
}
