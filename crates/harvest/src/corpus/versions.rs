//! What a round has changed: every document that was asked for again is compared with its last
//! version, and the words of the corpus are counted.

use super::bodies::stored_body;
use super::parallel::on_all_cores;
use super::{CorpusStep, CorpusWatching, Pace};
use crate::HarvestError;
use crate::directory::HarvestDir;
use auslese_archive::Holdings;
use auslese_catalog::{
    Catalog, DocumentFilter, RoundId, Version, VersionCapture, VersionChange, VersionFacts,
    WordCounts,
};
use auslese_corpus::{Folding, FrequencyList, Reading, word_diff};
use auslese_model::{CaptureId, Keeping, RequestId, State, Storage};
use auslese_words::tokens;
use std::collections::BTreeMap;
use url::Url;

/// Documents compared at a time; two bodies of each are in memory while they are.
const PAGE: usize = 128;

/// Compares the documents of a round with what was there before, where that was not done yet.
pub(super) async fn compare(
    catalog: &Catalog,
    archive: &Holdings,
    round: RoundId,
    watching: &CorpusWatching,
) -> Result<(), HarvestError> {
    let everything = (RequestId(0), RequestId(i64::MAX));
    compare_between(catalog, archive, round, everything, watching).await
}

/// The same for what is behind a request, up to another.
pub(super) async fn compare_between(
    catalog: &Catalog,
    archive: &Holdings,
    round: RoundId,
    (mut after, until): (RequestId, RequestId),
    watching: &CorpusWatching,
) -> Result<(), HarvestError> {
    let mut pace = Pace::new(CorpusStep::Compare, 0);
    while after < until {
        let mut page = catalog.version_facts(round, after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = last.request;
        let looked_at = page.len();
        page.retain(|facts| !facts.compared && facts.request <= until);
        let texts = texts_of(catalog, archive, &page).await?;
        let versions: Vec<Version> = page
            .iter()
            .filter_map(|facts| {
                let (change, words) = change(facts, &texts)?;
                Some(Version {
                    request: facts.request,
                    round,
                    change,
                    capture: facts.now.as_ref().map(|now| now.capture),
                    previous: facts.before.as_ref().map(|before| before.capture),
                    words,
                })
            })
            .collect();
        catalog.store_versions(&versions).await?;
        pace.step(looked_at, &watching.progress);
        if *watching.stop.borrow() {
            break;
        }
    }
    Ok(())
}

/// The texts of those bodies that have to be compared word by word.
type Texts = BTreeMap<CaptureId, Option<String>>;

async fn texts_of(
    catalog: &Catalog,
    archive: &Holdings,
    page: &[VersionFacts],
) -> Result<Texts, HarvestError> {
    let mut wanted = Vec::new();
    for facts in page {
        if let (Some(now), Some(before)) = (&facts.now, &facts.before)
            && is_document(now)
            && !same_payload(now, before)
        {
            wanted.extend([now.content, before.content].into_iter().flatten());
        }
    }
    wanted.sort_unstable();
    wanted.dedup();
    read_texts(catalog, archive, wanted).await
}

/// The texts of bodies, by the captures that store them; none where there is no text.
pub(super) async fn read_texts(
    catalog: &Catalog,
    archive: &Holdings,
    captures: Vec<CaptureId>,
) -> Result<Texts, HarvestError> {
    let mut stored = Vec::with_capacity(captures.len());
    for capture in captures {
        stored.extend(catalog.capture(capture).await?);
    }
    let reading = archive.clone();
    let texts = on_all_cores(stored, move |stored| {
        let fields = &stored.capture.fields;
        let text = stored_body(&reading, &stored.capture).ok().and_then(|body| {
            let (media_type, charset) = (fields.media_type(), fields.charset());
            let url = Url::parse(&stored.url).ok()?;
            let reading = Reading::of(&body.bytes, media_type.as_deref(), charset.as_deref(), &url);
            let text = reading.texts().collect::<Vec<_>>().join("\n");
            (!text.is_empty()).then_some(text)
        });
        (stored.capture.id, text)
    })
    .await?;
    archive.in_reach()?;
    Ok(texts.into_iter().collect())
}

fn is_document(capture: &VersionCapture) -> bool {
    (200..300).contains(&capture.status)
}

fn same_payload(one: &VersionCapture, other: &VersionCapture) -> bool {
    one.content == other.content && one.content.is_some()
        || one.payload_digest == other.payload_digest && one.payload_digest.is_some()
}

/// What became of a document, and how many of its words changed; nothing for what never was one.
fn change(facts: &VersionFacts, texts: &Texts) -> Option<(VersionChange, Option<WordCounts>)> {
    let Some(now) = &facts.now else {
        return (facts.state == State::Failed).then_some((VersionChange::Error, None));
    };
    let Some(before) = &facts.before else {
        return is_document(now).then_some((VersionChange::New, None));
    };
    match now.status {
        304 => Some((VersionChange::Unchanged, None)),
        404 | 410 => Some((VersionChange::Vanished, None)),
        200..300 if same_payload(now, before) => Some((VersionChange::Unchanged, None)),
        200..300 => {
            let text = |capture: &VersionCapture| texts.get(&capture.content?)?.as_deref();
            Some(match (text(before), text(now)) {
                (Some(old), Some(new)) => by_words(old, new),
                _ => (VersionChange::Changed, None),
            })
        }
        _ => Some((VersionChange::Error, None)),
    }
}

fn by_words(old: &str, new: &str) -> (VersionChange, Option<WordCounts>) {
    let diff = word_diff(old, new);
    let words = WordCounts {
        added: diff.added as u64,
        removed: diff.removed as u64,
        kept: diff.kept as u64,
    };
    let change = if diff.has_changes() { VersionChange::Changed } else { VersionChange::Markup };
    (change, Some(words))
}

/// Counts the words of the corpus as it is now, for the newest round.
pub(super) async fn count_words(
    catalog: &Catalog,
    archive: &Holdings,
    round: RoundId,
    watching: &CorpusWatching,
) -> Result<(), HarvestError> {
    let filter = DocumentFilter { keeping: Some(Keeping::Kept), ..DocumentFilter::default() };
    let mut pace = Pace::new(CorpusStep::Count, catalog.count_documents(&filter).await?);
    let mut list = FrequencyList::new(Folding::AsWritten);
    let mut after = RequestId(0);
    loop {
        let page = catalog.documents(&filter, after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = last.document.request;
        let captures = page.iter().filter_map(|listed| listed.document.content).collect();
        for text in read_texts(catalog, archive, captures).await?.into_values().flatten() {
            list.count(tokens(&text));
        }
        pace.step(page.len(), &watching.progress);
        if *watching.stop.borrow() {
            return Ok(());
        }
    }
    let words: Vec<(String, u64)> =
        list.top(usize::MAX).into_iter().map(|(word, count)| (word.to_owned(), count)).collect();
    catalog.store_round_words(round, &words).await?;
    Ok(())
}

/// The text of a document as it was captured; none if it has none, or its body is not stored.
pub async fn stored_text(
    dir: &HarvestDir,
    catalog: &Catalog,
    capture: CaptureId,
) -> Result<Option<String>, HarvestError> {
    let Some(stored) = catalog.capture(capture).await? else { return Ok(None) };
    let storing = match stored.capture.storage {
        Storage::Stored(_) => capture,
        Storage::Revisit { original, .. } => original,
        Storage::HeaderOnly { .. } => return Ok(None),
    };
    let mut texts = read_texts(catalog, &dir.holdings(), vec![storing]).await?;
    Ok(texts.remove(&storing).flatten())
}
