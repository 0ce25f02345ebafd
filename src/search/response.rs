//! A response: the hits, and how they were found.

use std::time::Duration;

use serde::{Serialize, Serializer};

use super::{Group, Plan, SearchStats};
use crate::corpus::{FormulaId, Instance};
use crate::layout::Rect;
use crate::phoc::Idf;

/// What a search found, and how. In JSON it is the same everywhere; the plan
/// and what the engine looked at are left out.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Response {
    /// The results, best first.
    pub hits: Vec<Hit>,
    /// How many formulas match.
    pub found: Found,
    /// The LaTeX as it was laid out, after cleaning and repair; empty for a
    /// query that is no LaTeX.
    pub read_as: String,
    /// What was guessed or left out to read the query, each in a sentence.
    pub notes: Vec<String>,
    /// Symbols of the query that no formula of the index holds.
    pub unknown_symbols: Vec<String>,
    /// Commands of the query that are not known: left out, or read as their names.
    pub unknown_commands: Vec<String>,
    /// How many distinct symbols the query has.
    pub symbols: usize,
    /// How many of them a result must hold.
    pub required: usize,
    /// The IDF that was used.
    pub idf: Idf,
    /// How many of the first results were to be re-ranked.
    pub rerank: usize,
    /// Which formulas are one result.
    pub group: Group,
    /// Which engine answered, and why.
    #[serde(skip)]
    pub plan: Plan,
    /// What the engine looked at.
    #[serde(skip)]
    pub stats: SearchStats,
    /// The time that the answer took, from the layout of the query to the LaTeX
    /// of the hits.
    #[serde(rename = "took_ms", serialize_with = "write_ms")]
    pub took: Duration,
    /// Where that time went.
    #[serde(skip)]
    pub times: Times,
}

/// Where the time of an answer went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Times {
    /// Reading and laying out the query.
    pub layout: Duration,
    /// From the query's layout to the ranked formulas, re-ranked: the search alone, which is what
    /// `phocus bench` measures.
    pub search: Duration,
    /// Reading what is shown of formulas: their LaTeX, their first instances, and what tells which
    /// have the same visual id.
    pub entries: Duration,
}

fn write_ms<S: Serializer>(took: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(took.as_secs_f64() * 1e3)
}

/// How many formulas match a request: hold as many of its symbols as it asks for. These are
/// formulas, not groups, where results are grouped.
///
/// A search looks for the best and leaves out what cannot be among them, so it knows the exact
/// number only where it found fewer formulas than it looked for. Otherwise it knows how many it
/// looked for and, where any one token is enough, how many formulas hold the most frequent one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Found {
    /// How many there are at least, those before and after the wanted ones included.
    pub count: usize,
    /// Whether there are no others.
    pub exact: bool,
}

/// A formula that was found. This is also the shape of a hit in JSON, on the
/// command line and over HTTP.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Hit {
    /// Its place among the results, from 1.
    pub rank: usize,
    /// Its external id: its visual id, or the id of its first instance.
    pub id: FormulaId,
    /// Its score in the first stage.
    pub score: f64,
    /// How alike it and the query are as wholes, if it was re-ranked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub likeness: Option<f64>,
    /// Its LaTeX, empty for a drawing.
    pub latex: String,
    /// How often it occurs.
    pub instances: u64,
    /// Where it occurs first, of the occurrences that pass the filters of the request.
    pub first: Instance,
    /// The symbols of the query that it holds, if the request asked for them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub matched: Vec<MatchedSymbol>,
    /// Where results are grouped, the other formulas of its group, best first: as many as 20 of
    /// those that were ranked. Their rank is that of the group.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Hit>,
    /// How many others of its group were ranked.
    #[serde(skip_serializing_if = "is_zero")]
    pub others_count: usize,
    /// Its number in the index.
    #[serde(skip)]
    pub formula: usize,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Hit {
    /// What tells it from other formulas in a run: its visual id, or its own id.
    pub fn visual_id(&self) -> &str {
        self.first.visual_id_or(&self.id)
    }
}

/// A symbol of the query that a hit holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MatchedSymbol {
    /// The symbol.
    pub symbol: String,
    /// Where it stands in the hit, in em from the hit's corner; empty where
    /// the index keeps no layouts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub boxes: Vec<Rect>,
}
