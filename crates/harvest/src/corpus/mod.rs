//! The corpus as a stage over the archive: bodies are read out, documents are judged, the mirror is
//! brought up to date. Nothing is fetched.
//!
//! What was read out is kept, so that other rules need only a new judgement. An interruption loses
//! at most one page of work; the same command goes on.

mod anchors;
mod bodies;
mod choosing;
mod examining;
mod mirroring;
mod names;
mod others;
mod parallel;
mod previewing;
mod redirects;
mod settling;
mod together;
mod versions;

use crate::directory::HarvestDir;
use crate::job::StoringRules;
use crate::removing::settle;
use crate::{DoingAnywhere, HarvestError};
use auslese_archive::Holdings;
use auslese_catalog::{Catalog, CatalogSettings, Location, NewRun, RoundId};
use auslese_corpus::language::Recogniser;
use auslese_corpus::{CharsetNote, CorpusRules, MirrorError, MirrorReport, READER};
use auslese_crawl::CanonicalRules;
use auslese_model::{CorpusRule, Keeping, Timestamp};
pub(crate) use bodies::body_at;
pub use bodies::{StoredBody, stored_body};
pub use names::collect_names;
pub(crate) use parallel::on_all_cores;
pub use previewing::{
    ChangedDocument, ChangedDocuments, CorpusPreview, VerdictChange, preview_corpus,
};
pub use together::build_corpus_together;
pub use versions::stored_text;

use choosing::choose;
use examining::Examiner;
use mirroring::MirrorStyle;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::watch;

/// What the stage is told.
#[derive(Debug)]
pub struct CorpusJob {
    pub catalog: Location,
    pub catalog_settings: CatalogSettings,
    pub rules: CorpusRules,
    /// Says in which language texts are.
    pub recogniser: Recogniser,
    /// When two addresses count as the same; as in the crawl.
    pub canonical: CanonicalRules,
    /// Bodies that only a header row is kept of are fetched again only if these let them pass.
    pub storing: StoringRules,
    /// Whether kept documents are written into the mirror.
    pub mirror: bool,
    pub charset_note: CharsetNote,
    /// Read every body again, although it was read before.
    pub again: bool,
    pub worker: String,
    /// The configuration in force, as text, for the record of the run.
    pub config_text: String,
}

/// How far the stage is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct CorpusProgress {
    pub step: CorpusStep,
    pub done: u64,
    pub of: u64,
    /// Documents per second of this step.
    pub rate: f64,
    /// Of these, done by this worker, where several are at it.
    pub here: Option<u64>,
}

/// What is being done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CorpusStep {
    /// Bodies are read out.
    #[default]
    Examine,
    /// Short texts are looked at again.
    Settle,
    /// Documents are looked over, to find copies and templates among them.
    Relate,
    /// Documents are judged.
    Judge,
    /// The mirror is brought up to date.
    Mirror,
    /// Documents are compared with their last versions.
    Compare,
    /// Words are counted.
    Count,
}

/// Keeps count of a step and tells whoever watches.
#[derive(Debug)]
struct Pace {
    step: CorpusStep,
    done: u64,
    of: u64,
    started: Instant,
}

impl Pace {
    fn new(step: CorpusStep, of: u64) -> Pace {
        Pace { step, done: 0, of, started: Instant::now() }
    }

    fn step(&mut self, count: usize, progress: &watch::Sender<CorpusProgress>) {
        self.done += count as u64;
        let rate = self.done as f64 / self.started.elapsed().as_secs_f64().max(1e-6);
        let of = self.of.max(self.done);
        let (step, done) = (self.step, self.done);
        progress.send_replace(CorpusProgress { step, done, of, rate, here: None });
    }
}

/// What the stage brought.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CorpusReport {
    /// Bodies read out by this run.
    pub examined: u64,
    /// Of these, by this worker, where several were at it.
    pub here: Option<u64>,
    /// How long that took.
    pub examine_seconds: f64,
    /// How long it took to judge all documents.
    pub judge_seconds: f64,
    pub seconds: f64,
    /// Documents by what became of them and why.
    pub rules: BTreeMap<(Keeping, CorpusRule), u64>,
    /// Documents of which only the header is there, queued for the next crawl.
    pub requeued: u64,
    /// None if the mirror was not to be written.
    pub mirror: Option<MirrorReport>,
    /// A person wanted to stop; the same command goes on.
    pub stopped: bool,
}

impl CorpusReport {
    pub fn documents(&self) -> u64 {
        self.rules.values().sum()
    }

    pub fn with(&self, keeping: Keeping) -> u64 {
        self.rules.iter().filter(|((known, _), _)| *known == keeping).map(|(_, count)| count).sum()
    }
}

/// What whoever starts the stage can watch and say.
#[derive(Debug)]
pub struct CorpusWatching {
    pub progress: watch::Sender<CorpusProgress>,
    pub stop: watch::Receiver<bool>,
}

/// Brings the corpus of a harvest up to date with its archive and the rules.
pub fn build_corpus(
    dir: &HarvestDir,
    job: CorpusJob,
    watching: CorpusWatching,
) -> DoingAnywhere<'_, CorpusReport> {
    Box::pin(async move {
        let _lock = dir.lock()?;
        let catalog = Catalog::open(&job.catalog, &job.catalog_settings).await?;
        let _exclusive = catalog.exclusive().await?;
        settle(dir, &catalog).await?;
        let run = NewRun {
            stage: "corpus",
            worker: &job.worker,
            config: &job.config_text,
            at: Timestamp::now(),
        };
        let run = catalog.begin_run(run).await?;
        let report = stage(dir, &job, &catalog, &watching).await;
        let outcome = match &report {
            Ok(report) if report.stopped => "stopped",
            Ok(_) => "done",
            Err(_) => "failed",
        };
        catalog.end_run(run, outcome, Timestamp::now()).await?;
        catalog.close().await;
        report
    })
}

/// Brings the mirror up to date with the catalog, without reading or judging anything.
pub(crate) async fn update_mirror(
    dir: &HarvestDir,
    catalog: &Catalog,
    charset: CharsetNote,
    canonical: &CanonicalRules,
) -> Result<MirrorReport, HarvestError> {
    let (progress, _) = watch::channel(CorpusProgress::default());
    let (_stop, stop) = watch::channel(false);
    let style = MirrorStyle { charset, canonical };
    mirroring::mirror(dir, catalog, style, &CorpusWatching { progress, stop }).await
}

async fn stage(
    dir: &HarvestDir,
    job: &CorpusJob,
    catalog: &Catalog,
    watching: &CorpusWatching,
) -> Result<CorpusReport, HarvestError> {
    let started = Instant::now();
    let stopped = || *watching.stop.borrow();
    let archive = dir.holdings();
    let examiner =
        Arc::new(Examiner::new(archive.clone(), job.recogniser.clone(), job.canonical.clone()));
    let mut report = CorpusReport::default();
    let reader = if job.again { examining::AGAIN } else { READER };
    let examined = examining::examine(&examiner, catalog, reader, watching).await?;
    if !stopped() {
        settling::settle(&examiner, catalog, examined.short, watching).await?;
    }
    report.examined = examined.bodies;
    report.examine_seconds = started.elapsed().as_secs_f64();
    let round = catalog.rounds().await?.pop().map(|round| round.id);
    // Noted at once: whatever ends this run, the next one counts.
    if report.examined > 0 {
        forget_words(catalog, round).await?;
    }
    if !stopped() {
        judge_all(dir, job, catalog, round, watching, &mut report).await?;
        if let Some(round) = round {
            if !stopped() {
                versions::compare(catalog, &archive, round, watching).await?;
            }
            count_words(catalog, &archive, round, watching).await?;
        }
    }
    report.stopped = stopped();
    report.seconds = started.elapsed().as_secs_f64();
    Ok(report)
}

/// Judges all documents, and brings the mirror up to date.
async fn judge_all(
    dir: &HarvestDir,
    job: &CorpusJob,
    catalog: &Catalog,
    round: Option<RoundId>,
    watching: &CorpusWatching,
    report: &mut CorpusReport,
) -> Result<(), HarvestError> {
    let judging = Instant::now();
    let chosen = choose(catalog, &job.rules, &job.storing, watching).await?;
    report.judge_seconds = judging.elapsed().as_secs_f64();
    (report.rules, report.requeued) = (chosen.rules, chosen.requeued);
    if chosen.changed > 0 {
        forget_words(catalog, round).await?;
    }
    if job.mirror && !*watching.stop.borrow() {
        let style = MirrorStyle { charset: job.charset_note, canonical: &job.canonical };
        let mirrored = mirroring::mirror(dir, catalog, style, watching).await;
        report.mirror = match mirrored {
            // Ctrl-C: what was written stays, the same command goes on.
            Err(HarvestError::Mirror(MirrorError::Interrupted)) => None,
            mirrored => Some(mirrored?),
        };
    }
    Ok(())
}

/// Counts the words of the newest round, unless that was done.
async fn count_words(
    catalog: &Catalog,
    archive: &Holdings,
    round: RoundId,
    watching: &CorpusWatching,
) -> Result<(), HarvestError> {
    let stopped = || *watching.stop.borrow();
    let counted = catalog.rounds().await?.pop().is_some_and(|newest| newest.words.is_some());
    if !counted && !stopped() {
        versions::count_words(catalog, archive, round, watching).await?;
    }
    Ok(())
}

async fn forget_words(catalog: &Catalog, round: Option<RoundId>) -> Result<(), HarvestError> {
    match round {
        Some(round) => Ok(catalog.forget_round_words(round).await?),
        None => Ok(()),
    }
}
