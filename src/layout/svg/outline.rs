//! Recognising glyphs by their outlines, where a drawing does not name them.

use std::collections::HashMap;
use std::sync::LazyLock;

use tiny_skia_path::{Path, PathSegment, Transform};

use super::super::{identity, ink};

/// How far a vertex may be from where it should be, in parts of the glyph's
/// size: the errors of rounding to six digits, to f32 and to MathJax's whole units.
const TOLERANCE: f32 = 0.004;

/// Points of an outline.
type Points = Vec<(f32, f32)>;

/// A glyph's outline about its box: 0 to 1 in the larger direction.
struct KnownGlyph {
    points: Points,
    glyph: Glyph,
}

/// A glyph that a path may draw. Several glyphs may have one outline: a point, a centred dot and
/// a dot accent do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Glyph {
    pub(super) character: char,
    /// How far below the baseline its ink ends, in parts of its size.
    pub(super) drop: f64,
    /// Its size, in em.
    pub(super) size: f64,
    /// Whether it has curves: rectangles, which may be anything, have none.
    pub(super) is_curved: bool,
}

/// Outlines by their commands.
static KNOWN: LazyLock<HashMap<Vec<u8>, Vec<KnownGlyph>>> = LazyLock::new(|| {
    let mut known: HashMap<Vec<u8>, Vec<KnownGlyph>> = HashMap::new();
    for glyph in ink::outlines() {
        let em = glyph.em;
        let flip = Transform::from_scale(1.0, -1.0);
        let Some(path) = glyph.outline.and_then(|path| path.transform(flip)) else {
            continue;
        };
        let Some((commands, points)) = normal(&path, Transform::identity()) else {
            continue;
        };
        let bounds = path.bounds();
        let size = bounds.width().max(bounds.height());
        let glyph = Glyph {
            character: identity::of_glyph(glyph.font, glyph.character),
            drop: f64::from(bounds.bottom() / size),
            size: f64::from(size) / em,
            is_curved: commands.iter().any(|command| b"QC".contains(command)),
        };
        known
            .entry(commands)
            .or_default()
            .push(KnownGlyph { points, glyph });
    }
    known
});

/// The glyphs that this path may draw, under `transform`, at any place and size.
pub(super) fn recognize(path: &Path, transform: Transform) -> Vec<Glyph> {
    let Some((commands, points)) = normal(path, transform) else {
        return Vec::new();
    };
    let near = |known: &&KnownGlyph| {
        known.points.len() == points.len()
            && known.points.iter().zip(&points).all(|(a, b)| is_near(a, b))
    };
    let known = KNOWN.get(&commands).map_or(&[][..], Vec::as_slice);
    let mut glyphs: Vec<Glyph> = known.iter().filter(near).map(|known| known.glyph).collect();
    glyphs.dedup_by_key(|glyph| glyph.character);
    glyphs
}

fn is_near(a: &(f32, f32), b: &(f32, f32)) -> bool {
    (a.0 - b.0).abs() < TOLERANCE && (a.1 - b.1).abs() < TOLERANCE
}

/// The commands of an outline, and its points scaled to its box.
fn normal(path: &Path, transform: Transform) -> Option<(Vec<u8>, Points)> {
    let path = path.clone().transform(transform)?;
    let bounds = path.bounds();
    let size = bounds.width().max(bounds.height());
    if size <= 0.0 {
        return None;
    }
    let at = |x: f32, y: f32| ((x - bounds.left()) / size, (y - bounds.top()) / size);
    let mut outline = Outline::default();
    for segment in path.segments() {
        match segment {
            PathSegment::MoveTo(p) => {
                outline.close();
                outline.start = outline.points.len();
                outline.push(b'M', &[at(p.x, p.y)]);
            }
            PathSegment::LineTo(p) => outline.push(b'L', &[at(p.x, p.y)]),
            PathSegment::QuadTo(a, p) => outline.push(b'Q', &[at(a.x, a.y), at(p.x, p.y)]),
            PathSegment::CubicTo(a, b, p) => {
                outline.push(b'C', &[at(a.x, a.y), at(b.x, b.y), at(p.x, p.y)]);
            }
            PathSegment::Close => {}
        }
    }
    outline.close();
    Some((outline.commands, outline.points))
}

/// An outline as it is copied.
#[derive(Default)]
struct Outline {
    commands: Vec<u8>,
    points: Points,
    /// Where the last contour begins.
    start: usize,
}

impl Outline {
    fn push(&mut self, command: u8, points: &[(f32, f32)]) {
        self.commands.push(command);
        self.points.extend(points);
    }

    /// Drops lines back to the start, which some draw and some leave to the closing.
    fn close(&mut self) {
        while self.commands.last() == Some(&b'L') && self.is_back() {
            self.commands.pop();
            self.points.pop();
        }
    }

    fn is_back(&self) -> bool {
        match (self.points.get(self.start), self.points.last()) {
            (Some(first), Some(last)) => is_near(first, last),
            _ => false,
        }
    }
}
