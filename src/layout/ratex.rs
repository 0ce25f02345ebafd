//! LaTeX through RaTeX: parse, lay out, and read the display list.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ratex_font::FontId;
use ratex_layout::{LayoutOptions, to_display_list, validate_layout};
use ratex_parser::ParseNode;
use ratex_types::display_item::{DisplayItem, DisplayList};

use super::ink::{self, Ink};
use super::marks::{self, Mark};
use super::{Layout, LayoutError, MAX_LATEX_BYTES, Rect, clean, identity, repair, stretchy};

/// Rectangles thicker than this many em are backgrounds, not rules.
const THICKEST_RULE: f64 = 0.12;

/// Rules thinner than this many em are not to be seen.
const THINNEST_RULE: f64 = 1e-4;

/// Lays out a LaTeX formula as a displayed one.
///
/// What is not LaTeX proper but common in collections (HTML entities, labels,
/// plain-TeX matrices, unclosed braces) is cleaned or repaired first.
///
/// # Errors
/// When the formula cannot be parsed or drawn; never panics, whatever the input.
///
/// ```
/// let layout = phocus::layout::latex(r"\frac{x}{2}")?;
/// let keys: Vec<String> = layout.symbols().iter().map(|s| s.id.to_string()).collect();
/// assert_eq!(keys, ["𝑥", "2", "-"]);
/// # Ok::<(), phocus::layout::LayoutError>(())
/// ```
pub fn latex(source: &str) -> Result<Layout, LayoutError> {
    Ok(drawn(source)?.0)
}

/// Lays out a LaTeX formula, and says what is drawn for it.
///
/// # Errors
/// As [`latex`].
pub(crate) fn drawn(source: &str) -> Result<(Layout, DisplayList), LayoutError> {
    check(source)?;
    let cleaned = clean::clean(source);
    let nodes = repair::parse(&cleaned)?;
    let list = display_list(&nodes)?;
    Ok((marks::assemble(&display_marks(&list.items))?, list))
}

/// Whether a glyph's outline is in the fonts that phocus has.
#[cfg(feature = "picture")]
pub(crate) fn is_outlined(font: &str, code: u32) -> bool {
    let font = FontId::parse(font).unwrap_or(FontId::MainRegular);
    char::from_u32(code).is_some_and(|c| matches!(ink::of(font, c), Ink::Box(_)))
}

/// Refuses what no formula is.
fn check(source: &str) -> Result<(), LayoutError> {
    if source.len() > MAX_LATEX_BYTES {
        return Err(LayoutError::TooLong {
            found: source.len(),
            limit: MAX_LATEX_BYTES,
        });
    }
    let control = |c: char| (c < ' ' && !"\t\n\r".contains(c)) || c == '\u{7F}';
    match source.char_indices().find(|&(_, c)| control(c)) {
        Some((position, c)) => Err(LayoutError::Control {
            code: c as u32,
            position,
        }),
        None => Ok(()),
    }
}

/// What RaTeX draws for a parsed formula.
fn display_list(nodes: &[ParseNode]) -> Result<DisplayList, LayoutError> {
    let draw = || {
        let boxes = ratex_layout::layout(nodes, &LayoutOptions::default());
        validate_layout(&boxes).map(|()| to_display_list(&boxes))
    };
    // RaTeX has assertions of its own; a formula that trips one is a formula
    // that cannot be drawn, not a reason to stop an index of millions.
    catch_unwind(AssertUnwindSafe(draw))
        .unwrap_or_else(|_| Err("the layout engine failed".to_owned()))
        .map_err(LayoutError::TooLarge)
}

/// What RaTeX draws for `latex`, or nothing where it does not parse.
pub(super) fn display_items(latex: &str) -> Vec<DisplayItem> {
    ratex_parser::parse(latex)
        .ok()
        .and_then(|nodes| display_list(&nodes).ok())
        .map_or(Vec::new(), |list| list.items)
}

fn display_marks(items: &[DisplayItem]) -> Vec<Mark> {
    let mut marks = Vec::with_capacity(items.len());
    for item in items {
        match item {
            DisplayItem::GlyphPath {
                x,
                y,
                scale,
                font,
                char_code,
                ..
            } => marks.extend(glyph(*x, *y, *scale, font, *char_code)),
            DisplayItem::Line {
                x,
                y,
                width,
                thickness,
                ..
            } => marks.extend(rule(*x, y - thickness / 2.0, *width, *thickness)),
            DisplayItem::Rect {
                x,
                y,
                width,
                height,
                ..
            } if width.min(*height) <= THICKEST_RULE => marks.extend(rule(*x, *y, *width, *height)),
            DisplayItem::Rect { .. } => {}
            DisplayItem::Path { x, y, commands, .. } => {
                let strokes = stretchy::of_commands(*x, *y, commands);
                marks.extend(strokes.into_iter().map(Mark::Stroke));
            }
        }
    }
    marks
}

/// A rule, unless it is a strut, as `\vdots` has, that draws nothing.
fn rule(x: f64, y: f64, width: f64, height: f64) -> Option<Mark> {
    let is_drawn = width.min(height) > THINNEST_RULE;
    is_drawn.then(|| Mark::Rule(Rect::new(x, y, x + width, y + height)))
}

fn glyph(x: f64, y: f64, scale: f64, font: &str, code: u32) -> Option<Mark> {
    let font = FontId::parse(font).unwrap_or(FontId::MainRegular);
    let c = char::from_u32(code)?;
    let ink = match ink::of(font, c) {
        Ink::Box(rect) => rect,
        Ink::Unknown => ink::UNKNOWN_BOX,
        Ink::Blank => return None,
    };
    let rect = Rect {
        x0: x + ink.x0 * scale,
        y0: y + ink.y0 * scale,
        x1: x + ink.x1 * scale,
        y1: y + ink.y1 * scale,
    };
    Some(Mark::Glyph(identity::of_glyph(font, c), rect))
}
