//! Drawings as SVG, whole or piece by piece.

use ratex_svg::{SvgOptions, render_to_svg};
use ratex_types::display_item::{DisplayItem, DisplayList};
use ratex_types::path_command::PathCommand;

use super::{Drawing, Font, font_named};

impl Drawing {
    /// Its width, in em.
    pub(crate) fn width(&self) -> f64 {
        self.0.width
    }

    /// Its height and depth together, in em.
    pub(crate) fn height(&self) -> f64 {
        self.0.total_height()
    }

    /// Its pieces, which can be drawn one by one.
    pub(crate) fn into_pieces(self) -> impl Iterator<Item = Piece> {
        self.0.items.into_iter().map(Piece)
    }

    /// Draws it as SVG, with `em` units to the em and `room` units around it.
    pub(crate) fn svg(&self, em: f64, room: f64) -> String {
        let options = SvgOptions {
            font_size: em,
            padding: room,
            embed_glyphs: true,
            ..SvgOptions::default()
        };
        render_to_svg(&self.0, &options)
    }
}

/// One item of a [`Drawing`], to be drawn by itself.
#[derive(Debug)]
pub(crate) struct Piece(DisplayItem);

/// Where an outline stands, in em, and how large it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Placement {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) scale: f64,
}

impl Piece {
    /// Moves an outline to the origin, at its own size, and says where it stood. A
    /// path's vertices are brought to a grid of `steps` to the em. Lines and
    /// rectangles are not moved.
    pub(crate) fn take_place(&mut self, steps: f64) -> Option<Placement> {
        let (x, y, scale) = match &mut self.0 {
            DisplayItem::GlyphPath { x, y, scale, .. } => (x, y, std::mem::replace(scale, 1.0)),
            DisplayItem::Path { x, y, commands, .. } => {
                commands
                    .iter_mut()
                    .for_each(|command| round(command, steps));
                (x, y, 1.0)
            }
            DisplayItem::Line { .. } | DisplayItem::Rect { .. } => return None,
        };
        let (x, y) = (std::mem::take(x), std::mem::take(y));
        Some(Placement { x, y, scale })
    }

    /// A key that pieces have in common if they are drawn alike.
    pub(crate) fn key(&self) -> String {
        format!("{:?}", self.0)
    }

    /// The character that it is, and its font.
    pub(in crate::layout) fn glyph(&self) -> Option<(Font, char)> {
        match &self.0 {
            DisplayItem::GlyphPath {
                font, char_code, ..
            } => Some((font_named(font), char::from_u32(*char_code)?)),
            _ => None,
        }
    }

    /// Draws it as SVG, with `em` units to the em; a glyph as its outline, or as
    /// `<text>` for the reader's fonts.
    pub(in crate::layout) fn svg(self, em: f64, is_outlined: bool) -> String {
        let list = DisplayList {
            items: vec![self.0],
            ..DisplayList::new()
        };
        let options = SvgOptions {
            font_size: em,
            padding: 0.0,
            stroke_width: em / 25.0,
            embed_glyphs: is_outlined,
            ..SvgOptions::default()
        };
        render_to_svg(&list, &options)
    }
}

/// Brings a path's vertex to a grid of `steps` to the em.
fn round(command: &mut PathCommand, steps: f64) {
    let values: &mut [&mut f64] = match command {
        PathCommand::MoveTo { x, y } | PathCommand::LineTo { x, y } => &mut [x, y],
        PathCommand::QuadTo { x1, y1, x, y } => &mut [x1, y1, x, y],
        PathCommand::CubicTo {
            x1,
            y1,
            x2,
            y2,
            x,
            y,
        } => &mut [x1, y1, x2, y2, x, y],
        PathCommand::Close => &mut [],
    };
    for value in values {
        **value = (**value * steps).round() / steps;
    }
}
