//! The open connections, and which of them wait for their clients.
//!
//! A connection either works for its client (an answer is being found) or waits for it: for the
//! next request, for the rest of one, or for it to read its answer. When there are as many as there
//! may be and another comes, the one that has waited the longest is closed. Slow clients thus cost
//! each other their connections, and never those that ask and read as fast as they can.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;
use tokio::time::timeout;

/// How long a connection waits at least before it has to make room: enough for one that has just
/// been accepted to send what it asks.
const GRACE: Duration = Duration::from_millis(50);

/// The open connections.
#[derive(Debug, Default)]
pub(super) struct Table {
    open: Mutex<Open>,
    freed: Notify,
}

#[derive(Debug, Default)]
struct Open {
    next: u64,
    connections: BTreeMap<u64, Connection>,
}

#[derive(Debug)]
struct Connection {
    /// Since when it waits for its client, if it does.
    waits: Option<Instant>,
    /// Told when it is to be closed; it is told once.
    close: Option<Arc<Notify>>,
}

/// How many are nearly as many as there may be.
fn crowd(most: usize) -> usize {
    most - most / 16
}

impl Open {
    /// Has some closed: those that have waited the longest, of those that have waited as long as
    /// this.
    fn close(&mut self, count: usize, grace: Duration) {
        if count == 0 {
            return;
        }
        let waiting = self.connections.values_mut();
        let waiting = waiting.filter(|connection| connection.close.is_some());
        let waiting = waiting.filter_map(|connection| Some((connection.waits?, connection)));
        let mut waiting: Vec<_> = waiting
            .filter(|(since, _)| since.elapsed() >= grace)
            .collect();
        waiting.sort_unstable_by_key(|(since, _)| *since);
        for (_, connection) in waiting.into_iter().take(count) {
            if let Some(close) = connection.close.take() {
                close.notify_one();
            }
        }
    }
}

impl Table {
    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.open().connections.len()
    }

    /// Adds one, which waits for its client.
    pub(super) fn enter(self: &Arc<Self>) -> Place {
        let close = Arc::new(Notify::new());
        let mut open = self.open();
        let id = open.next;
        open.next += 1;
        let connection = Connection {
            waits: Some(Instant::now()),
            close: Some(Arc::clone(&close)),
        };
        open.connections.insert(id, connection);
        let table = Arc::clone(self);
        Place { table, id, close }
    }

    /// Has the one that has waited the longest closed; none may wait.
    pub(super) fn close_one(&self) {
        self.open().close(1, Duration::ZERO);
    }

    /// Has those closed that have waited the longest, as many as are too many for another to come
    /// without making it crowded.
    fn close_some(&self, most: usize) {
        let mut open = self.open();
        let stay = open.connections.values().filter(|one| one.close.is_some());
        let too_many = (stay.count() + 1).saturating_sub(crowd(most));
        open.close(too_many, GRACE);
    }

    /// Waits until there are fewer than `most`, closing those that wait for their clients. The
    /// first are closed a little before that, and as many at once as may be, so that new ones need
    /// not wait for it: where all cores work, closing one and hearing of it takes milliseconds.
    pub(super) async fn make_room(&self, most: usize) {
        self.close_some(most);
        while self.len() >= most {
            self.close_some(most);
            // Looked at again now and then: one that worked may wait by then.
            let _ = timeout(Duration::from_millis(5), self.freed.notified()).await;
        }
    }

    /// Whether there are nearly as many as there may be.
    pub(super) fn is_crowded(&self, most: usize) -> bool {
        self.len() >= crowd(most)
    }

    /// Waits until there are none, or the time is over.
    pub(super) async fn empty(&self, limit: Duration) {
        let _ = timeout(limit, self.make_room_for_none()).await;
    }

    async fn make_room_for_none(&self) {
        while self.len() > 0 {
            let _ = timeout(Duration::from_millis(20), self.freed.notified()).await;
        }
    }
}

/// The place of a connection in the table; it leaves with this.
#[derive(Debug)]
pub(super) struct Place {
    table: Arc<Table>,
    id: u64,
    close: Arc<Notify>,
}

impl Place {
    /// Whether others need the room that it takes.
    pub(super) fn is_needed(&self, most: usize) -> bool {
        self.table.is_crowded(most)
    }

    /// It waits for its client from now on.
    pub(super) fn waits(&self) {
        self.set(Some(Instant::now()));
    }

    /// It works.
    pub(super) fn works(&self) {
        self.set(None);
    }

    /// It has its answer, and waits only for its client to leave: it may be closed at once.
    pub(super) fn leaves(&self) {
        let now = Instant::now();
        self.set(Some(now.checked_sub(GRACE).unwrap_or(now)));
    }

    fn set(&self, waits: Option<Instant>) {
        if let Some(connection) = self.table.open().connections.get_mut(&self.id) {
            connection.waits = waits;
        }
    }

    /// Done when it is to be closed.
    pub(super) async fn closed(&self) {
        self.close.notified().await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.table.open().connections.remove(&self.id);
        self.table.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_told(place: &Place) -> bool {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build();
        let told = async { timeout(Duration::ZERO, place.closed()).await.is_ok() };
        runtime.unwrap().block_on(told)
    }

    #[test]
    fn the_one_that_has_waited_the_longest_is_closed() {
        let table = Arc::new(Table::default());
        let [first, second, third] = [(); 3].map(|()| table.enter());
        first.works();
        table.close_one();
        assert!(is_told(&second), "the first works");
        third.waits();
        first.waits();
        table.close_one();
        assert!(
            is_told(&third) && !is_told(&first),
            "the first waits since later"
        );
        // Nobody is told twice, and those that are gone do not count.
        table.close_one();
        assert!(is_told(&first));
        table.close_one();
        assert_eq!(table.len(), 3);
        drop((first, second));
        assert_eq!(table.len(), 1);
    }

    /// Of 32, two are room that is kept: where all wait, three are closed for one that comes, and
    /// none more until these have left.
    #[test]
    fn room_is_made_for_several_at_once() {
        let table = Arc::new(Table::default());
        let places = [(); 32].map(|()| table.enter());
        places[0].works();
        std::thread::sleep(GRACE);
        table.close_some(32);
        table.close_some(32);
        let told: Vec<usize> = (0..32).filter(|at| is_told(&places[*at])).collect();
        assert_eq!(told, [1, 2, 3]);
    }

    /// One that came just now has time to ask, unless it has its answer already.
    #[test]
    fn who_has_an_answer_makes_room_at_once() {
        let table = Arc::new(Table::default());
        let places = [(); 2].map(|()| table.enter());
        places[1].leaves();
        places[0].waits();
        table.open().close(1, GRACE);
        assert!(is_told(&places[1]) && !is_told(&places[0]));
    }
}
