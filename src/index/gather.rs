//! Gathering: records are read, laid out on all cores, encoded and sorted by
//! what makes them equal.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

use super::build::{BuildOptions, Dedup, Progress, Reject, Stage, Summary};
use super::format::IndexError;
use super::spill::Sorter;
use super::store::{Packer, Unpacker};
use crate::corpus::{Content, CorpusError, Inputs, Instance, Read, Record};
use crate::layout::{self, LayoutError};
use crate::phoc::{PhocConfig, TokenKey, encode};

/// Records that are laid out together.
const BATCH: usize = 4096;

/// All records that can be indexed, by what makes them equal.
pub(super) struct Gathered {
    pub(super) records: Sorter,
    /// Token keys in the order in which they were first seen.
    pub(super) keys: Vec<TokenKey>,
    pub(super) summary: Summary,
}

/// What became of something read.
enum Outcome {
    Formula {
        record: Record,
        fingerprint: u128,
        tokens: Vec<(TokenKey, u128)>,
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
    let (to_layout, read) = sync_channel::<Result<Vec<Read>, CorpusError>>(4);
    let (to_collector, laid_out) = sync_channel::<Vec<Outcome>>(4);
    thread::scope(|scope| {
        scope.spawn(|| read_batches(inputs, to_layout, progress));
        let collector = scope.spawn(|| {
            let mut collector = Collector::new(sorter, options);
            match collector.collect(laid_out, on_reject) {
                Ok(()) => Ok(collector.gathered),
                Err(error) => Err(error),
            }
        });
        let laid_out = lay_out_batches(read, to_collector, &pool, &options.config, progress);
        let collected = match collector.join() {
            Ok(collected) => collected.map_err(failed),
            Err(panic) => std::panic::resume_unwind(panic),
        };
        laid_out.and(collected)
    })
}

fn read_batches(
    mut inputs: Inputs,
    to_layout: SyncSender<Result<Vec<Read>, CorpusError>>,
    progress: &Progress,
) {
    let bytes = inputs.bytes_read();
    loop {
        let batch: Result<Vec<Read>, CorpusError> = inputs.by_ref().take(BATCH).collect();
        progress
            .done
            .store(bytes.load(Ordering::Relaxed), Ordering::Relaxed);
        let is_last = !matches!(&batch, Ok(batch) if !batch.is_empty());
        if matches!(&batch, Ok(batch) if batch.is_empty())
            || to_layout.send(batch).is_err()
            || is_last
        {
            return;
        }
    }
}

fn lay_out_batches(
    read: Receiver<Result<Vec<Read>, CorpusError>>,
    to_collector: SyncSender<Vec<Outcome>>,
    pool: &rayon::ThreadPool,
    config: &PhocConfig,
    progress: &Progress,
) -> Result<(), IndexError> {
    for batch in read {
        let batch = batch?;
        let count = batch.len() as u64;
        let outcomes = pool.install(|| {
            batch
                .into_par_iter()
                .with_min_len(16)
                .map(|read| outcome(read, config))
                .collect()
        });
        progress.formulas.fetch_add(count, Ordering::Relaxed);
        if progress.stop.load(Ordering::Relaxed) {
            return Err(IndexError::Interrupted);
        }
        if to_collector.send(outcomes).is_err() {
            break;
        }
    }
    Ok(())
}

fn outcome(read: Read, config: &PhocConfig) -> Outcome {
    let record = match read {
        Ok(record) => record,
        Err(malformed) => {
            return Outcome::Rejected(Reject {
                id: String::new(),
                reason: "malformed line",
                detail: malformed.reason,
                place: malformed.place,
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
    match layout {
        Ok(layout) => Outcome::Formula {
            fingerprint: layout.fingerprint(),
            tokens: encode(&layout, config)
                .into_iter()
                .map(|token| (token.key, token.word))
                .collect(),
            record,
        },
        Err(error) => Outcome::Rejected(rejected(record, &error)),
    }
}

fn rejected(record: Record, error: &LayoutError) -> Reject {
    Reject {
        latex: record.content.latex().to_owned(),
        id: record.instance.id,
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
                    tokens,
                } => {
                    summary.indexed += 1;
                    self.formula(&record, fingerprint, &tokens)?;
                }
            }
        }
        Ok(())
    }

    fn formula(
        &mut self,
        record: &Record,
        fingerprint: u128,
        tokens: &[(TokenKey, u128)],
    ) -> io::Result<()> {
        let visual_id = &record.instance.visual_id;
        let group = match self.options.dedup {
            Dedup::None => u128::from(self.ordinal),
            Dedup::Auto | Dedup::VisualId if !visual_id.is_empty() => {
                xxh3_128(format!("visual id {visual_id}").as_bytes())
            }
            _ => fingerprint,
        };
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
        pack_tokens(&known, &mut value);
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
    pub(super) tokens: Vec<(u32, u128)>,
}

impl GatheredRecord {
    pub(super) fn unpack(bytes: &[u8]) -> Option<Self> {
        let mut unpacker = Unpacker(bytes);
        Some(GatheredRecord {
            instance: unpacker.instance()?,
            latex: unpacker.text()?,
            tokens: unpack_tokens(&mut unpacker)?,
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
