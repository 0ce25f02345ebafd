//! What was measured: a table, or JSON.

use std::io::Write;

use serde::Serialize;

use crate::bench::Row;
use crate::cli::table::{Align, Table, grouped};
use crate::phoc::Idf;
use crate::search::Level;

/// What was measured.
#[derive(Debug, Serialize)]
pub(super) struct BenchReport {
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

impl BenchReport {
    pub(super) fn write(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(
            out,
            "{} topics over {} formulas, k = {}, the first {} re-ranked, {} times each on {} threads ({})",
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
        for row in &self.thresholds {
            table.row(cells(row));
        }
        table.write(out)?;
        Ok(())
    }
}

/// A row of the table.
fn cells(row: &Row) -> Vec<String> {
    let mut cells = vec![format!("{}%", (row.min_match * 1e4).round() / 1e2)];
    let times = [row.mean_ms, row.median_ms, row.q1_ms, row.q3_ms];
    let tail = [row.p95_ms, row.p99_ms, row.max_ms];
    cells.extend(times.iter().chain(&tail).map(|ms| format!("{ms:.3}")));
    cells.push(format!("{:.0}%", row.noise * 100.0));
    let work = [
        row.candidates,
        row.postings,
        row.postings_in_lists,
        row.found,
    ];
    cells.extend(work.map(|count| grouped(count.round() as u64)));
    if let Some(stream) = row.stream_ms {
        cells.push(format!("{stream:.3}"));
        cells.push(format!("{:.2}x", row.mean_ms / stream));
    }
    if let Some(throughput) = &row.throughput {
        cells.push(format!("{:.0}", throughput.one_thread));
        cells.push(format!(
            "{:.0} ({:.2}x)",
            throughput.all_threads, throughput.ratio
        ));
    }
    if let Some(measures) = &row.measures {
        let measures = [measures.ndcg, measures.map, measures.p10];
        cells.extend(measures.map(|value| format!("{value:.4}")));
    }
    cells
}
