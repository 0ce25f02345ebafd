//! SVG as the second way in: formulas that MathJax, RaTeX, dvisvgm or another
//! program has drawn.
//!
//! SVG is untrusted. `plain.rs` copies only elements that draw into a
//! plain SVG whose shapes are numbered, and keeps a description of each shape;
//! usvg then resolves every transform and clip. A shape
//! that nothing names is known by its outline, or by a hash of it.

mod context;
mod em;
mod outline;
mod plain;

use tiny_skia_path::Transform;
use usvg::{Group, Node, Options, Tree};

use super::engine::Font;
use super::ink::{self, Ink};
use super::marks::{self, Mark};
use super::{Layout, LayoutError, Rect, identity, stretchy};
use context::ShapeName;
use outline::Glyph;
use plain::Plain;

pub use crate::corpus::MAX_SVG_BYTES;

/// How far the axis is above the baseline, in em.
const AXIS_HEIGHT: f64 = 0.25;

/// How many shapes before and after are used to find the line on which a shape stands.
const NEIGHBOURS: usize = 6;

/// Lays out a formula that is drawn in `source`.
///
/// The layout is in em, as every layout is. MathJax's drawings say how many of their units
/// that is; in others it is estimated from the glyphs that are known by their outlines,
/// and where there are none from the usual height of symbols.
///
/// # Errors
/// When the SVG is not well-formed, too large, or draws nothing; never panics.
pub fn parse(source: &str) -> Result<Layout, LayoutError> {
    if source.len() > MAX_SVG_BYTES {
        return Err(LayoutError::TooLong {
            found: source.len(),
            limit: MAX_SVG_BYTES,
        });
    }
    let plain = Plain::new(source)?;
    let tree = Tree::from_str(&plain.svg, &Options::default())
        .map_err(|error| LayoutError::Svg(error.to_string()))?;
    let mut found = ShapeCollector::default();
    found.collect(tree.root(), None, &plain);
    choose(&mut found.shapes);
    let layout = marks::assemble(&joined(&found.shapes))?;
    let em = found.em;
    let em = em.unwrap_or_else(|| em::estimate(&found.shapes, plain.usual_em, &layout));
    layout.scaled(1.0 / em)
}

/// Settles which of the glyphs with one outline each shape is: the one that
/// stands on the line of a neighbour about which there is no doubt.
fn choose(shapes: &mut [Shape]) {
    let lines: Vec<Option<LineHint>> = shapes.iter().map(LineHint::of).collect();
    for at in 0..shapes.len() {
        let this = &shapes[at];
        if this.glyphs.len() < 2 {
            continue;
        }
        let before = lines[..at].iter().rev().take(NEIGHBOURS).flatten();
        let after = lines[at..].iter().take(NEIGHBOURS).flatten();
        let near: Vec<&LineHint> = before.chain(after).collect();
        let off = |glyph: &Glyph| {
            let (baseline, em) = (baseline(this, glyph), longer_side(&this.rect) / glyph.size);
            let distances = near.iter().map(|line| (baseline - line.baseline(em)).abs());
            distances.fold(f64::INFINITY, f64::min)
        };
        let best = this.glyphs.iter().min_by(|a, b| off(a).total_cmp(&off(b)));
        if let Some(glyph) = best {
            shapes[at].marks = vec![Mark::Glyph(glyph.character, this.rect)];
        }
    }
}

/// What is known of the line on which a shape stands.
enum LineHint {
    /// The baseline of a glyph.
    Base(f64),
    /// The axis, which fraction bars lie on.
    Axis(f64),
}

impl LineHint {
    fn of(shape: &Shape) -> Option<Self> {
        match (&shape.glyphs[..], &shape.marks[..]) {
            ([glyph], _) => Some(LineHint::Base(baseline(shape, glyph))),
            ([], [Mark::Rule(rect)]) => Some(LineHint::Axis(rect.center().1)),
            _ => None,
        }
    }

    /// The baseline of glyphs of this size on the line.
    fn baseline(&self, em: f64) -> f64 {
        match self {
            LineHint::Base(y) => *y,
            LineHint::Axis(y) => y + AXIS_HEIGHT * em,
        }
    }
}

/// Where the baseline is if `shape` is `glyph`.
fn baseline(shape: &Shape, glyph: &Glyph) -> f64 {
    shape.rect.y1 - glyph.drop * longer_side(&shape.rect)
}

fn longer_side(rect: &Rect) -> f64 {
    rect.width().max(rect.height())
}

/// A shape as it is drawn.
struct Shape<'a> {
    name: &'a ShapeName,
    rect: Rect,
    marks: Vec<Mark>,
    /// The glyphs that it may be, where only its outline is known.
    glyphs: Vec<Glyph>,
    /// The em of the size at which it is drawn, where it is known from the shape.
    em: Option<f64>,
}

/// All shapes that are drawn.
#[derive(Default)]
struct ShapeCollector<'a> {
    shapes: Vec<Shape<'a>>,
    /// The em, where the drawing states it.
    em: Option<f64>,
}

impl<'a> ShapeCollector<'a> {
    /// Collects the shapes of a group, cut to `clip`.
    fn collect(&mut self, group: &Group, clip: Option<Rect>, plain: &'a Plain) {
        let clip = match group.clip_path() {
            Some(path) => {
                let window = transformed(path.root().bounding_box(), group.abs_transform());
                Some(clip.map_or(window, |clip| clip.intersection(&window)))
            }
            None => clip,
        };
        for node in group.children() {
            match node {
                Node::Group(group) => self.collect(group, clip, plain),
                Node::Path(path) if path.id() == plain::EM_SQUARE => {
                    let em = f64::from(path.abs_bounding_box().height());
                    self.em = self.em.or(Some(em).filter(|em| *em > 0.0));
                }
                Node::Path(path) => self.shapes.extend(shape(path, clip, plain)),
                _ => {}
            }
        }
    }
}

fn transformed(rect: usvg::Rect, transform: Transform) -> Rect {
    rect.transform(transform)
        .map_or(Rect::new(0.0, 0.0, 0.0, 0.0), |rect| {
            Rect::new(
                f64::from(rect.left()),
                f64::from(rect.top()),
                f64::from(rect.right()),
                f64::from(rect.bottom()),
            )
        })
}

fn shape<'a>(path: &usvg::Path, clip: Option<Rect>, plain: &'a Plain) -> Option<Shape<'a>> {
    let name = plain.name(path.id())?;
    let ink = match path.fill() {
        Some(_) => path.abs_bounding_box(),
        None => path.abs_stroke_bounding_box(),
    };
    let ink = transformed(ink, Transform::identity());
    let rect = clip.map_or(ink, |clip| ink.intersection(&clip));
    let outlined = path.fill().is_none() && name.is_rect;
    let mut glyphs = Vec::new();
    let marks = match name.character {
        _ if outlined => vec![Mark::Frame(rect)],
        Some(c) if c.is_ascii_alphabetic() => vec![Mark::Glyph(letter(c, path), rect)],
        Some(c) => vec![Mark::Glyph(identity::canonical(c), rect)],
        None if name.is_rect => vec![Mark::Rule(rect)],
        None => {
            glyphs = outline::recognize(path.data(), path.abs_transform());
            match glyphs.first() {
                Some(glyph) if path.fill().is_some() => vec![Mark::Glyph(glyph.character, rect)],
                _ => unnamed(path, rect),
            }
        }
    };
    let em = named_em(name, path).or_else(|| match &glyphs[..] {
        [glyph] if glyph.is_curved => Some(longer_side(&ink) / glyph.size),
        _ => None,
    });
    Some(Shape {
        name,
        rect,
        marks,
        glyphs,
        em,
    })
}

/// The em of a glyph whose units are known. The pieces of a
/// stretched symbol are scaled in other ways, and are not used.
fn named_em(name: &ShapeName, path: &usvg::Path) -> Option<f64> {
    let units = name.em.filter(|_| name.whole.is_none())?;
    let t = path.abs_transform();
    let area = f64::from(t.sx) * f64::from(t.sy) - f64::from(t.kx) * f64::from(t.ky);
    Some(units * area.abs().sqrt()).filter(|em| *em > 0.0)
}

/// MathJax calls `\mathcal{A}` and `\mathit{A}` plain A, too: where the ink is,
/// in the path's own units of 1000 to the em, tells which letter it is.
fn letter(c: char, path: &usvg::Path) -> char {
    let Some(ink) = path.data().compute_tight_bounds() else {
        return c;
    };
    let em = |v: f32| f64::from(v) / 1000.0;
    let ink = Rect::new(
        em(ink.left()),
        -em(ink.top()),
        em(ink.right()),
        -em(ink.bottom()),
    );
    let far = |font| match ink::of(font, c) {
        Ink::Box(rect) => {
            (rect.x0 - ink.x0).abs() + (rect.x1 - ink.x1).abs() + (rect.y0 - ink.y0).abs()
        }
        _ => f64::INFINITY,
    };
    [
        Font::MainRegular,
        Font::CaligraphicRegular,
        Font::MainItalic,
    ]
    .into_iter()
    .min_by(|a, b| far(*a).total_cmp(&far(*b)))
    .map_or(c, |font| identity::of_glyph(font, c))
}

/// A path that nothing names: a rule, or contours.
fn unnamed(path: &usvg::Path, rect: Rect) -> Vec<Mark> {
    if path.fill().is_none() && is_level_line(path) {
        return vec![Mark::Rule(rect)];
    }
    let Some(path) = path.data().clone().transform(path.abs_transform()) else {
        return Vec::new();
    };
    stretchy::of_path(&path)
        .into_iter()
        .map(Mark::Stroke)
        .collect()
}

/// Whether a stroked path is one level or upright line.
fn is_level_line(path: &usvg::Path) -> bool {
    let bounds = path.abs_bounding_box();
    path.data().len() == 2 && (bounds.width() == 0.0 || bounds.height() == 0.0)
}

/// All marks; the pieces of an assembled symbol are joined.
fn joined(shapes: &[Shape]) -> Vec<Mark> {
    let same = |a: &Shape, b: &Shape| a.name.whole.is_some() && a.name.whole == b.name.whole;
    shapes
        .chunk_by(same)
        .flat_map(|pieces| match (pieces[0].name.whole, whole(pieces)) {
            (Some(_), Some(mark)) => vec![mark],
            _ => pieces
                .iter()
                .flat_map(|piece| piece.marks.iter().cloned())
                .collect(),
        })
        .collect()
}

/// The one symbol that `pieces` are parts of.
fn whole(pieces: &[Shape]) -> Option<Mark> {
    let named = pieces[0].name.composite;
    let parts: Vec<char> = pieces
        .iter()
        .filter_map(|piece| piece.name.character)
        .collect();
    let c = match named {
        Some(c) => identity::canonical(c),
        None => identity::assembled(&parts)?,
    };
    let rect = pieces
        .iter()
        .map(|piece| piece.rect)
        .reduce(|a, b| a.union(&b))?;
    // An overline, like every rule, may be the top of a root or frame.
    Some(match c {
        '-' => Mark::Rule(rect),
        _ => Mark::Glyph(c, rect),
    })
}
