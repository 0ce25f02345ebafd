//! Building an index.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use phocus::corpus::{Format, FormulaId, InputOptions, Inputs, Record};
use phocus::index::{Dedup, IndexBuilder, Progress, Reject};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::errors::{Raised, busy};
use crate::formulas::parsed;
use crate::work::interruptible;

/// Records wait for so many others before they are laid out, or for so many bytes.
const MAX_WAITING: usize = 4096;
const MAX_BYTES: usize = 1 << 24;
/// The most rejects that are listed; the summary counts all.
const MAX_REJECTS: usize = 100_000;

/// A builder of an index.
#[pyclass(frozen, module = "phocus._phocus")]
pub struct Builder {
    building: Mutex<Option<Building>>,
    progress: Arc<Progress>,
    rejects: Arc<Mutex<Vec<Value>>>,
}

struct Building {
    builder: IndexBuilder<'static>,
    waiting: Vec<Record>,
    bytes: usize,
}

impl Building {
    fn add_waiting(&mut self) -> Result<(), Raised> {
        self.bytes = 0;
        for record in std::mem::take(&mut self.waiting) {
            self.builder.add(record)?;
        }
        Ok(())
    }
}

#[pymethods]
impl Builder {
    #[new]
    fn new(
        config: &str,
        memory: usize,
        threads: usize,
        dedup: &str,
        link: Option<&str>,
    ) -> PyResult<Self> {
        let dedup: Dedup = dedup.parse().map_err(Raised::argument)?;
        let progress = Arc::new(Progress::default());
        let rejects: Arc<Mutex<Vec<Value>>> = Arc::default();
        let told = Arc::clone(&rejects);
        let mut builder = IndexBuilder::new(parsed(config)?)
            .memory(memory)
            .threads(threads)
            .dedup(dedup)
            .progress(Arc::clone(&progress))
            .on_reject(move |reject| tell(&told, reject));
        if let Some(link) = link {
            builder = builder.link(link.parse().map_err(Raised::argument)?);
        }
        let building = Building {
            builder,
            waiting: Vec::new(),
            bytes: 0,
        };
        Ok(Builder {
            building: Mutex::new(Some(building)),
            progress,
            rejects,
        })
    }

    /// Adds a record.
    #[expect(clippy::too_many_arguments, reason = "each is a column of a record")]
    fn add(
        &self,
        py: Python<'_>,
        id: String,
        latex: String,
        visual_id: Option<String>,
        post: Option<String>,
        thread: Option<String>,
        kind: Option<String>,
        fields: Vec<(String, String)>,
    ) -> PyResult<()> {
        let id: FormulaId = id.parse().map_err(Raised::argument)?;
        let mut record = Record::latex(id, latex);
        let instance = &mut record.instance;
        let visual_id = visual_id.map(|id| id.parse()).transpose();
        instance.visual_id = visual_id.map_err(Raised::argument)?;
        let post = post.map(|id| id.parse()).transpose();
        instance.post = post.map_err(Raised::argument)?;
        (instance.thread, instance.kind) = (thread, kind);
        instance.fields = fields;
        self.working(py, |building| {
            building.bytes += record.content.source().len();
            building.waiting.push(record);
            if building.waiting.len() < MAX_WAITING && building.bytes < MAX_BYTES {
                return Ok(());
            }
            interruptible(py, &self.progress.stop, || building.add_waiting())
        })
    }

    /// Adds all records of some files.
    fn add_files(
        &self,
        py: Python<'_>,
        paths: Vec<PathBuf>,
        format: Option<&str>,
        texts: bool,
        hidden: bool,
        ignored: bool,
    ) -> PyResult<()> {
        let format: Option<Format> =
            (format.map(str::parse).transpose()).map_err(Raised::argument)?;
        let mut options = InputOptions::from(format);
        options.texts = texts;
        options.selection.hidden = hidden;
        options.selection.ignored = ignored;
        self.working(py, |building| {
            interruptible(py, &self.progress.stop, || {
                let inputs = Inputs::new(&paths, options)?;
                building.add_waiting()?;
                Ok(building.builder.add_all(inputs)?)
            })
        })
    }

    /// Writes the index.
    fn finish(&self, py: Python<'_>, path: PathBuf) -> PyResult<String> {
        let mut building = self.free()?;
        let mut building = building.take().ok_or_else(closed)?;
        let summary = interruptible(py, &self.progress.stop, move || {
            building.add_waiting()?;
            Ok(building.builder.finish(&path)?)
        })?;
        crate::json(&summary)
    }

    /// Ends the build; what was added is lost.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let building = self.free()?.take();
        py.detach(|| drop(building));
        Ok(())
    }

    /// How many records were laid out so far.
    fn laid_out(&self) -> u64 {
        self.progress.formulas.load(Ordering::Relaxed)
    }

    /// The records that are not in the index.
    fn rejects(&self) -> PyResult<String> {
        let rejects = self.rejects.lock().unwrap_or_else(PoisonError::into_inner);
        crate::json(&*rejects)
    }
}

impl Builder {
    /// Does some work at the build. A build that was stopped is ended, with its temporary files.
    fn working(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Building) -> PyResult<()>,
    ) -> PyResult<()> {
        let mut building = self.free()?;
        let done = work(building.as_mut().ok_or_else(closed)?);
        if self.progress.stop.load(Ordering::Relaxed) {
            let stopped = building.take();
            py.detach(|| drop(stopped));
        }
        done
    }

    /// The build, if no other thread works at it: to wait for one would stop both, since that
    /// one needs the interpreter's lock.
    fn free(&self) -> PyResult<MutexGuard<'_, Option<Building>>> {
        let building = self.building.try_lock();
        building.map_err(|_| {
            busy("another thread is using this builder; a builder is for one thread at a time")
        })
    }
}

fn closed() -> PyErr {
    Raised::argument("this builder is finished or closed; make another one").into()
}

fn tell(told: &Mutex<Vec<Value>>, reject: &Reject) {
    let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
    if told.len() < MAX_REJECTS {
        let place = reject.place.as_ref();
        told.push(json!({
            "id": reject.id, "reason": reject.reason, "detail": reject.detail,
            "latex": reject.latex, "file": place.map(|place| place.file.display().to_string()),
            "line": place.map(|place| place.line),
        }));
    }
}
