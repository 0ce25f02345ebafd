//! Results page by page: one page continues the other, and what is known of their number.

use phocus::search::{Found, Group, Hit, MinMatch, Request, Searcher};

use crate::fixtures::binary::{finds_nothing, json, ok, text};
use crate::fixtures::sample::{open_sample, sample_formulas, sample_index};
use crate::fixtures::server::Server;

/// The hits of a request up to a rank, page by page.
fn by_page(searcher: &Searcher, request: &Request, page: usize, last: usize) -> Vec<Hit> {
    let pages = (0..last).step_by(page).map(|from| {
        let k = page.min(last - from);
        searcher
            .search(&request.clone().from(from).k(k))
            .unwrap()
            .hits
    });
    pages.flatten().collect()
}

/// Pages end before, at and after the depth to which results are re-ranked.
#[test]
fn one_page_continues_the_other() {
    for config in ["best", "xy7o4"] {
        let searcher = Searcher::new(open_sample(config));
        for latex in sample_formulas().iter().step_by(311) {
            for rerank in [0, 40] {
                for distinct in [false, true] {
                    let request = Request::latex(latex).rerank(rerank).distinct(distinct);
                    let request = request.matched(false);
                    let all = searcher.search(&request.clone().k(120)).unwrap().hits;
                    assert_eq!(all.len(), 120, "{latex}");
                    assert!(all.iter().map(|hit| hit.rank).eq(1..=120));
                    for page in [7, 40, 60] {
                        let pages = by_page(&searcher, &request, page, 120);
                        assert!(pages == all, "{latex}: pages of {page}, {rerank} re-ranked");
                    }
                }
            }
        }
    }
}

#[test]
fn the_number_of_results_is_exact_or_a_lower_bound() {
    let searcher = Searcher::new(open_sample("best"));
    let found = |latex: &str, from: usize, k: usize| {
        let request = Request::latex(latex).min_match(MinMatch::ALL);
        let response = searcher.search(&request.from(from).k(k)).unwrap();
        (response.found, response.hits.len())
    };
    let all = searcher
        .reference(
            &Request::latex(r"\int x\,dx")
                .min_match(MinMatch::ALL)
                .k(100_000),
        )
        .unwrap()
        .len();
    assert!(all > 20 && all < 300, "{all}");
    let (exact, hits) = found(r"\int x\,dx", 0, 10);
    assert_eq!((exact.count, exact.exact, hits), (all, true, 10));
    // A page after the last has no hits, and still says how many there are.
    let (Found { count, exact, .. }, hits) = found(r"\int x\,dx", 1000, 10);
    assert_eq!((count, exact, hits), (all, true, 0));
    let (whole, hits) = found("x", usize::MAX, usize::MAX);
    assert!(whole.exact && whole.count > 300 && hits == 0);
    // One symbol: all that hold it match, though no more are ranked than are re-ranked.
    let (Found { count, exact, .. }, _) = found("x", 0, 10);
    assert_eq!((count, exact), (whole.count, false));
    let none = searcher.search(&Request::latex("日")).unwrap().found;
    assert_eq!((none.count, none.exact), (0, true));
}

/// Where any symbol will do, far more formulas match than are looked for: what is told of their
/// number is still true, and near it.
#[test]
fn where_any_symbol_will_do_the_number_is_that_of_the_most_frequent() {
    for config in ["best", "xy7o4"] {
        let searcher = Searcher::new(open_sample(config));
        let all = searcher.index().formulas();
        for latex in ["x", "x+y", r"\int x\,dx", r"\frac{a}{b}", r"\beth+x"] {
            let reference = searcher.reference(&Request::latex(latex).k(all));
            let matching = reference.unwrap().len();
            for group in [Group::None, Group::Writing] {
                let request = Request::latex(latex).group(group).rerank(300);
                let told = searcher.search(&request).unwrap().found;
                assert!(
                    told.count > 300 && told.count <= matching && 4 * told.count > matching,
                    "{latex}: {told:?} of {matching}"
                );
                assert!(!told.exact, "{latex}: {told:?}");
            }
            // It says nothing of how many visual ids match, or of how many pass a filter.
            let request = Request::latex(latex).distinct(true).k(10).rerank(0);
            assert!(searcher.search(&request).unwrap().found.count < 100);
        }
    }
}

#[test]
fn the_program_and_the_server_have_pages() {
    let index = sample_index("best");
    let ids = |found: &serde_json::Value| -> Vec<String> {
        let hits = found["hits"].as_array().unwrap().iter();
        hits.map(|hit| hit["id"].as_str().unwrap().to_owned())
            .collect()
    };
    let search = |from: &str, k: &str| {
        let args = ["search", text(&index), "x^2", "--json", "--from", from];
        json(&ok(&[&args[..], &["-k", k]].concat()))
    };
    let all = ids(&search("0", "20"));
    let second = search("10", "10");
    assert_eq!(ids(&second), all[10..]);
    assert_eq!(second["hits"][0]["rank"], 11);
    assert_eq!(second["from"], 10);
    let far = ["search", text(&index), r"\int x\,dx", "--from", "5000"];
    let far = finds_nothing(&[&far[..], &["--min-match", "100%"]].concat());
    assert!(far.contains("No further formula: "), "{far}");

    let server = Server::start(&[text(&index), "--quiet", "--max-k", "20"]);
    let get = |from: &str| {
        let parameters = [("q", "x^2"), ("k", "10"), ("from", from)];
        server.get("/api/search", &parameters)
    };
    let request = Request::latex("x^2").rerank(20);
    let searcher = Searcher::new(open_sample("best"));
    let hits = searcher.search(&request.from(10)).unwrap().hits;
    let expected: Vec<String> = hits.iter().map(|hit| hit.id.to_string()).collect();
    let second = get("10").json();
    assert_eq!(ids(&second), expected);
    assert_eq!(second["found"]["exact"], false);
    assert_eq!(second["from"], 10);
    // The last page ends where the limit is, and there is none after it.
    let last = get("15").json();
    assert_eq!(ids(&last), expected[5..]);
    let refused = get("20");
    assert_eq!(refused.status, 400);
    assert!(refused.body.contains("from 0 to 19"), "{}", refused.body);
    assert_eq!(get("18446744073709551615").status, 400);
}
