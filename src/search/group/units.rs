//! The parts of a drawing: fractions and roots with what is in them, in the drawing's order.

use crate::layout::{Layout, Rect, Symbol, SymbolId, natural};

/// A horizontal rule, which is the bar of a fraction, an overline or an underline.
const BAR: SymbolId = SymbolId::Char('-');
const ROOT: SymbolId = SymbolId::Char('√');
/// Symbols that are drawn larger than the letters of their line.
const STRETCHED: &str = "()[]{}⟨⟩|∥⌈⌊⌉⌋/∖↑↓↕⇑⇓⇕∑∏∐∫∬∭∮⋃⋂⨁⨂⨀⨄⨆⋁⋀";
/// A symbol that may be stretched is, where it is larger than this.
const UNSTRETCHED: f64 = 1.05;
/// How far beside a bar the centre of something over or under it may be, in em.
const BESIDE: f64 = 0.02;
/// Parts are not taken apart any deeper.
const MAX_DEPTH: usize = 40;
/// How far the two sides of a symbol may differ in size, for the size to be known.
const SIZE_SLACK: f64 = 0.25;
/// The error of a length that is kept in steps, in em.
const STEP: f64 = 1.0 / 32.0;

/// A part of a drawing.
#[derive(Debug)]
pub(super) struct Unit {
    pub(super) symbol: Symbol,
    /// What is over its bar, or under its root.
    pub(super) over: Vec<Unit>,
    /// What is under its bar.
    pub(super) under: Vec<Unit>,
    /// The box of all of it.
    pub(super) rect: Rect,
    depth: usize,
}

/// Where the line is that a unit stands on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    /// The height of its axis, which goes through the middle of signs such as + and =.
    pub(super) axis: f64,
    /// The size of its letters, in em; none where the unit does not tell.
    pub(super) size: Option<f64>,
}

impl Unit {
    fn new(symbol: Symbol) -> Self {
        Unit {
            rect: symbol.rect,
            symbol,
            over: Vec::new(),
            under: Vec::new(),
            depth: 0,
        }
    }

    /// The same with units in it.
    fn holding(self, over: Vec<Unit>, under: Vec<Unit>) -> Self {
        let inner = || over.iter().chain(&under);
        Unit {
            rect: inner().fold(self.rect, |rect, unit| rect.union(&unit.rect)),
            depth: 1 + inner().map(|unit| unit.depth).max().unwrap_or(0),
            over,
            under,
            ..self
        }
    }

    pub(super) fn is_plain(&self) -> bool {
        self.over.is_empty() && self.under.is_empty()
    }

    /// The line that it stands on.
    pub(super) fn line(&self) -> Line {
        let is_fraction = !self.over.is_empty() && !self.under.is_empty();
        let content = self.over.first().or(self.under.first());
        match content {
            Some(content) if !is_fraction => content.line(),
            _ => line_of(&self.symbol),
        }
    }
}

/// The line of a symbol: glyphs have their places on it.
fn line_of(symbol: &Symbol) -> Line {
    /// How high the axis is over the baseline, in parts of the size.
    const AXIS: f64 = 0.25;
    let Symbol { id, rect } = symbol;
    let middle = rect.center().1;
    // Of several fonts that in which the sides fit best.
    let sizes = natural(*id).iter().filter_map(|natural| {
        let (size, misfit) = size(natural, rect)?;
        Some((size, misfit, natural))
    });
    let known = sizes.min_by(|a, b| a.1.total_cmp(&b.1));
    let may_be_stretched = matches!(id, SymbolId::Char(c) if STRETCHED.contains(*c));
    match known {
        Some((size, _, natural)) if !may_be_stretched || size <= UNSTRETCHED => Line {
            axis: middle - size * (natural.center().1 + AXIS),
            size: Some(size),
        },
        _ => Line {
            axis: middle,
            size: None,
        },
    }
}

/// The size of a glyph in em, and how far its shorter side is from what that makes expect; nothing
/// where it is stretched.
fn size(natural: &Rect, rect: &Rect) -> Option<(f64, f64)> {
    let sides = [
        (rect.width(), natural.width()),
        (rect.height(), natural.height()),
    ];
    let [short, long] = if sides[0].1 < sides[1].1 {
        sides
    } else {
        [sides[1], sides[0]]
    };
    let size = long.0 / long.1.max(STEP);
    let expected = size * short.1;
    let misfit = (short.0 - expected).abs();
    (misfit <= SIZE_SLACK * expected + STEP).then_some((size, misfit))
}

/// The parts of a layout. A renderer draws what is over and under a bar before the bar, and what
/// is under a root after its sign.
pub(super) fn units(layout: &Layout) -> Vec<Unit> {
    let mut roots: Vec<(Symbol, Vec<Unit>)> = Vec::new();
    let mut units = Vec::new();
    for symbol in layout.symbols() {
        let center = symbol.rect.center();
        while let Some((root, inner)) = roots.pop_if(|(root, _)| !root.rect.contains(center)) {
            let root = Unit::new(root).holding(inner, Vec::new());
            list(&mut roots, &mut units).push(root);
        }
        if symbol.id == ROOT && roots.len() < MAX_DEPTH {
            roots.push((*symbol, Vec::new()));
            continue;
        }
        let list = list(&mut roots, &mut units);
        let unit = Unit::new(*symbol);
        if symbol.id == BAR {
            let held = list.len() - held(list, &symbol.rect);
            let (over, under) = list
                .drain(held..)
                .partition(|unit| unit.rect.center().1 < center.1);
            list.push(unit.holding(over, under));
        } else {
            list.push(unit);
        }
    }
    while let Some((root, inner)) = roots.pop() {
        let root = Unit::new(root).holding(inner, Vec::new());
        list(&mut roots, &mut units).push(root);
    }
    units
}

/// The list of the innermost root that is open.
fn list<'a>(roots: &'a mut [(Symbol, Vec<Unit>)], units: &'a mut Vec<Unit>) -> &'a mut Vec<Unit> {
    roots.last_mut().map_or(units, |(_, inner)| inner)
}

/// How many of the last units stand over or under a bar.
fn held(units: &[Unit], bar: &Rect) -> usize {
    let is_held = |unit: &&Unit| {
        let x = unit.rect.center().0;
        unit.depth < MAX_DEPTH && (bar.x0 - BESIDE..=bar.x1 + BESIDE).contains(&x)
    };
    units.iter().rev().take_while(is_held).count()
}
