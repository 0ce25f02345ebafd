//! The cells of a picture of regions: a column for each family and formula, a row for each level.

use std::fmt::{Arguments, Write};

use super::regions::Shown;
use super::{EM, ROOM, inner};
use crate::layout::Rect;
use crate::phoc::{Anchor, PhocConfig, Region, RegionFamily};

/// The largest cell, in user units.
const CELL: (f64, f64) = (170.0, 96.0);
/// Room between cells.
const GAP: f64 = 26.0;
/// Room around all.
const MARGIN: f64 = 20.0;
/// The size of labels.
const LABEL: f64 = 0.55;

/// The colour of regions that one formula has.
const OWN: &str = "#9ecbff";
/// The colour of regions that both formulas have.
const SHARED: &str = "#8fd19e";
/// The colour of the edges of regions.
const LINE: &str = "#8a8a8a";
/// The box of the symbol that is looked at.
const BOX: &str = r##"stroke="#c0392b" stroke-width="0.8""##;
/// The part of the box that must touch a region.
const ANCHOR: &str = r##"stroke="#c0392b" stroke-width="1.3""##;
/// Half the size of a dot that shows an anchor that is a point.
const DOT: f64 = 1.0;
/// The boxes of other symbols.
const OTHER_BOX: &str = r##"stroke="#8a8a8a" stroke-width="0.4" stroke-dasharray="1.5 1.5""##;

/// Room for the letters of families, above, and the numbers of levels, to the left.
const LABELS: f64 = 24.0;

/// Draws the regions of the symbols that are looked at.
pub(super) fn draw(config: &PhocConfig, shown: &[Shown]) -> String {
    let page = Page::new(config, shown);
    let mut svg = page.opening();
    let families = config.regions.families().iter();
    for (column, (family, _)) in families.enumerate() {
        let x = page.left(column);
        label(&mut svg, &family.letter().to_string(), (x, MARGIN), 0.8);
        // The whole formula stands with the first family.
        let regions = config.regions.iter();
        let regions: Vec<Region> = regions.filter(|region| region.family == *family).collect();
        for level in regions.chunk_by(|a, b| a.level == b.level) {
            page.draw_level(&mut svg, column, level);
        }
    }
    svg.push_str("</svg>");
    svg
}

/// The picture: what is drawn, and the places of its cells.
struct Page<'a> {
    config: &'a PhocConfig,
    shown: &'a [Shown],
    /// The width and height of each formula's cells.
    cells: Vec<(f64, f64)>,
    /// The word of each formula's symbol.
    words: Vec<u128>,
}

impl<'a> Page<'a> {
    fn new(config: &'a PhocConfig, shown: &'a [Shown]) -> Self {
        let word = |one: &Shown| one.symbol().map_or(0, |(token, _)| token.word);
        Page {
            config,
            shown,
            cells: shown.iter().map(cell_size).collect(),
            words: shown.iter().map(word).collect(),
        }
    }

    /// Where the cells of a family begin.
    fn left(&self, column: usize) -> f64 {
        let width: f64 = self.cells.iter().map(|(width, _)| width + GAP).sum();
        MARGIN + LABELS + width * column as f64
    }

    /// Where the cells of a level begin, from level 1.
    fn top(&self, level: usize) -> f64 {
        let heights = self.cells.iter().map(|(_, height)| *height);
        let row = heights.fold(0.0, f64::max) + GAP;
        MARGIN + LABELS + row * (level - 1) as f64
    }

    /// The beginning of the SVG, with each formula defined.
    fn opening(&self) -> String {
        let families = self.config.regions.families();
        let deepest = families.iter().map(|(_, levels)| *levels).max();
        let width = self.left(families.len()) + MARGIN;
        let height = self.top(deepest.unwrap_or(1) + 1) + MARGIN;
        let mut svg = format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}"><rect width="{width:.0}" height="{height:.0}" fill="#fff"/><defs>"##
        );
        for (number, Shown { drawing, .. }) in self.shown.iter().enumerate() {
            add(&mut svg, format_args!(r#"<g id="f{number}">{drawing}</g>"#));
        }
        svg.push_str("</defs>");
        svg
    }

    /// The cells of one level of a family, one for each formula.
    fn draw_level(&self, svg: &mut String, column: usize, regions: &[Region]) {
        let level = regions[0].level;
        let (mut x, y) = (self.left(column), self.top(level));
        if column == 0 {
            label(svg, &level.to_string(), (MARGIN, y + 8.0), 0.8);
        }
        for (number, shown) in self.shown.iter().enumerate() {
            let (width, height) = self.cells[number];
            let cell = Cell {
                shown,
                number,
                place: Rect::new(x, y, x + width, y + height),
                anchor: self.config.anchor,
            };
            let fills = regions.iter().map(|region| self.fill(number, region.bit));
            let fills: Vec<Option<&str>> = fills.collect();
            cell.draw(svg, regions, &fills);
            x += width + GAP;
        }
    }

    /// The colour of a region of a formula, if its symbol stands there.
    fn fill(&self, number: usize, bit: usize) -> Option<&'static str> {
        let has = |word: &u128| word >> bit & 1 == 1;
        let is_shared = self.words.len() > 1 && self.words.iter().all(has);
        has(&self.words[number]).then_some(if is_shared { SHARED } else { OWN })
    }
}

/// The size of a formula's cell.
fn cell_size(shown: &Shown) -> (f64, f64) {
    let rect = shown.layout.rect();
    let (width, height) = (rect.width().max(0.05), rect.height().max(0.05));
    let scale = (CELL.0 / width).min(CELL.1 / height);
    (width * scale, height * scale)
}

/// One formula at one level.
struct Cell<'a> {
    shown: &'a Shown,
    /// The number of its definition.
    number: usize,
    place: Rect,
    anchor: Anchor,
}

impl Cell<'_> {
    /// Draws the regions, the formula, the boxes of its symbols, and the bits below.
    fn draw(&self, svg: &mut String, regions: &[Region], fills: &[Option<&str>]) {
        let (x, y) = (self.place.x0, self.place.y0);
        add(
            svg,
            format_args!(r#"<g transform="translate({x:.2} {y:.2})">"#),
        );
        let size = (self.place.width(), self.place.height());
        for (region, fill) in regions.iter().zip(fills) {
            let (path, fill) = (region_path(region, size), fill.unwrap_or("none"));
            add(
                svg,
                format_args!(
                    r#"<path d="{path}" fill="{fill}" fill-rule="evenodd" stroke="{LINE}" stroke-width="0.7"/>"#
                ),
            );
        }
        self.draw_formula(svg);
        svg.push_str("</g>");
        let bits = fills.iter();
        let bits: String = bits
            .map(|fill| if fill.is_some() { '1' } else { '0' })
            .collect();
        let below = (x, self.place.y1 + 4.0);
        label(svg, &format!(r"\mathtt{{{bits}}}"), below, LABEL);
    }

    /// The formula, and the boxes of its symbols.
    fn draw_formula(&self, svg: &mut String) {
        let rect = self.shown.layout.rect();
        let scale = self.place.width() / rect.width().max(0.05) / EM;
        let (dx, dy) = (ROOM + EM * rect.x0, ROOM + EM * rect.y0);
        add(
            svg,
            format_args!(
                r##"<use xlink:href="#f{}" transform="scale({scale:.4}) translate({:.3} {:.3})"/>"##,
                self.number, -dx, -dy
            ),
        );
        let em = scale * EM;
        let mut outline = |of: &Rect, stroke: &str| {
            add(
                svg,
                format_args!(
                    r#"<path d="M{:.2} {:.2}h{:.2}v{:.2}h{:.2}z" fill="none" {stroke}/>"#,
                    (of.x0 - rect.x0) * em,
                    (of.y0 - rect.y0) * em,
                    of.width() * em,
                    of.height() * em,
                    -of.width() * em
                ),
            );
        };
        for symbol in self.shown.layout.symbols() {
            outline(&symbol.rect, OTHER_BOX);
        }
        for of in self.shown.symbol().iter().flat_map(|(_, boxes)| boxes) {
            outline(of, BOX);
            let anchor = self.anchor.of(of);
            match self.anchor {
                Anchor::Box => {}
                Anchor::Line => outline(&anchor, ANCHOR),
                Anchor::Centroid => {
                    let (x, y, dot) = (anchor.x0, anchor.y0, DOT / em);
                    outline(&Rect::new(x - dot, y - dot, x + dot, y + dot), ANCHOR);
                }
            }
        }
    }
}

/// The outline of a region in a cell of this size.
fn region_path(region: &Region, size: (f64, f64)) -> String {
    let ((width, height), (from, to)) = (size, region.span);
    match region.family {
        _ if region.level == 1 => rectangle(1.0, size),
        RegionFamily::X => {
            let (x, w) = (width * from, width * (to - from));
            format!("M{x:.2} 0h{w:.2}v{height:.2}h{:.2}z", -w)
        }
        RegionFamily::Y => {
            let (y, h) = (height * from, height * (to - from));
            format!("M0 {y:.2}h{width:.2}v{h:.2}h{:.2}z", -width)
        }
        RegionFamily::Ellipse if to.is_infinite() => {
            rectangle(1.0, size) + &ring(ellipse, from, size)
        }
        RegionFamily::Ellipse => ellipse(2.0 * to, size) + &ring(ellipse, from, size),
        RegionFamily::Rectangle => rectangle(2.0 * to, size) + &ring(rectangle, from, size),
    }
}

/// The inner edge of a ring, unless it begins at the centre; `from` is a part of the size.
fn ring(edge: fn(f64, (f64, f64)) -> String, from: f64, size: (f64, f64)) -> String {
    if from > 0.0 {
        edge(2.0 * from, size)
    } else {
        String::new()
    }
}

/// An ellipse around the centre of a cell, which takes this part of its size.
fn ellipse(part: f64, (width, height): (f64, f64)) -> String {
    let (rx, ry) = (width / 2.0 * part, height / 2.0 * part);
    let (cx, cy) = (width / 2.0, height / 2.0);
    format!(
        "M{:.2} {cy:.2}a{rx:.2} {ry:.2} 0 1 0 {:.2} 0a{rx:.2} {ry:.2} 0 1 0 {:.2} 0z",
        cx - rx,
        2.0 * rx,
        -2.0 * rx
    )
}

/// A rectangle around the centre of a cell, which takes this part of its size.
fn rectangle(part: f64, (width, height): (f64, f64)) -> String {
    let (w, h) = (width * part, height * part);
    let (x, y) = ((width - w) / 2.0, (height - h) / 2.0);
    format!("M{x:.2} {y:.2}h{w:.2}v{h:.2}h{:.2}z", -w)
}

/// Draws text as a formula, so that no font is needed.
fn label(svg: &mut String, latex: &str, (x, y): (f64, f64), size: f64) {
    if let Ok((_, drawing)) = inner(latex) {
        let room = ROOM * size;
        add(
            svg,
            format_args!(
                r#"<g transform="translate({:.2} {:.2}) scale({size})">{drawing}</g>"#,
                x - room,
                y - room
            ),
        );
    }
}

/// Writing to a string cannot fail.
fn add(svg: &mut String, what: Arguments) {
    let _ = svg.write_fmt(what);
}
