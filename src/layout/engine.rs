//! The layout engine, RaTeX: the only file that knows its crates.
//!
//! It parses LaTeX, lays it out and draws the result as SVG; it also has KaTeX's fonts.
//! It draws a [`Drawing`] of [`Piece`]s; the parts of it that matter to a layout are
//! [`Item`]s.

mod mathml;
#[cfg(feature = "picture")]
mod pieces;

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ratex_layout::{LayoutOptions, to_display_list, validate_layout};
use ratex_parser::ParseNode;
use ratex_types::display_item::{DisplayItem, DisplayList};
use ratex_types::path_command::PathCommand;
use tiny_skia_path::{Path, PathBuilder};

use super::{LayoutError, Rect};
use crate::latex::SyntaxError;

#[cfg(feature = "picture")]
pub(crate) use pieces::{Piece, Placement};

pub(super) use mathml::mathml;

/// A font of KaTeX.
pub(super) use ratex_font::FontId as Font;

/// Rectangles thicker than this many em are backgrounds, not rules.
const THICKEST_RULE: f64 = 0.12;

/// Rules thinner than this many em are invisible.
const THINNEST_RULE: f64 = 1e-4;

/// LaTeX as it was parsed.
pub(super) struct Parsed(Vec<ParseNode>);

/// Parses LaTeX that needs no cleaning.
pub(super) fn parse(latex: &str) -> Result<Parsed, SyntaxError> {
    // RaTeX has assertions of its own; a formula that trips one is a formula
    // that cannot be read, not a reason to stop an index of millions.
    match catch_unwind(AssertUnwindSafe(|| ratex_parser::parse(latex))) {
        Ok(Ok(nodes)) => Ok(Parsed(nodes)),
        Ok(Err(error)) => Err(SyntaxError {
            position: error.loc.map(|loc| loc.start),
            message: error.message,
        }),
        Err(_) => Err(SyntaxError {
            position: None,
            message: "the parser failed".to_owned(),
        }),
    }
}

/// Whether a command, given with its backslash, is defined.
pub(crate) fn is_command(command: &str) -> bool {
    parse(&format!("{command}{{}}{{}}")).is_ok()
}

/// Lays out and draws a formula, as a displayed one.
pub(super) fn draw(parsed: &Parsed) -> Result<Drawing, LayoutError> {
    let draw = || {
        let boxes = ratex_layout::layout(&parsed.0, &LayoutOptions::default());
        validate_layout(&boxes).map(|()| to_display_list(&boxes))
    };
    catch_unwind(AssertUnwindSafe(draw))
        .unwrap_or_else(|_| Err("the layout engine failed".to_owned()))
        .map(Drawing)
        .map_err(LayoutError::TooLarge)
}

/// A formula as RaTeX draws it.
#[derive(Debug)]
pub(crate) struct Drawing(DisplayList);

/// The items of a display list that matter to a layout, in em, y downwards.
pub(super) enum Item {
    /// A character of a font, its origin at `x`, `y`.
    Glyph {
        font: Font,
        character: char,
        x: f64,
        y: f64,
        scale: f64,
    },
    /// A filled rectangle that is thin.
    Rule(Rect),
    /// Any other outline.
    Path(Path),
}

impl Drawing {
    /// Its items that are ink of symbols.
    pub(super) fn items(&self) -> impl Iterator<Item = Item> {
        self.0.items.iter().filter_map(item)
    }
}

/// The part of a display list's item that a layout needs.
fn item(item: &DisplayItem) -> Option<Item> {
    match item {
        DisplayItem::GlyphPath {
            x,
            y,
            scale,
            font,
            char_code,
            ..
        } => Some(Item::Glyph {
            font: font_named(font),
            character: char::from_u32(*char_code)?,
            x: *x,
            y: *y,
            scale: *scale,
        }),
        DisplayItem::Line {
            x,
            y,
            width,
            thickness,
            ..
        } => rule(*x, y - thickness / 2.0, *width, *thickness),
        DisplayItem::Rect {
            x,
            y,
            width,
            height,
            ..
        } if width.min(*height) <= THICKEST_RULE => rule(*x, *y, *width, *height),
        DisplayItem::Rect { .. } => None,
        DisplayItem::Path { x, y, commands, .. } => path(*x, *y, commands).map(Item::Path),
    }
}

/// A rule, unless it is a strut, as `\vdots` has, that draws nothing.
fn rule(x: f64, y: f64, width: f64, height: f64) -> Option<Item> {
    let is_drawn = width.min(height) > THINNEST_RULE;
    is_drawn.then(|| Item::Rule(Rect::new(x, y, x + width, y + height)))
}

/// A display list's path that is placed at `x`, `y`.
fn path(x: f64, y: f64, commands: &[PathCommand]) -> Option<Path> {
    let mut path = PathBuilder::new();
    let (left, top) = (x, y);
    let x = |x: f64| (left + x) as f32;
    let y = |y: f64| (top + y) as f32;
    for command in commands {
        match *command {
            PathCommand::MoveTo { x: px, y: py } => path.move_to(x(px), y(py)),
            PathCommand::LineTo { x: px, y: py } => path.line_to(x(px), y(py)),
            PathCommand::QuadTo {
                x1,
                y1,
                x: px,
                y: py,
            } => path.quad_to(x(x1), y(y1), x(px), y(py)),
            PathCommand::CubicTo {
                x1,
                y1,
                x2,
                y2,
                x: px,
                y: py,
            } => path.cubic_to(x(x1), y(y1), x(x2), y(y2), x(px), y(py)),
            PathCommand::Close => path.close(),
        }
    }
    path.finish()
}

/// The font of this name; the main one where there is none.
fn font_named(name: &str) -> Font {
    Font::parse(name).unwrap_or(Font::MainRegular)
}

/// The file of a font, by the name that KaTeX gives it, such as `Main-Regular`.
pub(super) fn font_file(name: &str) -> Option<Cow<'static, [u8]>> {
    ratex_katex_fonts::ttf_bytes(&format!("KaTeX_{name}.ttf"))
}

/// The character by which the file of `font` has what RaTeX calls `c`.
pub(super) fn font_character(font: Font, c: char) -> char {
    ratex_font::katex_ttf_glyph_char(font, c as u32)
}
