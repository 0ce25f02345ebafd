//! LaTeX that is still being typed, laid out as far as it can be read.

use crate::latex::partial::{completions, split_last_command};

use super::{Layout, engine, latex};

/// Unfinished LaTeX as it was understood.
#[derive(Debug)]
pub struct PartialLayout {
    /// The LaTeX that was laid out.
    pub latex: String,
    /// A description of the changes to the source; none where it was complete.
    pub changes: Vec<String>,
    /// The layout of `latex`.
    pub layout: Layout,
}

/// Lays out LaTeX that is still being typed: open groups are closed, and unfinished
/// tokens are left out. `None` if nothing remains.
pub fn partial(typed: &str) -> Option<PartialLayout> {
    completions(typed, engine::is_command).find_map(|completion| {
        let layout = latex(&completion.latex).ok()?;
        let changes = [
            ("left out", completion.left_out),
            ("added", completion.added),
        ];
        let changes = changes.into_iter().filter(|(_, what)| !what.is_empty());
        Some(PartialLayout {
            latex: completion.latex,
            changes: changes.map(|(how, what)| format!("{how} {what}")).collect(),
            layout,
        })
    })
}

/// How typed LaTeX may be read: as it is, and without a command at its end,
/// which may be the beginning of a longer one, as `\in` is of `\infty`.
pub fn readings(typed: &str) -> impl Iterator<Item = PartialLayout> {
    let without = move || {
        let (before, command) = split_last_command(typed)?;
        let mut reading = partial(before)?;
        reading.changes.insert(0, format!("left out {command}"));
        Some(reading)
    };
    // The second reading is made only when the caller asks for it.
    let without = std::iter::once_with(without).flatten();
    partial(typed).into_iter().chain(without)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_begun_is_closed_or_left_out() {
        let cases = [
            ("x^2", "x^2", ""),
            ("x^", "x", "left out ^"),
            ("x^{2", "x^{2}", "added }"),
            (r"\frac{a+b", r"\frac{a+b}", ""),
            (r"a+\fra", "a+", r"left out \fra"),
            (
                r"\begin{pmatrix} a & b",
                r"\begin{pmatrix} a & b\end{pmatrix}",
                r"added \end{pmatrix}",
            ),
            (r"\sqrt", r"\sqrt", ""),
        ];
        for (typed, expected, change) in cases {
            let reading = partial(typed).unwrap_or_else(|| panic!("{typed}"));
            assert!(
                reading.latex.starts_with(expected),
                "{typed}: {}",
                reading.latex
            );
            if !change.is_empty() {
                assert_eq!(reading.changes, [change], "{typed}");
            }
        }
        assert!(partial("").is_none() && partial(r"\").is_none());
    }

    #[test]
    fn a_command_at_the_end_is_read_with_it_and_without() {
        let changes: Vec<Vec<String>> = readings(r"x\in").map(|reading| reading.changes).collect();
        assert_eq!(changes, [vec![], vec![r"left out \in".to_owned()]]);
        assert_eq!(readings("x").count(), 1);
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
            if let Some(reading) = partial(&typed) {
                prop_assert!(latex(&reading.latex).is_ok());
            } else {
                prop_assert!(typed.chars().count() < 7, "{typed}");
            }
        }
    }
}
