//! Outputs of every verb: what they replace, what they never replace, and where they go.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tempfile::TempDir;

use crate::fixtures::binary::{fails, ok, phocus, run, stderr, text};

/// A text that phocus did not write.
const PAPER: &str = "\\documentclass{article}\nthe work of a year\n";

/// The formulas, and the first topics, of the files that verbs are given.
const FORMULAS: &str =
    "id\tlatex\n1\ta^2+b^2=c^2\n2\t\\frac{a}{b}+1\n3\t\\def\\x{\\x}\\x\n4\tb^2\n";
const TOPICS: &str = "T.1\t\ta^2+b^2\nT.2\t\t\\frac{a}{b}\n";
const QRELS: &str = "T.1\t0\t1\t3\nT.1\t0\t2\t0\nT.2\t0\t2\t2\nT.2\t0\t4\t0\n";

/// A verb that writes a file: its arguments up to the file's name, and its inputs.
struct Writer {
    name: &'static str,
    arguments: Vec<String>,
    /// Where its output goes.
    output: PathBuf,
    inputs: Vec<PathBuf>,
    /// Whether phocus knows its own file again.
    is_marked: bool,
}

impl Writer {
    /// The arguments to write to this path.
    fn to<'a>(&'a self, path: &'a Path) -> Vec<&'a str> {
        let given = self.arguments.iter().map(String::as_str);
        given.chain([text(path)]).collect()
    }
}

/// A folder with small inputs, and every verb that writes a file.
fn writers() -> (TempDir, Vec<Writer>) {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("formulas.tsv"), FORMULAS).unwrap();
    fs::write(at("topics.tsv"), TOPICS).unwrap();
    fs::write(at("qrels.tsv"), QRELS).unwrap();
    let config = fs::read_to_string("phoc-configs/best.toml").unwrap();
    fs::write(at("mine.toml"), config).unwrap();
    let index = at("formulas.phoc");
    let (formulas, topics) = (at("formulas.tsv"), at("topics.tsv"));
    ok(&["index", text(&formulas), "-o", text(&index)]);
    let run_of = |name: &str| {
        let path = at(name);
        let args = ["run", text(&index), "--topics", text(&topics)];
        ok(&[&args[..], &["-o", text(&path)]].concat());
    };
    run_of("a.tsv");
    run_of("b.tsv");
    let writer = |name, line: &str, output: &str, inputs: &[&str], is_marked| Writer {
        name,
        // A word that is the name of an input is the path of that input.
        arguments: (line.split_whitespace())
            .map(|word| {
                if at(word).exists() {
                    at(word).display().to_string()
                } else {
                    word.into()
                }
            })
            .collect(),
        output: at(output),
        inputs: inputs.iter().map(|name| at(name)).collect(),
        is_marked,
    };
    let writers = vec![
        writer(
            "index",
            "index formulas.tsv --config mine.toml -o",
            "x.phoc",
            &["formulas.tsv", "mine.toml"],
            true,
        ),
        writer(
            "rejects",
            "index formulas.tsv -o formulas.phoc --rejects",
            "r.tsv",
            &["formulas.tsv"],
            true,
        ),
        writer(
            "run",
            "run formulas.phoc --topics topics.tsv --run-id mine -o",
            "run.tsv",
            &["formulas.phoc", "topics.tsv"],
            true,
        ),
        writer(
            "compare",
            "compare --qrels qrels.tsv --topics topics.tsv --index formulas.phoc a.tsv b.tsv -o",
            "page.html",
            &["qrels.tsv", "topics.tsv", "formulas.phoc", "a.tsv", "b.tsv"],
            true,
        ),
        writer(
            "fuse",
            "fuse a.tsv b.tsv -o",
            "fused.tsv",
            &["a.tsv", "b.tsv"],
            true,
        ),
        writer(
            "tune",
            "tune formulas.phoc --topics topics.tsv --qrels qrels.tsv --config mine.toml --folds 2 -o",
            "tuned.toml",
            &["formulas.phoc", "topics.tsv", "qrels.tsv", "mine.toml"],
            true,
        ),
        writer(
            "bench",
            "bench formulas.phoc --topics topics.tsv --qrels qrels.tsv --repeat 1 --plot",
            "plot.svg",
            &["formulas.phoc", "topics.tsv", "qrels.tsv"],
            true,
        ),
        writer("show", "show x^2 --config mine.toml -o", "x.svg", &[], true),
        writer("show png", "show x^2 -o", "x.png", &[], true),
        writer(
            "synth",
            "synth --from formulas.tsv --formulas 2 -o",
            "list.tsv",
            &["formulas.tsv"],
            false,
        ),
    ];
    (folder, writers)
}

/// A file that phocus did not write stays as it is, unless `--force` is given; its own file, and
/// an empty one, is replaced.
#[test]
fn only_what_phocus_wrote_is_replaced() {
    let (folder, writers) = writers();
    for writer in &writers {
        let output = &writer.output;
        let to = writer.to(output);
        fs::write(output, PAPER).unwrap();
        let message = fails(&to);
        assert!(message.contains("is there already"), "{message}");
        assert!(message.contains("--force"), "{message}");
        assert_eq!(
            fs::read_to_string(output).unwrap(),
            PAPER,
            "{}",
            writer.name
        );
        ok(&[&to[..], &["--force"]].concat());
        let written = fs::read(output).unwrap();
        assert_ne!(written, PAPER.as_bytes(), "{}", writer.name);
        if writer.is_marked {
            ok(&to);
        } else {
            assert!(fails(&to).contains("is there already"));
        }
        fs::write(output, "").unwrap();
        ok(&to);
        assert!(fs::metadata(output).unwrap().len() > 0, "{}", writer.name);
    }
    // What one verb wrote is not what another one writes.
    for writer in &writers {
        for other in writers.iter().filter(|other| {
            other.name != writer.name && !["show", "show png"].contains(&other.name)
        }) {
            let both_are_runs = ["run", "fuse"].contains(&writer.name);
            if both_are_runs && ["run", "fuse"].contains(&other.name) {
                continue;
            }
            let kept = fs::read(&writer.output).unwrap();
            let told = fails(&other.to(&writer.output));
            assert!(told.contains("is there already"), "{} {told}", other.name);
            assert!(fs::read(&writer.output).unwrap() == kept);
        }
    }
    drop(folder);
}

/// An input is never replaced, by whatever name it is called, not even with `--force`.
#[cfg(unix)]
#[test]
fn no_output_replaces_an_input() {
    let (folder, writers) = writers();
    let at = |name: &str| folder.path().join(name);
    let (symbolic, hard) = (at("symbolic"), at("hard"));
    for writer in &writers {
        for input in &writer.inputs {
            std::os::unix::fs::symlink(input, &symbolic).unwrap();
            fs::hard_link(input, &hard).unwrap();
            let name = input.file_name().unwrap().to_str().unwrap();
            let roundabout = folder.path().join(".").join(name);
            let before = fs::read(input).unwrap();
            for path in [input, &roundabout, &symbolic, &hard] {
                for more in [&[][..], &["--force"]] {
                    let told = fails(&[&writer.to(path)[..], more].concat());
                    let what = format!("{} over {}: {told}", writer.name, path.display());
                    assert!(told.contains("is one of the inputs"), "{what}");
                    assert!(fs::read(input).unwrap() == before, "{what}");
                }
            }
            assert!(symbolic.is_symlink());
            fs::remove_file(&symbolic).unwrap();
            fs::remove_file(&hard).unwrap();
        }
    }
    // A file of a folder that is read, standard input, and the other output.
    let index = |more: &[&str]| fails(&[&["index", text(folder.path()), "-o"][..], more].concat());
    let told = index(&[text(&at("a.tsv")), "--force"]);
    assert!(told.contains("is one of the inputs"), "{told}");
    let formulas = at("formulas.tsv");
    let output = phocus()
        .args(["index", "-", "--force", "-o", text(&formulas)])
        .stdin(fs::File::open(&formulas).unwrap())
        .output()
        .unwrap();
    assert!(
        stderr(&output).contains("(standard input)"),
        "{}",
        stderr(&output)
    );
    assert_eq!(fs::read_to_string(&formulas).unwrap(), FORMULAS);
    let new = at("new.phoc");
    let both = [
        "index",
        text(&formulas),
        "-o",
        text(&new),
        "--rejects",
        text(&new),
    ];
    assert!(fails(&both).contains("are one file"));
}

/// What cannot be written is refused before the work: standard input, which never ends, is not
/// waited for, and no topic is searched.
#[test]
fn what_cannot_be_written_is_refused_before_the_work() {
    let (folder, writers) = writers();
    let missing = folder.path().join("none").join("x.svg");
    let sub = folder.path().join("sub.svg");
    fs::create_dir(&sub).unwrap();
    for writer in writers.iter().filter(|writer| writer.name != "show png") {
        let told = fails(&writer.to(&missing));
        assert!(
            told.contains("there is no folder"),
            "{}: {told}",
            writer.name
        );
        let told = fails(&writer.to(&sub));
        assert!(told.contains("it is a folder"), "{}: {told}", writer.name);
        let told = fails(&writer.to(&folder.path().join("none.svg/")));
        assert!(told.contains("svg"), "{}: {told}", writer.name);
        // Nothing was searched or timed, and nothing said of it.
        assert_eq!(told.lines().count(), 1, "{}: {told}", writer.name);
    }
    let mut child = phocus()
        .args(["index", "-", "-o", text(&missing)])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let stdin = child.stdin.take();
    assert_eq!(child.wait().unwrap().code(), Some(2));
    drop(stdin);
    // A read-only file is protected, also from those who may do everything.
    let run = &writers[2];
    ok(&run.to(&run.output));
    let mut permissions = fs::metadata(&run.output).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&run.output, permissions).unwrap();
    assert!(fails(&run.to(&run.output)).contains("it is read-only"));
    ok(&[&run.to(&run.output)[..], &["--force"]].concat());
}

/// A symbolic link is followed: what it leads to is replaced or made, and the link stays.
#[cfg(unix)]
#[test]
fn links_are_followed() {
    let (folder, writers) = writers();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("elsewhere")).unwrap();
    let link = at("link.svg");
    std::os::unix::fs::symlink("elsewhere/target.svg", &link).unwrap();
    for writer in writers.iter().filter(|writer| writer.name != "show png") {
        ok(&writer.to(&link));
        let target = at("elsewhere/target.svg");
        assert!(link.is_symlink(), "{}", writer.name);
        assert!(fs::metadata(&target).unwrap().len() > 0, "{}", writer.name);
        fs::write(&target, PAPER).unwrap();
        assert!(fails(&writer.to(&link)).contains("is there already"));
        assert_eq!(fs::read_to_string(&target).unwrap(), PAPER);
        fs::remove_file(&target).unwrap();
    }
}

/// Standard output is written to under each of its names, also where it is a file, and the
/// report does not get between.
#[cfg(unix)]
#[test]
fn special_files_are_written_to_directly() {
    let (folder, writers) = writers();
    let find = |name: &str| writers.iter().find(|writer| writer.name == name).unwrap();
    for name in ["run", "fuse", "compare", "synth", "tune"] {
        let writer = find(name);
        let expected = writer.output.clone();
        ok(&writer.to(&expected));
        let expected = fs::read(&expected).unwrap();
        for path in ["-", "/dev/stdout", "/dev/fd/1"] {
            let output = run(&writer.to(Path::new(path)));
            assert!(output.status.success(), "{name}: {}", stderr(&output));
            assert!(output.stdout == expected, "{name} to {path}");
            let redirected = folder.path().join("redirected");
            let mut file = fs::File::create(&redirected).unwrap();
            file.write_all(b"before ").unwrap();
            let status = phocus()
                .args(writer.to(Path::new(path)))
                .stdout(file)
                .stderr(Stdio::null())
                .status();
            assert!(status.unwrap().success(), "{name} to {path}");
            let written = fs::read(&redirected).unwrap();
            assert!(
                written == [b"before ", &expected[..]].concat(),
                "{name} to {path}"
            );
        }
        ok(&writer.to(Path::new("/dev/null")));
        assert!(!Path::new("/dev/null").is_file());
    }
    let index = find("index");
    for path in ["-", "/dev/stdout", "/dev/null"] {
        let told = fails(&index.to(Path::new(path)));
        assert!(told.contains("is not a plain file"), "{told}");
    }
}

/// Neither the manual pages nor the demo replace what they did not write.
#[test]
fn folders_of_outputs_replace_nothing_of_others() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let man = ["man", text(folder.path())];
    ok(&man);
    ok(&man);
    fs::write(at("phocus-search.1"), PAPER).unwrap();
    fs::remove_file(at("phocus.1")).unwrap();
    assert!(fails(&man).contains("phocus-search.1 is there already"));
    assert!(
        !at("phocus.1").exists(),
        "none is written where one cannot be"
    );
    ok(&[&man[..], &["--force"]].concat());
    assert_ne!(fs::read_to_string(at("phocus-search.1")).unwrap(), PAPER);
    fs::write(at("topics.xml"), PAPER).unwrap();
    let demo = ["demo", text(folder.path())];
    assert!(fails(&demo).contains("topics.xml is there already"));
    assert_eq!(fs::read_to_string(at("topics.xml")).unwrap(), PAPER);
    assert!(!at("formulas").exists(), "nothing is unpacked");
    fs::write(at("topics.xml"), "").unwrap();
    fs::write(at("run.tsv"), PAPER).unwrap();
    let told = run(&demo);
    assert_eq!(told.status.code(), Some(2));
    assert!(stderr(&told).contains("run.tsv is there already"));
    assert_eq!(fs::read_to_string(at("run.tsv")).unwrap(), PAPER);
    assert!(!at("formulas").exists(), "nothing is unpacked");
}
