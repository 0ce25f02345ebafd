//! The summary of a build, and the records that are not in the index.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;

use crate::corpus::{FormulaId, Place, Skipped};

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
    /// Files of the folders that were not read, by what they seem to be.
    pub skipped: BTreeMap<String, u64>,
    /// The first of these files, each with what it seems to be.
    pub skipped_files: Vec<(String, String)>,
    /// Files most of whose records were rejected: they may be no lists of formulas.
    pub mostly_rejected: Vec<MostlyRejected>,
    /// The names of the input's own fields, which the index keeps with each occurrence.
    pub fields: Vec<String>,
    /// How many values of fields are not kept, by name: they are longer than 4,096 bytes, or
    /// the input has more than 64 names.
    pub fields_left_out: BTreeMap<String, u64>,
    /// Texts that can answer questions: posts, and sections of files.
    pub texts: u64,
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

impl Summary {
    /// Adds files that were not read.
    pub(super) fn skip(&mut self, skipped: &Skipped) {
        for (kind, count) in &skipped.counts {
            *self.skipped.entry(kind.clone()).or_default() += count;
        }
        let files = skipped.files.iter();
        let files = files.map(|(file, kind)| (file.display().to_string(), kind.clone()));
        self.skipped_files.extend(files);
    }
}

/// A file most of whose records were rejected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MostlyRejected {
    /// The file.
    pub file: String,
    /// How many records or lines it has, without those that are withheld.
    pub read: u64,
    /// How many of them were rejected.
    pub rejected: u64,
    /// The first reasons, with their places.
    pub reasons: Vec<String>,
}

/// The largest number of files that are listed as mostly rejected, and of reasons for each.
const MAX_FILES: usize = 20;
const MAX_REASONS: usize = 3;

/// Counts the records of each file, one file after another.
#[derive(Debug, Default)]
pub(super) struct FileTally {
    current: Option<(Arc<PathBuf>, MostlyRejected)>,
    found: Vec<MostlyRejected>,
}

impl FileTally {
    /// Counts a record that was read at a place, and why it is not in the index, if it is not.
    pub(super) fn count(&mut self, place: Option<&Place>, rejected: Option<&Reject>) {
        let Some(place) = place else {
            return;
        };
        let is_same = |(file, _): &(Arc<PathBuf>, _)| *file == place.file;
        if !self.current.as_ref().is_some_and(is_same) {
            self.end_file();
        }
        let (_, current) = self.current.get_or_insert_with(|| {
            let counts = MostlyRejected {
                file: place.file.display().to_string(),
                read: 0,
                rejected: 0,
                reasons: Vec::new(),
            };
            (Arc::clone(&place.file), counts)
        });
        current.read += 1;
        if let Some(reject) = rejected {
            current.rejected += 1;
            if current.reasons.len() < MAX_REASONS {
                current
                    .reasons
                    .push(format!("line {}: {}", place.line, reject.detail));
            }
        }
    }

    /// A file of one record, such as a drawing, is not said to be no list.
    fn end_file(&mut self) {
        if let Some((_, file)) = self.current.take()
            && file.read > 1
            && file.rejected * 2 > file.read
            && self.found.len() < MAX_FILES
        {
            self.found.push(file);
        }
    }

    /// The files most of whose records were rejected.
    pub(super) fn finish(&mut self) -> Vec<MostlyRejected> {
        self.end_file();
        std::mem::take(&mut self.found)
    }
}

/// Why no record is in the index, in words.
pub(super) fn nothing_indexed(summary: &Summary) -> String {
    let counts = |counts: &BTreeMap<&'static str, u64>| {
        let parts: Vec<String> = counts.iter().map(|(why, n)| format!("{n} {why}")).collect();
        parts.join(", ")
    };
    let why = match (
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
    };
    let reasons = summary.mostly_rejected.first();
    let reasons = reasons.map(|file| (file.reasons.join("; "), file.file.clone()));
    match reasons {
        Some((reasons, file)) => format!("{why}; {file}: {reasons}; {READ_FORMATS}"),
        None => why,
    }
}

/// What can be read, in a sentence.
pub(super) const READ_FORMATS: &str = "phocus reads documents, TSV and CSV with a header, JSON arrays, JSON Lines, text with one formula a line, and SVG drawings";
