//! Contents: what is still to be examined, what was read out, and the signatures of all documents.
//!
//! Every stored body is examined, whatever its status: a page that was first seen with an error may
//! come again with another status, as a revisit of the first.

use super::content_row::{
    COLUMNS, COUNT_COLUMNS, FIRST_COLUMNS, INSERT, LANGUAGE_COLUMNS, LAST_COLUMNS, content_row,
    read_content, read_signature, small,
};
use super::link::{ContentLink, insert_links};
use super::{ANSWERING, STORING};
use crate::batch::Batch;
use crate::discovery::key_text;
use crate::engine::{Session, Sql};
use crate::header::{CAPTURE_COLUMNS, StoredCapture, read_capture};
use crate::lookup::{AT_ONCE, filled, places};
use crate::{Catalog, CatalogError};
use auslese_model::{CaptureId, Content, Digest, RequestId, ServerId};
use std::collections::BTreeMap;

/// Stored bodies `p` that no reader of version $1 or later has examined.
const UNEXAMINED: &str = "http_header p WHERE p.storage = 'stored' AND NOT EXISTS \
    (SELECT 1 FROM content c WHERE c.capture_id = p.id AND c.reader >= $1)";

/// What clusters are made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentSignature {
    pub request: RequestId,
    pub server: ServerId,
    /// The capture that stores the body.
    pub content: CaptureId,
    pub payload_digest: Option<Digest>,
    /// Empty for texts too short to compare.
    pub signature: Vec<u64>,
    pub structure: Option<u64>,
}

impl Catalog {
    /// The next stored bodies after the one given, by number, that were not examined by `reader` or
    /// a later one. `CaptureId(0)` begins; an empty page ends.
    pub async fn contents_missing(
        &self,
        after: CaptureId,
        limit: usize,
        reader: u32,
    ) -> Result<Vec<StoredCapture>, CatalogError> {
        let sql = Sql::new(missing_page()).bind(reader).bind(after).bind(limit);
        let rows = self.engine.reader().await?.rows(sql).await?;
        rows.into_iter().map(|mut row| read_capture(&mut row)).collect()
    }

    /// How many stored bodies are to be examined.
    pub async fn count_missing_contents(&self, reader: u32) -> Result<u64, CatalogError> {
        let sql = Sql::new(format!("SELECT COUNT(*) FROM {UNEXAMINED}")).bind(reader);
        let row = self.engine.reader().await?.row(sql).await?;
        Ok(row.map_or(Ok(0), |mut row| row.count())?)
    }

    /// Stores what was read out, with the links of these bodies; what an earlier reader read out
    /// of the same bodies is replaced.
    pub async fn store_contents(
        &self,
        contents: &[Content],
        links: &[ContentLink],
    ) -> Result<(), CatalogError> {
        let contents: BTreeMap<CaptureId, &Content> =
            contents.iter().map(|content| (content.capture, content)).collect();
        let mut session = self.engine.begin().await?;
        delete_contents(&mut session, contents.keys().copied()).await?;
        let mut rows = Batch::new(INSERT, COLUMNS, "");
        let mut elements =
            Batch::new("INSERT INTO content_element (capture_id, element, count)", 3, "");
        let mut features =
            Batch::new("INSERT INTO content_feature (capture_id, name, value)", 3, "");
        for (capture, content) in contents {
            rows.push(content_row(content));
            for (name, count) in element_counts(content) {
                elements.push([capture.into(), name.as_str().into(), count.into()]);
            }
            for (name, value) in feature_values(content) {
                features.push([capture.into(), name.as_str().into(), value.into()]);
            }
        }
        rows.run(&mut session).await?;
        elements.run(&mut session).await?;
        features.run(&mut session).await?;
        insert_links(&mut session, links).await?;
        Ok(session.commit().await?)
    }

    /// What one reader read out counts from now on as read by another.
    pub async fn raise_reader(&self, from: u32, to: u32) -> Result<(), CatalogError> {
        let sql = Sql::new("UPDATE content SET reader = $2 WHERE reader = $1").bind(from).bind(to);
        let mut session = self.engine.begin().await?;
        session.execute(sql).await?;
        Ok(session.commit().await?)
    }

    /// What was read out of the body a capture stores.
    pub async fn content(&self, capture: CaptureId) -> Result<Option<Content>, CatalogError> {
        let mut session = self.engine.reader().await?;
        let sql = format!(
            "SELECT {FIRST_COLUMNS}, {LANGUAGE_COLUMNS}, {COUNT_COLUMNS}, {LAST_COLUMNS} \
             FROM content c WHERE c.capture_id = $1"
        );
        let Some(mut row) = session.row(Sql::new(sql).bind(capture)).await? else {
            return Ok(None);
        };
        let mut content = read_content(&mut row)?;
        let sql = "SELECT element, count FROM content_element WHERE capture_id = $1";
        for mut row in session.rows(Sql::new(sql).bind(capture)).await? {
            content.elements.insert(row.text()?, small(row.number()?));
        }
        let sql = "SELECT name, value FROM content_feature WHERE capture_id = $1";
        for mut row in session.rows(Sql::new(sql).bind(capture)).await? {
            content.features.insert(row.text()?, row.fraction()?);
        }
        Ok(Some(content))
    }

    /// The same of several captures; those that were not examined have no entry.
    pub async fn contents_of(
        &self,
        captures: &[CaptureId],
    ) -> Result<BTreeMap<CaptureId, Content>, CatalogError> {
        let mut session = self.engine.reader().await?;
        let mut contents: BTreeMap<CaptureId, Content> = BTreeMap::new();
        for some in captures.chunks(AT_ONCE) {
            let asked = |sql: &str| filled(sql, some.iter().map(|capture| (*capture).into()));
            for mut row in session.rows(asked(&contents_query())).await? {
                let content = read_content(&mut row)?;
                contents.insert(content.capture, content);
            }
            for mut row in
                session.rows(asked(&numbers_query("content_element", "element, count"))).await?
            {
                let capture = CaptureId(row.number()?);
                let (element, count) = (row.text()?, small(row.number()?));
                if let Some(content) = contents.get_mut(&capture) {
                    content.elements.insert(element, count);
                }
            }
            for mut row in
                session.rows(asked(&numbers_query("content_feature", "name, value"))).await?
            {
                let capture = CaptureId(row.number()?);
                let (name, value) = (row.text()?, row.fraction()?);
                if let Some(content) = contents.get_mut(&capture) {
                    content.features.insert(name, value);
                }
            }
        }
        Ok(contents)
    }

    /// The next documents after the one given, by number of their request, whose body was
    /// examined, with what clusters are made from. `RequestId(0)` begins; an empty page ends.
    pub async fn signatures(
        &self,
        after: RequestId,
        limit: usize,
    ) -> Result<Vec<DocumentSignature>, CatalogError> {
        let sql = Sql::new(signatures_page()).bind(after).bind(limit);
        let rows = self.engine.reader().await?.rows(sql).await?;
        rows.into_iter()
            .map(|mut row| {
                Ok(DocumentSignature {
                    request: RequestId(row.number()?),
                    server: ServerId(row.number()?),
                    content: CaptureId(row.number()?),
                    payload_digest: row.maybe_text()?.and_then(|text| Digest::parse(&text)),
                    signature: read_signature(&row.bytes()?),
                    structure: row.maybe_number()?.map(i64::cast_unsigned),
                })
            })
            .collect()
    }
}

pub(super) fn contents_query() -> String {
    format!(
        "SELECT {FIRST_COLUMNS}, {LANGUAGE_COLUMNS}, {COUNT_COLUMNS}, {LAST_COLUMNS} \
         FROM content c WHERE c.capture_id IN ({})",
        places(1)
    )
}

pub(super) fn numbers_query(table: &str, columns: &str) -> String {
    format!("SELECT capture_id, {columns} FROM {table} WHERE capture_id IN ({})", places(1))
}

/// The numbers of stored bodies that no reader of version $1 or later has examined.
pub(crate) fn unexamined() -> String {
    format!("SELECT p.id FROM {UNEXAMINED}")
}

pub(super) fn missing_page() -> String {
    format!(
        "SELECT {CAPTURE_COLUMNS} FROM (SELECT p.id FROM {UNEXAMINED} AND p.id > $2 \
         ORDER BY p.id LIMIT $3) m JOIN http_header h ON h.id = m.id \
         LEFT JOIN request r ON r.id = h.request_id ORDER BY m.id"
    )
}

pub(super) fn signatures_page() -> String {
    format!(
        "SELECT r.id, r.server_id, c.capture_id, a.payload_digest, c.signature, c.structure \
         FROM request r JOIN http_header h ON h.id = r.capture_id \
         JOIN http_header a ON a.id = {ANSWERING} JOIN content c ON c.capture_id = {STORING} \
         WHERE r.id > $1 AND a.status BETWEEN 200 AND 299 ORDER BY r.id LIMIT $2"
    )
}

/// Elements by the names they are stored under; names that are equal once cut are one.
fn element_counts(content: &Content) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for (name, count) in &content.elements {
        *counts.entry(key_text(name)).or_default() += u64::from(*count);
    }
    counts
}

fn feature_values(content: &Content) -> BTreeMap<String, f64> {
    let finite = content.features.iter().filter(|(_, value)| value.is_finite());
    finite.map(|(name, value)| (key_text(name), *value)).collect()
}

pub(super) async fn delete_contents(
    session: &mut Session,
    captures: impl Iterator<Item = CaptureId> + Clone,
) -> Result<(), CatalogError> {
    for after in [
        ") DELETE FROM content_element WHERE capture_id IN (SELECT id FROM v)",
        ") DELETE FROM content_feature WHERE capture_id IN (SELECT id FROM v)",
        ") DELETE FROM content_link WHERE capture_id IN (SELECT id FROM v)",
        ") DELETE FROM content WHERE capture_id IN (SELECT id FROM v)",
    ] {
        let mut batch = Batch::new("WITH v (id) AS (", 1, after);
        for capture in captures.clone() {
            batch.push([capture.into()]);
        }
        batch.run(session).await?;
    }
    Ok(())
}
