//! A damaged index answers as the sound one or with an error, and is found out by `verify`; where
//! its checksums have been made right, everything that reads it gives a result or an error, and
//! never panics.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use phocus::index::{Index, reseal, section_ranges};
use phocus::layout::{self, Layout};
use phocus::phoc::encode;
use phocus::search::{MinMatch, Request, Searcher};

static SOUND: LazyLock<Vec<u8>> = LazyLock::new(|| {
    std::fs::read(phocus_fuzz::stored_index()).expect("the stored index is there")
});

static QUERY: LazyLock<Layout> =
    LazyLock::new(|| layout::latex("a^2+b^2=c^2").expect("it can be laid out"));

/// What the sound index answers.
static EXPECTED: LazyLock<Option<String>> = LazyLock::new(|| {
    shown(&Searcher::new(Index::from_bytes(&SOUND).expect("it is sound")))
});

/// Some bytes of a section, changed; or of the header and the table, which stand for
/// section 0.
#[derive(Debug, Arbitrary)]
struct Change {
    section: u8,
    at: u32,
    value: Value,
}

#[derive(Debug, Arbitrary)]
enum Value {
    Flip(u8),
    Byte(u8),
    Word(u32),
    Long(u64),
}

#[derive(Debug, Arbitrary)]
struct Damage {
    /// One in eight files is cut, at `cut`.
    cuts: u8,
    cut: u32,
    /// Length and checksums of three in four files are then made right.
    reseal: u8,
    /// One in four files is read from end to end, which takes most of the time.
    walks: u8,
    min_match: u8,
    k: u8,
    changes: Vec<Change>,
}

fuzz_target!(|damage: Damage| {
    let mut bytes = SOUND.clone();
    let sections = section_ranges(&SOUND);
    let first = sections.iter().map(|section| section.start).min();
    for Change { section, at, value } in &damage.changes {
        let section = match usize::from(*section) % (sections.len() + 1) {
            0 => 0..first.unwrap_or(0),
            number => sections[number - 1].clone(),
        };
        if !section.is_empty() {
            let at = *at as usize % section.len();
            change(&mut bytes[section][at..], value);
        }
    }
    if damage.cuts % 8 == 7 {
        bytes.truncate(damage.cut as usize % SOUND.len());
    }
    let is_resealed = damage.reseal % 4 != 3;
    if is_resealed {
        reseal(&mut bytes);
    }
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), &bytes).expect("it can be written");
    let Ok(searcher) = Searcher::open(file.path()) else {
        return;
    };
    let index = searcher.index();
    search_all(&searcher, &damage);
    if damage.walks % 4 == 0 {
        walk(index);
    }
    if !is_resealed {
        let found = Searcher::open(file.path()).ok().and_then(|again| shown(&again));
        assert!(found.is_none() || found == *EXPECTED, "another answer");
        if index.verify().is_ok() {
            assert!(bytes == *SOUND, "verify passed a damaged file");
        }
    }
});

fn change(bytes: &mut [u8], value: &Value) {
    let mut write = |value: &[u8]| {
        for (byte, value) in bytes.iter_mut().zip(value) {
            *byte = *value;
        }
    };
    match value {
        Value::Flip(bit) => bytes[0] ^= 1 << (bit % 8),
        Value::Byte(value) => write(&[*value]),
        Value::Word(value) => write(&value.to_le_bytes()),
        Value::Long(value) => write(&value.to_le_bytes()),
    }
}

/// What an index answers, if it does.
fn shown(searcher: &Searcher) -> Option<String> {
    let request = Request::layout(QUERY.clone()).threads(1).matched(true);
    Some(format!("{:?}", searcher.search(&request).ok()?.hits))
}

/// Searches in every way there is, and reads what is found.
fn search_all(searcher: &Searcher, damage: &Damage) {
    let parts = [0.0, 0.5, 1.0];
    let part = parts[usize::from(damage.min_match) % parts.len()];
    let request = Request::layout(QUERY.clone())
        .min_match(MinMatch::new(part).expect("it is from 0 to 1"))
        .idf(damage.k % 2 == 0)
        .k(usize::from(damage.k))
        .threads(1);
    let _ = searcher.search(&request.clone().rerank(20));
    let _ = searcher.search(&request.clone().rerank(0).distinct(true));
    let _ = searcher.explain(&request, "7");
    let _ = searcher.reference(&request);
    let index = searcher.index();
    for (formula, _) in searcher
        .find_only(&request.rerank(0))
        .map_or(vec![], |found| found.formulas)
    {
        let _ = index.entry(formula);
        let _ = index.instances(formula);
        let _ = index.layout(formula);
    }
    for token in encode(&QUERY, &index.meta().config) {
        if let Some(token) = index.token(&token.key) {
            let _ = index.frequency(token);
            let _ = index.each_posting(token, &mut |_, _| {});
        }
    }
}

/// Reads everything.
fn walk(index: &Index) {
    let _ = index.most_frequent(10);
    let _ = index.section_sizes();
    let _ = index.norms().count();
    let _ = index.all_instances().filter(Result::is_ok).count();
    let _ = index.verify();
}
