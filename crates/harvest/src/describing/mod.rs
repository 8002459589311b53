//! Describing as a stage over the archive: what every page and paper says about itself, by heuristics,
//! stored as a run beside earlier ones. Nothing is fetched.
//!
//! A run belongs to its heuristics and weights, those for pages and those for papers. As long as they
//! stay the same, the same run is continued with what was archived since; other heuristics begin
//! another run, which can be compared. Pages come before papers, which may have one that announces them.
//! An interruption loses at most one batch of work. Several workers may do it together, see [`together`].

mod beside;
mod cited_as;
mod citing;
mod describer;
mod labelling;
mod looking;
mod pairing;
mod recorded;
mod surroundings;
mod together;

pub use describer::DescribingSet;
pub use labelling::{LabelledByMarks, Looking, all_marks, judged_marks, labelled_by_marks};
pub use looking::{HarvestedDocument, document_of_harvest, stored_page};
pub(crate) use recorded::key_of;
pub use together::describe_together;

use crate::corpus::on_all_cores;
use crate::directory::HarvestDir;
use crate::removing::settle;
use crate::{DoingAnywhere, HarvestError};
use auslese_catalog::{
    Catalog, CatalogSettings, Describable, Location, NewDescribeRun, NewRun, StoredCapture,
};
use auslese_crawl::CanonicalRules;
use auslese_describe::{KeyphraseModels, MscTable};
use auslese_model::{CaptureId, DescribedCapture, RequestId, RunId, Timestamp};
use auslese_reader::Readers;
use describer::{Describer, ToDescribe};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;
use surroundings::Surroundings;
use tokio::sync::watch;

/// Pages described between two commits: enough to keep all cores busy, few enough to lose.
const PAGES_AT_ONCE: usize = 256;
/// The same for papers, of which each takes longer.
const PAPERS_AT_ONCE: usize = 32;

/// What the stage is told.
#[derive(Debug)]
pub struct DescribeJob {
    pub catalog: Location,
    pub catalog_settings: CatalogSettings,
    /// For web pages.
    pub pages: DescribingSet,
    /// For documents made of pages.
    pub papers: DescribingSet,
    /// The confined processes that read papers.
    pub readers: Arc<Readers>,
    /// For the keyphrases of papers without keywords; none are looked for without.
    pub keyphrases: Option<Arc<KeyphraseModels>>,
    /// To check codes of the MSC in papers against.
    pub msc_table: Option<Arc<MscTable>>,
    /// When two addresses count as the same; as in the crawl.
    pub canonical: CanonicalRules,
    /// The names of the institutions by their labels, as discovery found them.
    pub institutions: BTreeMap<String, String>,
    /// Begin a new run, although there is one with the same heuristics and weights.
    pub anew: bool,
    pub worker: String,
    /// The configuration in force, as text, for the record of the run.
    pub config_text: String,
}

/// How far the stage is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct DescribeProgress {
    pub done: u64,
    pub of: u64,
    /// Documents per second.
    pub rate: f64,
    /// Of these, done by this worker, where several are at it.
    pub here: Option<u64>,
}

/// What the stage brought.
#[derive(Debug, Clone, PartialEq)]
pub struct DescribeReport {
    pub run: RunId,
    /// Whether the run was there already and was continued.
    pub continued: bool,
    /// Documents described now.
    pub described: u64,
    /// Of these, by this worker, where several were at it.
    pub here: Option<u64>,
    /// Of these, documents about which not everything could be said, and why not.
    pub troubles: BTreeMap<String, u64>,
    pub seconds: f64,
    /// A person wanted to stop; the same command goes on.
    pub stopped: bool,
}

/// What whoever starts the stage can watch and say.
#[derive(Debug)]
pub struct DescribeWatching {
    pub progress: watch::Sender<DescribeProgress>,
    pub stop: watch::Receiver<bool>,
}

/// Describes all archived pages and papers that the run in question has not described yet.
pub fn describe_harvest(
    dir: &HarvestDir,
    job: DescribeJob,
    watching: DescribeWatching,
) -> DoingAnywhere<'_, DescribeReport> {
    Box::pin(async move {
        let _lock = dir.lock()?;
        let catalog = Catalog::open(&job.catalog, &job.catalog_settings).await?;
        let _exclusive = catalog.exclusive().await?;
        settle(dir, &catalog).await?;
        let report = carry_out(dir, &job, &catalog, &watching).await;
        catalog.close().await;
        report
    })
}

/// Resolves the bibliographies of all finished runs anew where documents went since, so that nothing
/// is left of what these said about others.
pub(crate) async fn resolve_citations_again(catalog: &Catalog) -> Result<(), HarvestError> {
    for run in catalog.describe_runs().await?.iter().filter(|run| run.finished) {
        citing::cite(catalog, run.run, 0).await?;
    }
    Ok(())
}

async fn carry_out(
    dir: &HarvestDir,
    job: &DescribeJob,
    catalog: &Catalog,
    watching: &DescribeWatching,
) -> Result<DescribeReport, HarvestError> {
    let (run, continued) = match the_run(job, catalog).await? {
        Some(run) => (run, true),
        None => (begin(job, catalog).await?, false),
    };
    let report = stage(dir, job, catalog, run, watching).await;
    let outcome = match &report {
        Ok(report) if report.stopped => "stopped",
        Ok(_) => "done",
        Err(_) => "failed",
    };
    if outcome == "done" {
        catalog.finish_describe_run(run).await?;
    }
    catalog.end_run(run, outcome, Timestamp::now()).await?;
    report.map(|report| DescribeReport { continued, ..report })
}

/// The newest run with the same heuristics and weights.
async fn the_run(job: &DescribeJob, catalog: &Catalog) -> Result<Option<RunId>, HarvestError> {
    if job.anew {
        return Ok(None);
    }
    let (heuristics, weights) = (job.heuristics_digest(), job.weights_digest());
    let runs = catalog.describe_runs().await?;
    let same = runs
        .into_iter()
        .find(|run| run.heuristics_digest == heuristics && run.weights_digest == weights);
    Ok(same.map(|run| run.run))
}

async fn begin(job: &DescribeJob, catalog: &Catalog) -> Result<RunId, HarvestError> {
    let run = NewRun {
        stage: "describe",
        worker: &job.worker,
        config: &job.config_text,
        at: Timestamp::now(),
    };
    let run = catalog.begin_run(run).await?;
    let new = NewDescribeRun {
        heuristics: job.pages.heuristics.name(),
        heuristics_digest: &job.heuristics_digest(),
        heuristics_text: &format!(
            "{}\n{}",
            job.pages.heuristics_text(),
            job.papers.heuristics_text()
        ),
        weights_digest: &job.weights_digest(),
        weights_text: Some(&format!("{}\n{}", job.pages.weights_text(), job.papers.weights_text())),
    };
    catalog.begin_describe_run(run, new).await?;
    Ok(run)
}

impl DescribeJob {
    fn heuristics_digest(&self) -> String {
        format!("{}+{}", self.pages.heuristics.digest(), self.papers.heuristics.digest())
    }

    fn weights_digest(&self) -> String {
        let table = self.msc_table.as_ref().map(|table| format!("+{}", table.digest()));
        let table = table.unwrap_or_default();
        format!("{}+{}{table}", self.pages.weights.digest(), self.papers.weights.digest())
    }
}

async fn stage(
    dir: &HarvestDir,
    job: &DescribeJob,
    catalog: &Catalog,
    run: RunId,
    watching: &DescribeWatching,
) -> Result<DescribeReport, HarvestError> {
    let mut tally = Tally::default();
    recorded::prepare(catalog, run, &job.canonical).await?;
    let mut batches = Batches::new(dir, job, catalog, run).await?;
    let mut of = 0;
    for kind in [Describable::Pages, Describable::Papers] {
        of += catalog.count_to_describe(run, kind).await?;
    }
    let started = Instant::now();
    let stopped = || *watching.stop.borrow();
    for (kind, at_once) in
        [(Describable::Pages, PAGES_AT_ONCE), (Describable::Papers, PAPERS_AT_ONCE)]
    {
        if kind == Describable::Papers && !stopped() {
            batches.describe_silent(catalog, tally.described).await?;
        }
        let mut batch = catalog.to_describe(run, kind, CaptureId(0), at_once).await?;
        while let Some(last) = batch.last()
            && !stopped()
        {
            let after = last.capture.id;
            let (described, next) = tokio::join!(
                batches.describe(catalog, kind, batch),
                catalog.to_describe(run, kind, after, at_once)
            );
            tally.add(described?);
            let (done, of) = (tally.described, of.max(tally.described));
            let rate = done as f64 / started.elapsed().as_secs_f64().max(1e-6);
            watching.progress.send_replace(DescribeProgress { done, of, rate, here: None });
            batch = next?;
        }
    }
    if !stopped() {
        citing::cite(catalog, run, tally.described).await?;
    }
    Ok(DescribeReport {
        run,
        continued: false,
        described: tally.described,
        here: None,
        troubles: tally.troubles,
        seconds: started.elapsed().as_secs_f64(),
        stopped: stopped(),
    })
}

/// How much was described, and what could not be said.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Tally {
    described: u64,
    troubles: BTreeMap<String, u64>,
}

impl Tally {
    fn of(described: &[DescribedCapture]) -> Tally {
        let mut tally = Tally { described: described.len() as u64, ..Tally::default() };
        for trouble in described.iter().filter_map(|it| it.description.trouble.as_ref()) {
            *tally.troubles.entry(trouble.clone()).or_default() += 1;
        }
        tally
    }

    fn text(&self) -> String {
        serde_json::to_string(self).expect("numbers and texts are JSON")
    }

    fn add(&mut self, other: Tally) {
        self.described += other.described;
        for (trouble, count) in other.troubles {
            *self.troubles.entry(trouble).or_default() += count;
        }
    }
}

/// Describes batches of documents.
struct Batches<'a> {
    job: &'a DescribeJob,
    run: RunId,
    describer: Arc<Describer>,
    surroundings: Surroundings<'a>,
    /// Whether others recorded anything about documents.
    has_records: bool,
}

impl<'a> Batches<'a> {
    async fn new(
        dir: &HarvestDir,
        job: &'a DescribeJob,
        catalog: &Catalog,
        run: RunId,
    ) -> Result<Batches<'a>, HarvestError> {
        let archive = dir.holdings();
        let describer = Arc::new(Describer {
            archive: archive.clone(),
            pages: job.pages.clone(),
            papers: job.papers.clone(),
            readers: job.readers.clone(),
            keyphrases: job.keyphrases.clone(),
            msc_table: job.msc_table.clone(),
        });
        let surroundings = Surroundings::new(archive, &job.canonical, &job.institutions);
        let has_records = catalog.has_records_about_addresses().await?;
        Ok(Batches { job, run, describer, surroundings, has_records })
    }

    /// Describes and stores a batch of one kind of document; with what is stored, the batch is done.
    async fn describe(
        &mut self,
        catalog: &Catalog,
        kind: Describable,
        batch: Vec<StoredCapture>,
    ) -> Result<Tally, HarvestError> {
        let requests: Vec<RequestId> = batch.iter().map(|it| it.capture.request).collect();
        // Older versions say nothing about their request, in whatever order they are described.
        let newest = catalog.newest_bodies(kind, &requests).await?;
        let urls: BTreeMap<CaptureId, (RequestId, String)> = batch
            .iter()
            .filter(|stored| newest.contains(&stored.capture.id))
            .map(|stored| (stored.capture.id, (stored.capture.request, stored.url.clone())))
            .collect();
        let documents = self.with_surroundings(catalog, kind, batch, &newest).await?;
        let describer = self.describer.clone();
        let described = on_all_cores(documents, move |one| describer.describe(one)).await?;
        self.describer.archive.in_reach()?;
        let tally = Tally::of(&described);
        match kind {
            Describable::Pages => {
                let announced =
                    pairing::announced_by(catalog, &self.job.canonical, &urls, &described).await?;
                let catalog = catalog.and_finish(&tally.text());
                catalog.store_described_pages(self.run, &described, &announced).await?;
            }
            Describable::Papers => {
                let catalog = catalog.and_finish(&tally.text());
                catalog.store_descriptions(self.run, &described).await?;
            }
        }
        Ok(tally)
    }

    /// Describes what cannot speak for itself, after so many pages were described now. If none was, an
    /// earlier run may have ended just before.
    async fn describe_silent(&self, catalog: &Catalog, pages: u64) -> Result<(), HarvestError> {
        if pages == 0 && catalog.citations_are_current(self.run).await? {
            return Ok(());
        }
        pairing::describe_silent(catalog, self.run).await
    }

    async fn with_surroundings(
        &mut self,
        catalog: &Catalog,
        kind: Describable,
        batch: Vec<StoredCapture>,
        newest: &BTreeSet<CaptureId>,
    ) -> Result<Vec<ToDescribe>, HarvestError> {
        let around = self.surroundings.note(catalog, &batch, newest).await?;
        let bodies: Vec<CaptureId> = batch.iter().map(|it| it.capture.id).collect();
        let mut announced = match kind {
            Describable::Pages => BTreeMap::new(),
            Describable::Papers => pairing::announced(catalog, self.run, &bodies).await?,
        };
        let mut recorded = match self.has_records {
            true => recorded::recorded(catalog, &bodies).await?,
            false => BTreeMap::new(),
        };
        let documents = batch.into_iter().zip(around).map(|(stored, around)| {
            let announced = announced.remove(&stored.capture.id);
            let recorded = recorded.remove(&stored.capture.id).unwrap_or_default();
            ToDescribe { kind, stored, around, announced, recorded }
        });
        Ok(documents.collect())
    }
}
