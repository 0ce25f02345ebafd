//! `phocus info`: what an index holds.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::Status;
use super::args::DescribedIndex;
use super::output::print_json;
use super::table::{grouped, printable, sized};
use crate::index::{FORMAT_VERSION, FacetValue, Index};
use crate::phoc::{Idf, PhocConfig};

/// Describe an index: its configuration, how many formulas it holds, its size.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    index: DescribedIndex,
}

/// How many of the most frequent tokens are shown.
const SHOWN_TOKENS: usize = 12;

pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let index = args.index.open()?;
    let mut out = io::stdout().lock();
    if args.index.json {
        print_json(&mut out, &as_json(&index))?;
    } else {
        print(&index, &mut out)?;
    }
    Ok(Status::Done)
}

fn as_json(index: &Index) -> Value {
    let sections = index.section_sizes().into_iter();
    let sections: serde_json::Map<_, _> =
        sections.map(|(name, bytes)| (name, json!(bytes))).collect();
    let frequent: Vec<(String, u64)> = (index.most_frequent(SHOWN_TOKENS).into_iter())
        .map(|(key, count)| (key.to_string(), count))
        .collect();
    json!({
        "format": FORMAT_VERSION, "bytes": index.file_bytes(), "store_bytes": index.store_bytes(),
        "meta": index.meta(), "sections": sections, "most_frequent": frequent,
    })
}

fn print(index: &Index, out: &mut dyn Write) -> io::Result<()> {
    let meta = index.meta();
    let (formulas, instances) = (grouped(meta.formulas), grouped(meta.instances));
    let (tokens, postings) = (grouped(meta.tokens), grouped(meta.postings));
    let (bytes, store) = (sized(index.file_bytes()), sized(index.store_bytes()));
    let rows = [
        (
            "format",
            format!("{FORMAT_VERSION}, written by phocus {}", meta.phocus),
        ),
        ("config", described(&meta.config)),
        (
            "formulas",
            format!(
                "{formulas} distinct (by {}), {instances} instances",
                meta.dedup
            ),
        ),
        ("texts", texts(index)),
        ("tokens", format!("{tokens}, {postings} postings")),
        (
            "bytes",
            format!("{bytes} ({store} of it LaTeX, instances, layouts and texts)"),
        ),
        ("frequent", frequent(index)),
    ];
    let facets = [
        ("types", &meta.facets.kinds),
        ("sources", &meta.facets.sources),
    ];
    let facets = facets.map(|(name, values)| (name, listed(values.as_deref())));
    let kept = [
        ("kept", meta.fields.join(", ")),
        (
            "link",
            index.link().map_or(String::new(), ToString::to_string),
        ),
    ];
    let further = kept.into_iter().chain(facets);
    writeln!(out, "{}", index.path().display())?;
    for (name, value) in (rows.into_iter().chain(further)).filter(|(_, value)| !value.is_empty()) {
        writeln!(out, "  {name:<10} {value}")?;
    }
    Ok(())
}

/// The texts in a few words; empty where there are none.
fn texts(index: &Index) -> String {
    let Some(texts) = &index.meta().texts else {
        return String::new();
    };
    let (all, results) = (grouped(texts.texts), grouped(texts.results));
    let mean = texts.words as f64 / texts.results.max(1) as f64;
    format!("{all}, {results} of them results of a question, of {mean:.0} words in the mean")
}

/// The values that results can be filtered by, each with its number of formulas.
fn listed(values: Option<&[FacetValue]>) -> String {
    let values = values.unwrap_or_default().iter();
    let values: Vec<String> = values
        .map(|value| format!("{} {}", printable(&value.value), grouped(value.formulas)))
        .collect();
    values.join(", ")
}

/// A configuration in a few words: its name, its regions, its anchor and its IDF.
fn described(config: &PhocConfig) -> String {
    let PhocConfig {
        name,
        regions,
        anchor,
        idf,
        ..
    } = config;
    let idf = match idf {
        Idf::Off => "",
        Idf::Token => ", IDF",
        Idf::Region => ", IDF by region",
    };
    format!("{name}: {regions} ({} bits), {anchor}{idf}", regions.bits())
}

/// The most frequent tokens, each with the percentage of formulas that hold it.
fn frequent(index: &Index) -> String {
    let formulas = index.meta().formulas as f64;
    let tokens = index.most_frequent(SHOWN_TOKENS);
    let tokens = tokens
        .iter()
        .map(|(key, count)| format!("{key} {:.1}%", 100.0 * *count as f64 / formulas));
    tokens.collect::<Vec<_>>().join(", ")
}
