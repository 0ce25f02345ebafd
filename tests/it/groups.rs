//! Formulas that a reader takes for one are one result.

use std::collections::HashMap;
use std::fs;

use phocus::corpus::Record;
use phocus::index::{Dedup, IndexBuilder};
use phocus::phoc::PhocConfig;
use phocus::search::internals::group_key;
use phocus::search::{Group, Hit, Request, Searcher};

use crate::fixtures::binary::{json, ok, text};
use crate::fixtures::sample::{build_text, open_sample, sample_formulas};
use crate::fixtures::server::Server;

const GROUPS: [Group; 2] = [Group::Writing, Group::Renaming];

/// The numbers of the formulas of each group of a whole ranking, put together one by one.
fn naive(searcher: &Searcher, request: &Request) -> Vec<Vec<usize>> {
    let everything = request.clone().from(0).k(searcher.index().formulas());
    let all = searcher.search(&everything.group(Group::None)).unwrap();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut known = HashMap::new();
    for hit in all.hits {
        let layout = searcher.index().layout(hit.formula).unwrap();
        let next = groups.len();
        let at = *known
            .entry(group_key(&layout, request.group))
            .or_insert(next);
        if at == next {
            groups.push(Vec::new());
        }
        groups[at].push(hit.formula);
    }
    groups
}

/// Pages of groups are those of the naive grouping, and so are their others as far as they go.
fn check(searcher: &Searcher, request: &Request, pages: &[(usize, usize)]) {
    let expected = naive(searcher, request);
    for (from, k) in pages {
        let paged = request.clone().from(*from).k(*k);
        let response = searcher.search(&paged).unwrap();
        let wanted: Vec<_> = expected.iter().skip(*from).take(*k).collect();
        assert_eq!(response.hits.len(), wanted.len(), "{paged:?}");
        for ((hit, group), rank) in response.hits.iter().zip(wanted).zip(from + 1..) {
            let members: Vec<usize> = others(hit).collect();
            let mut shown: Vec<usize> = std::iter::once(hit.formula).chain(others(hit)).collect();
            let mut best = group[..=members.len()].to_vec();
            shown.sort_unstable();
            best.sort_unstable();
            assert_eq!(shown, best, "{paged:?}");
            // Whoever stands for the group is as good as its best member.
            let order = |hit: &Hit| (hit.likeness, hit.score);
            assert!(hit.others.iter().all(|other| order(other) <= order(hit)));
            assert!(hit.others_count < group.len() && members.len() == hit.others_count.min(20));
            assert!(hit.others_count == group.len() - 1 || !response.found.exact);
            assert!(hit.rank == rank && hit.others.iter().all(|other| other.rank == rank));
        }
    }
}

fn others(hit: &Hit) -> impl Iterator<Item = usize> {
    hit.others.iter().map(|other| other.formula)
}

#[test]
fn groups_are_those_of_the_whole_ranking() {
    // Pages that end before, at and after the depths to which results are re-ranked and grouped.
    let pages = [
        (0, 10),
        (10, 10),
        (7, 300),
        (290, 60),
        (1000, 700),
        (100_000, 5),
    ];
    for config in ["best", "xy7o4"] {
        let searcher = Searcher::new(open_sample(config));
        for latex in sample_formulas().iter().step_by(907) {
            for group in GROUPS {
                let request = Request::latex(latex).group(group).matched(false);
                check(&searcher, &request.clone().rerank(40), &pages);
                check(&searcher, &request.rerank(0), &pages[1..3]);
            }
        }
    }
}

/// Twelve ways of writing each of many formulas: the first hundreds are a few groups, so that
/// the ranking must be cut deeper than results are otherwise looked for.
#[test]
fn a_page_is_filled_however_often_a_formula_is_written() {
    let ends = ["", ",", ".", ";", r"\,.", r"\quad,"];
    let mut formulas = Vec::new();
    for at in 0..60 {
        let (letter, number) = (char::from(b'a' + at % 20), at / 20 + 2);
        for style in ["", r"\textstyle ", r"\large ", r"\; "] {
            let ways = ends.map(|end| format!("{style}{letter}^{number}+y_{number}={letter}{end}"));
            formulas.extend(ways);
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let config: PhocConfig = "best".parse().unwrap();
    let searcher = Searcher::new(build_text(folder.path(), &formulas, &config, true));
    let request = |group| Request::latex("x^2+y_2=x").group(group).matched(false);
    for group in GROUPS {
        check(
            &searcher,
            &request(group),
            &[(0, 10), (10, 25), (35, 40), (2, 1)],
        );
    }
    let hits = |group| searcher.search(&request(group).k(100)).unwrap().hits;
    assert_eq!(hits(Group::Writing).len(), 60);
    assert!(
        hits(Group::Writing)
            .iter()
            .all(|hit| hit.others_count == 23)
    );
    assert_eq!(hits(Group::Renaming).len(), 3);
    let ungrouped = hits(Group::None);
    assert!(
        ungrouped
            .iter()
            .all(|hit| hit.others.is_empty() && hit.others_count == 0)
    );
}

#[test]
fn the_program_and_the_server_group() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("list.txt");
    let formulas = "a^2+b^2=c^2,\na^2+b^2=c^2\n\\textstyle a^2 + b^2=c^2.\nx^2+y^2=z^2\nx+y\n";
    fs::write(&list, formulas).unwrap();
    let index = folder.path().join("list.phoc");
    ok(&["index", text(&list), "--dedup", "none", "-o", text(&index)]);
    let search = |more: &[&str]| ok(&[&["search", text(&index), "a^2+b^2=c^2"], more].concat());
    let lines = |found: &str| found.lines().count();
    assert_eq!(lines(&search(&[])), 6);
    let grouped = search(&["--group"]);
    assert!(
        grouped.contains("  and 2 ways of writing it: "),
        "{grouped}"
    );
    assert_eq!(grouped, search(&["--group=writing"]));
    assert_eq!(lines(&grouped), 5);
    let renamed = search(&["--group=renaming", "-k", "1"]);
    assert!(
        renamed.contains("  and 3 equal to it after renaming: "),
        "{renamed}"
    );
    assert_eq!(search(&["--group=none"]), search(&[]));

    let server = Server::start(&[text(&index), "--quiet"]);
    let found = |path: &str, group: &[(&str, &str)]| {
        let parameters = [&[("q", "a^2+b^2=c^2")], group].concat();
        server.get(path, &parameters)
    };
    let writing = found("/api/search", &[("group", "writing")]).json();
    let first = &writing["hits"][0];
    assert_eq!(writing["group"], "writing");
    assert_eq!(first["others_count"], 2);
    assert_eq!(first["others"].as_array().unwrap().len(), 2);
    assert!(
        first["others"][0]["latex"]
            .as_str()
            .unwrap()
            .contains("c^2")
    );
    assert_eq!(writing["hits"].as_array().unwrap().len(), 3);
    let same = json(&search(&["--group", "--json"]));
    assert_eq!(same["hits"].as_array().map(Vec::len), Some(3));
    let plain = found("/api/search", &[]).json();
    assert_eq!(plain["hits"].as_array().unwrap().len(), 5);
    assert!(plain["hits"][0].get("others").is_none());
    let completed = found("/api/complete", &[("group", "renaming")]).json();
    assert_eq!(
        completed["hits"][0]["others_count"], 2,
        "all symbols must match"
    );
    let refused = found("/api/search", &[("group", "some")]);
    assert_eq!(refused.status, 400);
    assert!(
        refused.body.contains("expected none, writing or renaming"),
        "{}",
        refused.body
    );
}

/// Of ways of writing that are as good, the query's own stands for the group, else the one that
/// occurs most often.
#[test]
fn the_usual_way_of_writing_stands_for_its_group() {
    let folder = tempfile::tempdir().unwrap();
    let list = ["x^2+y^2,", "x^2+y^2", "x^2+y^2", "x^2 + y^2."].map(str::to_owned);
    let index = build_text(folder.path(), &list, &PhocConfig::default(), false);
    let searcher = Searcher::new(index);
    for (query, stands) in [
        ("x^2+y^2", "x^2+y^2"),
        ("x^2+y^2,", "x^2+y^2,"),
        ("{x}^2+y^2", "x^2+y^2"),
    ] {
        let request = Request::latex(query).group(Group::Writing);
        let response = searcher.search(&request).unwrap();
        assert_eq!(response.hits.len(), 1);
        let hit = &response.hits[0];
        assert_eq!(
            (hit.latex.as_str(), hit.others.len()),
            (stands, 2),
            "{query}"
        );
        assert!(!hit.matched.is_empty());
    }
}

#[test]
fn more_results_than_formulas_are_no_error() {
    let searcher = Searcher::new(open_sample("best"));
    let request = Request::latex("x").group(Group::Writing);
    let hits = |k| searcher.search(&request.clone().k(k)).unwrap().hits.len();
    assert_eq!(hits(0), 0);
    assert!(hits(usize::MAX) > 100);
}

/// Where layouts are not kept, formulas are laid out anew; a drawing cannot be.
#[test]
fn drawings_without_layouts_are_results_of_their_own() {
    let drawing = |y: u8| {
        let glyph = r#"<path data-c="1D465" d="M0 0H500V500H0z"/>"#;
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 999 999">{glyph}
            <g transform="translate(600,{y}00)">{glyph}</g></svg>"#
        )
    };
    let mut builder = IndexBuilder::new("xy7o4".parse().unwrap()).dedup(Dedup::None);
    for at in 0..4 {
        let id = format!("drawn-{at}").parse().unwrap();
        builder.add(Record::svg(id, drawing(at % 2))).unwrap();
        let id = format!("written-{at}").parse().unwrap();
        builder
            .add(Record::latex(id, ["xx", "xx,"][at as usize % 2]))
            .unwrap();
    }
    let searcher = Searcher::new(builder.finish_in_memory().unwrap());
    let request = Request::latex("xx").group(Group::Writing).rerank(0);
    let hits = searcher.search(&request).unwrap().hits;
    assert_eq!(hits.len(), 5);
    let counts = hits.iter().map(|hit| hit.others_count);
    assert_eq!(counts.sum::<usize>(), 3);
}
