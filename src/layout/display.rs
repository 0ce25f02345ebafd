//! LaTeX to symbols: cleaned, parsed or repaired, laid out by the engine, and what it
//! draws read as marks.

use super::engine::{self, Drawing, Font, Item, Parsed};
use super::ink::{self, Ink};
use super::marks::{self, Mark};
use super::{Layout, LayoutError, identity, stretchy};
use crate::latex::repair::Repaired;
use crate::latex::{MAX_LATEX_BYTES, SyntaxError, clean, repair};

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
    Ok(read_latex(source)?.layout)
}

/// A LaTeX formula that was laid out, and how it was read.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LatexLayout {
    /// The layout.
    pub layout: Layout,
    /// The LaTeX that was laid out, after cleaning and repair.
    pub read_as: String,
    /// Commands that are not known; each is laid out as its name in text.
    pub unknown_commands: Vec<String>,
    /// Whether anything else was repaired.
    pub mended: bool,
}

/// Lays out a LaTeX formula as [`latex`] does, and says how it was read.
///
/// # Errors
/// As [`latex`].
pub fn read_latex(source: &str) -> Result<LatexLayout, LayoutError> {
    let (repaired, drawing) = draw(source)?;
    Ok(LatexLayout {
        layout: layout_of(&drawing)?,
        read_as: repaired.latex,
        unknown_commands: repaired.unknown_commands,
        mended: repaired.mended,
    })
}

/// Lays out a LaTeX formula as [`latex`] does where it needs no repair.
///
/// # Errors
/// As [`latex`], and for all that needs repair.
pub(super) fn exact(source: &str) -> Result<LatexLayout, LayoutError> {
    check(source)?;
    let cleaned = clean::clean(source);
    let parsed = engine::parse(&cleaned).map_err(|error| unparsed(error, &cleaned))?;
    Ok(LatexLayout {
        layout: layout_of(&engine::draw(&parsed)?)?,
        read_as: cleaned,
        unknown_commands: Vec::new(),
        mended: false,
    })
}

/// A LaTeX formula as presentation MathML, which carries the LaTeX too.
///
/// ```
/// let mathml = phocus::layout::mathml("x^2")?;
/// assert!(mathml.contains("<msup><mi>x</mi><mn>2</mn></msup>"));
/// # Ok::<(), phocus::layout::LayoutError>(())
/// ```
///
/// # Errors
/// When the formula cannot be parsed; never panics, whatever the input.
pub fn mathml(source: &str) -> Result<String, LayoutError> {
    check(source)?;
    let cleaned = clean::clean(source);
    let repaired =
        repair::parse(&cleaned, engine::parse).map_err(|error| unparsed(error, &cleaned))?;
    Ok(engine::mathml(&repaired.parsed, &repaired.latex))
}

/// Lays out a LaTeX formula, and says what is drawn for it.
///
/// # Errors
/// As [`latex`].
#[cfg(feature = "picture")]
pub(crate) fn drawn(source: &str) -> Result<(Layout, Drawing), LayoutError> {
    let (_, drawing) = draw(source)?;
    Ok((layout_of(&drawing)?, drawing))
}

/// Cleans, parses and repairs a formula, and has the engine draw it.
fn draw(source: &str) -> Result<(Repaired<Parsed>, Drawing), LayoutError> {
    check(source)?;
    let cleaned = clean::clean(source);
    let repaired =
        repair::parse(&cleaned, engine::parse).map_err(|error| unparsed(error, &cleaned))?;
    let drawing = engine::draw(&repaired.parsed)?;
    Ok((repaired, drawing))
}

/// The parser's error about a cleaned formula.
fn unparsed(error: SyntaxError, cleaned: &str) -> LayoutError {
    LayoutError::Parse {
        message: error.message,
        position: error.position,
        text: cleaned.to_owned(),
    }
}

/// The symbols of a drawing.
fn layout_of(drawing: &Drawing) -> Result<Layout, LayoutError> {
    let marks: Vec<Mark> = drawing.items().flat_map(marks_of).collect();
    marks::assemble(&marks)
}

/// Draws one piece of a drawing as SVG, with `em` units to the em. What no font of
/// phocus has is text, for the browser's fonts: this machine's may not be the reader's.
#[cfg(feature = "picture")]
pub(crate) fn piece_svg(piece: engine::Piece, em: f64) -> String {
    let is_outlined = piece
        .glyph()
        .is_none_or(|(font, c)| matches!(ink::of(font, c), Ink::Box(_)));
    piece.svg(em, is_outlined)
}

/// Refuses what no formula is.
pub(super) fn check(source: &str) -> Result<(), LayoutError> {
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

/// The marks of one item: a path has one for each contour.
fn marks_of(item: Item) -> Vec<Mark> {
    match item {
        Item::Glyph {
            font,
            character,
            x,
            y,
            scale,
        } => glyph(font, character, (x, y), scale).into_iter().collect(),
        Item::Rule(rect) => vec![Mark::Rule(rect)],
        Item::Path(path) => {
            let contours = stretchy::of_path(&path);
            contours.into_iter().map(Mark::Stroke).collect()
        }
    }
}

/// A glyph with its origin at a point, unless it is blank.
fn glyph(font: Font, c: char, origin: (f64, f64), scale: f64) -> Option<Mark> {
    let ink = match ink::of(font, c) {
        Ink::Box(rect) => rect,
        Ink::Unknown => ink::UNKNOWN_BOX,
        Ink::Blank => return None,
    };
    let rect = ink.scaled(scale).moved(origin.0, origin.1);
    Some(Mark::Glyph(identity::of_glyph(font, c), rect))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_formulas_are_repaired() {
        for broken in [
            r"\frac{a}{b",
            r"x^\bar{k}",
            r"\vec\mathrm{M} + \frac\mathbf{E}{q_1} + \bar\hat b",
            r"U_i^'(x)=p",
            r"p_Y_*(a)",
            r"\R^n \undefined{x}",
            r"k_{80% EtOH}",
            r"a & b \\ c & d",
            r"\begin{cases} x",
            r"\text{a {\phi} b}",
            r"\text{≠}",
            r"{\color{green!50!black} t_3}",
            r"\begin{array}{c}a&b\end{array}",
            r"\left<a\right",
            r"x\sqrt",
            r"x^",
        ] {
            if let Err(error) = latex(broken) {
                panic!("{broken}: {error}");
            }
        }
    }

    #[test]
    fn hopeless_formulas_keep_their_first_error() {
        let deep = "{".repeat(10_000);
        assert!(matches!(latex(&deep), Err(LayoutError::Parse { .. })));
    }
}
