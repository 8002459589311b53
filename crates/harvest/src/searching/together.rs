//! The search index by several workers, each with a part of the documents in an index of its own.
//!
//! The documents are divided into ranges by number, and the catalog knows whose index holds which. A worker
//! takes the ranges it has first, then those that nobody has, or whose worker has died. It
//! compares each range with its index as one worker alone compares everything. Its index is committed
//! before the catalog hears that ranges are done: what is in the index without being noted, because
//! the worker died or had lost the range, is left out by [`super::parts`] when the indexes are searched, and taken out
//! here the next time.

use super::writing::{Target, Troubles};
use super::{IndexJob, IndexProgress, IndexReport, IndexWatching, Stage, blocking};
use crate::directory::HarvestDir;
use crate::job::Sharing;
use crate::patience::patiently;
use crate::shared_stage::{Done, Entered, SharedStage, StageWorker, Teller};
use crate::{Doing, HarvestError};
use auslese_catalog::{
    Catalog, CatalogError, Company, Division, IndexRange, NewRun, SHARD_BEYOND, StageBatch,
    StageWork,
};
use auslese_model::{RequestId, RunId, Timestamp};
use auslese_search::{IndexDir, Rebuild, SearchError, WriterOptions};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;
use tokio::sync::watch;

const DOCUMENTS: i64 = 1;

/// Documents after which what was indexed is committed, and the ranges are done: a kill costs no more.
const COMMIT_EVERY: u64 = 10_000;
/// The same for ranges, however few documents they hold.
const COMMIT_RANGES: usize = 64;

/// Brings a part of the index up to date, together with whoever else is at it.
pub fn index_together<'a>(
    dir: &'a HarvestDir,
    job: &'a IndexJob,
    sharing: Sharing,
    watching: IndexWatching,
) -> Doing<'a, IndexReport> {
    Box::pin(async move {
        let _lock = dir.lock()?;
        let started = Instant::now();
        let worker = StageWorker::new(job.worker.clone(), sharing);
        let (path, anew, memory) = (dir.index(), job.anew, job.memory);
        let target = blocking(move || open(&path, anew, memory)).await?;
        let open = async || Catalog::open(&job.catalog, &job.catalog_settings).await;
        let catalog = patiently(open).await?;
        let rebuilt = target.rebuilt.clone();
        let stage = Stage {
            job,
            catalog: &catalog,
            watching: &watching,
            archive: dir.holdings(),
            described_by: None,
            worker: Some(worker.name.clone()),
            known: target.known.clone(),
            target: Some(target),
            done: 0,
            of: 0,
            uncommitted: 0,
            started,
        };
        let mut indexing = Indexing { stage, pending: Vec::new(), lost: Vec::new() };
        let (place, settings) = (&job.catalog, &job.catalog_settings);
        let entered = Entered::new(dir, place, settings, &worker, &mut indexing).await?;
        let together = entered.work(&mut indexing, watching.stop.clone()).await?;
        let mut all = Tally::default();
        let mut here = 0;
        let results = async || catalog.batch_results(together.work.number, DOCUMENTS).await;
        for (by, result) in patiently(results).await? {
            let one: Tally = serde_json::from_str(&result).unwrap_or_default();
            here += if by == worker.name { one.documents } else { 0 };
            all.add(one);
        }
        indexing.close(!together.stopped).await?;
        catalog.close().await;
        Ok(IndexReport {
            documents: all.documents,
            here: Some(here),
            indexed: all.indexed,
            removed: all.removed,
            troubles: all.troubles,
            seconds: started.elapsed().as_secs_f64(),
            rebuilt,
            stopped: together.stopped,
        })
    })
}

/// Opens the index of a worker. One that cannot be read, or is to be made anew, is emptied at once: the
/// ranges it held are put in again one by one.
fn open(path: &Path, anew: bool, memory: usize) -> Result<Target, SearchError> {
    let options = WriterOptions { memory, ..WriterOptions::default() };
    let (index, rebuilt) = match IndexDir::open_or_create(path) {
        Ok(index) if !anew => (index, None),
        Ok(_) => (Rebuild::begin(path)?.finish()?, Some("it was asked for".to_owned())),
        Err(why @ (SearchError::OtherVersion { .. } | SearchError::Damaged { .. })) => {
            (Rebuild::begin(path)?.finish()?, Some(why.to_string()))
        }
        Err(other) => return Err(other),
    };
    let (known, writer) = (index.fingerprints()?, index.writer(options)?);
    Ok(Target { writer, rebuild: None, known, rebuilt, troubles: Troubles::default() })
}

/// What was done with a range.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Tally {
    documents: u64,
    indexed: u64,
    removed: u64,
    troubles: BTreeMap<String, u64>,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.documents += other.documents;
        self.indexed += other.indexed;
        self.removed += other.removed;
        for (trouble, count) in other.troubles {
            *self.troubles.entry(trouble).or_default() += count;
        }
    }
}

/// A range that is in the index, but not noted in the catalog.
struct Pending {
    batch: StageBatch,
    tally: Tally,
    keys: Vec<u64>,
}

struct Indexing<'a> {
    stage: Stage<'a>,
    pending: Vec<Pending>,
    /// Keys of ranges that were lost after they had been put in.
    lost: Vec<u64>,
}

impl SharedStage for Indexing<'_> {
    const COMPANY: Company = Company::Search;

    fn job(&self) -> String {
        let IndexJob { collections, anew, .. } = self.stage.job;
        format!("{} {} {anew} {collections:?}", env!("CARGO_PKG_VERSION"), super::GATHERING)
    }

    async fn begin(&mut self, catalog: &Catalog) -> Result<(RunId, String), HarvestError> {
        let job = self.stage.job;
        if job.anew {
            catalog.forget_index_ranges().await?;
        }
        let run = NewRun {
            stage: "search",
            worker: &job.worker,
            config: &job.config_text,
            at: Timestamp::now(),
        };
        let described_by = catalog.current_describe_run().await?;
        let notes = described_by.map_or(String::new(), |run| run.0.to_string());
        Ok((catalog.begin_run(run).await?, notes))
    }

    async fn enter(
        &mut self,
        catalog: &Catalog,
        work: &StageWork,
        worker: &str,
    ) -> Result<(), HarvestError> {
        for lost in &self.stage.job.lost_workers {
            catalog.lose_index_of(lost).await?;
        }
        self.stage.described_by = work.notes.parse().ok().map(RunId);
        self.give_up_pending();
        // What an earlier process of this worker has done is compared again: its index may be lost.
        Ok(catalog.reopen_batches(work.number, worker).await?)
    }

    async fn division(
        &mut self,
        _catalog: &Catalog,
        _work: &StageWork,
        phase: i64,
    ) -> Result<Option<Division>, HarvestError> {
        Ok((phase == DOCUMENTS).then_some(Division::IndexRanges))
    }

    async fn carry_out(
        &mut self,
        _fenced: &Catalog,
        _work: &StageWork,
        batch: &StageBatch,
        halt: &watch::Receiver<bool>,
    ) -> Result<Done, HarvestError> {
        let mut report = IndexReport::default();
        let mut keys = Vec::new();
        match batch.first >= SHARD_BEYOND {
            true => keys = self.stage.index_beyond(&mut report).await?,
            false => self.index_range(batch, &mut report, &mut keys, halt).await?,
        }
        if *halt.borrow() {
            self.lost.extend(&keys);
            return Ok(Done::PutOff);
        }
        let gone = self.gone_between(batch);
        let tally = Tally {
            documents: report.documents,
            indexed: report.indexed,
            removed: gone.len() as u64,
            troubles: report.troubles,
        };
        self.take_out(gone).await?;
        // It may have been lost before, and taken again.
        let range = batch.first.unsigned_abs()..=batch.last.unsigned_abs();
        self.lost.retain(|key| !range.contains(key));
        self.stage.uncommitted += tally.indexed;
        self.pending.retain(|known| known.batch.number != batch.number);
        self.pending.push(Pending { batch: batch.clone(), tally, keys });
        if self.stage.uncommitted >= COMMIT_EVERY || self.pending.len() >= COMMIT_RANGES {
            let worker = self.stage.job.worker.clone();
            self.finish_pending(self.stage.catalog, &worker).await?;
        }
        Ok(Done::PutOff)
    }

    /// Commits the index, then notes the ranges; those that were lost are taken out again.
    async fn finish_pending(
        &mut self,
        catalog: &Catalog,
        worker: &str,
    ) -> Result<(), HarvestError> {
        let lost = std::mem::take(&mut self.lost);
        if self.pending.is_empty() && lost.is_empty() {
            return Ok(());
        }
        self.take_out(lost).await?;
        self.stage.commit().await?;
        while let Some(pending) = self.pending.last() {
            let result = serde_json::to_string(&pending.tally).unwrap_or_default();
            let done = [(pending.batch.clone(), result)];
            match catalog.finish_ranges(worker, &done).await {
                Ok(()) => {}
                Err(CatalogError::BatchLost { number }) => {
                    tracing::warn!("range {number} was lost to another worker, which has it now");
                    self.lost.extend(&pending.keys);
                }
                Err(error) => return Err(error.into()),
            }
            self.pending.pop();
        }
        Ok(())
    }

    async fn end(&mut self, catalog: &Catalog, run: RunId) -> Result<(), HarvestError> {
        Ok(catalog.end_run(run, "done", Timestamp::now()).await?)
    }

    fn phase_word(phase: i64) -> &'static str {
        match phase {
            DOCUMENTS => "documents",
            _ => "",
        }
    }

    fn teller(&self) -> Teller {
        let progress = self.stage.watching.progress.clone();
        Box::new(move |now, rate| {
            let (done, of, here) = (now.done, now.items, Some(now.own));
            progress.send_replace(IndexProgress { done, of, rate, here });
        })
    }
}

impl Indexing<'_> {
    /// Puts in what differs between two documents.
    async fn index_range(
        &mut self,
        batch: &StageBatch,
        report: &mut IndexReport,
        keys: &mut Vec<u64>,
        halt: &watch::Receiver<bool>,
    ) -> Result<(), HarvestError> {
        let until = RequestId(batch.last);
        let limit = usize::try_from(batch.items).unwrap_or(super::PAGE).clamp(1, super::PAGE);
        let mut after = RequestId(batch.first - 1);
        while after < until
            && !*halt.borrow()
            && let Some(page) = self.stage.page_until(after, until, limit).await?
        {
            after = page.last;
            for key in &page.keys {
                self.stage.known.remove(key);
            }
            keys.extend(&page.keys);
            report.documents += page.keys.len() as u64;
            report.indexed += page.to_index.len() as u64;
            let target = self.stage.target.take().expect("it comes back from every page");
            self.stage.target = Some(self.stage.write(target, page.to_index).await?);
        }
        report.add_troubles(self.stage.settle().await?);
        Ok(())
    }

    /// What was put in for a work that is over counts no more.
    fn give_up_pending(&mut self) {
        self.lost.extend(self.pending.drain(..).flat_map(|pending| pending.keys));
    }

    /// Documents of a range that the index has and the catalog has not.
    fn gone_between(&mut self, batch: &StageBatch) -> Vec<u64> {
        let range = batch.first.unsigned_abs()..=batch.last.unsigned_abs();
        let known = &mut self.stage.known;
        let gone: Vec<u64> = known.keys().filter(|key| range.contains(key)).copied().collect();
        for key in &gone {
            known.remove(key);
        }
        gone
    }

    async fn take_out(&mut self, keys: Vec<u64>) -> Result<(), HarvestError> {
        if keys.is_empty() {
            return Ok(());
        }
        let Some(mut target) = self.stage.target.take() else { return Ok(()) };
        let target = blocking(move || {
            keys.into_iter().try_for_each(|key| target.writer.remove(key))?;
            Ok(target)
        });
        self.stage.target = Some(target.await?);
        Ok(())
    }

    /// Takes out what others have by now, and closes the index.
    async fn close(mut self, complete: bool) -> Result<(), HarvestError> {
        let catalog = self.stage.catalog;
        let ranges = patiently(async || catalog.index_ranges().await).await?;
        let worker = self.stage.job.worker.clone();
        self.give_up_pending();
        let known: FxHashMap<u64, u64> = std::mem::take(&mut self.stage.known);
        let mut foreign: Vec<u64> = std::mem::take(&mut self.lost);
        foreign.extend(known.into_keys().filter(|key| !holds(&ranges, &worker, *key)));
        // A lost range may have come back.
        foreign.retain(|key| !holds(&ranges, &worker, *key));
        self.take_out(foreign).await?;
        let state = self.stage.state(complete);
        let Some(target) = self.stage.target.take() else { return Ok(()) };
        blocking(move || target.finish(&state)).await
    }
}

/// Whether a document lies in a worker's index, by what the catalog says.
fn holds(ranges: &[IndexRange], worker: &str, key: u64) -> bool {
    let key = i64::try_from(key).unwrap_or(i64::MAX);
    let at = ranges.partition_point(|range| range.last < key);
    let range = ranges.get(at).filter(|range| range.first <= key);
    range.is_some_and(|range| range.worker.as_deref() == Some(worker))
}
