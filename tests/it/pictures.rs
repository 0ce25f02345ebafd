//! Pictures: what `phocus show` draws, and those of the README.

use std::fs;

use crate::fixtures::binary::{fails, json, ok, text};

#[test]
fn regions_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("regions.svg");
    ok(&[
        "show",
        "x^2+y^2",
        "--symbol",
        "2",
        "--config",
        "xy3o2r2",
        "-o",
        text(&svg),
    ]);
    let drawn = fs::read_to_string(&svg).unwrap();
    let document = roxmltree::Document::parse(&drawn).unwrap();
    let filled = |colour: &str| {
        let nodes = document.descendants();
        nodes
            .filter(|node| node.attribute("fill") == Some(colour))
            .count()
    };
    // As many regions are filled as the symbol has bits.
    let encoded = json(&ok(&["encode", "x^2+y^2", "--config", "xy3o2r2", "--json"]));
    let tokens = encoded["tokens"].as_array().unwrap();
    let two = tokens.iter().find(|token| token["key"] == "2").unwrap();
    assert_eq!(
        filled("#9ecbff"),
        two["bits"].as_str().unwrap().matches('1').count()
    );
    assert!(!drawn.contains("<text"), "no font is asked for");
    // Of a formula and its mirror image, what both have is green.
    let flipped = folder.path().join("flipped.svg");
    ok(&[
        "show",
        "x-y",
        "--against",
        "y-x",
        "--config",
        "xy3",
        "-o",
        text(&flipped),
    ]);
    let drawn = fs::read_to_string(&flipped).unwrap();
    assert!(drawn.contains("#8fd19e") && drawn.contains("#9ecbff"));
    let png = folder.path().join("regions.png");
    ok(&["show", "x-y", "-o", text(&png)]);
    assert!(fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    let none = ["show", "x", "--symbol", "z", "-o", text(&svg)];
    assert!(fails(&none).contains("x has no symbol z; its symbols are x"));
    // A symbol is named by its LaTeX, or by its code.
    let drawn = |latex: &str, symbol: &str| {
        let svg = text(&svg);
        ok(&[
            "show", latex, "--symbol", symbol, "--config", "y2", "-o", svg,
        ]);
        fs::read_to_string(svg).unwrap()
    };
    let fraction = r"\frac{a}{b-\alpha}";
    let minus = drawn(fraction, "-");
    assert_eq!(minus, drawn(fraction, "U+2212"));
    assert_ne!(minus, drawn(fraction, "U+002D"));
    assert_ne!(minus, drawn(fraction, r"\alpha"));
    let empty = fails(&["show", "x", "--against", "", "-o", text(&svg)]);
    assert_eq!(
        empty.trim(),
        "error: cannot read the formula: nothing to draw"
    );
    assert!(
        fails(&["show", "x", "-o", "x.gif"]).contains("expected a file that ends in .svg or .png")
    );
}

/// The README's pictures are what its commands draw.
#[test]
fn pictures_of_the_readme_are_current() {
    let readme = fs::read_to_string("README.md").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut count = 0;
    for line in readme
        .lines()
        .filter(|line| line.starts_with("phocus show "))
    {
        let (command, path) = line.rsplit_once(" -o ").unwrap();
        let again = folder.path().join("again.svg");
        let words: Vec<&str> = command.split('\'').collect();
        // Formulas are between quotes, options between them.
        let mut arguments: Vec<&str> = Vec::new();
        for (at, word) in words.iter().enumerate() {
            match at % 2 {
                0 => arguments.extend(word.split_whitespace()),
                _ => arguments.push(word),
            }
        }
        arguments.extend(["-o", text(&again)]);
        ok(&arguments[1..]);
        let drawn = fs::read(&again).unwrap() == fs::read(path).unwrap();
        assert!(drawn, "{path} is not what `{line}` draws: draw it again");
        assert!(
            readme.contains(&format!("]({path})")),
            "{path} is not shown"
        );
        count += 1;
    }
    assert!(count >= 2, "{count}");
}
