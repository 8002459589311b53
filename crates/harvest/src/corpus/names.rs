//! The names that the documents of a harvest give away; see [`NameCollector`].
//!
//! Only documents in the language of the word list are asked: in others every second word is
//! unknown.

use super::versions::read_texts;
use crate::HarvestError;
use crate::directory::HarvestDir;
use auslese_catalog::{Catalog, DocumentFilter};
use auslese_corpus::language::{FoundName, NameCollector, Recogniser};
use auslese_model::{CaptureId, RequestId};

/// Documents whose texts are in memory at a time.
const PAGE: usize = 256;

/// Collects names from all judged documents, in the corpus or not; copies count once.
pub async fn collect_names(
    dir: &HarvestDir,
    catalog: &Catalog,
    recogniser: &Recogniser,
) -> Result<Vec<FoundName>, HarvestError> {
    let language = Some(recogniser.settings().language.clone());
    let filter = DocumentFilter { language, ..DocumentFilter::default() };
    let mut collector = NameCollector::new(recogniser);
    let mut after = RequestId(0);
    loop {
        let page = catalog.documents(&filter, after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(collector.finish()) };
        after = last.document.request;
        let originals = page.iter().filter(|listed| listed.document.duplicate_of.is_none());
        let captures: Vec<CaptureId> =
            originals.filter_map(|listed| listed.document.content).collect();
        let texts = read_texts(catalog, &dir.holdings(), captures).await?;
        // Lines are headings, cells, paragraphs: each begins anew.
        for line in texts.values().flatten().flat_map(|text| text.lines()) {
            collector.watch(line);
        }
    }
}
