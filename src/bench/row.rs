//! The measurements at one minimum match.

use serde::Serialize;

use crate::eval::Measures;

/// The measurements at one minimum match. Counts are means over topics.
#[derive(Debug, Serialize)]
pub struct Row {
    /// The minimum match, from 0 to 1.
    pub min_match: f64,
    /// The mean of all times, in milliseconds.
    pub mean_ms: f64,
    /// Their median.
    pub median_ms: f64,
    /// Their first quartile.
    pub q1_ms: f64,
    /// Their third quartile.
    pub q3_ms: f64,
    /// Their 95th percentile.
    pub p95_ms: f64,
    /// Their 99th percentile.
    pub p99_ms: f64,
    /// The longest.
    pub max_ms: f64,
    /// The distance between the quartiles of one topic's times, divided by its median, for the
    /// median topic.
    pub noise: f64,
    /// Formulas whose score was computed.
    pub candidates: f64,
    /// Postings that were read for that.
    pub postings: f64,
    /// Postings that the query's symbols have.
    pub postings_in_lists: f64,
    /// Formulas found.
    pub found: f64,
    /// Milliseconds to read all postings of the query's symbols once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream_ms: Option<f64>,
    /// How many topics are searched in a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throughput: Option<Throughput>,
    /// The measures of the results, where topics are judged.
    #[serde(flatten)]
    pub measures: Option<Measures>,
}

/// How many topics are searched in a second.
#[derive(Debug, Serialize)]
pub struct Throughput {
    /// One after the other, on one thread.
    pub one_thread: f64,
    /// All at once, each on one thread.
    pub all_threads: f64,
    /// The second divided by the first.
    pub ratio: f64,
}
