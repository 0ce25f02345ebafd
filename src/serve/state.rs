//! The state that all requests share: indexes, limits and counts.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use super::error::ApiError;
use super::lane::{Lane, Refused, Work};
use super::log::Log;
use super::metrics::{self, Metrics};
use super::notice::{Notice, Notices};
use super::paths;
use super::served::{NamedIndex, Served};

/// How often the files of served indexes are looked at.
const LOOK_EVERY: Duration = Duration::from_millis(500);

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
            searches: rayon::current_num_threads(),
            time: Duration::from_secs(10),
        }
    }
}

impl Limits {
    /// The longest question, in bytes: a posted one is longer than a formula. The first line of a
    /// request has room for it, each byte written as `%41`.
    pub(super) fn question(&self) -> usize {
        self.query.saturating_mul(2)
    }
}

/// The state that all requests share.
#[derive(Debug)]
pub struct State {
    /// The first is the default.
    pub(super) indexes: Vec<Served>,
    pub(super) limits: Limits,
    pub(super) metrics: Metrics,
    /// By kind of work.
    lanes: [Arc<Lane>; 3],
    pub(super) log: Log,
    notices: Notices,
    /// How often it was asked to look at the files at once.
    asked: watch::Sender<u64>,
}

impl State {
    /// Serves these indexes, at least one; `log` is called for each answered request.
    pub fn new(indexes: Vec<NamedIndex>, limits: Limits, log: Log) -> Self {
        State {
            indexes: indexes.into_iter().map(Served::new).collect(),
            limits,
            metrics: Metrics::new(paths()),
            lanes: [
                Lane::new("search", limits.searches),
                Lane::new("completion", rayon::current_num_threads()),
                Lane::new("formula", rayon::current_num_threads()),
            ],
            log,
            notices: Notices(Box::new(|_| {})),
            asked: watch::Sender::new(0),
        }
    }

    /// Calls a function with what becomes of the served files.
    #[must_use]
    pub fn on_notice(mut self, tell: impl Fn(&Notice) + Send + Sync + 'static) -> Self {
        self.notices = Notices(Box::new(tell));
        self
    }

    /// Looks at the served files now, and takes up those that were replaced. A server does so
    /// twice a second by itself; this does not wait until a file was the same for half a
    /// second.
    pub fn reload(&self) {
        self.asked.send_modify(|asked| *asked += 1);
    }

    /// Looks at the file of an index again and again.
    pub(super) async fn watch(self: Arc<Self>, at: usize) {
        let mut asked = self.asked.subscribe();
        loop {
            let at_once = tokio::select! {
                () = tokio::time::sleep(LOOK_EVERY) => false,
                _ = asked.changed() => true,
            };
            let state = Arc::clone(&self);
            let look = move || state.indexes[at].refresh(at_once, &state.notices.0);
            // A panic while a file is opened leaves what is served as it is.
            let _ = tokio::task::spawn_blocking(look).await;
        }
    }

    /// Searches every index once, so that the first request does not wait for fonts and pages to
    /// be read.
    pub fn warm_up(&self) {
        for served in &self.indexes {
            served.warm_up(&self.notices.0);
        }
    }

    /// Does work on a thread of its own, as soon as its lane has a place.
    ///
    /// # Errors
    /// When the work fails, or when it waits or works for too long.
    pub(super) async fn work<T: Send + 'static>(
        self: &Arc<Self>,
        kind: Work,
        work: impl FnOnce(&State) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let (lane, limit) = (&self.lanes[kind as usize], self.limits.time);
        let place = lane.enter(limit).await?;
        let state = Arc::clone(self);
        let done = tokio::task::spawn_blocking(move || {
            let answer = work(&state);
            drop(place);
            answer
        });
        match tokio::time::timeout(limit, done).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(ApiError::failed("the search failed")),
            Err(_) => {
                lane.refuse(Refused::Worked);
                Err(ApiError::busy("the search takes too long"))
            }
        }
    }

    /// Gives each kind of work half of the connections, so that none of them keeps all others out.
    pub(super) fn share(&self, connections: usize) {
        for lane in &self.lanes {
            lane.limit(connections / 2);
        }
    }

    /// How many threads a search may use: all of them if no other search is running or waits,
    /// else one.
    pub(super) fn threads(&self) -> usize {
        let lane = &self.lanes[Work::Search as usize];
        if lane.working() + lane.waiting() <= 1 {
            rayon::current_num_threads()
        } else {
            1
        }
    }

    /// All counts in the text format of Prometheus.
    pub(super) fn metrics_text(&self) -> String {
        let requests = self.metrics.text();
        requests + &metrics::lanes(&self.lanes) + &metrics::indexes(&self.indexes)
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::io::{Read, Write};
    use std::net::{SocketAddr, TcpStream};
    use std::thread;
    use std::time::Instant;

    use super::super::{Access, Connections, serve};
    use super::*;
    use crate::corpus::Record;
    use crate::index::IndexBuilder;
    use crate::phoc::PhocConfig;
    use crate::search::Searcher;

    /// What a server knows that can do one search at a time.
    fn state(time: Duration) -> Arc<State> {
        let mut builder = IndexBuilder::new(PhocConfig::default());
        let record = Record::latex("7".parse().unwrap(), "x^2");
        builder.add(record).unwrap();
        let searcher = Searcher::new(builder.finish_in_memory().unwrap());
        let limits = Limits {
            searches: 1,
            time,
            ..Limits::default()
        };
        let index = NamedIndex::new("one".to_owned(), searcher);
        Arc::new(State::new(vec![index], limits, Log::off()))
    }

    /// A server in this process.
    fn server() -> (Arc<State>, SocketAddr) {
        server_with(Connections::default())
    }

    fn server_with(connections: Connections) -> (Arc<State>, SocketAddr) {
        let state = state(Duration::from_secs(60));
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let serving = Arc::clone(&state);
        thread::spawn(move || {
            let mut runtime = tokio::runtime::Builder::new_current_thread();
            let runtime = runtime.enable_all().build().unwrap();
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                serve(listener, serving, Access::default(), connections, pending()).await;
            });
        });
        (state, address)
    }

    fn ask(address: SocketAddr, target: &str) -> TcpStream {
        let mut stream = TcpStream::connect(address).unwrap();
        let head = format!("GET {target} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        stream
    }

    fn answer(mut stream: TcpStream) -> String {
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    }

    fn until(what: &str, holds: impl Fn() -> bool) {
        let started = Instant::now();
        while !holds() {
            assert!(started.elapsed() < Duration::from_secs(60), "never: {what}");
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Takes the place of the search lane.
    fn searching(state: &Arc<State>) -> super::super::lane::Place {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().build().unwrap();
        let lane = &state.lanes[Work::Search as usize];
        runtime
            .block_on(lane.enter(Duration::from_secs(60)))
            .unwrap()
    }

    #[test]
    fn completions_pictures_and_health_do_not_wait_for_searches() {
        let (state, address) = server();
        let place = searching(&state);
        let search = ask(address, "/api/search?q=x");
        until("it waits", || state.lanes[0].waiting() == 1);
        for path in [
            "/api/complete?q=x",
            "/api/render?q=x",
            "/api/explain?q=x&id=7",
            "/api/instances?id=7",
            "/api/indexes",
            "/healthz",
        ] {
            let answer = answer(ask(address, path));
            assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
        }
        let metrics = answer(ask(address, "/metrics"));
        for line in [
            "phocus_lane_places{lane=\"search\"} 1",
            "phocus_lane_working{lane=\"search\"} 1",
            "phocus_lane_waiting{lane=\"search\"} 1",
            "phocus_lane_working{lane=\"completion\"} 0",
            "phocus_lane_wait_seconds_count{lane=\"completion\"} 1",
            "phocus_index_sound{index=\"one\"} 1",
            "phocus_index_generation{index=\"one\"} 1",
        ] {
            assert!(
                metrics.lines().any(|other| other == line),
                "{line}: {metrics}"
            );
        }
        drop(place);
        assert!(
            answer(search).contains("\"x^2\""),
            "the search is done in the end"
        );
    }

    #[test]
    fn a_client_that_goes_away_leaves_the_queue() {
        let (state, address) = server();
        let place = searching(&state);
        let clients: Vec<_> = (0..5).map(|_| ask(address, "/api/search?q=x")).collect();
        let stays = ask(address, "/api/search?q=x%5E2");
        until("they wait", || state.lanes[0].waiting() == 6);
        drop(clients);
        until("one waits", || state.lanes[0].waiting() == 1);
        drop(place);
        assert!(answer(stays).contains("\"x^2\""));
        assert_eq!(state.lanes[0].waits().count(), 2);
    }

    #[test]
    fn a_queue_that_is_too_long_is_told_at_once() {
        let (state, address) = server();
        let lane = &state.lanes[Work::Search as usize];
        lane.learn(Duration::from_secs(50));
        let _place = searching(&state);
        let waiting = ask(address, "/api/search?q=x");
        until("it waits", || lane.waiting() == 1);
        let second = ask(address, "/api/search?q=x");
        until("it waits", || lane.waiting() == 2);
        let refused = answer(ask(address, "/api/search?q=x")).to_lowercase();
        assert!(refused.starts_with("http/1.1 503"), "{refused}");
        assert!(refused.contains("retry-after: 101\r\n"), "{refused}");
        assert!(refused.contains("{\"error\":\"too many requests at once: 2 wait"));
        let metrics = answer(ask(address, "/metrics"));
        let line = "phocus_lane_refused_total{lane=\"search\",reason=\"at-once\"} 1";
        assert!(metrics.lines().any(|other| other == line), "{metrics}");
        drop((waiting, second));
    }

    /// Searches that wait hold half of the connections. So many more come that without that limit
    /// they would hold all, and nobody else would be accepted.
    #[test]
    fn searches_that_wait_leave_connections_for_others() {
        let most = 8;
        let (state, address) = server_with(Connections {
            most,
            ..Connections::default()
        });
        let place = searching(&state);
        let search = "GET /api/search?q=x HTTP/1.1\r\nHost: localhost\r\n\r\n";
        let clients: Vec<_> = (0..3 * most)
            .map(|_| {
                let mut stream = TcpStream::connect(address).unwrap();
                // Some ask again at once, and none reads.
                stream.write_all(search.repeat(5).as_bytes()).unwrap();
                stream
            })
            .collect();
        let lane = &state.lanes[0];
        until("half wait", || lane.waiting() + lane.working() == most / 2);
        for path in ["/healthz", "/api/complete?q=x", "/api/render?q=x"] {
            let answer = answer(ask(address, path));
            assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
        }
        let refused = answer(ask(address, "/api/search?q=x")).to_lowercase();
        assert!(refused.starts_with("http/1.1 503"), "{refused}");
        assert!(refused.contains("retry-after: 1\r\n"), "{refused}");
        drop(place);
        until("those that waited are answered", || {
            lane.waits().count() > 3
        });
        drop(clients);
        until("all are gone", || lane.waiting() + lane.working() == 0);
        let is_answered = || answer(ask(address, "/api/search?q=x")).contains("\"x^2\"");
        until("a search is answered", is_answered);
    }

    #[test]
    fn work_that_takes_too_long_is_given_up() {
        let state = state(Duration::from_millis(1));
        let (given_up, wait) = std::sync::mpsc::channel::<()>();
        let work = state.work(Work::Search, move |_| {
            // Works until the answer has been given.
            let _ = wait.recv();
            Ok(())
        });
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().build().unwrap();
        let error = runtime.block_on(work).unwrap_err();
        drop(given_up);
        assert_eq!(error.status(), 503);
        let line = "phocus_lane_refused_total{lane=\"search\",reason=\"worked\"} 1";
        let metrics = state.metrics_text();
        assert!(metrics.lines().any(|other| other == line), "{metrics}");
    }
}
