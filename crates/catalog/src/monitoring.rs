//! What people watch while a crawl runs: the newest captures, what each exclusion has dropped, what robots.txt
//! says. Everything is asked along an index, because it is asked again and again.

use crate::engine::Sql;
use crate::{Catalog, CatalogError};
use auslese_model::{CaptureId, CauseKind, RequestId, Timestamp};
use std::collections::BTreeMap;
use std::time::Duration;

/// A capture as a line of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCapture {
    pub capture: CaptureId,
    pub request: RequestId,
    pub url: String,
    pub status: u16,
    pub media_type: Option<String>,
    /// Payload bytes.
    pub bytes: u64,
    pub at: Timestamp,
    pub took: Duration,
}

/// Servers by what their robots.txt was when it was last asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RobotsCounts {
    pub read: u64,
    /// There is none, so everything is allowed.
    pub missing: u64,
    /// It could not be had, so nothing is asked.
    pub unreachable: u64,
}

impl Catalog {
    /// The newest captures, the last one first.
    pub async fn newest_captures(&self, limit: usize) -> Result<Vec<NewCapture>, CatalogError> {
        let sql = "SELECT h.id, h.request_id, COALESCE(r.url, ''), h.status, h.media_type, \
                   h.payload_length, h.captured_at, h.duration_ms \
                   FROM http_header h LEFT JOIN request r ON r.id = h.request_id \
                   ORDER BY h.id DESC LIMIT $1";
        let rows = self.engine.reader().await?.rows(Sql::new(sql).bind(limit)).await?;
        rows.into_iter()
            .map(|mut row| {
                Ok(NewCapture {
                    capture: CaptureId(row.number()?),
                    request: RequestId(row.number()?),
                    url: row.text()?,
                    status: u16::try_from(row.number()?).unwrap_or(0),
                    media_type: row.maybe_text()?.filter(|text| !text.is_empty()),
                    bytes: row.count()?,
                    at: Timestamp(row.number()?),
                    took: Duration::from_millis(row.count()?),
                })
            })
            .collect()
    }

    /// How many requests each exclusion has dropped so far, by its test.
    pub async fn excluded_counts(&self) -> Result<BTreeMap<String, u64>, CatalogError> {
        let sql = "SELECT COALESCE(cause, ''), COUNT(*) FROM request \
                   WHERE state IN ('failed', 'refused') AND state = 'refused' AND cause_kind = $1 \
                   GROUP BY COALESCE(cause, '')";
        let sql = Sql::new(sql).bind(CauseKind::Excluded.as_str());
        let rows = self.engine.reader().await?.rows(sql).await?;
        rows.into_iter().map(|mut row| Ok((row.text()?, row.count()?))).collect()
    }

    /// What robots.txt of all servers was.
    pub async fn robots_counts(&self) -> Result<RobotsCounts, CatalogError> {
        let sql = "SELECT CAST(CASE WHEN status BETWEEN 200 AND 299 THEN 1 \
                   WHEN status BETWEEN 400 AND 499 THEN 2 ELSE 3 END AS BIGINT), COUNT(*) \
                   FROM robots GROUP BY 1";
        let mut counts = RobotsCounts::default();
        for mut row in self.engine.reader().await?.rows(Sql::new(sql)).await? {
            match (row.number()?, row.count()?) {
                (1, servers) => counts.read = servers,
                (2, servers) => counts.missing = servers,
                (_, servers) => counts.unreachable = servers,
            }
        }
        Ok(counts)
    }
}
