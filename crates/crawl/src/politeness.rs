//! Decides how long a server is left alone after a response.
//!
//! Delay = max(minimum, robots' Crawl-delay, factor × the last duration), and for a server in
//! trouble also Retry-After and a back-off that grows with every failure in a row. A minimum of 0
//! (`--delay 0`) zeroes all of it. The first three are kept by the whole politeness group; the last
//! two concern the server that is in trouble, not its neighbours on the same machine.

use crate::duration_text;
use auslese_model::{HostName, ServerId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// How servers are treated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PolitenessSettings {
    /// The least time from the end of a response to the next request. "0" switches all delays
    /// off. Default: "2s".
    #[serde(with = "duration_text")]
    pub delay: Duration,
    /// Times the duration of the last response: slow servers are left alone longer. Default: 1.0.
    pub factor: f64,
    /// The most that `factor` may make of it. Default: "30s".
    #[serde(with = "duration_text")]
    pub max_delay: Duration,
    /// The most that a `Crawl-delay` in robots.txt may ask for. Default: "30s".
    #[serde(with = "duration_text")]
    pub max_crawl_delay: Duration,
    /// The most that a `Retry-After` header may ask for. Default: "10m".
    #[serde(with = "duration_text")]
    pub max_retry_after: Duration,
    /// The back-off after the first failure; it doubles with each further one. Default: "2s".
    #[serde(with = "duration_text")]
    pub backoff: Duration,
    /// The longest back-off. Default: "5m".
    #[serde(with = "duration_text")]
    pub max_backoff: Duration,
    /// Failures in a row after which a server is given up for this run. Default: 10.
    pub give_up_after: u32,
    /// Connections in all. Default: 64.
    pub connections: u32,
    /// Connections to one server at a time. Default: 1.
    pub per_server: u32,
    /// Connections to one server at a time where the delay is 0. Default: 8.
    pub per_server_without_delay: u32,
    /// Connections to one politeness group at a time. Default: 1.
    pub per_group: u32,
    /// Host names looked up at a time. Default: 32.
    pub lookups: usize,
    /// What a politeness group is. Default: "address".
    pub group_by: GroupBy,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GroupBy {
    /// All servers at one IP address share the delay.
    #[default]
    Address,
    /// Every server stands for itself.
    Server,
}

impl Default for PolitenessSettings {
    fn default() -> PolitenessSettings {
        PolitenessSettings {
            delay: Duration::from_secs(2),
            factor: 1.0,
            max_delay: Duration::from_secs(30),
            max_crawl_delay: Duration::from_secs(30),
            max_retry_after: Duration::from_secs(600),
            backoff: Duration::from_secs(2),
            max_backoff: Duration::from_secs(300),
            give_up_after: 10,
            connections: 256,
            per_server: 1,
            per_server_without_delay: 8,
            per_group: 1,
            lookups: 32,
            group_by: GroupBy::Address,
        }
    }
}

/// Exceptions for one host, by name or `.suffix`; the longest that fits counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HostSettings {
    /// In place of `politeness.delay`.
    #[serde(with = "duration_text::optional", skip_serializing_if = "Option::is_none")]
    pub delay: Option<Duration>,
    /// In place of `robots.obey`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub obey_robots: Option<bool>,
    /// In place of `politeness.per_server`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connections: Option<u32>,
}

/// Exceptions by host; [`host_settings`] finds the one for a host.
pub type HostTable = BTreeMap<String, HostSettings>;

/// The exceptions for a host: of all entries that fit, the most specific.
pub fn host_settings<'a>(table: &'a HostTable, host: &HostName) -> Option<&'a HostSettings> {
    table
        .iter()
        .filter(|(pattern, _)| match pattern.strip_prefix('.') {
            Some(parent) => host.is_within(parent),
            None => host.as_str().eq_ignore_ascii_case(pattern),
        })
        .max_by_key(|(pattern, _)| (!pattern.starts_with('.'), pattern.len()))
        .map(|(_, settings)| settings)
}

impl PolitenessSettings {
    /// How long a group is left alone after a response of a server whose own minimum is `minimum`.
    pub(crate) fn delay_after(
        &self,
        minimum: Duration,
        crawl_delay: Option<Duration>,
        last: Duration,
    ) -> Duration {
        if minimum.is_zero() {
            return Duration::ZERO;
        }
        // A factor that makes no sense (negative, not a number) must not make us impolite.
        let by_duration = Duration::try_from_secs_f64(last.as_secs_f64() * self.factor)
            .unwrap_or(self.max_delay)
            .min(self.max_delay);
        let by_robots = crawl_delay.unwrap_or_default().min(self.max_crawl_delay);
        minimum.max(by_duration).max(by_robots)
    }

    /// How long a server in trouble is left alone, after `failures` in a row.
    pub(crate) fn hold_after(
        &self,
        server: ServerId,
        failures: u32,
        retry_after: Option<Duration>,
    ) -> Duration {
        let asked = retry_after.unwrap_or_default().min(self.max_retry_after);
        asked.max(self.backoff_after(server, failures))
    }

    /// Doubles with each failure; up to half is added, differently for every server, so that
    /// servers that failed together do not come back together.
    fn backoff_after(&self, server: ServerId, failures: u32) -> Duration {
        if failures == 0 {
            return Duration::ZERO;
        }
        let doubled = 1u32.checked_shl(failures - 1).and_then(|f| self.backoff.checked_mul(f));
        let backoff = doubled.unwrap_or(self.max_backoff).min(self.max_backoff);
        backoff + backoff / 2 * jitter(server, failures) / u32::from(u16::MAX)
    }

    /// No clock can be further ahead than this; one that is, was saved while the time was wrong.
    pub(crate) fn longest_wait(&self, minimum: Duration) -> Duration {
        [self.max_delay, self.max_crawl_delay, self.max_retry_after, self.max_backoff * 3 / 2]
            .into_iter()
            .fold(minimum, Duration::max)
    }
}

/// An even number between 0 and 65,535 for each pair.
fn jitter(server: ServerId, failures: u32) -> u32 {
    let mixed = (server.0 as u64 ^ u64::from(failures) << 48).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 48) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn the_largest_reason_counts() {
        let settings = PolitenessSettings { factor: 5.0, ..PolitenessSettings::default() };
        #[rustfmt::skip]
        let cases = [
            // minimum  crawl-delay  last duration  expected
            (2,         None,        0,             2),
            (2,         Some(10),    0,             10),
            (2,         Some(900),   0,             30),
            (2,         Some(u64::MAX), 0,          30),
            (2,         None,        1,             5),
            (2,         None,        100,           30),
            (60,        Some(10),    1,             60),
            (0,         Some(10),    100,           0),
        ];
        for (minimum, crawl_delay, last, expected) in cases {
            let crawl_delay = crawl_delay.map(Duration::from_secs);
            let delay = settings.delay_after(SECOND * minimum, crawl_delay, SECOND * last);
            assert_eq!(delay, SECOND * expected, "{minimum} {crawl_delay:?} {last}");
        }
    }

    #[test]
    fn senseless_factors_are_slow() {
        for factor in [-1.0, f64::NAN, f64::INFINITY] {
            let settings = PolitenessSettings { factor, ..PolitenessSettings::default() };
            assert_eq!(settings.delay_after(SECOND, None, SECOND), settings.max_delay);
        }
    }

    #[test]
    fn back_off_grows_and_ends() {
        let settings = PolitenessSettings::default();
        let hold = |failures| settings.hold_after(ServerId(7), failures, None);
        assert_eq!(hold(0), Duration::ZERO);
        for failures in 1..200 {
            let full = (settings.backoff * 2u32.saturating_pow(failures - 1).min(1000))
                .min(settings.max_backoff);
            assert!(hold(failures) >= full && hold(failures) <= full * 3 / 2, "{failures}");
        }
        assert_eq!(settings.hold_after(ServerId(7), 0, Some(SECOND * 5000)), SECOND * 600);
        assert_ne!(hold(5), settings.hold_after(ServerId(8), 5, None));
    }

    #[test]
    fn exceptions_by_host() {
        let entry = |delay| HostSettings { delay: Some(SECOND * delay), ..HostSettings::default() };
        let table: HostTable =
            [(".uni.example", 1), (".www.uni.example", 2), ("www.uni.example", 3)]
                .map(|(name, delay)| (name.to_owned(), entry(delay)))
                .into();
        #[rustfmt::skip]
        let cases = [("uni.example", Some(1)), ("a.www.uni.example", Some(2)),
                     ("www.uni.example", Some(3)), ("other.example", None)];
        for (host, expected) in cases {
            let found = host_settings(&table, &HostName::parse(host).unwrap());
            assert_eq!(found.and_then(|s| s.delay), expected.map(|n| SECOND * n), "{host}");
        }
    }
}
