//! How a worker comes to a stage: it shows that it is no crawl, takes its name, and finds the work that
//! others are at, or begins one.
//!
//! One worker comes at a time. Whoever finds nobody alive begins the work anew, whatever was left: what is
//! stored already is not missing and so not divided again.

use super::SharedStage;
use crate::HarvestError;
use crate::directory::HarvestDir;
use crate::error::chain;
use crate::job::Sharing;
use crate::patience::{PATIENCE, Passing, patiently};
use crate::removing::settle;
use auslese_catalog::{
    Catalog, CatalogSettings, Exclusive, Joining, Location, NewStageWork, StageWork, job_digest,
};
use std::marker::PhantomData;
use std::time::{Duration, Instant};

/// The pause before a catalog that is out of reach is tried again.
const PAUSE: Duration = Duration::from_millis(200);

/// A worker at a stage that others may be at, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StageWorker {
    pub(crate) name: String,
    /// Tells the directory of this worker from all others.
    pub(crate) identity: String,
    pub(crate) machine: String,
    /// How long it counts as alive without a word, and its batches as its own.
    pub(crate) lease: Duration,
}

impl StageWorker {
    pub(crate) fn new(name: String, sharing: Sharing) -> StageWorker {
        let Sharing { identity, machine, lease } = sharing;
        StageWorker { name, identity, machine, lease }
    }
}

/// A worker that has come.
pub(crate) struct Entered<'e, S> {
    pub(crate) catalog: Catalog,
    pub(crate) worker: &'e StageWorker,
    pub(crate) incarnation: i64,
    pub(crate) work: StageWork,
    /// The lock that keeps other commands off; with the pulse while there is one.
    pub(super) shared: Option<Exclusive>,
    pub(super) stage: PhantomData<S>,
}

impl<'e, S: SharedStage> Entered<'e, S> {
    /// Comes to a stage; a database that is away for a moment is waited for.
    pub(crate) async fn new(
        dir: &HarvestDir,
        location: &Location,
        settings: &CatalogSettings,
        worker: &'e StageWorker,
        stage: &mut S,
    ) -> Result<Entered<'e, S>, HarvestError> {
        let began = Instant::now();
        loop {
            match Entered::attempt(dir, location, settings, worker, stage).await {
                Err(error) if Passing::may_pass(&error) && began.elapsed() < PATIENCE => {
                    tracing::debug!("waiting for the catalog: {}", chain(&error));
                    tokio::time::sleep(PAUSE).await;
                }
                result => return result,
            }
        }
    }

    async fn attempt(
        dir: &HarvestDir,
        location: &Location,
        settings: &CatalogSettings,
        worker: &'e StageWorker,
        stage: &mut S,
    ) -> Result<Entered<'e, S>, HarvestError> {
        let settings = CatalogSettings {
            // Others wait for whoever stands still in a transaction.
            idle_wait: worker.lease / 2,
            ..settings.clone()
        };
        let catalog = Catalog::open(location, &settings).await?;
        let shared = catalog.shared(S::COMPANY).await?;
        let turn = patiently(async || catalog.turn().await).await?;
        let now = catalog.time().await?;
        let joining = Joining {
            name: &worker.name,
            stage: S::COMPANY.as_str(),
            identity: &worker.identity,
            machine: &worker.machine,
            process: std::process::id(),
            now,
            alive_until: now.plus(worker.lease),
        };
        let joined = catalog.join(joining).await?;
        settle(dir, &catalog).await?;
        let known = catalog.stage_work(S::COMPANY.as_str()).await?;
        let known = known.filter(|work| work.ended.is_none() && !joined.is_first);
        let entered = Entered {
            incarnation: joined.incarnation,
            worker,
            work: match known {
                Some(work) => work,
                None => begin(&catalog, stage).await?,
            },
            catalog,
            shared: Some(shared),
            stage: PhantomData,
        };
        entered.check_job(stage, &entered.work)?;
        stage.enter(&entered.catalog, &entered.work, &worker.name).await?;
        turn.release().await?;
        Ok(entered)
    }

    /// Makes sure that the others were asked for the same.
    pub(super) fn check_job(&self, stage: &S, work: &StageWork) -> Result<(), HarvestError> {
        match work.job == job_digest(&stage.job()) {
            true => Ok(()),
            false => Err(HarvestError::OtherJob { stage: S::COMPANY.as_str() }),
        }
    }
}

async fn begin<S: SharedStage>(
    catalog: &Catalog,
    stage: &mut S,
) -> Result<StageWork, HarvestError> {
    let job = job_digest(&stage.job());
    let (run, notes) = stage.begin(catalog).await?;
    let new = NewStageWork { stage: S::COMPANY.as_str(), run: Some(run), job: &job, notes: &notes };
    Ok(catalog.begin_stage_work(new).await?)
}
