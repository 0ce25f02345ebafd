//! Results of some types of text and from some sources alone.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use phocus::corpus::Instance;
use phocus::phoc::PhocConfig;
use phocus::search::{Group, MinMatch, Request, Searcher};
use tempfile::TempDir;

use crate::fixtures::binary::{json, ok, run, stderr, text};
use crate::fixtures::sample::{build_files, sample_formulas};
use crate::fixtures::server::Server;

const TYPES: [&str; 4] = ["question", "answer", "title", ""];
const SOURCES: [&str; 5] = ["arXiv", "wiki pedia", "nLab", "MSE", ""];

/// Formulas of the sample, most of them several times, of types and sources that are rare and
/// frequent, or unknown.
fn searcher(folder: &TempDir, config: &str) -> Searcher {
    let mut list = "id\ttype\tsource\tlatex\n".to_owned();
    let formulas = sample_formulas();
    let formulas = formulas
        .iter()
        .filter(|latex| !latex.contains(['\t', '\n', '"']));
    let mut random = 7_u64;
    let mut draw = |most: u64| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        // Of two draws the lower: the first values are the frequent ones.
        let (a, b) = ((random >> 33) % most, (random >> 45) % most);
        a.min(b) as usize
    };
    for (at, latex) in formulas.enumerate() {
        for nth in 0..=draw(3) {
            let (kind, source) = (TYPES[draw(4)], SOURCES[draw(5)]);
            let _ = writeln!(list, "f{at}-{nth}\t{kind}\t{source}\t{latex}");
        }
    }
    let path = folder.path().join("list.tsv");
    fs::write(&path, list).unwrap();
    let config: PhocConfig = config.parse().unwrap();
    Searcher::new(build_files(folder.path(), path, &config, false))
}

/// Whether an occurrence of a formula is as a request wants it.
fn passes(searcher: &Searcher, request: &Request, formula: usize) -> bool {
    let instances = searcher.index().instances(formula).unwrap();
    instances.iter().any(|one| is_wanted(request, one))
}

fn is_wanted(request: &Request, instance: &Instance) -> bool {
    let is_one = |wanted: &[String], value: Option<&str>| {
        wanted.is_empty() || value.is_some_and(|value| wanted.iter().any(|one| one == value))
    };
    is_one(&request.kinds, instance.kind.as_deref())
        && is_one(&request.sources, instance.field("source"))
}

fn filters() -> Vec<(Vec<&'static str>, Vec<&'static str>)> {
    vec![
        (vec!["question"], vec![]),
        (vec!["title"], vec![]),
        (vec!["answer", "title"], vec![]),
        (vec![], vec!["MSE"]),
        (vec![], vec!["wiki pedia", "arXiv"]),
        (vec!["title"], vec!["MSE"]),
        (vec!["title", "question"], vec!["nLab", "MSE"]),
    ]
}

#[test]
fn results_are_those_of_the_whole_ranking_that_pass() {
    let folder = tempfile::tempdir().unwrap();
    for config in ["best", "xy7o4"] {
        let searcher = searcher(&folder, config);
        let all = searcher.index().formulas();
        for latex in sample_formulas().iter().step_by(977) {
            for min_match in [MinMatch::ANY, "60%".parse().unwrap(), MinMatch::ALL] {
                let request = Request::latex(latex)
                    .rerank(0)
                    .matched(false)
                    .min_match(min_match);
                let whole = searcher
                    .find_only(&request.clone().k(all))
                    .unwrap()
                    .formulas;
                for (kinds, sources) in filters() {
                    let request = request.clone().kinds(kinds).sources(sources);
                    let expected: Vec<_> = (whole.iter().copied())
                        .filter(|(formula, _)| passes(&searcher, &request, *formula))
                        .collect();
                    for k in [3, 40, all] {
                        let expected = &expected[..expected.len().min(k)];
                        for strategy in searcher.strategies(&request).unwrap() {
                            let request = request.clone().k(k).strategy(strategy);
                            let found = searcher.find_only(&request).unwrap().formulas;
                            assert!(found == expected, "{latex}: {request:?}");
                        }
                        let reference = searcher.reference(&request.clone().k(k)).unwrap();
                        assert!(reference == expected, "{latex}: reference, {request:?}");
                    }
                }
            }
        }
    }
}

/// As many of those that pass are re-ranked as of all results without a filter; pages and groups
/// are of those that pass.
#[test]
fn what_passes_is_re_ranked_and_grouped() {
    let folder = tempfile::tempdir().unwrap();
    let searcher = searcher(&folder, "best");
    for latex in sample_formulas().iter().step_by(1301) {
        let request = Request::latex(latex)
            .kinds(["title"])
            .sources(["nLab", "MSE"]);
        let find = |request: &Request| searcher.search(request).unwrap().hits;
        let numbers = |request: &Request| -> Vec<usize> {
            find(request).iter().map(|hit| hit.formula).collect()
        };
        let mut first = numbers(&request.clone().k(30).rerank(0));
        let reranked = request.clone().k(30).rerank(30);
        let hits = find(&reranked);
        assert!(
            hits.is_sorted_by(|a, b| a.likeness >= b.likeness),
            "{latex}"
        );
        let mut same = numbers(&reranked);
        let second = numbers(&request.clone().rerank(30).from(10).k(20));
        assert_eq!(second, same[10..], "{latex}");
        first.sort_unstable();
        same.sort_unstable();
        assert_eq!(first, same, "{latex}");
        for hit in find(&request.clone().group(Group::Renaming)) {
            let mut members = std::iter::once(&hit).chain(&hit.others);
            assert!(members.all(|member| passes(&searcher, &request, member.formula)));
        }
    }
}

/// A hit is shown where it passes: `first` is the first occurrence that the filters want.
#[test]
fn the_occurrence_that_is_shown_passes_too() {
    let folder = tempfile::tempdir().unwrap();
    let searcher = searcher(&folder, "best");
    let mut others = 0;
    for (kinds, sources) in filters() {
        for group in [Group::None, Group::Renaming] {
            let request = Request::latex("x^2+y").k(50).group(group);
            let request = request.kinds(kinds.clone()).sources(sources.clone());
            for hit in searcher.search(&request).unwrap().hits {
                for hit in std::iter::once(&hit).chain(&hit.others) {
                    let instances = searcher.index().instances(hit.formula).unwrap();
                    let passing = instances.iter().find(|one| is_wanted(&request, one));
                    assert_eq!(Some(&hit.first), passing, "{request:?}");
                    others += usize::from(hit.first != instances[0]);
                }
            }
        }
    }
    assert!(others > 100, "of many it is not the first of all");
    let all = searcher.search(&Request::latex("x^2+y").k(50)).unwrap();
    for hit in all.hits {
        let first = searcher.index().entry(hit.formula).unwrap().first;
        assert_eq!(hit.first, first, "without filters it is the first of all");
    }
}

#[test]
fn facets_count_formulas() {
    let folder = tempfile::tempdir().unwrap();
    let searcher = searcher(&folder, "xy7o4");
    let (mut kinds, mut sources) = (BTreeMap::new(), BTreeMap::new());
    for formula in 0..searcher.index().formulas() {
        let instances = searcher.index().instances(formula).unwrap();
        let of = |value: fn(&Instance) -> Option<String>| {
            let mut values: Vec<String> = instances.iter().filter_map(value).collect();
            values.sort();
            values.dedup();
            values
        };
        for kind in of(|instance| instance.kind.clone()) {
            *kinds.entry(kind).or_insert(0) += 1;
        }
        for source in of(|instance| instance.field("source").map(str::to_owned)) {
            *sources.entry(source).or_insert(0) += 1;
        }
    }
    let facets = searcher.facets().unwrap();
    let counted = |facets: Vec<phocus::search::Facet>| -> BTreeMap<String, u64> {
        let facets = facets.into_iter();
        facets.map(|facet| (facet.value, facet.formulas)).collect()
    };
    assert_eq!((kinds.len(), sources.len()), (3, 4));
    assert_eq!(counted(facets.kinds()), kinds);
    assert_eq!(counted(facets.sources()), sources);
}

#[test]
fn the_program_and_the_server_filter() {
    let folder = tempfile::tempdir().unwrap();
    let searcher = searcher(&folder, "best");
    let index = searcher.index().path().to_path_buf();
    let search = |more: &[&str]| {
        json(&ok(
            &[&["search", text(&index), "x^2", "--json"], more].concat()
        ))["hits"]
            .clone()
    };
    let both = ["--type", "title", "--source", "wiki pedia"];
    let both = search(&both);
    assert_eq!(both.as_array().map(Vec::len), Some(10));
    assert_ne!(both, search(&[]));
    let either = search(&["--type", "title", "--type", "answer"]);
    let refused = run(&["search", text(&index), "x", "--source", "Nature"]);
    assert_eq!(refused.status.code(), Some(2));
    let message = stderr(&refused);
    let expected = "no formula has the source \"Nature\"; there are MSE, arXiv, nLab, wiki pedia";
    assert!(message.contains(expected), "{message}");

    let server = Server::start(&[text(&index), "--quiet"]);
    let found = |path: &str, filter: &[(&str, &str)]| {
        server.get(path, &[&[("q", "x^2"), ("k", "10")], filter].concat())
    };
    let ids = |hits: &serde_json::Value| -> Vec<String> {
        let hits = hits.as_array().unwrap().iter();
        hits.map(|hit| hit["id"].as_str().unwrap().to_owned())
            .collect()
    };
    let asked = [("type", "title"), ("source", "wiki pedia")];
    assert_eq!(
        ids(&found("/api/search", &asked).json()["hits"]),
        ids(&both)
    );
    let asked = [("type", "title,answer")];
    assert_eq!(
        ids(&found("/api/search", &asked).json()["hits"]),
        ids(&either)
    );
    let completed = found("/api/complete", &[("type", "title")]).json();
    let completed = ids(&completed["hits"]);
    assert_eq!(completed.len(), 10);
    for id in completed {
        let formula = searcher.index().find(&id).unwrap().unwrap();
        assert!(passes(
            &searcher,
            &Request::latex("x").kinds(["title"]),
            formula
        ));
    }
    let refused = found("/api/search", &[("type", "blog")]);
    assert_eq!(refused.status, 400);
    assert!(
        refused.body.contains("there are answer, question, title"),
        "{}",
        refused.body
    );
}
