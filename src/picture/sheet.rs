//! Many formulas on one page: every outline is defined once, and formulas refer to it.

use std::collections::HashMap;
use std::fmt::Write;

use super::within;
use crate::escape::escaped;
use crate::layout::{self, LayoutError, Piece, Placement};

/// User units to an em: the fonts' own, in which outlines are whole numbers.
const EM: f64 = 1000.0;
/// Room around a formula, which slanted letters reach into.
const ROOM: f64 = 120.0;
/// How far a formula may be made smaller to fit where it stands.
const SMALLEST: f64 = 0.6;

/// The formulas of a page.
#[derive(Debug, Default)]
pub struct Sheet {
    /// The number of each outline, by the SVG that draws it at the origin.
    outlines: HashMap<String, usize>,
    /// Formulas that were drawn, by their LaTeX.
    formulas: HashMap<String, Defined>,
    definitions: String,
}

/// A formula that a [`Sheet`] defines: its number, and its size in user units.
#[derive(Debug, Clone, Copy)]
struct Defined {
    number: usize,
    width: f64,
    height: f64,
}

impl Sheet {
    /// The SVG that shows a formula anywhere on the page.
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

    /// The definitions to which all formulas refer: they are on the page once, and show nothing.
    pub fn definitions(&self) -> String {
        let definitions = &self.definitions;
        format!(
            r#"<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>{definitions}</defs></svg>"#
        )
    }

    fn draw(&mut self, latex: &str) -> Result<Defined, LayoutError> {
        let (_, drawing) = layout::drawn(latex)?;
        let (width, height) = (drawing.width(), drawing.height());
        let pieces = drawing.into_pieces();
        let body: String = pieces.map(|piece| self.placed(piece)).collect();
        let drawn = Defined {
            number: self.formulas.len(),
            width: EM * width + 2.0 * ROOM,
            height: EM * height + 2.0 * ROOM,
        };
        self.formulas.insert(latex.to_owned(), drawn);
        // Writing to a string cannot fail.
        let _ = write!(self.definitions, r#"<g id="f{}">{body}</g>"#, drawn.number);
        Ok(drawn)
    }

    /// The SVG that draws a piece at its place; its outline is defined if it is new.
    fn placed(&mut self, mut piece: Piece) -> String {
        // Further digits of a path make no visible difference, and would be most of its bytes.
        let Some(Placement { x, y, scale }) = piece.take_place(EM) else {
            return rendered(piece);
        };
        let (x, y) = (x * EM, y * EM);
        let next = self.outlines.len();
        let number = *self.outlines.entry(piece.key()).or_insert(next);
        if number == next {
            let outline = rendered(piece);
            let _ = write!(self.definitions, r#"<g id="g{number}">{outline}</g>"#);
        }
        if (scale - 1.0).abs() < 1e-9 {
            format!(r##"<use href="#g{number}" x="{x:.0}" y="{y:.0}"/>"##)
        } else {
            format!(
                r##"<use href="#g{number}" transform="translate({x:.0} {y:.0})scale({scale:.3})"/>"##
            )
        }
    }
}

/// The SVG that draws a piece, without the tag around it.
fn rendered(piece: Piece) -> String {
    within(&layout::piece_svg(piece, EM))
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
            let (_, drawing) = layout::drawn(latex).unwrap();
            let wanted = drawing.into_pieces().filter_map(|mut piece| {
                let Placement { x, y, scale } = piece.take_place(EM)?;
                Some([EM * x, EM * y, scale])
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
