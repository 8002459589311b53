//! Keeps a worker alive in the eyes of the others, and notices what it has lost.
//!
//! It has nothing to do with the work itself, which may take long: a worker that reads a large document
//! keeps its batches as long as it lives.

use super::{Entered, PAUSES, SharedStage, Teller};
use auslese_catalog::{
    Catalog, CatalogError, Doing, Exclusive, PhaseProgress, StageBatch, StageBeat, StageWork,
};
use auslese_model::RunId;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Heartbeats in the time of a lease.
const BEATS: u32 = 4;
/// How often progress is looked at, at most.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// What a worker at a stage tells of itself, as JSON in the catalog.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct StageNumbers {
    /// What is being done, such as `pages`.
    pub(crate) phase: String,
    /// Of all workers together, in this phase.
    pub(crate) done: u64,
    pub(crate) of: u64,
    /// Of this worker, in this phase.
    pub(crate) own: u64,
    /// Per second, all together.
    pub(crate) rate: f64,
}

/// The pulse of a worker.
pub(super) struct Pulse {
    state: Arc<State>,
    task: JoinHandle<()>,
}

struct State {
    now: Mutex<Now>,
    /// Becomes true when a batch is not wanted any more: it was lost, or a person wants to stop.
    halt: watch::Sender<bool>,
}

#[derive(Default)]
struct Now {
    doing: Option<Doing>,
    work: i64,
    run: Option<RunId>,
    /// The epochs of the batches this worker believes to have, by phase and number.
    believed: FxHashMap<(i64, i64), i64>,
    lost: FxHashSet<(i64, i64, i64)>,
    dismissed: Option<CatalogError>,
}

impl State {
    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pulse {
    pub(super) fn start<S: SharedStage>(
        entered: &mut Entered<'_, S>,
        teller: Teller,
        mut stop: watch::Receiver<bool>,
    ) -> Pulse {
        let now = Now {
            doing: Some(Doing::Starting),
            work: entered.work.number,
            run: entered.work.run,
            ..Now::default()
        };
        let state = Arc::new(State { now: Mutex::new(now), halt: watch::Sender::new(false) });
        let beating = Beating {
            catalog: entered.catalog.clone(),
            shared: entered.shared.take(),
            company: S::COMPANY,
            name: entered.worker.name.clone(),
            incarnation: entered.incarnation,
            lease: entered.worker.lease,
            phase_word: S::phase_word,
            state: state.clone(),
            teller,
            told: (PhaseProgress::default(), 0.0),
            pace: (0, 0, Instant::now()),
        };
        let halting = state.clone();
        let task = tokio::spawn(async move {
            let stopping = async {
                if stop.wait_for(|stop| *stop).await.is_ok() {
                    halting.halt.send_replace(true);
                }
                std::future::pending::<()>().await;
            };
            tokio::select! { () = stopping => {}, () = beating.run() => {} }
        });
        Pulse { state, task }
    }

    pub(super) fn end(&self) {
        self.task.abort();
    }

    pub(super) fn works(&self, work: &StageWork) {
        let mut now = self.state.now();
        (now.doing, now.work, now.run) = (Some(Doing::Working), work.number, work.run);
    }

    pub(super) fn waits(&self) {
        self.state.now().doing = Some(Doing::Waiting);
    }

    pub(super) fn believe(&self, batch: &StageBatch) {
        self.state.now().believed.insert((batch.phase, batch.number), batch.epoch);
    }

    pub(super) fn forget(&self, batch: &StageBatch) {
        self.state.now().believed.remove(&(batch.phase, batch.number));
    }

    pub(super) fn forget_all(&self) {
        self.state.now().believed.clear();
    }

    pub(super) fn has_lost(&self, batch: &StageBatch) -> bool {
        self.state.now().lost.contains(&(batch.phase, batch.number, batch.epoch))
    }

    /// What tells the work on a batch to end, from now on.
    pub(super) fn halt_for_batch(&self, stopped: bool) -> watch::Receiver<bool> {
        self.state.halt.send_replace(stopped);
        self.state.halt.subscribe()
    }

    /// Why this worker must not go on, if so.
    pub(super) fn dismissed(&self) -> Option<CatalogError> {
        match &self.state.now().dismissed {
            Some(CatalogError::Replaced { worker }) => {
                Some(CatalogError::Replaced { worker: worker.clone() })
            }
            Some(other) => Some(CatalogError::InUse { words: other.to_string() }),
            None => None,
        }
    }
}

struct Beating {
    catalog: Catalog,
    shared: Option<Exclusive>,
    company: auslese_catalog::Company,
    name: String,
    incarnation: i64,
    lease: Duration,
    phase_word: fn(i64) -> &'static str,
    state: Arc<State>,
    teller: Teller,
    /// What was told last: how far everybody is, and how many are done per second.
    told: (PhaseProgress, f64),
    /// The phase, what was done when it was first looked at, and when that was.
    pace: (i64, u64, Instant),
}

impl Beating {
    async fn run(mut self) {
        let beat_every = self.lease / BEATS;
        let look_every = beat_every.min(LOOK_EVERY);
        let mut next_beat = Instant::now();
        let mut pause = PAUSES.0;
        loop {
            let went = match Instant::now() >= next_beat {
                true => {
                    next_beat = Instant::now() + beat_every;
                    self.beat().await
                }
                false => self.look().await,
            };
            match went {
                Ok(()) => {
                    pause = PAUSES.0;
                    let to_beat = next_beat.saturating_duration_since(Instant::now());
                    tokio::time::sleep(look_every.min(to_beat)).await;
                }
                Err(error) if error.is_temporary() => {
                    tracing::debug!("the catalog did not hear the heartbeat: {error}");
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(PAUSES.1).min(beat_every);
                    next_beat = Instant::now();
                }
                Err(error) => {
                    self.state.now().dismissed = Some(error);
                    self.state.halt.send_replace(true);
                    return;
                }
            }
        }
    }

    async fn beat(&mut self) -> Result<(), CatalogError> {
        // A server that was restarted has forgotten its locks.
        let is_held = match &mut self.shared {
            Some(shared) => shared.check().await.is_ok(),
            None => false,
        };
        if !is_held {
            self.shared = Some(self.catalog.shared(self.company).await?);
        }
        let (progress, rate) = self.told;
        let numbers = StageNumbers {
            phase: (self.phase_word)(progress.phase).to_owned(),
            done: progress.done,
            of: progress.items,
            own: progress.own,
            rate,
        };
        let numbers = serde_json::to_string(&numbers).unwrap_or_default();
        let (doing, work, run, before) = {
            let now = self.state.now();
            (now.doing.unwrap_or(Doing::Starting), now.work, now.run, now.believed.clone())
        };
        let beat = StageBeat {
            worker: &self.name,
            incarnation: self.incarnation,
            lease: self.lease,
            doing,
            work,
            run,
            items: progress.own,
            numbers: &numbers,
        };
        let held: FxHashSet<(i64, i64, i64)> =
            self.catalog.stage_heartbeat(beat).await?.into_iter().collect();
        let mut now = self.state.now();
        for ((phase, number), epoch) in before {
            // What was finished meanwhile is not believed any more.
            let is_believed = now.believed.get(&(phase, number)) == Some(&epoch);
            if is_believed && !held.contains(&(phase, number, epoch)) {
                now.lost.insert((phase, number, epoch));
                self.state.halt.send_replace(true);
            }
        }
        Ok(())
    }

    async fn look(&mut self) -> Result<(), CatalogError> {
        let work = self.state.now().work;
        let progress = self.catalog.phase_progress(work, &self.name).await?;
        if self.pace.0 != progress.phase {
            self.pace = (progress.phase, progress.done, Instant::now());
        }
        let (_, before, since) = self.pace;
        let done = progress.done.saturating_sub(before);
        let rate = done as f64 / since.elapsed().as_secs_f64().max(0.001);
        self.told = (progress, rate);
        (self.teller)(&progress, rate);
        Ok(())
    }
}
