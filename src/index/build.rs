//! Building an index: gather, arrange, invert, write.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::Path;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::Instant;

use serde::Serialize;

use super::WINDOW;
use super::arrange::{self, Sources};
use super::codebook::{Codebook, Coder};
use super::format::{IndexError, Meta, Section};
use super::gather::{self, Gathered};
use super::invert::{Counted, Inverter};
use super::posting::Payload;
use super::spill::Sorter;
use super::writer::IndexWriter;
use crate::atomic_file;
use crate::corpus::{FormulaId, Inputs, Place};
use crate::phoc::{PhocConfig, TokenKey};

/// What makes one formula of several.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Dedup {
    /// The visual id where a record has one, else the layout.
    #[default]
    Auto,
    /// The collection's visual id; records without one by their layout.
    VisualId,
    /// The same symbols at the same places.
    Layout,
    /// Nothing: every record is a formula of its own.
    None,
}

impl Dedup {
    /// All of them.
    pub const ALL: [Dedup; 4] = [Dedup::Auto, Dedup::VisualId, Dedup::Layout, Dedup::None];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Dedup::Auto => "auto",
            Dedup::VisualId => "visual-id",
            Dedup::Layout => "layout",
            Dedup::None => "none",
        }
    }

    /// Whether a visual id, where there is one, decides.
    pub(super) fn uses_visual_ids(self) -> bool {
        matches!(self, Dedup::Auto | Dedup::VisualId)
    }

    /// What it came to, in a collection with or without visual ids.
    fn applied(self, has_visual_ids: bool) -> &'static str {
        match self {
            Dedup::None => "none",
            _ if self.uses_visual_ids() && has_visual_ids => "visual-id",
            _ => "layout",
        }
    }
}

impl fmt::Display for Dedup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no way to merge duplicates.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected auto, visual-id, layout or none, found `{found}`")]
pub struct DedupError {
    /// The text.
    pub found: String,
}

impl FromStr for Dedup {
    type Err = DedupError;

    fn from_str(text: &str) -> Result<Self, DedupError> {
        let named = Dedup::ALL.into_iter().find(|dedup| dedup.name() == text);
        named.ok_or_else(|| DedupError {
            found: text.to_owned(),
        })
    }
}

/// How to build.
#[derive(Debug, Clone)]
pub struct BuildOptions {
    /// How formulas become words.
    pub config: PhocConfig,
    /// What makes one formula of several.
    pub dedup: Dedup,
    /// About how many bytes of memory to use.
    pub memory: usize,
    /// How many threads lay formulas out; 0 is one a core.
    pub threads: usize,
}

impl Default for BuildOptions {
    fn default() -> Self {
        BuildOptions {
            config: PhocConfig::default(),
            dedup: Dedup::default(),
            memory: 1 << 30,
            threads: 0,
        }
    }
}

/// The least memory that is worth having.
const LEAST_MEMORY: usize = 32 << 20;

/// What is being done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Stage {
    /// Reading and laying out; counted in bytes of input.
    Reading = 0,
    /// Finding equal formulas; counted in records.
    Merging = 1,
    /// Ordering formulas; counted in formulas.
    Ordering = 2,
    /// Writing postings; counted in postings.
    Writing = 3,
    /// Making formulas of formulas; counted in formulas.
    Growing = 4,
}

/// How far a build is, for whoever watches it; and a way to stop it.
#[derive(Debug, Default)]
pub struct Progress {
    stage: AtomicU8,
    /// Work done in this stage.
    pub done: AtomicU64,
    /// Work in this stage, 0 where unknown.
    pub total: AtomicU64,
    /// Records laid out so far.
    pub formulas: AtomicU64,
    /// Set it, and the build ends soon and leaves nothing behind.
    pub stop: AtomicBool,
}

impl Progress {
    /// What is being done now.
    pub fn stage(&self) -> Stage {
        match self.stage.load(Ordering::Relaxed) {
            0 => Stage::Reading,
            1 => Stage::Merging,
            2 => Stage::Ordering,
            3 => Stage::Writing,
            _ => Stage::Growing,
        }
    }

    pub(crate) fn begin(&self, stage: Stage, total: u64) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
        self.stage.store(stage as u8, Ordering::Relaxed);
    }

    /// Counts work, and says whether to go on.
    pub(super) fn advance(&self, work: u64) -> Result<(), IndexError> {
        self.done.fetch_add(work, Ordering::Relaxed);
        if self.stop.load(Ordering::Relaxed) {
            Err(IndexError::Interrupted)
        } else {
            Ok(())
        }
    }
}

/// A record that is not in the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reject {
    /// Its id, unless the line is no record.
    pub id: Option<FormulaId>,
    /// Why, in a word or two.
    pub reason: &'static str,
    /// Why, in full.
    pub detail: String,
    /// Where it was read, if it was read from a file.
    pub place: Option<Place>,
    /// Its LaTeX.
    pub latex: String,
}

/// What was built.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Lines or files read as records, malformed ones included.
    pub read: u64,
    /// Occurrences in the index.
    pub indexed: u64,
    /// Distinct formulas.
    pub distinct: u64,
    /// Formulas whose id an earlier one has too.
    pub same_ids: u64,
    /// Records that could not be indexed, by reason.
    pub rejected: BTreeMap<&'static str, u64>,
    /// Records that ARQMath's rules withhold from results, by reason.
    pub withheld: BTreeMap<&'static str, u64>,
    /// Distinct tokens.
    pub tokens: u64,
    /// Tokens of formulas.
    pub postings: u64,
    /// Bytes of the index.
    pub bytes: u64,
    /// Bytes of its store of LaTeX and instances.
    pub store_bytes: u64,
    /// Seconds taken.
    pub seconds: f64,
}

/// Builds an index of all `inputs` at `path`, which is replaced at the very
/// end or left as it was. The same inputs give the same bytes, whatever the
/// number of threads and the memory.
///
/// # Errors
/// When an input cannot be read, the disk is full, nothing can be indexed, or
/// `progress.stop` was set. Single bad records go to `on_reject`.
pub fn build(
    inputs: Inputs,
    path: &Path,
    options: &BuildOptions,
    progress: &Progress,
    on_reject: &mut (dyn FnMut(&Reject) + Send),
) -> Result<Summary, IndexError> {
    let started = Instant::now();
    let failed = |source: io::Error| IndexError::Io {
        path: path.to_path_buf(),
        source,
    };
    let scratch = tempfile::Builder::new()
        .prefix(atomic_file::PREFIX)
        .tempdir_in(atomic_file::folder_of(path))
        .map_err(failed)?;
    let memory = options.memory.max(LEAST_MEMORY);
    let sorter = Sorter::new(scratch.path(), memory / 2);
    let Gathered {
        records,
        keys,
        patterns,
        glyphs,
        has_visual_ids,
        mut summary,
    } = gather::gather(inputs, sorter, options, progress, on_reject, failed)?;
    if summary.indexed == 0 {
        return Err(IndexError::NoFormulas(nothing_indexed(&summary)));
    }
    if options.dedup == Dedup::VisualId && !has_visual_ids {
        return Err(IndexError::NoVisualIds);
    }
    let (ranks, keys) = ranked(&keys);
    summary.tokens = keys.len() as u64;
    let codebook = patterns.codebook(&options.config.regions);
    let gathered = Sorted {
        sources: Sources {
            records,
            scratch: scratch.path(),
            memory,
            by_visual_id: options.dedup.uses_visual_ids(),
            glyphs: (options.config.rerank > 0).then(|| glyphs.into_rows()),
        },
        keys,
        ranks,
        meta: Meta {
            config: options.config.clone(),
            dedup: options.dedup.applied(has_visual_ids).to_owned(),
            phocus: env!("CARGO_PKG_VERSION").to_owned(),
            ..Meta::nothing()
        },
    };
    let finished = match codebook {
        Some(codebook) => gathered.finish::<u32>(&codebook, path, &mut summary, progress),
        None if options.config.regions.bits() <= 64 => {
            gathered.finish::<u64>(&Codebook::default(), path, &mut summary, progress)
        }
        None => gathered.finish::<u128>(&Codebook::default(), path, &mut summary, progress),
    };
    finished.map_err(|error| error.or(failed))?;
    summary.seconds = started.elapsed().as_secs_f64();
    Ok(summary)
}

/// Everything that was read, sorted by what makes it equal.
struct Sorted<'a> {
    sources: Sources<'a>,
    keys: Vec<TokenKey>,
    ranks: Vec<u32>,
    /// As far as it is known.
    meta: Meta,
}

impl Sorted<'_> {
    /// Arranges, inverts and writes.
    fn finish<P: Payload>(
        self,
        codebook: &Codebook,
        path: &Path,
        summary: &mut Summary,
        progress: &Progress,
    ) -> Result<(), StageError> {
        let Sources {
            scratch, memory, ..
        } = self.sources;
        let has_words = |key: &TokenKey| self.meta.config.tokens.is_positional(key.kind);
        let has_words = self.keys.iter().map(has_words).collect();
        let coder = Coder::new(&self.meta.config.regions, codebook);
        let mut inverter = Inverter::<P>::new(scratch, memory / 3, (self.ranks, has_words), coder);
        let arranged = arrange::arrange(self.sources, summary.indexed, &mut inverter, progress)?;
        summary.distinct = arranged.formulas;
        summary.same_ids = arranged.same_ids;
        summary.postings = inverter.postings();
        summary.store_bytes = arranged.store_bytes();
        let meta = Meta {
            formulas: summary.distinct,
            instances: summary.indexed,
            tokens: summary.tokens,
            postings: summary.postings,
            payload_bytes: size_of::<P>() as u64,
            patterns: codebook.patterns().each_ref().map(|all| all.len() as u64),
            window: WINDOW as u64,
            ..self.meta
        };
        let mut out = IndexWriter::new(path)?;
        write_meta(&mut out, &meta, &self.keys, codebook)?;
        let counted = Counted {
            regions: meta.counted_regions(),
            codebook,
        };
        inverter.write(&mut out, counted, progress)?;
        arranged.write(&mut out)?;
        progress.advance(0)?;
        summary.bytes = out.finish(path)?;
        Ok(())
    }
}

/// An error of a stage: of the disk, or one that is already told.
pub(super) enum StageError {
    Io(io::Error),
    Index(IndexError),
}

impl StageError {
    fn or(self, failed: impl FnOnce(io::Error) -> IndexError) -> IndexError {
        match self {
            StageError::Io(error) => failed(error),
            StageError::Index(error) => error,
        }
    }
}

impl From<io::Error> for StageError {
    fn from(error: io::Error) -> Self {
        StageError::Io(error)
    }
}

impl From<IndexError> for StageError {
    fn from(error: IndexError) -> Self {
        StageError::Index(error)
    }
}

fn nothing_indexed(summary: &Summary) -> String {
    let counts = |counts: &BTreeMap<&'static str, u64>| {
        let parts: Vec<String> = counts.iter().map(|(why, n)| format!("{n} {why}")).collect();
        parts.join(", ")
    };
    match (
        summary.read,
        summary.rejected.is_empty(),
        summary.withheld.is_empty(),
    ) {
        (0, _, _) => "the input is empty".to_owned(),
        (read, false, true) => format!("all {read} were rejected ({})", counts(&summary.rejected)),
        (read, true, false) => format!("all {read} are withheld ({})", counts(&summary.withheld)),
        (read, ..) => format!(
            "of {read}, {} and {}",
            counts(&summary.rejected),
            counts(&summary.withheld)
        ),
    }
}

/// The keys in order, and the place in it of each key as first seen.
fn ranked(keys: &[TokenKey]) -> (Vec<u32>, Vec<TokenKey>) {
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by_cached_key(|&key| key_bytes(&keys[key]));
    let mut ranks = vec![0; keys.len()];
    for (rank, &key) in order.iter().enumerate() {
        ranks[key] = rank as u32;
    }
    (ranks, order.into_iter().map(|key| keys[key]).collect())
}

/// A key as it is in the file.
pub(super) fn key_bytes(key: &TokenKey) -> Vec<u8> {
    let mut bytes = vec![key.kind as u8];
    bytes.extend_from_slice(key.to_string().as_bytes());
    bytes
}

/// Writes what the index is of, and what its tokens and codes stand for.
fn write_meta(
    out: &mut IndexWriter,
    meta: &Meta,
    keys: &[TokenKey],
    codebook: &Codebook,
) -> io::Result<()> {
    let meta = serde_json::to_vec_pretty(meta).map_err(io::Error::from)?;
    out.whole(Section::Meta, &meta)?;
    let mut offsets = vec![0u32];
    let mut bytes = Vec::new();
    for key in keys {
        bytes.extend(key_bytes(key));
        offsets.push(bytes.len() as u32);
    }
    out.whole(Section::KeyOffsets, bytemuck::cast_slice(&offsets))?;
    out.whole(Section::Keys, &bytes)?;
    let patterns = codebook.patterns().concat();
    out.whole(Section::Patterns, bytemuck::cast_slice(&patterns))
}
