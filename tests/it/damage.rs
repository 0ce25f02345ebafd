//! Damage: bytes that are flipped, zeroed or copied from elsewhere, and files that are cut. An
//! answer is that of the sound file, or an error.

use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use crate::fixtures::sample::{build_sample, sample_index, sample_posts};
use phocus::ask::{AskRequest, Question};
use phocus::index::{FORMAT_VERSION, Index, IndexError, section_ranges};
use phocus::search::{Group, MinMatch, Request, SearchError, Searcher};

/// The queries: for all engines, with and without re-ranking, of tokens that are rare, in most
/// formulas or in none.
const QUERIES: [&str; 3] = ["a^2+b^2=c^2", r"\int_0^1 \frac{x}{2} dx", "y_{77}"];

/// The section Entries, in the order of the table.
const ENTRIES: usize = 14;
/// The bytes that have one checksum.
const CHUNK: usize = 1 << 14;

type Answer = Result<String, SearchError>;

/// The question that has an error for an answer wherever a file was changed.
const VERIFY: &str = "verify";

/// A question to an index, which asks for a formula of this id where it asks for one.
type Ask = fn(&Searcher, &str) -> Answer;

/// Everything that answers are made of, each asked of an index that was just opened.
const QUESTIONS: [(&str, Ask); 10] = [
    ("best", |searcher, _| {
        searched(searcher, |request| request.k(10).matched(true))
    }),
    ("IDF", |searcher, _| {
        let half = MinMatch::new(0.5).unwrap();
        searched(searcher, |request| request.idf(true).min_match(half).k(40))
    }),
    ("engines", |searcher, _| {
        let mut text = String::new();
        for part in [0.0, 0.75, 1.0] {
            let min_match = MinMatch::new(part).unwrap();
            for query in QUERIES {
                let request = Request::latex(query).min_match(min_match).rerank(0);
                for strategy in searcher.strategies(&request)? {
                    let request = request.clone().strategy(strategy).threads(1).k(300);
                    text += &format!("{:?}\n", searcher.find_only(&request)?.formulas);
                }
            }
        }
        Ok(text)
    }),
    ("distinct", |searcher, _| {
        searched(searcher, |request| request.distinct(true).from(3).k(30))
    }),
    ("grouped", |searcher, _| {
        searched(searcher, |request| request.group(Group::Renaming).k(5))
    }),
    ("explain", |searcher, id| {
        let explanation = searcher.explain(&Request::latex(QUERIES[0]), id)?;
        Ok(serde_json::to_string(&explanation).unwrap())
    }),
    ("formula", |searcher, id| {
        let index = searcher.index();
        let Some(formula) = index.find(id)? else {
            return Ok("no formula".to_owned());
        };
        let instances = index.instances(formula)?;
        let layout = index.layout(formula)?;
        Ok(format!("{formula:?} {instances:?} {layout:?}"))
    }),
    ("ask", |searcher, _| {
        if searcher.index().texts() == 0 {
            return Ok("no texts".to_owned());
        }
        let mut text = String::new();
        for question in [
            "harmonic series",
            r"proof of $a^2+b^2=c^2$",
            r"$\frac1n$ and $e$",
        ] {
            let request = AskRequest::new(Question::read(question)).k(30).threads(1);
            let mut response = serde_json::to_value(searcher.ask(&request)?).unwrap();
            response["took_ms"].take();
            response["times"].take();
            text += &response.to_string();
        }
        Ok(text)
    }),
    ("info", |searcher, _| {
        let index = searcher.index();
        let frequent = index.most_frequent(12);
        let norms = index.norms().count();
        Ok(format!("{:?} {frequent:?} {norms}", index.meta()))
    }),
    (VERIFY, |searcher, _| {
        Ok(format!("{:?}", searcher.index().verify()?))
    }),
];

/// The answers to the queries, without the time that they took.
fn searched(searcher: &Searcher, how: impl Fn(Request) -> Request) -> Answer {
    let mut text = String::new();
    for query in QUERIES {
        let response = searcher.search(&how(Request::latex(query).threads(1)))?;
        let mut response = serde_json::to_value(&response).unwrap();
        response["took_ms"].take();
        text += &response.to_string();
    }
    Ok(text)
}

/// Numbers that are the same every time (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) as usize % limit.max(1)
    }

    /// A length from 1 to `most`: short ones are as frequent as long ones.
    fn length(&mut self, most: usize) -> usize {
        let limit = 1 << (1 + self.below(most.ilog2() as usize));
        1 + self.below(limit)
    }
}

/// Changes some bytes, in one of three ways, and says where and how.
fn damage(bytes: &mut [u8], number: usize) -> (Range<usize>, &'static str) {
    let mut random = Random(number as u64);
    // Half of the places are anywhere in the file; the others are as many in a small section as in
    // a large one, the header counting as one.
    let mut sections = section_ranges(bytes);
    let first = sections.iter().map(|section| section.start).min().unwrap();
    sections.push(0..first);
    sections.retain(|section| !section.is_empty());
    let within = match number % 2 {
        0 => 0..bytes.len(),
        _ => sections.swap_remove(random.below(sections.len())),
    };
    let at = within.start + random.below(within.len());
    let end = |length: usize| (at + length).min(bytes.len());
    match number / 2 % 3 {
        0 => {
            bytes[at] ^= 1 << random.below(8);
            (at..at + 1, "flip")
        }
        1 => {
            let place = at..end(random.length(1 << 13));
            bytes[place.clone()].fill(0);
            (place, "zero")
        }
        _ => {
            let place = at..end(random.length(1 << 16));
            let from = random.below(bytes.len() - place.len() + 1);
            bytes.copy_within(from..from + place.len(), at);
            (place, "splice")
        }
    }
}

/// How many places were damaged, and what came of it.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
struct Counts {
    places: usize,
    /// The file would not open.
    refused: usize,
    /// Some question but `verify` has an error for an answer.
    errs: usize,
    /// All other answers are those of the sound file.
    equal: usize,
    /// Some answer is another, or `verify` finds nothing.
    wrong: usize,
}

/// Damages the index at `path` at `places`, in a copy, and asks it everything.
fn damaged_at(path: &Path, places: Range<usize>, questions: &[(&str, Ask)]) -> Counts {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("damaged.phoc");
    let sound = fs::read(path).unwrap();
    fs::write(&copy, &sound).unwrap();
    let searcher = Searcher::open(&copy).unwrap();
    let best = searcher.search(&Request::latex(QUERIES[0])).unwrap();
    let id = best.hits[0].id.as_str();
    let ask = |ask: Ask| ask(&Searcher::open(&copy)?, id);
    let expected: Vec<String> = questions.iter().map(|(_, it)| ask(*it).unwrap()).collect();
    let mut file = OpenOptions::new().write(true).open(&copy).unwrap();
    let mut write = |at: usize, bytes: &[u8]| {
        file.seek(SeekFrom::Start(at as u64)).unwrap();
        file.write_all(bytes).unwrap();
    };
    let mut counts = Counts::default();
    let mut bytes = sound.clone();
    for number in places {
        let (place, how) = damage(&mut bytes, number);
        if bytes[place.clone()] == sound[place.clone()] {
            continue;
        }
        write(place.start, &bytes[place.clone()]);
        counts.places += 1;
        let (mut errs, mut wrong) = (0, 0);
        for ((name, question), expected) in questions.iter().zip(&expected) {
            let answer = catch_unwind(AssertUnwindSafe(|| ask(*question)));
            match answer.unwrap_or_else(|_| panic!("{name} panics: {how} {place:?}")) {
                Err(error) => {
                    let error = error.to_string();
                    assert!(error.contains("damaged.phoc"), "{error}");
                    errs += usize::from(*name != VERIFY);
                }
                Ok(answer) if *name == VERIFY || answer != *expected => {
                    println!("wrong: {name}, {how} {place:?}");
                    wrong += 1;
                }
                Ok(_) => {}
            }
        }
        counts.refused += usize::from(Index::open(&copy).is_err());
        counts.errs += usize::from(errs > 0 && wrong == 0);
        counts.equal += usize::from(errs == 0 && wrong == 0);
        counts.wrong += usize::from(wrong > 0);
        write(place.start, &sound[place.clone()]);
        bytes[place.clone()].copy_from_slice(&sound[place]);
    }
    counts
}

/// Whatever happens to a file, an answer is an error or that of the sound file, and `verify` finds
/// it. `PHOCUS_DAMAGE=20000` tries as many places; `PHOCUS_DAMAGE_INDEX=big.phoc` tries them in
/// another index than those of the sample, without `verify`, which would take most of the time.
#[test]
fn no_damage_gives_another_answer() {
    let places = std::env::var("PHOCUS_DAMAGE").map_or(1000, |places| places.parse().unwrap());
    let other = std::env::var_os("PHOCUS_DAMAGE_INDEX").map(PathBuf::from);
    let indexes = match other {
        Some(path) => vec![path],
        None => [sample_index("best"), sample_index("xy7o4"), sample_posts()].to_vec(),
    };
    let is_sample = indexes.len() == 3;
    let questions = &QUESTIONS[..QUESTIONS.len() - usize::from(!is_sample)];
    for path in indexes {
        let half = places / 2;
        let counts = std::thread::scope(|scope| {
            [0..half, half..places]
                .map(|places| scope.spawn(|| damaged_at(&path, places, questions)))
                .map(|thread| thread.join().unwrap())
        });
        let sum = |of: fn(&Counts) -> usize| counts.iter().map(of).sum::<usize>();
        let tried = sum(|counts| counts.places);
        println!(
            "{}: {tried} places: {} errs ({} on opening), {} equal, {} wrong",
            path.display(),
            sum(|counts| counts.errs),
            sum(|counts| counts.refused),
            sum(|counts| counts.equal),
            sum(|counts| counts.wrong)
        );
        assert!(tried > places / 2, "{tried}");
        assert_eq!(sum(|counts| counts.wrong), 0, "see above");
        // Not because all are refused: most damage is met where it is read. In a small file there
        // are few chunks that are not read on opening.
        let is_small = fs::metadata(&path).unwrap().len() < 1 << 18;
        assert!(is_small || sum(|counts| counts.refused) < tried * 3 / 4);
    }
}

/// Damage is found where it is read, its place is named, and it is not forgotten.
#[test]
fn damage_is_named_and_not_forgotten() {
    let mut bytes = fs::read(sample_index("best")).unwrap();
    let entries = section_ranges(&bytes)[ENTRIES].clone();
    let at = entries.start.midpoint(entries.end);
    bytes[at] ^= 4;
    let searcher = Searcher::new(Index::from_bytes(&bytes).unwrap());
    let request = Request::latex(QUERIES[0]).rerank(0).k(4000);
    assert!(searcher.find_only(&request).is_ok(), "it reads no entries");
    let error = searcher.search(&request).unwrap_err().to_string();
    let chunk = format!("bytes {} to ", at / CHUNK * CHUNK);
    for part in [&chunk, "Entries", "checksum", "build it again"] {
        assert!(error.contains(part), "{part}: {error}");
    }
    assert_eq!(searcher.find_only(&request).unwrap_err().to_string(), error);
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
