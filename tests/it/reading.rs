//! How queries are read: by the library, on the command line and over HTTP alike.

use phocus::layout::{self, Layout};
use phocus::phoc::fold;

use serde_json::Value;

use crate::fixtures::binary::{json, run, stderr, stdout, text};
use crate::fixtures::required::real_data;
use crate::fixtures::sample::sample_formulas;
use crate::fixtures::server::{Server, index_of};

/// The symbols of a layout, sorted; letters in any style are one. The pages are made by itex,
/// to which letters in a row are an upright name.
fn symbols(layout: &Layout) -> Vec<String> {
    let symbols = layout.symbols().iter();
    let mut symbols: Vec<String> = symbols.map(|symbol| fold(symbol.id).to_string()).collect();
    symbols.sort();
    symbols
}

/// MathML without its annotation, and the annotation.
fn without_annotation(mathml: &str) -> Option<(String, String)> {
    let start = mathml.find("<annotation")?;
    let end = start + mathml[start..].find("</annotation>")?;
    let tex = &mathml[start..end];
    let tex = tex[tex.find('>')? + 1..]
        .replace("&lt;", "<")
        .replace("&gt;", ">");
    let plain = format!(
        "{}{}",
        &mathml[..start],
        &mathml[end + "</annotation>".len()..]
    );
    Some((plain, tex.replace("&amp;", "&")))
}

/// Real MathML has the symbols of the TeX that it was made of.
#[test]
fn real_mathml_is_read_as_its_tex() {
    let Some(pages) = real_data("documents/html/nlab") else {
        return;
    };
    let (mut same, mut all) = (0, 0);
    let mut other = Vec::new();
    for page in std::fs::read_dir(pages).unwrap() {
        let html = std::fs::read_to_string(page.unwrap().path()).unwrap();
        for formula in html.split("<math").skip(1) {
            let formula = format!("<math{}", formula.split("</math>").next().unwrap());
            let Some((mathml, tex)) = without_annotation(&(formula + "</math>")) else {
                continue;
            };
            let Ok(direct) = layout::latex(&tex) else {
                continue;
            };
            all += 1;
            match layout::read_query(&mathml) {
                Ok(read) if symbols(&read.layout) == symbols(&direct) => same += 1,
                Ok(read) => other.push(format!("{tex}\n    {}", read.read_as)),
                Err(error) => other.push(format!("{tex}\n    {error}")),
            }
        }
    }
    let other = other.join("\n");
    println!("{same} of {all}\n{other}");
    assert!(same * 100 >= all * 95, "{same} of {all}\n{other}");
}

/// Inputs, what each is read as, and how many notes there are.
const TYPED: [(&str, &str, usize); 20] = [
    ("x^2+y^2", "x^2+y^2", 0),
    ("$x^2$ text", "x^2", 1),
    (r"see \(x^2\) and \[x^2+y\]", "x^2+y", 2),
    ("$$x^2$$", "x^2", 0),
    ("$x^2", "x^2", 0),
    (
        r"so \begin{equation}x\end{equation} holds",
        r"\begin{equation*}x\end{equation*}",
        1,
    ),
    ("```math\nx^2\n```", "x^2", 0),
    ("`x^2`", "x^2", 0),
    ("$5", r"\$5", 1),
    (r"\fraq{x}{2}", "{x}{2}", 1),
    (r"x+\fra", "x+", 1),
    (r"\frac{x}{", r"\frac{x}{}", 1),
    ("x^", "x", 1),
    (r"\left(x", r"\left(x\right.", 1),
    (r"\nobody+x", r"\text{nobody}+x", 1),
    ("∫₀¹ x² dx", "∫₀¹ x² dx", 0),
    ("√2−ℝ", r"\sqrt{2}-\mathbb{R}", 1),
    ("<math><mi>x</mi><mo>+</mo><mn>1</mn></math>", "x+1", 1),
    (
        "a <math><mi>x</mi><annotation encoding=\"application/x-tex\">y</annotation></math>",
        "y",
        2,
    ),
    ("a & b", r"\begin{matrix}a & b\end{matrix}", 1),
];

/// The notes that a verb prints.
fn printed(arguments: &[&str]) -> Vec<String> {
    let output = run(arguments);
    let error = stderr(&output);
    let lines = error.lines();
    lines
        .filter_map(|line| line.strip_prefix("note: ").map(str::to_owned))
        .collect()
}

/// Previews, completions, searches, explanations and every verb read alike, and say so in the
/// same words.
#[test]
fn all_read_what_is_typed_alike() {
    let folder = tempfile::tempdir().unwrap();
    let index = index_of(folder.path(), &[("1", "x+y"), ("2", "x^2")]);
    let index = text(&index);
    let server = Server::start(&[index, "--quiet"]);
    for (typed, read_as, count) in TYPED {
        let read = layout::read_query(typed).unwrap_or_else(|error| panic!("{typed}: {error}"));
        assert_eq!(
            (read.read_as.as_str(), read.notes.len()),
            (read_as, count),
            "{typed}: {:?}",
            read.notes
        );
        let same = |whose: &str, answer: &Value| {
            assert_eq!(answer["read_as"], read.read_as, "{whose} {typed}: {answer}");
            assert_eq!(
                answer["notes"],
                Value::from(read.notes.clone()),
                "{whose} {typed}"
            );
        };
        for path in ["preview", "mathml", "complete", "search", "explain"] {
            let mut parameters = vec![("q", typed)];
            parameters.extend((path == "explain").then_some(("id", "1")));
            same(
                path,
                &server.get(&format!("/api/{path}"), &parameters).json(),
            );
        }
        same(
            "search --json",
            &json(&stdout(&run(&["search", index, typed, "--json"]))),
        );
        same(
            "explain --json",
            &json(&stdout(&run(&["explain", index, typed, "1", "--json"]))),
        );
        assert_eq!(printed(&["search", index, typed]), read.notes, "{typed}");
        assert_eq!(
            printed(&["explain", index, typed, "1"]),
            read.notes,
            "{typed}"
        );
        assert_eq!(printed(&["encode", typed]), read.notes, "{typed}");
    }
    let refused = server.get(
        "/api/search",
        &[("q", "<math><apply><plus/></apply></math>")],
    );
    assert_eq!(refused.status, 400);
    assert!(refused.body.contains("content MathML"), "{}", refused.body);
    let alone = server.get("/api/search", &[("q", r"\alhpa")]).json();
    let error = alone["error"].as_str().unwrap();
    assert!(
        error.contains(r"unknown command \alhpa: did you mean \alpha?"),
        "{error}"
    );
}

/// A formula of a collection is the same query as before queries were read in a way of their own.
#[test]
fn complete_formulas_are_read_as_they_are_indexed() {
    let mut whole = 0;
    for latex in sample_formulas() {
        let Ok(direct) = layout::read_latex(&latex) else {
            continue;
        };
        if direct.unknown_commands.is_empty() && !direct.mended {
            let read = layout::read_query(&latex).unwrap();
            assert_eq!(
                (read.layout, read.notes.len()),
                (direct.layout, 0),
                "{latex}"
            );
            whole += 1;
        }
    }
    assert!(whole > 100, "{whole}");
}

/// LaTeX as MathML, and that as LaTeX again, has the same symbols; the MathML is well-formed.
#[test]
fn mathml_and_back_has_the_same_symbols() {
    let (mut same, mut all) = (0, 0);
    let mut other = Vec::new();
    for latex in sample_formulas() {
        let Ok(direct) = layout::latex(&latex) else {
            continue;
        };
        let mathml = layout::mathml(&latex).unwrap();
        roxmltree::Document::parse(&mathml).unwrap_or_else(|error| panic!("{latex}: {error}"));
        assert!(!mathml.contains("break<"), "{latex}: {mathml}");
        let (plain, tex) = without_annotation(&mathml).unwrap();
        assert_eq!(
            tex.replace("&quot;", "\""),
            layout::read_latex(&latex).unwrap().read_as
        );
        all += 1;
        match layout::read_query(&plain) {
            Ok(read) if symbols(&read.layout) == symbols(&direct) => same += 1,
            Ok(read) => other.push(format!("{latex}\n    {}", read.read_as)),
            Err(error) => other.push(format!("{latex}\n    {error}")),
        }
    }
    let other = other.join("\n");
    println!("{same} of {all}\n{other}");
    assert!(same * 100 >= all * 97, "{same} of {all}\n{other}");
}

/// Whatever is pasted is read or refused, soon and without a panic.
#[test]
fn hostile_queries_are_read_or_refused() {
    let nested = |open: &str, close: &str| open.repeat(5000) + "x" + &close.repeat(5000);
    for typed in [
        "x".repeat(1 << 20),
        "x\0y".to_owned(),
        "$".repeat(16_000),
        "$`".repeat(8_000),
        r"\(".repeat(8_000),
        "√(".repeat(3_000),
        r"\fraq".repeat(3_000),
        (0..2_000u32)
            .map(|n| format!(r"\zz{}", char::from_u32(97 + n % 26).unwrap()))
            .collect(),
        nested("<math>", "</math>"),
        format!("<math>{}</math>", nested("<mrow>", "</mrow>")),
        format!("<math>{}</math>", nested("<msup><mi>x</mi>", "</msup>")),
        format!("<math>{}</math>", "&alpha;".repeat(100_000)),
        format!("<math>{}", "<mi>x".repeat(20_000)),
        "<math".repeat(50_000),
    ] {
        let shown: String = typed.chars().take(20).collect();
        let worker = std::thread::Builder::new().stack_size(2 << 20);
        let read = move || {
            layout::read_query(&typed).is_ok() | (layout::readings_with(&typed, &[]).count() > 0)
        };
        worker
            .spawn(read)
            .unwrap()
            .join()
            .unwrap_or_else(|_| panic!("{shown}"));
    }
}
