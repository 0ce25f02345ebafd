//! Building: the same bytes whatever the threads and memory, and nothing half done.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::fixtures::sample::{build_text, sample_folder};
use phocus::corpus::Inputs;
use phocus::index::{Dedup, Index, IndexBuilder, IndexError, Progress, Summary};
use phocus::layout;
use phocus::phoc::{PhocConfig, encode};
use proptest::prelude::*;

fn default_builder<'a>() -> IndexBuilder<'a> {
    IndexBuilder::new(PhocConfig::default())
}

fn build_at(
    inputs: &[PathBuf],
    path: &Path,
    mut builder: IndexBuilder,
) -> Result<Summary, IndexError> {
    builder.add_all(Inputs::new(inputs, None).unwrap())?;
    builder.finish(path)
}

/// So many formulas that at the least memory both what is sorted of them and their postings
/// go to disk.
fn many(folder: &Path) -> PathBuf {
    let mut text = String::from("id\tvisual_id\tpost_id\tlatex\n");
    for n in 0..60_000 {
        let (a, b) = (n % 997, n % 89);
        text += &format!(
            "{n}\t{}\t{}\tx_{{{a}}}+\\frac{{{b}}}{{y^{{{a}}}}}=\\sum_{{i={b}}}^n i\n",
            n % 50_000,
            n / 3
        );
    }
    let path = folder.join("many.tsv");
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn ids_of_several_formulas_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let one = file("1.tsv", "id\tlatex\n1\tx\n2\ty\n10\tz\n");
    // The same formula with the same id is an occurrence; another with it is not.
    let two = file("2.tsv", "id\tlatex\n1\tx\n2\tx+y\n10\tz^2\n3\tb\n");
    let path = folder.path().join("x.phoc");
    let inputs = [one.clone(), two];
    let summary = build_at(&inputs, &path, default_builder()).unwrap();
    assert_eq!((summary.distinct, summary.same_ids), (6, 2));
    let summary = build_at(&[one], &path, default_builder()).unwrap();
    assert_eq!(summary.same_ids, 0);
}

#[test]
fn the_same_bytes_for_any_threads_and_memory() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = [many(folder.path()), sample_folder().join("formulas")];
    let mut built: Vec<Vec<u8>> = Vec::new();
    // What threads and memory change would differ between the two ends.
    for (threads, memory) in [(1, 1 << 30), (5, 32 << 20)] {
        let path = folder.path().join(format!("{threads}.phoc"));
        let builder = default_builder().threads(threads).memory(memory);
        build_at(&inputs, &path, builder).unwrap();
        Index::open(&path).unwrap().verify().unwrap();
        built.push(fs::read(&path).unwrap());
    }
    assert!(built[0] == built[1]);
}

#[test]
fn instances_hang_below_their_formula() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("t.tsv");
    let rows = [
        "id\tpost_id\tthread_id\ttype\tcomment_id\told_visual_id\tvisual_id\tissue\tformula",
        "1\t10\t100\tquestion\t\t\t7\t\tx+y",
        "2\t11\t100\tanswer\t\t\t7\t\tx + y",
        "3\t12\t100\tcomment\t5\t\t7\t\tx+y",
        "4\t13\t100\tanswer\t\t\t8\tdv\tz",
        "5\t14\t101\ttitle\t\t\t9\tv\tx+y",
    ];
    fs::write(&table, rows.join("\n")).unwrap();
    let shapes = [
        (Dedup::Auto, 2),
        (Dedup::VisualId, 2),
        (Dedup::Layout, 1),
        (Dedup::None, 3),
    ];
    for (dedup, distinct) in shapes {
        let path = folder.path().join("t.phoc");
        let builder = default_builder().dedup(dedup);
        let summary = build_at(std::slice::from_ref(&table), &path, builder).unwrap();
        assert_eq!(
            (summary.read, summary.indexed, summary.distinct),
            (5, 3, distinct),
            "{dedup:?}"
        );
        let withheld = BTreeMap::from([("comment", 1), ("deleted (issue d or dv)", 1)]);
        assert_eq!(summary.withheld, withheld);
    }
    let path = folder.path().join("t.phoc");
    build_at(&[table], &path, default_builder()).unwrap();
    let index = Index::open(&path).unwrap();
    let all: Vec<_> = index.all_instances().map(Result::unwrap).collect();
    let ids = |at: usize| all[at].1.iter().map(|i| i.id.as_str()).collect::<Vec<_>>();
    assert_eq!((all[0].0.id.as_str(), ids(0)), ("7", vec!["1", "2"]));
    assert_eq!((all[1].0.id.as_str(), ids(1)), ("9", vec!["5"]));
    assert_eq!(all[0].1[1].post.as_ref().unwrap(), &"11");
}

#[test]
fn every_kind_of_input_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let svg = fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/svg/mathjax-local/010.svg"),
    );
    fs::write(at("1.tsv"), "formula_id\tlatex\nf1\ta+1\n").unwrap();
    fs::write(
        at("2.jsonl"),
        "{\"id\": 17, \"formula\": \"b+1\"}\nnot json\n{\"latex\":\"c+1\"}\n",
    )
    .unwrap();
    fs::write(at("3.txt"), "d+1\n\ne+1\n").unwrap();
    fs::write(at("10.svg"), svg.unwrap()).unwrap();
    fs::write(
        at("11.tsv.zst"),
        zstd::encode_all(&b"id\tlatex\nz\tf+1\n"[..], 3).unwrap(),
    )
    .unwrap();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut gz, b"g+1\n").unwrap();
    fs::write(at("12.txt.gz"), gz.finish().unwrap()).unwrap();
    fs::write(at("ignored.pdf"), "x").unwrap();
    let mut bad = Vec::new();
    let path = folder.path().join("all.phoc");
    let inputs = Inputs::new(&[folder.path().to_path_buf()], None).unwrap();
    let mut builder =
        default_builder().on_reject(|reject| bad.push(reject.place.as_ref().unwrap().to_string()));
    builder.add_all(inputs).unwrap();
    assert_eq!(builder.finish(&path).unwrap().indexed, 8);
    assert_eq!(bad.len(), 1);
    assert!(bad[0].ends_with("2.jsonl:2"), "{bad:?}");
    let index = Index::open(&path).unwrap();
    let mut ids: Vec<_> = index.all_instances().map(|f| f.unwrap().0.id).collect();
    ids.sort();
    assert_eq!(ids, ["10", "12:1", "17", "2:3", "3:1", "3:3", "f1", "z"]);
}

#[test]
fn a_stopped_or_failed_build_leaves_the_old_index_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let input = many(folder.path());
    let path = folder.path().join("t.phoc");
    fs::write(&path, "the old one").unwrap();
    let progress = Arc::new(Progress::default());
    progress.stop.store(true, Ordering::Relaxed);
    let stopped = build_at(&[input], &path, default_builder().progress(progress));
    assert!(matches!(stopped, Err(IndexError::Interrupted)));
    let empty = folder.path().join("empty.txt");
    fs::write(&empty, "\n\n").unwrap();
    let nothing = build_at(&[empty], &path, default_builder());
    assert!(matches!(nothing, Err(IndexError::NoFormulas(_))));
    assert_eq!(fs::read(&path).unwrap(), b"the old one");
    let mut left: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|f| f.unwrap().file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["empty.txt", "many.tsv", "t.phoc"]);
}

#[test]
fn an_output_that_cannot_be_written_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("no/such/folder/t.phoc");
    let error = build_at(
        &[sample_folder().join("formulas")],
        &missing,
        default_builder(),
    );
    let error = error.unwrap_err().to_string();
    assert!(error.contains("t.phoc"), "{error}");
}

/// The words of every formula, gathered back from all postings.
fn words_by_latex(
    index: &Index,
    config: &PhocConfig,
    formulas: &[String],
) -> BTreeMap<String, BTreeMap<String, u128>> {
    let mut found: BTreeMap<String, BTreeMap<String, u128>> = BTreeMap::new();
    let latex: Vec<String> = index.all_instances().map(|f| f.unwrap().0.latex).collect();
    let keys: std::collections::BTreeSet<_> = formulas
        .iter()
        .flat_map(|latex| encode(&layout::latex(latex).unwrap(), config))
        .map(|token| token.key)
        .collect();
    for key in keys {
        let token = index.token(&key).expect("every key is in the index");
        let mut count = 0;
        let mut each = |formula: usize, word: u128| {
            let tokens = found.entry(latex[formula].clone()).or_default();
            assert!(tokens.insert(key.to_string(), word).is_none());
            count += 1;
        };
        index.each_posting(token, &mut each).unwrap();
        assert_eq!(count, index.frequency(token));
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// What is encoded is what the postings hold, formula by formula.
    #[test]
    fn postings_round_trip(formulas in proptest::collection::btree_set("[a-h]([+^=_][a-h1-9]){0,5}", 1..60)) {
        let formulas: Vec<String> = formulas.into_iter().filter(|latex| layout::latex(latex).is_ok()).collect();
        prop_assume!(!formulas.is_empty());
        let folder = tempfile::tempdir().unwrap();
        let config = PhocConfig::default();
        let index = build_text(folder.path(), &formulas, &config, true);
        let found = words_by_latex(&index, &config, &formulas);
        let expected: BTreeMap<String, BTreeMap<String, u128>> = formulas
            .iter()
            .map(|latex| {
                let tokens = encode(&layout::latex(latex).unwrap(), &config);
                (latex.clone(), tokens.into_iter().map(|t| (t.key.to_string(), t.word)).collect())
            })
            .collect();
        prop_assert_eq!(found, expected);
    }
}
