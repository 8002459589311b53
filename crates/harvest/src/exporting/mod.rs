//! Giving a harvest away, as a stage over catalog and archive. Nothing is changed and nothing is fetched.
//!
//! Documents are taken page by page along their numbers; what the catalog knows of a page is asked for in
//! few questions while the page before it is being formatted on all cores. Bodies are read in batches of
//! bounded size, so memory does not grow with the harvest. What is written appears under its name when it
//! is complete, and not before ([`ExportTarget`]).

mod archives;
mod formats;
mod output;
mod parts;
mod tables;
mod texts;
mod writing;

pub use archives::{ArchiveExport, ArchiveFormat, ArchiveReport};
pub use formats::{ExportFormat, OutputKind};
pub use output::ExportTarget;

use crate::corpus::on_all_cores;
use crate::directory::HarvestDir;
use crate::{Doing, HarvestError};
use auslese_archive::Holdings;
use auslese_catalog::{
    Catalog, CatalogSettings, ListedDocument, Location, SearchableDocument, StoredCapture,
};
use auslese_export::{CaptureNote, CorpusHead, DocumentForms, DocumentText, ExportedDocument};
use auslese_model::{
    CaptureId, Content, CorpusRule, CorpusVerdict, Description, Keeping, RequestId, RunId,
};
use auslese_reader::Readers;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::watch;
use writing::Writing;

/// Documents asked about together. Their links, of which a document may have thousands, are in memory.
const PAGE: usize = 64;
/// Bytes of bodies, as archived, that are formatted together; a larger one is taken alone.
const BATCH_BYTES: u64 = 8 << 20;
/// Words of links that are given away with a document, the most frequent ones.
const ANCHORS: usize = 20;

/// What the stage is told.
#[derive(Debug)]
pub struct ExportJob {
    pub catalog: Location,
    pub catalog_settings: CatalogSettings,
    pub format: ExportFormat,
    /// Each document as a file of its own.
    pub split: bool,
    pub target: ExportTarget,
    pub selection: ExportSelection,
    /// Title, institutions and so on, for formats with a header.
    pub head: CorpusHead,
    /// Who reads papers.
    pub readers: Arc<Readers>,
    /// What is to be known where the archive itself is given away.
    pub archive: ArchiveExport,
}

/// Which documents are given away.
#[derive(Debug, Clone, Default)]
pub struct ExportSelection {
    /// Those of the corpus only.
    pub kept_only: bool,
    /// Only these, if some are named.
    pub requests: Option<Vec<RequestId>>,
}

/// How far the stage is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct ExportProgress {
    /// What is counted.
    pub what: &'static str,
    pub done: u64,
    pub of: u64,
    /// Per second.
    pub rate: f64,
}

/// What whoever starts the stage can watch and say.
#[derive(Debug)]
pub struct ExportWatching {
    pub progress: watch::Sender<ExportProgress>,
    pub stop: watch::Receiver<bool>,
}

/// What the stage brought.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ExportReport {
    /// Documents that were written.
    pub documents: u64,
    pub bytes: u64,
    /// Rows by table, for formats that are tables.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tables: BTreeMap<String, u64>,
    /// Documents without text that have no place in the format, by the reason.
    pub left_out: BTreeMap<String, u64>,
    /// Documents whose text may not be whole, by the reason.
    pub troubles: BTreeMap<String, u64>,
    pub seconds: f64,
    /// A person wanted to stop; nothing was written.
    pub stopped: bool,
    /// What was given away of the archive itself, in formats that do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archive: Option<ArchiveReport>,
}

/// Writes the documents of a harvest in a format.
pub fn export_harvest(
    dir: &HarvestDir,
    job: ExportJob,
    watching: ExportWatching,
) -> Doing<'_, ExportReport> {
    Box::pin(async move {
        let catalog = Catalog::open(&job.catalog, &job.catalog_settings).await?;
        let report = match job.format {
            ExportFormat::Parquet => tables::export_tables(&catalog, job, &watching).await,
            _ => Stage::new(dir, job, &catalog, &watching).await?.run().await,
        };
        catalog.close().await;
        report
    })
}

struct Stage<'a> {
    catalog: &'a Catalog,
    watching: &'a ExportWatching,
    task: Arc<Task>,
    target: ExportTarget,
    kept_only: bool,
    /// Sorted; those that were not taken yet.
    wanted: Option<std::vec::IntoIter<RequestId>>,
    described_by: Option<RunId>,
    of: u64,
    done: u64,
    started: Instant,
}

/// What formatting a document takes, shared by all threads.
#[derive(Debug)]
struct Task {
    format: ExportFormat,
    split: bool,
    head: CorpusHead,
    archive: Holdings,
    readers: Arc<Readers>,
    giving: ArchiveExport,
}

/// All that the catalog knows of a document.
#[derive(Debug)]
struct Gathered {
    document: SearchableDocument,
    listed: Option<ListedDocument>,
    stored: Option<StoredCapture>,
    content: Option<Content>,
    description: Option<Description>,
    anchors: Vec<(String, u64)>,
    links: Vec<(String, Option<String>)>,
}

/// A page of documents.
struct Page {
    last: RequestId,
    looked_at: u64,
    gathered: Vec<Gathered>,
}

/// A document in its format.
struct Formatted {
    request: RequestId,
    url: String,
    title: String,
    form: Form,
    trouble: Option<String>,
}

enum Form {
    Bytes(Vec<u8>),
    Forms(DocumentForms),
    /// Nothing but its address matters.
    Address,
    LeftOut(String),
}

impl<'a> Stage<'a> {
    async fn new(
        dir: &HarvestDir,
        job: ExportJob,
        catalog: &'a Catalog,
        watching: &'a ExportWatching,
    ) -> Result<Stage<'a>, HarvestError> {
        let ExportJob { format, split, target, selection, head, readers, archive: giving, .. } =
            job;
        let mut wanted = selection.requests;
        let of = match &mut wanted {
            Some(requests) => {
                requests.sort_unstable();
                requests.dedup();
                requests.len() as u64
            }
            None => catalog.count_searchable().await?,
        };
        Ok(Stage {
            catalog,
            watching,
            task: Arc::new(Task { format, split, head, archive: dir.holdings(), readers, giving }),
            target,
            kept_only: selection.kept_only,
            wanted: wanted.map(Vec::into_iter),
            described_by: catalog.current_describe_run().await?,
            of,
            done: 0,
            started: Instant::now(),
        })
    }

    async fn run(mut self) -> Result<ExportReport, HarvestError> {
        if let ExportFormat::Archive(format) = self.task.format {
            return archives::run(self, format).await;
        }
        let mut writing = Writing::begin(self.task.clone(), &self.target)?;
        let mut report = ExportReport::default();
        let mut page = self.page(RequestId(0)).await?;
        while let Some(this) = page.take() {
            let (last, looked_at) = (this.last, this.looked_at);
            for batch in batches(this.gathered) {
                let task = self.task.clone();
                let mut formatted = on_all_cores(batch, move |one| task.format(one)).await?;
                self.task.archive.in_reach()?;
                // Threads finish in any order; the file is the same whatever they did.
                formatted.sort_unstable_by_key(|one| one.request);
                for one in formatted {
                    writing.put(one, &mut report)?;
                }
                if *self.watching.stop.borrow() {
                    report.stopped = true;
                    return Ok(report);
                }
            }
            self.tell(looked_at);
            page = self.page(last).await?;
        }
        if report.documents == 0 {
            let left_out = report.left_out.values().sum();
            return Err(HarvestError::NothingToExport { left_out });
        }
        report.bytes = writing.finish()?;
        report.seconds = self.started.elapsed().as_secs_f64();
        Ok(report)
    }

    fn tell(&mut self, looked_at: u64) {
        self.done += looked_at;
        let rate = self.done as f64 / self.started.elapsed().as_secs_f64().max(1e-6);
        let of = self.of.max(self.done);
        self.watching.progress.send_replace(ExportProgress {
            what: "documents",
            done: self.done,
            of,
            rate,
        });
    }

    /// The next documents with all that is known of them.
    async fn page(&mut self, after: RequestId) -> Result<Option<Page>, HarvestError> {
        let Some((documents, last, looked_at)) = self.next_documents(after).await? else {
            return Ok(None);
        };
        let is_wanted =
            |document: &SearchableDocument| !self.kept_only || document.keeping == Keeping::Kept;
        let documents: Vec<SearchableDocument> = documents.into_iter().filter(is_wanted).collect();
        Ok(Some(Page { last, looked_at, gathered: self.gather(documents).await? }))
    }

    /// The next documents, the number of the last one looked at, and how many these were.
    async fn next_documents(
        &mut self,
        after: RequestId,
    ) -> Result<Option<(Vec<SearchableDocument>, RequestId, u64)>, HarvestError> {
        let Some(wanted) = &mut self.wanted else {
            let documents =
                self.catalog.searchable_documents(self.described_by, after, PAGE).await?;
            let last = documents.last().map(|document| document.request);
            return Ok(last.map(|last| {
                let count = documents.len() as u64;
                (documents, last, count)
            }));
        };
        let group = next_group(wanted);
        let (Some(first), Some(last)) = (group.first().copied(), group.last().copied()) else {
            return Ok(None);
        };
        // Numbers are whole, so no more documents than this lie between the two.
        let limit = usize::try_from(last.0 - first.0 + 1).unwrap_or(PAGE);
        let before = RequestId(first.0 - 1);
        let mut documents =
            self.catalog.searchable_documents(self.described_by, before, limit).await?;
        documents.retain(|document| group.binary_search(&document.request).is_ok());
        Ok(Some((documents, last, group.len() as u64)))
    }

    async fn gather(
        &self,
        documents: Vec<SearchableDocument>,
    ) -> Result<Vec<Gathered>, HarvestError> {
        let mut bodies: Vec<CaptureId> = documents.iter().filter_map(|it| it.content).collect();
        bodies.sort_unstable();
        bodies.dedup();
        let requests: Vec<RequestId> = documents.iter().map(|it| it.request).collect();
        let catalog = self.catalog;
        let contents = catalog.contents_of(&bodies).await?;
        let descriptions = match self.described_by {
            Some(run) => catalog.descriptions_of(run, &bodies).await?,
            None => BTreeMap::new(),
        };
        let captures = catalog.stored_captures(&bodies).await?;
        let mut listed = catalog.documents_of(&requests).await?;
        let mut anchors = catalog.anchor_texts(&requests, ANCHORS).await?;
        let links = match self.task.format.wants_links() {
            true => catalog.page_links(&bodies).await?,
            false => BTreeMap::new(),
        };
        let gathered = documents.into_iter().map(|document| {
            let body = document.content.unwrap_or(CaptureId(0));
            Gathered {
                listed: listed.remove(&document.request),
                stored: captures.get(&body).cloned(),
                content: contents.get(&body).cloned(),
                description: descriptions.get(&body).cloned(),
                anchors: anchors.remove(&document.request).unwrap_or_default(),
                links: links.get(&body).cloned().unwrap_or_default(),
                document,
            }
        });
        Ok(gathered.collect())
    }
}

/// Takes the next numbers that lie near each other.
fn next_group(wanted: &mut std::vec::IntoIter<RequestId>) -> Vec<RequestId> {
    let Some(first) = wanted.next() else { return Vec::new() };
    let mut group = vec![first];
    while let Some(next) = wanted.as_slice().first()
        && next.0 - first.0 < PAGE as i64
    {
        group.extend(wanted.next());
    }
    group
}

/// Cuts a page where its bodies become too large to be read together.
fn batches(gathered: Vec<Gathered>) -> Vec<Vec<Gathered>> {
    let mut batches: Vec<Vec<Gathered>> = Vec::new();
    let mut room = 0;
    for one in gathered {
        let size = one.stored.as_ref().map_or(0, |stored| stored.capture.payload_length);
        match batches.last_mut() {
            Some(batch) if size <= room => {
                room -= size;
                batch.push(one);
            }
            _ => {
                room = BATCH_BYTES.saturating_sub(size);
                batches.push(vec![one]);
            }
        }
    }
    batches
}

impl Task {
    /// Reads a document and puts it into the format.
    fn format(&self, gathered: &Gathered) -> Formatted {
        let document = self.document(gathered);
        let (request, trouble) = (document.request, document.trouble.clone());
        let (url, title) = (document.url.clone(), document.title().to_owned());
        Formatted { request, url, title, form: self.form(&document), trouble }
    }

    fn form(&self, document: &ExportedDocument) -> Form {
        let is_empty = match &document.text {
            DocumentText::None => true,
            DocumentText::Paragraphs(paragraphs) => paragraphs.is_empty(),
            DocumentText::Page(_) => false,
        };
        if self.format.wants_text() && is_empty {
            let why = document.trouble.as_deref().unwrap_or("there is no text in it");
            return Form::LeftOut(why.to_owned());
        }
        let mut bytes = Vec::new();
        match self.format {
            ExportFormat::Documents(format) => {
                let written = match self.split {
                    true => format.write_file(document, &self.head, &mut bytes),
                    false => format.write_document(document, &self.head, &mut bytes),
                };
                match written {
                    Ok(()) => Form::Bytes(bytes),
                    Err(why) => Form::LeftOut(why.to_string()),
                }
            }
            ExportFormat::Frequencies => Form::Forms(DocumentForms::of(document)),
            ExportFormat::Heritrix | ExportFormat::Parquet => Form::Address,
            ExportFormat::Archive(_) => archives::page_of(document),
        }
    }

    fn document(&self, gathered: &Gathered) -> ExportedDocument {
        let Gathered { document, listed, stored, content, description, anchors, links } = gathered;
        let (text, trouble) = texts::read_text(
            &self.archive,
            stored.as_ref(),
            document.format,
            self.format.need(),
            &self.readers,
        );
        let unjudged = || CorpusVerdict {
            keeping: document.keeping,
            rule: CorpusRule::NotFetched,
            reason: "it was not judged yet".to_owned(),
        };
        ExportedDocument {
            request: document.request,
            url: document.url.clone(),
            host: document.host.clone(),
            institution: document.label.clone(),
            verdict: listed.as_ref().map_or_else(unjudged, |it| it.document.verdict.clone()),
            capture: capture_note(document, stored.as_ref()),
            content: content.clone(),
            description: description.clone(),
            anchors: anchors.clone(),
            links: links.clone(),
            text,
            trouble,
        }
    }
}

fn capture_note(document: &SearchableDocument, stored: Option<&StoredCapture>) -> CaptureNote {
    let capture = stored.map(|stored| &stored.capture);
    let place = capture.and_then(|capture| capture.storage.place());
    CaptureNote {
        at: document.captured,
        status: capture.map(|capture| capture.status),
        last_modified: document.last_modified,
        media_type: document.media_type.clone(),
        charset: capture.and_then(|capture| capture.charset.clone()),
        size: document.size,
        payload_digest: capture.and_then(|capture| capture.payload_digest.clone()),
        record_id: place.map(|place| place.record_id.clone()),
        warc_file: place.map(|place| place.file.clone()),
        warc_offset: place.map(|place| place.offset),
        versions: document.versions,
        gone: document.gone,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_lie_near_each_other() {
        let numbers = [1, 2, 40, 64, 65, 66, 1000, 1_000_000];
        let mut wanted = numbers.map(RequestId).to_vec().into_iter();
        let groups: Vec<Vec<i64>> = std::iter::from_fn(|| {
            let group = next_group(&mut wanted);
            (!group.is_empty()).then(|| group.into_iter().map(|it| it.0).collect())
        })
        .collect();
        assert_eq!(groups, [vec![1, 2, 40, 64], vec![65, 66], vec![1000], vec![1_000_000]]);
    }
}
