//! Which documents link to which.
//!
//! Links belong to a stored body and are replaced with what was read out of it. Only links to
//! addresses that are requests of this harvest are kept: these are found by their keys when the
//! links are stored, so a link to an address that becomes known later is noted when its page is read
//! again. Exact copies share one content, and count as one document that links.

use super::statistics::{answered, is_document};
use crate::batch::Batch;
use crate::engine::{Session, Sql};
use crate::{Catalog, CatalogError};
use auslese_model::{CaptureId, RequestId, RequestKey, TargetKind};
use std::collections::BTreeMap;

/// A link of a stored body to an address, which may be a request or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentLink {
    /// The capture that stores the body.
    pub capture: CaptureId,
    pub target: RequestKey,
    pub kind: TargetKind,
    /// The words of the link.
    pub text: Option<String>,
}

/// How a document is linked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkRow {
    pub url: String,
    /// Other documents whose newest content links to it or shows it in a frame.
    pub links_in: u64,
    /// Links on the page itself, to wherever; 0 if its body was not read.
    pub links_out: u64,
}

/// Links `l` between documents as they are now. What a page only embeds is a part of it, and error
/// pages are no documents.
const LINKING: &str = "content_link l WHERE l.kind <> 'embedded' AND EXISTS (SELECT 1 \
    FROM document f WHERE f.content_id = l.capture_id AND f.request_id <> l.request_id \
    AND f.rule <> 'status')";

impl Catalog {
    /// The documents that most others link to.
    pub async fn link_table(&self, limit: usize) -> Result<Vec<LinkRow>, CatalogError> {
        let sql = format!(
            "SELECT r.url, n.links_in, COALESCE(c.links, 0) FROM {} \
             JOIN (SELECT l.request_id AS id, COUNT(*) AS links_in FROM {LINKING} \
             GROUP BY l.request_id) n ON n.id = r.id \
             WHERE {} ORDER BY n.links_in DESC, r.id LIMIT $1",
            answered(),
            is_document(),
        );
        let rows = self.engine.reader().await?.rows(Sql::new(sql).bind(limit)).await?;
        rows.into_iter()
            .map(|mut row| {
                Ok(LinkRow { url: row.text()?, links_in: row.count()?, links_out: row.count()? })
            })
            .collect()
    }

    /// How many other documents link to one; see [`LinkRow::links_in`].
    pub async fn links_in(&self, request: RequestId) -> Result<u64, CatalogError> {
        let sql = Sql::new(links_in_query()).bind(request);
        let row = self.engine.reader().await?.row(sql).await?;
        Ok(row.map_or(Ok(0), |mut row| row.count())?)
    }
}

pub(super) fn links_in_query() -> String {
    format!("SELECT COUNT(*) FROM {LINKING} AND l.request_id = $1")
}

type LinkKey = (CaptureId, [u8; 16]);

/// Two spellings of one request are one link, with the first words there are.
pub(super) async fn insert_links(
    session: &mut Session,
    links: &[ContentLink],
) -> Result<(), CatalogError> {
    let mut unique: BTreeMap<LinkKey, (TargetKind, Option<&str>)> = BTreeMap::new();
    for link in links {
        let (kind, text) = unique.entry((link.capture, link.target.0)).or_insert((link.kind, None));
        *kind = (*kind).min(link.kind);
        *text = text.or(link.text.as_deref());
    }
    let mut batch = Batch::new(
        "WITH v (capture_id, key, kind, text) AS (",
        4,
        ") INSERT INTO content_link (capture_id, request_id, kind, text) \
         SELECT v.capture_id, r.id, v.kind, v.text FROM v JOIN request r ON r.key = v.key",
    );
    for ((capture, key), (kind, text)) in unique {
        batch.push([capture.into(), key.as_slice().into(), kind.as_str().into(), text.into()]);
    }
    batch.run(session).await?;
    Ok(())
}
