//! What each step of the pipeline costs, with its baseline beside it.
//!
//! `cargo bench`. Compare the rows of a group: times alone say more about the
//! machine than about phocus.
#![allow(clippy::expect_used, missing_docs)]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use phocus::corpus::Inputs;
use phocus::index::{Dedup, Index, IndexBuilder};
use phocus::layout::{self, Layout};
use phocus::phoc::{PhocConfig, encode};
use phocus::search::internals::{Query, TopK, reference, stream};
use phocus::search::{Level, MinMatch, Plan, Strategy};

fn sample() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data-sample/formulas");
    let inputs = Inputs::new(&[folder], None).expect("the sample is there");
    inputs
        .filter_map(|read| read.ok()?.ok())
        .map(|record| record.content.latex().to_owned())
        .collect()
}

/// LaTeX to symbols, beside RaTeX's own parsing and layout: what cleaning,
/// ink boxes and assembly add.
fn layouts(c: &mut Criterion) {
    let formulas = sample();
    let mut group = c.benchmark_group("layout");
    group.throughput(Throughput::Elements(formulas.len() as u64));
    group.bench_function("RaTeX alone", |b| {
        b.iter(|| {
            for latex in &formulas {
                if let Ok(nodes) = ratex_parser::parse(latex) {
                    let options = ratex_layout::LayoutOptions::default();
                    let boxes = ratex_layout::layout(&nodes, &options);
                    black_box(ratex_layout::to_display_list(&boxes));
                }
            }
        });
    });
    group.bench_function("symbols with boxes", |b| {
        b.iter(|| {
            formulas
                .iter()
                .filter(|latex| layout::latex(latex).is_ok())
                .count()
        });
    });
    group.finish();
}

/// Boxes to words, for words of one and of two machine words, beside a plain
/// test of every strip.
fn encoding(c: &mut Criterion) {
    let layouts: Vec<Layout> = sample()
        .iter()
        .filter_map(|latex| layout::latex(latex).ok())
        .collect();
    let mut group = c.benchmark_group("encode");
    group.throughput(Throughput::Elements(layouts.len() as u64));
    group.bench_function("xy7, strip by strip", |b| {
        b.iter(|| layouts.iter().map(strip_by_strip).sum::<usize>());
    });
    for name in ["xy7", "xy7o4", "xy10"] {
        let config: PhocConfig = name.parse().expect("it is shipped");
        group.bench_function(BenchmarkId::from_parameter(name), |b| {
            b.iter(|| {
                layouts
                    .iter()
                    .map(|layout| encode(layout, &config).len())
                    .sum::<usize>()
            });
        });
    }
    group.finish();
}

/// The words of xy7, each strip of each symbol tested by itself.
fn strip_by_strip(layout: &Layout) -> usize {
    let whole = layout.rect();
    let mut words: BTreeMap<String, u64> = BTreeMap::new();
    for symbol in layout.symbols() {
        let word = words.entry(symbol.id.to_string()).or_default();
        *word |= 1;
        let mut bit = 1;
        let (rect, y) = (symbol.rect, symbol.rect.center().1);
        for (low, high, from, size) in [
            (rect.x0, rect.x1, whole.x0, whole.width()),
            (y, y, whole.y0, whole.height()),
        ] {
            for level in 2..=7 {
                for strip in 0..level {
                    let edge = |strip: i32| from + size * f64::from(strip) / f64::from(level);
                    *word |= u64::from(high >= edge(strip) && low <= edge(strip + 1)) << bit;
                    bit += 1;
                }
            }
        }
    }
    words.len()
}

/// The best of many scores, as threads merge them, beside sorting all.
fn top_k(c: &mut Criterion) {
    // Weyl's sequence: spread evenly, and the same every time.
    let sums: Vec<u32> = (0..200_000u32)
        .map(|n| n.wrapping_mul(0x9e37_79b9) >> 22)
        .collect();
    let norm = |formula: usize| formula as u32 / 1000 + 1;
    let mut group = c.benchmark_group("top k");
    group.throughput(Throughput::Elements(sums.len() as u64));
    for k in [10, 1000] {
        group.bench_function(BenchmarkId::new("two heaps, merged", k), |b| {
            b.iter(|| {
                let mut heaps = [TopK::new(k), TopK::new(k)];
                for (formula, sum) in sums.iter().enumerate() {
                    heaps[formula % 2].offer(formula, *sum, norm(formula), formula as u32);
                }
                let [mut all, mut other] = heaps;
                all.take_from(&mut other);
                all.into_formulas(1.0).len()
            });
        });
        group.bench_function(BenchmarkId::new("all sorted", k), |b| {
            b.iter(|| {
                let score = |(formula, sum): (usize, &u32)| {
                    (f64::from(*sum) / f64::from(norm(formula)).sqrt(), formula)
                };
                let mut all: Vec<(f64, usize)> = sums.iter().enumerate().map(score).collect();
                all.sort_by(|a, b| b.0.total_cmp(&a.0));
                all.truncate(k);
                all.len()
            });
        });
    }
    group.finish();
}

/// Postings of one query: read and summed, met with the query's words, and
/// intersected; beside lists of ids intersected one by one.
fn postings(c: &mut Criterion) {
    let (_folder, index) = many();
    let layout = layout::latex(QUERY).expect("it reads");
    let all = MinMatch::new(1.0).expect("a part");
    let query = Query::new(&layout, &index, all, false);
    let mut group = c.benchmark_group("postings");
    group.bench_function("streamed", |b| {
        b.iter(|| stream(&index, &query, 1).expect("it is sound"));
    });
    for strategy in [Strategy::Scan, Strategy::Conjunctive] {
        let mut plan = Plan::new(&index, &query, 10, 1);
        plan.strategy = strategy;
        group.bench_function(strategy.to_string(), |b| {
            b.iter(|| {
                plan.run(&index, &query)
                    .expect("it is sound")
                    .formulas
                    .len()
            });
        });
    }
    let mut lists: Vec<Vec<usize>> = Vec::new();
    for (token, ..) in query.known() {
        let mut list = Vec::new();
        let each = &mut |formula, _| list.push(formula);
        index.each_posting(token, each).expect("it is sound");
        lists.push(list);
    }
    group.bench_function("ids looked up one by one", |b| {
        b.iter(|| {
            let (first, others) = lists.split_first().expect("it has symbols");
            let held = |id: &&usize| others.iter().all(|list| list.binary_search(id).is_ok());
            first.iter().filter(held).count()
        });
    });
    group.finish();
}

const QUERY: &str = r"\int_{-\infty}^{\infty} e^{-x^2} dx = \sqrt{\pi}";

/// The sample twenty times over, indexed.
fn many() -> (tempfile::TempDir, Index) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = folder.path().join("many.txt");
    std::fs::write(&text, sample().join("\n").repeat(20)).expect("it can be written");
    let path = folder.path().join("many.phoc");
    let inputs = Inputs::new(&[text], None).expect("it is there");
    let mut builder = IndexBuilder::new(PhocConfig::default()).dedup(Dedup::None);
    builder.add_all(inputs).expect("they can be read");
    builder.finish(&path).expect("it can be written");
    (folder, Index::open(&path).expect("it opens"))
}

/// Whole queries over the sample repeated, by every engine that can answer,
/// without and with vector instructions, beside the reference scorer.
fn queries(c: &mut Criterion) {
    let (_folder, index) = many();
    let layout = layout::latex(QUERY).expect("it reads");
    let mut group = c.benchmark_group("query");
    group.throughput(Throughput::Elements(index.formulas() as u64));
    for (name, part, k) in [
        ("any, k 1000", 0.0, 1000),
        ("any, k 10", 0.0, 10),
        ("all, k 1000", 1.0, 1000),
    ] {
        let query = Query::new(&layout, &index, MinMatch::new(part).expect("a part"), false);
        for strategy in Plan::possible(&query) {
            for level in [Level::Scalar, Level::best()] {
                let mut plan = Plan::new(&index, &query, k, 1);
                (plan.strategy, plan.level) = (strategy, level);
                let row = BenchmarkId::new(format!("{strategy}, {level}"), name);
                group.bench_function(row, |b| {
                    b.iter(|| {
                        plan.run(&index, &query)
                            .expect("it is sound")
                            .formulas
                            .len()
                    });
                });
            }
        }
        group.bench_function(BenchmarkId::new("reference", name), |b| {
            b.iter(|| reference(&index, &query, k).expect("it is sound").len());
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = layouts, encoding, top_k, postings, queries
}
criterion_main!(benches);
