//! Records of repositories. A record is known by its identifier; a newer state of it takes its place.

use crate::catalog::take_numbers;
use crate::engine::{Fields, Sql, Value};
use crate::{Catalog, CatalogError};
use auslese_model::{DatabaseId, TextKey, Timestamp};

/// A record as a repository hands it out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRecord {
    pub identifier: String,
    pub datestamp: String,
    pub deleted: bool,
    /// Where the document is, as far as the record says so.
    pub url: Option<String>,
    /// Names of Dublin Core and values.
    pub fields: Vec<(String, String)>,
}

/// A record with its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRecord {
    pub id: i64,
    pub database: DatabaseId,
    pub record: NewRecord,
    /// Changes whenever something about the record changes.
    pub mark: u64,
    pub stored_at: Timestamp,
}

const COLUMNS: &str =
    "id, database_id, identifier, datestamp, deleted, url, fields, mark, stored_at";

impl Catalog {
    /// Stores records, in place of older states of the same ones; how many were new or had changed.
    pub async fn store_records(
        &self,
        id: DatabaseId,
        records: &[NewRecord],
        at: Timestamp,
    ) -> Result<u64, CatalogError> {
        let mut session = self.engine.begin().await?;
        let mut changed = 0;
        for record in records {
            let key = TextKey::new(&record.identifier);
            let fields = serde_json::json!(record.fields).to_string();
            let mark = mark(record, &fields);
            let sql = "UPDATE hidden_record SET datestamp = $1, deleted = $2, url = $3, fields = $4, \
                       mark = $5, stored_at = CASE WHEN mark = $5 THEN stored_at ELSE $6 END, \
                       about = CASE WHEN url = $3 THEN about ELSE NULL END \
                       WHERE database_id = $7 AND key = $8 RETURNING stored_at";
            let sql = Sql::new(sql)
                .bind(record.datestamp.as_str())
                .bind(record.deleted)
                .bind(&record.url)
                .bind(fields.as_str())
                .bind(mark)
                .bind(at)
                .bind(id.0)
                .bind(key.0.as_slice());
            if let Some(mut row) = session.row(sql).await? {
                changed += u64::from(row.number()? == at.0);
                continue;
            }
            changed += 1;
            let number = take_numbers(&mut session, "hidden record", 1).await?;
            let sql = "INSERT INTO hidden_record (id, database_id, key, identifier, datestamp, \
                       deleted, url, fields, mark, stored_at) \
                       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
            let sql = Sql::new(sql)
                .bind(number)
                .bind(id.0)
                .bind(key.0.as_slice())
                .bind(record.identifier.as_str())
                .bind(record.datestamp.as_str())
                .bind(record.deleted)
                .bind(&record.url)
                .bind(Value::Text(Some(fields)))
                .bind(mark)
                .bind(at);
            session.execute(sql).await?;
        }
        session.commit().await?;
        Ok(changed)
    }

    /// Records after the one given, of all databases, deleted ones included.
    pub async fn hidden_records(
        &self,
        after: i64,
        limit: usize,
    ) -> Result<Vec<StoredRecord>, CatalogError> {
        let sql = format!("SELECT {COLUMNS} FROM hidden_record WHERE id > $1 ORDER BY id LIMIT $2");
        self.records(Sql::new(sql).bind(after).bind(limit)).await
    }

    /// Records of one database after the one given.
    pub async fn records_of(
        &self,
        database: DatabaseId,
        after: i64,
        limit: usize,
    ) -> Result<Vec<StoredRecord>, CatalogError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM hidden_record WHERE database_id = $1 AND id > $2 \
             ORDER BY id LIMIT $3"
        );
        self.records(Sql::new(sql).bind(database.0).bind(after).bind(limit)).await
    }

    /// One record, by its number.
    pub async fn hidden_record(&self, id: i64) -> Result<Option<StoredRecord>, CatalogError> {
        let sql = format!("SELECT {COLUMNS} FROM hidden_record WHERE id = $1");
        Ok(self.records(Sql::new(sql).bind(id)).await?.pop())
    }

    /// How many records a database has, and how many of them are deleted.
    pub async fn count_records(&self, database: DatabaseId) -> Result<(u64, u64), CatalogError> {
        let sql = "SELECT COUNT(*), CAST(COALESCE(SUM(deleted), 0) AS BIGINT) FROM hidden_record \
                   WHERE database_id = $1";
        let row = self.engine.reader().await?.row(Sql::new(sql).bind(database.0)).await?;
        match row {
            Some(mut row) => Ok((row.count()?, row.count()?)),
            None => Ok((0, 0)),
        }
    }

    async fn records(&self, sql: Sql) -> Result<Vec<StoredRecord>, CatalogError> {
        let rows = self.engine.reader().await?.rows(sql).await?;
        rows.into_iter().map(|mut row| read(&mut row)).collect()
    }
}

/// A digest that is the same on every machine.
fn mark(record: &NewRecord, fields: &str) -> i64 {
    let all = serde_json::json!([record.datestamp, record.deleted, record.url, fields]);
    TextKey::new(&all.to_string()).short().cast_signed()
}

fn read(row: &mut Fields) -> Result<StoredRecord, CatalogError> {
    let id = row.number()?;
    let database = DatabaseId(row.number()?);
    let (identifier, datestamp) = (row.text()?, row.text()?);
    let deleted = row.number()? != 0;
    let url = row.maybe_text()?;
    let fields = serde_json::from_str(&row.text()?)
        .map_err(|_| CatalogError::damaged(format!("the fields of record {id} are unreadable")))?;
    Ok(StoredRecord {
        id,
        database,
        record: NewRecord { identifier, datestamp, deleted, url, fields },
        mark: row.number()?.cast_unsigned(),
        stored_at: Timestamp(row.number()?),
    })
}
