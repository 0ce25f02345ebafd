//! What each step of the pipeline costs, with its baseline beside it.
//!
//! `cargo bench`. Compare the rows of a group: times alone say more about the
//! machine than about phocus.
#![allow(clippy::expect_used, missing_docs)]

use std::hint::black_box;
use std::path::Path;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use phocus::corpus::Inputs;
use phocus::index::{BuildOptions, Dedup, Index, Progress, build};
use phocus::layout::{self, Layout};
use phocus::phoc::{PhocConfig, encode};
use phocus::search::{Level, MinMatch, Plan, Query, reference};

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

/// Boxes to words, for words of one and of two machine words.
fn encoding(c: &mut Criterion) {
    let layouts: Vec<Layout> = sample()
        .iter()
        .filter_map(|latex| layout::latex(latex).ok())
        .collect();
    let mut group = c.benchmark_group("encode");
    group.throughput(Throughput::Elements(layouts.len() as u64));
    for name in ["xy5", "xy7o4", "xy10"] {
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

/// Whole queries over the sample repeated, by every engine that can answer,
/// without and with vector instructions, beside the reference scorer: the
/// scan of postings, intersection and top k are most of what each does.
fn queries(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = folder.path().join("many.txt");
    std::fs::write(&text, sample().join("\n").repeat(20)).expect("it can be written");
    let path = folder.path().join("many.phoc");
    let options = BuildOptions {
        dedup: Dedup::None,
        ..BuildOptions::default()
    };
    let inputs = Inputs::new(&[text], None).expect("it is there");
    build(inputs, &path, &options, &Progress::default(), &mut |_| {}).expect("it can be built");
    let index = Index::open(&path).expect("it opens");
    let layout =
        layout::latex(r"\int_{-\infty}^{\infty} e^{-x^2} dx = \sqrt{\pi}").expect("it reads");
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
                let plan = Plan {
                    strategy,
                    level,
                    ..Plan::new(&index, &query, k, 1)
                };
                let row = BenchmarkId::new(format!("{strategy}, {level}"), name);
                group.bench_function(row, |b| {
                    b.iter(|| plan.run(&index, &query).expect("it is sound").hits.len());
                });
            }
        }
        group.bench_function(BenchmarkId::new("reference", name), |b| {
            b.iter(|| {
                reference::search(&index, &query, k)
                    .expect("it is sound")
                    .len()
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = layouts, encoding, queries
}
criterion_main!(benches);
