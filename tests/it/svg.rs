//! SVG as a way in: the same formula through a drawing and through LaTeX.

use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::sample;
use phocus::layout::{self, Layout, Rect, Symbol};
use phocus::phoc::{PhocConfig, encode};
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

/// The goldens' formulas, and of the sample those that RaTeX reads as they
/// are: cleaned ones would be drawn from other LaTeX.
#[test]
fn ratex_svg_and_display_list_agree() {
    let cleaned = [
        r"\begin{align}",
        r"\begin{equation}",
        r"\label",
        r"\tag",
        "&lt",
        "&gt",
        "&amp",
    ];
    let is_plain = |latex: &String| {
        !cleaned.iter().any(|mark| latex.contains(mark)) && ratex_parser::parse(latex).is_ok()
    };
    let mut all = formulas();
    all.extend(sample::sample_formulas().into_iter().filter(is_plain));
    println!("{} formulas", all.len());
    assert!(all.len() > 1500, "{}", all.len());
    for latex in all {
        let direct = layout::latex(&latex).unwrap();
        let drawn = layout::svg::parse(&ratex_svg(&latex)).unwrap();
        assert_eq!(keys(&direct), keys(&drawn), "{latex}");
        let mut left = normal(&drawn);
        for symbol in normal(&direct) {
            let far = |other: &[f64; 4]| {
                let edges = symbol.1.iter().zip(other);
                edges.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
            };
            let same = left
                .iter()
                .position(|(key, place)| *key == symbol.0 && far(place) < 2e-3);
            let at = same.unwrap_or_else(|| panic!("{latex}: {symbol:?} is not among {left:?}"));
            left.remove(at);
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

/// Two renderers space a formula a little differently, so some bits at the
/// edges of regions differ; most are the same.
#[test]
fn mathjax_svg_has_nearly_the_same_bits() {
    let config = PhocConfig::default();
    let (mut shared, mut all) = (0, 0);
    for (number, latex) in formulas().iter().enumerate() {
        let file = golden("mathjax-none").join(format!("{:03}.svg", number + 1));
        let drawn = layout::svg::parse(&fs::read_to_string(file).unwrap()).unwrap();
        let drawn = encode(&drawn, &config);
        let direct = encode(&layout::latex(latex).unwrap(), &config);
        for (a, b) in direct.iter().zip(&drawn) {
            assert_eq!(a.key, b.key);
            shared += (a.word & b.word).count_ones();
            all += (a.word | b.word).count_ones();
        }
    }
    let part = f64::from(shared) / f64::from(all);
    println!("MathJax and RaTeX share {:.2}% of bits", 100.0 * part);
    assert!(part > 0.9, "{part}");
}

/// A drawing without any names still has symbols, by their outlines.
#[test]
fn dvisvgm_and_unnamed_shapes() {
    let glyph =
        r#"<path id="g0-120" d="M3 1C2 5 1 9 0 2L4 4Z"/><path id="g0-121" d="M0 0L5 0L5 7Z"/>"#;
    let svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 99 99">
        <defs>{glyph}</defs><use x="1" y="9" xlink:href="#g0-120"/><use x="20" y="9" xlink:href="#g0-121"/>
        <g transform="scale(.7)"><use x="60" y="9" xlink:href="#g0-120"/></g>
        <rect x="1" y="30" width="40" height=".4"/></svg>"##
    );
    let layout = layout::svg::parse(&svg).unwrap();
    let ids: Vec<String> = layout.symbols().iter().map(|s| s.id.to_string()).collect();
    assert_eq!(ids.len(), 4);
    assert!(
        ids[0].starts_with('#') && ids[0] == ids[2] && ids[0] != ids[1],
        "{ids:?}"
    );
    assert_eq!(ids[3], "-");
    let x = layout.symbols()[2].rect;
    assert!((x.x0 - 42.0).abs() < 1e-3, "moved, then scaled: {x:?}");
}
