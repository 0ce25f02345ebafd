//! The names of the fields that instances keep, each stored once.

use std::collections::{BTreeMap, HashMap};

/// The largest number of names that an index has. Objects with keys that are data, such as
/// dates, would make a table of them.
const MAX_NAMES: usize = 64;
/// The longest name, and the longest value, in bytes: an index is no place for documents.
const MAX_NAME_BYTES: usize = 100;
const MAX_VALUE_BYTES: usize = 4096;
/// What values are counted under whose names are too many to list.
const OTHERS: &str = "(further names)";

/// The names of fields in the order in which they are first seen, and what is not kept.
#[derive(Debug, Default)]
pub(super) struct FieldNames {
    names: Vec<String>,
    numbers: HashMap<String, u64>,
    /// How many values are not kept, by the names of their fields.
    left_out: BTreeMap<String, u64>,
}

impl FieldNames {
    /// The number of a field's name, or none where the value is not kept: it is empty, it or
    /// the name is too long, or there are too many names.
    pub(super) fn number(&mut self, name: &str, value: &str) -> Option<u64> {
        if value.is_empty() {
            return None;
        }
        if value.len() <= MAX_VALUE_BYTES && name.len() <= MAX_NAME_BYTES {
            if let Some(number) = self.numbers.get(name) {
                return Some(*number);
            }
            if self.names.len() < MAX_NAMES {
                let number = self.names.len() as u64;
                self.numbers.insert(name.to_owned(), number);
                self.names.push(name.to_owned());
                return Some(number);
            }
        }
        self.leave_out(name);
        None
    }

    fn leave_out(&mut self, name: &str) {
        let is_listed = self.left_out.contains_key(name);
        let is_short = name.len() <= MAX_NAME_BYTES && self.left_out.len() < MAX_NAMES;
        let name = if is_listed || is_short { name } else { OTHERS };
        *self.left_out.entry(name.to_owned()).or_default() += 1;
    }

    /// The names, and how many values were left out.
    pub(super) fn into_parts(self) -> (Vec<String>, BTreeMap<String, u64>) {
        (self.names, self.left_out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_names_have_limits_and_what_is_left_out_is_counted() {
        let mut names = FieldNames::default();
        assert_eq!(names.number("a", "1"), Some(0));
        assert_eq!(names.number("b", &"x".repeat(MAX_VALUE_BYTES)), Some(1));
        assert_eq!(names.number("a", &"x".repeat(MAX_VALUE_BYTES + 1)), None);
        assert_eq!(names.number("a", ""), None);
        assert_eq!(names.number(&"n".repeat(MAX_NAME_BYTES + 1), "1"), None);
        for n in 0..200 {
            let number = names.number(&format!("key{n}"), "1");
            assert_eq!(number.is_some(), n + 2 < MAX_NAMES, "{n}");
        }
        assert_eq!(names.number("a", "2"), Some(0));
        let (names, left_out) = names.into_parts();
        assert_eq!(names.len(), MAX_NAMES);
        assert_eq!((left_out["a"], left_out["key62"]), (1, 1));
        assert!(left_out.len() <= MAX_NAMES + 1 && left_out[OTHERS] > 1);
        assert_eq!(left_out.values().sum::<u64>(), 2 + 200 - 62);
    }
}
