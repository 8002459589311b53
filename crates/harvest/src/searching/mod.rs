//! The search index as a stage over catalog and archive. Nothing is fetched.
//!
//! Every document of the catalog has a mark that changes with it, and the index holds the marks of what
//! it was given; the stage compares them and puts in order whatever differs. So it needs no memory of
//! its own: killed at any moment, it leaves the last commit, and the next run finds what is missing. An
//! index that cannot be read is made anew beside the old one and then takes its place.
//!
//! Several workers may do it together, each with an index of its own that holds a part of the documents,
//! see [`together`]; [`parts`] puts them together for a search.

mod beyond;
mod collections;
mod documents;
mod parts;
mod texts;
mod together;
mod writing;

pub use collections::CollectionRule;
pub use parts::{IndexPiece, NotWhole, index_pieces, known_ranges};
pub use together::index_together;

use crate::directory::HarvestDir;
use crate::removing::settle;
use crate::{Doing, HarvestError};
use auslese_archive::Holdings;
use auslese_catalog::{
    BodyPlace, Catalog, CatalogSettings, Location, NewRun, SearchableDocument, SearchableStatement,
};
use auslese_model::{CaptureId, DatabaseId, RequestId, RunId, Timestamp};
use auslese_reader::Readers;
use auslese_search::{IndexDir, SearchError, WriterOptions};
use beyond::Beyond;
use collections::collection_of;
use documents::Gathered;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::watch;
use writing::Target;

/// Documents looked at together.
const PAGE: usize = 512;
/// Documents after which what was indexed is committed: a kill costs no more than these.
const COMMIT_EVERY: u64 = 50_000;
/// Words of links that are indexed for a document, the most frequent ones.
const ANCHORS: usize = 20;
/// Statements weaker than this are not indexed.
const LEAST_WEIGHT: f64 = 0.05;
/// Changes when the same document becomes another entry of the index.
const GATHERING: u64 = 1;

/// What the stage is told.
#[derive(Debug)]
pub struct IndexJob {
    pub catalog: Location,
    pub catalog_settings: CatalogSettings,
    /// Which documents share a vocabulary; the first that fits holds.
    pub collections: Vec<CollectionRule>,
    /// Who reads papers.
    pub readers: Arc<Readers>,
    /// Make the index anew, although it can be read.
    pub anew: bool,
    /// Workers whose indexes are lost: their documents are indexed again by those that share the work.
    pub lost_workers: Vec<String>,
    /// The most memory for what is not written yet, in bytes.
    pub memory: usize,
    pub worker: String,
    /// The configuration in force, as text, for the record of the run.
    pub config_text: String,
}

/// How far the stage is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct IndexProgress {
    pub done: u64,
    pub of: u64,
    /// Documents looked at per second.
    pub rate: f64,
    /// Of these, looked at by this worker, where several are at it.
    pub here: Option<u64>,
}

/// What whoever starts the stage can watch and say.
#[derive(Debug)]
pub struct IndexWatching {
    pub progress: watch::Sender<IndexProgress>,
    pub stop: watch::Receiver<bool>,
}

/// What the stage brought.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct IndexReport {
    /// Documents in the index now; where several workers have a part of it, in all parts.
    pub documents: u64,
    /// Of these, in the part of this worker, where several have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub here: Option<u64>,
    /// Put in by this run, because they were new or had changed.
    pub indexed: u64,
    pub removed: u64,
    /// Documents of which only the header could be indexed, by the reason.
    pub troubles: BTreeMap<String, u64>,
    pub seconds: f64,
    /// Why the whole index was made anew, if it was.
    pub rebuilt: Option<String>,
    /// A person wanted to stop; the same command goes on.
    pub stopped: bool,
}

impl IndexReport {
    fn add_troubles(&mut self, troubles: BTreeMap<String, u64>) {
        for (trouble, count) in troubles {
            *self.troubles.entry(trouble).or_default() += count;
        }
    }
}

/// What the index notes with every commit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexState {
    /// The run of the describing stage whose statements it holds.
    pub described_by: Option<i64>,
    /// Whether everything was looked at.
    pub complete: bool,
    /// The random name of the harvest.
    #[serde(default)]
    pub harvest: String,
    /// The worker whose part of the documents it holds; none if it holds all of them.
    #[serde(default)]
    pub worker: Option<String>,
}

impl IndexState {
    /// As [`IndexDir::state`] tells it; an index without a state is not complete.
    pub fn read(text: &str) -> IndexState {
        serde_json::from_str(text).unwrap_or_default()
    }

    fn text(&self) -> String {
        serde_json::to_string(self).expect("plain values are JSON")
    }
}

/// Brings the search index of a harvest up to date with its catalog.
pub fn index_harvest(
    dir: &HarvestDir,
    job: IndexJob,
    watching: IndexWatching,
) -> Doing<'_, IndexReport> {
    Box::pin(async move {
        let _lock = dir.lock()?;
        let catalog = Catalog::open(&job.catalog, &job.catalog_settings).await?;
        let _exclusive = catalog.exclusive().await?;
        settle(dir, &catalog).await?;
        // From now on this index holds everything, and parts of others count no more.
        if !catalog.index_ranges().await?.is_empty() {
            catalog.forget_index_ranges().await?;
        }
        let run = NewRun {
            stage: "search",
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

/// Takes documents out of the index, if there is one.
pub(crate) fn forget(
    dir: &HarvestDir,
    requests: impl Iterator<Item = RequestId>,
) -> Result<(), HarvestError> {
    let index = match IndexDir::open(&dir.index()) {
        // One that cannot be read is made anew from the catalog, which has lost them.
        Err(
            SearchError::Missing { .. }
            | SearchError::OtherVersion { .. }
            | SearchError::Damaged { .. },
        ) => return Ok(()),
        opened => opened?,
    };
    let state = index.state()?;
    let mut writer = index.writer(WriterOptions::default())?;
    for request in requests {
        writer.remove(key(request))?;
    }
    writer.commit(&state)?;
    Ok(writer.finish()?)
}

async fn stage(
    dir: &HarvestDir,
    job: &IndexJob,
    catalog: &Catalog,
    watching: &IndexWatching,
) -> Result<IndexReport, HarvestError> {
    let started = Instant::now();
    let described_by = catalog.current_describe_run().await?;
    let (path, anew, memory) = (dir.index(), job.anew, job.memory);
    let target = blocking(move || Target::open(path, anew, memory)).await?;
    let known = target.known.clone();
    let mut report = IndexReport { rebuilt: target.rebuilt.clone(), ..IndexReport::default() };
    let mut stage = Stage {
        job,
        catalog,
        watching,
        archive: dir.holdings(),
        described_by,
        worker: None,
        target: Some(target),
        known,
        done: 0,
        of: catalog.count_searchable().await?,
        uncommitted: 0,
        started,
    };
    stage.run(&mut report).await?;
    report.stopped = *watching.stop.borrow();
    report.seconds = started.elapsed().as_secs_f64();
    Ok(report)
}

/// The stage at work.
struct Stage<'a> {
    job: &'a IndexJob,
    catalog: &'a Catalog,
    watching: &'a IndexWatching,
    archive: Holdings,
    described_by: Option<RunId>,
    /// Whose part of the documents is indexed; none for all of them.
    worker: Option<String>,
    /// Away while another thread writes to it.
    target: Option<Target>,
    /// Marks of the documents in the index that were not met yet.
    known: FxHashMap<u64, u64>,
    done: u64,
    of: u64,
    uncommitted: u64,
    started: Instant,
}

/// A page of documents with all that the catalog knows of those that have to be indexed.
struct Page {
    last: RequestId,
    looked_at: u64,
    /// Unchanged documents and changed ones: all that are in the catalog.
    keys: Vec<u64>,
    to_index: Vec<Gathered>,
}

impl Stage<'_> {
    async fn run(&mut self, report: &mut IndexReport) -> Result<(), HarvestError> {
        let mut page = self.page(RequestId(0), PAGE).await?;
        while let Some(this) = page.take()
            && !*self.watching.stop.borrow()
        {
            let (last, looked_at) = (this.last, this.looked_at);
            for key in &this.keys {
                self.known.remove(key);
            }
            report.documents += this.keys.len() as u64;
            let put = this.to_index.len() as u64;
            let target = self.target.take().expect("it comes back from every page");
            let (written, next) =
                tokio::join!(self.write(target, this.to_index), self.page(last, PAGE));
            self.target = Some(written?);
            report.indexed += put;
            self.uncommitted += put;
            if self.uncommitted >= COMMIT_EVERY {
                report.add_troubles(self.settle().await?);
                self.commit().await?;
            }
            self.tell(looked_at);
            page = next?;
        }
        self.index_beyond(report).await?;
        report.add_troubles(self.settle().await?);
        let complete = !*self.watching.stop.borrow();
        let gone: Vec<u64> = if complete { self.known.keys().copied().collect() } else { vec![] };
        report.removed = gone.len() as u64;
        let state = self.state(complete);
        let Some(mut target) = self.target.take() else { return Ok(()) };
        blocking(move || {
            gone.into_iter().try_for_each(|key| target.writer.remove(key))?;
            // An index that is not whole must not take the place of one that is.
            match complete || target.rebuild.is_none() {
                true => target.finish(&state),
                false => Ok(()),
            }
        })
        .await
    }

    /// Databases and records, which are few compared with documents; returns their keys.
    async fn index_beyond(&mut self, report: &mut IndexReport) -> Result<Vec<u64>, HarvestError> {
        let mut keys = Vec::new();
        let mut after = DatabaseId(0);
        while !*self.watching.stop.borrow()
            && let Some((last, page)) = self.databases(after).await?
        {
            after = last;
            keys.extend(&page.keys);
            self.put_beyond(page, report).await?;
        }
        let mut after = 0;
        while !*self.watching.stop.borrow()
            && let Some((last, page)) = self.records(after).await?
        {
            after = last;
            keys.extend(&page.keys);
            self.put_beyond(page, report).await?;
        }
        Ok(keys)
    }

    async fn put_beyond(
        &mut self,
        page: Beyond,
        report: &mut IndexReport,
    ) -> Result<(), HarvestError> {
        for key in &page.keys {
            self.known.remove(key);
        }
        report.documents += page.keys.len() as u64;
        report.indexed += page.entries.len() as u64;
        let mut target = self.target.take().expect("it comes back from every page");
        let target = blocking(move || {
            page.entries.into_iter().try_for_each(|entry| target.writer.put(entry))?;
            Ok(target)
        });
        self.target = Some(target.await?);
        Ok(())
    }

    fn state(&self, complete: bool) -> IndexState {
        IndexState {
            described_by: self.described_by.map(|run| run.0),
            complete,
            harvest: self.catalog.harvest().to_owned(),
            worker: self.worker.clone(),
        }
    }

    fn tell(&mut self, looked_at: u64) {
        self.done += looked_at;
        let rate = self.done as f64 / self.started.elapsed().as_secs_f64().max(1e-6);
        let of = self.of.max(self.done);
        let (done, here) = (self.done, None);
        self.watching.progress.send_replace(IndexProgress { done, of, rate, here });
    }

    /// The next documents, and of those that differ from what is indexed everything the catalog knows.
    async fn page(&self, after: RequestId, limit: usize) -> Result<Option<Page>, HarvestError> {
        self.page_until(after, RequestId(i64::MAX), limit).await
    }

    /// The same up to a document.
    async fn page_until(
        &self,
        after: RequestId,
        until: RequestId,
        limit: usize,
    ) -> Result<Option<Page>, HarvestError> {
        let catalog = self.catalog;
        let mut documents = catalog.searchable_documents(self.described_by, after, limit).await?;
        documents.retain(|document| document.request <= until);
        let Some(last) = documents.last().map(|document| document.request) else {
            return Ok(None);
        };
        let looked_at = documents.len() as u64;
        let keys = documents.iter().map(|document| key(document.request)).collect();
        let changed: Vec<(SearchableDocument, String, u64)> = documents
            .into_iter()
            .filter_map(|document| {
                let collection = collection_of(&self.job.collections, &document.host).to_owned();
                let fingerprint = fingerprint(document.mark, &collection);
                let is_known = self.known.get(&key(document.request)) == Some(&fingerprint);
                (!is_known).then_some((document, collection, fingerprint))
            })
            .collect();
        let to_index = self.gather(changed).await?;
        Ok(Some(Page { last, looked_at, keys, to_index }))
    }

    async fn gather(
        &self,
        changed: Vec<(SearchableDocument, String, u64)>,
    ) -> Result<Vec<Gathered>, HarvestError> {
        let mut bodies: Vec<CaptureId> =
            changed.iter().filter_map(|(document, ..)| document.content).collect();
        bodies.sort_unstable();
        bodies.dedup();
        let requests: Vec<RequestId> = changed.iter().map(|(it, ..)| it.request).collect();
        let statements: BTreeMap<CaptureId, Vec<SearchableStatement>> = match self.described_by {
            Some(run) => self.catalog.searchable_statements(run, &bodies, LEAST_WEIGHT).await?,
            None => BTreeMap::new(),
        };
        let places: BTreeMap<CaptureId, BodyPlace> = self.catalog.body_places(&bodies).await?;
        let mut anchors = self.catalog.anchor_texts(&requests, ANCHORS).await?;
        let gathered = changed.into_iter().map(|(document, collection, fingerprint)| {
            let content = document.content;
            let of_body = |capture: &CaptureId| statements.get(capture).cloned();
            Gathered {
                stored: content.and_then(|capture| places.get(&capture).cloned()),
                statements: content.as_ref().and_then(of_body).unwrap_or_default(),
                anchors: anchors.remove(&document.request).unwrap_or_default(),
                document,
                collection,
                fingerprint,
            }
        });
        Ok(gathered.collect())
    }
}

fn key(request: RequestId) -> u64 {
    request.0.unsigned_abs()
}

/// Changes with the document, with the collection it belongs to, and with this program.
fn fingerprint(mark: u64, collection: &str) -> u64 {
    collection.bytes().fold(mark ^ GATHERING.rotate_left(32), |digest, byte| {
        (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Does what takes long away from the asynchronous threads.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, SearchError> + Send + 'static,
) -> Result<T, HarvestError> {
    let done = tokio::task::spawn_blocking(work).await;
    Ok(done.map_err(|error| HarvestError::Lost { what: error.to_string() })??)
}
