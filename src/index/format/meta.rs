//! The description that an index holds of itself.

use serde::{Deserialize, Serialize};

use crate::phoc::{Idf, PhocConfig};

/// The description of an index: its configuration, its counts and how it was built.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Meta {
    /// The configuration.
    pub config: PhocConfig,
    /// Distinct formulas.
    pub formulas: u64,
    /// Occurrences of them.
    pub instances: u64,
    /// Distinct tokens.
    pub tokens: u64,
    /// Postings: tokens of formulas.
    pub postings: u64,
    /// Bytes of a posting's payload: 4 for a code, 8 or 16 for a word.
    pub payload_bytes: u64,
    /// How many patterns each field of a code has; 0 where words are stored.
    pub patterns: [u64; 3],
    /// The version of the encoding of token keys.
    pub key_codec: u32,
    /// Formulas in a window.
    pub window: u64,
    /// How duplicates were merged: by `visual-id`, by `layout` or not at all (`none`).
    pub dedup: String,
    /// The version of phocus that wrote it.
    pub phocus: String,
}

impl Meta {
    /// Whether postings have codes for their words.
    pub(in crate::index) fn has_codes(&self) -> bool {
        self.patterns != [0; 3]
    }

    /// How many counts of regions a token has: 0 unless IDF is by region.
    pub(in crate::index) fn counted_regions(&self) -> usize {
        match self.config.idf {
            Idf::Region => self.config.regions.bits(),
            Idf::Off | Idf::Token => 0,
        }
    }

    /// Whether layouts are kept: where results are re-ranked.
    pub(crate) fn keeps_layouts(&self) -> bool {
        self.config.rerank > 0
    }
}
