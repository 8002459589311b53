//! Decides when enough was fetched: pages, bytes, time, per server and in all.
//!
//! What a budget leaves over stays queued in the store, so that a larger budget continues where
//! this one ended.

use crate::duration_text;
use auslese_model::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// Limits for the whole crawl and for each server. Default: none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BudgetSettings {
    /// Answers in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_pages: Option<u64>,
    /// Payload bytes in all; the answer that reaches the limit is the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<u64>,
    /// Time since the start.
    #[serde(with = "duration_text::optional", skip_serializing_if = "Option::is_none")]
    pub max_time: Option<Duration>,
    /// The same for every server by itself; its time begins with its first request.
    pub per_server: ServerBudget,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ServerBudget {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_pages: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<u64>,
    #[serde(with = "duration_text::optional", skip_serializing_if = "Option::is_none")]
    pub max_time: Option<Duration>,
}

impl BudgetSettings {
    pub fn in_all(&self) -> ServerBudget {
        ServerBudget {
            max_pages: self.max_pages,
            max_bytes: self.max_bytes,
            max_time: self.max_time,
        }
    }
}

/// Which budget is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BudgetReached {
    Pages(u64),
    Bytes(u64),
    Time(Duration),
}

impl fmt::Display for BudgetReached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BudgetReached::Pages(pages) => write!(f, "{pages} pages"),
            BudgetReached::Bytes(bytes) => write!(f, "{bytes} bytes"),
            BudgetReached::Time(time) => f.write_str(&duration_text::duration_text(*time)),
        }
    }
}

/// What was used so far, of one server or in all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Used {
    pub pages: u64,
    pub bytes: u64,
    /// The start of the time budget; none before the first request.
    pub since: Option<Timestamp>,
}

impl ServerBudget {
    pub fn reached(&self, used: &Used, now: Timestamp) -> Option<BudgetReached> {
        let pages = self.max_pages.filter(|max| used.pages >= *max).map(BudgetReached::Pages);
        let bytes = self.max_bytes.filter(|max| used.bytes >= *max).map(BudgetReached::Bytes);
        let time = self.max_time.filter(|_| self.ends(used).is_some_and(|end| end <= now));
        pages.or(bytes).or(time.map(BudgetReached::Time))
    }

    /// When the time is over.
    pub(crate) fn ends(&self, used: &Used) -> Option<Timestamp> {
        Some(used.since?.plus(self.max_time?))
    }

    /// Whether one more page may be asked for, while `active` are on their way.
    pub(crate) fn has_room(&self, used: &Used, active: u32) -> bool {
        self.max_pages.is_none_or(|max| used.pages.saturating_add(u64::from(active)) < max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits() {
        let budget = ServerBudget {
            max_pages: Some(3),
            max_bytes: Some(100),
            max_time: Some(Duration::from_secs(10)),
        };
        let start = Timestamp::from_seconds(5);
        #[rustfmt::skip]
        let cases = [
            // pages bytes now  reached
            (0,      0,    5,   None),
            (3,      0,    5,   Some("3 pages")),
            (2,      100,  5,   Some("100 bytes")),
            (2,      99,   14,  None),
            (2,      99,   15,  Some("10s")),
        ];
        for (pages, bytes, now, expected) in cases {
            let used = Used { pages, bytes, since: Some(start) };
            let reached = budget.reached(&used, Timestamp::from_seconds(now));
            assert_eq!(
                reached.map(|r| r.to_string()).as_deref(),
                expected,
                "{pages} {bytes} {now}"
            );
        }
        assert!(budget.has_room(&Used { pages: 1, ..Used::default() }, 1));
        assert!(!budget.has_room(&Used { pages: 1, ..Used::default() }, 2));
    }
}
