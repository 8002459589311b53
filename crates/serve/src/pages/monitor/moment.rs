//! How it stands with a harvest in one moment: the value that the monitor shows, and that programs get.

use super::super::robots::Robots;
use crate::site::Harvest;
use crate::watch::{Counted, Look};
use auslese_catalog::{NewCapture, RobotsCounts, ServerQueue};
use auslese_harvest::{
    Bottleneck, CrawlState, ExclusionInForce, Numbers, Standing, WorkerStanding, WorkerState,
};
use auslese_model::{CauseKind, State, Timestamp};
use serde::Serialize;
use std::sync::Arc;

/// One moment of a harvest.
#[derive(Debug, Serialize)]
pub(super) struct Moment {
    pub(super) harvest: String,
    pub(super) title: String,
    #[serde(serialize_with = "as_text")]
    pub(super) at: Timestamp,
    /// None if nobody can tell: the catalog does not answer, and the rest is of `counted_at`.
    pub(super) state: Option<CrawlState>,
    pub(super) crawl: Option<Crawl>,
    /// The word of another command that has the harvest.
    pub(super) other_stage: Option<String>,
    /// A pause that the next crawl will begin with.
    pub(super) pause_waits: bool,
    /// Its run was asked to stop and has not followed yet.
    pub(super) stop_asked: bool,
    pub(super) counts: Counts,
    pub(super) pace: Option<Pace>,
    pub(super) hosts: Hosts,
    pub(super) robots: RobotsShown,
    pub(super) archive_bytes: u64,
    pub(super) archive_files: u64,
    pub(super) exclusions: Vec<ExclusionInForce>,
    /// Who crawls together; empty if one crawls alone.
    pub(super) workers: Vec<WorkerShown>,
    pub(super) queues: Vec<Queue>,
    pub(super) failures: Vec<Failure>,
    pub(super) captures: Vec<Capture>,
    /// When the counts were taken.
    #[serde(serialize_with = "as_text")]
    pub(super) counted_at: Timestamp,
}

/// The newest crawl.
#[derive(Debug, Serialize)]
pub(super) struct Crawl {
    pub(super) run: i64,
    pub(super) worker: String,
    #[serde(serialize_with = "as_text")]
    pub(super) started: Timestamp,
    #[serde(serialize_with = "as_text_if_any")]
    pub(super) ended: Option<Timestamp>,
    pub(super) outcome: Option<String>,
    #[serde(serialize_with = "as_text_if_any")]
    pub(super) last_sign: Option<Timestamp>,
    pub(super) seconds: u64,
    /// Why it stands still, if it does.
    pub(super) paused: Option<String>,
    pub(super) paused_by_hand: bool,
}

/// One of those who crawl together.
#[derive(Debug, Serialize)]
pub(super) struct WorkerShown {
    pub(super) name: String,
    pub(super) machine: String,
    pub(super) state: WorkerState,
    pub(super) servers: u64,
    pub(super) captures: u64,
    pub(super) bytes: u64,
    pub(super) documents_per_second: f64,
    pub(super) paused: Option<String>,
    #[serde(serialize_with = "as_text")]
    pub(super) last_heard: Timestamp,
}

impl WorkerShown {
    fn of(worker: &WorkerStanding) -> WorkerShown {
        WorkerShown {
            name: worker.name.clone(),
            machine: worker.machine.clone(),
            state: worker.state,
            servers: worker.servers,
            captures: worker.captures,
            bytes: worker.bytes,
            documents_per_second: worker.documents_per_second,
            paused: worker.paused.clone(),
            last_heard: worker.heartbeat,
        }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct Counts {
    pub(super) discovered: u64,
    pub(super) queued: u64,
    pub(super) waiting_for_verdict: u64,
    pub(super) fetched: u64,
    pub(super) failed: u64,
    pub(super) refused: u64,
    pub(super) bytes: u64,
}

/// How fast it goes; only known while it lives.
#[derive(Debug, Serialize)]
pub(super) struct Pace {
    pub(super) documents_per_second: f64,
    pub(super) mean_documents_per_second: f64,
    pub(super) kilobytes_per_second: f64,
    pub(super) mean_kilobytes_per_second: f64,
    pub(super) seconds_left: Option<u64>,
    pub(super) in_flight: u64,
    pub(super) unprocessed: u64,
    pub(super) bottleneck: Bottleneck,
}

#[derive(Debug, Serialize)]
pub(super) struct Hosts {
    pub(super) known: u64,
    pub(super) with_queue: u64,
    pub(super) active: u64,
    pub(super) with_work: u64,
    pub(super) waiting_for_delay: u64,
}

#[derive(Debug, Serialize)]
pub(super) struct RobotsShown {
    pub(super) read: u64,
    pub(super) missing: u64,
    pub(super) unreachable: u64,
    pub(super) refused_requests: u64,
}

#[derive(Debug, Serialize)]
pub(super) struct Queue {
    pub(super) server: String,
    pub(super) host: String,
    pub(super) queued: u64,
    pub(super) captures: u64,
    pub(super) bytes: u64,
    pub(super) delay_seconds: f64,
    #[serde(serialize_with = "as_text")]
    pub(super) next_at: Timestamp,
    pub(super) failures_in_a_row: u32,
    pub(super) worker: Option<String>,
    pub(super) robots: Option<Robots>,
}

#[derive(Debug, Serialize)]
pub(super) struct Failure {
    pub(super) state: State,
    pub(super) cause: CauseKind,
    pub(super) requests: u64,
    pub(super) example: String,
    pub(super) detail: String,
}

#[derive(Debug, Serialize)]
pub(super) struct Capture {
    pub(super) url: String,
    pub(super) page: String,
    pub(super) status: u16,
    pub(super) media_type: Option<String>,
    pub(super) bytes: u64,
    pub(super) seconds: f64,
    #[serde(serialize_with = "as_text")]
    pub(super) at: Timestamp,
}

impl Moment {
    pub(super) fn of(harvest: &Harvest, look: &Look) -> Moment {
        let counted: &Arc<Counted> = &look.counted;
        let standing = look.standing.as_ref();
        let state = standing.map(|it| it.state);
        let numbers = standing.and_then(|it| it.numbers.as_ref());
        // What a crawl has told last holds only while it lives.
        let alive = numbers.filter(|_| state.is_some_and(CrawlState::is_alive));
        let status = &counted.status;
        let is_robots = |kind| matches!(kind, CauseKind::Robots | CauseKind::RobotsUnknown);
        let by_robots = status.failures.iter().filter(|group| is_robots(group.kind));
        Moment {
            harvest: harvest.name.clone(),
            title: harvest.title.clone(),
            at: standing.map_or_else(Timestamp::now, |it| it.at),
            state,
            crawl: standing.and_then(|it| Crawl::of(it, alive)),
            other_stage: standing.and_then(|it| it.other_stage.clone()),
            pause_waits: counted.notes.pause_waits,
            stop_asked: standing
                .and_then(|it| it.run.as_ref())
                .is_some_and(|run| counted.notes.stop_asked == Some(run.id)),
            counts: Counts::of(counted, alive),
            pace: alive.map(Pace::of),
            hosts: Hosts {
                known: status.servers,
                with_queue: status.waiting_servers,
                active: alive.map_or(0, |it| it.active_servers),
                with_work: alive.map_or(0, |it| it.hosts_with_work),
                waiting_for_delay: alive.map_or(0, |it| it.hosts_waiting),
            },
            robots: RobotsShown::of(counted.robots, by_robots.map(|group| group.requests).sum()),
            archive_bytes: status.warc_bytes,
            archive_files: status.warc_files,
            exclusions: counted.notes.exclusions.clone(),
            workers: standing
                .map_or_else(Vec::new, |it| it.workers.iter().map(WorkerShown::of).collect()),
            queues: counted
                .queues
                .iter()
                .filter(|queue| queue.queued > 0)
                .map(|it| Queue::of(it, counted))
                .collect(),
            failures: status
                .failures
                .iter()
                .map(|group| Failure {
                    state: group.state,
                    cause: group.kind,
                    requests: group.requests,
                    example: group.example.clone(),
                    detail: group.detail.clone(),
                })
                .collect(),
            captures: counted.captures.iter().map(|it| Capture::of(harvest, it)).collect(),
            counted_at: counted.at,
        }
    }

    pub(super) fn is_alive(&self) -> bool {
        self.state.is_some_and(CrawlState::is_alive)
    }

    /// The run that lives.
    pub(super) fn living_run(&self) -> Option<i64> {
        self.crawl.as_ref().filter(|_| self.is_alive()).map(|crawl| crawl.run)
    }
}

impl Crawl {
    fn of(standing: &Standing, alive: Option<&Numbers>) -> Option<Crawl> {
        let run = standing.run.as_ref()?;
        let until = run.ended.or_else(|| match standing.state.is_alive() {
            true => Some(standing.at),
            false => standing.last_sign,
        });
        Some(Crawl {
            run: run.id.0,
            worker: run.worker.clone(),
            started: run.started,
            ended: run.ended,
            outcome: run.outcome.clone(),
            last_sign: standing.last_sign,
            seconds: until.map_or(0, |until| until.since(run.started).as_secs()),
            paused: alive.and_then(|it| it.paused.clone()),
            paused_by_hand: alive.is_some_and(|it| it.paused_by_hand),
        })
    }
}

impl Counts {
    /// A crawl that lives knows more than what is committed.
    fn of(counted: &Counted, alive: Option<&Numbers>) -> Counts {
        let requests = &counted.status.requests;
        let count = |state: State| requests.get(&state).copied().unwrap_or(0);
        // Of several workers each knows only a part.
        match alive.filter(|it| it.busy_workers + it.waiting_workers == 0) {
            Some(numbers) => Counts {
                discovered: numbers.discovered,
                queued: numbers.queued,
                waiting_for_verdict: numbers.parked,
                fetched: numbers.downloaded,
                failed: numbers.failed,
                refused: numbers.refused,
                bytes: counted.status.bytes.max(numbers.bytes),
            },
            None => Counts {
                discovered: requests.values().sum(),
                queued: count(State::Queued),
                waiting_for_verdict: count(State::Parked),
                fetched: counted.status.captures,
                failed: count(State::Failed),
                refused: count(State::Refused),
                bytes: counted.status.bytes,
            },
        }
    }
}

impl Pace {
    fn of(numbers: &Numbers) -> Pace {
        Pace {
            documents_per_second: numbers.documents_per_second,
            mean_documents_per_second: numbers.mean_documents_per_second,
            kilobytes_per_second: numbers.kilobytes_per_second,
            mean_kilobytes_per_second: numbers.mean_kilobytes_per_second,
            seconds_left: numbers.seconds_left.filter(|_| numbers.queued > 0),
            in_flight: numbers.in_flight,
            unprocessed: numbers.unprocessed,
            bottleneck: numbers.bottleneck,
        }
    }
}

impl RobotsShown {
    fn of(counts: RobotsCounts, refused_requests: u64) -> RobotsShown {
        let RobotsCounts { read, missing, unreachable } = counts;
        RobotsShown { read, missing, unreachable, refused_requests }
    }
}

impl Queue {
    fn of(queue: &ServerQueue, counted: &Counted) -> Queue {
        let server = queue.origin.to_string();
        let copy = counted.robots_copies.iter().find(|copy| copy.server == queue.server);
        Queue {
            robots: copy.map(|copy| Robots::of(&server, copy)),
            host: queue.origin.host.to_string(),
            server,
            queued: queue.queued,
            captures: queue.captures,
            bytes: queue.bytes,
            delay_seconds: queue.clock.delay.as_secs_f64(),
            next_at: queue.clock.next_at,
            failures_in_a_row: queue.clock.failures,
            worker: queue.leased_by.clone(),
        }
    }
}

impl Capture {
    fn of(harvest: &Harvest, capture: &NewCapture) -> Capture {
        Capture {
            page: format!("/doc/{}/{}", harvest.name, capture.request.0),
            url: capture.url.clone(),
            status: capture.status,
            media_type: capture.media_type.clone(),
            bytes: capture.bytes,
            seconds: capture.took.as_secs_f64(),
            at: capture.at,
        }
    }
}

fn as_text<S: serde::Serializer>(time: &Timestamp, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&time.to_second_text())
}

fn as_text_if_any<S: serde::Serializer>(
    time: &Option<Timestamp>,
    to: S,
) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => as_text(time, to),
        None => to.serialize_none(),
    }
}
