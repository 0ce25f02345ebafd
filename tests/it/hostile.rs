//! Hostile input: an error, soon, and no panic.

use std::fmt::Write;
use std::time::Instant;

use phocus::layout;

/// Lays each out on a thread with the small stack of a worker, and reports
/// what took long. Times are printed, not asserted: machines differ.
fn try_all(cases: Vec<(&'static str, String)>, read: fn(&str) -> bool) {
    let work = move || {
        for (name, text) in cases {
            let started = Instant::now();
            let laid_out = read(&text);
            println!(
                "{name}: {} after {:?}",
                if laid_out { "laid out" } else { "refused" },
                started.elapsed()
            );
        }
    };
    std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(work)
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn latex() {
    let bomb = r"\def\a{xx}\def\b{\a\a\a\a\a\a\a\a}\def\c{\b\b\b\b\b\b\b\b}\def\d{\c\c\c\c\c\c\c\c}\d\d\d\d";
    let mut nested_fractions = String::from("x");
    for _ in 0..500 {
        nested_fractions = format!(r"\frac{{1}}{{{nested_fractions}}}");
    }
    let cases = vec![
        ("10,000 open braces", "{".repeat(10_000)),
        (
            "10,000 nested braces",
            "{".repeat(10_000) + &"}".repeat(10_000),
        ),
        (
            "8,000 nested braces",
            "{".repeat(8_000) + "x" + &"}".repeat(8_000),
        ),
        ("a macro bomb", bomb.to_owned()),
        ("an endless macro", r"\def\x{\x}\x".to_owned()),
        ("a growing macro", r"\def\x{\x\x}\x".to_owned()),
        (
            "a megabyte of text",
            format!(r"\text{{{}}}", "word ".repeat(200_000)),
        ),
        ("as much as is read", "x+".repeat(8_000)),
        ("control characters", "\0\u{1}\u{2}".to_owned()),
        ("nested fractions", nested_fractions),
        ("nested lefts", r"\left(".repeat(1_000)),
        ("nested matrices", r"\begin{matrix}".repeat(500)),
        (
            "plain-TeX matrices",
            r"\matrix{".repeat(1_500) + &"}".repeat(1_500),
        ),
        ("hats", r"\hat".repeat(3_000)),
        ("scripts", "x^".repeat(5_000)),
        ("primes", format!("f{}", "'".repeat(10_000))),
        (
            "undefined commands",
            (0..800).fold(String::new(), |mut s, n| {
                let _ = write!(s, r"\undefined{} ", "a".repeat(n % 20));
                s
            }),
        ),
        ("ampersands", "&".repeat(15_000)),
        (
            "a huge rule",
            r"\rule{99999999999999999em}{1em}x".to_owned(),
        ),
        ("a huge size", r"\kern1e308em x\kern1e308em y".to_owned()),
        (
            "dashes",
            r"\begin{array}{:c:}\rule{1em}{100000em}\end{array}".to_owned(),
        ),
        ("entities", "&#x110000;&#99999999999;&;&lt".to_owned()),
        ("percents", "%".repeat(10_000)),
    ];
    try_all(cases, |text| layout::latex(text).is_ok());
    assert!(layout::latex(&"{".repeat(10_000)).is_err());
    assert!(layout::latex("a\0b").is_err());
    assert!(layout::latex(r"\def\x{\x}\x").is_err());
    assert!(layout::latex(&"x".repeat(1 << 20)).is_err());
}

#[test]
fn svg() {
    let svg = |body: &str| {
        format!(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{body}</svg>"#)
    };
    let entities = r#"<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;"><!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;"><!ENTITY f "&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;">]><svg xmlns="http://www.w3.org/2000/svg"><text>&f;&f;&f;&f;</text></svg>"#;
    let mut uses = String::from(r#"<defs><path id="u0" d="M0 0L1 1L1 0Z"/>"#);
    for n in 1..40 {
        let before = n - 1;
        let _ = write!(
            uses,
            r##"<g id="u{n}"><use href="#u{before}"/><use href="#u{before}"/></g>"##
        );
    }
    uses += r##"</defs><use href="#u39"/>"##;
    let mut empty_uses = String::from(r#"<defs><g id="e0"/>"#);
    for n in 1..40 {
        let before = n - 1;
        let _ = write!(
            empty_uses,
            r##"<g id="e{n}"><use href="#e{before}"/><use href="#e{before}"/></g>"##
        );
    }
    empty_uses += r##"</defs><use href="#e39"/>"##;
    let long = "L1 1".repeat(50_000);
    let long_uses = format!(r##"<defs><path id="l" d="M0 0{long}"/></defs>"##)
        + &r##"<use href="#l"/>"##.repeat(5_000);
    let cases = vec![
        ("uses of nothing", svg(&empty_uses)),
        ("uses of much", svg(&long_uses)),
        (
            "uses of none",
            svg(&r##"<use href="#x"/>"##.repeat(150_000)),
        ),
        (
            "moved text",
            svg(&format!(
                r#"<text transform="{}">{}</text>"#,
                "translate(1 1)".repeat(9_000),
                "x".repeat(5_000)
            )),
        ),
        ("entities", entities.to_owned()),
        (
            "deep nesting",
            svg(&("<g>".repeat(20_000) + &"</g>".repeat(20_000))),
        ),
        ("uses of uses", svg(&uses)),
        (
            "a use of itself",
            svg(r##"<g id="a"><use href="#a"/></g>"##),
        ),
        (
            "huge numbers",
            svg(r#"<path d="M1e38 1e38L-1e38 9e99L1 1Z"/><rect width="1e300" height="1e300"/>"#),
        ),
        (
            "not numbers",
            svg(
                r#"<path d="MNaN 0L1 NaN" transform="matrix(NaN 0 0 NaN 0 0)"/><rect width="NaN" height="1"/>"#,
            ),
        ),
        (
            "huge transforms",
            svg(
                r#"<g transform="scale(1e30)"><g transform="scale(1e30)"><path d="M0 0L1 1L1 0Z"/></g></g>"#,
            ),
        ),
        (
            "many shapes",
            svg(&r#"<path d="M0 0L1 1L1 0Z"/>"#.repeat(60_000)),
        ),
        (
            "a long path",
            svg(&format!(
                r#"<path d="M0 0{}"/>"#,
                "L1 1L0 2".repeat(200_000)
            )),
        ),
        (
            "dashes",
            svg(r#"<path d="M0 0L1e9 1" stroke="black" stroke-dasharray="1e-9"/>"#),
        ),
        (
            "a file",
            svg(r#"<image href="/etc/passwd" width="9" height="9"/>"#),
        ),
        ("no svg", "<html/>".to_owned()),
        ("no xml", "x".to_owned()),
        ("nothing", String::new()),
        ("too long", " ".repeat(5 << 20)),
    ];
    try_all(cases, |text| layout::svg::parse(text).is_ok());
    assert!(layout::svg::parse(entities).is_err());
    assert!(layout::svg::parse(&svg(&uses)).is_err());
}
