//! Counts of requests, as Prometheus reads them.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::lane::{Lane, Refused};
use super::served::Served;

/// Bounds of times, in seconds.
const BOUNDS: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5, 10.0];

/// Counts and times of requests by path and status.
#[derive(Debug)]
pub(super) struct Metrics {
    /// The paths that are counted by name; all other paths are counted together.
    paths: Vec<&'static str>,
    routes: Mutex<BTreeMap<&'static str, RouteTimes>>,
}

#[derive(Debug, Default)]
struct RouteTimes {
    by_status: BTreeMap<u16, u64>,
    times: Times,
}

/// How many times there were up to each bound, and their sum.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Times {
    /// How many took no longer than each bound.
    within: [u64; BOUNDS.len()],
    seconds: f64,
    count: u64,
}

impl Times {
    pub(super) fn add(&mut self, took: Duration) {
        let seconds = took.as_secs_f64();
        for (within, bound) in self.within.iter_mut().zip(BOUNDS) {
            *within += u64::from(seconds <= bound);
        }
        self.seconds += seconds;
        self.count += 1;
    }

    #[cfg(test)]
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Writes them as the histogram of a label.
    fn write(&self, text: &mut String, name: &str, label: &str) {
        // Writing to a string cannot fail.
        let bounds = BOUNDS.iter().map(f64::to_string).zip(self.within);
        for (bound, within) in bounds.chain([("+Inf".to_owned(), self.count)]) {
            let _ = writeln!(text, "{name}_bucket{{{label},le=\"{bound}\"}} {within}");
        }
        let (seconds, count) = (self.seconds, self.count);
        let _ = writeln!(text, "{name}_sum{{{label}}} {seconds}");
        let _ = writeln!(text, "{name}_count{{{label}}} {count}");
    }
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
        route.times.add(took);
    }

    /// The counts of requests in the text format of Prometheus.
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
            let label = format!("path=\"{path}\"");
            route
                .times
                .write(&mut times, "phocus_request_seconds", &label);
        }
        requests + &errors + &times
    }
}

/// A number that a lane or an index has, as Prometheus reads it.
fn write_all<T>(text: &mut String, kind: &str, name: &str, of: &[T], line: impl Fn(&T) -> String) {
    let _ = writeln!(text, "# TYPE {name} {kind}");
    for one in of {
        let _ = writeln!(text, "{name}{}", line(one));
    }
}

/// The lanes: who waits, who works, who was refused, and how long they waited.
pub(super) fn lanes(lanes: &[Arc<Lane>]) -> String {
    let mut text = String::new();
    let mut gauge = |name: &str, number: fn(&Lane) -> usize| {
        let line = |lane: &Arc<Lane>| format!("{{lane=\"{}\"}} {}", lane.name, number(lane));
        write_all(&mut text, "gauge", name, lanes, line);
    };
    gauge("phocus_lane_places", |lane| lane.places);
    gauge("phocus_lane_working", Lane::working);
    gauge("phocus_lane_waiting", Lane::waiting);
    let name = "phocus_lane_refused_total";
    let _ = writeln!(text, "# TYPE {name} counter");
    for lane in lanes {
        for (why, reason) in Refused::ALL {
            let label = format!("lane=\"{}\",reason=\"{reason}\"", lane.name);
            let _ = writeln!(text, "{name}{{{label}}} {}", lane.refused(why));
        }
    }
    let name = "phocus_lane_wait_seconds";
    let _ = writeln!(text, "# TYPE {name} histogram");
    for lane in lanes {
        let label = format!("lane=\"{}\"", lane.name);
        lane.waits().write(&mut text, name, &label);
    }
    text
}

/// The indexes: whether they are sound, and how often their files were taken up or refused.
pub(super) fn indexes(indexes: &[Served]) -> String {
    let mut text = String::new();
    let mut number = |kind: &str, name: &str, number: fn(&Served) -> u64| {
        let line = |served: &Served| {
            let name = served.name.replace('\\', r"\\").replace('"', "\\\"");
            let name = name.replace('\n', r"\n");
            format!("{{index=\"{name}\"}} {}", number(served))
        };
        write_all(&mut text, kind, name, indexes, line);
    };
    number("gauge", "phocus_index_sound", |served| {
        u64::from(served.trouble().is_none())
    });
    number("counter", "phocus_index_generation", |served| {
        served.now().generation
    });
    number("counter", "phocus_index_not_taken_up_total", |served| {
        served.refused.load(Ordering::Relaxed)
    });
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_path_status_and_time() {
        let metrics = Metrics::new(["/api/search", "/healthz"].into_iter());
        let count = |path: &str, status: u16, ms: u64| {
            metrics.count(path, status, Duration::from_millis(ms));
        };
        count("/api/search", 200, 1);
        count("/api/search", 200, 30);
        count("/api/search", 503, 10_000);
        count("/healthz", 200, 0);
        let text = metrics.text();
        let lines: Vec<&str> = text.lines().collect();
        for line in [
            r#"phocus_requests_total{path="/api/search",status="200"} 2"#,
            r#"phocus_requests_total{path="/api/search",status="503"} 1"#,
            r#"phocus_errors_total{path="/api/search"} 1"#,
            r#"phocus_errors_total{path="/healthz"} 0"#,
            // A bound holds what took exactly so long, and each what those below it hold.
            r#"phocus_request_seconds_bucket{path="/api/search",le="0.001"} 1"#,
            r#"phocus_request_seconds_bucket{path="/api/search",le="0.025"} 1"#,
            r#"phocus_request_seconds_bucket{path="/api/search",le="0.05"} 2"#,
            r#"phocus_request_seconds_bucket{path="/api/search",le="2.5"} 2"#,
            r#"phocus_request_seconds_bucket{path="/api/search",le="+Inf"} 3"#,
            r#"phocus_request_seconds_count{path="/api/search"} 3"#,
        ] {
            assert!(lines.contains(&line), "no {line} in {text}");
        }
        let sum = r#"phocus_request_seconds_sum{path="/api/search"} "#;
        let sum = lines.iter().find_map(|line| line.strip_prefix(sum));
        let sum: f64 = sum.unwrap().parse().unwrap();
        assert!((sum - 10.031).abs() < 1e-9, "{sum}");
    }

    /// Requests for unknown paths cannot make the counts grow without end.
    #[test]
    fn unknown_paths_share_one_name() {
        let metrics = Metrics::new(["/api/search", "/healthz"].into_iter());
        let length = |n: u32| {
            for n in 0..n {
                metrics.count(&format!("/x{n}\"}}"), 404, Duration::ZERO);
            }
            metrics.text().lines().count()
        };
        assert_eq!(length(1), length(1000));
        let all = r#"phocus_requests_total{path="other",status="404"} 1001"#;
        assert!(metrics.text().lines().any(|line| line == all));
    }
}
