//! Real data, where it is at hand: ../shared/data beside the project.

use crate::fixtures::required::real_data;
use crate::fixtures::sample::build_text;
use phocus::corpus::{Inputs, read_topics};
use phocus::index::IndexBuilder;
use phocus::layout;
use phocus::phoc::PhocConfig;
use phocus::search::{MinMatch, Request, Searcher};

#[test]
fn the_judged_pool_lays_out_and_scans_as_the_reference() {
    let (Some(pool), Some(topics)) = (
        real_data("arqmath2020/formulas.tsv"),
        real_data("arqmath2020/topics.tsv"),
    ) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pool.phoc");
    let inputs = Inputs::new(&[pool], None).unwrap();
    let mut builder = IndexBuilder::new(PhocConfig::default());
    builder.add_all(inputs).unwrap();
    let built = builder.finish(&path).unwrap();
    let part = built.indexed as f64 / built.read as f64;
    assert!(part > 0.99, "{part}");
    let searcher = Searcher::open(&path).unwrap();
    searcher.index().verify().unwrap();
    for topic in read_topics(&topics).unwrap() {
        let layout = layout::latex(&topic.latex).unwrap();
        for (part, idf) in [(0.0, false), (0.0, true), (0.5, false), (1.0, true)] {
            let request = Request::layout(layout.clone())
                .min_match(MinMatch::new(part).unwrap())
                .idf(idf)
                .rerank(0)
                .k(1000);
            let expected = searcher.reference(&request).unwrap();
            let found = searcher.find_only(&request).unwrap().formulas;
            assert_eq!(found, expected, "{}", topic.number);
            let seven = searcher.find_only(&request.k(7)).unwrap().formulas;
            assert_eq!(seven, expected[..expected.len().min(7)]);
        }
    }
}

#[test]
fn real_formulas_lay_out_and_every_topic_does() {
    let Some(formulas) = real_data("formulas.tsv.zst") else {
        return;
    };
    let inputs = Inputs::new(&[formulas], None).unwrap();
    let latex: Vec<String> = inputs
        .map(|read| read.unwrap().unwrap().content.latex().to_owned())
        .step_by(67)
        .collect();
    let laid_out = latex
        .iter()
        .filter(|latex| layout::latex(latex).is_ok())
        .count();
    let part = laid_out as f64 / latex.len() as f64;
    println!(
        "{laid_out} of {} lay out: {:.3}%",
        latex.len(),
        100.0 * part
    );
    assert!(latex.len() > 20_000 && part > 0.995, "{part}");
    let folder = tempfile::tempdir().unwrap();
    let lines: Vec<String> = latex
        .iter()
        .map(|latex| latex.replace(['\n', '\r'], " "))
        .collect();
    let index = build_text(folder.path(), &lines, &PhocConfig::default(), false);
    let searcher = Searcher::new(index);
    for year in [2020, 2021, 2022] {
        let Some(topics) = real_data(&format!("topics/topics.arqmath-{year}-task2-origin.xml"))
        else {
            return;
        };
        for topic in read_topics(&topics).unwrap() {
            let layout =
                layout::latex(&topic.latex).unwrap_or_else(|e| panic!("{}: {e}", topic.number));
            let request = Request::layout(layout).idf(false).rerank(0).k(100);
            let expected = searcher.reference(&request).unwrap();
            let found = searcher.find_only(&request).unwrap().formulas;
            assert_eq!(found, expected, "{}", topic.number);
        }
    }
}
