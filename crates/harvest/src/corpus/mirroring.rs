//! Brings the mirror up to date with the corpus: kept documents as plain files.

use super::bodies::stored_body;
use super::redirects::Redirects;
use super::{CorpusStep, CorpusWatching, Pace};
use crate::HarvestError;
use crate::directory::HarvestDir;
use auslese_catalog::{Catalog, DocumentFilter, StoredCapture};
use auslese_corpus::{CharsetNote, MirrorDocument, MirrorReport, MirrorWriter};
use auslese_crawl::CanonicalRules;
use auslese_model::{Keeping, Method, RequestId};
use rustc_hash::FxHashMap;
use std::io;
use url::Url;

/// Documents asked for at a time.
const PAGE: usize = 1_000;

/// How documents are written.
#[derive(Debug, Clone, Copy)]
pub(super) struct MirrorStyle<'a> {
    pub(super) charset: CharsetNote,
    /// Says which addresses are the same, for links through redirects.
    pub(super) canonical: &'a CanonicalRules,
}

/// Writes what is new or changed, and takes away what is no longer kept.
pub(super) async fn mirror(
    dir: &HarvestDir,
    catalog: &Catalog,
    style: MirrorStyle<'_>,
    watching: &CorpusWatching,
) -> Result<MirrorReport, HarvestError> {
    let charset = style.charset;
    let mut wanted = wanted(catalog).await?;
    let redirects = Redirects::read(catalog, style.canonical).await?;
    redirects.name_aliases(wanted.iter_mut().map(|(_, document, _)| document));
    drop(redirects);
    let mut paths: Vec<(RequestId, Option<String>)> = wanted
        .iter()
        .map(|(request, document, _)| {
            (*request, document.path().map(|path| path.as_str().to_owned()))
        })
        .collect();
    let (root, archive) = (dir.mirror(), dir.holdings());
    let asked = archive.clone();
    let (progress, stop) = (watching.progress.clone(), watching.stop.clone());
    let written = tokio::task::spawn_blocking(move || {
        let mut documents = Vec::with_capacity(wanted.len());
        let mut captures = FxHashMap::default();
        for (_, document, stored) in wanted {
            captures.insert(document.capture, stored);
            documents.push(document);
        }
        let mut pace = Pace::new(CorpusStep::Mirror, documents.len() as u64);
        let mut body = |document: &MirrorDocument| {
            if *stop.borrow() {
                return Err(io::ErrorKind::Interrupted.into());
            }
            pace.step(1, &progress);
            let stored = captures.get(&document.capture).ok_or(io::ErrorKind::NotFound)?;
            let body = stored_body(&archive, &stored.capture).map_err(io::Error::other)?;
            match body.cut {
                // Half a document under its whole name would deceive whoever works with the files.
                Some(why) => Err(io::Error::other(format!("too long to be unpacked: {why}"))),
                None => Ok(body.bytes),
            }
        };
        MirrorWriter::open(&root, charset)?.update(&documents, &mut body)
    });
    let report =
        written.await.map_err(|error| HarvestError::Lost { what: error.to_string() })??;
    asked.in_reach()?;
    if report.failed > 0 {
        let root = dir.mirror();
        let is_there = |path: &String| root.join(path).is_file();
        paths.iter_mut().for_each(|(_, path)| *path = path.take().filter(is_there));
    }
    catalog.set_mirror_paths(&paths).await?;
    forget_removed(catalog).await?;
    Ok(report)
}

type Wanted = (RequestId, MirrorDocument, StoredCapture);

/// The kept documents, originals before their copies.
async fn wanted(catalog: &Catalog) -> Result<Vec<Wanted>, HarvestError> {
    let filter = DocumentFilter { keeping: Some(Keeping::Kept), ..DocumentFilter::default() };
    let (mut originals, mut copies) = (Vec::new(), Vec::new());
    let mut after = RequestId(0);
    loop {
        let page = catalog.documents(&filter, after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = last.document.request;
        for listed in page {
            let document = &listed.document;
            let (Some(content), Ok(url)) = (document.content, Url::parse(&listed.url)) else {
                continue;
            };
            let Some(stored) = catalog.capture(content).await? else { continue };
            let Some(digest) = stored.capture.payload_digest.clone() else { continue };
            let fields = &stored.capture.fields;
            let mirrored = MirrorDocument {
                url,
                request: (listed.method != Method::Get).then_some(listed.key.0),
                capture: content,
                digest,
                media_type: fields.media_type(),
                charset: fields.charset(),
                aliases: Vec::new(),
            };
            let list = if document.duplicate_of.is_some() { &mut copies } else { &mut originals };
            list.push((document.request, mirrored, stored));
        }
    }
    originals.append(&mut copies);
    Ok(originals)
}

/// What is not kept any more has no file any more.
async fn forget_removed(catalog: &Catalog) -> Result<(), HarvestError> {
    let filter = DocumentFilter { mirrored: Some(true), ..DocumentFilter::default() };
    let mut after = RequestId(0);
    loop {
        let page = catalog.documents(&filter, after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(()) };
        after = last.document.request;
        let gone: Vec<(RequestId, Option<String>)> = page
            .iter()
            .filter(|listed| listed.document.verdict.keeping != Keeping::Kept)
            .map(|listed| (listed.document.request, None))
            .collect();
        catalog.set_mirror_paths(&gone).await?;
    }
}
