//! Damage: a byte flipped or a file cut anywhere is an error or is found by `verify`.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use crate::fixtures::sample::{build_sample, sample_index};
use phocus::index::{FORMAT_VERSION, Index, IndexError};
use phocus::search::{Request, SearchError, Searcher};

/// What a search gives: scores and entries, or an error.
fn results(path: &Path) -> Result<Vec<(String, String)>, SearchError> {
    let searcher = Searcher::open(path)?;
    let mut found = Vec::new();
    for latex in ["a^2+b^2=c^2", r"\int_0^1 \frac{x}{2} dx"] {
        for hit in searcher
            .search(&Request::latex(latex).idf(true).k(40))?
            .hits
        {
            searcher.index().instances(hit.formula)?;
            found.push((format!("{:.9}", hit.score), hit.id.to_string()));
        }
    }
    Ok(found)
}

#[test]
fn flipped_bytes_never_pass_unnoticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = sample_index("xy7o4");
    let sound = fs::read(&path).unwrap();
    let expected = results(&path).unwrap();
    let damaged = folder.path().join("damaged.phoc");
    let places = (0..sound.len()).filter(|at| *at < 512 || at % (sound.len() / 700) == 0);
    let mut noticed = 0;
    let mut tried = 0;
    for at in places {
        let mut bytes = sound.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&damaged, &bytes).unwrap();
        let outcome = catch_unwind(AssertUnwindSafe(|| results(&damaged)));
        let found = outcome.unwrap_or_else(|_| panic!("a flip at {at} made it panic"));
        let verified = catch_unwind(AssertUnwindSafe(|| {
            Index::open(&damaged).and_then(|i| i.verify())
        }));
        let verified = verified.unwrap_or_else(|_| panic!("a flip at {at} made verify panic"));
        tried += 1;
        match verified {
            Err(error) => {
                let text = error.to_string();
                assert!(text.contains("damaged.phoc"), "{text}");
                noticed += 1;
            }
            Ok(_) => assert_eq!(found.unwrap(), expected, "a flip at {at} changed results"),
        }
    }
    assert!(tried > 1000, "{tried}");
    assert_eq!(noticed, tried, "padding, too, is checked");
}

#[test]
fn cut_files_are_refused_with_both_lengths() {
    let folder = tempfile::tempdir().unwrap();
    let path = build_sample(folder.path(), "xy5").path().to_path_buf();
    let sound = fs::read(&path).unwrap();
    let damaged = folder.path().join("cut.phoc");
    for part in 0..300 {
        let length = sound.len() * part / 300;
        fs::write(&damaged, &sound[..length]).unwrap();
        let error = Index::open(&damaged).expect_err("it is cut").to_string();
        assert!(error.contains("cut.phoc"), "{error}");
        if length > 600 {
            assert!(error.contains(&sound.len().to_string()), "{error}");
            assert!(error.contains(&length.to_string()), "{error}");
        }
    }
    let mut longer = sound.clone();
    longer.push(0);
    fs::write(&damaged, longer).unwrap();
    assert!(matches!(
        Index::open(&damaged),
        Err(IndexError::Length { .. })
    ));
}

#[test]
fn other_files_and_versions_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = build_sample(folder.path(), "xy5").path().to_path_buf();
    let other = folder.path().join("other.phoc");
    fs::write(&other, "id\tlatex\n").unwrap();
    let error = Index::open(&other).unwrap_err().to_string();
    assert!(
        error.contains("is not a phocus index") && error.contains("phocus index"),
        "{error}"
    );
    fs::write(&other, "").unwrap();
    assert!(
        Index::open(&other)
            .unwrap_err()
            .to_string()
            .contains("an empty file")
    );
    let mut bytes = fs::read(&path).unwrap();
    bytes[8] = 99;
    fs::write(&other, bytes).unwrap();
    let error = Index::open(&other).unwrap_err().to_string();
    assert!(
        error.contains("format 99") && error.contains(&format!("reads {FORMAT_VERSION}")),
        "{error}"
    );
    assert!(matches!(
        Index::open(folder.path()),
        Err(IndexError::NotAnIndex { .. })
    ));
}
