//! Renaming: other variables and other numbers, one for one.

use std::collections::HashMap;

use super::donors::{Donors, by_class};
use super::name::{Class, Name};
use super::tokens::{Formula, Role};
use crate::random::Random;

/// Where new names come from, from what keeps statistics best to what finds
/// something new most surely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Draw {
    /// From another formula, in its order.
    InOrder,
    /// From another formula, in any order.
    Shuffled,
    /// From all names of the class.
    Any,
}

/// How often numbers change along with letters, in percent.
const NUMBERS: usize = 30;

/// How often a formula's names are drawn again when one of them is taken.
const DRAWS: usize = 4;

/// `formula` with other names, or nothing where none can be found. The same
/// name becomes the same everywhere, and different ones stay different.
pub(super) fn renamed(
    formula: &Formula,
    donors: &Donors,
    draw: Draw,
    random: &mut Random,
) -> Option<String> {
    let held: Vec<Name> = formula.held_names().collect();
    let mut changes: HashMap<Name, Name> = HashMap::new();
    for (class, old) in by_class(&formula.free_names()) {
        let is_number = matches!(class, Class::Number(_));
        if is_number && !changes.is_empty() && !random.percent(NUMBERS) {
            continue;
        }
        let new = (0..DRAWS)
            .map(|_| drawn(donors, class, old.len(), draw, random))
            .find(|new| {
                let is_held = |&code: &u32| held.contains(&Name { class, code });
                new.len() == old.len() && !new.iter().any(is_held)
            });
        for (old, new) in old.iter().zip(new.unwrap_or_default()) {
            changes.insert(Name { class, code: *old }, Name { class, code: new });
        }
    }
    let is_changed = changes.iter().any(|(old, new)| old != new);
    is_changed.then(|| written(formula, &changes))
}

fn drawn(donors: &Donors, class: Class, count: usize, draw: Draw, random: &mut Random) -> Vec<u32> {
    let mut new = match draw {
        Draw::InOrder | Draw::Shuffled => donors.together(class, count, random),
        Draw::Any => donors.apart(class, count, random),
    };
    if draw == Draw::Shuffled {
        random.shuffle(&mut new);
    }
    new
}

fn written(formula: &Formula, changes: &HashMap<Name, Name>) -> String {
    let mut out = String::new();
    for token in &formula.tokens {
        match token.role {
            Role::Free(name) => match changes.get(&name) {
                Some(new) => new.write(&mut out),
                None => out.push_str(token.text),
            },
            _ => out.push_str(token.text),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn donors(formulas: &[&str]) -> Donors {
        let mut donors = Donors::default();
        for formula in formulas {
            donors.add(&Formula::new(formula));
        }
        donors
    }

    fn one(text: &str, donors: &Donors, draw: Draw) -> Option<String> {
        renamed(&Formula::new(text), donors, draw, &mut Random::new(1, 1))
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
            let found = one(text, &donors, Draw::InOrder);
            let found = found.map(|found| found.replace("_2", "_7"));
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn a_held_letter_is_never_taken() {
        let donors = donors(&["d+t"]);
        assert_eq!(one(r"x_i\,dx", &donors, Draw::InOrder), None);
    }

    proptest! {
        /// Equal names stay equal, different ones different.
        #[test]
        fn renaming_is_one_to_one(seed in 0u64..1000, text in "[a-e ]{1,12}") {
            let text: String = text.chars().flat_map(|c| [c, '+']).collect();
            let donors = donors(&["x", "x+b", "z+y+a", "a+p+q+r", "k+l+m+n+o"]);
            for draw in [Draw::InOrder, Draw::Shuffled, Draw::Any] {
                let formula = Formula::new(&text);
                let Some(new) = renamed(&formula, &donors, draw, &mut Random::new(seed, 0)) else {
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
