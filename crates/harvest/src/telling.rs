//! The conductor tells how things stand, and what holds the crawl back.

use crate::committing::Question;
use crate::conductor::{BYTES_UNDER_WAY, Conductor, UNDER_WAY};
use crate::numbers::Bottleneck;
use crate::sharing::Among;
use auslese_catalog::Doing;
use auslese_crawl as crawl;
use auslese_model::Timestamp;
use std::time::Instant;

/// Ticks between two looks at the notes of other processes.
const TICKS_PER_LOOK: u32 = 5;

impl Conductor {
    /// Tells how things stand.
    pub(crate) fn tell(&mut self) {
        self.state.ticks = self.state.ticks.wrapping_add(1);
        if self.state.ticks.is_multiple_of(TICKS_PER_LOOK) {
            self.ask(Question::Controls);
            self.keep_verdicts();
            self.judge_again();
        }
        let counts = self.scheduler.counts(Timestamp::now());
        self.numbers.active_servers = counts.servers as u64;
        self.numbers.in_flight = self.state.in_flight as u64;
        self.numbers.hosts_with_work = counts.with_work as u64;
        self.numbers.hosts_waiting = counts.waiting as u64;
        self.numbers.unprocessed = self.workers.waiting() as u64;
        self.numbers.paused_by_hand = self.state.paused_by_hand;
        self.numbers.stopping = self.outside.stop.is_wanted();
        self.numbers.paused = match self.state.paused_by_hand {
            true => Some("by hand; `auslese control resume` goes on".to_owned()),
            false => self.outside.paused.borrow().clone(),
        };
        if self.numbers.paused.is_none() && !self.may_send() {
            let reason = "the catalog has not heard of this worker for too long";
            self.numbers.paused = Some(reason.to_owned());
        }
        let is_waiting = |among: &Among| among.crew.doing.borrow().0 == Doing::Waiting;
        self.numbers.waits_for_others = self.among.as_ref().is_some_and(is_waiting);
        self.numbers.bottleneck = self.bottleneck(&counts);
        let (documents, bytes) = (self.state.documents, self.state.bytes);
        self.pace.measure(Instant::now(), documents, bytes, &mut self.numbers);
        self.outside.numbers.send_replace(self.numbers.clone());
    }

    fn bottleneck(&self, counts: &crawl::Counts) -> Bottleneck {
        let behind =
            self.state.under_way >= UNDER_WAY || self.state.bytes_under_way >= BYTES_UNDER_WAY;
        if self.numbers.paused.is_some() {
            return Bottleneck::Disk;
        }
        if behind && self.workers.waiting() > UNDER_WAY / 2 {
            return Bottleneck::Cpu;
        }
        if behind {
            return Bottleneck::Disk;
        }
        match counts.bottleneck() {
            crawl::Bottleneck::Network => Bottleneck::Network,
            crawl::Bottleneck::Politeness => Bottleneck::Politeness,
            crawl::Bottleneck::Dns => Bottleneck::Dns,
            crawl::Bottleneck::Nothing => Bottleneck::Nothing,
        }
    }
}
