//! `phocus info`: what an index holds.

use std::io::{self, Write};
use std::path::PathBuf;

use serde_json::json;

use super::Outcome;
use super::table::{grouped, sized};
use crate::index::{FORMAT_VERSION, Index};
use crate::phoc::Idf;

/// Say what an index holds.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The index.
    index: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let index = Index::open(&args.index)?;
    let meta = index.meta();
    let frequent: Vec<(String, u64)> = (index.most_frequent(12).into_iter())
        .map(|(key, count)| (key.to_string(), count))
        .collect();
    let mut out = io::stdout().lock();
    if args.json {
        let sections: serde_json::Map<_, _> = index
            .section_sizes()
            .into_iter()
            .map(|(name, bytes)| (name, json!(bytes)))
            .collect();
        let shown = json!({
            "format": FORMAT_VERSION, "bytes": index.file_bytes(), "store_bytes": index.store_bytes(),
            "meta": meta, "sections": sections, "most_frequent": frequent,
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&shown)?)?;
        return Ok(Outcome::Done);
    }
    let config = &meta.config;
    let anchor = format!("{:?}", config.anchor).to_lowercase();
    writeln!(out, "{}", args.index.display())?;
    writeln!(
        out,
        "  format     {FORMAT_VERSION}, written by phocus {}",
        meta.phocus
    )?;
    writeln!(
        out,
        "  config     {}: {} ({} bits), {anchor}{}",
        config.name,
        config.regions,
        config.regions.bits(),
        match config.idf {
            Idf::Off => "",
            Idf::Token => ", IDF",
            Idf::Region => ", IDF by region",
        }
    )?;
    writeln!(
        out,
        "  formulas   {} distinct (by {}), {} instances",
        grouped(meta.formulas),
        meta.dedup,
        grouped(meta.instances)
    )?;
    writeln!(
        out,
        "  tokens     {}, {} postings",
        grouped(meta.tokens),
        grouped(meta.postings)
    )?;
    writeln!(
        out,
        "  bytes      {} ({} of it LaTeX, instances and layouts)",
        sized(index.file_bytes()),
        sized(index.store_bytes())
    )?;
    let shown: Vec<String> = frequent
        .iter()
        .map(|(key, count)| format!("{key} {:.1}%", 100.0 * *count as f64 / meta.formulas as f64))
        .collect();
    writeln!(out, "  frequent   {}", shown.join(", "))?;
    Ok(Outcome::Done)
}
