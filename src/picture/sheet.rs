//! Many formulas on one page: every outline is there once, and formulas refer to it.

use std::collections::HashMap;
use std::fmt::Write;

use ratex_svg::{SvgOptions, render_to_svg};
use ratex_types::display_item::{DisplayItem, DisplayList};
use ratex_types::path_command::PathCommand;

use super::within;
use crate::layout::{self, LayoutError};
use crate::markup::escaped;

/// User units to an em: the fonts' own, in which outlines are whole numbers.
const EM: f64 = 1000.0;
/// Room around a formula, which slanted letters reach into.
const ROOM: f64 = 120.0;
/// How far a formula may be made smaller to fit where it stands.
const SMALLEST: f64 = 0.6;

/// The formulas of a page.
#[derive(Debug, Default)]
pub struct Sheet {
    /// Numbers of outlines, by what draws them at the origin.
    outlines: HashMap<String, usize>,
    /// Formulas that were drawn, by their LaTeX.
    formulas: HashMap<String, Drawn>,
    definitions: String,
}

/// A formula of a [`Sheet`].
#[derive(Debug, Clone, Copy)]
struct Drawn {
    number: usize,
    width: f64,
    height: f64,
}

impl Sheet {
    /// What shows a formula, wherever on the page that is.
    ///
    /// # Errors
    /// When it cannot be laid out.
    pub fn formula(&mut self, latex: &str) -> Result<String, LayoutError> {
        let drawn = match self.formulas.get(latex) {
            Some(drawn) => *drawn,
            None => self.draw(latex)?,
        };
        let (number, em) = (drawn.number, drawn.width / EM);
        Ok(format!(
            r##"<svg viewBox="-{ROOM} -{ROOM} {:.0} {:.0}" style="width:{em:.1}em;min-width:{:.1}em" role="img"><title>{}</title><use href="#f{number}"/></svg>"##,
            drawn.width,
            drawn.height,
            em * SMALLEST,
            escaped(latex)
        ))
    }

    /// What all formulas refer to: it stands on the page once, and shows nothing.
    pub fn definitions(&self) -> String {
        let definitions = &self.definitions;
        format!(
            r#"<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>{definitions}</defs></svg>"#
        )
    }

    fn draw(&mut self, latex: &str) -> Result<Drawn, LayoutError> {
        let (_, list) = layout::drawn(latex)?;
        let (width, height) = (list.width, list.total_height());
        let body: String = (list.items.into_iter())
            .map(|item| self.placed(item))
            .collect();
        let drawn = Drawn {
            number: self.formulas.len(),
            width: EM * width + 2.0 * ROOM,
            height: EM * height + 2.0 * ROOM,
        };
        self.formulas.insert(latex.to_owned(), drawn);
        // Writing to a string cannot fail.
        let _ = write!(self.definitions, r#"<g id="f{}">{body}</g>"#, drawn.number);
        Ok(drawn)
    }

    /// What draws an item where it stands, its outline being defined.
    fn placed(&mut self, mut item: DisplayItem) -> String {
        let (x, y, size) = match &mut item {
            DisplayItem::GlyphPath { x, y, scale, .. } => (x, y, std::mem::replace(scale, 1.0)),
            DisplayItem::Path { x, y, commands, .. } => {
                commands.iter_mut().for_each(round);
                (x, y, 1.0)
            }
            DisplayItem::Line { .. } | DisplayItem::Rect { .. } => return rendered(item),
        };
        let (x, y) = (std::mem::take(x) * EM, std::mem::take(y) * EM);
        let next = self.outlines.len();
        let number = *self.outlines.entry(format!("{item:?}")).or_insert(next);
        if number == next {
            let outline = rendered(item);
            let _ = write!(self.definitions, r#"<g id="g{number}">{outline}</g>"#);
        }
        match (size - 1.0).abs() < 1e-9 {
            true => format!(r##"<use href="#g{number}" x="{x:.0}" y="{y:.0}"/>"##),
            false => format!(
                r##"<use href="#g{number}" transform="translate({x:.0} {y:.0})scale({size:.3})"/>"##
            ),
        }
    }
}

/// Brings a path to whole units: more digits are not seen, and are most of its bytes.
fn round(command: &mut PathCommand) {
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
        **value = (**value * EM).round() / EM;
    }
}

/// What draws an item, without the tag around it.
fn rendered(item: DisplayItem) -> String {
    // What no font of phocus has is text, for the browser's fonts: this machine's
    // may not be the reader's.
    let embed_glyphs = match &item {
        DisplayItem::GlyphPath {
            font, char_code, ..
        } => layout::is_outlined(font, *char_code),
        _ => true,
    };
    let list = DisplayList {
        items: vec![item],
        ..DisplayList::new()
    };
    let options = SvgOptions {
        font_size: EM,
        padding: 0.0,
        stroke_width: EM / 25.0,
        embed_glyphs,
        ..SvgOptions::default()
    };
    within(&render_to_svg(&list, &options))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn page(formulas: &[&str]) -> String {
        let mut sheet = Sheet::default();
        let shown: Vec<String> = formulas
            .iter()
            .map(|latex| sheet.formula(latex).unwrap())
            .collect();
        format!("<p>{}{}</p>", sheet.definitions(), shown.concat())
    }

    #[test]
    fn every_outline_is_there_once_and_everything_refers_to_one() {
        let page = page(&["x+x", r"\frac{x}{\sqrt{y}}", "x+x", r"\color{red}x"]);
        let page = roxmltree::Document::parse(&page).unwrap();
        let ids: Vec<&str> = page
            .descendants()
            .filter_map(|node| node.attribute("id"))
            .collect();
        let distinct: HashSet<&str> = ids.iter().copied().collect();
        assert_eq!(ids.len(), distinct.len());
        let kinds = |kind: char| ids.iter().filter(|id| id.starts_with(kind)).count();
        // x, +, y, the root and a red x; three formulas.
        assert_eq!((kinds('g'), kinds('f')), (5, 3), "{ids:?}");
        let uses = page.descendants().filter(|node| node.has_tag_name("use"));
        for reference in uses {
            let id = reference.attribute("href").unwrap().trim_start_matches('#');
            assert!(distinct.contains(id), "{id}");
        }
    }

    /// Where things are drawn, and how large: as the layout has them.
    #[test]
    fn symbols_stand_where_they_are_laid_out() {
        for latex in [r"\frac{x^2}{\sqrt{y}}", r"\int_0^1 f(t)\,dt", "a_i"] {
            let page = page(&[latex]);
            let page = roxmltree::Document::parse(&page).unwrap();
            let formula = page
                .descendants()
                .find(|node| node.attribute("id") == Some("f0"));
            let placed = formula.unwrap().children();
            let drawn = placed.filter(|node| node.has_tag_name("use")).map(|node| {
                match node.attribute("transform") {
                    Some(transform) => {
                        let numbers = transform.split(|c: char| !"-.0123456789".contains(c));
                        let numbers = numbers.filter(|number| !number.is_empty());
                        numbers.map(|number| number.parse().unwrap()).collect()
                    }
                    None => {
                        let number = |name: &str| node.attribute(name).unwrap().parse().unwrap();
                        vec![number("x"), number("y"), 1.0]
                    }
                }
            });
            let drawn: Vec<Vec<f64>> = drawn.collect();
            let (_, items) = layout::drawn(latex).unwrap();
            let wanted = items.items.iter().filter_map(|item| match item {
                DisplayItem::GlyphPath { x, y, scale, .. } => Some([EM * x, EM * y, *scale]),
                DisplayItem::Path { x, y, .. } => Some([EM * x, EM * y, 1.0]),
                _ => None,
            });
            let wanted: Vec<[f64; 3]> = wanted.collect();
            assert_eq!(drawn.len(), wanted.len(), "{latex}");
            for (drawn, wanted) in drawn.iter().zip(&wanted) {
                let far: Vec<f64> = drawn
                    .iter()
                    .zip(wanted)
                    .map(|(a, b)| (a - b).abs())
                    .collect();
                assert!(
                    far[0] <= 0.5 && far[1] <= 0.5 && far[2] < 1e-3,
                    "{latex} {drawn:?} {wanted:?}"
                );
            }
        }
    }

    #[test]
    fn what_is_hostile_or_unknown_is_text() {
        let page = page(&[r"\text{<script>alert(1)</script>}", r"\text{漢}", "a<b"]);
        assert!(!page.contains("<script"), "{page}");
        assert!(page.contains('漢') && page.contains("<text"), "{page}");
        roxmltree::Document::parse(&page).unwrap();
    }
}
