//! How it stands with a crawl or another stage that several workers do, told by what each has said of
//! itself last.

use crate::numbers::Numbers;
use crate::shared_stage::StageNumbers;
use crate::standing::{CrawlState, Standing};
use auslese_catalog::{Company, Doing, Run, Worker};
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
    /// What it is at, such as `crawl`.
    pub stage: String,
    /// The part of a stage that it is at, such as `pages`; none for a crawl.
    pub phase: Option<String>,
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
    /// Of its last run; at other stages than the crawl, what it has done of the phase.
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

/// A stage that several workers are at, or were at last.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SharedStanding {
    pub stage: String,
    /// The part they are at, such as `pages`.
    pub phase: String,
    /// What is done of it, by all of them together.
    pub done: u64,
    pub of: u64,
    /// Workers that are alive.
    pub workers: u64,
}

/// How far those are that do another stage than the crawl, as long as one is alive.
pub(crate) fn shared_standing(workers: &[Worker], now: Timestamp) -> Option<SharedStanding> {
    let at_stage =
        |worker: &&Worker| worker.is_alive(now) && worker.stage != Company::Crawl.as_str();
    let alive: Vec<&Worker> = workers.iter().filter(at_stage).collect();
    let stage = alive.first()?.stage.clone();
    let told = alive.iter().filter_map(|worker| {
        let numbers: StageNumbers = serde_json::from_str(&worker.numbers).ok()?;
        Some((worker.heartbeat, numbers))
    });
    let newest = told.max_by_key(|(heartbeat, _)| *heartbeat);
    let StageNumbers { phase, done, of, .. } = newest.map(|(_, it)| it).unwrap_or_default();
    Some(SharedStanding { stage, phase, done, of, workers: alive.len() as u64 })
}

fn worker_standing(worker: &Worker, now: Timestamp) -> WorkerStanding {
    let is_crawl = worker.stage == Company::Crawl.as_str();
    let numbers: Option<Numbers> =
        is_crawl.then(|| serde_json::from_str(&worker.numbers).ok()).flatten();
    let at_stage: Option<StageNumbers> =
        (!is_crawl).then(|| serde_json::from_str(&worker.numbers).ok()).flatten();
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
    let share = at_stage.as_ref().filter(|_| state.is_alive()).map_or(0.0, |it| {
        if it.done == 0 { 0.0 } else { it.rate * it.own as f64 / it.done as f64 }
    });
    WorkerStanding {
        name: worker.name.clone(),
        stage: worker.stage.clone(),
        phase: at_stage.map(|it| it.phase).filter(|phase| !phase.is_empty()),
        machine: worker.machine.clone(),
        process: worker.process,
        state,
        run: worker.run,
        started: worker.started,
        heartbeat: worker.heartbeat,
        servers: worker.servers,
        captures: worker.captures,
        bytes: worker.bytes,
        documents_per_second: alive.map_or(share, |numbers| numbers.documents_per_second),
        paused: alive.and_then(|numbers| numbers.paused.clone()),
        numbers,
    }
}

/// The standing of a crawl by what its workers say, as long as one is alive.
pub(crate) fn among_workers(standing: Standing, runs: &[Run]) -> Standing {
    let is_crawling = |worker: &&WorkerStanding| {
        worker.state.is_alive() && worker.stage == Company::Crawl.as_str()
    };
    let alive: Vec<&WorkerStanding> = standing.workers.iter().filter(is_crawling).collect();
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
            stage: "crawl".to_owned(),
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
            shared_stage: None,
            workers: shown,
        };
        let found = among_workers(standing.clone(), &[]);
        assert_eq!((found.state, found.other_stage), (CrawlState::Running, None));
        let numbers = found.numbers.unwrap();
        assert_eq!((numbers.documents_per_second, numbers.in_flight), (6.0, 9));
        let told = StageNumbers { phase: "pages".to_owned(), done: 30, of: 90, own: 10, rate: 6.0 };
        let describing = Worker {
            stage: "describe".to_owned(),
            captures: 10,
            numbers: serde_json::to_string(&told).unwrap(),
            ..worker("g", Doing::Working, 1, &rate)
        };
        let shared = shared_standing(&[workers[0].clone(), describing.clone()], NOW).unwrap();
        assert_eq!((shared.stage.as_str(), shared.phase.as_str()), ("describe", "pages"));
        assert_eq!((shared.done, shared.of, shared.workers), (30, 90, 1));
        let shown = worker_standing(&describing, NOW);
        assert_eq!((shown.phase.as_deref(), shown.documents_per_second), (Some("pages"), 2.0));
        let alone = Standing { workers: vec![shown], ..standing.clone() };
        assert_eq!(among_workers(alone, &[]).state, CrawlState::Died, "that is no crawl");

        let over = Standing { workers: standing.workers[3..].to_vec(), ..standing };
        assert_eq!(among_workers(over, &[]).state, CrawlState::Died);
    }
}
