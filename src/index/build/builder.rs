//! The builder of an index.

use std::fmt;
use std::io::{self, BufWriter, Cursor};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::Instant;

use rayon::ThreadPool;

use super::collector::Collector;
use super::error::StageError;
use super::ingest::{MAX_BATCH, batch_bytes, ingest, lay_out};
use super::layouts::Layouts;
use super::options::{BuildOptions, Dedup};
use super::summary::{Reject, Summary, nothing_indexed};
use super::write::write_index;
use super::writer::Target;
use crate::atomic_file;
use crate::corpus::{Inputs, LinkTemplate, ReadResult, Record};
use crate::index::Index;
use crate::index::format::IndexError;
use crate::phoc::PhocConfig;
use crate::progress::{Progress, Stage};
use crate::seen;

/// Builds an index of records, in a file or in memory.
///
/// ```
/// use phocus::corpus::Record;
/// use phocus::index::IndexBuilder;
/// use phocus::phoc::PhocConfig;
///
/// let mut builder = IndexBuilder::new(PhocConfig::default());
/// builder.add(Record::latex("1".parse()?, "a^2+b^2=c^2"))?;
/// builder.add(Record::latex("2".parse()?, "\\int_0^1 x\\,dx"))?;
/// let index = builder.finish_in_memory()?;
/// assert_eq!(index.formulas(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Records are laid out on all cores and kept with bounded memory. The same records in the same
/// order give the same bytes for any number of threads, any amount of memory, and whether they are
/// added one by one or from files.
pub struct IndexBuilder<'a> {
    options: BuildOptions,
    progress: Arc<Progress>,
    on_reject: Box<dyn FnMut(&Reject) + Send + 'a>,
    started: Instant,
    /// Records that are still to be laid out, and the length of their sources.
    pending: Vec<ReadResult>,
    pending_bytes: usize,
    /// The worker threads, which start with the first record.
    work: Option<Workers>,
    /// What was read of documents, for the next build, and the file to write it to.
    seen: Option<(PathBuf, Vec<u8>)>,
    /// Whether records were lost to an error.
    is_broken: bool,
}

/// The threads of a builder, and the records that they have encoded.
struct Workers {
    pool: ThreadPool,
    collector: Collector,
}

impl fmt::Debug for IndexBuilder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IndexBuilder")
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl<'a> IndexBuilder<'a> {
    /// A builder of indexes with this configuration, with a GiB of memory and all cores.
    pub fn new(config: PhocConfig) -> Self {
        IndexBuilder {
            options: BuildOptions::new(config),
            progress: Arc::default(),
            on_reject: Box::new(|_| {}),
            started: Instant::now(),
            pending: Vec::new(),
            pending_bytes: 0,
            work: None,
            seen: None,
            is_broken: false,
        }
    }

    /// Sets which records are merged into one formula.
    #[must_use]
    pub fn dedup(mut self, dedup: Dedup) -> Self {
        self.options.dedup = dedup;
        self
    }

    /// Sets about how many bytes of memory to use; at least 32 MiB. The rest goes to temporary
    /// files.
    #[must_use]
    pub fn memory(mut self, bytes: usize) -> Self {
        self.options.set_memory(bytes);
        self
    }

    /// Sets the number of threads that lay formulas out; 0 is one a core.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.options.threads = threads;
        self
    }

    /// Puts temporary files into this folder. Without it, those of the records go where the
    /// system has such files, and those of the index beside it.
    #[must_use]
    pub fn scratch(mut self, folder: impl Into<PathBuf>) -> Self {
        self.options.scratch = folder.into();
        self
    }

    /// Sets how the addresses of occurrences are made, such as
    /// `https://math.stackexchange.com/q/{post}`.
    #[must_use]
    pub fn link(mut self, template: LinkTemplate) -> Self {
        self.options.link = Some(template);
        self
    }

    /// Shows others how far the work is, and lets them stop it.
    #[must_use]
    pub fn progress(mut self, progress: Arc<Progress>) -> Self {
        self.progress = progress;
        self
    }

    /// Calls `each` with every record that cannot be indexed. Without it they are only counted,
    /// in the [`Summary`].
    #[must_use]
    pub fn on_reject(mut self, each: impl FnMut(&Reject) + Send + 'a) -> Self {
        self.on_reject = Box::new(each);
        self
    }

    /// Adds a record. Records are laid out some thousands at a time, so an error or a reject may
    /// be that of an earlier record.
    ///
    /// # Errors
    /// When a temporary file cannot be written, or the work was stopped. The builder
    /// cannot be used after that. A record that cannot be laid out is no error but a [`Reject`].
    pub fn add(&mut self, record: Record) -> Result<(), IndexError> {
        self.pending_bytes += record.bytes();
        self.pending.push(Ok(record));
        if self.pending.len() >= MAX_BATCH || self.pending_bytes >= batch_bytes(&self.options) {
            self.lay_out_pending()?;
        }
        Ok(())
    }

    /// Adds all records of some files.
    ///
    /// # Errors
    /// As [`add`](Self::add), and when an input cannot be read.
    pub fn add_all(&mut self, inputs: Inputs) -> Result<(), IndexError> {
        self.lay_out_pending()?;
        let total = inputs.total_bytes().unwrap_or(0);
        self.progress.begin(Stage::Reading, total);
        let progress = Arc::clone(&self.progress);
        let (besides, kept) = (inputs.besides(), inputs.besides());
        if let Some(path) = inputs.seen_before() {
            let bytes = self.options.memory() / 8;
            self.options.layouts = Some(Arc::new(Layouts::open(path, bytes)));
        }
        self.working(|options, work, on_reject| {
            let Workers { pool, collector } = work;
            ingest(inputs, options, pool, collector, on_reject, &progress)?;
            let besides = besides.lock().unwrap_or_else(PoisonError::into_inner);
            collector.summary.skip(&besides.skipped);
            collector.macros.join(&besides.macros);
            Ok(())
        })?;
        let mut besides = kept.lock().unwrap_or_else(PoisonError::into_inner);
        self.seen = besides.seen.take();
        Ok(())
    }

    /// Writes the index to a file, which is replaced at the very end or left as it was.
    ///
    /// # Errors
    /// When no record can be indexed, the file cannot be written, or the work was stopped.
    pub fn finish(mut self, path: &Path) -> Result<Summary, IndexError> {
        let (seen, layouts) = (self.seen.take(), self.options.layouts.clone());
        let failed = |reason| StageError::Io(reason).of(path);
        let file = atomic_file::temporary_beside(path).map_err(failed)?;
        let mut file = BufWriter::with_capacity(1 << 20, file);
        let summary = self.write(atomic_file::folder_of(path), &mut file, path)?;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error);
        file.and_then(|file| atomic_file::name_finished(file, path))
            .map_err(failed)?;
        if let Some(((path, documents), layouts)) = seen.zip(layouts) {
            // The index is complete. What is not kept is read again the next time.
            let _ = seen::write(&path, &documents, &layouts.written());
        }
        Ok(summary)
    }

    /// Makes the index in memory: the same bytes that [`finish`](Self::finish) writes, not in a
    /// file. It is meant for small collections.
    ///
    /// # Errors
    /// When no record can be indexed, a temporary file cannot be written, or the work was stopped.
    pub fn finish_in_memory(self) -> Result<Index, IndexError> {
        let mut bytes = Cursor::new(Vec::new());
        let scratch = self.options.scratch.clone();
        self.write(&scratch, &mut bytes, &scratch)?;
        Index::from_bytes(&bytes.into_inner())
    }

    fn write(
        mut self,
        scratch: &Path,
        out: &mut dyn Target,
        path: &Path,
    ) -> Result<Summary, IndexError> {
        self.lay_out_pending()?;
        if self.is_broken {
            return Err(IndexError::Incomplete);
        }
        let Some(Workers { mut collector, .. }) = self.work else {
            return Err(IndexError::NoFormulas(nothing_indexed(&Summary::default())));
        };
        collector.summary.mostly_rejected = collector.files.finish();
        if collector.summary.indexed == 0 {
            return Err(IndexError::NoFormulas(nothing_indexed(&collector.summary)));
        }
        if self.options.dedup == Dedup::VisualId && !collector.has_visual_ids {
            return Err(IndexError::NoVisualIds);
        }
        let mut summary = write_index(collector, &self.options, scratch, out, &self.progress)
            .map_err(|error| error.of(path))?;
        summary.seconds = self.started.elapsed().as_secs_f64();
        Ok(summary)
    }

    fn lay_out_pending(&mut self) -> Result<(), IndexError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let batch = std::mem::take(&mut self.pending);
        self.pending_bytes = 0;
        let progress = Arc::clone(&self.progress);
        self.working(|options, work, on_reject| {
            if progress.is_stopped() {
                return Err(IndexError::Interrupted.into());
            }
            let outcomes = lay_out(batch, options, &work.pool, &progress);
            Ok(work.collector.collect(outcomes, on_reject)?)
        })
    }

    /// Does some work; an error leaves the builder broken.
    fn working(
        &mut self,
        work: impl FnOnce(
            &BuildOptions,
            &mut Workers,
            &mut (dyn FnMut(&Reject) + Send),
        ) -> Result<(), StageError>,
    ) -> Result<(), IndexError> {
        let is_broken = std::mem::replace(&mut self.is_broken, true);
        if is_broken {
            return Err(IndexError::Incomplete);
        }
        let worker = match &mut self.work {
            Some(worker) => worker,
            None => self.work.insert(Workers::new(&self.options)?),
        };
        work(&self.options, worker, &mut *self.on_reject)
            .map_err(|error| error.of(&self.options.scratch))?;
        self.is_broken = false;
        Ok(())
    }
}

impl Workers {
    fn new(options: &BuildOptions) -> Result<Self, IndexError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(options.threads)
            .build()
            .map_err(|error| IndexError::Threads(error.to_string()))?;
        Ok(Workers {
            pool,
            collector: Collector::new(options),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    fn sample() -> Inputs {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data-sample/formulas");
        Inputs::new(&[folder], None).unwrap()
    }

    fn builder<'a>() -> IndexBuilder<'a> {
        IndexBuilder::new(PhocConfig::default())
    }

    #[test]
    fn files_and_records_in_a_file_and_in_memory_give_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sample.phoc");
        let mut from_files = builder();
        from_files.add_all(sample()).unwrap();
        let summary = from_files.finish(&path).unwrap();
        let expected = std::fs::read(&path).unwrap();
        assert_eq!(summary.bytes, expected.len() as u64);
        for threads in [0, 1] {
            let mut one_by_one = builder().threads(threads);
            for read in sample() {
                one_by_one.add(read.unwrap().unwrap()).unwrap();
            }
            let index = one_by_one.finish_in_memory().unwrap();
            assert!(index.as_bytes() == expected, "{threads} threads");
            index.verify().unwrap();
        }
        let mut to_file = builder();
        for read in sample() {
            to_file.add(read.unwrap().unwrap()).unwrap();
        }
        to_file.finish(&path).unwrap();
        assert!(std::fs::read(&path).unwrap() == expected);
    }

    #[test]
    fn rejected_records_are_told_and_counted() {
        let mut told = Vec::new();
        let mut builder = builder().on_reject(|reject| told.push(reject.clone()));
        for (id, latex) in [("1", "x+1"), ("2", ""), ("3", "y")] {
            let record = Record::latex(id.parse().unwrap(), latex);
            builder.add(record).unwrap();
        }
        let folder = tempfile::tempdir().unwrap();
        let summary = builder.finish(&folder.path().join("some.phoc")).unwrap();
        assert_eq!((summary.read, summary.indexed), (3, 2));
        assert_eq!(summary.rejected.values().sum::<u64>(), 1);
        assert_eq!(told.len(), 1);
        assert_eq!(told[0].id.as_ref().unwrap(), &"2");
    }

    #[test]
    fn a_builder_that_lost_records_makes_no_index() {
        let progress = Arc::new(Progress::default());
        progress.stop.store(true, Ordering::Relaxed);
        let mut stopped = builder().progress(Arc::clone(&progress));
        let error = stopped.add_all(sample()).unwrap_err();
        assert!(matches!(error, IndexError::Interrupted), "{error}");
        progress.stop.store(false, Ordering::Relaxed);
        let record = Record::latex("1".parse().unwrap(), "x");
        stopped.add(record).unwrap();
        let error = stopped.finish_in_memory().unwrap_err();
        assert!(matches!(error, IndexError::Incomplete), "{error}");
        let error = builder().finish_in_memory().unwrap_err();
        assert!(matches!(error, IndexError::NoFormulas(_)), "{error}");
    }
}
