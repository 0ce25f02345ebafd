//! Which kinds of token are counted, and what each counts.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::TokenKind;

/// TokenKinds of token, in their order, and how each is used.
///
/// In a configuration it is a list, `["symbol", "pair"]`, where all count
/// alike, or a table, `{ symbol = { repeats = 4 }, pair = { weight = 2 } }`.
#[derive(Debug, Clone, PartialEq)]
pub struct TokenKinds(Vec<(TokenKind, KindSettings)>);

/// How a kind of token is used.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct KindSettings {
    /// What one of its regions counts.
    pub weight: f64,
    /// Up to how many occurrences of a token count, each further one as a
    /// token of its own.
    pub repeats: u8,
    /// Whether it counts where they stand. Else a token stands in the whole
    /// formula's region alone, and an index keeps no words for it.
    pub positional: bool,
}

impl Default for KindSettings {
    fn default() -> Self {
        KindSettings {
            weight: 1.0,
            repeats: 1,
            positional: true,
        }
    }
}

impl TokenKinds {
    /// These kinds.
    pub fn of(kinds: impl IntoIterator<Item = (TokenKind, KindSettings)>) -> Self {
        let kinds: BTreeMap<TokenKind, KindSettings> = kinds.into_iter().collect();
        TokenKinds(kinds.into_iter().collect())
    }

    /// The kinds, in their order.
    pub fn iter(&self) -> impl Iterator<Item = TokenKind> {
        self.0.iter().map(|(kind, _)| *kind)
    }

    /// What a region of a kind counts.
    pub fn weight(&self, kind: TokenKind) -> f64 {
        self.used(kind).map_or(0.0, |used| used.weight)
    }

    /// Up to how many occurrences of a kind's tokens count.
    pub fn repeats(&self, kind: TokenKind) -> u8 {
        self.used(kind).map_or(0, |used| used.repeats)
    }

    /// Whether it counts where a kind's tokens stand.
    pub fn is_positional(&self, kind: TokenKind) -> bool {
        self.used(kind).is_none_or(|used| used.positional)
    }

    /// Whether all regions count alike.
    pub fn are_alike(&self) -> bool {
        self.0.iter().all(|(_, used)| used.weight == 1.0)
    }

    pub(super) fn check(&self) -> Result<(), String> {
        if self.0.is_empty() {
            return Err("there is no kind of token".to_owned());
        }
        for (kind, used) in &self.0 {
            let KindSettings {
                weight, repeats, ..
            } = used;
            if !(1.0 / 16.0..=64.0).contains(weight) {
                return Err(format!(
                    "the weight of {kind:?} is {weight}, not from 1/16 to 64"
                ));
            }
            if !(1..=8).contains(repeats) {
                return Err(format!("{kind:?} repeats {repeats} times, not from 1 to 8"));
            }
        }
        Ok(())
    }

    fn used(&self, kind: TokenKind) -> Option<&KindSettings> {
        let used = self.0.iter().find(|(known, _)| *known == kind);
        used.map(|(_, used)| used)
    }
}

impl Serialize for TokenKinds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self
            .0
            .iter()
            .all(|(_, used)| *used == KindSettings::default())
        {
            serializer.collect_seq(self.iter())
        } else {
            serializer.collect_map(self.0.iter().map(|(kind, used)| (kind, used)))
        }
    }
}

impl<'de> Deserialize<'de> for TokenKinds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(KindsVisitor)
    }
}

/// A list or a table. Not an untagged enum, whose errors do not say what is wrong.
struct KindsVisitor;

impl<'de> Visitor<'de> for KindsVisitor {
    type Value = TokenKinds;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list or a table of kinds of token")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<TokenKinds, A::Error> {
        let mut kinds = Vec::new();
        while let Some(kind) = list.next_element()? {
            kinds.push((kind, KindSettings::default()));
        }
        Ok(TokenKinds::of(kinds))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<TokenKinds, A::Error> {
        let mut kinds = Vec::new();
        while let Some(entry) = table.next_entry()? {
            kinds.push(entry);
        }
        Ok(TokenKinds::of(kinds))
    }
}
