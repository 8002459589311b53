//! How it stands with a crawl that several workers do, told by what each has said of itself last.

use crate::numbers::Numbers;
use crate::standing::{CrawlState, Standing};
use auslese_catalog::{Doing, Run, Worker};
use auslese_model::{RunId, Timestamp};
use serde::Serialize;
use std::time::Duration;

/// Workers that ended or died longer ago than this are not shown.
const SHOWN_FOR: Duration = Duration::from_secs(24 * 3600);

/// What a worker does, as others see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WorkerState {
    Starting,
    Working,
    /// It has nothing to do as long as others find nothing for it.
    Waiting,
    Paused,
    Stopping,
    Ended,
    /// It has said nothing for longer than a lease lasts.
    Died,
}

impl WorkerState {
    pub fn is_alive(self) -> bool {
        !matches!(self, WorkerState::Ended | WorkerState::Died)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            WorkerState::Starting => "starting",
            WorkerState::Working => "working",
            WorkerState::Waiting => "waiting",
            WorkerState::Paused => "paused",
            WorkerState::Stopping => "stopping",
            WorkerState::Ended => "ended",
            WorkerState::Died => "died",
        }
    }
}

/// A worker as others see it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WorkerStanding {
    pub name: String,
    pub machine: String,
    pub process: i64,
    pub state: WorkerState,
    #[serde(skip)]
    pub run: Option<RunId>,
    #[serde(skip)]
    pub started: Timestamp,
    #[serde(skip)]
    pub heartbeat: Timestamp,
    /// Servers that it has.
    pub servers: u64,
    /// Of its last run.
    pub captures: u64,
    pub bytes: u64,
    pub documents_per_second: f64,
    /// Why it stands still, if it does.
    pub paused: Option<String>,
    #[serde(skip)]
    pub numbers: Option<Numbers>,
}

pub(crate) fn worker_standings(workers: &[Worker], now: Timestamp) -> Vec<WorkerStanding> {
    let is_recent = |worker: &&Worker| now.since(worker.heartbeat) < SHOWN_FOR;
    workers.iter().filter(is_recent).map(|worker| worker_standing(worker, now)).collect()
}

fn worker_standing(worker: &Worker, now: Timestamp) -> WorkerStanding {
    let numbers: Option<Numbers> = serde_json::from_str(&worker.numbers).ok();
    let is_paused = numbers.as_ref().is_some_and(|numbers| numbers.paused.is_some());
    let is_stopping = numbers.as_ref().is_some_and(|numbers| numbers.stopping);
    let state = match worker.doing {
        Doing::Ended => WorkerState::Ended,
        _ if !worker.is_alive(now) => WorkerState::Died,
        Doing::Starting => WorkerState::Starting,
        _ if is_stopping => WorkerState::Stopping,
        _ if is_paused => WorkerState::Paused,
        Doing::Waiting => WorkerState::Waiting,
        Doing::Working => WorkerState::Working,
    };
    let alive = numbers.as_ref().filter(|_| state.is_alive());
    WorkerStanding {
        name: worker.name.clone(),
        machine: worker.machine.clone(),
        process: worker.process,
        state,
        run: worker.run,
        started: worker.started,
        heartbeat: worker.heartbeat,
        servers: worker.servers,
        captures: worker.captures,
        bytes: worker.bytes,
        documents_per_second: alive.map_or(0.0, |numbers| numbers.documents_per_second),
        paused: alive.and_then(|numbers| numbers.paused.clone()),
        numbers,
    }
}

/// The standing of a crawl by what its workers say, as long as one is alive.
pub(crate) fn among_workers(standing: Standing, runs: &[Run]) -> Standing {
    let alive: Vec<&WorkerStanding> =
        standing.workers.iter().filter(|worker| worker.state.is_alive()).collect();
    if alive.is_empty() {
        return standing;
    }
    let all = |state: WorkerState| alive.iter().all(|worker| worker.state == state);
    let state = match () {
        () if all(WorkerState::Starting) => CrawlState::Starting,
        () if all(WorkerState::Stopping) => CrawlState::Stopping,
        () if all(WorkerState::Paused) => CrawlState::Paused,
        () => CrawlState::Running,
    };
    let newest = alive.iter().filter_map(|worker| worker.run).max();
    let run = runs.iter().find(|run| Some(run.id) == newest).cloned().or(standing.run);
    let numbers = combined(alive.iter().filter_map(|worker| worker.numbers.as_ref()));
    let last_sign = alive.iter().map(|worker| worker.heartbeat).max();
    Standing { state, run, numbers, last_sign, other_stage: None, ..standing }
}

/// What all have said, together: what belongs to one worker is added up, of what belongs to the harvest
/// the highest number counts.
fn combined<'a>(all: impl Iterator<Item = &'a Numbers>) -> Option<Numbers> {
    all.cloned().reduce(|one, other| Numbers {
        discovered: one.discovered.max(other.discovered),
        queued: one.queued.max(other.queued),
        parked: one.parked.max(other.parked),
        downloaded: one.downloaded.max(other.downloaded),
        failed: one.failed.max(other.failed),
        refused: one.refused.max(other.refused),
        bytes: one.bytes.max(other.bytes),
        documents_per_second: one.documents_per_second + other.documents_per_second,
        kilobytes_per_second: one.kilobytes_per_second + other.kilobytes_per_second,
        mean_documents_per_second: one.mean_documents_per_second + other.mean_documents_per_second,
        mean_kilobytes_per_second: one.mean_kilobytes_per_second + other.mean_kilobytes_per_second,
        active_servers: one.active_servers + other.active_servers,
        in_flight: one.in_flight + other.in_flight,
        hosts_with_work: one.hosts_with_work + other.hosts_with_work,
        hosts_waiting: one.hosts_waiting + other.hosts_waiting,
        unprocessed: one.unprocessed + other.unprocessed,
        seconds_left: one.seconds_left.max(other.seconds_left),
        paused: one.paused.clone().or(other.paused.clone()),
        paused_by_hand: one.paused_by_hand || other.paused_by_hand,
        stopping: one.stopping && other.stopping,
        captured: one.captured + other.captured,
        captured_bytes: one.captured_bytes + other.captured_bytes,
        waits_for_others: one.waits_for_others && other.waits_for_others,
        seconds: one.seconds.max(other.seconds),
        ..one
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standing::CrawlState;

    const NOW: Timestamp = Timestamp(1_800_000_000_000_000);

    fn worker(name: &str, doing: Doing, silent: u64, numbers: &Numbers) -> Worker {
        let heartbeat = NOW.minus(Duration::from_secs(silent));
        Worker {
            name: name.to_owned(),
            machine: "m".to_owned(),
            process: 1,
            run: Some(RunId(silent as i64 + 1)),
            started: heartbeat,
            heartbeat,
            alive_until: heartbeat.plus(Duration::from_secs(60)),
            doing,
            captures: 5,
            bytes: 50,
            servers: 2,
            numbers: serde_json::to_string(numbers).unwrap(),
        }
    }

    #[test]
    fn what_workers_do_and_how_the_crawl_stands() {
        let rate = Numbers { documents_per_second: 2.0, in_flight: 3, ..Numbers::default() };
        let paused = Numbers { paused: Some("disk".to_owned()), ..rate.clone() };
        let workers = [
            worker("a", Doing::Working, 1, &rate),
            worker("b", Doing::Working, 2, &paused),
            worker("c", Doing::Waiting, 3, &rate),
            worker("d", Doing::Working, 100, &rate),
            worker("e", Doing::Ended, 5, &rate),
            worker("f", Doing::Working, 100_000, &rate),
        ];
        let shown = worker_standings(&workers, NOW);
        let states: Vec<&str> = shown.iter().map(|worker| worker.state.as_str()).collect();
        assert_eq!(states, ["working", "paused", "waiting", "died", "ended"]);
        assert_eq!(shown[3].documents_per_second, 0.0);

        let standing = Standing {
            at: NOW,
            state: CrawlState::Died,
            run: None,
            numbers: None,
            last_sign: None,
            other_stage: Some("other".to_owned()),
            workers: shown,
        };
        let found = among_workers(standing.clone(), &[]);
        assert_eq!((found.state, found.other_stage), (CrawlState::Running, None));
        let numbers = found.numbers.unwrap();
        assert_eq!((numbers.documents_per_second, numbers.in_flight), (6.0, 9));
        let over = Standing { workers: standing.workers[3..].to_vec(), ..standing };
        assert_eq!(among_workers(over, &[]).state, CrawlState::Died);
    }
}
