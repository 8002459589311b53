//! The numbers of a running crawl, as archivists know them.
//!
//! A snapshot is made several times a second and handed out by value: to the progress display, to
//! the log in `runs/`, and through it to `auslese status` in another process.

use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// How things stand.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Numbers {
    /// Requests known, whatever became of them.
    pub discovered: u64,
    pub queued: u64,
    /// Requests that wait for the verdict on their host.
    pub parked: u64,
    /// Captures, header rows included.
    pub downloaded: u64,
    pub failed: u64,
    /// Not asked for, by a rule.
    pub refused: u64,
    /// Payload bytes received.
    pub bytes: u64,
    /// Over the last seconds.
    pub documents_per_second: f64,
    pub kilobytes_per_second: f64,
    /// Since this run began.
    pub mean_documents_per_second: f64,
    pub mean_kilobytes_per_second: f64,
    /// Servers with a request under way or waiting in memory.
    pub active_servers: u64,
    pub in_flight: u64,
    /// Servers, or groups of them that share an address, that have something to be asked for; those of them that wait
    /// for their delay.
    pub hosts_with_work: u64,
    pub hosts_waiting: u64,
    /// Answers that wait to be parsed and compressed.
    pub unprocessed: u64,
    /// Seconds to the end at the present pace, politeness included; none if nothing is known yet.
    pub seconds_left: Option<u64>,
    pub bottleneck: Bottleneck,
    /// Why the crawl stands still, if it does: a full disk, a database out of reach, a person.
    pub paused: Option<String>,
    pub paused_by_hand: bool,
    /// What is under way is finished, nothing more is begun.
    pub stopping: bool,
    /// Answers of this run that were stored, and their payload bytes.
    pub captured: u64,
    pub captured_bytes: u64,
    /// Other workers at the same harvest: those that do something, and those that wait for work.
    pub busy_workers: u64,
    pub waiting_workers: u64,
    /// This worker has nothing to do as long as others find nothing for it.
    pub waits_for_others: bool,
    pub seconds: f64,
}

/// What holds the crawl back just now.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bottleneck {
    #[default]
    Nothing,
    /// All hosts with work wait for their delay.
    Politeness,
    /// All allowed connections wait for servers.
    Network,
    /// Parsing and compressing are behind.
    Cpu,
    /// The archive or the catalog is behind, or stands still.
    Disk,
    /// Verdicts or addresses are waited for.
    Dns,
}

impl Bottleneck {
    pub fn words(self) -> &'static str {
        match self {
            Bottleneck::Nothing => "nothing",
            Bottleneck::Politeness => "politeness",
            Bottleneck::Network => "network",
            Bottleneck::Cpu => "CPU",
            Bottleneck::Disk => "disk",
            Bottleneck::Dns => "DNS",
        }
    }
}

/// How long the "now" of a rate is.
const RECENT: Duration = Duration::from_secs(5);

/// Turns running totals into rates.
#[derive(Debug)]
pub(crate) struct Pace {
    started: Instant,
    samples: VecDeque<(Instant, u64, u64)>,
}

impl Pace {
    pub(crate) fn new(now: Instant) -> Pace {
        Pace { started: now, samples: VecDeque::from([(now, 0, 0)]) }
    }

    /// Sets the rates in `numbers`, given what this run has fetched so far.
    pub(crate) fn measure(
        &mut self,
        now: Instant,
        documents: u64,
        bytes: u64,
        numbers: &mut Numbers,
    ) {
        self.samples.push_back((now, documents, bytes));
        while self.samples.len() > 2 && now - self.samples[1].0 >= RECENT {
            self.samples.pop_front();
        }
        let (then, documents_then, bytes_then) = self.samples[0];
        let rate = |amount: u64, time: Duration| amount as f64 / time.as_secs_f64().max(0.001);
        numbers.documents_per_second = rate(documents - documents_then, now - then);
        numbers.kilobytes_per_second = rate(bytes - bytes_then, now - then) / 1000.0;
        numbers.mean_documents_per_second = rate(documents, now - self.started);
        numbers.mean_kilobytes_per_second = rate(bytes, now - self.started) / 1000.0;
        numbers.seconds = (now - self.started).as_secs_f64();
        let pace = numbers.documents_per_second.max(numbers.mean_documents_per_second);
        numbers.seconds_left =
            (pace > 0.0 && documents > 0).then(|| (numbers.queued as f64 / pace) as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_of_now_and_in_the_mean() {
        let start = Instant::now();
        let mut pace = Pace::new(start);
        let mut numbers = Numbers { queued: 50, ..Numbers::default() };
        for second in 1..=20 {
            // Ten documents a second at first, one a second in the end.
            let documents = if second <= 10 { second * 10 } else { 90 + second };
            let now = start + Duration::from_secs(second);
            pace.measure(now, documents, documents * 1000, &mut numbers);
        }
        assert_eq!(numbers.documents_per_second, 1.0);
        assert_eq!(numbers.mean_documents_per_second, 5.5);
        assert_eq!(numbers.mean_kilobytes_per_second, 5.5);
        assert_eq!(numbers.seconds_left, Some(9));
    }
}
