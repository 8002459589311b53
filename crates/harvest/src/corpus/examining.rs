//! Reads out stored bodies on all cores, page by page: while one page is read out, the next one is
//! asked for and the last one stored.

use super::anchors::Anchors;
use super::bodies::stored_body;
use super::parallel::on_all_cores;
use super::{CorpusStep, CorpusWatching, Pace};
use crate::HarvestError;
use crate::papers::is_paper;
use auslese_archive::Holdings;
use auslese_catalog::{Catalog, CatalogError, ContentLink, StoredCapture};
use auslese_corpus::language::{Hints, Recogniser};
use auslese_corpus::{Reading, Target, examine as content_of, signature};
use auslese_crawl::{CanonicalRules, canonical};
use auslese_model::{CaptureId, Confidence, Content, Format, Method, RequestKey, Timestamp};
use auslese_words::tokens;
use serde::{Deserialize, Serialize};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use url::Url;

/// Newer than any reader: nothing counts as read.
pub(super) const AGAIN: u32 = u32::MAX >> 1;
/// Older than any reader: what was read out is not final, and is read again if this run ends early.
pub(super) const UNSETTLED: u32 = 0;
/// Bodies in a page: enough to keep all cores busy, few enough to lose.
const PAGE: usize = 256;

/// What other documents say about one; it counts where a text is too short to speak for itself.
#[derive(Debug, Clone, Default)]
pub(super) struct Around {
    pub(super) anchor_texts: Vec<String>,
    pub(super) site_language: Option<String>,
}

/// What the pass over all bodies brought.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Examined {
    pub(super) bodies: u64,
    /// Those whose text is too short to be sure of its language.
    pub(super) short: u64,
}

impl Examined {
    pub(super) fn add(&mut self, other: Examined) {
        self.bodies += other.bodies;
        self.short += other.short;
    }
}

/// What was read out of one body.
#[derive(Debug)]
pub(super) struct ReadOut {
    pub(super) content: Content,
    links: Vec<ContentLink>,
}

/// Stores what was read out, whole or not at all.
pub(super) async fn store(catalog: &Catalog, read: Vec<ReadOut>) -> Result<(), CatalogError> {
    let (contents, links): (Vec<Content>, Vec<Vec<ContentLink>>) =
        read.into_iter().map(|read| (read.content, read.links)).unzip();
    catalog.store_contents(&contents, &links.concat()).await
}

/// Reads out one body.
#[derive(Debug)]
pub(super) struct Examiner {
    pub(super) archive: Holdings,
    pub(super) anchors: Anchors,
    recogniser: Recogniser,
    /// When two addresses count as the same.
    canonical: CanonicalRules,
}

impl Examiner {
    pub(super) fn new(
        archive: Holdings,
        recogniser: Recogniser,
        canonical: CanonicalRules,
    ) -> Examiner {
        Examiner { archive, anchors: Anchors::default(), recogniser, canonical }
    }

    /// What a body says. Whatever is wrong with it is part of the answer.
    pub(super) fn examine(&self, stored: &StoredCapture, around: &Around) -> ReadOut {
        let attempt = catch_unwind(AssertUnwindSafe(|| self.read(stored, around)));
        attempt.unwrap_or_else(|_| self.unreadable(stored, "the program failed on this document"))
    }

    fn read(&self, stored: &StoredCapture, around: &Around) -> ReadOut {
        let body = match stored_body(&self.archive, &stored.capture) {
            Ok(body) => body,
            Err(why) => return self.unreadable(stored, &why),
        };
        let fields = &stored.capture.fields;
        let (media_type, charset) = (fields.media_type(), fields.charset());
        let Ok(url) = Url::parse(&stored.url) else {
            return self.unreadable(stored, "its address cannot be read");
        };
        let mut reading = Reading::of(&body.bytes, media_type.as_deref(), charset.as_deref(), &url);
        if matches!(reading.format, Format::Binary | Format::Text)
            && is_paper(&body.bytes, url.path(), media_type.as_deref())
        {
            reading = reading.as_paper();
        }
        let troubles: Vec<String> =
            body.troubles.into_iter().chain(reading.trouble.take()).collect();
        reading.trouble = (!troubles.is_empty()).then(|| troubles.join("; "));
        let links = self.links(stored.capture.id, std::mem::take(&mut reading.targets));
        let blocks: Vec<&str> = reading.texts().collect();
        let anchors: Vec<&str> = around.anchor_texts.iter().map(String::as_str).collect();
        let hints = Hints {
            html_lang: reading.html_lang.as_deref(),
            content_language: fields.content_language.as_deref(),
            anchor_texts: &anchors,
            site_language: around.site_language.as_deref(),
        };
        let has_text = !blocks.is_empty();
        let language = has_text.then(|| self.recogniser.recognise(&blocks, &hints));
        let signature = signature(blocks.iter().flat_map(|block| tokens(block)));
        let (capture, now) = (stored.capture.id, Timestamp::now());
        ReadOut { content: content_of(reading, language, signature, capture, now), links }
    }

    fn links(&self, capture: CaptureId, targets: Vec<Target>) -> Vec<ContentLink> {
        targets
            .into_iter()
            .map(|target| ContentLink {
                capture,
                target: RequestKey::new(Method::Get, &canonical(&target.url, &self.canonical), &[]),
                kind: target.kind,
                text: target.text,
            })
            .collect()
    }

    fn unreadable(&self, stored: &StoredCapture, why: &str) -> ReadOut {
        let (reading, capture) = (Reading::unreadable(why), stored.capture.id);
        let content = content_of(reading, None, Vec::new(), capture, Timestamp::now());
        ReadOut { content, links: Vec::new() }
    }
}

/// Reads out everything that no reader of this version has.
pub(super) async fn examine(
    examiner: &Arc<Examiner>,
    catalog: &Catalog,
    reader: u32,
    watching: &CorpusWatching,
) -> Result<Examined, HarvestError> {
    let mut examined = Examined::default();
    let of = catalog.count_missing_contents(reader).await?;
    let mut pace = Pace::new(CorpusStep::Examine, of);
    let mut page = catalog.contents_missing(CaptureId(0), PAGE, reader).await?;
    while let Some(last) = page.last()
        && !*watching.stop.borrow()
    {
        let (after, count) = (last.capture.id, page.len());
        let (read, next) = tokio::join!(
            examine_batch(examiner, catalog, page),
            catalog.contents_missing(after, PAGE, reader)
        );
        examined.add(read?);
        page = next?;
        pace.step(count, &watching.progress);
    }
    Ok(examined)
}

/// Reads out and stores some bodies; with what is stored, the batch is done.
pub(super) async fn examine_batch(
    examiner: &Arc<Examiner>,
    catalog: &Catalog,
    bodies: Vec<StoredCapture>,
) -> Result<Examined, HarvestError> {
    let mut examined = Examined { bodies: bodies.len() as u64, short: 0 };
    let (examiner, archive) = (examiner.clone(), &examiner.archive);
    let read = on_all_cores(bodies, move |stored| examiner.examine(stored, &Around::default()));
    let mut read = read.await?;
    archive.in_reach()?;
    for content in read.iter_mut().map(|read| &mut read.content).filter(|it| is_short(it)) {
        content.reader = UNSETTLED;
        examined.short += 1;
    }
    let result = serde_json::to_string(&examined).expect("two numbers are JSON");
    store(&catalog.and_finish(&result), read).await?;
    Ok(examined)
}

fn is_short(content: &Content) -> bool {
    content.language.as_ref().is_some_and(|note| note.confidence == Confidence::Low)
}
