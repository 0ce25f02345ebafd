//! What was measured: a table, or JSON.

use std::io::Write;

use serde::Serialize;

use crate::cli::table::{Align, Table, grouped};
use crate::eval::{Measures, quantile};
use crate::phoc::Idf;
use crate::search::Level;

/// What was measured.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) index: String,
    pub(super) formulas: u64,
    pub(super) topics: usize,
    pub(super) lost: usize,
    pub(super) k: usize,
    pub(super) repeat: u32,
    pub(super) threads: usize,
    pub(super) idf: Idf,
    pub(super) rerank: usize,
    pub(super) level: Level,
    pub(super) thresholds: Vec<Row>,
}

/// What was measured at one threshold.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    pub(super) min_match: f64,
    pub(super) mean_ms: f64,
    pub(super) median_ms: f64,
    pub(super) q1_ms: f64,
    pub(super) q3_ms: f64,
    pub(super) p95_ms: f64,
    pub(super) p99_ms: f64,
    pub(super) max_ms: f64,
    /// How far apart a topic's own quartiles lie, in parts of its median.
    pub(super) noise: f64,
    /// Formulas scored, and postings read to score them, a topic.
    pub(super) candidates: f64,
    pub(super) postings: f64,
    /// Postings that the query's symbols have in all, a topic.
    pub(super) postings_in_lists: f64,
    /// Formulas found, a topic.
    pub(super) found: f64,
    /// Reading all these once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stream_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) throughput: Option<Throughput>,
    #[serde(flatten)]
    pub(super) measures: Option<Measures>,
}

/// Topics a second.
#[derive(Debug, Serialize)]
pub(super) struct Throughput {
    pub(super) one_thread: f64,
    pub(super) all_threads: f64,
    pub(super) ratio: f64,
}

impl Report {
    pub(super) fn write(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(
            out,
            "{} topics over {} formulas, k = {}, {} ranked again, {} times each on {} threads ({})",
            self.topics,
            grouped(self.formulas),
            self.k,
            self.rerank,
            self.repeat,
            self.threads,
            self.level
        )?;
        let mut columns = vec![("match", Align::Right)];
        let times = [
            "mean ms", "median", "q1", "q3", "p95", "p99", "max", "noise",
        ];
        let work = ["scored", "read", "postings", "found"];
        columns.extend(times.iter().chain(&work).map(|name| (*name, Align::Right)));
        let first = self.thresholds.first();
        if first.is_some_and(|row| row.stream_ms.is_some()) {
            columns.extend([("stream ms", Align::Right), ("times", Align::Right)]);
        }
        if first.is_some_and(|row| row.throughput.is_some()) {
            columns.extend([("topics/s", Align::Right), ("all", Align::Right)]);
        }
        if first.is_some_and(|row| row.measures.is_some()) {
            columns.extend(["nDCG'", "MAP'", "P'@10"].map(|name| (name, Align::Right)));
        }
        let mut table = Table::new(&columns);
        self.thresholds
            .iter()
            .for_each(|row| table.row(row.cells()));
        table.write(out)?;
        Ok(())
    }
}

impl Row {
    fn cells(&self) -> Vec<String> {
        let mut cells = vec![format!("{}%", (self.min_match * 1e4).round() / 1e2)];
        let times = [self.mean_ms, self.median_ms, self.q1_ms, self.q3_ms];
        let tail = [self.p95_ms, self.p99_ms, self.max_ms];
        cells.extend(times.iter().chain(&tail).map(|ms| format!("{ms:.3}")));
        cells.push(format!("{:.0}%", self.noise * 100.0));
        let work = [
            self.candidates,
            self.postings,
            self.postings_in_lists,
            self.found,
        ];
        cells.extend(work.map(|count| grouped(count.round() as u64)));
        if let Some(stream) = self.stream_ms {
            cells.push(format!("{stream:.3}"));
            cells.push(format!("{:.2}x", self.mean_ms / stream));
        }
        if let Some(throughput) = &self.throughput {
            cells.push(format!("{:.0}", throughput.one_thread));
            cells.push(format!(
                "{:.0} ({:.2}x)",
                throughput.all_threads, throughput.ratio
            ));
        }
        if let Some(measures) = &self.measures {
            let measures = [measures.ndcg, measures.map, measures.p10];
            cells.extend(measures.map(|value| format!("{value:.4}")));
        }
        cells
    }
}

/// How far apart the quartiles lie, in parts of the median.
pub(super) fn spread(times: &[f64]) -> f64 {
    (quantile(times, 0.75) - quantile(times, 0.25)) / quantile(times, 0.5).max(f64::MIN_POSITIVE)
}
