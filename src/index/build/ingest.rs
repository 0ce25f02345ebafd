//! Ingesting: records are laid out and encoded on all cores.

use std::io;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use rayon::ThreadPool;
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

use super::collector::{Collector, EncodedRecord, RecordOutcome};
use super::error::StageError;
use super::options::{BuildOptions, Dedup};
use super::summary::Reject;
use crate::corpus::{Content, CorpusError, Inputs, ReadResult, Record, Text};
use crate::index::format::IndexError;
use crate::layout::{self, Layout, LayoutError};
use crate::phoc::{encode, formula_mass};
use crate::progress::Progress;

/// The largest number of records that are laid out together.
pub(super) const MAX_BATCH: usize = 4096;
/// Batches have at least this many bytes, however little memory there is.
const MIN_BATCH_BYTES: usize = 1 << 18;

/// How long to wait for input before looking whether to stop.
const PATIENCE: Duration = Duration::from_millis(50);

/// A batch ends with the record that brings it to this many bytes.
pub(super) fn batch_bytes(options: &BuildOptions) -> usize {
    (options.memory() / 64).max(MIN_BATCH_BYTES)
}

/// Lays records out, on all threads of `pool`.
pub(super) fn lay_out(
    batch: Vec<ReadResult>,
    options: &BuildOptions,
    pool: &ThreadPool,
    progress: &Progress,
) -> Vec<RecordOutcome> {
    let count = batch.len() as u64;
    progress.formulas.fetch_add(count, Ordering::Relaxed);
    let reads = batch.into_par_iter().with_min_len(16);
    pool.install(|| reads.map(|read| outcome(read, options)).collect())
}

/// Ingests all records of files: reads them on one thread, lays them out on all, collects them
/// on another.
pub(super) fn ingest(
    inputs: Inputs,
    options: &BuildOptions,
    pool: &ThreadPool,
    collector: &mut Collector,
    on_reject: &mut (dyn FnMut(&Reject) + Send),
    progress: &Progress,
) -> Result<(), StageError> {
    let bytes = inputs.bytes_read();
    let max_bytes = batch_bytes(options);
    let (to_layout, read) = sync_channel::<Batch>(4);
    let (to_collector, laid_out) = sync_channel::<LaidOut>(4);
    collector.texts.begin_inputs();
    // Not within the scope: a build that is stopped does not wait for an
    // input that never ends.
    thread::spawn(move || read_batches(inputs, &to_layout, max_bytes));
    thread::scope(|scope| {
        let collecting = scope.spawn(move || -> io::Result<()> {
            let mut batches = laid_out.into_iter();
            batches.try_for_each(|batch| {
                let mut texts = batch.texts.iter();
                texts.try_for_each(|text| collector.texts.push(text))?;
                collector.collect(batch.outcomes, on_reject)
            })
        });
        let work = |batch: ReadBatch| {
            let done = bytes.load(Ordering::Relaxed);
            progress.done.store(done, Ordering::Relaxed);
            LaidOut {
                outcomes: lay_out(batch.records, options, pool, progress),
                texts: batch.texts,
            }
        };
        let laid_out = lay_out_batches(&read, &to_collector, work, progress);
        drop(to_collector);
        let collected = match collecting.join() {
            Ok(collected) => collected,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        laid_out?;
        Ok(collected?)
    })
}

/// Records that were read together, and the texts that were completed meanwhile.
#[derive(Default)]
struct ReadBatch {
    records: Vec<ReadResult>,
    texts: Vec<Text>,
}

impl ReadBatch {
    fn is_empty(&self) -> bool {
        self.records.is_empty() && self.texts.is_empty()
    }
}

/// A batch whose records are laid out.
struct LaidOut {
    outcomes: Vec<RecordOutcome>,
    texts: Vec<Text>,
}

/// A batch, or why no more can be read.
type Batch = Result<ReadBatch, CorpusError>;

/// Sends batches, an empty one at the end.
fn read_batches(mut inputs: Inputs, to_layout: &SyncSender<Batch>, max_bytes: usize) {
    loop {
        let batch = next_batch(&mut inputs, max_bytes);
        let is_last = batch.as_ref().map_or(true, ReadBatch::is_empty);
        if to_layout.send(batch).is_err() || is_last {
            return;
        }
    }
}

fn next_batch(inputs: &mut Inputs, max_bytes: usize) -> Batch {
    let mut records = Vec::new();
    let mut bytes = 0;
    while records.len() < MAX_BATCH && bytes < max_bytes {
        let Some(read) = inputs.next().transpose()? else {
            break;
        };
        bytes += read.as_ref().map_or(0, Record::bytes);
        records.push(read);
    }
    Ok(ReadBatch {
        records,
        texts: inputs.take_texts(),
    })
}

fn lay_out_batches(
    read: &Receiver<Batch>,
    to_collector: &SyncSender<LaidOut>,
    lay_out: impl Fn(ReadBatch) -> LaidOut,
    progress: &Progress,
) -> Result<(), IndexError> {
    loop {
        if progress.is_stopped() {
            return Err(IndexError::Interrupted);
        }
        let outcomes = match read.recv_timeout(PATIENCE) {
            Ok(Ok(batch)) if batch.is_empty() => return Ok(()),
            Ok(batch) => lay_out(batch?),
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return Err(IndexError::ReaderFailed),
        };
        // The collector has failed, and says why.
        if to_collector.send(outcomes).is_err() {
            return Ok(());
        }
    }
}

fn outcome(read: ReadResult, options: &BuildOptions) -> RecordOutcome {
    let mut record = match read {
        Ok(record) => record,
        Err(malformed) => {
            return RecordOutcome::Rejected(Reject {
                id: None,
                reason: "malformed",
                detail: malformed.reason,
                place: Some(malformed.place),
                latex: String::new(),
            });
        }
    };
    if let Some(reason) = record.withheld() {
        return RecordOutcome::Withheld(reason);
    }
    let layout = match &record.content {
        Content::Latex(latex) => match &options.layouts {
            Some(layouts) if is_kept(&record) => layouts.latex(latex),
            _ => layout::latex(latex),
        },
        Content::Svg(svg) => layout::svg::parse(svg),
    };
    if let Content::Svg(_) = record.content {
        // The text of a drawing is not stored, and may be large.
        record.content = Content::Latex(String::new());
    }
    match layout {
        Ok(layout) => RecordOutcome::Formula(Box::new(encoded(record, layout, options))),
        Err(error) => RecordOutcome::Rejected(rejected(record, &error)),
    }
}

/// Whether a record is kept for the next build: those of documents are, those of lists and of
/// dumps, whose documents have ids, may be millions.
fn is_kept(record: &Record) -> bool {
    record.instance.post.is_none() && record.instance.place().is_some()
}

fn encoded(record: Record, layout: Layout, options: &BuildOptions) -> EncodedRecord {
    let config = &options.config;
    let encoded = encode(&layout, config);
    EncodedRecord {
        group: group(&record, &layout, options.dedup),
        norm: config.norm_of(formula_mass(&encoded, config)),
        tokens: encoded
            .into_iter()
            .map(|token| (token.key, token.word))
            .collect(),
        layout: Some(layout).filter(|_| config.rerank > 0),
        record,
    }
}

/// The key that equal records share; none where every record is a formula of its own.
fn group(record: &Record, layout: &Layout, dedup: Dedup) -> Option<u128> {
    match (dedup, &record.instance.visual_id) {
        (Dedup::None, _) => None,
        (dedup, Some(visual_id)) if dedup.uses_visual_ids() => {
            Some(xxh3_128(format!("visual id {visual_id}").as_bytes()))
        }
        _ => Some(layout.fingerprint()),
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
