//! Which worker's search index holds which documents.
//!
//! The numbers of all documents are divided into ranges without gaps, and each range belongs to the index of one worker, so a document
//! stays where it is when it changes. Documents that come later get further ranges behind the
//! last; those that get a number in between belong to the range around it. What the catalog says here
//! holds: a document that an index has besides, because its worker died or was away for long, does not
//! count there.

use super::dividing::range_size;
use crate::batch::Batch;
use crate::engine::{Session, Sql, Value};
use crate::searching::IS_DOCUMENT;
use crate::{Catalog, CatalogError};

/// The first key that is no document's: databases and records come there, and are one range.
pub const SHARD_BEYOND: i64 = 1 << 61;

/// Documents that lie in one index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexRange {
    pub first: i64,
    pub last: i64,
    /// None as long as nobody has indexed it.
    pub worker: Option<String>,
}

impl Catalog {
    /// All ranges, by key; none if the index is in one piece.
    pub async fn index_ranges(&self) -> Result<Vec<IndexRange>, CatalogError> {
        let sql = "SELECT first_key, last_key, worker FROM index_range ORDER BY first_key";
        let rows = self.engine.reader().await?.rows(Sql::new(sql)).await?;
        rows.into_iter()
            .map(|mut row| {
                Ok(IndexRange {
                    first: row.number()?,
                    last: row.number()?,
                    worker: row.maybe_text()?,
                })
            })
            .collect()
    }

    /// The index of a worker is lost: whoever is there indexes its documents again.
    pub async fn lose_index_of(&self, worker: &str) -> Result<u64, CatalogError> {
        let mut session = self.engine.begin().await?;
        let sql = "UPDATE stage_batch SET owner = NULL WHERE owner = $1 AND done = 0";
        session.execute(Sql::new(sql).bind(worker)).await?;
        let sql = "UPDATE index_range SET worker = NULL WHERE worker = $1";
        let ranges = session.execute(Sql::new(sql).bind(worker)).await?;
        session.commit().await?;
        Ok(ranges)
    }

    /// The index is in one piece from now on, or is divided anew by the next workers.
    pub async fn forget_index_ranges(&self) -> Result<(), CatalogError> {
        let mut session = self.engine.begin().await?;
        session.execute(Sql::new("DELETE FROM index_range")).await?;
        Ok(session.commit().await?)
    }
}

/// Adds ranges for what lies behind the last one.
pub(super) async fn add_ranges(session: &mut Session) -> Result<(), CatalogError> {
    let sql = "SELECT COALESCE(MAX(last_key), 0) FROM index_range WHERE first_key < $1";
    let row = session.row(Sql::new(sql).bind(SHARD_BEYOND)).await?;
    let mut end = row.map_or(Ok(0), |mut row| row.number())?;
    let new = format!("document d WHERE d.request_id > $1 AND {IS_DOCUMENT}");
    let sql = format!("SELECT COUNT(*) FROM {new}");
    let row = session.row(Sql::new(sql).bind(end)).await?;
    let count = row.map_or(Ok(0), |mut row| row.count())?;
    let sql = format!(
        "SELECT MAX(id) FROM (SELECT d.request_id AS id, \
         (ROW_NUMBER() OVER (ORDER BY d.request_id) - 1) / $2 AS batch FROM {new}) numbered \
         GROUP BY batch ORDER BY batch"
    );
    let rows = session.rows(Sql::new(sql).bind(end).bind(range_size(count))).await?;
    let mut ranges = Batch::new("INSERT INTO index_range (first_key, last_key, worker)", 3, "");
    for mut row in rows {
        let last = row.number()?;
        ranges.push([(end + 1).into(), last.into(), Value::Text(None)]);
        end = last;
    }
    ranges.run(session).await?;
    let sql = "INSERT INTO index_range (first_key, last_key) VALUES ($1, $2) \
               ON CONFLICT (first_key) DO NOTHING";
    session.execute(Sql::new(sql).bind(SHARD_BEYOND).bind(i64::MAX)).await?;
    Ok(())
}

/// One batch for each range, for the worker that has it.
pub(super) async fn divide_ranges(
    session: &mut Session,
    work: i64,
    phase: i64,
) -> Result<(), CatalogError> {
    let sql = format!(
        "INSERT INTO stage_batch (work, phase, number, first_id, last_id, items, owner) \
         SELECT $1, $2, ROW_NUMBER() OVER (ORDER BY i.first_key), i.first_key, i.last_key, \
         (SELECT COUNT(*) FROM document d WHERE d.request_id BETWEEN i.first_key AND i.last_key \
          AND {IS_DOCUMENT}), i.worker FROM index_range i"
    );
    session.execute(Sql::new(sql).bind(work).bind(phase)).await?;
    Ok(())
}
