//! Describing as a stage over the archive: what every page says about itself, by heuristics, stored
//! as a run beside earlier ones. Nothing is fetched.
//!
//! A run belongs to one set of heuristics with one set of weights. As long as both stay the same, the
//! same run is continued with the pages that were archived since; other heuristics begin another
//! run, which can be compared. An interruption loses at most one page of work.

mod pairing;
mod surroundings;

use crate::HarvestError;
use crate::corpus::{on_all_cores, stored_body};
use crate::directory::HarvestDir;
use crate::removing::settle;
use auslese_catalog::{Catalog, CatalogSettings, Location, NewDescribeRun, NewRun, StoredCapture};
use auslese_crawl::CanonicalRules;
use auslese_describe::{Around, Heuristics, Subject, Weights, describe, page_to_describe};
use auslese_markup::Page;
use auslese_model::{CaptureId, DescribedCapture, Description, Format, RunId, Timestamp};
use serde::Serialize;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use surroundings::Surroundings;
use tokio::sync::watch;
use url::Url;

/// Pages described between two commits: enough to keep all cores busy, few enough to lose.
const PAGE: usize = 256;

/// What the stage is told.
#[derive(Debug)]
pub struct DescribeJob {
    pub catalog: Location,
    pub catalog_settings: CatalogSettings,
    pub heuristics: Arc<Heuristics>,
    pub weights: Arc<Weights>,
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
    /// Pages per second.
    pub rate: f64,
}

/// What the stage brought.
#[derive(Debug, Clone, PartialEq)]
pub struct DescribeReport {
    pub run: RunId,
    /// Whether the run was there already and was continued.
    pub continued: bool,
    /// Pages described now.
    pub described: u64,
    /// Of these, pages about which not everything could be said, and why not.
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

/// Describes all archived pages that the run in question has not described yet.
pub async fn describe_harvest(
    dir: &HarvestDir,
    job: DescribeJob,
    watching: DescribeWatching,
) -> Result<DescribeReport, HarvestError> {
    let _lock = dir.lock()?;
    let catalog = Catalog::open(&job.catalog, &job.catalog_settings).await?;
    let _exclusive = catalog.exclusive().await?;
    settle(dir, &catalog).await?;
    let report = carry_out(dir, &job, &catalog, &watching).await;
    catalog.close().await;
    report
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
    let (heuristics, weights) = (job.heuristics.digest(), job.weights.digest());
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
    let weights = job.weights.to_toml();
    let files: Vec<String> =
        job.heuristics.files().map(|(name, text)| format!("# {name}\n{text}")).collect();
    let files = files.join("\n");
    let new = NewDescribeRun {
        heuristics: job.heuristics.name(),
        heuristics_digest: job.heuristics.digest(),
        heuristics_text: &files,
        weights_digest: &job.weights.digest(),
        weights_text: Some(&weights),
    };
    catalog.begin_describe_run(run, new).await?;
    Ok(run)
}

async fn stage(
    dir: &HarvestDir,
    job: &DescribeJob,
    catalog: &Catalog,
    run: RunId,
    watching: &DescribeWatching,
) -> Result<DescribeReport, HarvestError> {
    let started = Instant::now();
    let describer = Arc::new(Describer {
        archive: dir.archive(),
        heuristics: job.heuristics.clone(),
        weights: job.weights.clone(),
    });
    let mut surroundings = Surroundings::new(dir.archive(), &job.canonical, &job.institutions);
    let mut report = DescribeReport {
        run,
        continued: false,
        described: 0,
        troubles: BTreeMap::new(),
        seconds: 0.0,
        stopped: false,
    };
    let of = catalog.count_to_describe(run).await?;
    let mut page = catalog.to_describe(run, CaptureId(0), PAGE).await?;
    while let Some(last) = page.last()
        && !*watching.stop.borrow()
    {
        let after = last.capture.id;
        let around = surroundings.note(catalog, &page).await?;
        let pages: Vec<(StoredCapture, Around)> = page.into_iter().zip(around).collect();
        let urls: BTreeMap<CaptureId, _> = pages
            .iter()
            .map(|(stored, _)| (stored.capture.id, (stored.capture.request, stored.url.clone())))
            .collect();
        let describer = describer.clone();
        let describing =
            on_all_cores(pages, move |(stored, around)| describer.describe(stored, around));
        let (described, next) = tokio::join!(describing, catalog.to_describe(run, after, PAGE));
        let described = described?;
        catalog.store_descriptions(run, &described).await?;
        pairing::pair(catalog, run, &job.canonical, &urls, &described).await?;
        for trouble in described.iter().filter_map(|it| it.description.trouble.as_ref()) {
            *report.troubles.entry(trouble.clone()).or_default() += 1;
        }
        report.described += described.len() as u64;
        let rate = report.described as f64 / started.elapsed().as_secs_f64().max(1e-6);
        let (done, of) = (report.described, of.max(report.described));
        watching.progress.send_replace(DescribeProgress { done, of, rate });
        page = next?;
    }
    report.stopped = *watching.stop.borrow();
    report.seconds = started.elapsed().as_secs_f64();
    Ok(report)
}

/// A page of a harvest with all that surrounds it.
#[derive(Debug)]
pub struct PageOfHarvest {
    pub page: Page,
    pub around: Around,
}

/// What [`describe_harvest`] sees of one page.
pub async fn page_of_harvest(
    dir: &HarvestDir,
    catalog: &Catalog,
    capture: CaptureId,
    canonical: &CanonicalRules,
    institutions: &BTreeMap<String, String>,
) -> Result<PageOfHarvest, HarvestError> {
    let (stored, page) = stored_page(dir, catalog, capture).await?;
    let mut surroundings = Surroundings::new(dir.archive(), canonical, institutions);
    let around = surroundings.look(catalog, &[stored]).await?.pop().unwrap_or_default();
    Ok(PageOfHarvest { page, around })
}

/// The page that a capture stores, or why it cannot be had.
pub async fn stored_page(
    dir: &HarvestDir,
    catalog: &Catalog,
    capture: CaptureId,
) -> Result<(StoredCapture, Page), HarvestError> {
    let gone = |why: &str| HarvestError::NoPage { capture: capture.0, why: why.to_owned() };
    let stored = catalog.capture(capture).await?;
    let stored = stored.ok_or_else(|| gone("the catalog does not know it"))?;
    let content = catalog.content(capture).await?;
    if content.is_some_and(|content| content.format != Format::Html) {
        return Err(gone("it is no web page"));
    }
    let body = stored_body(&dir.archive(), &stored.capture).map_err(|why| gone(&why))?;
    let (page, _) = page_to_describe(&body.bytes, stored.capture.fields.charset().as_deref());
    Ok((stored, page))
}

/// Describes one stored page.
#[derive(Debug)]
struct Describer {
    archive: PathBuf,
    heuristics: Arc<Heuristics>,
    weights: Arc<Weights>,
}

impl Describer {
    /// What a page says about itself. Whatever is wrong with it is part of the answer.
    fn describe(&self, stored: &StoredCapture, around: &Around) -> DescribedCapture {
        let attempt = catch_unwind(AssertUnwindSafe(|| self.read(stored, around)));
        let description = attempt
            .unwrap_or_else(|_| Err("the program failed on this document".to_owned()))
            .unwrap_or_else(|why| Description {
                statements: Vec::new(),
                field_weights: Vec::new(),
                class: String::new(),
                trouble: Some(why),
            });
        DescribedCapture { capture: stored.capture.id, description }
    }

    fn read(&self, stored: &StoredCapture, around: &Around) -> Result<Description, String> {
        let body = stored_body(&self.archive, &stored.capture)?;
        let charset = stored.capture.fields.charset();
        let (page, cut) = page_to_describe(&body.bytes, charset.as_deref());
        let url = Url::parse(&stored.url).ok();
        let subject = Subject { page: &page, url: url.as_ref(), around };
        let mut description = describe(&subject, &self.heuristics, &self.weights);
        let troubles = body.troubles.into_iter().chain(cut).chain(description.trouble);
        let troubles: Vec<String> = troubles.collect();
        description.trouble = (!troubles.is_empty()).then(|| troubles.join("; "));
        Ok(description)
    }
}
