//! The rules that join marks into symbols, one by one.

use usvg::tiny_skia_path::{Path, PathBuilder, Rect as PathRect};

use super::*;

fn rect(x0: f64, y0: f64, x1: f64, y1: f64) -> Rect {
    Rect { x0, y0, x1, y1 }
}

fn glyph(c: char, at: (f64, f64, f64, f64)) -> Mark {
    Mark::Glyph(c, rect(at.0, at.1, at.2, at.3))
}

fn bar(x0: f64, y0: f64, x1: f64, y1: f64) -> Mark {
    Mark::Rule(rect(x0, y0, x1, y1))
}

/// The contours of a filled rectangle that is drawn as a path.
fn box_path(x0: f32, y0: f32, x1: f32, y1: f32) -> Mark {
    let path = PathBuilder::from_rect(PathRect::from_ltrb(x0, y0, x1, y1).unwrap());
    contour(&path)
}

fn contour(path: &Path) -> Mark {
    Mark::Stroke(stretchy::of_path(path).swap_remove(0))
}

/// The names of the symbols that marks make, and the box around each.
fn symbols(marks: &[Mark]) -> (String, Vec<Rect>) {
    let layout = assemble(marks).unwrap();
    let names = layout.symbols().iter().map(|s| s.id.to_string());
    (
        names.collect(),
        layout.symbols().iter().map(|s| s.rect).collect(),
    )
}

fn names(marks: &[Mark]) -> String {
    symbols(marks).0
}

#[test]
fn a_root_takes_the_bar_that_tops_it_off() {
    let sign = glyph('√', (0.0, 0.0, 1.0, 2.0));
    let (found, boxes) = symbols(&[sign.clone(), bar(1.0, 0.0, 3.0, 0.04)]);
    assert_eq!(
        (found.as_str(), boxes),
        ("√", vec![rect(0.0, 0.0, 3.0, 2.0)])
    );
    // A fraction bar after the root is lower.
    assert_eq!(names(&[sign, bar(1.2, 1.0, 3.0, 1.04)]), "√-");
}

#[test]
fn a_slash_negates_what_unicode_has_negated() {
    let slash = || glyph(NOT, (0.2, 0.0, 0.6, 1.0));
    let (found, boxes) = symbols(&[slash(), glyph('=', (0.0, 0.4, 0.8, 0.6))]);
    assert_eq!(
        (found.as_str(), boxes),
        ("≠", vec![rect(0.0, 0.0, 0.8, 1.0)])
    );
    assert_eq!(
        names(&[slash(), glyph('x', (0.0, 0.4, 0.8, 0.6))]),
        "\u{338}x"
    );
    assert_eq!(names(&[slash()]), "\u{338}");
}

#[test]
fn a_slash_within_an_element_sign_is_not_in() {
    let element = || glyph('∈', (0.0, 0.0, 0.7, 0.7));
    assert_eq!(names(&[element(), glyph('/', (0.1, -0.2, 0.5, 0.9))]), "∉");
    assert_eq!(names(&[element(), glyph('/', (0.9, -0.2, 1.3, 0.9))]), "∈/");
}

#[test]
fn pieces_and_what_lengthens_them_are_one_delimiter() {
    let piece = |c, y: f64| glyph(c, (0.0, y, 0.5, y + 1.0));
    let brace = [
        piece('⎧', 0.0),
        box_path(0.2, 1.0, 0.3, 1.5),
        piece('⎨', 1.5),
        piece('⎩', 2.5),
    ];
    let (found, boxes) = symbols(&brace);
    assert_eq!(
        (found.as_str(), boxes),
        ("{", vec![rect(0.0, 0.0, 0.5, 3.5)])
    );
    // The same piece a second time begins another delimiter, extenders do not.
    let twice = [
        piece('⎛', 0.0),
        piece('⎝', 1.0),
        piece('⎛', 0.0),
        piece('⎝', 1.0),
    ];
    assert_eq!(names(&twice), "((");
    let extended = [
        piece('⎡', 0.0),
        piece('⎢', 1.0),
        piece('⎢', 2.0),
        piece('⎣', 3.0),
    ];
    assert_eq!(names(&extended), "[");
    // Pieces that stand beside each other belong to two delimiters.
    let beside = [piece('⎡', 0.0), glyph('⎤', (1.0, 0.0, 1.5, 1.0))];
    assert_eq!(names(&beside), "⌈⌉");
}

#[test]
fn rules_lie_stand_or_fill() {
    assert_eq!(names(&[bar(0.0, 0.0, 1.0, 0.04)]), "-");
    assert_eq!(names(&[bar(0.0, 0.0, 0.04, 1.0)]), "|");
    assert_eq!(names(&[bar(0.0, 0.0, 1.0, 0.9)]), "■");
    assert_eq!(names(&[bar(0.0, 0.0, 0.9, 1.0)]), "■");
}

#[test]
fn dashes_in_one_line_are_one_rule() {
    let dash = |x: f64, y: f64| bar(x, y, x + 0.04, y + 0.2);
    let (found, boxes) = symbols(&[dash(0.0, 0.0), dash(0.0, 0.4), dash(0.0, 0.8)]);
    assert_eq!(
        (found.as_str(), boxes),
        ("|", vec![rect(0.0, 0.0, 0.04, 1.0)])
    );
    assert_eq!(names(&[dash(0.0, 0.0), dash(0.5, 0.0)]), "||");
}

#[test]
fn four_rules_around_a_box_are_a_frame() {
    let sides = |left: f64| {
        [
            bar(0.0, 0.0, 2.0, 0.04),
            bar(0.0, 0.96, 2.0, 1.0),
            bar(left, 0.0, left + 0.04, 1.0),
            bar(1.96, 0.0, 2.0, 1.0),
        ]
    };
    let (found, boxes) = symbols(&sides(0.0));
    assert_eq!(
        (found.as_str(), boxes),
        ("▭", vec![rect(0.0, 0.0, 2.0, 1.0)])
    );
    assert_eq!(names(&sides(0.5)), "--||");
    assert_eq!(names(&[Mark::Frame(rect(0.0, 0.0, 2.0, 1.0))]), "▭");
}

#[test]
fn a_ring_through_integrals_closes_them() {
    let ring = |x: f32| contour(&PathBuilder::from_circle(x, 0.5, 0.3).unwrap());
    let known = names(&[ring(0.5)]);
    let integrals = |c| glyph(c, (0.0, 0.0, 1.0, 1.0));
    // Only the engine's own ring is known; any other shape stays beside.
    assert!(known.starts_with('#'), "{known}");
    assert_eq!(names(&[integrals('∬'), ring(0.5)]), format!("∬{known}"));
    let before = symbol('∬', rect(0.0, 0.0, 1.0, 1.0));
    assert_eq!(ringed(&before, &rect(0.2, 0.2, 0.8, 0.8)), Some('∯'));
    assert_eq!(ringed(&before, &rect(1.2, 0.2, 1.8, 0.8)), None);
    let layout = crate::layout::latex(r"\oiint x \oiiint").unwrap();
    let names: Vec<String> = layout.symbols().iter().map(|s| s.id.to_string()).collect();
    assert_eq!(names, ["∯", "𝑥", "∰"]);
}

#[test]
fn nothing_drawn_is_no_layout() {
    assert_eq!(assemble(&[]), Err(LayoutError::Empty));
}
