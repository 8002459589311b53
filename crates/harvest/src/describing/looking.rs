//! One document of a harvest as the describing stage sees it, for whoever wants to look at it alone.

use super::describer::ReadDocument;
use super::surroundings::Surroundings;
use crate::HarvestError;
use crate::corpus::stored_body;
use crate::directory::HarvestDir;
use auslese_catalog::{Catalog, Describable, StoredCapture};
use auslese_crawl::CanonicalRules;
use auslese_describe::{Around, page_to_describe};
use auslese_markup::Page;
use auslese_model::CaptureId;
use auslese_reader::Readers;
use std::collections::BTreeMap;

/// A document of a harvest with all that surrounds it.
#[derive(Debug)]
pub struct HarvestedDocument {
    pub kind: Describable,
    pub page: Page,
    /// The text of a paper.
    pub text: Option<String>,
    pub around: Around,
    /// Why the page is not all of the document, or not as its author made it, if so.
    pub trouble: Option<String>,
}

/// What the describing stage sees of one capture.
pub async fn document_of_harvest(
    dir: &HarvestDir,
    catalog: &Catalog,
    capture: CaptureId,
    canonical: &CanonicalRules,
    institutions: &BTreeMap<String, String>,
    readers: &Readers,
) -> Result<HarvestedDocument, HarvestError> {
    let (stored, kind) = stored_document(catalog, capture).await?;
    let kind = kind.ok_or_else(|| gone(capture, "it is neither a web page nor a paper"))?;
    let read = ReadDocument::of(&dir.holdings(), &stored, kind, readers);
    let ReadDocument { page, text, trouble } = read.map_err(|why| gone(capture, &why))?;
    let mut surroundings = Surroundings::new(dir.holdings(), canonical, institutions);
    let around = surroundings.look(catalog, &[stored]).await?.pop().unwrap_or_default();
    Ok(HarvestedDocument { kind, page, text, around, trouble })
}

/// The web page that a capture stores, or why it cannot be had.
pub async fn stored_page(
    dir: &HarvestDir,
    catalog: &Catalog,
    capture: CaptureId,
) -> Result<(StoredCapture, Page), HarvestError> {
    let (stored, kind) = stored_document(catalog, capture).await?;
    if kind != Some(Describable::Pages) {
        return Err(gone(capture, "it is no web page"));
    }
    let body = stored_body(&dir.holdings(), &stored.capture).map_err(|why| gone(capture, &why))?;
    let (page, _) = page_to_describe(&body.bytes, stored.capture.fields.charset().as_deref());
    Ok((stored, page))
}

/// A stored document, and whether it is described by reading it.
pub(super) async fn stored_document(
    catalog: &Catalog,
    capture: CaptureId,
) -> Result<(StoredCapture, Option<Describable>), HarvestError> {
    let stored = catalog.capture(capture).await?;
    let stored = stored.ok_or_else(|| gone(capture, "the catalog does not know it"))?;
    let read_out = catalog.content(capture).await?.map(|content| content.format);
    let kind = Describable::of(read_out, stored.capture.fields.media_type().as_deref());
    Ok((stored, kind))
}

fn gone(capture: CaptureId, why: &str) -> HarvestError {
    HarvestError::NoPage { capture: capture.0, why: why.to_owned() }
}
