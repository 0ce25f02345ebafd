//! Search through the public interface: every route gives the reference's results.

use std::collections::BTreeSet;

use phocus::layout;
use phocus::phoc::{Idf, PhocConfig, encode};
use phocus::search::{Level, MinMatch, OrderedBy, Request, SearchStats, Searcher};

use crate::fixtures::sample::{build_sample, build_text, open_sample, sample_formulas};

const PARTS: [f64; 5] = [0.0, 0.3, 0.5, 0.75, 1.0];
const KS: [usize; 5] = [1, 3, 10, 200, 100_000];

/// A request by every engine that can answer it, for every kind of processor that this one
/// can be, on one thread, and on three where there are windows to share between them.
fn every_way(searcher: &Searcher, request: &Request) -> Vec<Request> {
    let mut ways = Vec::new();
    for strategy in searcher.strategies(request).unwrap() {
        for level in Level::available() {
            for threads in [1, 3].into_iter().take(searcher.index().windows()) {
                let way = request.clone().strategy(strategy);
                ways.push(way.level(level).threads(threads));
            }
        }
    }
    ways
}

/// Checks every (engine, processor, threads, k, threshold, IDF) for some
/// queries: how many there were, and what all of these searches looked at.
fn check(searcher: &Searcher, queries: &[String]) -> (usize, SearchStats) {
    let mut stats = SearchStats::default();
    let own = searcher.index().meta().config.idf;
    let regions = Some(Idf::Region).filter(|idf| *idf == own);
    let mut cases = 0;
    for latex in queries {
        let Ok(layout) = layout::latex(latex) else {
            continue;
        };
        for part in PARTS {
            for idf in [Idf::Off, Idf::Token].into_iter().chain(regions) {
                let request = Request::layout(layout.clone())
                    .min_match(MinMatch::new(part).unwrap())
                    .idf(idf)
                    .rerank(0);
                let all = request.clone().k(100_000_000);
                let expected = searcher.reference(&all).unwrap();
                for k in KS {
                    let request = request.clone().k(k);
                    let wanted = &expected[..k.min(expected.len())];
                    let found = searcher.find_only(&request).unwrap().formulas;
                    assert_eq!(found, wanted, "{latex} k {k} part {part} idf {idf}");
                    for way in every_way(searcher, &request) {
                        let found = searcher.find_only(&way).unwrap();
                        let plan = &found.plan;
                        assert_eq!(found.formulas, wanted, "{latex} {part} {idf} {plan:?}");
                        stats += found.stats;
                        cases += 1;
                    }
                }
            }
        }
    }
    (cases, stats)
}

#[test]
fn every_engine_is_the_reference_on_the_sample() {
    let queries: Vec<String> = sample_formulas().into_iter().step_by(59).collect();
    for config in ["xy7o4", "best", "o4", "xy10"] {
        let searcher = Searcher::new(open_sample(config));
        let (cases, _) = check(&searcher, &queries);
        assert!(cases > 5_000, "{config}: {cases}");
    }
}

/// Every weight at once: by kind, level, token and region, and a cap.
const WEIGHTED: &str = r#"
    tokens = { symbol = { repeats = 2 }, pair = { weight = 1.7, positional = false }, class = { weight = 0.3 }, varpair = { repeats = 3 } }
    idf = "region"
    levels = [0.5, 1, 2, 0.25]
    cap = 9
    norm_power = 0.4
    fold = true
    numbers = "expand"
    names = "whole"
"#;

#[test]
fn every_engine_is_the_reference_with_every_weight() {
    let folder = tempfile::tempdir().unwrap();
    let queries: Vec<String> = sample_formulas().into_iter().step_by(223).collect();
    for regions in ["xy4o3", "xy10"] {
        let file = folder.path().join("weighted.toml");
        let text = format!("name = 'weighted'\nregions = '{regions}'\n{WEIGHTED}");
        std::fs::write(&file, text).unwrap();
        let searcher = Searcher::new(build_sample(folder.path(), file.to_str().unwrap()));
        let (cases, _) = check(&searcher, &queries);
        assert!(cases > 2_000, "{regions}: {cases}");
        searcher.index().verify().unwrap();
        assert!(explained(&searcher, &queries) > 200);
    }
}

/// Many formulas of few letters: ties everywhere, norms that repeat, and several windows.
///
/// The formulas most like a query are in one window, since windows go by norm. With four
/// windows, of which one is sampled, fewer formulas than are wanted can then reach the
/// threshold that the sample gives, and the search is made once more without it. With three
/// windows or fewer that could not happen.
#[test]
fn every_engine_is_the_reference_across_windows_and_ties() {
    let letters = [
        "a",
        "b",
        "c",
        "+",
        "=",
        "1",
        "\\frac{a}{b}",
        "x^2",
        "\\sqrt{a}",
    ];
    let mut state = 7u64;
    let mut next = |below: usize| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    let formulas: Vec<String> = (0..100_000)
        .map(|_| {
            (0..=next(5))
                .map(|_| letters[next(letters.len())])
                .collect()
        })
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let config: PhocConfig = "xy3".parse().unwrap();
    let searcher = Searcher::new(build_text(folder.path(), &formulas, &config, true));
    let queries: Vec<String> = formulas.iter().step_by(20_000).cloned().collect();
    let (cases, stats) = check(&searcher, &queries);
    assert_eq!(searcher.index().windows(), 4);
    assert!(cases > 2_000, "{cases}");
    // Both happen: a sample gives a threshold, and it is too high.
    assert!(
        stats.sampled_searches > stats.repeated_searches,
        "{stats:?}"
    );
    assert!(stats.repeated_searches > 0, "{stats:?}");
}

/// Takes scores apart, and checks that the parts sum to them: how many there were.
fn explained(searcher: &Searcher, queries: &[String]) -> usize {
    let mut pairs = 0;
    for latex in queries {
        for idf in [Idf::Off, Idf::Token, searcher.index().meta().config.idf] {
            // In `best` the first 40 are re-ranked, and the 20 after them are not.
            let rerank = searcher.index().meta().config.rerank.min(40);
            let request = Request::latex(latex).idf(idf).k(60).rerank(rerank);
            let request = request.matched(false);
            for hit in searcher.search(&request).unwrap().hits {
                let apart = searcher.explain(&request, hit.id.as_str()).unwrap();
                let tokens: f64 = apart.tokens.iter().map(|token| token.contribution).sum();
                let levels: f64 = apart.levels.iter().map(|level| level.contribution).sum();
                for sum in [apart.score, tokens, levels] {
                    assert!(
                        (sum - hit.score).abs() <= 1e-9 * hit.score.max(1.0),
                        "{latex}: {sum} {}",
                        hit.score
                    );
                }
                if let Some(likeness) = hit.likeness {
                    assert_eq!(apart.likeness.unwrap().sum(), likeness, "{latex}");
                }
                // The number by which the hit stands where it stands, to the last bit.
                let order = (apart.order.by, apart.order.value);
                let expected = match hit.likeness {
                    Some(likeness) => (OrderedBy::Likeness, likeness),
                    None => (OrderedBy::Score, hit.score),
                };
                assert_eq!(order, expected, "{latex}: {}", hit.id);
                pairs += 1;
            }
        }
    }
    pairs
}

#[test]
fn scores_taken_apart_sum_to_themselves() {
    let queries: Vec<String> = sample_formulas().into_iter().step_by(61).collect();
    for config in ["best", "xy7o4", "o4r4", "xy10"] {
        let searcher = Searcher::new(open_sample(config));
        let pairs = explained(&searcher, &queries);
        assert!(pairs > 1000, "{pairs}");
    }
}

#[test]
fn scores_are_those_of_the_definition() {
    let folder = tempfile::tempdir().unwrap();
    let config: PhocConfig = "x2".parse().unwrap();
    // Three regions. In `a\qquad b` a is whole and left, b whole and right: norm 4.
    let formulas = [r"a\qquad b", r"b\qquad a", "c"].map(str::to_owned);
    let searcher = Searcher::new(build_text(folder.path(), &formulas, &config, false));
    let hits = |latex: &str, idf: bool| {
        searcher
            .search(&Request::latex(latex).idf(idf))
            .unwrap()
            .hits
    };
    let scores: Vec<(String, f64)> = hits(&formulas[0], false)
        .into_iter()
        .map(|hit| (hit.latex, hit.score))
        .collect();
    assert_eq!(
        scores,
        [
            (formulas[0].clone(), 4.0 / 2.0),
            (formulas[1].clone(), 2.0 / 2.0)
        ]
    );
    // With IDF each of a and b counts ln(3 / 3) = 0: found all the same.
    let scores: Vec<f64> = hits("ab", true).iter().map(|hit| hit.score).collect();
    assert_eq!(scores, [0.0, 0.0]);
    // c is in one of three: ln(3 / 2), and its three regions are all its norm.
    let score = hits("c", true)[0].score;
    assert!(
        (score - 1.5f64.ln() * 3.0 / 3f64.sqrt()).abs() < 1e-6,
        "{score}"
    );
}

#[test]
fn unknown_symbols_count_towards_the_minimum() {
    let folder = tempfile::tempdir().unwrap();
    let index = build_text(folder.path(), &["a+b".into()], &PhocConfig::papers(), false);
    let searcher = Searcher::new(index);
    let found = |latex: &str, part: f64| {
        let request = Request::latex(latex).min_match(MinMatch::new(part).unwrap());
        searcher.search(&request).unwrap().hits.len()
    };
    assert_eq!(found("a+b", 1.0), 1);
    assert_eq!(found("a+b+Q", 1.0), 0, "no formula holds Q");
    assert_eq!(found("a+b+Q", 0.75), 1, "three of four");
    assert_eq!(found("Q", 0.0), 0);
}

/// One request has one answer, whatever the number of threads; and what is
/// matched is what the hit's own layout holds.
#[test]
fn one_request_has_one_answer() {
    let searcher = Searcher::new(open_sample("best"));
    for latex in sample_formulas().iter().step_by(97) {
        let request = Request::latex(latex).k(30);
        let Ok(one) = searcher.search(&request.clone().threads(1)) else {
            continue;
        };
        for threads in [0, 2, 3] {
            let other = searcher.search(&request.clone().threads(threads)).unwrap();
            assert_eq!(other.hits, one.hits, "{latex} on {threads} threads");
        }
        let all = searcher.search_all(&[request.clone(), request.clone()], 2);
        for response in all {
            assert_eq!(response.unwrap().hits, one.hits, "{latex}");
        }
        let config = &searcher.index().meta().config;
        let keys = |latex: &str| -> BTreeSet<String> {
            let tokens = encode(&layout::latex(latex).unwrap(), config).into_iter();
            tokens
                .filter(|token| token.key.is_symbol())
                .map(|token| token.key.to_string())
                .collect()
        };
        for hit in &one.hits {
            let matched: BTreeSet<String> = hit.matched.iter().map(|m| m.symbol.clone()).collect();
            let shared: BTreeSet<String> = keys(latex)
                .intersection(&keys(&hit.latex))
                .cloned()
                .collect();
            assert_eq!(matched, shared, "{latex} and {}", hit.latex);
            assert!(hit.matched.iter().all(|matched| !matched.boxes.is_empty()));
        }
    }
}

/// How a query was read: cleaned, repaired, and without the commands that nobody knows.
#[test]
fn the_response_says_how_the_query_was_read() {
    let searcher = Searcher::new(open_sample("best"));
    let read = |latex: &str| {
        let response = searcher.search(&Request::latex(latex)).unwrap();
        (response.read_as, response.unknown_commands)
    };
    let none: Vec<String> = Vec::new();
    assert_eq!(read("x^2"), ("x^2".to_owned(), none.clone()));
    assert_eq!(read(r"\frac{x}{2").1, none);
    let (latex, unknown) = read(r"\frac{a}{\nobody+\nobody");
    assert_eq!(unknown, [r"\nobody"]);
    assert!(latex.contains(r"\text{nobody}"), "{latex}");
}
