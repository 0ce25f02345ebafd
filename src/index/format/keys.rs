//! The keys of tokens, as bytes that sort as the keys do.
//!
//! ```text
//! kind      1 byte: 0 symbol, 1 pair, 2 class, 3 pair of classes, 4 pair with open variables
//! symbol    its form, then its value:
//!           0 and a character, 3 bytes; 1 and the hash of a shape, u64; 2 and a text of 8 bytes
//! relation  1 byte: 0 no neighbour, 1 right, 2 up right, 3 down right, 4 below
//! neighbour as the symbol, where the relation is not 0
//! nth       1 byte: which occurrence it is, from 1
//! ```
//!
//! Numbers are big-endian, so that the order of the bytes is that of the keys. A change here is
//! a new [`KEY_CODEC`].

use crate::layout::SymbolId;
use crate::phoc::{Relation, TokenKey, TokenKind};

/// The version of this encoding.
pub(in crate::index) const KEY_CODEC: u32 = 1;

/// The first byte of the keys of a kind.
pub(in crate::index) fn kind_byte(kind: TokenKind) -> u8 {
    match kind {
        TokenKind::Symbol => 0,
        TokenKind::Pair => 1,
        TokenKind::Class => 2,
        TokenKind::ClassPair => 3,
        TokenKind::VarPair => 4,
    }
}

/// The kind of a key, if its first byte is that of one.
pub(in crate::index) fn kind_of(key: &[u8]) -> Option<TokenKind> {
    let byte = key.first()?;
    let mut kinds = TokenKind::ALL.into_iter();
    kinds.find(|kind| kind_byte(*kind) == *byte)
}

fn relation_byte(relation: Relation) -> u8 {
    match relation {
        Relation::Right => 1,
        Relation::UpRight => 2,
        Relation::DownRight => 3,
        Relation::Below => 4,
    }
}

/// The bytes of a key.
pub(in crate::index) fn encode_key(key: &TokenKey) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(21);
    bytes.push(kind_byte(key.kind));
    encode_symbol(key.symbol, &mut bytes);
    match key.neighbour {
        Some((relation, neighbour)) => {
            bytes.push(relation_byte(relation));
            encode_symbol(neighbour, &mut bytes);
        }
        None => bytes.push(0),
    }
    bytes.push(key.nth);
    bytes
}

fn encode_symbol(symbol: SymbolId, bytes: &mut Vec<u8>) {
    match symbol {
        SymbolId::Char(c) => {
            bytes.push(0);
            bytes.extend(&u32::from(c).to_be_bytes()[1..]);
        }
        SymbolId::Shape(hash) => {
            bytes.push(1);
            bytes.extend(hash.to_be_bytes());
        }
        SymbolId::Text(text) => {
            bytes.push(2);
            bytes.extend(text);
        }
    }
}

/// The key of some bytes, if they are those of a key.
pub(in crate::index) fn decode_key(bytes: &[u8]) -> Option<TokenKey> {
    let kind = kind_of(bytes)?;
    let (symbol, rest) = decode_symbol(bytes.get(1..)?)?;
    let (relation, rest) = rest.split_first()?;
    let (neighbour, rest) = if *relation == 0 {
        (None, rest)
    } else {
        let mut relations = Relation::ALL.into_iter();
        let relation = relations.find(|known| relation_byte(*known) == *relation)?;
        let (neighbour, rest) = decode_symbol(rest)?;
        (Some((relation, neighbour)), rest)
    };
    let &[nth] = rest else {
        return None;
    };
    Some(TokenKey {
        kind,
        symbol,
        neighbour,
        nth,
    })
}

fn decode_symbol(bytes: &[u8]) -> Option<(SymbolId, &[u8])> {
    let (form, rest) = bytes.split_first()?;
    if *form == 0 {
        let (&[high, middle, low], rest) = rest.split_first_chunk()?;
        let c = char::from_u32(u32::from_be_bytes([0, high, middle, low]))?;
        return Some((SymbolId::Char(c), rest));
    }
    let (value, rest) = rest.split_first_chunk()?;
    match form {
        1 => Some((SymbolId::Shape(u64::from_be_bytes(*value)), rest)),
        2 => Some((SymbolId::Text(*value), rest)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn symbol() -> impl Strategy<Value = SymbolId> {
        prop_oneof![
            any::<char>().prop_map(SymbolId::Char),
            any::<u64>().prop_map(SymbolId::Shape),
            any::<[u8; 8]>().prop_map(SymbolId::Text),
        ]
    }

    fn key() -> impl Strategy<Value = TokenKey> {
        let kind = prop::sample::select(&TokenKind::ALL[..]);
        let neighbour = prop::option::of((prop::sample::select(&Relation::ALL[..]), symbol()));
        (kind, symbol(), neighbour, any::<u8>()).prop_map(|(kind, symbol, neighbour, nth)| {
            TokenKey {
                kind,
                symbol,
                neighbour,
                nth,
            }
        })
    }

    proptest! {
        #[test]
        fn keys_round_trip(key in key()) {
            prop_assert_eq!(decode_key(&encode_key(&key)), Some(key));
        }

        #[test]
        fn bytes_sort_as_keys_do(a in key(), b in key()) {
            prop_assert_eq!(encode_key(&a).cmp(&encode_key(&b)), a.cmp(&b));
        }

        /// Bytes that are read as a key are the bytes of that key.
        #[test]
        fn other_bytes_are_no_key(bytes: Vec<u8>, key in key(), at: prop::sample::Index, bit in 0u8..8) {
            let mut near = encode_key(&key);
            let at = at.index(near.len());
            near[at] ^= 1 << bit;
            for bytes in [bytes, near] {
                if let Some(key) = decode_key(&bytes) {
                    prop_assert_eq!(encode_key(&key), bytes);
                }
            }
        }
    }

    /// The keys of files of this version.
    #[test]
    fn a_key_has_these_bytes() {
        let key = TokenKey {
            kind: TokenKind::Pair,
            symbol: SymbolId::Char('𝑥'),
            neighbour: Some((Relation::UpRight, SymbolId::text(b"12"))),
            nth: 3,
        };
        let bytes = b"\x01\x00\x01\xd4\x65\x02\x0212\0\0\0\0\0\0\x03";
        assert_eq!(encode_key(&key), bytes);
    }
}
