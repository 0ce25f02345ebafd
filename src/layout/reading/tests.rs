//! Queries of every kind, and what each is read as.

use proptest::prelude::*;

use super::*;

fn read(typed: &str) -> (String, Vec<String>) {
    let read = read_query(typed).unwrap_or_else(|error| panic!("{typed}: {error}"));
    (read.read_as, read.notes)
}

/// What a query is read as, and the only note.
fn noted(typed: &str) -> (String, String) {
    let (read_as, mut notes) = read(typed);
    assert_eq!(notes.len(), 1, "{typed}: {notes:?}");
    (read_as, notes.remove(0))
}

#[test]
fn a_formula_is_read_as_one_of_a_collection() {
    for latex in [
        r"a^2+b^2=c^2",
        r"$\int_0^\infty \frac{\sin x}{x}\,dx$",
        r"\begin{align} a &= b \label{x}\\ c &= d \end{align}",
        r"\mbox{if } x &lt; 1",
        r"\newcommand{\mine}{x} \mine^2",
        r"\left\{\begin{align}a&=b\\c&=d\end{align}\right.",
    ] {
        let direct = crate::layout::read_latex(latex).unwrap();
        let read = read_query(latex).unwrap();
        assert_eq!((read.layout, read.read_as), (direct.layout, direct.read_as));
        assert!(read.notes.is_empty(), "{latex}: {:?}", read.notes);
    }
}

#[test]
fn what_is_unfinished_is_closed_or_left_out() {
    for (typed, latex) in [
        ("x^", "x"),
        ("x^{2", "x^{2}"),
        (r"\frac{1}{", r"\frac{1}{}"),
        (r"\frac{a+b", r"\frac{a+b}{}"),
        (r"\left(", r"\left(\right."),
        (r"\sqrt", r"\sqrt{}"),
        (r"a+\fra", "a+"),
        (r"\begin{pmatrix} 1 &", r"\begin{pmatrix} 1 &\end{pmatrix}"),
        (r"see $\frac{1}{x$", r"\frac{1}{x}"),
    ] {
        let (read_as, notes) = read(typed);
        let note = format!("The formula is unfinished: read as {latex}");
        assert_eq!(
            (read_as.as_str(), notes.last()),
            (latex, Some(&note)),
            "{typed}"
        );
    }
    assert!(read_query("").is_err() && read_query(r"\").is_err());
}

#[test]
fn unknown_commands_are_left_out_or_read_as_their_names() {
    assert_eq!(
        noted(r"\fraq{1}{2}"),
        (
            "{1}{2}".to_owned(),
            r"Unknown command \fraq: did you mean \frac? It is left out.".to_owned()
        )
    );
    let (read_as, note) = noted(r"\nobody+x");
    assert_eq!(read_as, r"\text{nobody}+x");
    assert_eq!(note, r"Unknown command \nobody: it is read as its name.");
    let unknown = read_query(r"\fraq+\nobody").unwrap().unknown_commands;
    assert_eq!(unknown, [r"\fraq", r"\nobody"]);
    let alone = read_query(r"\alhpa").unwrap_err().to_string();
    assert_eq!(alone, r"unknown command \alhpa: did you mean \alpha?");
}

#[test]
fn what_is_mended_is_told() {
    let (_, note) = noted(r"U_i^'(x)=p");
    assert_eq!(note, "The formula is not quite LaTeX: read as U_i'(x)=p");
    let (_, note) = noted("a & b");
    assert!(note.ends_with(r"\begin{matrix}a & b\end{matrix}"), "{note}");
}

#[test]
fn a_command_at_the_end_is_read_with_it_and_without() {
    let read: Vec<String> = readings_with(r"x\in", &[])
        .map(|reading| reading.read_as)
        .collect();
    assert_eq!(read, [r"x\in", "x"]);
    assert_eq!(readings_with("x", &[]).count(), 1);
}

/// Each listed command is one to the engine, or to what cleans formulas, or is known where it
/// stands in text or has other arguments.
#[test]
fn listed_commands_are_known() {
    const STRUCTURE: [&str; 7] = [
        "right",
        "end",
        "hline",
        "hdashline",
        "endgroup",
        "buildrel",
        "sideset",
    ];
    let listed = suggest::listed().filter(|name| !STRUCTURE.contains(name));
    let listed = listed.map(|name| format!(r"\{name}"));
    let unknown: Vec<String> = listed
        .filter(|command| {
            [
                "",
                "{}{}",
                "{x}{y}",
                "1pt{}",
                "{1pt}{2pt}",
                "(x)",
                r"(\right)",
                "{a}{b}{c}{d}",
            ]
            .iter()
            .flat_map(|after| {
                [
                    format!("a{command}{after}"),
                    format!(r"\text{{{command}{after}}}"),
                ]
            })
            .chain([format!(r"\left({command})\right)")])
            .all(|latex| {
                let cleaned = crate::latex::clean::clean(&latex);
                let error = engine::parse(&cleaned).err();
                error.is_some_and(|error| error.message.contains(command))
            })
        })
        .collect();
    assert_eq!(unknown, Vec::<String>::new());
}

proptest! {
    #[test]
    fn every_beginning_of_a_formula_is_read_or_refused(
        cut in 0usize..60,
        source in prop::sample::select(vec![
            r"\int_0^\infty \frac{\sin x}{x}\,dx = \frac{\pi}{2}",
            r"\left\{\begin{matrix} a & b \\ c & d\end{matrix}\right\}",
            r"\sqrt[3]{\overline{x}^{y_{1}}}",
        ]),
    ) {
        let typed: String = source.chars().take(cut).collect();
        if let Ok(read) = read_query(&typed) {
            prop_assert!(crate::layout::latex(&read.read_as).is_ok());
        } else {
            prop_assert!(typed.chars().count() < 7, "{typed}");
        }
    }

    /// What was read is read again as it is.
    #[test]
    fn any_text_is_read_or_refused(text in r"[\\{}$^_&a-b0-1 `()\[\]]{0,24}") {
        if let Ok(read) = read_query(&text) {
            let again = crate::layout::latex(&read.read_as);
            prop_assert_eq!(again.ok(), Some(read.layout));
        }
    }
}
