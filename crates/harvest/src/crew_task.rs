//! The task that keeps a worker alive in the eyes of the others, and looks what they do.
//!
//! It has nothing to do with the committer, which may wait for a disk: a worker that stands still keeps
//! its servers as long as it lives.

use crate::conductor::Event;
use crate::crew::Crew;
use crate::job::DUE_SOON;
use crate::numbers::Numbers;
use auslese_catalog::{
    Catalog, CatalogError, Company, Doing, Exclusive, Heartbeat, Listener, Outlook,
};
use auslese_model::{RunId, Timestamp};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

/// Heartbeats in the time of a lease.
const BEATS: u32 = 4;
/// How often others are looked at without being called, at most.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// The least pause between two looks, however often one is called: short for who waits for work.
const LOOK_PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_millis(300));
/// The first pause after the catalog could not be reached, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));

/// What is kept alive.
pub(crate) struct CrewTask {
    pub(crate) catalog: Catalog,
    pub(crate) crew: Arc<Crew>,
    pub(crate) run: RunId,
    pub(crate) numbers: watch::Receiver<Numbers>,
    /// The lock that keeps other commands off.
    pub(crate) shared: Exclusive,
    pub(crate) events: mpsc::UnboundedSender<Event>,
}

impl CrewTask {
    pub(crate) fn start(self) -> JoinHandle<()> {
        tokio::spawn(self.run())
    }

    async fn run(mut self) {
        let beat_every = self.crew.lease / BEATS;
        let look_every = LOOK_EVERY.min(beat_every);
        let mut doing = self.crew.doing.subscribe();
        let mut listener: Option<Listener> = None;
        let mut next_beat = Instant::now();
        let mut pause = PAUSES.0;
        loop {
            match self.turn(&mut listener, &mut next_beat, beat_every).await {
                Ok(()) => pause = PAUSES.0,
                Err(error) if error.is_temporary() => {
                    tracing::debug!("the catalog did not hear the heartbeat: {error}");
                    listener = None;
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(PAUSES.1).min(beat_every);
                    next_beat = Instant::now();
                    continue;
                }
                Err(error) => {
                    self.crew.replaced.store(true, Ordering::Relaxed);
                    // Nobody listens any more when the crawl has just ended.
                    let _ = self.events.send(Event::Dismissed { error });
                    return;
                }
            }
            let waits = self.crew.doing.borrow().0 == Doing::Waiting;
            let least = if waits { LOOK_PAUSES.0 } else { LOOK_PAUSES.1.min(beat_every / 2) };
            tokio::select! {
                () = tokio::time::sleep(least) => {}
                Ok(()) = doing.changed() => {
                    next_beat = Instant::now();
                    continue;
                }
            }
            let heard = async {
                match &mut listener {
                    Some(listener) => listener.hear().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = tokio::time::sleep(look_every) => {}
                Ok(()) = doing.changed() => next_beat = Instant::now(),
                heard = heard => {
                    if heard.is_err() {
                        listener = None;
                    }
                }
                () = self.events.closed() => return,
            }
        }
    }

    async fn turn(
        &mut self,
        listener: &mut Option<Listener>,
        next_beat: &mut Instant,
        beat_every: Duration,
    ) -> Result<(), CatalogError> {
        let (doing, changes) = *self.crew.doing.borrow();
        if Instant::now() >= *next_beat {
            *next_beat = Instant::now() + beat_every;
            self.beat(doing).await?;
        }
        if listener.is_none() {
            *listener = Some(self.catalog.listen().await?);
        }
        let outlook = self.look().await?;
        let _ = self.events.send(Event::LookedAround { outlook: Box::new(outlook), changes });
        Ok(())
    }

    async fn beat(&mut self, doing: Doing) -> Result<(), CatalogError> {
        let began = (Instant::now(), Timestamp::now());
        // A server that was restarted has forgotten its locks.
        if self.shared.check().await.is_err() {
            self.shared = self.catalog.shared(Company::Crawl).await?;
        }
        self.crew.set_clock(&self.catalog).await?;
        let (numbers, captures, bytes) = {
            let numbers = self.numbers.borrow();
            let text = serde_json::to_string(&*numbers).unwrap_or_default();
            (text, numbers.captured, numbers.captured_bytes)
        };
        let held = self
            .catalog
            .heartbeat(Heartbeat {
                worker: &self.crew.name,
                incarnation: self.crew.incarnation,
                now: self.crew.now(),
                until: self.crew.until(),
                doing,
                run: self.run,
                captures,
                bytes,
                numbers: &numbers,
            })
            .await?;
        if !self.crew.was_heard(began) {
            let _ = self.events.send(Event::BeatenLate { held });
        }
        Ok(())
    }

    async fn look(&self) -> Result<Outlook, CatalogError> {
        let now = self.crew.now();
        self.catalog.look_around(&self.crew.name, now, now.plus(DUE_SOON)).await
    }
}
