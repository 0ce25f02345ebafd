//! The summary of a build, and the records that are not in the index.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::corpus::{FormulaId, Place};

/// A record that is not in the index.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reject {
    /// Its id, unless the line is no record.
    pub id: Option<FormulaId>,
    /// The reason in a word or two.
    pub reason: &'static str,
    /// The reason in full.
    pub detail: String,
    /// Where it was read, if it was read from a file.
    pub place: Option<Place>,
    /// Its LaTeX, empty where it is a drawing or the line is no record.
    pub latex: String,
}

/// The summary of a build.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Summary {
    /// Lines or files read as records, malformed ones included.
    pub read: u64,
    /// Occurrences in the index.
    pub indexed: u64,
    /// Distinct formulas.
    pub distinct: u64,
    /// Formulas whose id an earlier one has too.
    pub same_ids: u64,
    /// Records that could not be indexed, by reason.
    pub rejected: BTreeMap<&'static str, u64>,
    /// Records that ARQMath's rules withhold from results, by reason.
    pub withheld: BTreeMap<&'static str, u64>,
    /// Distinct tokens.
    pub tokens: u64,
    /// Tokens of formulas.
    pub postings: u64,
    /// Bytes of the index.
    pub bytes: u64,
    /// Bytes of its store of LaTeX and instances.
    pub store_bytes: u64,
    /// Seconds taken.
    pub seconds: f64,
}

/// Why no record is in the index, in words.
pub(super) fn nothing_indexed(summary: &Summary) -> String {
    let counts = |counts: &BTreeMap<&'static str, u64>| {
        let parts: Vec<String> = counts.iter().map(|(why, n)| format!("{n} {why}")).collect();
        parts.join(", ")
    };
    match (
        summary.read,
        summary.rejected.is_empty(),
        summary.withheld.is_empty(),
    ) {
        (0, _, _) => "the input is empty".to_owned(),
        (read, false, true) => format!("all {read} were rejected ({})", counts(&summary.rejected)),
        (read, true, false) => format!("all {read} are withheld ({})", counts(&summary.withheld)),
        (read, ..) => format!(
            "of {read}, {} and {}",
            counts(&summary.rejected),
            counts(&summary.withheld)
        ),
    }
}
