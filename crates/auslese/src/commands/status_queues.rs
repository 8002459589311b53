//! The table of hosts with their queues in `auslese status`, and when each is asked next.
//!
//! The clock of a server says when it may be asked, not whether it will be: one whose budget is used up
//! is left out, and its clock stands at a moment that has passed. A budget of time counts from the first
//! request of a run, which only the crawl itself knows, so it does not show here.

use crate::{output, size_text};
use auslese_catalog::{ServerQueue, Status};
use auslese_crawl::{BudgetReached, BudgetSettings, Used, duration_text};
use auslese_model::Timestamp;
use serde_json::{Value, json};
use std::time::Duration;

/// Hosts and the budgets they are fetched within.
#[derive(Debug)]
pub(super) struct Queues {
    pub(super) servers: Vec<ServerQueue>,
    pub(super) budget: BudgetSettings,
}

impl Queues {
    /// The table below an empty line; nothing without hosts.
    pub(super) fn text(&self, status: &Status, now: Timestamp) -> String {
        if self.servers.is_empty() {
            return String::new();
        }
        let head = ["host", "queued", "downloaded", "data", "next request"].map(str::to_owned);
        let rows =
            self.servers.iter().map(|queue| row(queue, self.reached(queue, status, now), now));
        let rows: Vec<[String; 5]> = std::iter::once(head).chain(rows).collect();
        format!("\n{}", output::columns(&rows))
    }

    pub(super) fn json(&self, status: &Status, now: Timestamp) -> Vec<Value> {
        let json = |queue| queue_json(queue, self.reached(queue, status, now));
        self.servers.iter().map(json).collect()
    }

    /// The budget that a host has used up: its own, or that of the whole harvest.
    fn reached(
        &self,
        queue: &ServerQueue,
        status: &Status,
        now: Timestamp,
    ) -> Option<BudgetReached> {
        let used = |pages, bytes| Used { pages, bytes, since: None };
        let own = self.budget.per_server.reached(&used(queue.captures, queue.bytes), now);
        own.or(self.budget.in_all().reached(&used(status.captures, status.bytes), now))
    }
}

fn row(queue: &ServerQueue, reached: Option<BudgetReached>, now: Timestamp) -> [String; 5] {
    let wait = queue.clock.next_at.since(now).as_secs();
    let next = match (queue.queued, reached, wait) {
        (0, _, _) => "–".to_owned(),
        (_, Some(budget), _) => format!("none: budget of {budget} used up"),
        (_, None, 0) => "now".to_owned(),
        (_, None, seconds) => format!("in {}", duration_text(Duration::from_secs(seconds))),
    };
    [
        queue.origin.to_string(),
        queue.queued.to_string(),
        queue.captures.to_string(),
        size_text::format(queue.bytes),
        next,
    ]
}

fn queue_json(queue: &ServerQueue, reached: Option<BudgetReached>) -> Value {
    json!({
        "host": queue.origin.to_string(),
        "label": queue.label,
        "software": queue.software,
        "queued": queue.queued,
        "captures": queue.captures,
        "bytes": queue.bytes,
        "next_at": queue.clock.next_at.to_string(),
        "budget_used_up": reached.map(|budget| budget.to_string()),
        "delay_seconds": queue.clock.delay.as_secs_f64(),
        "failures_in_a_row": queue.clock.failures,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_crawl::ServerBudget;
    use auslese_model::{Clock, Origin, ServerId};

    fn queue(queued: u64, wait: u64) -> ServerQueue {
        ServerQueue {
            server: ServerId(1),
            origin: Origin::parse("http://www.uni.example").unwrap(),
            label: None,
            software: None,
            clock: Clock {
                server: ServerId(1),
                address: None,
                last_end: Timestamp(0),
                next_at: Timestamp::from_seconds(100).plus(Duration::from_secs(wait)),
                delay: Duration::from_secs(2),
                failures: 0,
            },
            queued,
            captures: 12,
            bytes: 5_000,
            leased_by: None,
            leased_until: None,
        }
    }

    #[test]
    fn when_a_host_is_asked_next() {
        #[rustfmt::skip]
        let cases = [
            // queued wait pages of it bytes of it pages in all   next request
            (30,      3,   None,       None,       None,          "in 3s"),
            (30,      0,   None,       None,       None,          "now"),
            (30,      0,   Some(13),   None,       Some(41),      "now"),
            (30,      3,   Some(12),   None,       None,          "none: budget of 12 pages used up"),
            (30,      0,   None,       Some(4000), None,          "none: budget of 4000 bytes used up"),
            (30,      0,   None,       None,       Some(40),      "none: budget of 40 pages used up"),
            (0,       0,   Some(12),   None,       None,          "–"),
        ];
        let status = Status { captures: 40, ..Status::default() };
        for (queued, wait, max_pages, max_bytes, max_in_all, expected) in cases {
            let per_server = ServerBudget { max_pages, max_bytes, max_time: None };
            let budget =
                BudgetSettings { max_pages: max_in_all, per_server, ..BudgetSettings::default() };
            let queues = Queues { servers: vec![queue(queued, wait)], budget };
            let now = Timestamp::from_seconds(100);
            let text = queues.text(&status, now);
            assert!(text.ends_with(&format!("  {expected}\n")), "{expected} in\n{text}");
            let used_up = queues.json(&status, now)[0]["budget_used_up"].clone();
            let said = max_in_all == Some(40) || max_bytes.is_some() || max_pages == Some(12);
            assert_eq!(used_up.is_string(), said, "{used_up}");
        }
    }
}
