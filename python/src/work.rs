//! Work without the interpreter's lock, on threads of our own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors::{Raised, internal};

/// The stack of a thread: formulas nest, and other threads of Python may have little.
const STACK: usize = 8 << 20;
/// How often a build looks whether somebody pressed Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

/// The pool, and the process that it is of: a process that was forked has none of its threads.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

fn pool() -> PyResult<Arc<ThreadPool>> {
    let mut known = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if let Some((_, pool)) = known.as_ref().filter(|(of, _)| *of == process) {
        return Ok(Arc::clone(pool));
    }
    let pool = ThreadPoolBuilder::new()
        .stack_size(STACK)
        .thread_name(|number| format!("phocus-{number}"))
        .build()
        .map_err(|error| internal(&error.to_string()))?;
    let pool = Arc::new(pool);
    // The threads of a forked process's pool cannot be ended, since they are not there.
    std::mem::forget(known.replace((process, Arc::clone(&pool))));
    Ok(pool)
}

/// How many threads work at once.
pub fn threads() -> PyResult<usize> {
    Ok(pool()?.current_num_threads())
}

/// Does some work on the pool's threads, without the interpreter's lock.
pub fn apart<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Raised> + Send,
) -> PyResult<T> {
    let pool = pool()?;
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(|| pool.install(work))));
    Ok(done.map_err(|_| internal("it panicked"))??)
}

/// Does some work on a thread of its own, without the interpreter's lock. Ctrl-C sets `stop` and
/// is raised when the work has ended.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    work: impl FnOnce() -> Result<T, Raised> + Send,
) -> PyResult<T> {
    let (sender, receiver) = mpsc::channel();
    let receiver = Mutex::new(receiver);
    thread::scope(|scope| {
        let worker = move || {
            let _ = sender.send(catch_unwind(AssertUnwindSafe(work)));
        };
        thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, worker)
            .map_err(|error| internal(&error.to_string()))?;
        let mut interrupted = None;
        let wait = || {
            let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
            receiver.recv_timeout(LOOK)
        };
        let done = loop {
            match py.detach(wait) {
                Ok(done) => break done,
                Err(mpsc::RecvTimeoutError::Disconnected) => return Err(internal("it panicked")),
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    if interrupted.is_none()
                        && let Err(signal) = py.check_signals()
                    {
                        stop.store(true, Ordering::Relaxed);
                        interrupted = Some(signal);
                    }
                }
            }
        };
        match (interrupted, done) {
            (Some(signal), _) => Err(signal),
            (None, Ok(done)) => Ok(done?),
            (None, Err(_)) => Err(internal("it panicked")),
        }
    })
}

/// Answers many requests on all cores, some at a time, and lets Ctrl-C end it in between.
pub fn in_chunks<Q: Sync, A: Send>(
    py: Python<'_>,
    requests: &[Q],
    answer: impl Fn(&[Q]) -> Result<Vec<A>, Raised> + Sync,
) -> PyResult<Vec<A>> {
    let chunk = CHUNK * threads()?;
    let mut answers = Vec::with_capacity(requests.len());
    for requests in requests.chunks(chunk) {
        answers.extend(apart(py, || answer(requests))?);
        py.check_signals()?;
    }
    Ok(answers)
}

/// How many requests a thread answers before it is seen whether somebody pressed Ctrl-C.
const CHUNK: usize = 16;
