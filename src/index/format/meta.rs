//! The description that an index holds of itself.

use serde::{Deserialize, Serialize};

use crate::corpus::LinkTemplate;
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
    /// The names of the input's own fields, which instances have by their numbers here.
    pub fields: Vec<String>,
    /// The values that results can be filtered by.
    pub facets: Facets,
    /// What is known of its texts, where it has any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texts: Option<TextMeta>,
    /// How the addresses of occurrences are made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<LinkTemplate>,
    /// The macros that its documents define, as LaTeX: queries may use them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub macros: String,
    /// The version of phocus that wrote it.
    pub phocus: String,
}

/// The counts of an index's texts, and where its index of words is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextMeta {
    /// How many texts there are.
    pub texts: u64,
    /// How many of them may be results: all but questions that are answered.
    pub results: u64,
    /// How many words the results have, those of their questions included.
    pub words: u64,
    /// How many formulas the results have, counted likewise.
    pub formulas: u64,
    /// The version of the way from text to words.
    pub analyzer: u32,
    /// The files of tantivy's index.
    pub files: Vec<WordFile>,
}

/// A file of tantivy's index, within the section of words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordFile {
    /// Its name.
    pub name: String,
    /// Where it begins in the section.
    pub offset: u64,
    /// Its length.
    pub bytes: u64,
}

/// The values of occurrences that results can be filtered by, that of most formulas first. A
/// facet that has more than 100 values, or one of more than 200 bytes, is none.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Facets {
    /// The types of occurrences.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kinds: Option<Vec<FacetValue>>,
    /// The values of their field `source`.
    #[serde(rename = "source", default, skip_serializing_if = "Option::is_none")]
    pub sources: Option<Vec<FacetValue>>,
}

/// A value that results can be filtered by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FacetValue {
    /// The value.
    pub value: String,
    /// How many formulas have an occurrence with it.
    pub formulas: u64,
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
