//! Citations between the documents of a harvest, after all of them were described: bibliographies are
//! taken apart, entries resolved to the documents they cite, and what others cite a document as becomes
//! evidence for its title and authors (rule `cited-as`).
//!
//! A document is the request whose answer stores the body, so exact copies are one; of copies in other
//! formats [`Works`] takes one, and of a landing page and its full text the full text. Everything is computed from the descriptions alone, page by page, and
//! replaces what was there, so after an interruption, or with new documents, it is simply done again.

use super::cited_as::{CitedAs, OthersSay, without_cited_as};
use crate::HarvestError;
use crate::corpus::on_all_cores;
use auslese_catalog::{Catalog, CitedDocument, ListedDescription, NewCitation};
use auslese_describe::{Work, Works, address_identifier, citation, work_identifiers};
use auslese_model::{CaptureId, DescribedCapture, Description, Field, RequestId, RunId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Descriptions read at once.
const PAGE: usize = 256;

/// Entries of one bibliography; surveys have some 500, and what has more is a catalogue.
const MAX_ENTRIES: usize = 2_000;

/// Resolves the bibliographies of a run, unless that was done and nothing was described since.
pub(super) async fn cite(
    catalog: &Catalog,
    run: RunId,
    described: u64,
) -> Result<(), HarvestError> {
    if described == 0 && catalog.citations_are_current(run).await? {
        return Ok(());
    }
    let works = Arc::new(works_of(catalog, run).await?);
    let (mut others_say, mut full_texts) = (OthersSay::default(), FullTexts::default());
    let mut after = CaptureId(0);
    while let Some((page, last)) = next_page(catalog, run, after).await? {
        after = last;
        let captures: Vec<CaptureId> = page.iter().map(|it| it.described.capture).collect();
        let shared = works.clone();
        let resolved =
            on_all_cores(page, move |listed| (listed.url.clone(), resolve(listed, &shared)));
        let mut resolved = resolved.await?;
        for citation in resolved.iter_mut().flat_map(|(_, citations)| citations) {
            full_texts.put_for_page(catalog, &works, citation).await?;
        }
        resolved.sort_by_key(|(_, citations)| citations.first().map(|it| it.capture));
        for (url, citations) in &resolved {
            citations.iter().for_each(|citation| others_say.note(url, citation));
        }
        let citations: Vec<NewCitation> = resolved.into_iter().flat_map(|(_, all)| all).collect();
        catalog.store_citations(run, &captures, &citations).await?;
    }
    tell(catalog, run, &others_say).await?;
    Ok(catalog.note_citations_current(run).await?)
}

async fn next_page(
    catalog: &Catalog,
    run: RunId,
    after: CaptureId,
) -> Result<Option<(Vec<ListedDescription>, CaptureId)>, HarvestError> {
    let page = catalog.descriptions(run, after, PAGE).await?;
    let last = page.last().map(|listed| listed.described.capture);
    Ok(last.map(|last| (page, last)))
}

/// Which full text stands for a landing page; asked for once.
#[derive(Debug, Default)]
struct FullTexts(BTreeMap<RequestId, Option<RequestId>>);

impl FullTexts {
    /// An entry that cites a page which announces a full text cites that one: it is the work, and has a
    /// bibliography to go on from.
    async fn put_for_page(
        &mut self,
        catalog: &Catalog,
        works: &Works,
        citation: &mut NewCitation,
    ) -> Result<(), HarvestError> {
        let Some(cited) = &mut citation.cited else { return Ok(()) };
        let full_text = match self.0.get(&cited.request) {
            Some(known) => *known,
            None => {
                let announced = catalog.full_texts_of(cited.request).await?;
                let full_text =
                    announced.iter().map(|pair| pair.target).find(|target| works.knows(*target));
                self.0.insert(cited.request, full_text);
                full_text
            }
        };
        cited.request = full_text.unwrap_or(cited.request);
        if cited.request == citation.citing {
            citation.cited = None;
        }
        Ok(())
    }
}

/// All documents of a run as works that entries may cite.
async fn works_of(catalog: &Catalog, run: RunId) -> Result<Works, HarvestError> {
    let mut works = Vec::new();
    let mut after = CaptureId(0);
    while let Some((page, last)) = next_page(catalog, run, after).await? {
        after = last;
        works.extend(page.iter().filter(|listed| listed.request != RequestId(0)).map(work));
    }
    Ok(Works::new(works))
}

/// What a document says of itself; what others say of it would confirm itself.
fn work(listed: &ListedDescription) -> Work {
    let own = without_cited_as(&listed.described.description);
    let values = |field| own.chosen(field).map(|statement| statement.value.as_str());
    let identifiers = values(Field::Identifier).flat_map(|value| {
        // Where only a number is said, it may be an ISBN; the last digit tells.
        work_identifiers(value).into_iter().chain(work_identifiers(&format!("ISBN {value}")))
    });
    Work {
        document: listed.request,
        title: values(Field::Title).next().map(str::to_owned),
        authors: values(Field::Author).map(str::to_owned).collect(),
        year: values(Field::Date).next().and_then(|date| date.get(..4)?.parse().ok()),
        identifiers: identifiers.chain(address_identifier(&listed.url)).collect(),
        cites: own.chosen(Field::References).next().is_some(),
    }
}

/// The bibliography of a document.
fn resolve(listed: &ListedDescription, works: &Works) -> Vec<NewCitation> {
    if listed.request == RequestId(0) {
        return Vec::new();
    }
    let entries = listed.described.description.chosen(Field::References).take(MAX_ENTRIES);
    let resolved = |(entry, statement): (u64, &auslese_model::Statement)| {
        let cited = works.cited(listed.request, &statement.value);
        NewCitation {
            capture: listed.described.capture,
            citing: listed.request,
            entry,
            parts: citation(&statement.value),
            text: statement.value.clone(),
            cited: cited.map(|it| CitedDocument {
                request: it.document,
                score: it.score,
                by: it.by,
            }),
        }
    };
    (1..).zip(entries).map(resolved).collect()
}

/// Adds to the descriptions what others say, and takes out what they said before.
async fn tell(catalog: &Catalog, run: RunId, others_say: &OthersSay) -> Result<(), HarvestError> {
    let mut after = CaptureId(0);
    while let Some((page, last)) = next_page(catalog, run, after).await? {
        after = last;
        let changed = page.into_iter().filter_map(|listed| {
            let before = &listed.described.description;
            let said = others_say.of(listed.request).cloned().unwrap_or_default();
            let description = told(before, &said);
            let capture = listed.described.capture;
            (description != *before).then_some(DescribedCapture { capture, description })
        });
        let changed: Vec<DescribedCapture> = changed.collect();
        if !changed.is_empty() {
            catalog.store_descriptions(run, &changed).await?;
        }
    }
    Ok(())
}

fn told(before: &Description, said: &CitedAs) -> Description {
    let mut description = without_cited_as(before);
    said.add_to(&mut description);
    description
}
