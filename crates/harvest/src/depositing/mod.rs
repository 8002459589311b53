//! Puts closed archive files into the store, beside whatever closes them, and keeps the folder small.
//!
//! A file is stored when it is closed and its end is committed; then, and not before, the catalog says that it lies in
//! the store; then the copy in the folder is part of a cache, of which the files that nobody has read for longest go
//! first. So after a kill at any moment the catalog never counts on an object that is not there, and no file is lost:
//! what is closed and not noted is stored at the next start, which finds an object that was completed meanwhile to be
//! the same, gives up what was left unfinished, and removes copies that were to go.
//!
//! Nothing waits for an upload but the end of the crawl. A store out of reach is tried again, ever more slowly; what
//! could not be stored by then waits in the folder.

mod cache;
mod files;

pub use files::{ArchiveStore, DepositReport, Waiting, deposit_all, waiting_files};

use crate::HarvestError;
use crate::directory::HarvestDir;
use crate::error::chain;
use auslese_catalog::Catalog;
use auslese_model::WarcProgress;
use files::Depositor;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::task::{JoinHandle, JoinSet};

/// How long a store that refused is left alone, at first and at most.
const PAUSES: (Duration, Duration) = (Duration::from_secs(2), Duration::from_secs(300));

/// The uploads of a stage that closes files.
#[derive(Debug)]
pub(crate) struct Depositing {
    files: mpsc::UnboundedSender<WarcProgress>,
    ending: watch::Sender<Ending>,
    stopped: Arc<AtomicBool>,
    task: JoinHandle<DepositReport>,
}

/// What is expected of the uploads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// More files may come.
    NotYet,
    /// No more files come; what can be stored now is.
    Soon,
}

impl Depositing {
    /// Begins with what an earlier run has left. None if the harvest has no store.
    pub(crate) async fn begin(
        dir: &HarvestDir,
        catalog: &Catalog,
        worker: &str,
    ) -> Result<Option<Depositing>, HarvestError> {
        let Some(store) = dir.store().cloned() else { return Ok(None) };
        let stopped = Arc::new(AtomicBool::new(false));
        let depositor = Arc::new(Depositor {
            dir: dir.clone(),
            store,
            catalog: catalog.clone(),
            stopped: stopped.clone(),
            told: AtomicBool::new(false),
        });
        let left = depositor.left_behind().await?;
        let (files, queue) = mpsc::unbounded_channel();
        left.into_iter().for_each(|file| drop(files.send(file)));
        let (ending, ended) = watch::channel(Ending::NotYet);
        let worker = worker.to_owned();
        let task = tokio::spawn(async move {
            // A store out of reach keeps nobody from crawling; the next start gives up what stays.
            if let Err(error) = depositor.clone().give_up_unfinished(worker).await {
                tracing::warn!("unfinished uploads are not given up yet: {}", chain(&error));
            }
            // A run that died between noting a file and removing its copy may have been the last to store anything.
            if let Err(error) = depositor.make_room().await {
                tracing::warn!("copies of stored files stay for now: {}", chain(&error));
            }
            work(depositor, queue, ended).await
        });
        Ok(Some(Depositing { files, ending, stopped, task }))
    }

    /// Where files are named that grow no more, once the catalog knows it.
    pub(crate) fn queue(&self) -> mpsc::UnboundedSender<WarcProgress> {
        self.files.clone()
    }

    /// Waits until everything is stored that can be. Whoever wanted to stop does not wait for what is under way:
    /// uploads end at their next part.
    pub(crate) async fn finish(self, in_a_hurry: bool) -> DepositReport {
        if in_a_hurry {
            self.stopped.store(true, Ordering::Relaxed);
        }
        self.ending.send_replace(Ending::Soon);
        drop(self.files);
        self.task.await.unwrap_or_default()
    }
}

/// Stores files as they come, some at a time.
async fn work(
    depositor: Arc<Depositor>,
    mut queue: mpsc::UnboundedReceiver<WarcProgress>,
    ended: watch::Receiver<Ending>,
) -> DepositReport {
    let places = Arc::new(Semaphore::new(depositor.store.uploads.max(1)));
    let mut under_way = JoinSet::new();
    let mut report = DepositReport::default();
    loop {
        tokio::select! {
            file = queue.recv() => {
                let Some(file) = file else { break };
                let (depositor, places) = (depositor.clone(), places.clone());
                under_way.spawn(persistently(depositor, file, places, ended.clone()));
            }
            Some(done) = under_way.join_next(), if !under_way.is_empty() => report.add(done.ok()),
        }
    }
    while let Some(done) = under_way.join_next().await {
        report.add(done.ok());
    }
    report
}

/// What became of one file.
type Deposit = Result<u64, (WarcProgress, String)>;

/// Stores a file, as often as it takes while there is time; one last time when there is none.
async fn persistently(
    depositor: Arc<Depositor>,
    file: WarcProgress,
    places: Arc<Semaphore>,
    mut ended: watch::Receiver<Ending>,
) -> Deposit {
    let mut pause = PAUSES.0;
    loop {
        let is_last = *ended.borrow() == Ending::Soon;
        let failure = {
            let Ok(_place) = places.acquire().await else {
                return Err((file, "the uploads have ended".to_owned()));
            };
            match depositor.clone().deposit(file.clone()).await {
                Ok(()) => return Ok(file.length),
                Err(error) => error,
            }
        };
        let why = chain(&failure);
        if is_last || depositor.stopped.load(Ordering::Relaxed) {
            return Err((file, why));
        }
        match depositor.told.swap(true, Ordering::Relaxed) {
            false => tracing::warn!("{} is not stored yet: {why}", file.file),
            true => tracing::debug!("{} is not stored yet: {why}", file.file),
        }
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            ending = ended.wait_for(|ending| *ending == Ending::Soon) => {
                // Whoever began this is gone without a word; the next start stores the file.
                if ending.is_err() {
                    return Err((file, why));
                }
            }
        }
        pause = (pause * 2).min(PAUSES.1);
    }
}
