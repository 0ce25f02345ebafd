//! What was read of documents, so that those that did not change need not be read again.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::corpus::text::TextPlace;
use crate::corpus::{Content, InputOptions, Instance, Malformed, Place, ReadResult, Record, Text};
use crate::latex::macros::Definitions;
use crate::seen::{self, Part};

/// A file that was written to so shortly before it was read may be written to again without a
/// change of its time.
const FRESH: Duration = Duration::from_secs(2);

/// The documents that were read for an index before, and those of now.
#[derive(Debug, Default)]
pub(in crate::corpus) struct Seen {
    /// Whether anything is remembered.
    is_kept: bool,
    how: How,
    before: HashMap<PathBuf, SeenFile>,
    now: BTreeMap<PathBuf, SeenFile>,
    /// Of the files that were asked about, whether they are as they were.
    unchanged: HashMap<PathBuf, bool>,
}

/// What is kept of all documents.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    how: How,
    files: Vec<(String, SeenFile)>,
}

/// How documents were read: what was read otherwise is not of use.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct How {
    /// Whether rows are formulas, too.
    rows: bool,
    /// Whether texts are read, too.
    texts: bool,
    /// The format that all files were said to have.
    format: Option<String>,
}

/// What is kept of a file.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
struct SeenFile {
    stamp: Stamp,
    /// The names of files in the text of a LaTeX file, each with its command.
    names: Option<Vec<(String, String)>>,
    /// How it was read, if it is a LaTeX file.
    tex: Option<SeenTex>,
    /// Its macros; of LaTeX files the one has them that is read first.
    definitions: Definitions,
    /// Its formulas and problems; none where it is read only by others.
    records: Option<Vec<SeenRecord>>,
    /// Its texts, where they are read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    texts: Vec<Text>,
}

/// What was read of a document before.
pub(super) struct Remembered {
    pub(super) records: Vec<ReadResult>,
    /// Its texts, to which its records refer by their places here.
    pub(super) texts: Vec<Text>,
    pub(super) definitions: Definitions,
}

/// How a LaTeX file was read.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct SeenTex {
    /// The file from which it was read.
    root: String,
    /// What was included in that reading, if this is that file.
    includes: Vec<Include>,
}

/// A file that was looked for when a LaTeX file was read.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Include {
    /// The file that names it.
    pub(super) from: PathBuf,
    /// The name and the ending that it leaves out.
    pub(super) name: String,
    pub(super) ending: String,
    /// The file, if there is one.
    pub(super) found: Option<PathBuf>,
}

/// By what a file is known to be as it was.
#[derive(Debug, Default, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Stamp {
    bytes: u64,
    /// In nanoseconds; 0 where the time tells nothing.
    time: u64,
    hash: u64,
}

/// A formula, or what could not be read.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SeenRecord {
    line: u64,
    /// Why there is no formula.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    id: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    latex: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    fields: Vec<(String, String)>,
    /// In which of the file's texts it stands, and where in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<(u32, u32)>,
}

impl Seen {
    /// What was read before, by the file that was written then.
    pub(super) fn open(options: &InputOptions) -> Self {
        let how = How {
            rows: options.rows,
            texts: options.texts,
            format: options.format.map(|format| format.to_string()),
        };
        let Some(path) = &options.seen else {
            return Seen::default();
        };
        let kept = seen::read(path, Part::Documents);
        let kept: Option<Kept> = kept.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let kept = kept.filter(|kept| kept.how == how).unwrap_or_default();
        let files = kept.files.into_iter();
        Seen {
            is_kept: true,
            how,
            before: files.map(|(path, file)| (path.into(), file)).collect(),
            now: BTreeMap::new(),
            unchanged: HashMap::new(),
        }
    }

    /// What was read now, to be kept.
    pub(super) fn written(&mut self) -> Option<Vec<u8>> {
        let has_documents = self.now.values().any(|file| file.records.is_some());
        if !self.is_kept || !has_documents {
            return None;
        }
        let files = std::mem::take(&mut self.now).into_iter();
        let named = files.filter_map(|(path, file)| Some((path.to_str()?.to_owned(), file)));
        let kept = Kept {
            how: self.how.clone(),
            files: named.collect(),
        };
        serde_json::to_vec(&kept).ok()
    }

    /// Whether a file is as it was when it was read before: by its length and time, else by its
    /// bytes.
    fn is_unchanged(&mut self, path: &Path) -> bool {
        if let Some(known) = self.unchanged.get(path) {
            return *known;
        }
        let is_same = match (self.before.get_mut(path), fs::metadata(path)) {
            (Some(file), Ok(found)) if file.stamp.bytes == found.len() => {
                let time = time_of(&found);
                let is_same = (time != 0 && time == file.stamp.time)
                    || fs::read(path).is_ok_and(|bytes| xxh3_64(&bytes) == file.stamp.hash);
                file.stamp.time = time;
                is_same
            }
            _ => false,
        };
        self.unchanged.insert(path.to_path_buf(), is_same);
        is_same
    }

    /// What is kept of a file from now on; its text is given where it was read.
    fn file(&mut self, path: &Path) -> &mut SeenFile {
        let is_unchanged = self.is_unchanged(path);
        let before = self.before.get(path).filter(|_| is_unchanged);
        let stamp = before.map(|file| file.stamp);
        self.now
            .entry(path.to_path_buf())
            .or_insert_with(|| SeenFile {
                stamp: stamp.unwrap_or_else(|| stamp_of(path)),
                ..SeenFile::default()
            })
    }

    /// The names of files in the text of a LaTeX file; `scan` finds them where the file changed.
    pub(super) fn names(
        &mut self,
        path: &Path,
        scan: impl FnOnce() -> Vec<(String, String)>,
    ) -> Vec<(String, String)> {
        if !self.is_kept {
            return scan();
        }
        let is_unchanged = self.is_unchanged(path);
        let before = self.before.get(path).filter(|_| is_unchanged);
        let names = before.and_then(|file| file.names.clone());
        let names = names.unwrap_or_else(scan);
        self.file(path).names = Some(names.clone());
        names
    }

    /// The records of a document that is as it was, and what it defines; `resolve` finds the file
    /// of an inclusion of now.
    pub(super) fn records(
        &mut self,
        file: &Arc<PathBuf>,
        root: Option<&Path>,
        resolve: impl Fn(&Path, &Include) -> Option<PathBuf>,
    ) -> Option<Remembered> {
        let path = file.as_path();
        if !self.is_kept || !self.is_unchanged(path) {
            return None;
        }
        if let Some(root) = root {
            let is_root_of = |seen: &SeenFile| {
                let tex = seen.tex.as_ref();
                tex.is_some_and(|tex| Path::new(&tex.root) == root)
            };
            if !self.before.get(path).is_some_and(is_root_of) || !self.is_unchanged(root) {
                return None;
            }
            let includes = self.before.get(root)?.tex.as_ref()?.includes.clone();
            for include in &includes {
                let is_same = resolve(root, include) == include.found
                    && (include.found.as_ref()).is_none_or(|found| self.is_unchanged(found));
                if !is_same {
                    return None;
                }
            }
            for found in includes.iter().filter_map(|include| include.found.as_ref()) {
                self.file(found);
            }
        }
        let before = self.before.get(path)?;
        let (records, tex) = (before.records.clone()?, before.tex.clone());
        let (texts, definitions) = (before.texts.clone(), before.definitions.clone());
        let kept = self.file(path);
        (kept.tex, kept.texts) = (tex, texts.clone());
        (kept.definitions, kept.records) = (definitions.clone(), Some(records.clone()));
        let records = records.into_iter().map(|seen| seen.read(file));
        Some(Remembered {
            records: records.collect(),
            texts,
            definitions,
        })
    }

    /// Keeps what a document was read as.
    pub(super) fn keep(
        &mut self,
        path: &Path,
        definitions: Definitions,
        records: Vec<SeenRecord>,
        texts: Vec<Text>,
    ) {
        if self.is_kept {
            let kept = self.file(path);
            (kept.records, kept.texts) = (Some(records), texts);
            kept.definitions = definitions;
        }
    }

    /// Keeps how a LaTeX file was read, with what was included if it is the first file of all.
    pub(super) fn keep_tex(&mut self, path: &Path, root: &Path, includes: Vec<Include>) {
        let Some(root) = root.to_str().filter(|_| self.is_kept) else {
            return;
        };
        for found in includes.iter().filter_map(|include| include.found.as_ref()) {
            self.file(found);
        }
        self.file(path).tex = Some(SeenTex {
            root: root.to_owned(),
            includes,
        });
    }
}

/// When a file was last written to, if that is long enough ago to tell.
fn time_of(found: &Metadata) -> u64 {
    let Ok(time) = found.modified() else {
        return 0;
    };
    let is_fresh = SystemTime::now()
        .duration_since(time)
        .map_or(true, |since| since < FRESH);
    if is_fresh {
        return 0;
    }
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(0)
}

fn stamp_of(path: &Path) -> Stamp {
    // The time before the bytes: who writes in between is found by the bytes.
    let time = fs::metadata(path).map_or(0, |found| time_of(&found));
    let bytes = fs::read(path).unwrap_or_default();
    Stamp {
        bytes: bytes.len() as u64,
        time,
        hash: xxh3_64(&bytes),
    }
}

impl SeenRecord {
    /// What is kept of a record, or of what could not be read; the texts of its file are numbered
    /// from `first_text`.
    pub(super) fn of(read: &ReadResult, first_text: u32) -> Self {
        match read {
            Ok(record) => SeenRecord {
                line: record.place.as_ref().map_or(1, |place| place.line),
                problem: None,
                id: record.instance.id.to_string(),
                latex: record.content.latex().to_owned(),
                fields: record.instance.fields.clone(),
                text: (record.text).map(|place| (place.text - first_text, place.formula)),
            },
            Err(malformed) => SeenRecord {
                line: malformed.place.line,
                problem: Some(malformed.reason.clone()),
                id: String::new(),
                latex: String::new(),
                fields: Vec::new(),
                text: None,
            },
        }
    }

    fn read(self, file: &Arc<PathBuf>) -> ReadResult {
        let place = Place {
            file: Arc::clone(file),
            line: self.line,
        };
        let id = self.id.parse();
        match (self.problem, id) {
            (None, Ok(id)) => Ok(Record {
                instance: Instance {
                    fields: self.fields,
                    ..Instance::new(id)
                },
                content: Content::Latex(self.latex),
                issue: None,
                place: Some(place),
                text: (self.text).map(|(text, formula)| TextPlace { text, formula }),
            }),
            (problem, _) => Err(Malformed {
                place,
                reason: problem.unwrap_or_default(),
            }),
        }
    }
}
