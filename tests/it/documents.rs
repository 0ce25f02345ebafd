//! Documents: `phocus formulas` and `phocus grep` find the formulas of what people write.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::fixtures::binary::{fails, json, ok, phocus, run, stderr, stdout, text};
use crate::fixtures::server::Server;

/// A folder of notes of several kinds.
fn notes() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    };
    write(
        "thesis/main.tex",
        "\\input{macros}\\begin{document}\\include{heat}\\end{document}",
    );
    write("thesis/macros.tex", "\\newcommand{\\R}{\\mathbb{R}}");
    write(
        "thesis/heat.tex",
        "\\section{Heat}\nLet $u\\in\\R^2$ be the heat. \\input{../../secret}\\input{heat}",
    );
    write(
        "week.md",
        "# Week\n\nPythagoras: $x^2+y^2=z^2$, for $5 and $10.\n",
    );
    write(
        "page.html",
        "<p>So \\(a^2+b^2=c^2\\).</p><pre>\\(code\\)</pre>",
    );
    write(".hidden.md", "$h$");
    write("data.bin", "$b$");
    folder
}

fn places(path: &Path, options: &[&str]) -> Vec<(String, String)> {
    let all = [&["formulas", text(path)], options].concat();
    let name = |place: &str| place.rsplit('/').next().unwrap().to_owned();
    let listed = ok(&all);
    let rows = listed.lines().map(|line| line.split_once('\t').unwrap());
    rows.map(|(place, latex)| (name(place), latex.to_owned()))
        .collect()
}

fn pair(place: &str, latex: &str) -> (String, String) {
    (place.to_owned(), latex.to_owned())
}

#[test]
fn formulas_of_a_folder_have_their_places_and_macros() {
    let folder = notes();
    assert_eq!(
        places(folder.path(), &[]),
        [
            pair("page.html:1:7", "a^2+b^2=c^2"),
            pair("heat.tex:2:5", r"u\in\mathbb{R}^2"),
            pair("week.md:3:13", "x^2+y^2=z^2"),
        ]
    );
    let hidden = places(folder.path(), &["--hidden", "--glob", "*.md"]);
    assert_eq!(hidden[0], pair(".hidden.md:1:1", "h"));
    assert_eq!(hidden.len(), 2);
    let listed = ok(&["formulas", text(&folder.path().join("thesis")), "--json"]);
    let listed: Value = serde_json::from_str(listed.lines().next().unwrap()).unwrap();
    assert_eq!(listed["section"], "Heat");
    assert_eq!(listed["line"], 2);
    assert_eq!(listed["sentence"], r"Let $u\in\mathbb{R}^2$ be the heat.");
}

#[test]
fn formulas_like_one_are_found_without_an_index() {
    let folder = notes();
    let found = ok(&["grep", "a^2+b^2=c^2", text(folder.path())]);
    let lines: Vec<&str> = found.lines().collect();
    assert_eq!(lines.len(), 2, "{found}");
    assert!(lines[0].starts_with("1.00 ") && lines[0].contains("page.html:1:7"));
    assert!(lines[1].contains("week.md:3:13\tx^2+y^2=z^2"), "{found}");
    let counted = ok(&["grep", "-c", "a^2+b^2=c^2", text(folder.path())]);
    assert_eq!(counted.lines().count(), 2);
    assert!(
        counted.lines().all(|line| line.ends_with(":1")),
        "{counted}"
    );
    let exact = [
        "grep",
        "-l",
        "--min-match",
        "100%",
        "x^2+y^2=z^2",
        text(folder.path()),
    ];
    assert_eq!(ok(&exact).lines().count(), 1);
    let none = run(&["grep", r"\int_0^1 f", text(folder.path())]);
    assert_eq!(none.status.code(), Some(1));
    assert_eq!(run(&["grep", "x", "no-such-folder"]).status.code(), Some(2));
}

/// What is hostile ends soon and is told; the rest of the file is read.
#[test]
fn hostile_documents_are_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bomb.tex");
    fs::write(&path, r"\def\a{\a\a}$\a$ \def\b{\b}$\b$ $x$").unwrap();
    let read = run(&["formulas", text(&path)]);
    let told = String::from_utf8(read.stderr).unwrap();
    assert!(told.contains(r"\a calls itself without end"), "{told}");
    assert!(String::from_utf8(read.stdout).unwrap().ends_with("\tx\n"));
    fs::write(&path, format!("{}$y$", "{".repeat(10_000))).unwrap();
    assert!(ok(&["formulas", text(&path)]).ends_with("\ty\n"));
    // What is opened often and never closed: none of it is looked for more than once.
    for (name, part) in [
        ("a.html", r"\("),
        ("a.html", r"\begin{equation}"),
        ("a.html", "<pre>"),
        ("a.md", "$a "),
        ("a.md", r"\(a "),
        ("a.txt", r"$a \("),
        ("a.wiki", "<math>"),
        ("a.adoc", "stem:["),
        ("a.tex", r"\ensuremath{"),
        ("a.tex", r"\section{"),
        ("a.tex", r"\newcommand{\o}[2][]{#1}$\o["),
        ("a.md", "w $x$ "),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, part.repeat(100_000)).unwrap();
        run(&["formulas", text(&path)]);
    }
}

/// LaTeX finds files from the folder of the main file, also for files that others include.
#[test]
fn files_are_included_from_where_the_main_file_is() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("ch")).unwrap();
    fs::write(at("main.tex"), r"\newcommand{\N}{\mathbb N}\input{ch/a}").unwrap();
    fs::write(at("ch/a.tex"), r"\input{ch/b}").unwrap();
    fs::write(at("ch/b.tex"), r"$b\N$").unwrap();
    assert_eq!(
        places(folder.path(), &[]),
        [pair("b.tex:1:1", r"b\mathbb N")]
    );
}

/// Builds an index of documents, and gives what the program says.
fn index(input: &Path, output: &Path, options: &[&str]) -> Value {
    let args = [
        &["index", text(input), "-o", text(output), "--json"],
        options,
    ]
    .concat();
    json(&ok(&args))
}

#[test]
fn an_index_of_documents_gives_places_back() {
    let folder = notes();
    let path = folder.path().join("notes.phoc");
    let summary = index(&folder.path().join("."), &path, &[]);
    assert_eq!(
        (&summary["indexed"], &summary["skipped"]["a .bin file"]),
        (&3.into(), &1.into())
    );
    let found = ok(&["search", text(&path), "x^2+y^2=z^2", "-k", "1"]);
    assert!(
        found.contains("/week.md:3:13  ") && found.contains("\n    § Week\n"),
        "{found}"
    );
    let found = json(&ok(&[
        "search",
        text(&path),
        r"u\in\mathbb{R}^2",
        "-k",
        "1",
        "--json",
    ]));
    let first = &found["hits"][0]["first"];
    let fields = &first["fields"];
    assert!(
        first["id"]
            .as_str()
            .unwrap()
            .ends_with("thesis/heat.tex:2:5")
    );
    assert!(
        fields["source"]
            .as_str()
            .unwrap()
            .ends_with("thesis/heat.tex")
    );
    assert_eq!(
        (&fields["line"], &fields["section"]),
        (&"2".into(), &"Heat".into())
    );
    assert_eq!(fields["sentence"], r"Let $u\in\mathbb{R}^2$ be the heat.");
    // Whoever writes the macros of the collection is understood, also over HTTP.
    let own = run(&["search", text(&path), r"u \in \R^2", "-k", "1", "--json"]);
    let own = json(&String::from_utf8(own.stdout).unwrap());
    assert_eq!(own["hits"][0]["first"]["id"], first["id"]);
    let server = Server::start(&[text(&path)]);
    let completed = server.get("/api/complete", &[("q", r"u \in \R^2")]).json();
    assert_eq!(completed["hits"][0]["first"]["id"], first["id"]);
}

#[test]
fn macros_are_the_collections_or_those_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        path
    };
    let paper =
        r"\newcommand{\inner}[2]{\langle #1,#2\rangle}\newcommand{\sin}{s} $\inner{u}{v}=0$";
    let paper = write("paper.tex", paper);
    let package = write("own.sty", r"\newcommand{\ip}[2]{\langle #1,#2\rangle}");
    let path = folder.path().join("paper.phoc");
    index(&paper, &path, &[]);
    let read = |args: &[&str]| {
        let ended = run(&[&["search", text(&path), "--json"], args].concat());
        json(&String::from_utf8(ended.stdout).unwrap())
    };
    let found = read(&[r"\inner{u}{v}"]);
    assert_eq!(found["read_as"], r"\langle u,v\rangle");
    let note = r"With \inner replaced it is read as \langle u,v\rangle";
    assert!(
        found["notes"][0].as_str().unwrap().starts_with(note),
        "{found}"
    );
    assert_eq!(found["hits"].as_array().unwrap().len(), 1);
    // A command that is known everywhere keeps its meaning.
    assert_eq!(read(&[r"\sin x"])["read_as"], r"\sin x");
    let given = read(&[r"\ip{u}{v}", "--macros", text(&package)]);
    assert_eq!(given["read_as"], r"\langle u,v\rangle");
    let none = run(&["search", text(&path), "x", "--macros", text(&path)]);
    assert_eq!(none.status.code(), Some(2));
    let none = write("none.tex", "no macros");
    let message = fails(&["encode", "x", "--macros", text(&none)]);
    assert!(message.contains("defines no macros"), "{message}");
    // A query may bring its own.
    let encoded = ok(&["encode", r"\newcommand{\R}{\mathbb{R}} \R^n", "--json"]);
    assert_eq!(encoded, ok(&["encode", r"\mathbb{R}^n", "--json"]));
}

#[test]
fn rows_are_formulas_where_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tex");
    fs::write(&path, "\\begin{align}\n a &= b \\\\\n c &= d\n\\end{align}").unwrap();
    assert_eq!(places(&path, &[]).len(), 1);
    let rows = places(&path, &["--rows"]);
    assert_eq!(
        rows[1..],
        [pair("a.tex:1:1", "a = b"), pair("a.tex:3:2", "c = d")]
    );
    let built = folder.path().join("a.phoc");
    assert_eq!(index(&path, &built, &["--rows"])["indexed"], 3);
    assert_eq!(index(&path, &built, &[])["indexed"], 1);
}

#[test]
fn dumps_are_read_row_by_row_packed_or_not() {
    let folder = tempfile::tempdir().unwrap();
    let posts = "<posts>\n\
        <row Id=\"7\" PostTypeId=\"1\" Title=\"Is $x$ odd?\" Body=\"&lt;p&gt;Let $y+1$ be.&lt;/p&gt;\" Tags=\"&lt;limits&gt;\" />\n\
        <row Id=\"9\" PostTypeId=\"2\" ParentId=\"7\" Body=\"&lt;p&gt;It is &lt;span class=&quot;math-container&quot; id=&quot;42&quot;&gt;$z^2$&lt;/span&gt;.&lt;/p&gt;\" />\n\
        </posts>\n";
    let wiki = "<mediawiki>\n<siteinfo>\n<base>https://w.org/wiki/Main</base>\n</siteinfo>\n<page>\n<title>Heat flow</title>\n<id>12</id>\n<text>Let &lt;math&gt;u_t&lt;/math&gt;.</text>\n</page>\n</mediawiki>\n";
    let path = folder.path().join("posts.phoc");
    let packed = zstd::encode_all(posts.as_bytes(), 1).unwrap();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut gzip, wiki.as_bytes()).unwrap();
    for (name, bytes, indexed) in [
        ("Posts.xml", posts.as_bytes().to_vec(), 3),
        ("Posts.xml.zst", packed, 3),
        ("wiki.xml.gz", gzip.finish().unwrap(), 1),
    ] {
        let input = folder.path().join(name);
        fs::write(&input, bytes).unwrap();
        let link = ["--link", "https://example.org/{post}"];
        let summary = index(&input, &path, if indexed == 3 { &link } else { &[] });
        assert_eq!(summary["indexed"], indexed, "{name}");
        let query = if indexed == 3 { "z^2" } else { "u_t" };
        let found = json(&ok(&["search", text(&path), query, "-k", "1", "--json"]));
        let first = &found["hits"][0]["first"];
        if indexed == 3 {
            assert_eq!((&first["id"], &first["post"]), (&"42".into(), &"9".into()));
            assert_eq!(
                (&first["thread"], &first["type"]),
                (&"7".into(), &"answer".into())
            );
            assert_eq!(first["fields"]["title"], "Is $x$ odd?");
            assert_eq!(
                (&first["fields"]["line"], &first["url"]),
                (&"3".into(), &"https://example.org/9".into())
            );
        } else {
            assert_eq!(first["fields"]["line"], "8");
            assert_eq!(first["url"], "https://w.org/wiki/Heat_flow");
        }
    }
}

/// What did not change is not read again, and the bytes are those of a build from nothing.
#[test]
fn a_second_build_reads_what_changed() {
    let folder = notes();
    let at = folder.path();
    let (path, anew) = (at.join("notes.phoc"), at.join("anew.phoc"));
    let input = at.join("thesis");
    let old = SystemTime::now() - Duration::from_secs(3600);
    let age = |name: &str| {
        let file = fs::File::options().write(true).open(at.join(name)).unwrap();
        file.set_modified(old).unwrap();
    };
    let names = [
        "thesis/main.tex",
        "thesis/heat.tex",
        "thesis/macros.tex",
        "thesis/more.md",
    ];
    fs::write(at.join("thesis/more.md"), "So $a+b$.").unwrap();
    names.into_iter().for_each(age);
    let build = || {
        let summary = index(&input, &path, &[]);
        assert!(fs::exists(at.join("notes.phoc.seen")).unwrap());
        summary["indexed"].as_u64().unwrap()
    };
    let is_as_anew = || {
        index(&input, &anew, &["--no-seen"]);
        assert!(!fs::exists(at.join("anew.phoc.seen")).unwrap());
        fs::read(&path).unwrap() == fs::read(&anew).unwrap()
    };
    assert_eq!(build(), 2);
    assert_eq!(build(), 2);
    assert!(is_as_anew());
    // A file of the same length and time is not read.
    fs::write(at.join("thesis/more.md"), "So $a-b$.").unwrap();
    age("thesis/more.md");
    build();
    assert!(!is_as_anew());
    // One of another time is, and so is a chapter whose macros changed, or that gets new ones.
    fs::write(at.join("thesis/more.md"), "So $a-b$.").unwrap();
    build();
    assert!(is_as_anew());
    for (name, content) in [
        ("thesis/macros.tex", "\\newcommand{\\R}{\\mathbb{Q}}"),
        (
            "thesis/main.tex",
            "\\input{macros}\\input{last}\\include{heat}",
        ),
        ("thesis/last.tex", "\\renewcommand{\\R}{\\mathbb{Z}} $\\R$"),
    ] {
        fs::write(at.join(name), content).unwrap();
        build();
        assert!(is_as_anew(), "{name}");
    }
    fs::remove_file(at.join("thesis/last.tex")).unwrap();
    assert_eq!(build(), 2);
    assert!(is_as_anew());
    // Who reads it as something else reads it anew.
    let list = at.join("list.txt");
    fs::write(&list, "$x$\n$y+1$ and $z$\n").unwrap();
    assert_eq!(index(&list, &path, &[])["indexed"], 3);
    assert_eq!(index(&list, &path, &["--format", "text"])["indexed"], 1);
    assert_eq!(index(&list, &path, &[])["indexed"], 3);
    build();
    // Damage costs time alone, and a file of others is not replaced.
    let seen = at.join("notes.phoc.seen");
    let mut bytes = fs::read(&seen).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&seen, &bytes).unwrap();
    build();
    assert!(is_as_anew());
    fs::write(&seen, "mine").unwrap();
    let message = fails(&["index", text(&input), "-o", text(&path)]);
    assert!(message.contains("notes.phoc.seen"), "{message}");
}

#[test]
fn what_is_too_long_or_broken_is_told_and_the_rest_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| {
        fs::write(folder.path().join(name), content).unwrap();
    };
    write("line.md", &"x".repeat(70 << 20));
    write("broken.xml", "<a><b></a>");
    write("cut.ipynb", "{\"cells\": [");
    write("half.html", "<p>So \\(x+1\\)<div <span <<math><mi>y");
    write("circle.tex", "$c$ \\input{circle}\\input{other}");
    write("other.tex", "$o$ \\input{circle}");
    write("deep.md", &format!("{}$d$", "> ".repeat(10_000)));
    let listed = run(&["formulas", text(folder.path())]);
    let (found, told) = (stdout(&listed), stderr(&listed));
    assert_eq!(listed.status.code(), Some(2), "{told}");
    for name in ["line.md", "broken.xml", "cut.ipynb"] {
        assert!(told.contains(&format!("{name} is left out: ")), "{told}");
    }
    for formula in ["\tx+1\n", "\tc\n", "\to\n"] {
        assert_eq!(found.matches(formula).count(), 1, "{found}");
    }
    let path = folder.path().join("all.phoc");
    let summary = index(folder.path(), &path, &[]);
    assert!(
        summary["rejected"]["malformed"].as_u64().unwrap() >= 3,
        "{summary}"
    );
}

/// What each kind of document has, and what it only seems to have: `expected.tsv` is what
/// `phocus formulas` prints for each file of the folder.
#[test]
fn every_kind_of_document_has_these_formulas() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/documents");
    let listed = phocus()
        .args(["formulas", "."])
        .current_dir(&folder)
        .output()
        .unwrap();
    let expected = folder.join("expected.tsv");
    if std::env::var_os("PHOCUS_RENEW").is_some() {
        fs::write(&expected, &listed.stdout).unwrap();
    }
    assert_eq!(stdout(&listed), fs::read_to_string(&expected).unwrap());
    assert_eq!(listed.status.code(), Some(0), "{}", stderr(&listed));
}
