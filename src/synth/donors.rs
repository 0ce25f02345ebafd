//! Names to give: those that real formulas have together.

use std::collections::{BTreeMap, BTreeSet};

use super::name::{Class, Name};
use super::tokens::Formula;
use crate::random::Random;

/// The names of every formula of a list. A formula that takes all its names
/// of a class from one that has as many leaves the names as frequent as they
/// are, and together what stands together: x with y, i with j.
#[derive(Debug, Default)]
pub(super) struct Donors {
    /// The names of a class of every formula that has so many of them, one
    /// formula's after another's, in the order in which they stand.
    sets: BTreeMap<(Class, usize), Vec<u32>>,
    /// Every name of a class.
    all: BTreeMap<Class, BTreeSet<u32>>,
}

impl Donors {
    /// Adds the names of a formula.
    pub(super) fn add(&mut self, formula: &Formula) {
        for (class, codes) in by_class(&formula.free_names()) {
            let set = self.sets.entry((class, codes.len())).or_default();
            set.extend(&codes);
            self.all.entry(class).or_default().extend(&codes);
        }
    }

    /// As many names as `count` of a class, from one formula.
    pub(super) fn together(&self, class: Class, count: usize, random: &mut Random) -> Vec<u32> {
        let Some(set) = self.sets.get(&(class, count)) else {
            return Vec::new();
        };
        let at = random.below(set.len() / count) * count;
        set[at..at + count].to_vec()
    }

    /// As many names as `count` of a class, each as likely as another.
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
