//! Gathering: records are read, laid out on all cores, encoded and sorted by
//! what makes them equal.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

use super::build::{BuildOptions, Dedup, Progress, Reject, Stage, Summary};
use super::codebook::PatternCounter;
use super::format::IndexError;
use super::glyphs::Glyphs;
use super::spill::Sorter;
use super::store::{Packer, Unpacker};
use crate::corpus::{Content, CorpusError, Inputs, Instance, ReadResult, Record};
use crate::layout::{self, Layout, LayoutError};
use crate::phoc::{PhocConfig, TokenKey, encode, formula_mass};

/// The most records that are laid out together.
const BATCH: usize = 4096;
/// The least bytes of them that are.
const LEAST_BATCH_BYTES: usize = 1 << 18;

/// How long to wait for input before looking whether to stop.
const PATIENCE: Duration = Duration::from_millis(50);

/// All records that can be indexed, by what makes them equal.
pub(super) struct Gathered {
    pub(super) records: Sorter,
    /// Token keys in the order in which they were first seen.
    pub(super) keys: Vec<TokenKey>,
    /// The patterns of their words.
    pub(super) patterns: PatternCounter,
    /// What layouts are made of.
    pub(super) glyphs: Glyphs,
    /// Whether any record has a visual id.
    pub(super) has_visual_ids: bool,
    pub(super) summary: Summary,
}

/// What became of something read.
enum Outcome {
    Formula {
        record: Record,
        fingerprint: u128,
        norm: u32,
        tokens: Vec<(TokenKey, u128)>,
        /// Where it is kept.
        layout: Option<Layout>,
    },
    Withheld(&'static str),
    Rejected(Reject),
}

/// Reads on one thread, lays out on all, collects on another.
pub(super) fn gather(
    inputs: Inputs,
    sorter: Sorter,
    options: &BuildOptions,
    progress: &Progress,
    on_reject: &mut (dyn FnMut(&Reject) + Send),
    failed: impl Fn(io::Error) -> IndexError,
) -> Result<Gathered, IndexError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build()
        .map_err(|error| failed(io::Error::other(error)))?;
    progress.begin(Stage::Reading, inputs.total_bytes().unwrap_or(0));
    let bytes = inputs.bytes_read();
    let (to_layout, read) = sync_channel::<Batch>(4);
    let (to_collector, laid_out) = sync_channel::<Vec<Outcome>>(4);
    // Not within the scope: a build that is stopped does not wait for an
    // input that never ends.
    let most_bytes = (options.memory / 64).max(LEAST_BATCH_BYTES);
    thread::spawn(move || read_batches(inputs, to_layout, most_bytes));
    thread::scope(|scope| {
        let collector = scope.spawn(|| {
            let mut collector = Collector::new(sorter, options);
            match collector.collect(laid_out, on_reject) {
                Ok(()) => Ok(collector.gathered),
                Err(error) => Err(error),
            }
        });
        let config = &options.config;
        let lay_out = |batch: Vec<ReadResult>| -> Vec<Outcome> {
            progress
                .done
                .store(bytes.load(Ordering::Relaxed), Ordering::Relaxed);
            progress
                .formulas
                .fetch_add(batch.len() as u64, Ordering::Relaxed);
            let reads = batch.into_par_iter().with_min_len(16);
            pool.install(|| reads.map(|read| outcome(read, config)).collect())
        };
        let laid_out = lay_out_batches(&read, &to_collector, lay_out, progress);
        drop(to_collector);
        let collected = match collector.join() {
            Ok(collected) => collected.map_err(failed),
            Err(panic) => std::panic::resume_unwind(panic),
        };
        laid_out.and(collected)
    })
}

/// Records that were read together, or why no more can be.
type Batch = Result<Vec<ReadResult>, CorpusError>;

/// Sends batches, an empty one at the end.
fn read_batches(mut inputs: Inputs, to_layout: SyncSender<Batch>, most_bytes: usize) {
    loop {
        let batch = next_batch(&mut inputs, most_bytes);
        let is_last = batch.as_ref().map_or(true, Vec::is_empty);
        if to_layout.send(batch).is_err() || is_last {
            return;
        }
    }
}

fn next_batch(inputs: &mut Inputs, most_bytes: usize) -> Batch {
    let mut batch = Vec::new();
    let mut bytes = 0;
    while batch.len() < BATCH && bytes < most_bytes {
        let Some(read) = inputs.next().transpose()? else {
            break;
        };
        bytes += read
            .as_ref()
            .map_or(0, |record| record.content.source().len());
        batch.push(read);
    }
    Ok(batch)
}

fn lay_out_batches(
    read: &Receiver<Batch>,
    to_collector: &SyncSender<Vec<Outcome>>,
    lay_out: impl Fn(Vec<ReadResult>) -> Vec<Outcome>,
    progress: &Progress,
) -> Result<(), IndexError> {
    loop {
        if progress.stop.load(Ordering::Relaxed) {
            return Err(IndexError::Interrupted);
        }
        let outcomes = match read.recv_timeout(PATIENCE) {
            Ok(Ok(batch)) if batch.is_empty() => return Ok(()),
            Ok(batch) => lay_out(batch?),
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return Err(IndexError::ReaderFailed),
        };
        if to_collector.send(outcomes).is_err() {
            return Ok(());
        }
    }
}

fn outcome(read: ReadResult, config: &PhocConfig) -> Outcome {
    let mut record = match read {
        Ok(record) => record,
        Err(malformed) => {
            return Outcome::Rejected(Reject {
                id: None,
                reason: "malformed line",
                detail: malformed.reason,
                place: Some(malformed.place),
                latex: String::new(),
            });
        }
    };
    if let Some(reason) = record.withheld() {
        return Outcome::Withheld(reason);
    }
    let layout = match &record.content {
        Content::Latex(latex) => layout::latex(latex),
        Content::Svg(svg) => layout::svg::parse(svg),
    };
    if let Content::Svg(_) = record.content {
        // A drawing is not kept, and may be large.
        record.content = Content::Latex(String::new());
    }
    match layout {
        Ok(layout) => {
            let encoded = encode(&layout, config);
            Outcome::Formula {
                fingerprint: layout.fingerprint(),
                norm: config.norm_of(formula_mass(&encoded, config)),
                tokens: encoded
                    .into_iter()
                    .map(|token| (token.key, token.word))
                    .collect(),
                layout: Some(layout).filter(|_| config.rerank > 0),
                record,
            }
        }
        Err(error) => Outcome::Rejected(rejected(record, &error)),
    }
}

fn rejected(record: Record, error: &LayoutError) -> Reject {
    Reject {
        latex: record.content.latex().to_owned(),
        id: Some(record.instance.id),
        reason: error.reason(),
        detail: error.to_string(),
        place: record.place,
    }
}

/// Takes outcomes in the order in which their records were read.
struct Collector<'a> {
    gathered: Gathered,
    ids: HashMap<TokenKey, u32>,
    options: &'a BuildOptions,
    ordinal: u64,
}

impl<'a> Collector<'a> {
    fn new(records: Sorter, options: &'a BuildOptions) -> Self {
        Collector {
            gathered: Gathered {
                records,
                keys: Vec::new(),
                patterns: PatternCounter::new(&options.config.regions),
                glyphs: Glyphs::default(),
                has_visual_ids: false,
                summary: Summary::default(),
            },
            ids: HashMap::new(),
            options,
            ordinal: 0,
        }
    }

    fn collect(
        &mut self,
        batches: Receiver<Vec<Outcome>>,
        on_reject: &mut (dyn FnMut(&Reject) + Send),
    ) -> io::Result<()> {
        for outcome in batches.into_iter().flatten() {
            let summary = &mut self.gathered.summary;
            summary.read += 1;
            match outcome {
                Outcome::Withheld(reason) => *summary.withheld.entry(reason).or_default() += 1,
                Outcome::Rejected(reject) => {
                    *summary.rejected.entry(reject.reason).or_default() += 1;
                    on_reject(&reject);
                }
                Outcome::Formula {
                    record,
                    fingerprint,
                    norm,
                    tokens,
                    layout,
                } => {
                    summary.indexed += 1;
                    self.formula(&record, fingerprint, norm, &tokens, layout.as_ref())?;
                }
            }
        }
        Ok(())
    }

    fn formula(
        &mut self,
        record: &Record,
        fingerprint: u128,
        norm: u32,
        tokens: &[(TokenKey, u128)],
        layout: Option<&Layout>,
    ) -> io::Result<()> {
        let visual_id = &record.instance.visual_id;
        let group = match (self.options.dedup, visual_id) {
            (Dedup::None, _) => u128::from(self.ordinal),
            (dedup, Some(visual_id)) if dedup.uses_visual_ids() => {
                xxh3_128(format!("visual id {visual_id}").as_bytes())
            }
            _ => fingerprint,
        };
        self.gathered.has_visual_ids |= visual_id.is_some();
        let mut key = group.to_be_bytes().to_vec();
        key.extend(self.ordinal.to_be_bytes());
        self.ordinal += 1;
        let mut value = Packer::default();
        value.instance(&record.instance);
        value.text(record.content.latex());
        let known = tokens
            .iter()
            .map(|(key, word)| (self.id(*key), *word))
            .collect::<Vec<_>>();
        for (_, word) in tokens {
            self.gathered.patterns.add(*word);
        }
        value.number(u64::from(norm));
        pack_tokens(&known, &mut value);
        let mut packed = Packer::default();
        if let Some(layout) = layout {
            self.gathered.glyphs.pack(layout, &mut packed);
        }
        value.bytes(&packed.0);
        self.gathered.records.push(&key, &value.0)
    }

    /// The number of a token, in the order in which tokens are first seen.
    fn id(&mut self, key: TokenKey) -> u32 {
        let next = self.gathered.keys.len() as u32;
        let id = *self.ids.entry(key).or_insert(next);
        if id == next {
            self.gathered.keys.push(key);
        }
        id
    }
}

/// A gathered record, unpacked.
pub(super) struct GatheredRecord {
    pub(super) instance: Instance,
    pub(super) latex: String,
    pub(super) norm: u32,
    pub(super) tokens: Vec<(u32, u128)>,
    /// Its layout, packed.
    pub(super) layout: Vec<u8>,
}

impl GatheredRecord {
    pub(super) fn unpack(bytes: &[u8]) -> Option<Self> {
        let mut unpacker = Unpacker(bytes);
        Some(GatheredRecord {
            instance: unpacker.instance()?,
            latex: unpacker.text()?,
            norm: u32::try_from(unpacker.number()?).ok()?,
            tokens: unpack_tokens(&mut unpacker)?,
            layout: unpacker.bytes()?.to_vec(),
        })
    }
}

pub(super) fn pack_tokens(tokens: &[(u32, u128)], packer: &mut Packer) {
    packer.number(tokens.len() as u64);
    for (id, word) in tokens {
        packer.number(u64::from(*id));
        let bytes = word.to_le_bytes();
        let used = 16 - (word.leading_zeros() / 8) as usize;
        packer.bytes(&bytes[..used]);
    }
}

pub(super) fn unpack_tokens(unpacker: &mut Unpacker) -> Option<Vec<(u32, u128)>> {
    let count = unpacker.number()?;
    (0..count)
        .map(|_| {
            let id = u32::try_from(unpacker.number()?).ok()?;
            let bytes = unpacker.bytes()?;
            let mut word = [0; 16];
            word.get_mut(..bytes.len())?.copy_from_slice(bytes);
            Some((id, u128::from_le_bytes(word)))
        })
        .collect()
}
