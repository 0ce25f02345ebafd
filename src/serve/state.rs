//! The state that all requests share: indexes, limits and counts.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;

use super::error::ApiError;
use super::log::Log;
use super::metrics::Metrics;
use super::paths;
use crate::index::Index;
use crate::search::{Request, Searcher};

/// Limits of a single request, and of all requests together.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The longest query, in bytes.
    pub query: usize,
    /// The largest number of results.
    pub k: usize,
    /// The largest number of simultaneous searches; further requests wait.
    pub searches: usize,
    /// The longest time that a request may wait, and that it may then work.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            query: 4096,
            k: 1000,
            searches: 2 * rayon::current_num_threads(),
            time: Duration::from_secs(10),
        }
    }
}

/// An index and the name by which requests ask for it.
#[derive(Debug)]
pub struct NamedIndex {
    /// Its name.
    pub name: String,
    /// Its searcher.
    pub searcher: Searcher,
}

impl NamedIndex {
    /// An index under a name.
    pub fn new(name: String, searcher: Searcher) -> Self {
        NamedIndex { name, searcher }
    }

    pub(super) fn index(&self) -> &Index {
        self.searcher.index()
    }
}

/// The state that all requests share.
#[derive(Debug)]
pub struct State {
    /// The first is the default.
    pub(super) indexes: Vec<NamedIndex>,
    pub(super) limits: Limits,
    pub(super) metrics: Metrics,
    searches: Arc<Semaphore>,
    pub(super) log: Log,
}

impl State {
    /// Serves these indexes, at least one; `log` is called for each answered request.
    pub fn new(indexes: Vec<NamedIndex>, limits: Limits, log: Log) -> Self {
        State {
            indexes,
            limits,
            metrics: Metrics::new(paths()),
            searches: Arc::new(Semaphore::new(limits.searches.max(1))),
            log,
        }
    }

    /// Searches every index once, so that the first request does not wait for fonts and pages to
    /// be read.
    pub fn warm_up(&self) {
        for served in &self.indexes {
            // Damage of an index is reported to the request that finds it.
            let _ = served.searcher.search(&Request::latex("x").threads(1));
        }
    }

    /// Does work on a thread of its own, as soon as the limit of simultaneous searches allows it.
    ///
    /// # Errors
    /// When the work fails, or when it waits or works for too long.
    pub(super) async fn work<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&State) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let limit = self.limits.time;
        let permit = tokio::time::timeout(limit, Arc::clone(&self.searches).acquire_owned());
        let Ok(Ok(permit)) = permit.await else {
            return Err(ApiError::busy("too many searches at once; try again"));
        };
        let state = Arc::clone(self);
        let done = tokio::task::spawn_blocking(move || {
            let answer = work(&state);
            drop(permit);
            answer
        });
        match tokio::time::timeout(limit, done).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(ApiError::failed("the search failed")),
            Err(_) => Err(ApiError::busy("the search takes too long")),
        }
    }

    /// How many threads a search may use: all of them if no other search is running, else one.
    pub(super) fn threads(&self) -> usize {
        let is_alone = self.searches.available_permits() + 1 >= self.limits.searches;
        if is_alone {
            rayon::current_num_threads()
        } else {
            1
        }
    }
}
