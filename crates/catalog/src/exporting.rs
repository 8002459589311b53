//! What those who give documents away ask of the catalog: everything about a page of documents, in few
//! questions. What was read out and said is asked for where it is stored ([`Catalog::contents_of`],
//! [`Catalog::descriptions_of`], [`Catalog::documents_of`]); here are captures and links, and the tables that
//! are given away as they are.

mod header_lines;
mod rows;
mod tables;

pub use rows::{EXPORT_OWNERS, ExportPage, ExportRow, TableCursor};
pub use tables::{ExportTable, TableReach};

use crate::header::{CAPTURE_COLUMNS, StoredCapture, read_capture};
use crate::lookup::{AT_ONCE, filled, places};
use crate::{Catalog, CatalogError};
use auslese_model::{CaptureId, HopPath, Method, RequestId};
use std::collections::{BTreeMap, BTreeSet};

impl Catalog {
    /// Several captures; those that do not exist have no entry.
    pub async fn stored_captures(
        &self,
        captures: &[CaptureId],
    ) -> Result<BTreeMap<CaptureId, StoredCapture>, CatalogError> {
        let sql = captures_query();
        let mut session = self.engine.reader().await?;
        let mut found = BTreeMap::new();
        for some in captures.chunks(AT_ONCE) {
            let asked = filled(&sql, some.iter().map(|capture| (*capture).into()));
            for mut row in session.rows(asked).await? {
                let stored = read_capture(&mut row)?;
                found.insert(stored.capture.id, stored);
            }
        }
        Ok(found)
    }

    /// All captures of several requests.
    pub async fn captures_of_requests(
        &self,
        requests: &[RequestId],
    ) -> Result<Vec<StoredCapture>, CatalogError> {
        let sql = captures_of_requests_query();
        let mut session = self.engine.reader().await?;
        let mut found = Vec::new();
        for some in requests.chunks(AT_ONCE) {
            let asked = filled(&sql, some.iter().map(|request| (*request).into()));
            for mut row in session.rows(asked).await? {
                found.push(read_capture(&mut row)?);
            }
        }
        Ok(found)
    }

    /// The requests that several stored bodies need to be seen whole: what they embed, and show in frames.
    pub async fn needed_by(
        &self,
        captures: &[CaptureId],
    ) -> Result<BTreeSet<RequestId>, CatalogError> {
        let sql = needed_query();
        let mut session = self.engine.reader().await?;
        let mut found = BTreeSet::new();
        for some in captures.chunks(AT_ONCE) {
            let asked = filled(&sql, some.iter().map(|capture| (*capture).into()));
            for mut row in session.rows(asked).await? {
                found.insert(RequestId(row.number()?));
            }
        }
        Ok(found)
    }

    /// By which method several requests ask, and how they were found.
    pub async fn ways_of(
        &self,
        requests: &[RequestId],
    ) -> Result<BTreeMap<RequestId, (Option<Method>, HopPath)>, CatalogError> {
        let sql = ways_query();
        let mut session = self.engine.reader().await?;
        let mut found = BTreeMap::new();
        for some in requests.chunks(AT_ONCE) {
            let asked = filled(&sql, some.iter().map(|request| (*request).into()));
            for mut row in session.rows(asked).await? {
                let request = RequestId(row.number()?);
                found.insert(request, (Method::parse(&row.text()?), HopPath(row.text()?)));
            }
        }
        Ok(found)
    }

    /// Where the links of several stored bodies lead, with their words, in the order of the requests they
    /// lead to.
    pub async fn page_links(
        &self,
        captures: &[CaptureId],
    ) -> Result<BTreeMap<CaptureId, Vec<(String, Option<String>)>>, CatalogError> {
        let sql = links_query();
        let mut session = self.engine.reader().await?;
        let mut found: BTreeMap<CaptureId, Vec<(String, Option<String>)>> = BTreeMap::new();
        for some in captures.chunks(AT_ONCE) {
            let asked = filled(&sql, some.iter().map(|capture| (*capture).into()));
            for mut row in session.rows(asked).await? {
                let capture = CaptureId(row.number()?);
                found.entry(capture).or_default().push((row.text()?, row.maybe_text()?));
            }
        }
        Ok(found)
    }
}

fn captures_query() -> String {
    format!(
        "SELECT {CAPTURE_COLUMNS} FROM http_header h LEFT JOIN request r ON r.id = h.request_id \
         WHERE h.id IN ({})",
        places(1)
    )
}

fn captures_of_requests_query() -> String {
    format!(
        "SELECT {CAPTURE_COLUMNS} FROM http_header h LEFT JOIN request r ON r.id = h.request_id \
         WHERE h.request_id IN ({})",
        places(1)
    )
}

fn needed_query() -> String {
    format!(
        "SELECT DISTINCT l.request_id FROM content_link l \
         WHERE l.capture_id IN ({}) AND l.kind <> 'page'",
        places(1)
    )
}

fn ways_query() -> String {
    format!("SELECT r.id, r.method, r.hops FROM request r WHERE r.id IN ({})", places(1))
}

fn links_query() -> String {
    format!(
        "SELECT l.capture_id, r.url, l.text FROM content_link l JOIN request r ON r.id = l.request_id \
         WHERE l.capture_id IN ({}) AND l.kind = 'page' ORDER BY l.capture_id, l.request_id",
        places(1)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CatalogSettings, Location};

    #[tokio::test]
    async fn keys_lead_there() {
        let dir = tempfile::tempdir().unwrap();
        let location = Location::from(dir.path().join("catalog.sqlite").as_path());
        let catalog = Catalog::create(&location, &CatalogSettings::default()).await.unwrap();
        let queries = [
            captures_query(),
            captures_of_requests_query(),
            needed_query(),
            ways_query(),
            links_query(),
        ];
        for sql in queries {
            let plan = catalog.engine.reader().await.unwrap().plan(&sql).await.unwrap();
            assert_eq!(plan.lines().find(|line| line.starts_with("SCAN")), None, "{sql}\n{plan}");
        }
    }
}
