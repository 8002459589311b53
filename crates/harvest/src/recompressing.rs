//! Stores the records of an archive in less space, when there is time: a crawl compresses quickly, this well.
//!
//! Each closed file is written anew beside the old one, every record in the smaller of two forms: as it is, or
//! compressed at the level wanted. Nothing else changes: identities, digests, order and names stay. The new file is
//! read through and compared before it counts. Then the same steps as for a removal: a journal names the file and
//! its new length; one transaction of the catalog says where the records lie now; the new file takes the name of the
//! old one. The length in the catalog tells on which side of the transaction an interruption was, because a file is
//! replaced only if it becomes shorter.

use crate::directory::HarvestDir;
use crate::fault::{self, Step};
use crate::removing::{new_path, settle, sync_folder};
use crate::{Doing, HarvestError};
use auslese_archive::{ArchiveError, ArchiveSettings, Fate, Form, Rewritten, rewrite, verify};
use auslese_catalog::{Catalog, CatalogSettings, Location, Rewriting, WarcFile};
use auslese_model::{CaptureId, Place, Timestamp, WarcProgress};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// What is to be done.
#[derive(Debug)]
pub struct RecompressJob {
    pub catalog: Location,
    pub catalog_settings: CatalogSettings,
    /// The level is that of the new members.
    pub archive: ArchiveSettings,
    /// Names of files, such as `auslese-20261115214000-00000-main.warc.gz`; none means all closed ones.
    pub files: Vec<String>,
    /// Files that are worked on at the same time.
    pub threads: usize,
}

/// How far the stage is, in bytes of the old files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct RecompressProgress {
    pub done: u64,
    pub of: u64,
    /// Bytes per second.
    pub rate: f64,
}

/// What whoever starts the stage can watch and say.
#[derive(Debug)]
pub struct RecompressWatching {
    pub progress: watch::Sender<RecompressProgress>,
    pub stop: watch::Receiver<bool>,
}

/// What the stage brought.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct RecompressReport {
    pub files: Vec<RecompressedFile>,
    /// A person wanted to stop; what was done is done.
    pub stopped: bool,
}

/// What became of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecompressedFile {
    pub file: String,
    pub before: u64,
    pub after: u64,
    /// Why it was left as it is, if it was.
    pub left: Option<String>,
}

/// How often progress is told.
const TELL_EVERY: Duration = Duration::from_millis(200);

/// Recompresses files of a harvest that nobody writes to.
pub fn recompress(
    dir: &HarvestDir,
    job: RecompressJob,
    watching: RecompressWatching,
) -> Doing<'_, RecompressReport> {
    Box::pin(async move {
        let _lock = dir.lock()?;
        dir.prepare()?;
        let catalog = Catalog::open(&job.catalog, &job.catalog_settings).await?;
        let _exclusive = catalog.exclusive().await?;
        settle(dir, &catalog).await?;
        let files = wanted_files(catalog.warc_files().await?, &job.files)?;
        let report = recompress_all(dir, &catalog, job, files, watching).await;
        catalog.close().await;
        report
    })
}

/// The files that are meant, in the order of their names.
fn wanted_files(known: Vec<WarcFile>, named: &[String]) -> Result<Vec<WarcFile>, HarvestError> {
    let is_known = |name: &String| known.iter().any(|it| it.progress.file == *name);
    if let Some(name) = named.iter().find(|name| !is_known(name)) {
        return Err(HarvestError::UnknownArchiveFile { file: name.clone() });
    }
    let is_wanted = |it: &WarcFile| named.is_empty() || named.contains(&it.progress.file);
    Ok(known.into_iter().filter(is_wanted).collect())
}

async fn recompress_all(
    dir: &HarvestDir,
    catalog: &Catalog,
    job: RecompressJob,
    files: Vec<WarcFile>,
    watching: RecompressWatching,
) -> Result<RecompressReport, HarvestError> {
    let RecompressWatching { progress, stop } = watching;
    let of = files.iter().map(|file| file.progress.length).sum();
    let done = Arc::new(AtomicU64::new(0));
    let settings = Arc::new(job.archive);
    let mut report = RecompressReport::default();
    let mut waiting = files.into_iter();
    let mut under_way: JoinSet<Tried> = JoinSet::new();
    let begun = Instant::now();
    let tell = |done: u64| {
        let rate = done as f64 / begun.elapsed().as_secs_f64().max(0.001);
        let _ = progress.send(RecompressProgress { done, of, rate });
    };
    loop {
        while under_way.len() < job.threads.max(1) && !*stop.borrow() {
            let Some(file) = waiting.next() else { break };
            let attempt = Attempt {
                source: dir.archive().join(&file.progress.file),
                target: new_path(dir, &file.progress.file),
                is_stored: file.stored_at.is_some(),
                settings: settings.clone(),
                done: done.clone(),
                stop: stop.clone(),
            };
            under_way.spawn_blocking(move || attempt.carry_out(file.progress));
        }
        let tried = tokio::select! {
            tried = under_way.join_next() => tried,
            () = tokio::time::sleep(TELL_EVERY) => {
                tell(done.load(Ordering::Relaxed));
                continue;
            }
        };
        let Some(tried) = tried else { break };
        let Tried { file, outcome } = tried.map_err(|cause| HarvestError::Io {
            path: dir.archive(),
            cause: io::Error::other(cause),
        })?;
        tell(done.load(Ordering::Relaxed));
        let before = file.length;
        let entry = |after, left| RecompressedFile { file: file.file.clone(), before, after, left };
        report.files.push(match outcome {
            Ok(Outcome::Smaller(rewritten)) => {
                let after = rewritten.length;
                put_in_place(dir, catalog, &file, rewritten).await?;
                entry(after, None)
            }
            Ok(Outcome::Left(why)) => entry(before, Some(why)),
            Ok(Outcome::Stopped) => continue,
            Err(error) => entry(before, Some(error.to_string())),
        });
    }
    report.stopped = *stop.borrow();
    report.files.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(report)
}

/// Everything that is needed to write one file anew.
struct Attempt {
    source: PathBuf,
    target: PathBuf,
    is_stored: bool,
    settings: Arc<ArchiveSettings>,
    /// Bytes of old files read so far, in all.
    done: Arc<AtomicU64>,
    stop: watch::Receiver<bool>,
}

struct Tried {
    file: WarcProgress,
    outcome: Result<Outcome, ArchiveError>,
}

enum Outcome {
    /// The new file lies beside the old one.
    Smaller(Rewritten),
    Left(String),
    Stopped,
}

impl Attempt {
    fn carry_out(self, file: WarcProgress) -> Tried {
        let outcome = self.attempt(&file);
        if !matches!(outcome, Ok(Outcome::Smaller(_))) {
            // If it cannot be removed, the next start does it.
            let _ = fs::remove_file(&self.target);
        }
        Tried { file, outcome }
    }

    fn attempt(&self, file: &WarcProgress) -> Result<Outcome, ArchiveError> {
        let left = |why: &str| Ok(Outcome::Left(why.to_owned()));
        if !file.closed {
            return left("a crawl has not closed it yet");
        }
        if !file.file.ends_with(".gz") {
            return left("it is not compressed, and would need another name");
        }
        if self.is_stored {
            return left("it lies in the store, where nothing is written twice");
        }
        if !self.source.exists() {
            return left("it is not in the folder archive");
        }
        let mut counted = 0;
        let mut decide = |record: &auslese_archive::Record| {
            self.done.fetch_add(record.offset - counted, Ordering::Relaxed);
            counted = record.offset;
            match *self.stop.borrow() {
                true => Err(ArchiveError::Io {
                    file: self.source.clone(),
                    cause: io::ErrorKind::Interrupted.into(),
                }),
                false => Ok(Fate::Keep),
            }
        };
        let (committed, form) = (Some(file.length), Form::Smaller);
        let rewritten =
            rewrite(&self.source, committed, &self.target, form, &self.settings, &mut decide);
        self.done.fetch_add(file.length.saturating_sub(counted), Ordering::Relaxed);
        let rewritten = match rewritten {
            Err(_) if *self.stop.borrow() => return Ok(Outcome::Stopped),
            rewritten => rewritten?,
        };
        if rewritten.damage_count > 0 {
            return left("it is damaged; `auslese archive verify` says where");
        }
        if rewritten.length >= file.length {
            return left("it does not become smaller");
        }
        self.compare(&rewritten)?;
        Ok(Outcome::Smaller(rewritten))
    }

    /// Reads both files through: the new one has as many records, and nothing is wrong with it that was not
    /// wrong before.
    fn compare(&self, rewritten: &Rewritten) -> Result<(), ArchiveError> {
        let (old, new) = (verify(&self.source)?, verify(&self.target)?);
        let is_as_good = new.records == rewritten.records
            && new.records == old.records
            && new.digests == old.digests
            && new.fault_count <= old.fault_count;
        match is_as_good {
            true => Ok(()),
            false => Err(ArchiveError::Io {
                file: self.target.clone(),
                cause: io::Error::other("the new file does not say what the old one says"),
            }),
        }
    }
}

async fn put_in_place(
    dir: &HarvestDir,
    catalog: &Catalog,
    file: &WarcProgress,
    rewritten: Rewritten,
) -> Result<(), HarvestError> {
    let moved: FxHashMap<u64, (u64, u64)> =
        rewritten.moved.iter().map(|it| (it.from, (it.offset, it.length))).collect();
    let places: Vec<(CaptureId, Place)> = catalog.captures_in(&file.file).await?;
    let mut rewriting = Rewriting::default();
    for (capture, place) in places {
        let Some((offset, length)) = moved.get(&place.offset) else {
            let cause = format!(
                "no record begins at byte {}, where capture {} should",
                place.offset, capture.0
            );
            return Err(HarvestError::Io {
                path: dir.archive().join(&file.file),
                cause: io::Error::other(cause),
            });
        };
        rewriting.moved.push((capture, Place { offset: *offset, length: *length, ..place }));
    }
    let progress = WarcProgress {
        file: file.file.clone(),
        length: rewritten.length,
        records: rewritten.records,
        closed: true,
    };
    let journal = Journal { file: file.file.clone(), length: rewritten.length };
    rewriting.files.push(progress);
    fault::reach(Step::AfterAppend);
    journal.write(dir)?;
    fault::reach(Step::BeforeCommit);
    catalog.move_records(&rewriting, Timestamp::now()).await?;
    fault::reach(Step::AfterCommit);
    journal.carry_out(dir)?;
    fault::reach(Step::AfterRename);
    Ok(())
}

/// What an interrupted replacement left behind.
#[derive(Debug, Serialize, Deserialize)]
struct Journal {
    file: String,
    /// Of the new file.
    length: u64,
}

impl Journal {
    fn path(dir: &HarvestDir) -> PathBuf {
        dir.runs().join("recompression.json")
    }

    fn write(&self, dir: &HarvestDir) -> Result<(), HarvestError> {
        let path = Journal::path(dir);
        let draft = path.with_extension("draft");
        let text = serde_json::to_vec(self).expect("a text and a number are always JSON");
        let written = File::create(&draft)
            .and_then(|mut file| file.write_all(&text).and_then(|()| file.sync_all()))
            .and_then(|()| fs::rename(&draft, &path))
            .and_then(|()| sync_folder(&dir.runs()));
        written.map_err(|cause| HarvestError::Io { path, cause })
    }

    fn carry_out(&self, dir: &HarvestDir) -> Result<(), HarvestError> {
        let (new, old) = (new_path(dir, &self.file), dir.archive().join(&self.file));
        if new.exists() {
            fs::rename(&new, &old).map_err(|cause| HarvestError::Io { path: old, cause })?;
        }
        let synced = sync_folder(&dir.archive());
        synced.map_err(|cause| HarvestError::Io { path: dir.archive(), cause })?;
        remove(&Journal::path(dir))
    }
}

/// Brings a replacement to its end that was interrupted: forwards if the catalog counts on the new file, else back.
pub(crate) async fn settle_recompression(
    dir: &HarvestDir,
    catalog: &Catalog,
) -> Result<(), HarvestError> {
    let path = Journal::path(dir);
    let text = match fs::read(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(cause) => return Err(HarvestError::Io { path, cause }),
    };
    let journal: Journal = serde_json::from_slice(&text)
        .map_err(|cause| HarvestError::Io { path: path.clone(), cause: cause.into() })?;
    let took_place = catalog
        .warcs()
        .await?
        .iter()
        .any(|it| it.file == journal.file && it.length == journal.length);
    tracing::info!("a recompression was interrupted; it is brought to its end");
    match took_place {
        true => journal.carry_out(dir),
        false => remove(&new_path(dir, &journal.file)).and_then(|()| remove(&path)),
    }
}

fn remove(path: &Path) -> Result<(), HarvestError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result.map_err(|cause| HarvestError::Io { path: path.to_owned(), cause }),
    }
}
