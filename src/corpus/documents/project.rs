//! LaTeX files that belong together: each is read with the macros of the files that include it.
//!
//! A chapter does not say what `\R` means: the file that includes it does. Files are therefore
//! read from those that no other includes, and each is read where it is included first. Only
//! files of the given folders are read, whatever `\input` names.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::seen::{Include, Seen};
use super::tex::{self, Inclusions};
use super::{Document, Loaded, load};
use crate::latex::macros::{Definitions, Macros};

/// How deep files include one another.
const MAX_DEPTH: usize = 20;

/// The commands that include files, and the ending that they leave out.
const INCLUDING: [(&str, &str); 8] = [
    ("input", "tex"),
    ("include", "tex"),
    ("subfile", "tex"),
    ("subfileinclude", "tex"),
    ("usepackage", "sty"),
    ("RequirePackage", "sty"),
    ("documentclass", "cls"),
    ("LoadClass", "cls"),
];

/// The LaTeX files among those that are read, and how they belong together.
#[derive(Debug, Default)]
pub(super) struct Project {
    /// The folders within which files may be read.
    within: Vec<PathBuf>,
    /// For each file, the file from which it is read: one that no other includes.
    roots: BTreeMap<PathBuf, PathBuf>,
    /// What was read and not yet asked for.
    read: HashMap<PathBuf, Loaded<Document>>,
    /// What the macros of the files mean that were read first.
    pub(super) definitions: BTreeMap<PathBuf, Definitions>,
}

impl Project {
    /// The LaTeX files of `files`; files within `folders` may be included too.
    pub(super) fn new(files: &[PathBuf], folders: &[PathBuf], seen: &mut Seen) -> Self {
        let within = folders.iter().filter_map(|path| path.canonicalize().ok());
        let mut project = Project {
            within: within.collect(),
            ..Project::default()
        };
        let mut included: BTreeMap<&Path, Vec<PathBuf>> = BTreeMap::new();
        for file in files {
            included.insert(file, project.included(file, seen));
        }
        let is_included: BTreeSet<PathBuf> = included.values().flatten().cloned().collect();
        // Files that include one another in a circle have no first; they follow as they come.
        let (inner, outer): (Vec<&PathBuf>, Vec<&PathBuf>) =
            files.iter().partition(|file| is_included.contains(*file));
        for root in outer.into_iter().chain(inner) {
            let mut waiting = vec![root.clone()];
            while let Some(file) = waiting.pop() {
                if let Entry::Vacant(first) = project.roots.entry(file) {
                    let inner = included.get(first.key().as_path());
                    waiting.extend(inner.into_iter().flatten().cloned());
                    first.insert(root.clone());
                }
            }
        }
        project
    }

    /// The files that a file includes, by their names in its text.
    fn included(&self, file: &Path, seen: &mut Seen) -> Vec<PathBuf> {
        let names = seen.names(file, || {
            load(file).map_or(Vec::new(), |loaded| included_names(&loaded.text))
        });
        // LaTeX looks where it was started: beside the main file, which may be further up.
        let resolve = |(name, ending): &(String, String)| {
            let mut mains = file.ancestors().take(MAX_DEPTH);
            mains.find_map(|main| self.resolve(main, file, name, ending))
        };
        names.iter().filter_map(resolve).collect()
    }

    /// The file from which a file is read.
    pub(super) fn root(&self, file: &Path) -> PathBuf {
        let root = self.roots.get(file);
        root.map_or(file, PathBuf::as_path).to_owned()
    }

    /// The file that a name means in `file`, which is read from `root`, if it may be read.
    pub(super) fn resolve(
        &self,
        root: &Path,
        file: &Path,
        name: &str,
        ending: &str,
    ) -> Option<PathBuf> {
        if name.is_empty() || name.len() > 1_000 || name.contains(['\\', '#', '\0', '\n']) {
            return None;
        }
        let folder = |file: &Path| file.parent().unwrap_or(Path::new("")).to_path_buf();
        // LaTeX looks where it was started, which is where the main file is.
        [folder(root), folder(file)].into_iter().find_map(|folder| {
            let path = folder.join(name);
            let mut longer = path.clone().into_os_string();
            longer.push(".");
            longer.push(ending);
            let path = [PathBuf::from(longer), path]
                .into_iter()
                .find(|path| path.is_file())?;
            let real = path.canonicalize().ok()?;
            let is_within = self.within.iter().any(|folder| real.starts_with(folder));
            is_within.then(|| plain(&path))
        })
    }

    /// Reads a file, with those that belong to it.
    pub(super) fn document(
        &mut self,
        file: &Path,
        seen: &mut Seen,
    ) -> std::io::Result<Loaded<Document>> {
        if let Some(read) = self.read.remove(file) {
            return Ok(read);
        }
        let root = self.root(file);
        let mut macros = Macros::default();
        let mut reading = Reading {
            project: self,
            root: root.clone(),
            open: Vec::new(),
            read: HashMap::new(),
            includes: Vec::new(),
        };
        reading.file(&root, &mut macros)?;
        let Reading {
            mut read, includes, ..
        } = reading;
        // What several files include belongs to the first of them.
        read.retain(|path, _| self.root(path) == root);
        for path in read.keys().map(PathBuf::as_path).chain([file]) {
            seen.keep_tex(path, &root, Vec::new());
        }
        seen.keep_tex(&root, &root, includes);
        self.read.extend(read);
        let mut definitions = Definitions::default();
        definitions.add(&macros);
        self.definitions.insert(root, definitions);
        match self.read.remove(file) {
            Some(read) => Ok(read),
            // The file is included only where a macro or a branch of this text hides it.
            None => {
                let loaded = load(file)?;
                let document = tex::read(&loaded.text, &mut macros, &mut ());
                Ok(loaded.with(document))
            }
        }
    }
}

/// A path without `.` in it.
fn plain(path: &Path) -> PathBuf {
    path.components().collect()
}

/// The reading of one file with those that it includes.
struct Reading<'p> {
    project: &'p Project,
    root: PathBuf,
    /// The files that are being read, each included by the one before.
    open: Vec<PathBuf>,
    read: HashMap<PathBuf, Loaded<Document>>,
    /// The files that were looked for.
    includes: Vec<Include>,
}

impl Reading<'_> {
    fn file(&mut self, file: &Path, macros: &mut Macros) -> std::io::Result<()> {
        let loaded = load(file)?;
        // A file that was read before is read again only for what it defines.
        let is_known = self.read.contains_key(file);
        if is_known && !defines(&loaded.text) {
            return Ok(());
        }
        self.open.push(file.to_owned());
        let document = tex::read(&loaded.text, macros, self);
        self.open.pop();
        if !is_known {
            self.read.insert(file.to_owned(), loaded.with(document));
        }
        Ok(())
    }
}

impl Inclusions for Reading<'_> {
    fn is_package(&self) -> bool {
        let ending = self.open.last().and_then(|file| file.extension());
        ending.is_some_and(|ending| ending == "sty" || ending == "cls")
    }

    fn include(&mut self, command: &str, name: &str, macros: &mut Macros) {
        let ending = INCLUDING.iter().find(|(known, _)| *known == command);
        let Some((_, ending)) = ending else { return };
        let from = self.open.last().cloned().unwrap_or_default();
        let found = self.project.resolve(&self.root, &from, name, ending);
        self.includes.push(Include {
            from,
            name: name.to_owned(),
            ending: (*ending).to_owned(),
            found: found.clone(),
        });
        let Some(file) = found else { return };
        // A file that includes itself, at whatever distance, is not read within itself.
        if !self.open.contains(&file) && self.open.len() < MAX_DEPTH {
            // A file that cannot be read is reported where it is asked for by itself.
            let _ = self.file(&file, macros);
        }
    }
}

/// The names of files that a text includes, each with the ending that it leaves out.
fn included_names(text: &str) -> Vec<(String, String)> {
    let mut names = Vec::new();
    for (at, _) in text.match_indices('\\') {
        let rest = &text[at + 1..];
        let name = rest.split(|c: char| !c.is_ascii_alphabetic()).next();
        let command = name.unwrap_or_default();
        let Some((_, ending)) = INCLUDING.iter().find(|(known, _)| *known == command) else {
            continue;
        };
        let rest = rest[command.len()..].trim_start();
        let rest = match rest.strip_prefix('[').and_then(|r| r.split_once(']')) {
            Some((_, after)) => after.trim_start(),
            None => rest,
        };
        let named = match rest.strip_prefix('{') {
            Some(braced) => braced.split('}').next().unwrap_or_default(),
            None => rest.split_whitespace().next().unwrap_or_default(),
        };
        for name in named.split(',') {
            names.push((name.trim().to_owned(), (*ending).to_owned()));
        }
    }
    names
}

/// Whether a text may define macros.
fn defines(text: &str) -> bool {
    [
        r"\def",
        r"\newcommand",
        r"\renewcommand",
        r"\let",
        "Declare",
        "DocumentCommand",
        r"\new",
    ]
    .iter()
    .any(|command| text.contains(command))
}
