//! Takes documents out of a harvest everywhere: archive files, mirror, catalog; with a protocol.
//!
//! The files of the archive are written anew without the records of the documents. The request
//! stays as refused, so that no later crawl fetches it and no later import brings it back, and the
//! protocol says what went, why, when, and by whom. A kill at any moment leaves either everything
//! or nothing removed, see [`journal`].

mod files;
mod journal;
mod removed;

pub(crate) use journal::{new_path, settle, sync_folder};
pub(crate) use removed::Removed;

use crate::corpus::update_mirror;
use crate::describing::resolve_citations_again;
use crate::directory::HarvestDir;
use crate::fault::{self, Step};
use crate::{Doing, HarvestError};
use auslese_archive::ArchiveSettings;
use auslese_catalog::{
    Catalog, CatalogSettings, KnownRequest, Location, Removal, RemovalNote, RemovalPlan, Rewriting,
};
use auslese_corpus::CharsetNote;
use auslese_crawl::{CanonicalRules, canonical};
use auslese_depot::{Moment, Onward, Writing};
use auslese_model::{CaptureId, CauseKind, Method, Place, Request, RequestId, Timestamp};
use files::{Changes, Rewriter};
use journal::{Journal, store_of};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use url::Url;

/// What is to be removed.
#[derive(Debug)]
pub struct RemovalJob {
    pub catalog: Location,
    pub catalog_settings: CatalogSettings,
    pub urls: Vec<Url>,
    pub reason: String,
    pub by: String,
    /// Look into every archive file, not only into those the catalog names.
    pub all_files: bool,
    pub archive: ArchiveSettings,
    pub canonical: CanonicalRules,
    pub charset_note: CharsetNote,
}

/// What would go.
#[derive(Debug, Clone, PartialEq)]
pub struct RemovalPreview {
    pub requests: Vec<KnownRequest>,
    pub plan: RemovalPlan,
    /// Files of the mirror.
    pub mirror: Vec<String>,
    /// Addresses the harvest does not know.
    pub unknown: Vec<Url>,
    /// Addresses that were removed before.
    pub removed_before: Vec<Url>,
}

/// What went.
#[derive(Debug, Clone, PartialEq)]
pub struct RemovalReport {
    pub removals: Vec<Removal>,
    pub unknown: Vec<Url>,
    pub removed_before: Vec<Url>,
}

/// Says what a removal would take, without taking anything.
pub async fn preview_removal(job: &RemovalJob) -> Result<RemovalPreview, HarvestError> {
    let catalog = Catalog::open(&job.catalog, &job.catalog_settings).await?;
    let preview = preview(&catalog, job).await;
    catalog.close().await;
    preview
}

/// Removes documents for good.
pub fn remove_documents<'a>(dir: &'a HarvestDir, job: &'a RemovalJob) -> Doing<'a, RemovalReport> {
    Box::pin(async move {
        let _lock = dir.lock()?;
        dir.prepare()?;
        let catalog = Catalog::open(&job.catalog, &job.catalog_settings).await?;
        let _exclusive = catalog.exclusive().await?;
        settle(dir, &catalog).await?;
        let preview = preview(&catalog, job).await?;
        let removals = match preview.requests.is_empty() {
            true => Vec::new(),
            false => remove(dir, &catalog, job, &preview).await?,
        };
        if !removals.is_empty() {
            // What the documents said about those they cite goes with them.
            resolve_citations_again(&catalog).await?;
        }
        if dir.mirror().is_dir() {
            update_mirror(dir, &catalog, job.charset_note, &job.canonical).await?;
        }
        catalog.close().await;
        let RemovalPreview { unknown, removed_before, .. } = preview;
        Ok(RemovalReport { removals, unknown, removed_before })
    })
}

async fn preview(catalog: &Catalog, job: &RemovalJob) -> Result<RemovalPreview, HarvestError> {
    let mut requests = BTreeMap::new();
    let (mut unknown, mut removed_before) = (Vec::new(), Vec::new());
    let mut exact = requests_for_urls(catalog, &job.urls).await?;
    for url in &job.urls {
        let exact = exact.remove(url.as_str()).unwrap_or_default();
        let known = requests_of(catalog, url, exact, &job.canonical).await?;
        let is_removed = |it: &KnownRequest| {
            it.cause.as_ref().is_some_and(|cause| cause.kind == CauseKind::Removed)
        };
        if known.is_empty() {
            unknown.push(url.clone());
        } else if known.iter().all(is_removed) && !job.all_files {
            removed_before.push(url.clone());
        } else {
            requests.extend(known.into_iter().map(|known| (known.id, known)));
        }
    }
    let requests: Vec<KnownRequest> = requests.into_values().collect();
    let ids: Vec<RequestId> = requests.iter().map(|known| known.id).collect();
    let plan = catalog.plan_removal(&ids).await?;
    let mut mirror = Vec::new();
    for id in ids {
        let document = catalog.document_of(id).await?;
        mirror.extend(document.and_then(|listed| listed.document.mirror_path));
    }
    Ok(RemovalPreview { requests, plan, mirror, unknown, removed_before })
}

/// Requests for exactly these addresses, by address.
async fn requests_for_urls(
    catalog: &Catalog,
    urls: &[Url],
) -> Result<FxHashMap<String, Vec<KnownRequest>>, HarvestError> {
    let urls: Vec<String> = urls.iter().map(|url| url.as_str().to_owned()).collect();
    let mut found: FxHashMap<String, Vec<KnownRequest>> = FxHashMap::default();
    for known in catalog.requests_for_any(&urls).await? {
        found.entry(known.url.clone()).or_default().push(known);
    }
    Ok(found)
}

/// All requests for an address, by whatever method and in whatever spelling.
async fn requests_of(
    catalog: &Catalog,
    url: &Url,
    exact: Vec<KnownRequest>,
    rules: &CanonicalRules,
) -> Result<Vec<KnownRequest>, HarvestError> {
    let mut found: BTreeMap<RequestId, KnownRequest> = BTreeMap::new();
    for method in [Method::Get, Method::Head] {
        if let Some(request) = Request::new(method, url.clone(), None) {
            let key = request.key(&canonical(&request.url, rules));
            let known = catalog.find_keys(&[key]).await?.into_values();
            found.extend(known.map(|known| (known.id, known)));
        }
    }
    found.extend(exact.into_iter().map(|known| (known.id, known)));
    Ok(found.into_values().collect())
}

/// Stores the new version of a file and returns its digest.
fn store_new_version(dir: &HarvestDir, file: &str) -> Result<String, HarvestError> {
    let files = &store_of(dir)?.files;
    let mut go_on = |moment| {
        if moment == Moment::Complete {
            fault::reach(Step::AfterComplete);
        }
        Onward::Go
    };
    let (path, key) = (new_path(dir, file), files.key(file));
    Ok(files.depot().upload(&path, &key, Writing::New, &mut go_on)?.sha256)
}

async fn remove(
    dir: &HarvestDir,
    catalog: &Catalog,
    job: &RemovalJob,
    preview: &RemovalPreview,
) -> Result<Vec<Removal>, HarvestError> {
    let warcs = catalog.warc_files().await?;
    let stored: FxHashSet<String> = warcs
        .iter()
        .filter(|warc| warc.stored_at.is_some())
        .map(|warc| warc.progress.file.clone())
        .collect();
    let committed: FxHashMap<_, _> =
        warcs.into_iter().map(|warc| (warc.progress.file.clone(), warc.progress)).collect();
    let urls = preview.requests.iter().map(|known| known.url.as_str());
    let removed = Removed::new(urls, &job.canonical);
    let archive = dir.holdings();
    let changes = Changes::of(&preview.plan, &archive);
    archive.in_reach()?;
    let rewriter = Rewriter {
        dir,
        settings: &job.archive,
        removed: &removed,
        changes,
        committed: &committed,
        stored: &stored,
    };
    let mut rewriting =
        Rewriting { promoted: rewriter.changes.captures.clone(), ..Rewriting::default() };
    for file in rewriter.files(&preview.plan, job.all_files) {
        let places: Vec<(CaptureId, Place)> = catalog.captures_in(&file).await?;
        rewriter.rewrite(&file, &places, &mut rewriting)?;
    }
    fault::reach(Step::AfterAppend);
    let note = RemovalNote { reason: &job.reason, by: &job.by, at: Timestamp::now() };
    let journal = Journal {
        at: note.at.0,
        files: rewriting.files.iter().map(|file| file.file.clone()).collect(),
        mirror: preview.mirror.clone(),
        requests: preview.requests.iter().map(|known| known.id.0).collect(),
        renamed: rewriting.renamed.iter().map(|it| (it.from.clone(), it.to.clone())).collect(),
    };
    journal.write(dir)?;
    for renamed in &mut rewriting.renamed {
        renamed.sha256 = store_new_version(dir, &renamed.to)?;
    }
    fault::reach(Step::BeforeCommit);
    let ids: Vec<RequestId> = preview.requests.iter().map(|known| known.id).collect();
    let removals = catalog.remove(&ids, &rewriting, note).await?;
    fault::reach(Step::AfterCommit);
    journal.carry_out(dir)?;
    fault::reach(Step::AfterRename);
    Ok(removals)
}
