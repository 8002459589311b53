//! What other rules would make of the corpus, without changing anything: the same judging as the stage does, compared
//! with what is stored.

use super::choosing::Judging;
use super::{CorpusProgress, CorpusWatching};
use crate::HarvestError;
use crate::job::StoringRules;
use auslese_catalog::{Catalog, DocumentFilter, ListedDocument};
use auslese_corpus::{CorpusRules, READER};
use auslese_model::{CorpusRule, CorpusVerdict, Keeping, RequestId};
use std::collections::BTreeMap;
use tokio::sync::watch;

/// Documents read at a time.
const PAGE: usize = 2_000;

/// What the corpus would be by some rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CorpusPreview {
    /// All documents by what would become of them and why, as the stage would report.
    pub rules: BTreeMap<(Keeping, CorpusRule), u64>,
    /// Documents that would be judged otherwise than they are.
    pub changes: BTreeMap<VerdictChange, ChangedDocuments>,
    /// Archived bodies that were not read out yet. The stage reads them first, so what becomes of these is not known.
    pub unread: u64,
}

/// From one verdict to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct VerdictChange {
    /// None if it was not judged yet.
    pub from: Option<(Keeping, CorpusRule)>,
    pub to: (Keeping, CorpusRule),
}

/// Documents with the same change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangedDocuments {
    pub count: u64,
    /// The first of them, at most [`CorpusPreview::EXAMPLES`].
    pub examples: Vec<ChangedDocument>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedDocument {
    pub request: RequestId,
    pub url: String,
    /// Why it would be judged so.
    pub reason: String,
}

impl CorpusPreview {
    /// Examples of each change.
    pub const EXAMPLES: usize = 5;

    pub fn with(&self, keeping: Keeping) -> u64 {
        let rules = self.rules.iter().filter(|((known, _), _)| *known == keeping);
        rules.map(|(_, count)| count).sum()
    }

    /// Documents that would be kept and are not, or the other way round.
    pub fn changed(&self, is_wanted: impl Fn(VerdictChange) -> bool) -> u64 {
        let changes = self.changes.iter().filter(|(change, _)| is_wanted(**change));
        changes.map(|(_, documents)| documents.count).sum()
    }
}

impl VerdictChange {
    pub fn was_kept(self) -> bool {
        self.from.is_some_and(|(keeping, _)| keeping == Keeping::Kept)
    }

    pub fn becomes_kept(self) -> bool {
        self.to.0 == Keeping::Kept
    }
}

/// Judges all documents by some rules and compares with what is stored.
pub async fn preview_corpus(
    catalog: &Catalog,
    rules: &CorpusRules,
    storing: &StoringRules,
) -> Result<CorpusPreview, HarvestError> {
    let (progress, _) = watch::channel(CorpusProgress::default());
    let (_stop, stop) = watch::channel(false);
    let watching = CorpusWatching { progress, stop };
    let mut preview = CorpusPreview {
        unread: catalog.count_missing_contents(READER).await?,
        ..CorpusPreview::default()
    };
    let Some(mut judging) = Judging::begin(catalog, rules, storing, &watching).await? else {
        return Ok(preview);
    };
    let mut stored = StoredVerdicts::of(catalog);
    while let Some(page) = judging.next().await? {
        for judged in page {
            let verdict = judged.document.verdict;
            let to = (verdict.keeping, verdict.rule);
            *preview.rules.entry(to).or_default() += 1;
            let known = stored.of_request(judged.document.request).await?;
            let from = known.map(|it| (it.keeping, it.rule));
            if from != Some(to) {
                let changed = preview.changes.entry(VerdictChange { from, to }).or_default();
                changed.count += 1;
                if changed.examples.len() < CorpusPreview::EXAMPLES {
                    let (request, url) = (judged.document.request, judged.url);
                    let reason = verdict.reason;
                    changed.examples.push(ChangedDocument { request, url, reason });
                }
            }
        }
    }
    Ok(preview)
}

/// The verdicts that are stored, read along with the documents that are judged: both come by number.
struct StoredVerdicts {
    catalog: Catalog,
    page: std::vec::IntoIter<ListedDocument>,
    next: Option<ListedDocument>,
    last: RequestId,
    is_over: bool,
}

impl StoredVerdicts {
    fn of(catalog: &Catalog) -> StoredVerdicts {
        StoredVerdicts {
            catalog: catalog.clone(),
            page: Vec::new().into_iter(),
            next: None,
            last: RequestId(0),
            is_over: false,
        }
    }

    /// The verdict on a request; requests are asked for in the order of their numbers.
    async fn of_request(
        &mut self,
        request: RequestId,
    ) -> Result<Option<CorpusVerdict>, HarvestError> {
        loop {
            if self.next.is_none() {
                self.next = self.page.next();
            }
            match &self.next {
                Some(next) if next.document.request < request => self.next = None,
                Some(next) if next.document.request == request => {
                    return Ok(self.next.take().map(|it| it.document.verdict));
                }
                Some(_) => return Ok(None),
                None if self.is_over => return Ok(None),
                None => {
                    let all = DocumentFilter::default();
                    let page = self.catalog.documents(&all, self.last, PAGE).await?;
                    match page.last() {
                        Some(last) => self.last = last.document.request,
                        None => self.is_over = true,
                    }
                    self.page = page.into_iter();
                }
            }
        }
    }
}
