//! Short texts, looked at a second time: with the words of the link that led to them, and with the
//! language of most pages of their server. Until then they count as not read out: if the run ends
//! early, the next one begins with them again.

use super::bodies::stored_body;
use super::examining::{Around, Examiner, UNSETTLED, store};
use super::parallel::on_all_cores;
use super::{CorpusStep, CorpusWatching, Pace};
use crate::HarvestError;
use auslese_archive::Holdings;
use auslese_catalog::{Catalog, DocumentFacts, StoredCapture};
use auslese_corpus::READER;
use auslese_markup::parse;
use auslese_model::{RequestId, ServerId, Storage};
use std::collections::HashMap;
use std::sync::Arc;
use url::Url;

/// Requests looked through at a time.
const PAGE: usize = 2_000;
/// Texts of links to one document that are asked.
const ANCHORS: usize = 8;

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
        let mut found = Vec::new();
        for facts in page.into_iter().filter(|facts| facts.request <= until) {
            let content = facts.content.as_ref().filter(|it| it.reader == UNSETTLED);
            let Some(capture) = content.map(|content| content.capture) else { continue };
            let Some(stored) = catalog.capture(capture).await? else { continue };
            let site_language = sites.get(&facts.server).cloned();
            let found_on = found_on(catalog, &facts).await?;
            found.push(Short { stored, found_on, site_language });
        }
        let count = found.len();
        let (examiner, archive) = (examiner.clone(), &examiner.archive);
        let read = on_all_cores(found, move |short| {
            let around = Around {
                anchor_texts: anchor_texts(&examiner.archive, short),
                site_language: short.site_language.clone(),
            };
            examiner.examine(&short.stored, &around)
        });
        let read = read.await?;
        archive.in_reach()?;
        store(catalog, read).await?;
        pace.step(count, &watching.progress);
        if *watching.stop.borrow() {
            return Ok(());
        }
    }
    Ok(())
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

fn anchor_texts(archive: &Holdings, short: &Short) -> Vec<String> {
    let texts = short.found_on.as_ref().and_then(|page| {
        let (base, target) = (Url::parse(&page.url).ok()?, Url::parse(&short.stored.url).ok()?);
        let body = stored_body(archive, &page.capture).ok()?;
        Some(links_to(&body.bytes, page.capture.fields.charset().as_deref(), &base, &target))
    });
    texts.unwrap_or_default()
}

/// The words of the links of a page that lead to an address.
fn links_to(body: &[u8], charset: Option<&str>, base: &Url, target: &Url) -> Vec<String> {
    let page = parse(body, charset);
    let tree = page.tree();
    let leads_there = |href: &str| {
        page.resolve(base, href).is_some_and(|mut url| {
            url.set_fragment(None);
            url == *target
        })
    };
    tree.elements_named("a")
        .filter(|(_, element)| element.attribute("href").is_some_and(leads_there))
        .map(|(id, _)| tree.string_value(id))
        .filter(|text| !text.trim().is_empty())
        .take(ANCHORS)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_links() {
        let html = b"<base href='/x/'><a href=b.html#c>Ein <b>Bild</b></a><a href='/y'>nein</a>\
                     <a href='http://a.example/x/b.html'>noch eins</a><a href=b.html> </a>";
        let url = |text: &str| Url::parse(text).unwrap();
        let texts =
            links_to(html, None, &url("http://a.example/"), &url("http://a.example/x/b.html"));
        assert_eq!(texts, ["Ein Bild", "noch eins"]);
    }
}
