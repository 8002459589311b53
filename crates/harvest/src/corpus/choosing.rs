//! Judges every request of a harvest by the rules of the corpus, so that each has its reason.
//!
//! Twice over all requests: first each for itself, to learn what would be kept; then once more with
//! what is known of copies and templates. What the second pass says is stored. While a page is
//! judged and stored, the next one is read, so that both cores of a small machine have work.

use super::others::{Comparable, Relations};
use super::{CorpusStep, CorpusWatching, Pace};
use crate::HarvestError;
use crate::job::StoringRules;
use crate::processing::{ASKED_NOT_TO, FOR_ITS_LINKS};
use auslese_catalog::{Answer, BodyState, Catalog, CatalogError, DocumentFacts};
use auslese_corpus::{AnswerFacts, ContentFacts, CorpusRules, DocumentFacts as Facts, Others};
use auslese_model::{CorpusRule, CorpusVerdict, Document, Keeping, RequestId, Timestamp};
use auslese_net::DecodeLimits;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use tokio::task::JoinHandle;
use url::Url;

/// Requests judged at a time.
const PAGE: usize = 2_000;

/// What became of all documents.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    pub(super) rules: BTreeMap<(Keeping, CorpusRule), u64>,
    /// Documents whose verdict is not what it was.
    pub(super) changed: u64,
    pub(super) requeued: u64,
}

pub(super) async fn choose(
    catalog: &Catalog,
    rules: &CorpusRules,
    storing: &StoringRules,
    watching: &CorpusWatching,
) -> Result<Chosen, HarvestError> {
    let (mut chosen, now) = (Chosen::default(), Timestamp::now());
    let judging = Judging::begin(catalog, rules, storing, watching).await?;
    let Some(mut judging) = judging else { return Ok(chosen) };
    while let Some(judged) = judging.next().await? {
        let documents: Vec<Document> = judged.into_iter().map(|it| it.document).collect();
        for Document { verdict, .. } in &documents {
            *chosen.rules.entry((verdict.keeping, verdict.rule)).or_default() += 1;
        }
        chosen.changed += catalog.store_documents(&documents, now).await?;
        if *watching.stop.borrow() {
            return Ok(chosen);
        }
    }
    chosen.requeued = catalog.requeue_unknown().await?;
    Ok(chosen)
}

/// A document that was judged, with its address.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) url: String,
    pub(super) document: Document,
}

/// The second pass: judges page by page, and stores nothing.
pub(super) struct Judging<'a> {
    rules: &'a CorpusRules,
    storing: &'a StoringRules,
    watching: &'a CorpusWatching,
    relations: Relations,
    pages: Pages,
    pace: Pace,
}

impl<'a> Judging<'a> {
    /// None if a person wanted to stop during the first pass.
    pub(super) async fn begin(
        catalog: &Catalog,
        rules: &'a CorpusRules,
        storing: &'a StoringRules,
        watching: &'a CorpusWatching,
    ) -> Result<Option<Judging<'a>>, HarvestError> {
        let all = catalog.status().await?.requests.values().sum();
        let relations = relate(catalog, rules, all, watching).await?;
        Ok(relations.map(|relations| Judging {
            rules,
            storing,
            watching,
            relations,
            pages: Pages::of(catalog),
            pace: Pace::new(CorpusStep::Judge, all),
        }))
    }

    /// None after the last page.
    pub(super) async fn next(&mut self) -> Result<Option<Vec<Judged>>, HarvestError> {
        let Some(page) = self.pages.next().await? else { return Ok(None) };
        self.pace.step(page.len(), &self.watching.progress);
        let judged = page.into_iter().map(|facts| {
            let mut document = judge(&facts, self.rules, &self.relations);
            if document.verdict.keeping == Keeping::Unknown && !may_be_stored(&facts, self.storing)
            {
                document.verdict.keeping = Keeping::Left;
            }
            Judged { url: facts.url, document }
        });
        Ok(Some(judged.collect()))
    }
}

/// The facts about all requests, page by page, each read while the one before is worked on.
struct Pages {
    catalog: Catalog,
    coming: JoinHandle<Result<Vec<DocumentFacts>, CatalogError>>,
}

impl Pages {
    fn of(catalog: &Catalog) -> Pages {
        Pages { coming: Pages::read(catalog, RequestId(0)), catalog: catalog.clone() }
    }

    fn read(
        catalog: &Catalog,
        after: RequestId,
    ) -> JoinHandle<Result<Vec<DocumentFacts>, CatalogError>> {
        let catalog = catalog.clone();
        tokio::spawn(async move { catalog.document_facts(after, PAGE).await })
    }

    /// None after the last page.
    async fn next(&mut self) -> Result<Option<Vec<DocumentFacts>>, HarvestError> {
        let page = (&mut self.coming).await;
        let page = page.map_err(|error| HarvestError::Lost { what: error.to_string() })??;
        let Some(last) = page.last() else { return Ok(None) };
        self.coming = Pages::read(&self.catalog, last.request);
        Ok(Some(page))
    }
}

/// The first pass; none if a person wanted to stop.
async fn relate(
    catalog: &Catalog,
    rules: &CorpusRules,
    all: u64,
    watching: &CorpusWatching,
) -> Result<Option<Relations>, HarvestError> {
    let alone = Relations::default();
    let mut comparable: FxHashMap<RequestId, Comparable> = FxHashMap::default();
    let mut pace = Pace::new(CorpusStep::Relate, all);
    let mut pages = Pages::of(catalog);
    while let Some(page) = pages.next().await? {
        pace.step(page.len(), &watching.progress);
        for facts in page {
            let verdict = judge(&facts, rules, &alone).verdict;
            if let Some(document) = comparison(facts, &verdict) {
                comparable.insert(document.request, document);
            }
        }
        if *watching.stop.borrow() {
            return Ok(None);
        }
    }
    let mut after = RequestId(0);
    loop {
        let page = catalog.signatures(after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = last.request;
        for found in page {
            if let Some(document) = comparable.get_mut(&found.request) {
                document.signature = found.signature;
            }
        }
    }
    let mut documents: Vec<Comparable> = comparable.into_values().collect();
    documents.sort_unstable_by_key(|document| document.request);
    let threshold = rules.near_threshold;
    // It takes a processor for a while, and others may be served meanwhile.
    let related = tokio::task::spawn_blocking(move || Relations::of(documents, threshold)).await;
    related.map(Some).map_err(|error| HarvestError::Lost { what: error.to_string() })
}

/// A document with a body that others may resemble.
fn comparison(facts: DocumentFacts, verdict: &CorpusVerdict) -> Option<Comparable> {
    let answer = facts.answer.filter(|answer| (200..300).contains(&answer.status))?;
    let content = facts.content?;
    // Empty files are all the same, and mean nothing by it.
    let digest = answer.payload_digest.filter(|_| answer.payload_length > 0);
    Some(Comparable {
        request: facts.request,
        url: facts.url,
        at: answer.at,
        kept: verdict.keeping == Keeping::Kept,
        server: facts.server,
        digest,
        structure: content.structure,
        parts: content.parts,
        signature: Vec::new(),
    })
}

fn judge(facts: &DocumentFacts, rules: &CorpusRules, relations: &Relations) -> Document {
    let request = facts.request;
    let duplicate_of = relations.duplicate_of.get(&request).copied();
    let near = relations.near.get(&request).copied();
    let structure = facts.content.as_ref().and_then(|content| content.structure);
    let others = Others {
        duplicate_of: duplicate_of.map(|original| relations.url(original)),
        near: near.map(|(original, similarity)| (relations.url(original), similarity)),
        same_structure: relations.same_structure(facts.server, structure),
    };
    let mut verdict = rules.judge(&Facts {
        url: &facts.url,
        state: facts.state,
        cause: facts.cause.as_ref(),
        is_machinery: facts.hops.serves_the_crawl(),
        answer: facts.answer.as_ref().map(|answer| answer_facts(answer, facts)),
        content: facts.content.as_ref().map(|content| ContentFacts {
            format: content.format,
            trouble: content.trouble.as_deref(),
            language: content.language.as_ref(),
        }),
        others,
    });
    if let Some(status) = facts.answer.as_ref().and_then(|answer| answer.trouble) {
        verdict.reason += &format!("; the newest answer, status {status}, is taken for temporary");
    }
    Document {
        request,
        capture: facts.answer.as_ref().map(|answer| answer.capture),
        content: facts.content.as_ref().map(|content| content.capture),
        verdict,
        duplicate_of,
        near,
        logical: relations.logical.get(&request).copied(),
        gone: facts.gone,
        mirror_path: None,
    }
}

fn answer_facts<'a>(answer: &'a Answer, facts: &DocumentFacts) -> AnswerFacts<'a> {
    let read = facts.content.as_ref().map(|content| content.bytes);
    let declared = answer.content_length.and_then(|length| u64::try_from(length).ok());
    let not_stored = match &answer.body {
        BodyState::Stored { .. } => None,
        BodyState::HeaderOnly { reason } => Some(reason.as_str()),
    };
    let size = match not_stored {
        Some(_) => declared.unwrap_or(answer.payload_length),
        // Of very long bodies only the beginning is read, but the whole of them is counted.
        None if read.is_some_and(|read| read >= DecodeLimits::default().bytes) => {
            read.unwrap_or(0).max(answer.payload_length)
        }
        None => read.unwrap_or(answer.payload_length),
    };
    AnswerFacts {
        status: answer.status,
        port: facts.port,
        media_type: answer.media_type.as_deref(),
        size,
        not_stored,
    }
}

/// Whether a body that was not stored would be now. Pages that were not to be archived never are.
fn may_be_stored(facts: &DocumentFacts, storing: &StoringRules) -> bool {
    let Some(answer) = &facts.answer else { return false };
    let BodyState::HeaderOnly { reason } = &answer.body else { return false };
    if [ASKED_NOT_TO, FOR_ITS_LINKS].contains(&reason.as_str()) {
        return false;
    }
    let url = Url::parse(&facts.url);
    let path = url.as_ref().map_or("", Url::path);
    let length = answer.content_length.and_then(|length| u64::try_from(length).ok());
    storing.refusal(path, answer.media_type.as_deref(), length).is_none()
}
