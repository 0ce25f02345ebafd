//! Tokens: what is counted, of whatever kind.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::layout::{Layout, Rect, SymbolId};

/// The kinds of token. Each has its own keys, and words in the same format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Kind {
    /// A symbol by itself.
    Symbol = 0,
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TokenKey {
    /// A symbol.
    Symbol(SymbolId),
}

impl TokenKey {
    /// Its kind.
    pub fn kind(&self) -> Kind {
        match self {
            TokenKey::Symbol(_) => Kind::Symbol,
        }
    }
}

impl fmt::Display for TokenKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TokenKey::Symbol(id) => write!(f, "{id}"),
        }
    }
}

/// A key with a box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Token {
    /// What it is.
    pub key: TokenKey,
    /// Where it is.
    pub rect: Rect,
}

impl Kind {
    /// All tokens of this kind in a layout.
    pub fn tokens(self, layout: &Layout) -> impl Iterator<Item = Token> {
        match self {
            Kind::Symbol => layout.symbols().iter().map(|symbol| Token {
                key: TokenKey::Symbol(symbol.id),
                rect: symbol.rect,
            }),
        }
    }
}
