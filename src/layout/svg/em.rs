//! The em of a drawing: how many of its units make one em of the formula's text size.
//!
//! Every renderer has units of its own. MathJax draws 1000 of them to the em and its
//! groups say so, which is exact. Elsewhere each glyph that is known by its outline
//! tells the size at which it is drawn: the largest is the size of the text, the
//! others are those of scripts (0.7 and 0.5 of it). A formula that is set in script
//! size throughout is therefore taken for one in text size.
//!
//! Where no glyph is known, dvisvgm's drawings are taken to be set at 10 points, and
//! all others to have symbols of the median height that real formulas have.

use super::super::Layout;
use super::Shape;

/// Units to the em in which MathJax draws its glyphs.
pub(super) const MATHJAX: f64 = 1000.0;

/// Units in which dvisvgm draws the 10 points of a TeX document's usual em: its points
/// are 1/72 inch, TeX's are 1/72.27 inch.
pub(super) const DVISVGM: f64 = 10.0 * 72.0 / 72.27;

/// The median height of a symbol, in em: of the 32,819 symbols of the formulas in
/// `data-sample`, laid out from LaTeX.
const MEDIAN_HEIGHT: f64 = 0.62;

/// The em of a drawing of `shapes` that are laid out, in the drawing's own units, as
/// `layout`; `usual` is the em of the program that drew it, if that is known.
pub(super) fn estimate(shapes: &[Shape], usual: Option<f64>, layout: &Layout) -> f64 {
    let sizes = shapes.iter().filter_map(|shape| shape.em);
    let largest = sizes.reduce(f64::max).or(usual);
    largest.unwrap_or_else(|| median_height(layout) / MEDIAN_HEIGHT)
}

/// The median height of the symbols that have any.
fn median_height(layout: &Layout) -> f64 {
    let heights = layout.symbols().iter().map(|symbol| symbol.rect.height());
    let mut heights: Vec<f64> = heights.filter(|height| *height > 0.0).collect();
    heights.sort_by(f64::total_cmp);
    let median = heights.get(heights.len() / 2).copied();
    // Only level lines: any of them may be as wide as it likes.
    median.unwrap_or_else(|| layout.rect().width().max(f64::MIN_POSITIVE))
}
