//! Counts of requests, as Prometheus reads them.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Bounds of times, in seconds.
const BOUNDS: [f64; 9] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5];

/// The paths that are counted by name: others could be without number.
const PATHS: [&str; 8] = [
    "/",
    "/api/search",
    "/api/complete",
    "/api/render",
    "/api/explain",
    "/api/instances",
    "/healthz",
    "/metrics",
];

/// What was asked, how it was answered, and how long that took.
#[derive(Debug, Default)]
pub(super) struct Metrics(Mutex<BTreeMap<&'static str, Route>>);

#[derive(Debug, Default)]
struct Route {
    by_status: BTreeMap<u16, u64>,
    /// How many took no longer than each bound.
    within: [u64; BOUNDS.len()],
    seconds: f64,
    count: u64,
}

impl Metrics {
    pub(super) fn count(&self, path: &str, status: u16, took: Duration) {
        let path = PATHS
            .iter()
            .find(|known| **known == path)
            .unwrap_or(&"other");
        let mut routes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let route = routes.entry(path).or_default();
        *route.by_status.entry(status).or_default() += 1;
        let seconds = took.as_secs_f64();
        for (within, bound) in route.within.iter_mut().zip(BOUNDS) {
            *within += u64::from(seconds <= bound);
        }
        route.seconds += seconds;
        route.count += 1;
    }

    /// In the text format of Prometheus.
    pub(super) fn text(&self) -> String {
        let routes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut requests, mut errors, mut times) = (
            "# TYPE phocus_requests_total counter\n".to_owned(),
            "# TYPE phocus_errors_total counter\n".to_owned(),
            "# TYPE phocus_request_seconds histogram\n".to_owned(),
        );
        // Writing to a string cannot fail.
        for (path, route) in routes.iter() {
            for (status, count) in &route.by_status {
                let _ = writeln!(
                    requests,
                    "phocus_requests_total{{path=\"{path}\",status=\"{status}\"}} {count}"
                );
            }
            let failed = route.by_status.iter().filter(|(status, _)| **status >= 400);
            let failed: u64 = failed.map(|(_, count)| count).sum();
            let _ = writeln!(errors, "phocus_errors_total{{path=\"{path}\"}} {failed}");
            let bounds = BOUNDS.iter().map(f64::to_string).zip(route.within);
            for (bound, within) in bounds.chain([("+Inf".to_owned(), route.count)]) {
                let _ = writeln!(
                    times,
                    "phocus_request_seconds_bucket{{path=\"{path}\",le=\"{bound}\"}} {within}"
                );
            }
            let _ = writeln!(
                times,
                "phocus_request_seconds_sum{{path=\"{path}\"}} {}\n\
                 phocus_request_seconds_count{{path=\"{path}\"}} {}",
                route.seconds, route.count
            );
        }
        requests + &errors + &times
    }
}
