//! Counts of requests, as Prometheus reads them.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Bounds of times, in seconds.
const BOUNDS: [f64; 9] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5];

/// What was asked, how it was answered, and how long that took.
#[derive(Debug)]
pub(super) struct Metrics {
    /// The paths that are counted by name. There is no end of others, which are counted together.
    paths: Vec<&'static str>,
    routes: Mutex<BTreeMap<&'static str, Route>>,
}

#[derive(Debug, Default)]
struct Route {
    by_status: BTreeMap<u16, u64>,
    /// How many took no longer than each bound.
    within: [u64; BOUNDS.len()],
    seconds: f64,
    count: u64,
}

impl Metrics {
    pub(super) fn new(paths: impl Iterator<Item = &'static str>) -> Self {
        Metrics {
            paths: paths.collect(),
            routes: Mutex::default(),
        }
    }

    pub(super) fn count(&self, path: &str, status: u16, took: Duration) {
        let known = self.paths.iter().find(|known| **known == path);
        let path = known.unwrap_or(&"other");
        let mut routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
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
        let routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_paths_are_counted_by_name_and_others_together() {
        let metrics = Metrics::new(["/a", "/b"].into_iter());
        let ms = Duration::from_millis;
        for (path, status, took) in [
            ("/a", 200, 2),
            ("/a", 404, 30),
            ("/x", 404, 1),
            ("/y", 404, 1),
        ] {
            metrics.count(path, status, ms(took));
        }
        let text = metrics.text();
        for line in [
            "phocus_requests_total{path=\"/a\",status=\"200\"} 1",
            "phocus_requests_total{path=\"other\",status=\"404\"} 2",
            "phocus_errors_total{path=\"/a\"} 1",
            "phocus_request_seconds_bucket{path=\"/a\",le=\"0.0025\"} 1",
            "phocus_request_seconds_bucket{path=\"/a\",le=\"+Inf\"} 2",
            "phocus_request_seconds_count{path=\"other\"} 2",
        ] {
            assert!(
                text.lines().any(|found| found == line),
                "{line} is not in\n{text}"
            );
        }
        assert!(!text.contains("/b") && !text.contains("/x"), "{text}");
    }
}
