//! What others recorded about documents: records of repositories, and those that came with the seeds.
//!
//! A record is about an address; it is found by the key that a request for this address has. Records of
//! repositories are stored without it, because whoever stores them need not know when two addresses count
//! as the same, and are placed before they are first asked for.

use crate::batch::Batch;
use crate::engine::{Fields, Sql, Value};
use crate::lookup::{AT_ONCE, filled, places};
use crate::{Catalog, CatalogError};
use auslese_model::{CaptureId, RequestKey, RunId, Timestamp};
use std::collections::BTreeMap;

/// A record that came with the seeds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutsideRecord {
    pub about: RequestKey,
    pub url: String,
    /// The file it is from.
    pub source: String,
    /// Names of attributes and values.
    pub fields: Vec<(String, String)>,
}

/// A record about a stored body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordAbout {
    pub body: CaptureId,
    /// Whether a repository handed it out; otherwise it came with the seeds.
    pub of_repository: bool,
    /// The record's identifier, or the file it is from.
    pub source: String,
    pub fields: Vec<(String, String)>,
}

impl Catalog {
    /// Stores records, in place of those about the same addresses from the same source; how many were new
    /// or had changed.
    pub async fn store_outside_records(
        &self,
        records: &[OutsideRecord],
        at: Timestamp,
    ) -> Result<u64, CatalogError> {
        let mut session = self.engine.begin().await?;
        let mut rows = Batch::new(
            "INSERT INTO outside_record (about, source, url, fields, stored_at)",
            5,
            " ON CONFLICT (about, source) DO UPDATE SET url = excluded.url, \
             fields = excluded.fields, stored_at = excluded.stored_at \
             WHERE outside_record.fields <> excluded.fields",
        );
        // Of several in one statement the engines would not know which one is meant.
        let newest: BTreeMap<([u8; 16], &str), &OutsideRecord> = records
            .iter()
            .map(|record| ((record.about.0, record.source.as_str()), record))
            .collect();
        for record in newest.into_values() {
            rows.push([
                record.about.0.as_slice().into(),
                record.source.as_str().into(),
                record.url.as_str().into(),
                Value::Text(Some(serde_json::json!(record.fields).to_string())),
                at.into(),
            ]);
        }
        let changed = rows.run(&mut session).await?;
        session.commit().await?;
        Ok(changed)
    }

    /// Records of repositories after the one given that were not placed yet, with their addresses.
    pub async fn unplaced_records(
        &self,
        after: i64,
        limit: usize,
    ) -> Result<Vec<(i64, String)>, CatalogError> {
        let sql = "SELECT id, url FROM hidden_record WHERE about IS NULL AND url IS NOT NULL \
                   AND id > $1 ORDER BY id LIMIT $2";
        let rows = self.engine.reader().await?.rows(Sql::new(sql).bind(after).bind(limit)).await?;
        rows.into_iter().map(|mut row| Ok((row.number()?, row.text()?))).collect()
    }

    /// Notes which requests the addresses of some records would be.
    pub async fn place_records(&self, placed: &[(i64, RequestKey)]) -> Result<(), CatalogError> {
        let mut session = self.engine.begin().await?;
        for (record, key) in placed {
            let sql = "UPDATE hidden_record SET about = $1 WHERE id = $2";
            session.execute(Sql::new(sql).bind(key.0.as_slice()).bind(*record)).await?;
        }
        Ok(session.commit().await?)
    }

    /// Whether there is a record about anything.
    pub async fn has_records_about_addresses(&self) -> Result<bool, CatalogError> {
        let sql = "SELECT CASE WHEN EXISTS (SELECT 1 FROM outside_record) OR EXISTS \
                   (SELECT 1 FROM hidden_record WHERE about IS NOT NULL) THEN CAST(1 AS BIGINT) ELSE 0 END";
        let row = self.engine.reader().await?.row(Sql::new(sql)).await?;
        Ok(row.map_or(Ok(0), |mut row| row.number())? != 0)
    }

    /// The bodies about which something was recorded that a run has not heard, and when the last of it was.
    pub async fn bodies_with_news(
        &self,
        run: RunId,
    ) -> Result<(Vec<CaptureId>, Option<Timestamp>), CatalogError> {
        let mut session = self.engine.reader().await?;
        let sql = "SELECT COALESCE(records_heard, 0) FROM describe_run WHERE run_id = $1";
        let heard = session.row(Sql::new(sql).bind(run)).await?;
        let heard: i64 = heard.map_or(Ok(0), |mut row| row.number())?;
        let sql = "SELECT MAX(stored_at) FROM (SELECT stored_at FROM hidden_record \
                   WHERE stored_at > $1 AND about IS NOT NULL UNION ALL \
                   SELECT stored_at FROM outside_record WHERE stored_at > $1) n";
        let row = session.row(Sql::new(sql).bind(heard)).await?;
        let last = row.map_or(Ok(None), |mut row| row.maybe_number())?;
        let Some(last) = last else { return Ok((Vec::new(), None)) };
        let sql = "SELECT DISTINCT COALESCE(h.original_id, h.id) \
                   FROM (SELECT about FROM hidden_record WHERE stored_at > $1 AND about IS NOT NULL \
                         UNION SELECT about FROM outside_record WHERE stored_at > $1) n \
                   JOIN request r ON r.key = n.about JOIN http_header h ON h.id = r.capture_id \
                   ORDER BY 1";
        let rows = session.rows(Sql::new(sql).bind(heard)).await?;
        let bodies = rows.into_iter().map(|mut row| Ok(CaptureId(row.number()?)));
        Ok((bodies.collect::<Result<_, CatalogError>>()?, Some(Timestamp(last))))
    }

    /// Notes that a run heard all records stored up to then.
    pub async fn note_records_heard(
        &self,
        run: RunId,
        until: Timestamp,
    ) -> Result<(), CatalogError> {
        let mut session = self.engine.begin().await?;
        let sql = "UPDATE describe_run SET records_heard = $1 WHERE run_id = $2";
        session.execute(Sql::new(sql).bind(until).bind(run)).await?;
        Ok(session.commit().await?)
    }

    /// All records about some bodies, those of repositories first. A body is meant by the record of any
    /// address whose newest answer it is.
    pub async fn records_about(
        &self,
        bodies: &[CaptureId],
    ) -> Result<Vec<RecordAbout>, CatalogError> {
        let sql = format!(
            "WITH addressed (body, key) AS ( \
             SELECT h.id, r.key FROM http_header h JOIN request r ON r.id = h.request_id \
             AND r.capture_id = h.id WHERE h.id IN ({ids}) AND h.original_id IS NULL UNION ALL \
             SELECT h.original_id, r.key FROM http_header h JOIN request r ON r.id = h.request_id \
             AND r.capture_id = h.id WHERE h.original_id IN ({ids})) \
             SELECT a.body, 1, n.identifier, n.fields FROM addressed a \
             JOIN hidden_record n ON n.about = a.key WHERE n.deleted = 0 UNION ALL \
             SELECT a.body, 0, o.source, o.fields FROM addressed a \
             JOIN outside_record o ON o.about = a.key ORDER BY 1, 2 DESC, 3, 4",
            ids = places(1)
        );
        let mut session = self.engine.reader().await?;
        let mut records = Vec::new();
        for some in bodies.chunks(AT_ONCE) {
            let asked = filled(&sql, some.iter().map(|body| (*body).into()));
            for mut row in session.rows(asked).await? {
                records.push(read(&mut row)?);
            }
        }
        Ok(records)
    }
}

fn read(row: &mut Fields) -> Result<RecordAbout, CatalogError> {
    let body = CaptureId(row.number()?);
    let of_repository = row.number()? != 0;
    let source = row.text()?;
    let fields = serde_json::from_str(&row.text()?).map_err(|_| {
        CatalogError::damaged(format!("the fields of the record {source} are unreadable"))
    })?;
    Ok(RecordAbout { body, of_repository, source, fields })
}
