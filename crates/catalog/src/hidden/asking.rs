//! What became of asking a database, stored in one transaction.

use crate::batch::Batch;
use crate::engine::{Sql, Value};
use crate::{Catalog, CatalogError};
use auslese_model::{DatabaseId, RunId, Timestamp};

/// How asking ended, and what it brought.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    pub run: RunId,
    pub at: Timestamp,
    /// Whether all was asked that was to be asked.
    pub complete: bool,
    pub title: Option<String>,
    pub queries: u64,
    pub pages: u64,
    pub failed: u64,
    pub requests: u64,
    pub bytes: u64,
    pub truncated: Option<u64>,
    pub stopped: Option<String>,
    pub coverage: Option<f64>,
    pub next_from: Option<String>,
    pub problems: serde_json::Value,
    /// The different values of each attribute; none leaves those that are there.
    pub attributes: Option<Vec<(String, Vec<StoredValue>)>>,
}

/// A value, and the address that shows it, where one does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredValue {
    pub value: String,
    pub query: Option<String>,
}

impl Catalog {
    /// Notes that a database is being asked, unless that is under way; since when it is.
    pub async fn begin_asking(
        &self,
        id: DatabaseId,
        now: Timestamp,
    ) -> Result<Timestamp, CatalogError> {
        let sql = "UPDATE hidden_database SET asking_since = COALESCE(asking_since, $1) \
                   WHERE id = $2 RETURNING asking_since";
        let mut session = self.engine.begin().await?;
        let row = session.row(Sql::new(sql).bind(now).bind(id.0)).await?;
        let mut row = row.ok_or_else(|| CatalogError::damaged(format!("no database {}", id.0)))?;
        let since = Timestamp(row.number()?);
        session.commit().await?;
        Ok(since)
    }

    /// Notes why a database is not asked after all.
    pub async fn refuse_asking(&self, id: DatabaseId, reason: &str) -> Result<(), CatalogError> {
        let sql = "UPDATE hidden_database SET refusal = $1, asking_since = NULL WHERE id = $2";
        let mut session = self.engine.begin().await?;
        session.execute(Sql::new(sql).bind(reason).bind(id.0)).await?;
        Ok(session.commit().await?)
    }

    /// Stores how a database is asked, and how many queries that takes.
    pub async fn store_plan(
        &self,
        id: DatabaseId,
        plan: &serde_json::Value,
        queries: u64,
    ) -> Result<(), CatalogError> {
        let sql = "UPDATE hidden_database SET plan = $1, planned = $2 WHERE id = $3";
        let sql = Sql::new(sql).bind(Value::Text(Some(plan.to_string()))).bind(queries).bind(id.0);
        let mut session = self.engine.begin().await?;
        session.execute(sql).await?;
        Ok(session.commit().await?)
    }

    /// Stores what asking brought, in place of what was there before. If it ended early and brought fewer
    /// values, those from before stay.
    pub async fn store_asked(&self, id: DatabaseId, asked: &Asked) -> Result<(), CatalogError> {
        let number = |it: u64| i64::try_from(it).unwrap_or(i64::MAX);
        let sql = "UPDATE hidden_database SET asking_since = NULL, refusal = NULL, asked_by = $1, \
                   asked_at = $2, complete = $3, queries = $4, pages = $5, failed = $6, \
                   requests = $7, bytes = $8, truncated = $9, stopped = $10, coverage = $11, \
                   next_from = $12, problems = $13, title = COALESCE($14, title) WHERE id = $15";
        let sql = Sql::new(sql)
            .bind(asked.run)
            .bind(asked.at)
            .bind(asked.complete)
            .bind(asked.queries)
            .bind(asked.pages)
            .bind(asked.failed)
            .bind(asked.requests)
            .bind(asked.bytes)
            .bind(Value::Number(asked.truncated.map(number)))
            .bind(&asked.stopped)
            .bind(asked.coverage)
            .bind(&asked.next_from)
            .bind(Value::Text(Some(asked.problems.to_string())))
            .bind(&asked.title)
            .bind(id.0);
        let mut session = self.engine.begin().await?;
        session.execute(sql).await?;
        let sql = "SELECT COUNT(*) FROM hidden_value WHERE database_id = $1";
        let row = session.row(Sql::new(sql).bind(id.0)).await?;
        let before = row.map_or(Ok(0), |mut row| row.count())?;
        let brought = |attributes: &&Vec<(String, Vec<StoredValue>)>| {
            let values: u64 = attributes.iter().map(|(_, values)| values.len() as u64).sum();
            asked.complete || values >= before
        };
        if let Some(attributes) = asked.attributes.as_ref().filter(brought) {
            let sql = "DELETE FROM hidden_value WHERE database_id = $1";
            session.execute(Sql::new(sql).bind(id.0)).await?;
            let before = "INSERT INTO hidden_value (database_id, attribute, rank, value, query)";
            let mut batch = Batch::new(before, 5, "");
            for (attribute, values) in attributes {
                for (rank, stored) in values.iter().enumerate() {
                    batch.push([
                        id.0.into(),
                        attribute.as_str().into(),
                        rank.into(),
                        stored.value.as_str().into(),
                        (&stored.query).into(),
                    ]);
                }
            }
            batch.run(&mut session).await?;
        }
        Ok(session.commit().await?)
    }
}
