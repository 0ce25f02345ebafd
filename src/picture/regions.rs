//! Regions drawn: in which of them a symbol stands, level by level, as in the papers' first
//! figure; for two formulas, which they share, as in the second.

use std::fmt::Write;

use super::{EM, PictureError, ROOM, inner};
use crate::layout::{self, Layout, Rect, SymbolId};
use crate::phoc::{Anchor, Encoded, PhocConfig, RegionFamily, encode, fold};

/// The largest cell, in user units.
const CELL: (f64, f64) = (170.0, 96.0);
/// Room between cells.
const GAP: f64 = 26.0;
/// Room around all.
const MARGIN: f64 = 20.0;
/// The size of labels.
const LABEL: f64 = 0.55;

/// Regions that one formula has, that both have, lines; the boxes of the symbol that is
/// looked at, what of them stands for it, and the boxes of others.
const OWN: &str = "#9ecbff";
const SHARED: &str = "#8fd19e";
const LINE: &str = "#8a8a8a";
const BOX: &str = r##"stroke="#c0392b" stroke-width="0.8""##;
const STANDS: &str = r##"stroke="#c0392b" stroke-width="1.3""##;
/// Half the size of what stands for a symbol that is a point.
const DOT: f64 = 1.0;
const OTHER_BOX: &str = r##"stroke="#8a8a8a" stroke-width="0.4" stroke-dasharray="1.5 1.5""##;

/// A formula with its picture and the symbol that is looked at.
struct Shown {
    layout: Layout,
    /// What is drawn, without the tag around it.
    drawing: String,
    /// Its symbols, and which of them is looked at.
    symbols: Vec<Encoded>,
    symbol: Option<usize>,
}

impl Shown {
    fn symbol(&self) -> Option<&Encoded> {
        self.symbol.map(|at| &self.symbols[at])
    }
}

/// Draws the regions of a symbol: of the first, where none is named. With another formula
/// the same symbol of both, and what they share.
///
/// # Errors
/// When a formula cannot be laid out or does not have the symbol.
pub fn regions(
    config: &PhocConfig,
    latex: &str,
    symbol: Option<&str>,
    against: Option<&str>,
) -> Result<String, PictureError> {
    let mut shown = Vec::new();
    for latex in std::iter::once(latex).chain(against) {
        let (layout, drawing) = inner(latex).map_err(|source| PictureError::Layout {
            latex: latex.to_owned(),
            source,
        })?;
        let tokens = encode(&layout, config).into_iter();
        shown.push(Shown {
            layout,
            drawing,
            symbols: tokens.filter(|token| token.key.is_symbol()).collect(),
            symbol: None,
        });
    }
    let first = shown[0].layout.symbols().first();
    let wanted = match symbol {
        Some(name) => of_name(name),
        None => first.map(|symbol| symbol.id),
    };
    for one in &mut shown {
        // The symbol itself before what is the same letter in another shape.
        let is = |fold: fn(SymbolId) -> SymbolId| {
            let is_wanted =
                |at: &usize| Some(fold(one.symbols[*at].key.symbol)) == wanted.map(fold);
            (0..one.symbols.len()).find(is_wanted)
        };
        one.symbol = is(|id| id).or_else(|| is(fold));
    }
    if shown[0].symbol.is_none() {
        let symbols = shown[0].symbols.iter();
        let mut symbols: Vec<String> = symbols.map(|token| token.key.symbol.to_string()).collect();
        symbols.dedup();
        return Err(PictureError::NoSymbol {
            symbol: symbol.unwrap_or_default().to_owned(),
            latex: latex.to_owned(),
            symbols: symbols.join(" "),
        });
    }
    Ok(draw(config, &shown))
}

/// The symbol that is called so: by its number, as in U+002D, by its LaTeX, or by itself.
fn of_name(name: &str) -> Option<SymbolId> {
    let number = name.strip_prefix("U+");
    let number = number.and_then(|hex| char::from_u32(u32::from_str_radix(hex, 16).ok()?));
    let laid_out = || match layout::latex(name).ok()?.symbols() {
        [symbol] => Some(symbol.id),
        _ => None,
    };
    let itself = || name.chars().next().filter(|c| c.len_utf8() == name.len());
    (number.map(SymbolId::Char))
        .or_else(laid_out)
        .or_else(|| itself().map(SymbolId::Char))
}

/// The size of a formula's cell.
fn cell(shown: &Shown) -> (f64, f64) {
    let rect = shown.layout.rect();
    let (width, height) = (rect.width().max(0.05), rect.height().max(0.05));
    let scale = (CELL.0 / width).min(CELL.1 / height);
    (width * scale, height * scale)
}

fn draw(config: &PhocConfig, shown: &[Shown]) -> String {
    let words: Vec<u128> = shown
        .iter()
        .map(|one| one.symbol().map_or(0, |token| token.word))
        .collect();
    let both = words.iter().fold(u128::MAX, |both, word| both & word);
    let cells: Vec<(f64, f64)> = shown.iter().map(cell).collect();
    let (parts, deepest) = (
        config.regions.families(),
        config
            .regions
            .families()
            .iter()
            .map(|(_, levels)| *levels)
            .max(),
    );
    let deepest = deepest.unwrap_or(1);
    let column: f64 = cells.iter().map(|(width, _)| width + GAP).sum::<f64>();
    let row = cells.iter().map(|(_, height)| *height).fold(0.0, f64::max) + GAP;
    let left = MARGIN + 24.0;
    let top = MARGIN + 24.0;
    let (width, height) = (
        left + column * parts.len() as f64 + MARGIN,
        top + row * deepest as f64 + MARGIN,
    );
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}"><rect width="{width:.0}" height="{height:.0}" fill="#fff"/><defs>"##
    );
    for (at, one) in shown.iter().enumerate() {
        add(
            &mut svg,
            format_args!(r#"<g id="f{at}">{}</g>"#, one.drawing),
        );
    }
    svg.push_str("</defs>");
    let mut bit = 0;
    for (column_at, (part, levels)) in parts.iter().enumerate() {
        let x = left + column * column_at as f64;
        label(&mut svg, &part.letter().to_string(), (x, MARGIN), 0.8);
        for level in 1..=*levels {
            // The whole formula stands with the first part.
            if level == 1 && column_at > 0 {
                continue;
            }
            let y = top + row * (level - 1) as f64;
            if column_at == 0 {
                label(&mut svg, &level.to_string(), (MARGIN, y + 8.0), 0.8);
            }
            let mut at_x = x;
            for (at, one) in shown.iter().enumerate() {
                let regions: Vec<Region> = (0..level)
                    .map(|region| Region {
                        part: *part,
                        level,
                        region,
                        fill: match (words[at] >> (bit + region) & 1, both >> (bit + region) & 1) {
                            (0, _) => None,
                            (_, 1) if shown.len() > 1 => Some(SHARED),
                            _ => Some(OWN),
                        },
                    })
                    .collect();
                let stands = (&regions[..], config.anchor);
                draw_cell(&mut svg, one, at, (at_x, y), cells[at], stands);
                at_x += cells[at].0 + GAP;
            }
            bit += level;
        }
    }
    svg.push_str("</svg>");
    svg
}

struct Region {
    part: RegionFamily,
    level: usize,
    region: usize,
    fill: Option<&'static str>,
}

/// One formula at one level: its regions, itself, its symbols' boxes, the bits below.
fn draw_cell(
    svg: &mut String,
    shown: &Shown,
    at: usize,
    (x, y): (f64, f64),
    (width, height): (f64, f64),
    (regions, anchor): (&[Region], Anchor),
) {
    add(
        svg,
        format_args!(r#"<g transform="translate({x:.2} {y:.2})">"#),
    );
    for region in regions {
        draw_region(svg, region, width, height);
    }
    let rect = shown.layout.rect();
    let scale = width / rect.width().max(0.05) / EM;
    let (dx, dy) = (ROOM + EM * rect.x0, ROOM + EM * rect.y0);
    add(
        svg,
        format_args!(
            r##"<use xlink:href="#f{at}" transform="scale({scale:.4}) translate({:.3} {:.3})"/>"##,
            -dx, -dy
        ),
    );
    let em = scale * EM;
    let mut outlined = |of: &Rect, stroke: &str| {
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
    for symbol in shown.layout.symbols() {
        outlined(&symbol.rect, OTHER_BOX);
    }
    for of in shown.symbol().iter().flat_map(|token| &token.rects) {
        outlined(of, BOX);
        let stands = anchor.of(of);
        match anchor {
            Anchor::Box => {}
            Anchor::Line => outlined(&stands, STANDS),
            Anchor::Centroid => {
                let (x, y, dot) = (stands.x0, stands.y0, DOT / em);
                outlined(&Rect::new(x - dot, y - dot, x + dot, y + dot), STANDS);
            }
        }
    }
    svg.push_str("</g>");
    let bits: String = regions
        .iter()
        .map(|region| if region.fill.is_some() { '1' } else { '0' })
        .collect();
    label(
        svg,
        &format!(r"\mathtt{{{bits}}}"),
        (x, y + height + 4.0),
        LABEL,
    );
}

/// A region of a cell: filled, with its edge.
fn draw_region(svg: &mut String, region: &Region, width: f64, height: f64) {
    let Region {
        part,
        level,
        region,
        fill,
    } = region;
    let fill = fill.unwrap_or("none");
    let paint = format!(r#"fill="{fill}" fill-rule="evenodd" stroke="{LINE}" stroke-width="0.7""#);
    let (n, at) = (*level as f64, *region as f64);
    // Around the centre, by parts of half the size.
    let ellipse = |part: f64| {
        let (rx, ry) = (width / 2.0 * part, height / 2.0 * part);
        let (cx, cy) = (width / 2.0, height / 2.0);
        format!(
            "M{:.2} {cy:.2}a{rx:.2} {ry:.2} 0 1 0 {:.2} 0a{rx:.2} {ry:.2} 0 1 0 {:.2} 0z",
            cx - rx,
            2.0 * rx,
            -2.0 * rx
        )
    };
    let rectangle = |part: f64| {
        let (w, h) = (width * part, height * part);
        let (x, y) = ((width - w) / 2.0, (height - h) / 2.0);
        format!("M{x:.2} {y:.2}h{w:.2}v{h:.2}h{:.2}z", -w)
    };
    let ring = |outer: String, inner: Option<String>| outer + &inner.unwrap_or_default();
    let path = match part {
        _ if *level == 1 => rectangle(1.0),
        RegionFamily::X => format!(
            "M{:.2} 0h{:.2}v{height:.2}h{:.2}z",
            width * at / n,
            width / n,
            -width / n
        ),
        RegionFamily::Y => format!(
            "M0 {:.2}h{width:.2}v{:.2}h{:.2}z",
            height * at / n,
            height / n,
            -width
        ),
        RegionFamily::Ellipse => {
            let radius = |rings: f64| rings / (n - 1.0);
            let outer = match *region {
                0 => rectangle(1.0),
                _ => ellipse(radius(n - at)),
            };
            let inner = radius(n - 1.0 - at);
            ring(outer, (inner > 0.0).then(|| ellipse(inner)))
        }
        RegionFamily::Rectangle => {
            let inner = (n - 1.0 - at) / n;
            ring(
                rectangle((n - at) / n),
                (inner > 0.0).then(|| rectangle(inner)),
            )
        }
    };
    add(svg, format_args!(r#"<path d="{path}" {paint}/>"#));
}

/// Text, drawn as a formula: no font is asked for.
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
fn add(svg: &mut String, what: std::fmt::Arguments) {
    let _ = svg.write_fmt(what);
}
