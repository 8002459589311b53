//! Describing by several workers: pages and papers are divided, because reading and describing them is what
//! takes time; what looks at all of them is done by one worker each time.
//!
//! | phase | who | what |
//! |---|---|---|
//! | records | one | what others recorded is assigned to documents |
//! | pages | all | web pages are described, with the full texts they announce |
//! | full texts | one | full texts without a text of their own get what their first page says |
//! | papers | all | papers are described, with what their pages say |
//! | citations | one | bibliographies are resolved, and what others say is added |
//!
//! What the pages of a server have in common is learnt by each worker that meets one of its pages, from
//! the same samples; so it is the same.

use super::{
    Batches, DescribeJob, DescribeProgress, DescribeReport, DescribeWatching, Tally, begin, citing,
    recorded, the_run,
};
use crate::directory::HarvestDir;
use crate::job::Sharing;
use crate::patience::patiently;
use crate::shared_stage::{Done, Entered, SharedStage, StageWorker, Teller};
use crate::{Doing, HarvestError};
use auslese_catalog::{Catalog, Company, Describable, Division, StageBatch, StageWork};
use auslese_model::{CaptureId, RunId, Timestamp};
use std::time::Instant;
use tokio::sync::watch;

const RECORDS: i64 = 1;
const PAGES: i64 = 2;
const FULL_TEXTS: i64 = 3;
const PAPERS: i64 = 4;
const CITATIONS: i64 = 5;

/// Describes a harvest together with whoever else is at it.
pub fn describe_together<'a>(
    dir: &'a HarvestDir,
    job: &'a DescribeJob,
    sharing: Sharing,
    watching: DescribeWatching,
) -> Doing<'a, DescribeReport> {
    Box::pin(async move {
        let _lock = dir.lock()?;
        let started = Instant::now();
        let DescribeWatching { progress, stop } = watching;
        let worker = StageWorker::new(job.worker.clone(), sharing);
        let mut stage =
            Describing { dir, job, progress, run: RunId(0), continued: false, batches: None };
        let (place, settings) = (&job.catalog, &job.catalog_settings);
        let entered = Entered::new(dir, place, settings, &worker, &mut stage).await?;
        let catalog = entered.catalog.clone();
        let together = entered.work(&mut stage, stop).await?;
        let (mut tally, mut here) = (Tally::default(), 0);
        for phase in [PAGES, PAPERS] {
            let results = async || catalog.batch_results(together.work.number, phase).await;
            for (by, result) in patiently(results).await? {
                let one: Tally = serde_json::from_str(&result).unwrap_or_default();
                here += if by == worker.name { one.described } else { 0 };
                tally.add(one);
            }
        }
        catalog.close().await;
        Ok(DescribeReport {
            run: stage.run,
            continued: stage.continued,
            described: tally.described,
            here: Some(here),
            troubles: tally.troubles,
            seconds: started.elapsed().as_secs_f64(),
            stopped: together.stopped,
        })
    })
}

struct Describing<'a> {
    dir: &'a HarvestDir,
    job: &'a DescribeJob,
    progress: watch::Sender<DescribeProgress>,
    run: RunId,
    continued: bool,
    /// None until records are assigned to documents.
    batches: Option<Batches<'a>>,
}

impl SharedStage for Describing<'_> {
    const COMPANY: Company = Company::Describe;

    fn job(&self) -> String {
        let DescribeJob { canonical, institutions, anew, .. } = self.job;
        format!(
            "{} {} {} {anew} {canonical:?} {institutions:?} {}",
            env!("CARGO_PKG_VERSION"),
            self.job.heuristics_digest(),
            self.job.weights_digest(),
            self.job.keyphrases.is_some()
        )
    }

    async fn begin(&mut self, catalog: &Catalog) -> Result<(RunId, String), HarvestError> {
        let known = the_run(self.job, catalog).await?;
        self.continued = known.is_some();
        let run = match known {
            Some(run) => run,
            None => begin(self.job, catalog).await?,
        };
        Ok((run, String::new()))
    }

    async fn enter(
        &mut self,
        _catalog: &Catalog,
        work: &StageWork,
        _worker: &str,
    ) -> Result<(), HarvestError> {
        self.run = work.run.unwrap_or(RunId(0));
        self.batches = None;
        Ok(())
    }

    async fn division(
        &mut self,
        _catalog: &Catalog,
        _work: &StageWork,
        phase: i64,
    ) -> Result<Option<Division>, HarvestError> {
        let run = self.run;
        Ok(match phase {
            RECORDS | FULL_TEXTS | CITATIONS => Some(Division::Whole),
            PAGES => Some(Division::Undescribed { run, kind: Describable::Pages }),
            PAPERS => Some(Division::Undescribed { run, kind: Describable::Papers }),
            _ => None,
        })
    }

    async fn carry_out(
        &mut self,
        catalog: &Catalog,
        work: &StageWork,
        batch: &StageBatch,
        _halt: &watch::Receiver<bool>,
    ) -> Result<Done, HarvestError> {
        let kind = match batch.phase {
            RECORDS => {
                recorded::prepare(catalog, self.run, &self.job.canonical).await?;
                return Ok(Done::Finished(String::new()));
            }
            PAGES => Describable::Pages,
            PAPERS => Describable::Papers,
            FULL_TEXTS => {
                let pages = self.described_in(catalog, work, &[PAGES]).await?;
                self.batches(catalog).await?.describe_silent(catalog, pages).await?;
                return Ok(Done::Finished(String::new()));
            }
            _ => {
                let described = self.described_in(catalog, work, &[PAGES, PAPERS]).await?;
                citing::cite(catalog, self.run, described).await?;
                catalog.finish_describe_run(self.run).await?;
                return Ok(Done::Finished(String::new()));
            }
        };
        let before = CaptureId(batch.first - 1);
        let at_once = usize::try_from(batch.items).unwrap_or(usize::MAX);
        let mut documents = catalog.to_describe(self.run, kind, before, at_once).await?;
        documents.retain(|stored| stored.capture.id.0 <= batch.last);
        if documents.is_empty() {
            return Ok(Done::Finished(Tally::default().text()));
        }
        self.batches(catalog).await?.describe(catalog, kind, documents).await?;
        Ok(Done::Stored)
    }

    async fn end(&mut self, catalog: &Catalog, run: RunId) -> Result<(), HarvestError> {
        Ok(catalog.end_run(run, "done", Timestamp::now()).await?)
    }

    fn phase_word(phase: i64) -> &'static str {
        match phase {
            RECORDS => "records",
            PAGES => "pages",
            FULL_TEXTS => "full texts",
            PAPERS => "papers",
            CITATIONS => "citations",
            _ => "",
        }
    }

    fn teller(&self) -> Teller {
        let progress = self.progress.clone();
        Box::new(move |now, rate| {
            let (done, of, here) = (now.done, now.items, Some(now.own));
            progress.send_replace(DescribeProgress { done, of, rate, here });
        })
    }
}

impl<'a> Describing<'a> {
    async fn batches(&mut self, catalog: &Catalog) -> Result<&mut Batches<'a>, HarvestError> {
        let batches = match self.batches.take() {
            Some(batches) => batches,
            None => Batches::new(self.dir, self.job, catalog, self.run).await?,
        };
        Ok(self.batches.insert(batches))
    }

    /// How many documents were described in some phases, by all workers.
    async fn described_in(
        &self,
        catalog: &Catalog,
        work: &StageWork,
        phases: &[i64],
    ) -> Result<u64, HarvestError> {
        let mut described = 0;
        for phase in phases {
            for (_, result) in catalog.batch_results(work.number, *phase).await? {
                let tally: Tally = serde_json::from_str(&result).unwrap_or_default();
                described += tally.described;
            }
        }
        Ok(described)
    }
}
