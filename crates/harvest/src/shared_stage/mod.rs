//! A stage after the crawl, done by several workers on one catalog.
//!
//! The stage says what its phases are, how each is divided, and how a batch is done; here is how workers
//! come together, take batches, wait for each other between phases, and lose what they had for too long.
//! Nobody is in charge: whoever sees that a phase is done divides the next one, and a phase that one worker
//! does alone is a batch like any other, which another takes over if that worker dies.
//!
//! What is written for a batch goes through a fenced catalog, so a worker that has lost it stores
//! nothing more. A batch that was begun twice is done twice, and the second time replaces the first;
//! what is counted is noted with the end of a batch, which comes once, in the same transaction as what
//! the batch brought.

mod entering;
mod pulse;

pub(crate) use entering::Entered;
pub(crate) use entering::StageWorker;
pub(crate) use pulse::StageNumbers;

use crate::HarvestError;
use auslese_catalog::{
    BatchTerms, Catalog, CatalogError, Company, Division, PhaseProgress, StageBatch, StageWork,
    Taken,
};
use auslese_model::RunId;
use pulse::Pulse;
use std::time::Duration;
use tokio::sync::watch;

/// How often a worker looks whether others are ready, as a part of a lease, and the longest pause.
const LOOKS: u32 = 16;
const LONGEST_LOOK: Duration = Duration::from_millis(500);
/// The first pause after the catalog could not be reached, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));
/// How long a worker tries to say that it leaves.
const LAST_WORD: Duration = Duration::from_secs(2);

/// A stage that can be divided.
pub(crate) trait SharedStage {
    const COMPANY: Company;

    /// What was asked for: workers with another text would do something else.
    fn job(&self) -> String;

    /// Begins a work: its run, and what all workers have to know. Called by the first one only.
    async fn begin(&mut self, catalog: &Catalog) -> Result<(RunId, String), HarvestError>;

    /// Takes up a work that is there.
    async fn enter(
        &mut self,
        catalog: &Catalog,
        work: &StageWork,
        worker: &str,
    ) -> Result<(), HarvestError>;

    /// How a phase is divided, from 1 on; none behind the last one.
    async fn division(
        &mut self,
        catalog: &Catalog,
        work: &StageWork,
        phase: i64,
    ) -> Result<Option<Division>, HarvestError>;

    /// Does a batch. What is stored goes through the catalog that is handed in. If `halt` becomes true,
    /// it may end early, and is not counted as done.
    async fn carry_out(
        &mut self,
        catalog: &Catalog,
        work: &StageWork,
        batch: &StageBatch,
        halt: &watch::Receiver<bool>,
    ) -> Result<Done, HarvestError>;

    /// Finishes batches that were put off; nothing is written under their fences here.
    async fn finish_pending(
        &mut self,
        catalog: &Catalog,
        worker: &str,
    ) -> Result<(), HarvestError> {
        let _ = (catalog, worker);
        Ok(())
    }

    /// Ends a work: called by one worker, after the last phase.
    async fn end(&mut self, catalog: &Catalog, run: RunId) -> Result<(), HarvestError>;

    /// What a phase is called.
    fn phase_word(phase: i64) -> &'static str;

    /// Tells whoever watches how far everybody is.
    fn teller(&self) -> Teller;
}

/// Tells how far a phase is, and how many are done per second.
pub(crate) type Teller = Box<dyn Fn(&PhaseProgress, f64) + Send>;

/// What became of a batch.
#[derive(Debug)]
pub(crate) enum Done {
    /// It is done; the text is kept with it.
    Finished(String),
    /// It is done, and that is noted together with what was stored.
    Stored,
    /// It is done as soon as [`SharedStage::finish_pending`] says so.
    PutOff,
}

/// How it ended for a worker.
#[derive(Debug)]
pub(crate) struct Together {
    pub(crate) work: StageWork,
    /// A person wanted to stop.
    pub(crate) stopped: bool,
}

impl<S: SharedStage> Entered<'_, S> {
    /// Works until nothing is left to do for anybody, or a person wants to stop.
    pub(crate) async fn work(
        mut self,
        stage: &mut S,
        stop: watch::Receiver<bool>,
    ) -> Result<Together, HarvestError> {
        let pulse = Pulse::start(&mut self, stage.teller(), stop.clone());
        let result = Working { entered: &mut self, stage, stop, pulse: &pulse }.go_on().await;
        pulse.end();
        let (catalog, name) = (&self.catalog, self.worker.name.as_str());
        let leaving = async {
            let _ = catalog.return_batches(self.work.number, name).await;
            let now = catalog.time().await?;
            catalog.leave(name, self.incarnation, now).await
        };
        // Whoever is not heard any more counts as dead after a lease, and nothing is lost.
        let _ = tokio::time::timeout(LAST_WORD, leaving).await;
        let stopped = result?;
        Ok(Together { work: self.work, stopped })
    }
}

struct Working<'w, 'e, S: SharedStage> {
    entered: &'w mut Entered<'e, S>,
    stage: &'w mut S,
    stop: watch::Receiver<bool>,
    pulse: &'w Pulse,
}

impl<S: SharedStage> Working<'_, '_, S> {
    /// Whether a person wanted to stop.
    async fn go_on(&mut self) -> Result<bool, HarvestError> {
        let mut pause = PAUSES.0;
        loop {
            if let Some(error) = self.pulse.dismissed() {
                return Err(error.into());
            }
            if *self.stop.borrow() {
                // What is done already need not be done again.
                let pending = self.finish_pending();
                let _ = tokio::time::timeout(LAST_WORD * 5, pending).await;
                return Ok(true);
            }
            match self.turn().await {
                Ok(Turn::Went) => pause = PAUSES.0,
                Ok(Turn::Waits) => self.sleep(self.look_pause()).await,
                Ok(Turn::Over) => return Ok(false),
                Err(error) if error.may_pass() => {
                    tracing::debug!("waiting for the catalog: {}", crate::error::chain(&error));
                    self.sleep(pause).await;
                    pause = (pause * 2).min(PAUSES.1);
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn look_pause(&self) -> Duration {
        (self.entered.worker.lease / LOOKS).min(LONGEST_LOOK)
    }

    /// Sleeps, but not longer than until somebody wants to stop.
    async fn sleep(&self, time: Duration) {
        let mut stop = self.stop.clone();
        let stopped = async {
            if stop.wait_for(|stop| *stop).await.is_err() {
                // Nobody is left who could stop it.
                std::future::pending::<()>().await;
            }
        };
        let _ = tokio::time::timeout(time, stopped).await;
    }

    async fn turn(&mut self) -> Result<Turn, HarvestError> {
        let (catalog, worker) = (self.entered.catalog.clone(), &self.entered.worker);
        let (work, lease) = (self.entered.work.number, worker.lease);
        let taken = catalog.take_batch(BatchTerms { work, worker: &worker.name, lease }).await?;
        match taken {
            Taken::Batch(batch) => {
                self.entered.work.phase = batch.phase;
                self.pulse.works(&self.entered.work);
                self.one_batch(&batch).await?;
                Ok(Turn::Went)
            }
            Taken::Wait => {
                self.finish_pending().await?;
                self.pulse.waits();
                Ok(Turn::Waits)
            }
            Taken::PhaseDone(phase) => {
                let work = &self.entered.work;
                match self.stage.division(&catalog, work, phase + 1).await? {
                    Some(division) => {
                        catalog.next_phase(work.number, phase, division).await?;
                        Ok(Turn::Went)
                    }
                    None => {
                        let run = work.run.unwrap_or(RunId(0));
                        // Before the work ends: if this fails, another one sees that it is to be done.
                        self.stage.end(&catalog, run).await?;
                        catalog.end_stage_work(work.number).await?;
                        Ok(Turn::Over)
                    }
                }
            }
            Taken::Over => self.find_work().await,
        }
    }

    /// The work is over, unless somebody has begun it anew meanwhile.
    async fn find_work(&mut self) -> Result<Turn, HarvestError> {
        let catalog = self.entered.catalog.clone();
        let newest = catalog.stage_work(S::COMPANY.as_str()).await?;
        let Some(work) = newest.filter(|work| work.number != self.entered.work.number) else {
            return Ok(Turn::Over);
        };
        if work.ended.is_some() {
            self.entered.work = work;
            return Ok(Turn::Over);
        }
        self.entered.check_job(self.stage, &work)?;
        self.stage.enter(&catalog, &work, &self.entered.worker.name).await?;
        self.entered.work = work;
        Ok(Turn::Went)
    }

    async fn finish_pending(&mut self) -> Result<(), HarvestError> {
        let name = &self.entered.worker.name;
        self.stage.finish_pending(&self.entered.catalog, name).await?;
        self.pulse.forget_all();
        Ok(())
    }

    /// Does a batch, until it is done, lost, or not wanted any more.
    async fn one_batch(&mut self, batch: &StageBatch) -> Result<(), HarvestError> {
        let (catalog, name) = (self.entered.catalog.clone(), self.entered.worker.name.clone());
        let fenced = catalog.fenced(batch.fence(&name));
        self.pulse.believe(batch);
        let mut pause = PAUSES.0;
        loop {
            let halt = self.pulse.halt_for_batch(*self.stop.borrow());
            let done = self.stage.carry_out(&fenced, &self.entered.work, batch, &halt).await;
            let stopped = *self.stop.borrow() || self.pulse.dismissed().is_some();
            let halted = *halt.borrow();
            match done {
                Ok(Done::Stored) => {
                    self.pulse.forget(batch);
                    return Ok(());
                }
                Ok(Done::PutOff) if !halted => return Ok(()),
                Ok(Done::Finished(result)) if !halted => {
                    self.pulse.forget(batch);
                    return self.finish(&name, batch, result).await;
                }
                Ok(_) if stopped => return Ok(()),
                Ok(_) if self.pulse.has_lost(batch) => {
                    say_lost(batch);
                    return Ok(());
                }
                Ok(_) => {}
                Err(HarvestError::Catalog(CatalogError::BatchLost { .. })) => {
                    self.pulse.forget(batch);
                    say_lost(batch);
                    return Ok(());
                }
                Err(error) if stopped && error.may_pass() => return Ok(()),
                Err(error) if error.may_pass() => {
                    tracing::debug!("a batch waits: {}", crate::error::chain(&error));
                    self.sleep(pause).await;
                    pause = (pause * 2).min(PAUSES.1);
                    if self.pulse.has_lost(batch) {
                        say_lost(batch);
                        return Ok(());
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    async fn finish(
        &mut self,
        name: &str,
        batch: &StageBatch,
        result: String,
    ) -> Result<(), HarvestError> {
        let done = [(batch.clone(), result)];
        let mut pause = PAUSES.0;
        loop {
            match self.entered.catalog.finish_batches(name, &done).await {
                // It may be that the word came through, but not the answer: then it is done, and the
                // fence holds nobody off who did nothing.
                Err(CatalogError::BatchLost { .. }) => {
                    say_lost(batch);
                    return Ok(());
                }
                Err(error) if error.is_temporary() && !*self.stop.borrow() => {
                    self.sleep(pause).await;
                    pause = (pause * 2).min(PAUSES.1);
                }
                result => return Ok(result?),
            }
        }
    }
}

enum Turn {
    Went,
    Waits,
    Over,
}

fn say_lost(batch: &StageBatch) {
    tracing::warn!(
        "batch {} of phase {} was lost to another worker, which does it again",
        batch.number,
        batch.phase
    );
}
