//! Short texts, looked at a second time: with the words of the link that led to them, and with the
//! language of most pages of their server. Until then they count as not read out: if the run ends
//! early, the next one begins with them again.

use super::examining::{Around, Examiner, UNSETTLED, store};
use super::parallel::on_all_cores;
use super::{CorpusStep, CorpusWatching, Pace};
use crate::HarvestError;
use auslese_catalog::{Catalog, DocumentFacts, StoredCapture};
use auslese_corpus::READER;
use auslese_model::{RequestId, ServerId, Storage};
use std::collections::HashMap;
use std::sync::Arc;

/// Requests looked through at a time.
const PAGE: usize = 2_000;
/// Short texts that are looked at and stored together; a stop is heeded after so many.
const BATCH: usize = 256;

/// A short document, and the page it was found on.
struct Short {
    stored: StoredCapture,
    found_on: Option<StoredCapture>,
    site_language: Option<String>,
}

/// The language of most pages of each server, before any short text was looked at again.
pub(super) type SiteLanguages = HashMap<ServerId, String>;

/// Looks again at so many short texts.
pub(super) async fn settle(
    examiner: &Arc<Examiner>,
    catalog: &Catalog,
    short: u64,
    watching: &CorpusWatching,
) -> Result<(), HarvestError> {
    if short == 0 {
        return Ok(());
    }
    let sites = catalog.site_languages().await?;
    settle_between(examiner, catalog, &sites, EVERYTHING, short, watching).await?;
    let stopped = *watching.stop.borrow();
    if stopped { Ok(()) } else { settle_rest(catalog).await }
}

/// All requests: what is behind the first, up to the second.
const EVERYTHING: (RequestId, RequestId) = (RequestId(0), RequestId(i64::MAX));

/// What is left are older versions: nothing is judged by them.
pub(super) async fn settle_rest(catalog: &Catalog) -> Result<(), HarvestError> {
    Ok(catalog.raise_reader(UNSETTLED, READER).await?)
}

/// Looks again at the short texts behind a request, up to another.
pub(super) async fn settle_between(
    examiner: &Arc<Examiner>,
    catalog: &Catalog,
    sites: &SiteLanguages,
    (mut after, until): (RequestId, RequestId),
    of: u64,
    watching: &CorpusWatching,
) -> Result<(), HarvestError> {
    let mut pace = Pace::new(CorpusStep::Settle, of);
    while after < until {
        let page = catalog.document_facts(after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = last.request;
        let is_short = |facts: &DocumentFacts| {
            facts.request <= until
                && facts.content.as_ref().is_some_and(|it| it.reader == UNSETTLED)
        };
        let short: Vec<DocumentFacts> = page.into_iter().filter(is_short).collect();
        for batch in short.chunks(BATCH) {
            if *watching.stop.borrow() {
                return Ok(());
            }
            settle_batch(examiner, catalog, sites, batch).await?;
            pace.step(batch.len(), &watching.progress);
        }
    }
    Ok(())
}

async fn settle_batch(
    examiner: &Arc<Examiner>,
    catalog: &Catalog,
    sites: &SiteLanguages,
    batch: &[DocumentFacts],
) -> Result<(), HarvestError> {
    let mut found = Vec::with_capacity(batch.len());
    for facts in batch {
        let Some(content) = &facts.content else { continue };
        let Some(stored) = catalog.capture(content.capture).await? else { continue };
        let site_language = sites.get(&facts.server).cloned();
        let found_on = found_on(catalog, facts).await?;
        found.push(Short { stored, found_on, site_language });
    }
    let (examiner, archive) = (examiner.clone(), &examiner.archive);
    let read = on_all_cores(found, move |short| {
        let texts = |page| examiner.anchors.texts(&examiner.archive, page, &short.stored.url);
        let around = Around {
            anchor_texts: short.found_on.as_ref().map(texts).unwrap_or_default(),
            site_language: short.site_language.clone(),
        };
        examiner.examine(&short.stored, &around)
    });
    let read = read.await?;
    archive.in_reach()?;
    Ok(store(catalog, read).await?)
}

/// The capture that stores the page whose link led to a document.
async fn found_on(
    catalog: &Catalog,
    facts: &DocumentFacts,
) -> Result<Option<StoredCapture>, HarvestError> {
    let Some(via) = facts.via else { return Ok(None) };
    let capture = catalog.request(via).await?.and_then(|request| request.capture);
    let Some(capture) = capture else { return Ok(None) };
    let Some(stored) = catalog.capture(capture).await? else { return Ok(None) };
    match stored.capture.storage {
        Storage::Stored(_) => Ok(Some(stored)),
        Storage::Revisit { original, .. } => Ok(catalog.capture(original).await?),
        Storage::HeaderOnly { .. } => Ok(None),
    }
}
