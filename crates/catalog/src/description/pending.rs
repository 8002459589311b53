//! What is still to be described: stored bodies that are web pages or papers, by server and in all.
//!
//! A body is a page or a paper if it was read as one, whatever its header says; a body that was not
//! read yet, by its media type. It is described if it was ever a server's answer proper: a body that
//! was first sent with an error may come again as the revisit of a document.

use crate::engine::Sql;
use crate::header::{CAPTURE_COLUMNS, StoredCapture, read_capture};
use crate::lookup::{AT_ONCE, filled, places};
use crate::{Catalog, CatalogError};
use auslese_model::{CaptureId, Format, RequestId, RunId, ServerId};
use std::collections::BTreeSet;

/// What is described, each in its own way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Describable {
    /// Web pages.
    Pages,
    /// Documents made of pages, such as PDF.
    Papers,
}

impl Describable {
    const ALL: [Describable; 2] = [Describable::Pages, Describable::Papers];

    /// What a stored body is: as it was read out, or by its media type where it was not yet.
    pub fn of(read_out: Option<Format>, media_type: Option<&str>) -> Option<Describable> {
        Describable::ALL.into_iter().find(|kind| match read_out {
            Some(format) => format == kind.format(),
            None => media_type.is_some_and(|name| kind.media_types().contains(&name)),
        })
    }

    fn format(self) -> Format {
        match self {
            Describable::Pages => Format::Html,
            Describable::Papers => Format::Paper,
        }
    }

    fn media_types(self) -> &'static [&'static str] {
        match self {
            Describable::Pages => &["text/html", "application/xhtml+xml"],
            Describable::Papers => &PAPER_TYPES,
        }
    }

    /// Stored bodies `p` of documents of this kind.
    fn bodies(self) -> String {
        let (format, media_types) = (self.format().as_str(), self.media_types().join("', '"));
        format!(
            "http_header p LEFT JOIN content c ON c.capture_id = p.id \
             WHERE p.storage = 'stored' AND (c.format = '{format}' OR c.capture_id IS NULL \
             AND p.media_type IN ('{media_types}')) \
             AND (p.status BETWEEN 200 AND 299 OR EXISTS (SELECT 1 FROM http_header v \
             WHERE v.original_id = p.id AND v.status BETWEEN 200 AND 299))"
        )
    }
}

/// Media types that name documents made of pages, and nothing else.
const PAPER_TYPES: [&str; 8] = [
    "application/pdf",
    "application/x-pdf",
    "application/postscript",
    "application/msword",
    "application/rtf",
    "text/rtf",
    "application/vnd.oasis.opendocument.text",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
];

const UNDESCRIBED: &str = "NOT EXISTS (SELECT 1 FROM description d \
    WHERE d.run_id = $1 AND d.capture_id = p.id)";

/// A server that has pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerPages {
    pub server: ServerId,
    pub pages: u64,
}

impl Catalog {
    /// The next documents of a kind after the one given, by number, that a run has not described.
    /// `CaptureId(0)` begins; an empty page ends.
    pub async fn to_describe(
        &self,
        run: RunId,
        kind: Describable,
        after: CaptureId,
        limit: usize,
    ) -> Result<Vec<StoredCapture>, CatalogError> {
        self.stored(Sql::new(pending_page(kind)).bind(run).bind(after).bind(limit)).await
    }

    /// How many documents of a kind a run has not described.
    pub async fn count_to_describe(
        &self,
        run: RunId,
        kind: Describable,
    ) -> Result<u64, CatalogError> {
        let sql = format!("SELECT COUNT(*) FROM {} AND {UNDESCRIBED}", kind.bodies());
        let row = self.engine.reader().await?.row(Sql::new(sql).bind(run)).await?;
        Ok(row.map_or(Ok(0), |mut row| row.count())?)
    }

    /// Of the documents of a kind that some requests have brought, the newest of each: what is said about a
    /// request is said by that one.
    pub async fn newest_bodies(
        &self,
        kind: Describable,
        requests: &[RequestId],
    ) -> Result<BTreeSet<CaptureId>, CatalogError> {
        let sql = newest_query(kind);
        let mut session = self.engine.reader().await?;
        let mut newest = BTreeSet::new();
        for some in requests.chunks(AT_ONCE) {
            let asked = filled(&sql, some.iter().map(|request| (*request).into()));
            for mut row in session.rows(asked).await? {
                newest.insert(CaptureId(row.number()?));
            }
        }
        Ok(newest)
    }

    /// The servers that have pages, and how many, by number of the server.
    pub async fn servers_to_describe(&self) -> Result<Vec<ServerPages>, CatalogError> {
        let sql = format!(
            "SELECT p.server_id, COUNT(*) FROM {} GROUP BY p.server_id ORDER BY p.server_id",
            Describable::Pages.bodies()
        );
        let rows = self.engine.reader().await?.rows(Sql::new(sql)).await?;
        rows.into_iter()
            .map(|mut row| Ok(ServerPages { server: ServerId(row.number()?), pages: row.count()? }))
            .collect()
    }

    /// Up to `limit` pages of a server, spread evenly over all of them in the order they were
    /// stored; the same ones every time.
    pub async fn server_samples(
        &self,
        server: ServerId,
        limit: usize,
    ) -> Result<Vec<StoredCapture>, CatalogError> {
        self.stored(Sql::new(samples_page()).bind(server).bind(limit)).await
    }

    async fn stored(&self, sql: Sql) -> Result<Vec<StoredCapture>, CatalogError> {
        let rows = self.engine.reader().await?.rows(sql).await?;
        rows.into_iter().map(|mut row| read_capture(&mut row)).collect()
    }
}

/// The numbers of documents of a kind that run $1 has not described.
pub(crate) fn undescribed(kind: Describable) -> String {
    format!("SELECT p.id FROM {} AND {UNDESCRIBED}", kind.bodies())
}

pub(super) fn newest_query(kind: Describable) -> String {
    format!(
        "SELECT MAX(p.id) FROM {} AND p.request_id IN ({}) GROUP BY p.request_id",
        kind.bodies(),
        places(1)
    )
}

pub(super) fn pending_page(kind: Describable) -> String {
    captures_of(&format!(
        "SELECT p.id FROM {} AND {UNDESCRIBED} AND p.id > $2 ORDER BY p.id LIMIT $3",
        kind.bodies()
    ))
}

/// Of n pages, those at which the count of the pages taken so far grows when it is kept as near
/// as possible to its share.
pub(super) fn samples_page() -> String {
    captures_of(&format!(
        "SELECT id FROM (SELECT p.id, ROW_NUMBER() OVER (ORDER BY p.id) AS place, \
         COUNT(*) OVER () AS pages FROM {} AND p.server_id = $1) n \
         WHERE place * $2 / pages > (place - 1) * $2 / pages",
        Describable::Pages.bodies()
    ))
}

fn captures_of(numbers: &str) -> String {
    format!(
        "SELECT {CAPTURE_COLUMNS} FROM ({numbers}) m JOIN http_header h ON h.id = m.id \
         LEFT JOIN request r ON r.id = h.request_id ORDER BY m.id"
    )
}
