//! Files of an archive on their way into the store: which wait, and what one upload does.

use super::{Deposit, cache};
use crate::directory::HarvestDir;
use crate::error::chain;
use crate::fault::{self, Step};
use crate::patience::PATIENCE;
use crate::{Doing, HarvestError};
use auslese_archive::RemoteFiles;
use auslese_catalog::{Catalog, WarcFile};
use auslese_depot::{DepotError, Moment, Onward, StoredFiles, Uploaded, Writing};
use auslese_model::{Timestamp, WarcProgress};
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a catalog out of reach is left alone before a stored file is noted again.
const NOTE_AGAIN: Duration = Duration::from_millis(500);

/// The store of a harvest, and how it is used.
#[derive(Debug, Clone)]
pub struct ArchiveStore {
    pub files: Arc<StoredFiles>,
    /// Bytes of stored files that stay in the folder.
    pub cache: u64,
    /// Files that are stored at a time.
    pub uploads: usize,
}

impl ArchiveStore {
    pub(crate) fn remote(&self) -> Arc<dyn RemoteFiles> {
        self.files.clone()
    }
}

/// What uploads have come to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct DepositReport {
    pub files: u64,
    pub bytes: u64,
    /// Files that are not stored yet, and why.
    pub waiting: Vec<Waiting>,
}

/// A file that is closed and not stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Waiting {
    pub file: String,
    pub bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl DepositReport {
    pub(super) fn add(&mut self, done: Option<Deposit>) {
        match done {
            Some(Ok(bytes)) => {
                self.files += 1;
                self.bytes += bytes;
            }
            Some(Err((file, why))) => {
                let (file, bytes) = (file.file, file.length);
                self.waiting.push(Waiting { file, bytes, why: Some(why) });
            }
            // A task that was lost leaves its file in the folder.
            None => {}
        }
    }
}

/// Closed files of this directory that are not in the store.
pub async fn waiting_files(
    dir: &HarvestDir,
    catalog: &Catalog,
) -> Result<Vec<Waiting>, HarvestError> {
    let left = left_behind(dir, catalog).await?;
    let waiting = left.into_iter();
    Ok(waiting.map(|file| Waiting { file: file.file, bytes: file.length, why: None }).collect())
}

/// Stores every closed file of this directory that is not stored yet.
pub fn deposit_all<'a>(
    dir: &'a HarvestDir,
    catalog: &'a Catalog,
    worker: &'a str,
    stop: tokio::sync::watch::Receiver<bool>,
    told: &'a mut dyn FnMut(&DepositReport, usize),
) -> Doing<'a, DepositReport> {
    Box::pin(async move {
        let Some(store) = dir.store().cloned() else { return Ok(DepositReport::default()) };
        let stopped = Arc::new(AtomicBool::new(false));
        let follow = tokio::spawn({
            let (stopped, mut stop) = (stopped.clone(), stop);
            async move {
                if stop.wait_for(|wanted| *wanted).await.is_ok() {
                    stopped.store(true, Ordering::Relaxed);
                }
            }
        });
        let (dir, catalog) = (dir.clone(), catalog.clone());
        let depositor = Arc::new(Depositor {
            dir,
            store,
            catalog,
            stopped: stopped.clone(),
            told: AtomicBool::new(false),
        });
        depositor.clone().give_up_unfinished(worker.to_owned()).await?;
        depositor.make_room().await?;
        let left = depositor.left_behind().await?;
        let of = left.len();
        let mut report = DepositReport::default();
        let mut left = left.into_iter();
        let mut under_way = tokio::task::JoinSet::new();
        loop {
            while under_way.len() < depositor.store.uploads.max(1)
                && !stopped.load(Ordering::Relaxed)
            {
                let Some(file) = left.next() else { break };
                let depositor = depositor.clone();
                under_way.spawn(async move {
                    match depositor.deposit(file.clone()).await {
                        Ok(()) => Ok(file.length),
                        Err(error) => Err((file, chain(&error))),
                    }
                });
            }
            let Some(done) = under_way.join_next().await else { break };
            let done = done.map_err(|lost| HarvestError::Lost { what: lost.to_string() })?;
            let is_hopeless = done.is_err();
            report.add(Some(done));
            told(&report, of);
            if is_hopeless {
                // What keeps one file out would keep the others out too, and each would take its time to say so.
                stopped.store(true, Ordering::Relaxed);
            }
        }
        follow.abort();
        let rest = left.map(|file| Waiting { file: file.file, bytes: file.length, why: None });
        report.waiting.extend(rest);
        Ok(report)
    })
}

/// Everything that is needed to store files.
#[derive(Debug)]
pub(super) struct Depositor {
    pub(super) dir: HarvestDir,
    pub(super) store: ArchiveStore,
    pub(super) catalog: Catalog,
    /// A person wants to stop.
    pub(super) stopped: Arc<AtomicBool>,
    /// Somebody was told that the store refuses; what keeps one file out keeps others out too.
    pub(super) told: AtomicBool,
}

impl Depositor {
    /// Closed files of this directory that are not stored.
    pub(super) async fn left_behind(&self) -> Result<Vec<WarcProgress>, HarvestError> {
        left_behind(&self.dir, &self.catalog).await
    }

    /// Gives up what a process that died has left in the middle: uploads to names that are this worker's, or of files
    /// that lie here.
    pub(super) async fn give_up_unfinished(
        self: Arc<Depositor>,
        worker: String,
    ) -> Result<(), HarvestError> {
        let files = self.catalog.warc_files().await?;
        let is_ours = |file: &WarcFile| {
            file.worker.as_ref().is_some_and(|it| *it == worker)
                || self.dir.archive().join(&file.progress.file).exists()
        };
        let files_of_store = self.store.files.clone();
        let keys: std::collections::HashSet<String> = files
            .iter()
            .filter(|file| is_ours(file))
            .map(|file| files_of_store.key(&file.progress.file))
            .collect();
        on_a_thread(move || {
            let depot = files_of_store.depot();
            let beginning = files_of_store.key("");
            for upload in depot.unfinished(&beginning)? {
                if keys.contains(&upload.key) {
                    tracing::info!("giving up an unfinished upload to {}", upload.key);
                    depot.give_up(&upload)?;
                }
            }
            Ok(())
        })
        .await
    }

    /// Stores one file, notes it, and makes room in the folder.
    pub(super) async fn deposit(
        self: Arc<Depositor>,
        file: WarcProgress,
    ) -> Result<(), HarvestError> {
        let this = self.clone();
        let name = file.file.clone();
        let uploaded = on_a_thread(move || {
            let path = this.dir.archive().join(&name);
            let key = this.store.files.key(&name);
            this.store.files.depot().upload(&path, &key, Writing::New, &mut |moment| {
                fault::reach(match moment {
                    Moment::Before => Step::BeforeUpload,
                    Moment::Part { .. } => Step::AfterPart,
                    Moment::BeforeComplete => Step::BeforeComplete,
                    Moment::Complete => Step::AfterComplete,
                });
                match this.stopped.load(Ordering::Relaxed) {
                    true => Onward::Stop,
                    false => Onward::Go,
                }
            })
        })
        .await?;
        let length = uploaded.length;
        if !self.note(&file.file, &uploaded).await? {
            let committed = file.length;
            let address = self.store.files.address(&file.file);
            let why = format!("{length} bytes were stored, but the catalog counts on {committed}");
            return Err(DepotError::Changed { address, why }.into());
        }
        fault::reach(Step::AfterStored);
        self.make_room().await
    }

    /// Keeps the copies in the folder within their limit.
    pub(super) async fn make_room(&self) -> Result<(), HarvestError> {
        let files = self.catalog.warc_files().await?;
        let (archive, limit) = (self.dir.archive(), self.store.cache);
        on_a_thread(move || cache::make_room(&archive, &files, limit)).await
    }

    /// Notes a stored file, as soon as the catalog can be reached; false if that does not know it so.
    async fn note(&self, file: &str, uploaded: &Uploaded) -> Result<bool, HarvestError> {
        let began = Instant::now();
        loop {
            let (length, sha256) = (uploaded.length, uploaded.sha256.as_str());
            match self.catalog.note_stored(file, length, sha256, Timestamp::now()).await {
                // The next start finds the object to be the same, and notes it.
                Err(error) if error.is_temporary() && began.elapsed() < PATIENCE => {
                    tokio::time::sleep(NOTE_AGAIN).await;
                }
                noted => return Ok(noted?),
            }
        }
    }
}

async fn left_behind(
    dir: &HarvestDir,
    catalog: &Catalog,
) -> Result<Vec<WarcProgress>, HarvestError> {
    let archive = dir.archive();
    let waits = |file: &WarcFile| {
        file.progress.closed
            && file.stored_at.is_none()
            && archive.join(&file.progress.file).is_file()
    };
    let files = catalog.warc_files().await?.into_iter();
    Ok(files.filter(waits).map(|file| file.progress).collect())
}

/// Does what blocks where it may.
pub(super) async fn on_a_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, DepotError> + Send + 'static,
) -> Result<T, HarvestError> {
    let done = tokio::task::spawn_blocking(work).await;
    Ok(done.map_err(|lost| HarvestError::Lost { what: lost.to_string() })??)
}
