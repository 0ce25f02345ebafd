//! Lanes: requests wait for others of their kind only.
//!
//! A search that re-ranks and returns a thousand results is work for a tenth of a second, a
//! completion for some milliseconds. Each kind of work has places of its own, so that
//! completions never wait behind searches; in a lane, who came first goes first. A request that
//! would wait longer than the limit is refused as soon as it comes, and so is one that finds its
//! lane full: whoever waits holds a connection, and half of these are for other kinds. One whose
//! client goes away leaves the queue, because waiting ends with the connection.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::error::ApiError;
use super::metrics::Times;

/// A kind of work, and so a lane.
#[derive(Debug, Clone, Copy)]
pub(super) enum Work {
    /// Searching.
    Search,
    /// Completing what is being typed.
    Completion,
    /// Pictures, and what is known of single formulas.
    Formula,
}

/// Why a request was not done.
#[derive(Debug, Clone, Copy)]
pub(super) enum Refused {
    /// So many waited that its turn would not have come in time, or that there was no room.
    AtOnce,
    /// It waited for too long.
    Waited,
    /// It worked for too long.
    Worked,
}

impl Refused {
    pub(super) const ALL: [(Refused, &'static str); 3] = [
        (Refused::AtOnce, "at-once"),
        (Refused::Waited, "waited"),
        (Refused::Worked, "worked"),
    ];
}

/// The places for one kind of work, and who waits for them.
#[derive(Debug)]
pub(super) struct Lane {
    pub(super) name: &'static str,
    pub(super) places: usize,
    free: Arc<Semaphore>,
    waiting: AtomicUsize,
    /// How many requests there may be, those that are worked on included.
    most: AtomicUsize,
    /// A moving mean of the time that the work takes, in nanoseconds.
    mean: AtomicU64,
    refused: [AtomicU64; Refused::ALL.len()],
    waits: Mutex<Times>,
}

/// A place in a lane; it is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Place {
    lane: Arc<Lane>,
    since: Instant,
    _permit: OwnedSemaphorePermit,
}

/// A request that waits; it no longer does when this is dropped.
struct Waiting<'a>(&'a Lane);

impl Lane {
    pub(super) fn new(name: &'static str, places: usize) -> Arc<Self> {
        let places = places.max(1);
        Arc::new(Lane {
            name,
            places,
            free: Arc::new(Semaphore::new(places)),
            waiting: AtomicUsize::new(0),
            most: AtomicUsize::new(usize::MAX),
            mean: AtomicU64::new(0),
            refused: Default::default(),
            waits: Mutex::default(),
        })
    }

    /// Lets no more requests than this in from now on, at least one.
    pub(super) fn limit(&self, most: usize) {
        self.most.store(most.max(1), Relaxed);
    }

    /// Waits for a place, at most so long.
    ///
    /// # Errors
    /// When it takes longer, or would, or there are as many requests as there may be.
    pub(super) async fn enter(self: &Arc<Self>, limit: Duration) -> Result<Place, ApiError> {
        let expected = self.expected_wait();
        // Two that come at once may both find the last room: one too many does no harm.
        let is_full = self.waiting() + self.working() >= self.most.load(Relaxed);
        if is_full || expected > limit {
            self.refuse(Refused::AtOnce);
            return Err(self.busy(expected));
        }
        let came = Instant::now();
        let waiting = Waiting::new(self);
        let permit = tokio::time::timeout(limit, Arc::clone(&self.free).acquire_owned()).await;
        drop(waiting);
        let Ok(Ok(permit)) = permit else {
            self.refuse(Refused::Waited);
            return Err(self.busy(self.expected_wait()));
        };
        let since = Instant::now();
        let mut waits = self.waits.lock().unwrap_or_else(PoisonError::into_inner);
        waits.add(since - came);
        Ok(Place {
            lane: Arc::clone(self),
            since,
            _permit: permit,
        })
    }

    /// How long a request would wait that came now.
    fn expected_wait(&self) -> Duration {
        let turns = self.waiting().div_ceil(self.places) as u64;
        Duration::from_nanos(self.mean.load(Relaxed).saturating_mul(turns))
    }

    fn busy(&self, wait: Duration) -> ApiError {
        let seconds = wait.as_secs() + 1;
        let message = format!(
            "too many requests at once: {} wait for one of {} places; try again in {seconds} s",
            self.waiting(),
            self.places
        );
        ApiError::busy(message).retry_after(seconds)
    }

    pub(super) fn refuse(&self, why: Refused) {
        self.refused[why as usize].fetch_add(1, Relaxed);
    }

    pub(super) fn refused(&self, why: Refused) -> u64 {
        self.refused[why as usize].load(Relaxed)
    }

    /// How many requests wait for a place.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.load(Relaxed)
    }

    /// How many places are taken.
    pub(super) fn working(&self) -> usize {
        self.places - self.free.available_permits()
    }

    pub(super) fn waits(&self) -> Times {
        *self.waits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a time that work took.
    pub(super) fn learn(&self, took: Duration) {
        let took = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        let mean = self.mean.load(Relaxed);
        // Where two learn at once, one of them is lost, which a mean can bear.
        let mean = if mean == 0 {
            took
        } else {
            mean - mean / 8 + took / 8
        };
        self.mean.store(mean, Relaxed);
    }
}

impl<'a> Waiting<'a> {
    fn new(lane: &'a Lane) -> Self {
        lane.waiting.fetch_add(1, Relaxed);
        Waiting(lane)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Relaxed);
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.lane.learn(self.since.elapsed());
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn runtime() -> tokio::runtime::Runtime {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        runtime.enable_time().build().unwrap()
    }

    fn polled<F: Future>(future: std::pin::Pin<&mut F>) -> Poll<F::Output> {
        future.poll(&mut Context::from_waker(Waker::noop()))
    }

    #[test]
    fn who_came_first_goes_first_and_who_left_does_not_wait() {
        let runtime = runtime();
        let _guard = runtime.enter();
        let lane = Lane::new("search", 1);
        let mut first = Box::pin(lane.enter(LONG));
        let Poll::Ready(Ok(place)) = polled(first.as_mut()) else {
            panic!("a free lane has a place");
        };
        let mut second = pin!(lane.enter(LONG));
        let mut left = Box::pin(lane.enter(LONG));
        let mut third = pin!(lane.enter(LONG));
        assert!(polled(second.as_mut()).is_pending());
        assert!(polled(left.as_mut()).is_pending());
        assert!(polled(third.as_mut()).is_pending());
        assert_eq!((lane.working(), lane.waiting()), (1, 3));
        drop(left);
        assert_eq!(lane.waiting(), 2);
        drop(place);
        assert!(polled(third.as_mut()).is_pending());
        let Poll::Ready(Ok(place)) = polled(second.as_mut()) else {
            panic!("the second is next");
        };
        drop(place);
        assert!(matches!(polled(third.as_mut()), Poll::Ready(Ok(_))));
        assert_eq!((lane.working(), lane.waiting()), (0, 0));
    }

    #[test]
    fn who_would_wait_too_long_is_refused_at_once() {
        let runtime = runtime();
        let _guard = runtime.enter();
        let lane = Lane::new("search", 2);
        for _ in 0..100 {
            lane.learn(Duration::from_secs(2));
        }
        let mut places = Vec::new();
        for _ in 0..2 {
            places.push(runtime.block_on(lane.enter(LONG)).unwrap());
        }
        let enter = || Box::pin(lane.enter(Duration::from_secs(3)));
        let mut waiting = [enter(), enter(), enter()];
        for one in &mut waiting {
            assert!(polled(one.as_mut()).is_pending());
        }
        // Three wait for two places: two turns of two seconds.
        let error = runtime.block_on(enter()).unwrap_err();
        assert_eq!(error.status(), 503);
        assert_eq!(lane.refused(Refused::AtOnce), 1);
        drop(waiting);
        assert!(polled(enter().as_mut()).is_pending(), "one turn");
    }

    #[test]
    fn who_finds_the_lane_full_is_refused_at_once() {
        let runtime = runtime();
        let _guard = runtime.enter();
        let lane = Lane::new("search", 1);
        lane.limit(3);
        let place = runtime.block_on(lane.enter(LONG)).unwrap();
        let enter = || Box::pin(lane.enter(LONG));
        let mut waiting = [enter(), enter()];
        for one in &mut waiting {
            assert!(polled(one.as_mut()).is_pending());
        }
        let error = runtime.block_on(enter()).unwrap_err();
        assert_eq!(error.status(), 503);
        assert_eq!(lane.refused(Refused::AtOnce), 1);
        // Those that wait keep their turns, and who comes then finds room.
        drop(place);
        assert!(matches!(polled(waiting[0].as_mut()), Poll::Ready(Ok(_))));
        assert!(polled(enter().as_mut()).is_pending());
    }
}
