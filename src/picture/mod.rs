//! Pictures: formulas and regions as SVG that needs no font and no other file, and as PNG.

mod cells;
mod regions;
mod sheet;

pub use regions::regions;
pub use sheet::Sheet;

use std::fmt::Write;

use crate::layout::{self, Layout, LayoutError, Symbol};

/// User units to an em of a formula that is drawn.
pub const EM: f64 = 24.0;
/// Room around a formula that is drawn, in user units.
pub const ROOM: f64 = 6.0;
/// How far a mark reaches over its symbol, in user units.
const OVER: f64 = 1.5;

/// The colours that a formula is drawn in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Theme {
    /// Dark ink, or light ink where the reader's system has a dark theme.
    #[default]
    Auto,
    /// Dark ink.
    Light,
    /// Light ink.
    Dark,
}

/// The marks of dark ink.
const LIGHT: &str = ".mark{fill:#ffd54a}";
/// Light ink, and its marks.
const DARK: &str = "path,text,rect:not(.mark){fill:#e8e6e3}.mark{fill:#7a5c00}";

impl Theme {
    /// The style of a drawing whose ink is black.
    fn style(self) -> String {
        match self {
            Theme::Auto => {
                format!("<style>{LIGHT}@media (prefers-color-scheme:dark){{{DARK}}}</style>")
            }
            Theme::Light => format!("<style>{LIGHT}</style>"),
            Theme::Dark => format!("<style>{DARK}</style>"),
        }
    }
}

/// Draws a formula; symbols for which `is_marked` is true have a coloured background.
///
/// # Errors
/// When it cannot be laid out.
pub fn formula(
    source: &str,
    theme: Theme,
    is_marked: impl Fn(&Symbol) -> bool,
) -> Result<String, LayoutError> {
    let (layout, svg) = drawing(source)?;
    let mut marks = theme.style();
    for Symbol { rect, .. } in layout.symbols().iter().filter(|symbol| is_marked(symbol)) {
        let (x, y) = (ROOM + EM * rect.x0 - OVER, ROOM + EM * rect.y0 - OVER);
        let (w, h) = (
            EM * rect.width() + 2.0 * OVER,
            EM * rect.height() + 2.0 * OVER,
        );
        // Writing to a string cannot fail.
        let _ = write!(
            marks,
            r#"<rect class="mark" x="{x:.1}" y="{y:.1}" width="{w:.1}" height="{h:.1}" rx="2"/>"#
        );
    }
    let (tag, rest) = opened(&svg);
    Ok(format!("{tag}{marks}{rest}"))
}

/// A formula laid out and drawn.
fn drawing(source: &str) -> Result<(Layout, String), LayoutError> {
    let (layout, drawing) = layout::drawn(source)?;
    Ok((layout, drawing.svg(EM, ROOM)))
}

/// The first tag of a drawing, and the rest of it.
fn opened(svg: &str) -> (&str, &str) {
    let start = svg.find("<svg").unwrap_or(0);
    let end = svg[start..].find('>').map_or(0, |end| start + end + 1);
    (&svg[start..end], &svg[end..])
}

/// A formula laid out, and its drawing without the tag around it.
fn inner(source: &str) -> Result<(Layout, String), LayoutError> {
    let (layout, svg) = drawing(source)?;
    Ok((layout, within(&svg)))
}

/// A drawing without the tag around it.
fn within(svg: &str) -> String {
    let (_, rest) = opened(svg);
    rest.trim_end().trim_end_matches("</svg>").to_owned()
}

/// Why a picture cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// A formula cannot be laid out.
    #[error("cannot read the formula `{latex}`")]
    Layout {
        /// The formula.
        latex: String,
        /// Why.
        source: LayoutError,
    },
    /// A formula does not have the symbol.
    #[error("{latex} has no symbol {symbol}; its symbols are {symbols}")]
    NoSymbol {
        /// The symbol.
        symbol: String,
        /// The formula.
        latex: String,
        /// The symbols that it has.
        symbols: String,
    },
    /// A drawing cannot be made a PNG.
    #[cfg(feature = "png")]
    #[error("cannot draw the picture: {0}")]
    Png(String),
}

/// How many dots a user unit has.
#[cfg(feature = "png")]
const DOTS: f32 = 2.0;

/// A drawing in dots.
///
/// # Errors
/// When it is no drawing, or too large.
#[cfg(feature = "png")]
pub fn png(svg: &str) -> Result<Vec<u8>, PictureError> {
    use resvg::usvg::{Options, Tree};
    let failed = |error: &dyn std::fmt::Display| PictureError::Png(error.to_string());
    let tree = Tree::from_str(svg, &Options::default()).map_err(|error| failed(&error))?;
    let size = tree.size();
    let (width, height) = ((size.width() * DOTS).ceil(), (size.height() * DOTS).ceil());
    let mut dots = resvg::tiny_skia::Pixmap::new(width as u32, height as u32)
        .ok_or_else(|| failed(&"it is too large"))?;
    let scaled = resvg::tiny_skia::Transform::from_scale(DOTS, DOTS);
    resvg::render(&tree, scaled, &mut dots.as_mut());
    dots.encode_png().map_err(|error| failed(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_lie_under_their_symbols() {
        let latex = r"\frac{x^2}{\sqrt{y}}";
        let plain = formula(latex, Theme::Auto, |_| false).unwrap();
        let marked = formula(latex, Theme::Auto, |symbol| symbol.id.to_string() == "𝑦").unwrap();
        assert_eq!(plain.matches("class=\"mark\"").count(), 0);
        assert_eq!(marked.matches("class=\"mark\"").count(), 1);
        let drawing = roxmltree::Document::parse(&marked).unwrap();
        // The drawing's own symbols, in em of the drawing, stand where the marks were computed.
        let drawn = layout::svg::parse(&plain).unwrap();
        let y = drawn
            .symbols()
            .iter()
            .find(|symbol| symbol.id.to_string() == "𝑦");
        let y = y.unwrap().rect.scaled(EM);
        let mark = drawing
            .descendants()
            .find(|node| node.attribute("class") == Some("mark"));
        let at = |name: &str| {
            mark.unwrap()
                .attribute(name)
                .unwrap()
                .parse::<f64>()
                .unwrap()
        };
        assert!((at("x") + OVER - y.x0).abs() < 0.3, "{} {}", at("x"), y.x0);
        assert!((at("y") + OVER - y.y0).abs() < 0.3, "{} {}", at("y"), y.y0);
        assert!((at("width") - 2.0 * OVER - y.width()).abs() < 0.3);
    }

    #[test]
    fn hostile_latex_draws_no_markup() {
        for latex in [
            r"\text{<script>alert(1)</script>}",
            r"\href{javascript:alert(1)}{x}",
            "a<b&c\">",
        ] {
            if let Ok(svg) = formula(latex, Theme::Auto, |_| true) {
                assert!(
                    !svg.contains("<script") && !svg.contains("javascript:"),
                    "{svg}"
                );
                roxmltree::Document::parse(&svg).unwrap();
            }
        }
    }
}
