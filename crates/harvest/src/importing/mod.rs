//! Takes over archives that others made: WARC and ARC files of any tool, and packages of them.
//!
//! A file is first read through once: is it an archive at all, can its records be reached one by
//! one, does it hold what was removed here? Then it is brought into the folder `archive`, as it is
//! where possible, and its records are entered in the catalog by the same commits that a crawl
//! uses. So all later stages work on them as on our own.
//!
//! Every record is recognised by its request and its identity, so what is known is passed over: the
//! same file adds nothing a second time, and after an interruption the same command goes on. Bodies
//! are entered before revisits, because a revisit may refer to a record in a later file.

mod entering;
mod folders;
mod packages;
mod placing;
mod reading;
mod surveying;

use crate::crawl_stage::open_or_create;
use crate::depositing::{DepositReport, Depositing};
use crate::directory::HarvestDir;
use crate::job::Institutions;
use crate::removing::{Removed, settle};
use crate::{Doing, HarvestError};
use auslese_archive::{ArchiveSettings, Wacz};
use auslese_catalog::{Catalog, CatalogSettings, Location, NewRun, Round, RoundKind};
use auslese_crawl::CanonicalRules;
use auslese_model::{RunId, Timestamp};
use entering::Entering;
pub use folders::archives_named;
pub use packages::ImportedPackage;
use packages::clear_unpacked;
use placing::{Placed, Placing, clear_drafts, place};
use reading::{Phase, Reading};
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
pub(crate) use surveying::concurrent;
use tokio::sync::watch;

/// What the stage is told.
#[derive(Debug)]
pub struct ImportJob {
    pub catalog: Location,
    pub catalog_settings: CatalogSettings,
    pub files: Vec<PathBuf>,
    /// Whether files are linked instead of copied, where the disk allows it.
    pub link: bool,
    pub archive: ArchiveSettings,
    pub canonical: CanonicalRules,
    pub institutions: Institutions,
    pub worker: String,
    /// The configuration in force, as text, for the record of the run.
    pub config_text: String,
}

/// How far the stage is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct ImportProgress {
    pub done: u64,
    pub of: u64,
    /// Records per second.
    pub rate: f64,
}

/// What whoever starts the stage can watch and say.
#[derive(Debug)]
pub struct ImportWatching {
    pub progress: watch::Sender<ImportProgress>,
    pub stop: watch::Receiver<bool>,
}

/// What the stage brought.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ImportReport {
    pub files: Vec<ImportedFile>,
    /// The packages that some of the files came in.
    pub packages: Vec<ImportedPackage>,
    /// A person wanted to stop; the same command goes on.
    pub stopped: bool,
    /// What became of the files in the store, if there is one.
    pub deposited: Option<DepositReport>,
}

impl ImportReport {
    /// Whether something could not be taken over.
    pub fn has_damage(&self) -> bool {
        self.files.iter().any(|file| file.damage_count > 0 || file.failure.is_some())
            || self.packages.iter().any(|package| package.fault_count > 0)
    }
}

/// What became of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ImportedFile {
    pub file: PathBuf,
    /// Its name in the folder `archive`; none if it holds nothing new.
    pub stored_as: Option<String>,
    /// Why it was written anew, if it was.
    pub rewritten: Option<String>,
    /// Why nothing of it could be taken over.
    pub failure: Option<String>,
    pub records: u64,
    /// Captures entered, and how many of them are revisits.
    pub captures: u64,
    pub revisits: u64,
    /// Revisits whose original is nowhere in the harvest.
    pub orphans: u64,
    /// Captures that were there already.
    pub known: u64,
    /// Records of documents that were removed from this harvest.
    pub removed: u64,
    /// Records of addresses that are not of the web, such as `dns:`.
    pub other_addresses: u64,
    /// Records that hold no answer to a request: requests, metadata, descriptions.
    pub companions: u64,
    /// What could not be read, the first few; and how much there was.
    pub damages: Vec<String>,
    pub damage_count: u64,
}

impl ImportedFile {
    fn note_damage(&mut self, damage: String) {
        self.damage_count += 1;
        if self.damages.len() < DAMAGES_TOLD {
            self.damages.push(damage);
        }
    }
}

/// Damages of a file that are told one by one.
const DAMAGES_TOLD: usize = 20;

/// Enters the records of archive files in a harvest.
pub fn import(
    dir: &HarvestDir,
    job: ImportJob,
    watching: ImportWatching,
) -> Doing<'_, ImportReport> {
    Box::pin(async move {
        let _lock = dir.lock()?;
        dir.prepare()?;
        let catalog = open_or_create(&job.catalog, &job.catalog_settings).await?;
        let _exclusive = catalog.exclusive().await?;
        settle(dir, &catalog).await?;
        clear_drafts(dir)?;
        clear_unpacked(dir)?;
        if let Some(open) = open_round(&catalog).await?
            && open.kind == RoundKind::Recrawl
        {
            return Err(HarvestError::RoundOpen { round: open.id.0 });
        }
        let stage = Stage { dir, catalog: catalog.clone(), job: Arc::new(job), watching };
        let mut entering = Entering::new(&catalog, &stage.job, dir).await?;
        let mut report = stage.run(&mut entering).await;
        clear_unpacked(dir)?;
        let run = entering.run();
        end(&catalog, run, &report).await?;
        if let Ok(report) = &mut report
            && let Some(depositing) = Depositing::begin(dir, &catalog, NOBODY).await?
        {
            report.deposited = Some(depositing.finish(report.stopped).await);
        }
        catalog.close().await;
        report
    })
}

/// Imports of several machines have one worker's name; what one of them left unfinished is told by its file.
const NOBODY: &str = "";

async fn open_round(catalog: &Catalog) -> Result<Option<Round>, HarvestError> {
    Ok(catalog.rounds().await?.pop().filter(|round| round.ended.is_none()))
}

/// Begins a run, as a part of the round that is open: an import that was interrupted goes on, and
/// one into a crawl that has not ended belongs to that.
async fn begin(catalog: &Catalog, job: &ImportJob) -> Result<RunId, HarvestError> {
    let now = Timestamp::now();
    let round = match open_round(catalog).await? {
        Some(open) => open.id,
        None => catalog.begin_round(RoundKind::Import, now).await?,
    };
    let run = NewRun { stage: "import", worker: &job.worker, config: &job.config_text, at: now };
    let run = catalog.begin_run(run).await?;
    catalog.add_to_round(round, run).await?;
    Ok(run)
}

/// Notes how the run ended, and that nothing is left of the round.
async fn end(
    catalog: &Catalog,
    run: Option<RunId>,
    report: &Result<ImportReport, HarvestError>,
) -> Result<(), HarvestError> {
    let now = Timestamp::now();
    let outcome = match report {
        Ok(report) if report.stopped => "stopped",
        Ok(_) => "done",
        Err(_) => "failed",
    };
    if let Some(run) = run {
        catalog.end_run(run, outcome, now).await?;
    }
    if outcome == "done"
        && let Some(open) = open_round(catalog).await?
        && open.kind == RoundKind::Import
    {
        catalog.end_round(open.id, now).await?;
    }
    Ok(())
}

struct Stage<'a> {
    dir: &'a HarvestDir,
    catalog: Catalog,
    job: Arc<ImportJob>,
    watching: ImportWatching,
}

impl Stage<'_> {
    async fn run(&self, entering: &mut Entering<'_>) -> Result<ImportReport, HarvestError> {
        let removed = Removed::of(&self.catalog, &self.job.canonical).await?;
        let mut report = ImportReport::default();
        let mut placed = Vec::new();
        for file in &self.job.files {
            let mut imported = ImportedFile { file: file.clone(), ..ImportedFile::default() };
            if self.stopped() {
                report.stopped = true;
                break;
            }
            if Wacz::is_one(file).unwrap_or(false) {
                report.stopped |= !self.unpack(file, &removed, &mut report, &mut placed).await?;
                continue;
            }
            match self.place(file, self.job.link, &removed, &mut imported).await? {
                Some(place) => placed.push((report.files.len(), place)),
                None => tracing::info!("nothing to take over from {}", file.display()),
            }
            report.files.push(imported);
        }
        let mut pace = Pace::new(placed.iter().map(|(_, placed)| placed.work()).sum());
        for phase in [Phase::Bodies, Phase::Revisits] {
            for (index, placed) in &placed {
                if phase == Phase::Revisits && placed.survey.revisits == 0 {
                    continue;
                }
                let file = &mut report.files[*index];
                report.stopped |= !self.enter(entering, placed, phase, file, &mut pace).await?;
            }
        }
        if !report.stopped {
            entering.note_referrers().await?;
            for (index, placed) in &placed {
                placed.drop_if_useless(entering, &mut report.files[*index])?;
            }
        }
        Ok(report)
    }

    fn stopped(&self) -> bool {
        *self.watching.stop.borrow()
    }

    async fn place(
        &self,
        file: &std::path::Path,
        link: bool,
        removed: &Removed,
        imported: &mut ImportedFile,
    ) -> Result<Option<Placed>, HarvestError> {
        let known = self.catalog.warcs().await?.into_iter().map(|warc| warc.file).collect();
        let (job, dir) = (self.job.clone(), self.dir.clone());
        let (file, removed) = (file.to_owned(), removed.clone());
        let mut told = imported.clone();
        let placed = tokio::task::spawn_blocking(move || {
            let placing = Placing {
                source: &file,
                archive: dir.archive(),
                link,
                job: &job,
                removed: &removed,
            };
            let placed = place(&placing, &known, &mut told);
            (placed, told)
        });
        let (placed, told) = placed.await.map_err(lost)?;
        *imported = told;
        placed
    }

    /// Enters what one file brings in this phase; false if a person wanted to stop.
    async fn enter(
        &self,
        entering: &mut Entering<'_>,
        placed: &Placed,
        phase: Phase,
        file: &mut ImportedFile,
        pace: &mut Pace,
    ) -> Result<bool, HarvestError> {
        let mut reading = Reading::open(placed, phase, &self.job)?;
        loop {
            if self.stopped() {
                return Ok(false);
            }
            let window = tokio::task::spawn_blocking(move || {
                let window = reading.window();
                (reading, window)
            });
            let (again, window) = window.await.map_err(lost)?;
            reading = again;
            let window = window?;
            pace.step(window.records, &self.watching.progress);
            if phase == Phase::Bodies {
                window.damages.into_iter().for_each(|damage| file.note_damage(damage));
                file.other_addresses += window.other_addresses;
                file.companions += window.companions;
                file.records += window.records;
            }
            entering.enter(window.items, placed, file).await?;
            if window.records == 0 {
                return Ok(true);
            }
        }
    }
}

fn lost(error: tokio::task::JoinError) -> HarvestError {
    HarvestError::Lost { what: error.to_string() }
}

/// Keeps count and tells whoever watches.
struct Pace {
    done: u64,
    of: u64,
    started: Instant,
}

impl Pace {
    fn new(of: u64) -> Pace {
        Pace { done: 0, of, started: Instant::now() }
    }

    fn step(&mut self, records: u64, progress: &watch::Sender<ImportProgress>) {
        self.done += records;
        let rate = self.done as f64 / self.started.elapsed().as_secs_f64().max(1e-6);
        progress.send_replace(ImportProgress { done: self.done, of: self.of.max(self.done), rate });
    }
}
