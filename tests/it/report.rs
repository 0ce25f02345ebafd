//! `phocus compare`: what its page says, and what it does in a real browser.

use std::collections::HashMap;
use std::fs;

use crate::fixtures::binary::{fails, json, ok, run, stderr, stdout, text};
use crate::fixtures::chromium::Browser;
use crate::fixtures::runs::sample;
use crate::fixtures::sample::{QRELS, TOPICS};
use serde_json::json;

/// The sections of a page, each of which is well-formed.
fn sections(page: &str) -> Vec<roxmltree::Document<'_>> {
    let starts = page.match_indices("<section").map(|(at, _)| at);
    starts
        .map(|start| {
            let length = page[start..].find("</section>").unwrap() + "</section>".len();
            roxmltree::Document::parse(&page[start..start + length]).unwrap()
        })
        .collect()
}

fn words(node: roxmltree::Node) -> String {
    let texts = node.descendants().filter(roxmltree::Node::is_text);
    texts.filter_map(|node| node.text()).collect()
}

fn escaped(name: &str) -> String {
    name.replace('&', "&amp;").replace('<', "&lt;")
}

#[test]
fn the_table_says_what_eval_says() {
    let sample = sample();
    let (_, page) = sample.compared(&sample.all());
    let [baseline, others @ ..] = &sample.all()[..] else {
        panic!()
    };
    let mut args = vec!["eval", "--qrels", QRELS, "--index", text(&sample.index)];
    args.extend(others);
    args.extend(["--compare", baseline, "--json"]);
    let evaluated = json(&ok(&args));
    let rows: Vec<&str> = page
        .split("<tr>")
        .filter(|row| row.contains("<th><i"))
        .collect();
    for run in evaluated["runs"].as_array().unwrap() {
        let name = escaped(run["run"].as_str().unwrap());
        let row = rows.iter().find(|row| row.contains(&name)).unwrap();
        for key in ["ndcg", "map", "p10", "bpref"] {
            let mean = run["mean"][key].as_f64().unwrap();
            let found = &run["differences"][key];
            let number = |value: &serde_json::Value| value.as_f64().unwrap();
            let (low, high) = (number(&found["interval"][0]), number(&found["interval"][1]));
            let mut told = vec![
                format!("{mean:.4}"),
                format!("{:+.4}", number(&found["difference"])),
                format!("[{low:+.3}, {high:+.3}]"),
            ];
            let p = number(&found["p_randomisation"]);
            told.extend((p >= 0.0001).then(|| format!(", {p:.4}<")));
            let p = number(&found["p_t"]);
            told.extend((p >= 0.0001).then(|| format!("p {p:.4}, ")));
            for told in told {
                assert!(row.contains(&told), "{name} {key}: no {told} in {row}");
            }
        }
    }
    // The best of each measure is in bold, and nothing else is.
    let means = [
        &evaluated["runs"][0],
        &evaluated["runs"][1],
        &evaluated["baseline"],
    ];
    for (at, key) in ["ndcg", "map", "p10", "bpref", "mrr", "judged10"]
        .iter()
        .enumerate()
    {
        let all = means.map(|run| run["mean"][key].as_f64().unwrap());
        let best = all.iter().copied().fold(0.0, f64::max);
        for (run, mean) in means.iter().zip(all) {
            let name = escaped(run["run"].as_str().unwrap());
            let row = rows.iter().find(|row| row.contains(&name)).unwrap();
            let cell = row.split("<td>").nth(at + 1).unwrap();
            let wanted = if mean == best && *key != "judged10" {
                format!("<b>{mean:.4}</b>")
            } else {
                format!("{mean:.4}<")
            };
            assert!(cell.starts_with(&wanted), "{name} {key}: {wanted}, {cell}");
        }
    }
}

#[test]
fn rankings_are_the_runs_with_the_judges_grades() {
    let sample = sample();
    let (_, page) = sample.compared(&[&sample.all()[..], &["--top", "7"]].concat());
    let judged = fs::read_to_string(QRELS).unwrap();
    let mut grades: HashMap<(&str, &str), &str> = HashMap::new();
    for line in judged.lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        grades.insert((fields[0], fields[2]), fields[3]);
    }
    let class = |topic: &str, id: &str| match grades.get(&(topic, id)) {
        Some(&"3") => "high",
        Some(&"2") => "medium",
        Some(&"1") => "low",
        Some(_) => "not",
        None => "unjudged",
    };
    let best = fs::read_to_string(&sample.runs[1]).unwrap();
    let sections = sections(&page);
    assert_eq!(sections.len(), 20);
    for section in &sections {
        let heading = section.descendants().find(|node| node.has_tag_name("h2"));
        let topic = heading.unwrap().text().unwrap().trim();
        let rows: Vec<_> = section
            .descendants()
            .filter(|node| node.has_tag_name("tr"))
            .collect();
        assert_eq!(rows.len(), 4, "{topic}");
        let cells = |row: usize| -> Vec<(String, String)> {
            let cells = rows[row].descendants().filter(|n| n.has_tag_name("li"));
            cells
                .map(|cell| {
                    let id = cell.descendants().find(|node| node.has_tag_name("b"));
                    let id = id.map_or(String::new(), words);
                    (cell.attribute("class").unwrap().to_owned(), id)
                })
                .collect()
        };
        // The ideal ranking never rises.
        let order = ["high", "medium", "low", "not"];
        let ideal: Vec<usize> = cells(0)
            .iter()
            .map(|(class, _)| order.iter().position(|name| name == class).unwrap())
            .collect();
        assert!(ideal.is_sorted() && ideal.len() == 7, "{topic} {ideal:?}");
        // The sample's visual ids are its runs' formulas' own: found through the index.
        let shown = cells(2);
        assert_eq!(shown.len(), 7, "{topic}");
        let first = best
            .lines()
            .find(|line| line.split('\t').next() == Some(topic))
            .unwrap();
        let score: f32 = first.split('\t').nth(4).unwrap().parse().unwrap();
        assert!(words(rows[2]).contains(&format!("{score:.4}")), "{topic}");
        for (found, id) in &shown {
            assert_eq!(found, class(topic, id), "{topic} {id}");
        }
        // Each formula is drawn, and its LaTeX told.
        let drawings = rows[2].descendants().filter(|n| n.has_tag_name("use"));
        assert_eq!(drawings.count(), 7);
    }
    let third: Vec<String> = sections
        .iter()
        .take(2)
        .map(|section| words(section.root_element()))
        .collect();
    assert!(third[0].contains("no result"), "{}", third[0]);
    assert!(third[1].contains("not in the index") && third[1].contains("nowhere<i>"));
}

#[test]
fn a_page_is_the_same_each_time_and_asks_nothing_of_others() {
    let sample = sample();
    let (_, once) = sample.compared(&sample.all());
    let (_, again) = sample.compared(&sample.all());
    assert!(once == again);
    for asking in ["http:", "https:", "src=", "@import", "url(", "<link"] {
        assert!(!once.contains(asking), "{asking}");
    }
    assert!(once.len() < 1_000_000, "{}", once.len());
}

/// Everything is against the baseline that was chosen: the bars, and what each topic says.
#[test]
fn differences_are_to_the_baseline() {
    let sample = sample();
    let [papers, best, _] = &sample.all()[..] else {
        panic!()
    };
    let measured = sample.average_precisions(&[papers, best]);
    let (_, page) = sample.compared(&[papers, "--baseline", best]);
    assert!(page.contains("2 runs on 20 topics"));
    let figure = page.split("<figure data-measure=\"map\"").nth(1).unwrap();
    let figure = figure.split("</figure>").next().unwrap();
    let svg = roxmltree::Document::parse(&figure[figure.find("<svg").unwrap()..]).unwrap();
    let bars: Vec<_> = svg
        .descendants()
        .filter(|node| node.has_tag_name("rect"))
        .collect();
    let number = |node: &roxmltree::Node, name: &str| -> f64 {
        node.attribute(name).unwrap().parse().unwrap()
    };
    // Where nothing differs is the middle of the axis.
    let zero = svg
        .descendants()
        .find(|node| node.attribute("class") == Some("zero"));
    let zero = zero.unwrap().attribute("d").unwrap();
    let zero: f64 = zero.split([' ', 'H']).nth(1).unwrap().parse().unwrap();
    let mut differing = 0;
    for (section, bar) in sections(&page).iter().zip(&bars) {
        let heading = section.descendants().find(|node| node.has_tag_name("h2"));
        let topic = heading.unwrap().text().unwrap().trim().to_owned();
        let of = |run: &str| measured[&(run.to_owned(), topic.clone())];
        let difference = of("xy7o4.tsv") - of("best.tsv");
        let told = format!("MAP' {:.3} {difference:+.3}", of("xy7o4.tsv"));
        assert!(
            words(section.root_element()).contains(&told),
            "{topic}: {told}"
        );
        let (top, height) = (number(bar, "y"), number(bar, "height"));
        assert_eq!(bar.attribute("class"), Some("r1"));
        if difference.abs() > 0.02 {
            // Up is better.
            let end = if difference > 0.0 { top + height } else { top };
            assert!(
                (end - zero).abs() < 0.2,
                "{topic} {difference} {top} {height} {zero}"
            );
            differing += 1;
        }
    }
    assert!(differing > 2 && bars.len() == 20, "{differing}");
    // The table has the baseline first, and no difference of its own.
    let first = page.split("<tr>").nth(2).unwrap();
    assert!(first.contains("best.tsv") && first.contains("baseline") && !first.contains("p "));
}

#[test]
fn other_runs_and_what_is_wrong() {
    let sample = sample();
    let [papers, best, _] = &sample.all()[..] else {
        panic!()
    };
    // A run by another path is the same run; one alone has nothing to be compared with.
    let roundabout = sample.runs[1].with_file_name("./best.tsv");
    let (_, alone) = sample.compared(&[best, "--baseline", text(&roundabout)]);
    assert!(!alone.contains("<figure") && alone.contains("1 run on 20 topics"));
    // TREC's runs have visual ids.
    let trec = sample.folder.path().join("trec.txt");
    ok(&[
        "run",
        text(&sample.index),
        "--topics",
        TOPICS,
        "--format",
        "trec",
        "-o",
        text(&trec),
    ]);
    let (_, page) = sample.compared(&[best, text(&trec)]);
    let row = |name: &str| page.split("<tr>").find(|row| row.contains(name)).unwrap();
    let means = |row: &str| -> Vec<String> {
        let cells = row.split("<td>").skip(1);
        cells
            .map(|cell| cell.trim_start_matches("<b>")[..6].to_owned())
            .collect()
    };
    assert_eq!(means(row("trec.txt")), means(row("best.tsv")));
    assert!(!page.contains("class=\"doubt\""));
    // What may be wrong with runs is said on the page, and when it is made.
    let output = run(&[&sample.command()[..], &sample.all(), &["-o", "-"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    for said in [stderr(&output), stdout(&output)] {
        assert!(
            said.contains("it has results for 19 of the 20 judged topics"),
            "{said}"
        );
        assert!(said.contains("1 of its "), "{said}");
    }
    // Topics that the file lacks are shown without a query, and said.
    let few = sample.folder.path().join("few.tsv");
    fs::write(&few, "B.9999\t\tx\n").unwrap();
    let page = sample.folder.path().join("few.html");
    let args = [
        "compare",
        "--qrels",
        QRELS,
        "--topics",
        text(&few),
        "--index",
        text(&sample.index),
        best,
    ];
    ok(&[&args[..], &["-o", text(&page)]].concat());
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("20 judged topics are not in the topic file"));
    assert!(page.contains("1 topic of the topic file is not judged"));
    let missing = run(&[&args[..], &["nothing.tsv", "-o", "-"]].concat());
    assert_eq!(missing.status.code(), Some(2));
    assert!(stderr(&missing).contains("cannot read nothing.tsv"));
    let over = fails(&[&args[..], &[papers, "-o", papers]].concat());
    assert!(over.contains("is one of the inputs"), "{over}");
}

#[test]
fn topics_are_ordered_and_chosen_in_a_browser() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let sample = sample();
    let (page, _) = sample.compared(&sample.all());
    browser.open(&format!("file://{}", page.display()));
    browser.wait("!$('controls').hidden");
    let shown = "[...document.querySelectorAll('section')].filter((s) => !s.hidden).map((s) => Number(s.dataset.at))";
    let count: Vec<u64> = (0..20).collect();
    assert_eq!(browser.eval(shown), json!(count));
    let choose = |browser: &mut Browser, id: &str, value: &str| {
        browser.eval(&format!(
            "$('{id}').value = '{value}'; $('{id}').dispatchEvent(new Event('input', {{bubbles: true}})); 1"
        ));
    };
    choose(&mut browser, "order", "symbols");
    let order = browser.eval(shown);
    let symbols = browser.eval(&format!("{shown}.map((at) => topics[at].symbols)"));
    let symbols: Vec<u64> = serde_json::from_value(symbols).unwrap();
    assert!(
        symbols.is_sorted() && symbols[0] < symbols[19],
        "{symbols:?}"
    );
    assert_ne!(order, json!(count));
    // The plot's topics stand in the same order.
    let placed = "[...document.querySelectorAll('figure:not([hidden]) .topic')].filter((t) => t.style.display !== 'none')
        .sort((a, b) => a.getBoundingClientRect().left - b.getBoundingClientRect().left).map((t) => Number(t.dataset.at))";
    assert_eq!(browser.eval(placed), order);
    choose(&mut browser, "measure", "map");
    // Each order, by what the topics are.
    for (order, key) in [
        ("loss", "(t) => t.values.map[1] - t.values.map[0]"),
        ("gain", "(t) => t.values.map[0] - t.values.map[1]"),
        (
            "disagreement",
            "(t) => Math.min(...t.values.map) - Math.max(...t.values.map)",
        ),
    ] {
        choose(&mut browser, "order", order);
        let keys = browser.eval(&format!("{shown}.map((at) => topics[at]).map({key})"));
        let keys: Vec<f64> = serde_json::from_value(keys).unwrap();
        assert!(keys.is_sorted() && keys[0] < keys[19], "{order} {keys:?}");
    }
    choose(&mut browser, "run", "2");
    choose(&mut browser, "order", "loss");
    choose(&mut browser, "most", "3");
    assert_eq!(
        browser.eval("document.querySelector('figure:not([hidden])').dataset.measure"),
        "map"
    );
    let chosen = browser.eval(shown);
    assert_eq!(chosen.as_array().unwrap().len(), 3, "{chosen}");
    assert_eq!(browser.eval(placed), chosen);
    // The first topic, which the third run lacks, is lost most, and disagreed on most.
    assert_eq!(chosen[0], 0);
    // Formulas are drawn; nothing was asked for; nothing sticks out, on a phone either.
    assert_eq!(browser.eval("[...document.querySelectorAll('section:not([hidden]) use')].every((u) => u.getBoundingClientRect().width > 2)"), true);
    assert_eq!(
        browser.eval("performance.getEntriesByType('resource').length"),
        0
    );
    for width in [1300, 420] {
        browser.call(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false }),
        );
        let over = browser.eval("document.documentElement.scrollWidth - innerWidth");
        assert!(over.as_i64().unwrap() <= 0, "{over} at {width}");
    }
    // What is jumped to is not under what stays on top.
    browser
        .eval("document.querySelector('section:not([hidden]):last-of-type').scrollIntoView(); 1");
    let under = "$('controls').getBoundingClientRect().bottom - document.querySelector('section:not([hidden]):last-of-type').getBoundingClientRect().top";
    assert!(browser.eval(under).as_f64().unwrap() <= 0.0);
    let printed = browser.call("Page.printToPDF", json!({ "preferCSSPageSize": true }));
    assert!(printed["data"].as_str().unwrap().len() > 10_000);
}
