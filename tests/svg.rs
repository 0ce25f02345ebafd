//! SVG as a way in: the same formula through a drawing and through LaTeX.

use std::fs;
use std::path::{Path, PathBuf};

use phocus::layout::{self, Layout, Rect, Symbol};
use ratex_layout::{LayoutOptions, to_display_list};
use ratex_svg::{SvgOptions, render_to_svg};

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden/svg")
        .join(name)
}

fn formulas() -> Vec<String> {
    let lines = fs::read_to_string(golden("formulas.txt")).unwrap();
    lines.lines().map(str::to_owned).collect()
}

fn ratex_svg(latex: &str) -> String {
    let nodes = ratex_parser::parse(latex).unwrap();
    let list = to_display_list(&ratex_layout::layout(&nodes, &LayoutOptions::default()));
    render_to_svg(
        &list,
        &SvgOptions {
            embed_glyphs: true,
            ..SvgOptions::default()
        },
    )
}

/// Symbols with boxes relative to the formula's, as parts of its size.
fn normal(layout: &Layout) -> Vec<(String, [f64; 4])> {
    let whole = layout.rect();
    let (w, h) = (whole.width().max(1e-9), whole.height().max(1e-9));
    let place = |r: &Rect| {
        [
            (r.x0 - whole.x0) / w,
            (r.y0 - whole.y0) / h,
            (r.x1 - whole.x0) / w,
            (r.y1 - whole.y0) / h,
        ]
    };
    let mut symbols: Vec<_> = layout
        .symbols()
        .iter()
        .map(|Symbol { id, rect }| (id.to_string(), place(rect)))
        .collect();
    symbols.sort_by(|a, b| a.partial_cmp(b).unwrap());
    symbols
}

fn keys(layout: &Layout) -> Vec<String> {
    normal(layout).into_iter().map(|(key, _)| key).collect()
}

#[test]
fn ratex_svg_and_display_list_agree() {
    for latex in formulas() {
        let direct = layout::latex(&latex).unwrap();
        let drawn = layout::svg::parse(&ratex_svg(&latex)).unwrap();
        assert_eq!(keys(&direct), keys(&drawn), "{latex}");
        for (a, b) in normal(&direct).iter().zip(&normal(&drawn)) {
            let far =
                a.1.iter()
                    .zip(&b.1)
                    .map(|(a, b)| (a - b).abs())
                    .fold(0.0, f64::max);
            assert!(far < 2e-3, "{latex}: {a:?} {b:?}");
        }
    }
}

#[test]
fn mathjax_svg_has_the_same_symbols() {
    for cache in ["mathjax-none", "mathjax-local"] {
        for (number, latex) in formulas().iter().enumerate() {
            let file = golden(cache).join(format!("{:03}.svg", number + 1));
            let drawn = layout::svg::parse(&fs::read_to_string(file).unwrap()).unwrap();
            let direct = layout::latex(latex).unwrap();
            assert_eq!(
                keys(&direct),
                keys(&drawn),
                "{cache} {}: {latex}",
                number + 1
            );
        }
    }
}
