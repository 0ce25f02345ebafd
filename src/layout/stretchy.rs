//! Stretchy shapes: delimiters, wide accents and arrows that KaTeX draws as
//! bare paths, recognised by how they are drawn.
//!
//! A [`Stroke`] is one contour. Its *form* is the sequence of line and curve
//! commands, which does not change when the shape is stretched; where forms
//! agree (`[` and `]`), where the vertices lie decides. The samples are laid
//! out once, at first use.

use std::collections::HashMap;
use std::sync::LazyLock;

use tiny_skia_path::{Path, PathBuilder, PathSegment};
use xxhash_rust::xxh3::xxh3_64;

use super::engine::{self, Drawing, Item};
use super::{Rect, SymbolId};

/// A ring: `\textcircled`, or the ring of `\oiint` around its integrals.
pub(super) const RING: char = '◯';

/// The largest number of contours in one shape: a pair of long harpoons has eight.
pub(super) const MOST_STROKES: usize = 8;

/// More lines in a row than this are a curve cut to the width of its shape,
/// whose number depends on that width.
const CUT_CURVE: usize = 40;

/// The samples from which the shapes are learned: a command and the symbol that it draws.
const ACCENTS: &[(&str, char)] = &[
    (r"\overrightarrow", '→'),
    (r"\overleftarrow", '←'),
    (r"\overleftrightarrow", '↔'),
    (r"\xRightarrow", '⇒'),
    (r"\xLeftarrow", '⇐'),
    (r"\xLeftrightarrow", '⇔'),
    (r"\xleftharpoonup", '↼'),
    (r"\xleftharpoondown", '↽'),
    (r"\xrightharpoonup", '⇀'),
    (r"\xrightharpoondown", '⇁'),
    (r"\xlongequal", '='),
    (r"\xtwoheadleftarrow", '↞'),
    (r"\xtwoheadrightarrow", '↠'),
    (r"\xrightleftharpoons", '⇌'),
    (r"\xleftrightharpoons", '⇋'),
    (r"\xhookleftarrow", '↩'),
    (r"\xhookrightarrow", '↪'),
    (r"\xmapsto", '↦'),
    (r"\xtofrom", '⇄'),
    (r"\overbrace", '⏞'),
    (r"\underbrace", '⏟'),
    (r"\overbracket", '⎴'),
    (r"\underbracket", '⎵'),
    (r"\overgroup", '⏜'),
    (r"\undergroup", '⏝'),
    (r"\overlinesegment", '―'),
    (r"\widehat", '^'),
    (r"\widecheck", 'ˇ'),
    (r"\widetilde", '~'),
    (r"\vec", '\u{20D7}'),
    (r"\dddot", '\u{20DB}'),
    (r"\ddddot", '\u{20DC}'),
    (r"\cancel", '╱'),
    (r"\bcancel", '╲'),
    (r"\xcancel", '╳'),
    (r"\sout", '-'),
    (r"\phase", '∠'),
    (r"\textcircled", RING),
    (r"\angl", '\u{20E7}'),
];

const DELIMITERS: &[(&str, char)] = &[
    ("(", '('),
    (")", ')'),
    ("[", '['),
    ("]", ']'),
    (r"\lfloor", '⌊'),
    (r"\rfloor", '⌋'),
    (r"\lceil", '⌈'),
    (r"\rceil", '⌉'),
    ("|", '|'),
    (r"\|", '∥'),
];

const WHOLE: &[(&str, char)] = &[
    (r"\begin{CD}A\\@VVV\\B\end{CD}", '↓'),
    (r"\begin{CD}A\\@AAA\\B\end{CD}", '↑'),
    (r"\shortmid", '|'),
];

const BODIES: [&str; 6] = [
    "a",
    "ab",
    "abc",
    "abcdef",
    "a+b+c+d+e+f",
    "a+b+c+d+e+f+g+h+i+j+k+l+m",
];
const HEIGHTS: [usize; 7] = [2, 3, 4, 5, 7, 11, 20];

/// A contour, and where its vertices are.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Stroke {
    form: String,
    rect: Rect,
    vertices: Vec<(f64, f64)>,
    hash: u64,
}

/// Where a shape's vertices lie within its box: their mean, and the first.
type Pose = [f64; 4];

/// The known poses of a form, each with its symbol.
static SHAPES: LazyLock<HashMap<String, Vec<(Pose, char)>>> = LazyLock::new(|| {
    let accents = ACCENTS
        .iter()
        .flat_map(|(command, c)| BODIES.map(|body| (format!("{command}{{{body}}}"), *c)));
    let delimiters = DELIMITERS.iter().flat_map(|(delimiter, c)| {
        HEIGHTS.map(|rows| {
            let rows = r"a\\".repeat(rows);
            let open = format!(r"\left{delimiter}\begin{{matrix}}{rows}\end{{matrix}}\right.");
            (open, *c)
        })
    });
    let whole = WHOLE.iter().map(|(latex, c)| ((*latex).to_owned(), *c));
    let mut shapes: HashMap<String, Vec<(Pose, char)>> = HashMap::new();
    for (latex, c) in accents.chain(delimiters).chain(whole) {
        for strokes in path_strokes(&latex) {
            let strokes: Vec<&Stroke> = strokes.iter().collect();
            let poses = shapes.entry(form(&strokes)).or_default();
            poses.push((pose(&strokes), c));
        }
    }
    shapes
});

/// The strokes of each path that is drawn for `latex`; none where it does not parse.
fn path_strokes(latex: &str) -> Vec<Vec<Stroke>> {
    let drawing = engine::parse(latex).ok();
    let drawing = drawing.and_then(|parsed| engine::draw(&parsed).ok());
    let items = drawing.iter().flat_map(Drawing::items);
    let paths = items.filter_map(|item| match item {
        Item::Path(path) => Some(of_path(&path)),
        _ => None,
    });
    paths.collect()
}

/// The symbol that the first of these strokes draw, and how many strokes belong to it:
/// as many as make a known shape.
pub(super) fn recognize(strokes: &[&Stroke]) -> (SymbolId, usize) {
    for used in (1..=strokes.len()).rev() {
        let shape = &strokes[..used];
        if let Some(poses) = SHAPES.get(&form(shape)) {
            let seen = pose(shape);
            let nearest = poses
                .iter()
                .min_by(|a, b| distance(&a.0, &seen).total_cmp(&distance(&b.0, &seen)));
            if let Some((_, c)) = nearest {
                return (SymbolId::Char(*c), used);
            }
        }
    }
    (SymbolId::Shape(strokes[0].hash), 1)
}

fn distance(a: &Pose, b: &Pose) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum()
}

fn form(strokes: &[&Stroke]) -> String {
    let forms: Vec<&str> = strokes.iter().map(|stroke| stroke.form.as_str()).collect();
    forms.join(" ")
}

fn pose(strokes: &[&Stroke]) -> Pose {
    let vertices = || strokes.iter().flat_map(|stroke| stroke.vertices.iter());
    let whole = Rect::around(vertices().copied()).unwrap_or(strokes[0].rect);
    let x = |x: f64| (x - whole.x0) / whole.width().max(1e-9);
    let y = |y: f64| (y - whole.y0) / whole.height().max(1e-9);
    let count = vertices().count().max(1) as f64;
    let sum = vertices().fold((0.0, 0.0), |sum, v| (sum.0 + x(v.0), sum.1 + y(v.1)));
    let first = strokes[0].vertices.first().copied().unwrap_or_default();
    [sum.0 / count, sum.1 / count, x(first.0), y(first.1)]
}

impl Stroke {
    /// The box of its ink.
    pub(super) fn rect(&self) -> Rect {
        self.rect
    }

    /// Whether it is a plain upright rectangle, as lengthens a brace.
    pub(super) fn is_upright_bar(&self) -> bool {
        self.form == "L3Z1" && self.rect.height() > self.rect.width()
    }

    /// Whether it is a rectangle along the axes, drawn as a path.
    pub(super) fn is_rectangle(&self) -> bool {
        let on_corner = |&(x, y): &(f64, f64)| {
            let near =
                |a: f64, b: f64| (a - b).abs() <= 1e-4 * (self.rect.width() + self.rect.height());
            (near(x, self.rect.x0) || near(x, self.rect.x1))
                && (near(y, self.rect.y0) || near(y, self.rect.y1))
        };
        matches!(self.form.as_str(), "L3Z1" | "L4Z1" | "L4" | "L3")
            && self.vertices.iter().all(on_corner)
            && self.rect.width() > 0.0
            && self.rect.height() > 0.0
    }
}

/// The contours of a path.
pub(super) fn of_path(path: &Path) -> Vec<Stroke> {
    let mut contours: Vec<Vec<PathSegment>> = Vec::new();
    for segment in path.segments() {
        match (segment, contours.last_mut()) {
            (PathSegment::MoveTo(_), _) | (_, None) => contours.push(vec![segment]),
            (_, Some(contour)) => contour.push(segment),
        }
    }
    contours
        .iter()
        .filter_map(|contour| stroke(contour))
        .collect()
}

fn stroke(contour: &[PathSegment]) -> Option<Stroke> {
    let mut builder = PathBuilder::new();
    for segment in contour {
        match *segment {
            PathSegment::MoveTo(p) => builder.move_to(p.x, p.y),
            PathSegment::LineTo(p) => builder.line_to(p.x, p.y),
            PathSegment::QuadTo(a, p) => builder.quad_to(a.x, a.y, p.x, p.y),
            PathSegment::CubicTo(a, b, p) => builder.cubic_to(a.x, a.y, b.x, b.y, p.x, p.y),
            PathSegment::Close => builder.close(),
        }
    }
    let tight = builder.finish()?.compute_tight_bounds()?;
    let rect = Rect::new(
        f64::from(tight.left()),
        f64::from(tight.top()),
        f64::from(tight.right()),
        f64::from(tight.bottom()),
    );
    let vertices: Vec<(f64, f64)> = contour
        .iter()
        .filter_map(|segment| match segment {
            PathSegment::MoveTo(p)
            | PathSegment::LineTo(p)
            | PathSegment::QuadTo(_, p)
            | PathSegment::CubicTo(_, _, p) => Some((f64::from(p.x), f64::from(p.y))),
            PathSegment::Close => None,
        })
        .collect();
    let form = contour_form(contour);
    let hash = outline_hash(&form, &vertices, &rect);
    Some(Stroke {
        form,
        rect,
        vertices,
        hash,
    })
}

/// The commands of a contour after its first point, each with its run length.
fn contour_form(contour: &[PathSegment]) -> String {
    let letter = |segment: &PathSegment| match segment {
        PathSegment::MoveTo(_) => 'M',
        PathSegment::LineTo(_) => 'L',
        PathSegment::QuadTo(..) => 'Q',
        PathSegment::CubicTo(..) => 'C',
        PathSegment::Close => 'Z',
    };
    let mut form = String::new();
    for run in contour[1..].chunk_by(|a, b| letter(a) == letter(b)) {
        form.push(letter(&run[0]));
        match run.len() {
            long if long > CUT_CURVE => form.push('*'),
            count => form.push_str(&count.to_string()),
        }
    }
    form
}

/// A hash of the outline alone, the same at every place and size.
fn outline_hash(form: &str, vertices: &[(f64, f64)], rect: &Rect) -> u64 {
    let size = rect.width().max(rect.height()).max(1e-9);
    let mut bytes = form.as_bytes().to_vec();
    for (x, y) in vertices {
        for part in [(x - rect.x0) / size, (y - rect.y0) / size] {
            bytes.extend(((part * 128.0 + 0.3719).floor() as i16).to_le_bytes());
        }
    }
    xxh3_64(&bytes) >> 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every sample shape is distinguished from all others, at sizes that are not sampled.
    #[test]
    fn shapes_are_recognised_at_other_sizes() {
        let accents = ACCENTS
            .iter()
            .map(|(command, c)| (format!("{command}{{abcd}}"), *c));
        let delimiters = DELIMITERS.iter().map(|(delimiter, c)| {
            let rows = r"a\\".repeat(6);
            let open = format!(r"\left{delimiter}\begin{{matrix}}{rows}\end{{matrix}}\right.");
            (open, *c)
        });
        for (latex, expected) in accents.chain(delimiters) {
            for strokes in path_strokes(&latex) {
                let strokes: Vec<&Stroke> = strokes.iter().collect();
                let found = recognize(&strokes);
                assert_eq!(found, (SymbolId::Char(expected), strokes.len()), "{latex}");
            }
        }
    }
}
