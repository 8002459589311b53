//! The log of changes: who changed what, and when. Rows are only ever added.

use crate::catalog::take_numbers;
use crate::engine::{Sql, Value};
use crate::{Catalog, CatalogError};
use auslese_model::Timestamp;

/// Something a person changed.
#[derive(Debug, Clone, PartialEq)]
pub struct NewChange {
    pub at: Timestamp,
    pub by: String,
    /// The role they had.
    pub role: String,
    /// What was done, in a word, such as `pause`.
    pub deed: String,
    /// What it was done to: a host, an address, a rule.
    pub subject: String,
    pub detail: serde_json::Value,
}

/// A change with its number.
#[derive(Debug, Clone, PartialEq)]
pub struct LoggedChange {
    pub id: i64,
    pub change: NewChange,
}

impl Catalog {
    /// Adds to the log.
    pub async fn log_change(&self, change: &NewChange) -> Result<i64, CatalogError> {
        let mut session = self.engine.begin().await?;
        let id = take_numbers(&mut session, "change", 1).await?;
        let sql = "INSERT INTO change (id, at, made_by, role, deed, subject, detail) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7)";
        let sql = Sql::new(sql)
            .bind(id)
            .bind(change.at)
            .bind(change.by.as_str())
            .bind(change.role.as_str())
            .bind(change.deed.as_str())
            .bind(change.subject.as_str())
            .bind(Value::Text(Some(change.detail.to_string())));
        session.execute(sql).await?;
        session.commit().await?;
        Ok(id)
    }

    /// Changes before the one given, newest first.
    pub async fn changes(
        &self,
        before: i64,
        limit: usize,
    ) -> Result<Vec<LoggedChange>, CatalogError> {
        let sql = "SELECT id, at, made_by, role, deed, subject, detail FROM change \
                   WHERE id < $1 ORDER BY id DESC LIMIT $2";
        let rows = self.engine.reader().await?.rows(Sql::new(sql).bind(before).bind(limit)).await?;
        rows.into_iter()
            .map(|mut row| {
                Ok(LoggedChange {
                    id: row.number()?,
                    change: NewChange {
                        at: Timestamp(row.number()?),
                        by: row.text()?,
                        role: row.text()?,
                        deed: row.text()?,
                        subject: row.text()?,
                        detail: serde_json::from_str(&row.text()?).unwrap_or_default(),
                    },
                })
            })
            .collect()
    }
}
