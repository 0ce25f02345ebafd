//! Stored indexes: what is written today is byte for byte what is stored for the present
//! format, and files of earlier formats are refused by name.
//!
//! Whoever changes the format raises `FORMAT_VERSION` and stores new files, named after it:
//!
//! ```text
//! PHOCUS_RENEW=1 cargo test --test it what_is_written
//! ```
//!
//! Where bytes differ and the format was not meant to change, the fault is in the code.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::sample::build_texts;
use phocus::ask::{AskRequest, Question};
use phocus::corpus::Inputs;
use phocus::index::{FORMAT_VERSION, Index, IndexBuilder};
use phocus::search::{Request, Searcher};

/// The configurations that an index is stored of: with codes, pairs and layouts, and with
/// whole words alone.
const CONFIGS: [&str; 2] = ["best", "xy7o4"];
/// The name of the index that is stored of posts, with their texts.
const TEXTS: &str = "texts";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/index")
}

fn stored(config: &str) -> PathBuf {
    folder().join(format!("v{FORMAT_VERSION}-{config}.phoc"))
}

/// The collection: some formulas with all that a format has a place for, a formula that
/// occurs twice, and so many more that some tokens are in most of them.
fn collection() -> String {
    let mut table = String::from("id\tvisual_id\tpost_id\tlatex\n");
    let formulas = [
        "a^2+b^2=c^2",
        r"\int_{-\infty}^{\infty} e^{-x^2}\,dx=\sqrt{\pi}",
        r"\sum_{n=1}^9 y^n z",
        r"x+x+x=x\cdot x",
        r"\begin{pmatrix}a&b\\c&d\end{pmatrix}",
        r"\left(\frac{1}{1+x}\right)^n\to\mathbb{R}",
        "日+𝔄",
    ];
    for (at, latex) in formulas.iter().enumerate() {
        let _ = writeln!(table, "{at}\t{at}\t{}\t{latex}", 100 + at);
    }
    let _ = writeln!(table, "7\t0\t200\ta^2 + b^2 = c^2");
    for n in 8..1200 {
        let letters = ["x", "y", "z", "a", "b"];
        let (a, b) = (letters[n % 5], letters[n % 3]);
        let _ = match n % 4 {
            0 => writeln!(table, "{n}\t{n}\t{n}\t\\frac{{{a}}}{{{n}}}+{b}"),
            _ => writeln!(table, "{n}\t{n}\t{n}\t{a}_{{{n}}}+{b}^2"),
        };
    }
    table
}

fn written(folder: &Path, config: &str) -> PathBuf {
    let table = folder.join("collection.tsv");
    fs::write(&table, collection()).unwrap();
    let inputs = Inputs::new(&[table], None).unwrap();
    let mut builder = IndexBuilder::new(config.parse().unwrap());
    builder.add_all(inputs).unwrap();
    let path = folder.join(format!("{config}.phoc"));
    builder.finish(&path).unwrap();
    path
}

#[test]
fn what_is_written_is_what_is_stored() {
    let folder = tempfile::tempdir().unwrap();
    let posts = folder.path().join("posts.phoc");
    // Places name the file as it is given.
    let given = PathBuf::from("data-sample/posts.xml");
    build_texts(&posts, &[given]);
    let written = CONFIGS.map(|config| (config, written(folder.path(), config)));
    for (config, path) in written.into_iter().chain([(TEXTS, posts)]) {
        let bytes = fs::read(path).unwrap();
        let stored = stored(config);
        if std::env::var_os("PHOCUS_RENEW").is_some() {
            fs::write(&stored, &bytes).unwrap();
        }
        let expected = fs::read(&stored).unwrap_or_else(|error| {
            panic!(
                "{}: {error}; store it with PHOCUS_RENEW=1",
                stored.display()
            )
        });
        let differs = bytes.iter().zip(&expected).position(|(a, b)| a != b);
        let lengths = (bytes.len(), expected.len());
        assert!(
            bytes == expected,
            "{config}: lengths {lengths:?}, first difference at byte {differs:?}; see the top \
             of this file"
        );
    }
}

#[test]
fn indexes_of_this_format_open_and_find() {
    for config in CONFIGS {
        let searcher = Searcher::open(stored(config)).unwrap();
        searcher.index().verify().unwrap();
        let found = searcher.search(&Request::latex("a^2+b^2=c^2")).unwrap();
        let best = &found.hits[0];
        assert_eq!(best.latex, "a^2+b^2=c^2");
        let instances = searcher.index().instances(best.formula).unwrap();
        assert_eq!(instances.len(), 2);
    }
}

#[test]
fn texts_of_this_format_are_found() {
    let searcher = Searcher::open(stored(TEXTS)).unwrap();
    searcher.index().verify().unwrap();
    let question = Question::read("harmonic series");
    let found = searcher.ask(&AskRequest::new(question)).unwrap();
    assert_eq!(found.hits[0].question.as_deref(), Some("1"));
}

/// An index of an earlier format is refused by name, with what to do.
#[test]
fn earlier_formats_are_refused() {
    let mut refused = 0;
    for file in fs::read_dir(folder()).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let version = name.split(['v', '-']).nth(1).unwrap();
        if version.parse::<u32>().unwrap() < FORMAT_VERSION {
            let error = Index::open(&path).unwrap_err().to_string();
            let told = format!("has index format {version}");
            assert!(error.contains(&told), "{error}");
            assert!(error.contains("build it again"), "{error}");
            refused += 1;
        }
    }
    assert!(refused >= 4, "{refused}");
}
