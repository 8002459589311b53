//! What is going on, in numbers, and what holds the crawl up.

use super::server::Gate;
use super::{GroupKey, Scheduler};
use auslese_model::Timestamp;
use rustc_hash::FxHashMap;

/// What is going on, for status lines and for naming the bottleneck.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub servers: usize,
    pub groups: usize,
    /// Requests in memory.
    pub queued: usize,
    /// Requests on their way, robots.txt included.
    pub active: usize,
    /// Groups that have something to ask.
    pub with_work: usize,
    /// Groups that could be asked now if there were a free connection.
    pub ready: usize,
    /// Groups that have something to ask but must wait for their delay.
    pub waiting: usize,
    /// When the first of the waiting groups may be asked.
    pub waiting_until: Option<Timestamp>,
    /// Servers that wait for their address.
    pub resolving: usize,
    /// Servers whose budget is used up.
    pub retired: usize,
    /// Servers whose requests are refused.
    pub shut: usize,
}

impl Counts {
    /// What holds the crawl up, as far as the scheduler can see.
    pub fn bottleneck(&self) -> Bottleneck {
        if self.ready > 0 {
            Bottleneck::Network
        } else if self.resolving > self.active {
            Bottleneck::Dns
        } else if self.waiting > 0 {
            Bottleneck::Politeness
        } else if self.active > 0 {
            Bottleneck::Network
        } else {
            Bottleneck::Nothing
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bottleneck {
    /// All connections are in use, or everything that may be asked is on its way.
    Network,
    Politeness,
    Dns,
    /// There is nothing to do.
    Nothing,
}

impl Scheduler {
    /// Looks at every server and group; for status lines, not for every step.
    pub fn counts(&self, now: Timestamp) -> Counts {
        let mut counts = Counts {
            servers: self.servers.len(),
            groups: self.groups.len() - self.empty_groups,
            active: self.active() as usize,
            resolving: self.resolving + self.to_resolve.len(),
            ..Counts::default()
        };
        let mut first_due = FxHashMap::<GroupKey, Timestamp>::default();
        for server in self.servers.values() {
            counts.queued += server.queue.len();
            counts.retired += usize::from(server.retired);
            counts.shut += usize::from(matches!(server.gate, Gate::Shut { .. }));
            if let Some(due) = server.due() {
                let first = first_due.entry(server.group).or_insert(due);
                *first = due.min(*first);
            }
        }
        counts.with_work = first_due.len();
        for (key, due) in first_due {
            let Some(group) = self.groups.get(&key).filter(|group| !self.is_full(key, group))
            else {
                continue;
            };
            match due.max(group.next_at) {
                due if due <= now => counts.ready += 1,
                due => {
                    counts.waiting += 1;
                    counts.waiting_until =
                        Some(counts.waiting_until.map_or(due, |first| first.min(due)));
                }
            }
        }
        counts
    }
}
