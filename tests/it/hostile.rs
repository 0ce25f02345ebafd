//! Hostile input: laid out or refused, soon, and no panic.

use std::fmt::Write;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use phocus::layout;

/// How long a case may take. Each takes less than a second; what takes a minute hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a case is called, and its text.
type Case = (&'static str, String);

/// Lays each case out, on a thread with the small stack of a worker: all are laid out, or
/// all are refused.
fn try_all(cases: Vec<Case>, read: fn(&str) -> bool, are_laid_out: bool) {
    let (done, each_done) = mpsc::channel();
    let names: Vec<&str> = cases.iter().map(|case| case.0).collect();
    let work = move || {
        for (_, text) in cases {
            done.send(read(&text)).unwrap();
        }
    };
    let worker = std::thread::Builder::new().stack_size(2 << 20);
    worker.spawn(work).unwrap();
    for name in names {
        match each_done.recv_timeout(PATIENCE) {
            Ok(is_laid_out) => assert_eq!(is_laid_out, are_laid_out, "{name}"),
            Err(RecvTimeoutError::Timeout) => panic!("{name}: nothing after {PATIENCE:?}"),
            Err(RecvTimeoutError::Disconnected) => panic!("{name}: it panicked"),
        }
    }
}

fn latex_reads(text: &str) -> bool {
    layout::latex(text).is_ok()
}

fn svg_reads(text: &str) -> bool {
    layout::svg::parse(text).is_ok()
}

/// LaTeX, however long, whose layout is small enough.
#[test]
fn latex_that_is_laid_out() {
    let cases = vec![
        ("as much as is read", "x+".repeat(8_000)),
        ("primes", format!("f{}", "'".repeat(10_000))),
        ("a huge rule", r"\rule{99999999999999999em}{1em}x".into()),
        ("entities", "&#x110000;&#99999999999;&;&lt".into()),
    ];
    try_all(cases, latex_reads, true);
}

#[test]
fn nested_latex_is_refused() {
    let nested = |open: &str, close: &str, n: usize| open.repeat(n) + "x" + &close.repeat(n);
    let cases = vec![
        ("open braces", "{".repeat(10_000)),
        (
            "braces of nothing",
            "{".repeat(10_000) + &"}".repeat(10_000),
        ),
        ("braces", nested("{", "}", 8_000)),
        ("fractions", nested(r"\frac{1}{", "}", 500)),
        ("lefts", r"\left(".repeat(1_000)),
        ("matrices", r"\begin{matrix}".repeat(500)),
        ("plain TeX's matrices", nested(r"\matrix{", "}", 1_500)),
        ("hats", r"\hat".repeat(3_000)),
        ("scripts", "x^".repeat(5_000)),
    ];
    try_all(cases, latex_reads, false);
}

#[test]
fn latex_without_end_is_refused() {
    let bomb = r"\def\a{xx}\def\b{\a\a\a\a\a\a\a\a}\def\c{\b\b\b\b\b\b\b\b}\def\d{\c\c\c\c\c\c\c\c}\d\d\d\d";
    let undefined = (0..800).fold(String::new(), |mut text, n| {
        let _ = write!(text, r"\undefined{} ", "a".repeat(n % 20));
        text
    });
    let dashes = r"\begin{array}{:c:}\rule{1em}{100000em}\end{array}";
    let cases = vec![
        ("a macro bomb", bomb.into()),
        ("an endless macro", r"\def\x{\x}\x".into()),
        ("a growing macro", r"\def\x{\x\x}\x".into()),
        ("a megabyte", "x".repeat(1 << 20)),
        (
            "long text",
            format!(r"\text{{{}}}", "word ".repeat(200_000)),
        ),
        ("undefined commands", undefined),
        ("control characters", "\0\u{1}\u{2}".into()),
        ("a zero byte", "a\0b".into()),
        ("ampersands", "&".repeat(15_000)),
        ("a huge size", r"\kern1e308em x\kern1e308em y".into()),
        ("many dashes", dashes.into()),
        ("percents", "%".repeat(10_000)),
    ];
    try_all(cases, latex_reads, false);
}

fn svg(body: &str) -> String {
    format!(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{body}</svg>"#)
}

#[test]
fn svg_that_is_laid_out() {
    let moves = "translate(1 1)".repeat(9_000);
    let text = "x".repeat(5_000);
    let path = "L1 1L0 2".repeat(200_000);
    let dashes = r#"<path d="M0 0L1e9 1" stroke="black" stroke-dasharray="1e-9"/>"#;
    let cases = vec![
        (
            "moved text",
            svg(&format!(r#"<text transform="{moves}">{text}</text>"#)),
        ),
        ("a long path", svg(&format!(r#"<path d="M0 0{path}"/>"#))),
        ("dashes", svg(dashes)),
    ];
    try_all(cases, svg_reads, true);
}

/// Forty groups, each with the one before it twice.
fn doubling(first: &str) -> String {
    let mut uses = format!("<defs>{first}");
    for n in 1..40 {
        let before = n - 1;
        let _ = write!(
            uses,
            r##"<g id="u{n}"><use href="#u{before}"/><use href="#u{before}"/></g>"##
        );
    }
    svg(&(uses + r##"</defs><use href="#u39"/>"##))
}

#[test]
fn svg_that_grows_is_refused() {
    let mut entities = String::from(r#"<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">"#);
    for (of, name) in ["ab", "bc", "cd", "de", "ef"].map(|pair| pair.split_at(1)) {
        let _ = write!(
            entities,
            r#"<!ENTITY {name} "{}">"#,
            format!("&{of};").repeat(10)
        );
    }
    entities += r#"]><svg xmlns="http://www.w3.org/2000/svg"><text>&f;&f;&f;&f;</text></svg>"#;
    let long = "L1 1".repeat(50_000);
    let long = format!(r##"<defs><path id="l" d="M0 0{long}"/></defs>"##);
    let shape = r#"<path d="M0 0L1 1L1 0Z"/>"#;
    let cases = vec![
        (
            "uses of uses",
            doubling(r#"<path id="u0" d="M0 0L1 1L1 0Z"/>"#),
        ),
        ("uses of nothing", doubling(r#"<g id="u0"/>"#)),
        (
            "uses of much",
            svg(&(long + &r##"<use href="#l"/>"##.repeat(5_000))),
        ),
        (
            "uses of none",
            svg(&r##"<use href="#x"/>"##.repeat(150_000)),
        ),
        (
            "a use of itself",
            svg(r##"<g id="a"><use href="#a"/></g>"##),
        ),
        ("entities", entities),
        (
            "deep nesting",
            svg(&("<g>".repeat(20_000) + &"</g>".repeat(20_000))),
        ),
        ("many shapes", svg(&shape.repeat(60_000))),
        ("too long", " ".repeat(5 << 20)),
    ];
    try_all(cases, svg_reads, false);
}

#[test]
fn svg_of_no_size_is_refused() {
    let huge = r#"<path d="M1e38 1e38L-1e38 9e99L1 1Z"/><rect width="1e300" height="1e300"/>"#;
    let not_numbers = r#"<path d="MNaN 0L1 NaN" transform="matrix(NaN 0 0 NaN 0 0)"/><rect width="NaN" height="1"/>"#;
    let scaled = r#"<g transform="scale(1e30)"><g transform="scale(1e30)"><path d="M0 0L1 1L1 0Z"/></g></g>"#;
    let file = r#"<image href="/etc/passwd" width="9" height="9"/>"#;
    let cases = vec![
        ("huge numbers", svg(huge)),
        ("not numbers", svg(not_numbers)),
        ("huge transforms", svg(scaled)),
        ("a file", svg(file)),
        ("no svg", "<html/>".into()),
        ("no xml", "x".into()),
        ("nothing", String::new()),
    ];
    try_all(cases, svg_reads, false);
}
