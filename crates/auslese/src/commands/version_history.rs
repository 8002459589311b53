//! All versions of a document, in the order of time.
//!
//! What a round found was noted when it was compared. Beside that there are captures no round was
//! compared by: several that came with one import, or those of a round that another one followed before
//! the corpus was brought up to date. They are compared here, each with the document before it, so that
//! no capture of the archive is passed over in silence.

use super::catalog_access::catalog_failure;
use super::crawl::harvest_failure;
use crate::messages::Failure;
use auslese_catalog::{Catalog, DatedVersion, StoredCapture, VersionChange, WordCounts};
use auslese_corpus::{WordDiff, word_diff};
use auslese_harvest::{HarvestDir, stored_text};
use auslese_model::{Capture, CaptureId, RequestId, Storage, Timestamp};
use std::collections::BTreeMap;

/// A version with what changed since the one before.
pub(super) struct Shown {
    /// None for a capture that no round was compared by.
    pub(super) round: Option<i64>,
    /// None if no answer came.
    pub(super) at: Option<Timestamp>,
    pub(super) status: Option<u16>,
    pub(super) change: VersionChange,
    pub(super) words: Option<WordCounts>,
    /// None where no words have changed.
    pub(super) diff: Option<WordDiff>,
    /// Its place in the order.
    when: Timestamp,
}

/// Where versions are looked for.
pub(super) struct History<'a> {
    pub(super) catalog: &'a Catalog,
    pub(super) dir: &'a HarvestDir,
}

impl History<'_> {
    pub(super) async fn of(&self, request: RequestId) -> Result<Vec<Shown>, Failure> {
        let captures = self.catalog.captures_of_request(request).await.map_err(catalog_failure)?;
        let mut shown = Vec::new();
        let mut noted: BTreeMap<CaptureId, DatedVersion> = BTreeMap::new();
        for version in self.catalog.versions_of(request).await.map_err(catalog_failure)? {
            match version.version.capture {
                Some(capture) => drop(noted.insert(capture, version)),
                None => shown.push(as_noted(&version, None)),
            }
        }
        let mut before: Option<Capture> = None;
        for StoredCapture { capture, .. } in captures {
            match noted.remove(&capture.id) {
                // New to its round, but the archive has an older one.
                Some(version) if version.version.previous.is_some() || before.is_none() => {
                    shown.push(as_noted(&version, self.noted_diff(&version).await?));
                }
                version => {
                    let round = version.map(|version| version.version.round.0);
                    shown.extend(self.compared(&capture, before.as_ref(), round).await?);
                }
            }
            if (200..300).contains(&capture.status) {
                before = Some(capture);
            }
        }
        shown.sort_by_key(|shown| shown.when);
        Ok(shown)
    }

    /// The changed words of a version, where both texts can be had.
    async fn noted_diff(&self, version: &DatedVersion) -> Result<Option<WordDiff>, Failure> {
        let words = version.version.words.filter(|words| words.added + words.removed > 0);
        match (version.version.capture, version.version.previous, words) {
            (Some(now), Some(before), Some(_)) => {
                let (old, new) = (self.text(before).await?, self.text(now).await?);
                Ok(Some(word_diff(&old.unwrap_or_default(), &new.unwrap_or_default())))
            }
            _ => Ok(None),
        }
    }

    /// A capture and the document before it; none if nobody can say what it was.
    async fn compared(
        &self,
        capture: &Capture,
        before: Option<&Capture>,
        round: Option<i64>,
    ) -> Result<Option<Shown>, Failure> {
        let is_document = (200..300).contains(&capture.status) || capture.status == 304;
        let mut shown = Shown {
            round,
            at: Some(capture.at),
            status: Some(capture.status),
            change: VersionChange::Unchanged,
            words: None,
            diff: None,
            when: capture.at,
        };
        shown.change = match (before, capture.status) {
            (None, _) if is_document => VersionChange::New,
            (None, _) => return Ok(None),
            (Some(_), 404 | 410) => VersionChange::Vanished,
            (Some(_), _) if !is_document => VersionChange::Error,
            (Some(before), _) if have_one_body(capture, before) => VersionChange::Unchanged,
            (Some(before), _) => {
                let texts = (self.text(before.id).await?, self.text(capture.id).await?);
                shown.diff = match texts {
                    (Some(old), Some(new)) => Some(word_diff(&old, &new)),
                    _ => None,
                };
                shown.words = shown.diff.as_ref().map(counts);
                shown.diff = shown.diff.filter(|diff| diff.added + diff.removed > 0);
                match (&shown.words, &shown.diff) {
                    (Some(_), None) => VersionChange::Markup,
                    _ => VersionChange::Changed,
                }
            }
        };
        Ok(Some(shown))
    }

    async fn text(&self, capture: CaptureId) -> Result<Option<String>, Failure> {
        stored_text(self.dir, self.catalog, capture).await.map_err(harvest_failure)
    }
}

fn as_noted(version: &DatedVersion, diff: Option<WordDiff>) -> Shown {
    Shown {
        round: Some(version.version.round.0),
        at: version.at,
        status: version.status,
        change: version.version.change,
        words: version.version.words,
        diff,
        when: version.at.unwrap_or(version.round_started),
    }
}

fn counts(diff: &WordDiff) -> WordCounts {
    WordCounts { added: diff.added as u64, removed: diff.removed as u64, kept: diff.kept as u64 }
}

/// Whether two captures are of the same bytes, as far as the catalog can tell.
fn have_one_body(one: &Capture, other: &Capture) -> bool {
    let body = |capture: &Capture| match &capture.storage {
        Storage::Revisit { original, .. } => *original,
        Storage::Stored(_) | Storage::HeaderOnly { .. } => capture.id,
    };
    body(one) == body(other)
        || one.payload_digest.is_some() && one.payload_digest == other.payload_digest
}
