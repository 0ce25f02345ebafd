//! Values that are chosen by name, such as `layout` or `arqmath`.

use std::fmt;

/// A text that names none of the values of a type.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found `{found}`")]
pub struct UnknownName {
    /// The known names.
    pub expected: String,
    /// The text.
    pub found: String,
}

/// The value of `all` whose name is `text`.
pub(crate) fn by_name<T: Copy + fmt::Display>(all: &[T], text: &str) -> Result<T, UnknownName> {
    let named = all.iter().find(|value| value.to_string() == text);
    named.copied().ok_or_else(|| UnknownName {
        expected: listed(all),
        found: text.to_owned(),
    })
}

/// The names of some values: `a, b or c`.
fn listed<T: fmt::Display>(all: &[T]) -> String {
    let names: Vec<String> = all.iter().map(ToString::to_string).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_name_is_answered_with_all_names() {
        assert_eq!(by_name(&[1, 20, 3], "20"), Ok(20));
        let error = by_name(&[1, 20, 3], "2").unwrap_err();
        assert_eq!(error.to_string(), "expected 1, 20 or 3, found `2`");
    }
}
