//! A file that is replaced, removed, written to or cut while its index is open.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::fixtures::sample::sample_index;
use phocus::index::{FileState, Index, IndexError, survive_cut_files};
use phocus::search::{Request, SearchError, Searcher};

const QUERY: &str = "a^2+b^2=c^2";

fn copied(folder: &Path) -> PathBuf {
    let path = folder.join("formulas.phoc");
    fs::copy(sample_index("best"), &path).unwrap();
    path
}

/// What is found, with the entries of what is found.
fn found(searcher: &Searcher) -> Result<Vec<(String, String)>, SearchError> {
    let response = searcher.search(&Request::latex(QUERY).k(100))?;
    let hits = response.hits.into_iter();
    Ok(hits.map(|hit| (hit.id.to_string(), hit.latex)).collect())
}

/// Writes to the last bytes of a file in place.
fn write_in_place(path: &Path) {
    let length = fs::metadata(path).unwrap().len();
    let mut bytes = fs::read(path).unwrap();
    bytes[length as usize - 9..].fill(7);
    let mut file = OpenOptions::new().write(true).open(path).unwrap();
    file.write_all(&bytes).unwrap();
}

#[test]
fn an_index_that_is_replaced_or_removed_answers_as_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = copied(folder.path());
    let searcher = Searcher::open(&path).unwrap();
    let expected = found(&searcher).unwrap();
    assert_eq!(searcher.index().file_state(), FileState::Same);
    fs::remove_file(&path).unwrap();
    assert_eq!(searcher.index().file_state(), FileState::Missing);
    assert_eq!(found(&searcher).unwrap(), expected);
    let other = folder.path().join("other");
    fs::copy(sample_index("xy7o4"), &other).unwrap();
    fs::rename(&other, &path).unwrap();
    assert_eq!(searcher.index().file_state(), FileState::Replaced);
    assert_eq!(found(&searcher).unwrap(), expected);
}

#[test]
fn a_file_that_is_written_to_gives_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let path = copied(folder.path());
    let searcher = Searcher::open(&path).unwrap();
    found(&searcher).unwrap();
    write_in_place(&path);
    assert_eq!(searcher.index().file_state(), FileState::Changed);
    let error = found(&searcher).unwrap_err();
    let is_changed = |error: &IndexError| matches!(error, IndexError::Changed { .. });
    assert!(matches!(&error, SearchError::Index(error) if is_changed(error)));
    let request = Request::latex(QUERY);
    assert!(searcher.explain(&request, "1").is_err());
    assert!(searcher.find_only(&request).is_err());
    let index = searcher.index();
    assert!(is_changed(&index.entries(&[0]).unwrap_err()));
    assert!(is_changed(&index.instances(0).unwrap_err()));
    assert!(is_changed(&index.verify().unwrap_err()));
}

#[test]
fn an_index_in_memory_is_immune() {
    let folder = tempfile::tempdir().unwrap();
    let path = copied(folder.path());
    let searcher = Searcher::new(Index::open_in_memory(&path).unwrap());
    let expected = found(&searcher).unwrap();
    assert_eq!(searcher.index().file_state(), FileState::Same);
    write_in_place(&path);
    assert_eq!(searcher.index().file_state(), FileState::Replaced);
    File::create(&path).unwrap();
    assert_eq!(found(&searcher).unwrap(), expected);
    fs::remove_file(&path).unwrap();
    assert_eq!(searcher.index().file_state(), FileState::Missing);
    assert_eq!(found(&searcher).unwrap(), expected);
}

/// Runs one of the tests below that are marked as ignored in a process of its own, and
/// gives how it ended.
#[cfg(unix)]
fn child(test: &str) -> std::process::Output {
    let test = format!("changed::{test}");
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", &test, "--ignored", "--nocapture"]);
    command.output().unwrap()
}

#[cfg(unix)]
#[test]
fn a_cut_file_does_not_end_the_process() {
    let output = child("searches_while_the_file_is_cut");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert!(text.contains("sound answers, then errors"), "{text}");
}

/// Threads search while the file is cut: each answer is that of the sound file, or an error.
#[cfg(unix)]
#[test]
#[ignore = "a process of its own runs it"]
fn searches_while_the_file_is_cut() {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    survive_cut_files().unwrap();
    for part in [0, 1, 3, 7] {
        let folder = tempfile::tempdir().unwrap();
        let path = copied(folder.path());
        let searcher = Searcher::open(&path).unwrap();
        let expected = found(&searcher).unwrap();
        let (sound, errors) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while errors.load(Relaxed) < 50 {
                        match found(&searcher) {
                            Ok(found) => {
                                assert_eq!(found, expected);
                                sound.fetch_add(1, Relaxed);
                            }
                            Err(_) => _ = errors.fetch_add(1, Relaxed),
                        }
                    }
                });
            }
            crate::fixtures::wait::until("an answer", || sound.load(Relaxed) > 2);
            let length = fs::metadata(&path).unwrap().len();
            let file = OpenOptions::new().write(true).open(&path).unwrap();
            file.set_len(length / 8 * part).unwrap();
            // As long as before, and zeros where it was cut.
            crate::fixtures::wait::until("an error", || errors.load(Relaxed) > 2);
            file.set_len(length).unwrap();
        });
        assert_eq!(searcher.index().file_state(), FileState::Changed);
    }
    println!("sound answers, then errors");
}

/// A fault that is none of an index's still ends the process, as it did.
#[cfg(unix)]
#[test]
fn other_faults_are_left_to_others() {
    use std::os::unix::process::ExitStatusExt;
    let output = child("another_map_is_cut");
    assert_eq!(output.status.signal(), Some(libc::SIGBUS), "{output:?}");
}

#[cfg(unix)]
#[test]
#[ignore = "a process of its own runs it, and dies"]
fn another_map_is_cut() {
    survive_cut_files().unwrap();
    let _index = Searcher::open(sample_index("best")).unwrap();
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&[1; 9999]).unwrap();
    #[allow(unsafe_code)]
    // SAFETY: that reading it ends the process is what is tested.
    let map = unsafe { memmap2::Mmap::map(&file).unwrap() };
    file.set_len(0).unwrap();
    assert_eq!(std::hint::black_box(&map)[5000], 0);
}
