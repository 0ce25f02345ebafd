//! Ids: words that name formulas and posts.

use std::borrow::Borrow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize};

/// Why a text is no id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected an id of one word, found `{found}`")]
pub struct IdError {
    /// The text.
    pub found: String,
}

/// Defines a kind of id. Kinds are types of their own, so that one is not taken for another.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        ///
        /// It is one word: not empty, and without white space, since a run has ids between
        /// spaces or tabs.
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(transparent)]
        pub struct $name(Box<str>);

        impl $name {
            /// The id with this text.
            ///
            /// # Errors
            /// When the text is not one word.
            pub fn new(text: impl Into<String>) -> Result<Self, IdError> {
                let found = text.into();
                if found.is_empty() || found.contains(char::is_whitespace) {
                    Err(IdError { found })
                } else {
                    Ok($name(found.into()))
                }
            }

            /// Its text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                Self::new(text)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                Self::new(text).map_err(serde::de::Error::custom)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0.into()
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, text: &str) -> bool {
                &*self.0 == text
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, text: &&str) -> bool {
                &*self.0 == *text
            }
        }
    };
}

id! {
    /// The id of a formula.
    FormulaId
}
id! {
    /// The id of an appearance: formulas that look the same share it.
    VisualId
}
id! {
    /// The id of a post.
    PostId
}

impl FormulaId {
    /// The id of a record that has none, made of the place where it was read. White space becomes `_`.
    pub(super) fn of_place(text: String) -> Self {
        if text.is_empty() {
            return FormulaId("_".into());
        }
        FormulaId(text.replace(char::is_whitespace, "_").into())
    }
}

/// An index calls a formula by its visual id where it has one.
impl From<VisualId> for FormulaId {
    fn from(id: VisualId) -> Self {
        FormulaId(id.0)
    }
}

/// A formula without a visual id is treated as the only one of its appearance, and its own id is
/// used as the visual id.
impl From<FormulaId> for VisualId {
    fn from(id: FormulaId) -> Self {
        VisualId(id.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_one_word() {
        for text in ["", " ", "a b", "a\tb", "a\u{a0}b", "a\n"] {
            let error = FormulaId::new(text).unwrap_err();
            assert_eq!(error.found, text);
        }
        let id: PostId = "7-é".parse().unwrap();
        assert_eq!(id, "7-é");
        assert_eq!(serde_json::to_string(&id).unwrap(), "\"7-é\"");
    }
}
