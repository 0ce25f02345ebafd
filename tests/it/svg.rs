//! SVG as a way in: the same formula through a drawing and through LaTeX.

use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::sample;
use phocus::layout::{self, Layout, Rect, Symbol};
use phocus::phoc::{PhocConfig, encode};
use phocus::search::{Request, Searcher};
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
    let mut other_em = 0;
    for latex in all {
        let direct = layout::latex(&latex).unwrap();
        let drawn = layout::svg::parse(&ratex_svg(&latex)).unwrap();
        assert_eq!(keys(&direct), keys(&drawn), "{latex}");
        let size = |layout: &Layout| layout.rect().width().max(layout.rect().height());
        let scale = size(&drawn) / size(&direct);
        if (scale - 1.0).abs() > 0.01 {
            other_em += 1;
            println!("{scale:.3} of the em: {latex}");
        }
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
    println!("{other_em} of another em");
    assert!(other_em < 20, "{other_em}");
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
    let config: PhocConfig = "xy7o4".parse().unwrap();
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

/// The layout of a golden that MathJax drew.
fn mathjax(cache: &str, number: usize) -> Layout {
    let file = golden(cache).join(format!("{:03}.svg", number + 1));
    layout::svg::parse(&fs::read_to_string(file).unwrap()).unwrap()
}

/// The best result for `layout`, by id and LaTeX, and how alike re-ranking finds the two.
fn first_result(searcher: &Searcher, layout: &Layout) -> (String, String, f64) {
    let request = Request::layout(layout.clone()).k(10).rerank(300);
    let response = searcher.search(&request).unwrap();
    let first = &response.hits[0];
    (
        first.id.to_string(),
        first.latex.clone(),
        first.likeness.unwrap(),
    )
}

/// With the default configuration, which compares distances in em, a formula that
/// MathJax drew finds the same formula of an index of LaTeX.
#[test]
fn mathjax_svg_finds_the_same_formula_among_latex() {
    let folder = tempfile::tempdir().unwrap();
    let formulas = formulas();
    let config = "best".parse().unwrap();
    let index = sample::build_text(folder.path(), &formulas, &config, true);
    let searcher = Searcher::new(index);
    for cache in ["mathjax-none", "mathjax-local"] {
        let (mut first, mut alike) = (0, 0);
        for (number, latex) in formulas.iter().enumerate() {
            let direct = layout::latex(latex).unwrap();
            let (_, _, most) = first_result(&searcher, &direct);
            let (_, found, likeness) = first_result(&searcher, &mathjax(cache, number));
            // Two of the formulas differ in their LaTeX alone: `\ne` and `\not=`.
            let same = layout::latex(&found).unwrap().fingerprint() == direct.fingerprint();
            let part = likeness / most;
            first += usize::from(same);
            alike += usize::from(same && part >= 0.95);
            if !same || part < 0.95 {
                println!("{cache} {}: {latex}: {part:.3} {found}", number + 1);
            }
        }
        let all = formulas.len();
        println!("{cache}: {first} of {all} find themselves, {alike} with .95 of the likeness");
        assert_eq!(first, all, "{cache}");
        assert!(alike >= 110, "{cache}: {alike}");
    }
}

/// The other way round: LaTeX finds itself among drawings.
#[test]
fn latex_finds_the_same_formula_among_mathjax_svg() {
    let folder = tempfile::tempdir().unwrap();
    let config = "best".parse().unwrap();
    let index = sample::build_files(folder.path(), golden("mathjax-local"), &config, true);
    let searcher = Searcher::new(index);
    let is_first = |(number, latex): &(usize, String)| {
        let (id, ..) = first_result(&searcher, &layout::latex(latex).unwrap());
        // These two look the same: `\ne` and `\not=`.
        id == format!("{:03}", number + 1) || latex.contains(r"a \not= b")
    };
    let found = formulas().into_iter().enumerate().filter(is_first).count();
    println!("{found} of {} find themselves", formulas().len());
    assert_eq!(found, formulas().len());
}

/// Where what draws is moved, turned over and scaled, the em is scaled with it.
#[test]
fn the_em_is_found_in_any_unit() {
    let svg = fs::read_to_string(golden("mathjax-none").join("083.svg")).unwrap();
    let plain = layout::svg::parse(&svg).unwrap();
    let inner = &svg[svg.find('>').unwrap() + 1..svg.rfind("</svg>").unwrap()];
    let scaled = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
        viewBox="0 0 90 90"><g transform="translate(7 -2) scale(.013)">{inner}</g></svg>"#
    );
    let scaled = layout::svg::parse(&scaled).unwrap();
    for (a, b) in [
        (plain.rect().width(), scaled.rect().width()),
        (plain.rect().height(), scaled.rect().height()),
    ] {
        assert!((a - b).abs() < 1e-3, "{a} {b}");
    }
}

/// Characters of no known outline are as large as the drawing says that they are.
#[test]
fn text_is_as_large_as_its_font() {
    let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 99 99">
        <text font-size="20" x="5" y="30">漢</text></svg>"#;
    let layout = layout::svg::parse(svg).unwrap();
    assert!(
        (layout.rect().height() - 0.7).abs() < 1e-6,
        "{:?}",
        layout.rect()
    );
}

/// A drawing without any names still has symbols, by their outlines.
#[test]
fn dvisvgm_and_unnamed_shapes() {
    let glyph =
        r#"<path id="g0-120" d="M3 1C2 5 1 9 0 2L4 4Z"/><path id="g0-121" d="M0 0L5 0L5 7Z"/>"#;
    let svg = format!(
        r##"<!-- This file was generated by dvisvgm 3.2 -->
        <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 99 99">
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
    // Ten points of TeX, an em, are 9.96 of these units.
    let x = layout.symbols()[2].rect.x0 * 9.9626;
    assert!((x - 42.0).abs() < 1e-3, "moved, then scaled: {x}");
    let elsewhere = layout::svg::parse(&svg[svg.find("<svg").unwrap()..]).unwrap();
    let mut heights: Vec<f64> = elsewhere
        .symbols()
        .iter()
        .map(|s| s.rect.height())
        .collect();
    heights.sort_by(f64::total_cmp);
    assert!(
        (0.3..0.7).contains(&heights[2]),
        "of usual size: {heights:?}"
    );
}
