//! Tokens: the units of which formulas are made in an index, of several kinds.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::PhocConfig;
use super::grouping::together;
use super::neighbours::{Relation, neighbours};
use super::roles::{Role, class, fold, role_of};
use crate::layout::{Layout, Rect, Symbol, SymbolId};

/// The kinds of token. Each has its own keys, and words in the same format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum TokenKind {
    /// A symbol by itself.
    Symbol = 0,
    /// A symbol and its neighbour.
    Pair = 1,
    /// The class of a symbol: variable, number, or a family of signs.
    Class = 2,
    /// A pair of classes.
    ClassPair = 3,
    /// A pair in which all variables are equal.
    VarPair = 4,
}

impl TokenKind {
    /// All of them.
    pub const ALL: [TokenKind; 5] = [
        TokenKind::Symbol,
        TokenKind::Pair,
        TokenKind::Class,
        TokenKind::ClassPair,
        TokenKind::VarPair,
    ];

    /// Whether its tokens are pairs of symbols.
    fn is_pair(self) -> bool {
        matches!(
            self,
            TokenKind::Pair | TokenKind::ClassPair | TokenKind::VarPair
        )
    }
}

/// The identity of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TokenKey {
    /// Its kind.
    pub kind: TokenKind,
    /// The symbol, or the symbol that represents its class.
    pub symbol: SymbolId,
    /// The neighbour of a pair, and where it stands.
    pub neighbour: Option<(Relation, SymbolId)>,
    /// Which occurrence it is: 1 for the first, 2 for the second, and so on.
    pub nth: u8,
}

impl TokenKey {
    /// A symbol by itself.
    pub fn symbol(symbol: SymbolId) -> Self {
        TokenKey {
            kind: TokenKind::Symbol,
            symbol,
            neighbour: None,
            nth: 1,
        }
    }

    /// Whether it is the first occurrence of a symbol.
    pub fn is_symbol(&self) -> bool {
        self.kind == TokenKind::Symbol && self.nth == 1
    }
}

impl fmt::Display for TokenKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.symbol)?;
        if let Some((relation, neighbour)) = self.neighbour {
            write!(f, " {relation} {neighbour}")?;
        }
        match self.nth {
            1 => Ok(()),
            nth => write!(f, " #{nth}"),
        }
    }
}

/// A key with a box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Token {
    /// Its key.
    pub key: TokenKey,
    /// Its box.
    pub rect: Rect,
}

/// Signs that end a sentence, not a formula.
const ENDS: &str = ".,;:?";

/// The symbols of a layout, without punctuation at its end if the configuration strips
/// that.
pub(crate) fn significant_symbols(layout: &Layout, config: &PhocConfig) -> Vec<Symbol> {
    let mut symbols = layout.symbols().to_vec();
    if config.strip {
        symbols.sort_by(|a, b| {
            (a.rect.x1.total_cmp(&b.rect.x1))
                .then(a.rect.y0.total_cmp(&b.rect.y0))
                .then(a.id.cmp(&b.id))
        });
        let is_end = |symbol: &Symbol| matches!(symbol.id, SymbolId::Char(c) if ENDS.contains(c));
        while symbols.len() > 1 && symbols.last().is_some_and(is_end) {
            symbols.pop();
        }
    }
    symbols
}

/// The token that a symbol by itself is in a configuration.
pub(crate) fn symbol_key(id: SymbolId, config: &PhocConfig) -> TokenKey {
    TokenKey::symbol(folded(id, config))
}

/// All tokens of some symbols, of the configuration's kinds.
pub(super) fn tokens(symbols: Vec<Symbol>, config: &PhocConfig) -> Vec<Token> {
    let (symbols, alone) = together(symbols, config);
    let pairs = if config.tokens.iter().any(TokenKind::is_pair) {
        neighbours(&symbols)
    } else {
        Vec::new()
    };
    let mut tokens = Vec::new();
    for kind in config.tokens.iter() {
        let of_kind = |symbol: &Symbol| TokenKey {
            kind,
            ..TokenKey::symbol(represented(symbol, kind, config))
        };
        if kind.is_pair() {
            tokens.extend(pairs.iter().map(|&(first, second, relation)| {
                let (first, second) = (&symbols[first], &symbols[second]);
                let neighbour = represented(second, kind, config);
                Token {
                    key: TokenKey {
                        neighbour: Some((relation, neighbour)),
                        ..of_kind(first)
                    },
                    rect: first.rect.union(&second.rect),
                }
            }));
        } else {
            tokens.extend(alone.iter().map(|symbol| Token {
                key: of_kind(symbol),
                rect: symbol.rect,
            }));
        }
    }
    tokens
}

/// The symbol that represents `symbol` in tokens of a kind: itself, or that of its class.
fn represented(symbol: &Symbol, kind: TokenKind, config: &PhocConfig) -> SymbolId {
    match kind {
        TokenKind::Symbol | TokenKind::Pair => folded(symbol.id, config),
        TokenKind::VarPair if role_of(symbol.id) != Role::Variable => folded(symbol.id, config),
        TokenKind::Class | TokenKind::ClassPair | TokenKind::VarPair => class(symbol.id),
    }
}

/// The symbol without slant and weight, if the configuration folds letters.
fn folded(id: SymbolId, config: &PhocConfig) -> SymbolId {
    if config.fold { fold(id) } else { id }
}
