//! Donors: the formulas of a list, whose names other formulas are given.

use std::collections::{BTreeMap, BTreeSet};

use super::name::{Class, Name};
use super::spans::SplitFormula;
use crate::random::Random;

/// The names of every formula of a list. A formula takes all its names of a class
/// from one donor that has as many of them. So names stay as frequent as they are
/// in the list, and those that real formulas use together stay together: x with y,
/// i with j.
#[derive(Debug, Default)]
pub(super) struct NameDonors {
    /// For a class and a number: the names of every formula that has exactly that
    /// many names of the class, formula after formula, in the order of the formula.
    sets: BTreeMap<(Class, usize), Vec<u32>>,
    /// Every name of a class.
    all: BTreeMap<Class, BTreeSet<u32>>,
}

impl NameDonors {
    /// Adds the names of a formula.
    pub(super) fn add(&mut self, formula: &SplitFormula) {
        for (class, codes) in by_class(&formula.free_names()) {
            let set = self.sets.entry((class, codes.len())).or_default();
            set.extend(&codes);
            self.all.entry(class).or_default().extend(&codes);
        }
    }

    /// `count` names of a class that one formula has; none where no formula has exactly
    /// that many.
    pub(super) fn together(&self, class: Class, count: usize, random: &mut Random) -> Vec<u32> {
        let Some(set) = self.sets.get(&(class, count)) else {
            return Vec::new();
        };
        let at = random.below(set.len() / count) * count;
        set[at..at + count].to_vec()
    }

    /// At most `count` names of a class, each as likely as another.
    pub(super) fn apart(&self, class: Class, count: usize, random: &mut Random) -> Vec<u32> {
        let all = self.all.get(&class);
        let mut codes: Vec<u32> = all.into_iter().flatten().copied().collect();
        random.shuffle(&mut codes);
        codes.truncate(count);
        codes
    }
}

/// The codes of names by their classes, each in the order given.
pub(super) fn by_class(names: &[Name]) -> BTreeMap<Class, Vec<u32>> {
    let mut classes: BTreeMap<Class, Vec<u32>> = BTreeMap::new();
    for name in names {
        classes.entry(name.class).or_default().push(name.code);
    }
    classes
}
