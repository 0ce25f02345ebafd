//! Marks: the things that a renderer draws, and the rules that join them into symbols.
//!
//! A renderer's stroke is often less than a symbol: a tall brace is five
//! pieces, a root is a glyph and a line, `≠` is a slash and `=`. The rules
//! here need only the drawing order and the places of marks.

use super::stretchy::{self, Stroke};
use super::{Layout, LayoutError, Rect, Symbol, SymbolId, identity};

/// One thing drawn.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Mark {
    /// A glyph, already by its identity, or a piece of an assembled one.
    Glyph(char, Rect),
    /// A filled rectangle: a fraction bar, an over- or underline, a table rule.
    Rule(Rect),
    /// An outlined rectangle.
    #[cfg_attr(not(feature = "svg"), allow(dead_code))]
    Frame(Rect),
    /// An unnamed contour.
    Stroke(Stroke),
}

/// The slash that KaTeX overlays on a negated symbol.
const NOT: char = '\u{E020}';
/// A frame around a formula.
const FRAME: char = '▭';
/// A horizontal rule.
const BAR: char = '-';
/// The largest thickness of a rule, in parts of its length.
const RULE_ASPECT: f64 = 0.5;
/// How far apart, in parts of a symbol's height, things are that touch.
const TOUCH: f64 = 0.12;

/// Joins marks into the symbols that they draw.
pub(super) fn assemble(marks: &[Mark]) -> Result<Layout, LayoutError> {
    let mut symbols = Vec::with_capacity(marks.len());
    let mut rest = marks;
    while !rest.is_empty() {
        let (symbol, used) = next_symbol(rest, symbols.last());
        match symbol {
            Next::New(symbol) => symbols.push(symbol),
            Next::Joins(symbol) => {
                symbols.pop();
                symbols.push(symbol);
            }
            Next::Nothing => {}
        }
        rest = &rest[used.max(1)..];
    }
    Layout::new(symbols)
}

/// The symbol that the next marks make.
enum Next {
    New(Symbol),
    /// They belong to the symbol before them, which becomes this symbol.
    Joins(Symbol),
    Nothing,
}

fn symbol(c: char, rect: Rect) -> Symbol {
    Symbol {
        id: SymbolId::Char(c),
        rect,
    }
}

fn next_symbol(marks: &[Mark], before: Option<&Symbol>) -> (Next, usize) {
    match &marks[0] {
        Mark::Glyph(c, rect) => glyph(*c, *rect, marks, before),
        Mark::Rule(rect) => rule(*rect, marks),
        Mark::Frame(rect) => (Next::New(symbol(FRAME, *rect)), 1),
        Mark::Stroke(_) => stroke(marks, before),
    }
}

fn glyph(c: char, rect: Rect, marks: &[Mark], before: Option<&Symbol>) -> (Next, usize) {
    if is_piece(c) {
        return pieces(marks);
    }
    match (c, marks.get(1)) {
        (NOT, Some(Mark::Glyph(base, base_rect))) => match identity::negated(*base) {
            Some(negated) => (Next::New(symbol(negated, rect.union(base_rect))), 2),
            None => (Next::New(symbol('\u{0338}', rect)), 1),
        },
        (NOT, _) => (Next::New(symbol('\u{0338}', rect)), 1),
        ('√', Some(Mark::Rule(bar))) if tops_off(&rect, bar) => {
            (Next::New(symbol('√', rect.union(bar))), 2)
        }
        ('/', _) if before.is_some_and(|s| is_crossed(s, &rect)) => {
            let whole = before.map_or(rect, |s| s.rect.union(&rect));
            (Next::Joins(symbol('∉', whole)), 1)
        }
        _ => (Next::New(symbol(c, rect)), 1),
    }
}

/// KaTeX draws `\notin` as `∈` and a `/` within it.
fn is_crossed(before: &Symbol, slash: &Rect) -> bool {
    before.id == SymbolId::Char('∈') && before.rect.contains(slash.center())
}

/// Whether the rule continues a root sign at its top right.
fn tops_off(root: &Rect, bar: &Rect) -> bool {
    let near = TOUCH * root.height();
    (bar.x0 - root.x1).abs() < near && (bar.y0 - root.y0).abs() < near
}

fn is_piece(c: char) -> bool {
    matches!(c as u32, 0x239B..=0x23AD)
}

/// An assembled delimiter: pieces, and the rectangles that lengthen it.
fn pieces(marks: &[Mark]) -> (Next, usize) {
    let mut parts = Vec::new();
    let mut whole: Option<Rect> = None;
    let mut used = 0;
    for mark in marks {
        let (part, rect) = match mark {
            Mark::Glyph(c, rect) if is_piece(*c) && !begins_another(*c, &parts) => {
                (Some(*c), *rect)
            }
            Mark::Stroke(stroke) if stroke.is_upright_bar() => (None, stroke.rect()),
            _ => break,
        };
        if whole.is_some_and(|w| rect.x0 > w.x1 || rect.x1 < w.x0) {
            break;
        }
        parts.extend(part);
        whole = Some(whole.map_or(rect, |w| w.union(&rect)));
        used += 1;
    }
    match (identity::assembled(&parts), whole) {
        (Some(c), Some(rect)) => (Next::New(symbol(c, rect)), used),
        _ => (Next::Nothing, used.max(1)),
    }
}

/// A piece comes once in a delimiter, extenders apart; twice is two delimiters.
fn begins_another(c: char, parts: &[char]) -> bool {
    let extender = matches!(c as u32, 0x239C | 0x239F | 0x23A2 | 0x23A5 | 0x23AA);
    !extender && parts.contains(&c)
}

/// A rule, a frame of four, or a dashed line of many.
fn rule(rect: Rect, marks: &[Mark]) -> (Next, usize) {
    if let Some(frame) = frame(marks) {
        return (Next::New(symbol(FRAME, frame)), 4);
    }
    let (width, height) = (rect.width(), rect.height());
    if width >= height {
        let c = if height <= RULE_ASPECT * width {
            BAR
        } else {
            '■'
        };
        return (Next::New(symbol(c, rect)), 1);
    }
    if width > RULE_ASPECT * height {
        return (Next::New(symbol('■', rect)), 1);
    }
    let dashes = marks.iter().map_while(|mark| match mark {
        Mark::Rule(dash) if continues(&rect, dash) => Some(*dash),
        _ => None,
    });
    let (whole, used) = dashes.fold((rect, 0), |(whole, n), dash| (whole.union(&dash), n + 1));
    (Next::New(symbol('|', whole)), used)
}

/// Whether an upright dash stands in the line of another.
fn continues(first: &Rect, dash: &Rect) -> bool {
    let slack = TOUCH * first.width();
    (dash.x0 - first.x0).abs() <= slack && (dash.x1 - first.x1).abs() <= slack
}

/// Four rules that are the top, bottom, left and right of one box.
fn frame(marks: &[Mark]) -> Option<Rect> {
    let [
        Mark::Rule(top),
        Mark::Rule(bottom),
        Mark::Rule(left),
        Mark::Rule(right),
        ..,
    ] = marks
    else {
        return None;
    };
    let whole = top.union(bottom);
    let near = |a: f64, b: f64| (a - b).abs() < 0.02 * whole.height();
    let fits = near(left.x0, whole.x0)
        && near(right.x1, whole.x1)
        && near(left.height(), whole.height())
        && near(right.height(), whole.height())
        && top.y0 < bottom.y0;
    fits.then_some(whole)
}

/// A stretchy symbol drawn by one or more contours.
fn stroke(marks: &[Mark], before: Option<&Symbol>) -> (Next, usize) {
    let strokes: Vec<&Stroke> = marks
        .iter()
        .map_while(|mark| match mark {
            Mark::Stroke(stroke) => Some(stroke),
            _ => None,
        })
        .take(stretchy::MOST_STROKES)
        .collect();
    let (id, used) = stretchy::recognize(&strokes);
    let rect = strokes[..used]
        .iter()
        .map(|stroke| stroke.rect())
        .reduce(|a, b| a.union(&b))
        .unwrap_or_else(|| strokes[0].rect());
    if let (SymbolId::Char(stretchy::RING), Some(before)) = (id, before)
        && let Some(c) = ringed(before, &rect)
    {
        return (Next::Joins(symbol(c, before.rect.union(&rect))), used);
    }
    if matches!(id, SymbolId::Shape(_)) && strokes[0].is_rectangle() {
        return rule(rect, &[Mark::Rule(rect)]);
    }
    (Next::New(Symbol { id, rect }), used)
}

/// KaTeX draws `\oiint` as `∬` and a ring through it.
fn ringed(before: &Symbol, ring: &Rect) -> Option<char> {
    let c = match before.id {
        SymbolId::Char('∬') => '∯',
        SymbolId::Char('∭') => '∰',
        _ => return None,
    };
    before.rect.contains(ring.center()).then_some(c)
}

#[cfg(test)]
mod tests;
