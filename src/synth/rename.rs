//! Renaming: a formula with other variables and numbers, one for one.

use std::collections::HashMap;

use super::donors::{NameDonors, by_class};
use super::name::{Class, Name};
use super::spans::{SpanRole, SplitFormula};
use crate::random::Random;

/// Where new names are drawn from. The first keeps the statistics of a list best, the
/// last is the surest to give a formula that is not there yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DrawMode {
    /// From one donor, in the order in which they stand in it.
    InOrder,
    /// From one donor, shuffled.
    Shuffled,
    /// From all names of the class.
    Any,
}

/// The share of formulas whose numbers change along with their letters, in percent.
const NUMBERS: usize = 30;

/// How often names are drawn while one of them may not be used in the formula.
const DRAWS: usize = 4;

/// `formula` with other names, or nothing where none can be found. The same
/// name becomes the same everywhere, and different ones stay different.
pub(super) fn renamed(
    formula: &SplitFormula,
    donors: &NameDonors,
    mode: DrawMode,
    random: &mut Random,
) -> Option<String> {
    let frozen: Vec<Name> = formula.frozen_names().collect();
    let mut changes: HashMap<Name, Name> = HashMap::new();
    for (class, old) in by_class(&formula.free_names()) {
        let is_number = matches!(class, Class::Number(_));
        if is_number && !changes.is_empty() && !random.percent(NUMBERS) {
            continue;
        }
        let new = (0..DRAWS)
            .map(|_| drawn(donors, class, old.len(), mode, random))
            .find(|new| {
                let is_frozen = |&code: &u32| frozen.contains(&Name { class, code });
                new.len() == old.len() && !new.iter().any(is_frozen)
            });
        for (old, new) in old.iter().zip(new.unwrap_or_default()) {
            changes.insert(Name { class, code: *old }, Name { class, code: new });
        }
    }
    let is_changed = changes.iter().any(|(old, new)| old != new);
    is_changed.then(|| written(formula, &changes))
}

fn drawn(
    donors: &NameDonors,
    class: Class,
    count: usize,
    mode: DrawMode,
    random: &mut Random,
) -> Vec<u32> {
    let mut new = match mode {
        DrawMode::InOrder | DrawMode::Shuffled => donors.together(class, count, random),
        DrawMode::Any => donors.apart(class, count, random),
    };
    if mode == DrawMode::Shuffled {
        random.shuffle(&mut new);
    }
    new
}

fn written(formula: &SplitFormula, changes: &HashMap<Name, Name>) -> String {
    let mut out = String::new();
    for span in &formula.spans {
        match span.role {
            SpanRole::Free(name) => match changes.get(&name) {
                Some(new) => new.write(&mut out),
                None => out.push_str(span.text),
            },
            _ => out.push_str(span.text),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn donors(formulas: &[&str]) -> NameDonors {
        let mut donors = NameDonors::default();
        for formula in formulas {
            donors.add(&SplitFormula::new(formula));
        }
        donors
    }

    fn one(text: &str, donors: &NameDonors, mode: DrawMode) -> Option<String> {
        renamed(
            &SplitFormula::new(text),
            donors,
            mode,
            &mut Random::new(1, 1),
        )
    }

    #[test]
    fn names_come_from_a_formula_with_as_many() {
        let donors = donors(&[r"p\le q+\beta", "u+v+w", "A", "7"]);
        let cases = [
            (r"x_2=y\sin\alpha x", Some(r"p_7=q\sin\beta p")),
            (r"\text{x}+\mathrm{y}", None),
            (r"\mathbf{B}", None),
            (r"f(x)\,dx", Some(r"p(q)\,dq")),
            (r"a+b+c+d", None),
        ];
        for (text, expected) in cases {
            // Numbers stay in some of them.
            let found = one(text, &donors, DrawMode::InOrder);
            let found = found.map(|found| found.replace("_2", "_7"));
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn a_held_letter_is_never_taken() {
        let donors = donors(&["d+t"]);
        assert_eq!(one(r"x_i\,dx", &donors, DrawMode::InOrder), None);
    }

    proptest! {
        /// Equal names stay equal, different ones different.
        #[test]
        fn renaming_is_one_to_one(seed in 0u64..1000, text in "[a-e ]{1,12}") {
            let text: String = text.chars().flat_map(|c| [c, '+']).collect();
            let donors = donors(&["x", "x+b", "z+y+a", "a+p+q+r", "k+l+m+n+o"]);
            for mode in [DrawMode::InOrder, DrawMode::Shuffled, DrawMode::Any] {
                let formula = SplitFormula::new(&text);
                let Some(new) = renamed(&formula, &donors, mode, &mut Random::new(seed, 0)) else {
                    continue;
                };
                let pairs: Vec<(char, char)> = text.chars().zip(new.chars()).collect();
                for (a, b) in &pairs {
                    for (c, d) in &pairs {
                        prop_assert_eq!(a == c, b == d, "{} to {}", text, new);
                    }
                }
            }
        }
    }
}
