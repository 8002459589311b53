//! Numbers for Prometheus: requests by route and status, and how long answers took.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Upper ends of the groups of durations, in seconds.
const BUCKETS: [f64; 9] = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 10.0];

#[derive(Debug, Default)]
pub(crate) struct Metrics {
    routes: Mutex<BTreeMap<String, Route>>,
}

#[derive(Debug, Default)]
struct Route {
    by_status: BTreeMap<u16, u64>,
    buckets: [u64; BUCKETS.len()],
    count: u64,
    seconds: f64,
}

impl Metrics {
    /// Routes are patterns of the router, so their number is bounded.
    pub(crate) fn note(&self, route: &str, status: u16, took: Duration) {
        let mut routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        if !routes.contains_key(route) {
            routes.insert(route.to_owned(), Route::default());
        }
        let Some(noted) = routes.get_mut(route) else { return };
        *noted.by_status.entry(status).or_default() += 1;
        let seconds = took.as_secs_f64();
        for (bucket, end) in noted.buckets.iter_mut().zip(BUCKETS) {
            *bucket += u64::from(seconds <= end);
        }
        noted.count += 1;
        noted.seconds += seconds;
    }

    /// In the text format of Prometheus.
    pub(crate) fn text(&self) -> String {
        let routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::from(
            "# HELP auslese_http_requests_total Requests by route and status.\n\
             # TYPE auslese_http_requests_total counter\n",
        );
        for (route, noted) in &*routes {
            for (status, count) in &noted.by_status {
                // Writing to a string cannot fail.
                let _ = writeln!(
                    text,
                    "auslese_http_requests_total{{route=\"{route}\",status=\"{status}\"}} {count}"
                );
            }
        }
        text.push_str(
            "# HELP auslese_http_seconds How long answers took.\n# TYPE auslese_http_seconds histogram\n",
        );
        for (route, noted) in &*routes {
            for (count, end) in noted.buckets.iter().zip(BUCKETS) {
                let _ = writeln!(
                    text,
                    "auslese_http_seconds_bucket{{route=\"{route}\",le=\"{end}\"}} {count}"
                );
            }
            let Route { count, seconds, .. } = noted;
            let _ = writeln!(
                text,
                "auslese_http_seconds_bucket{{route=\"{route}\",le=\"+Inf\"}} {count}\n\
                 auslese_http_seconds_sum{{route=\"{route}\"}} {seconds}\n\
                 auslese_http_seconds_count{{route=\"{route}\"}} {count}"
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_route() {
        let metrics = Metrics::default();
        metrics.note("/search", 200, Duration::from_millis(7));
        metrics.note("/search", 400, Duration::from_millis(2));
        let text = metrics.text();
        for line in [
            "auslese_http_requests_total{route=\"/search\",status=\"200\"} 1",
            "auslese_http_seconds_bucket{route=\"/search\",le=\"0.005\"} 1",
            "auslese_http_seconds_bucket{route=\"/search\",le=\"0.01\"} 2",
            "auslese_http_seconds_bucket{route=\"/search\",le=\"+Inf\"} 2",
            "auslese_http_seconds_count{route=\"/search\"} 2",
        ] {
            assert!(text.lines().any(|it| it == line), "{line} in\n{text}");
        }
    }
}
