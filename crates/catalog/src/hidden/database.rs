//! The list of databases that were found.

use crate::catalog::take_numbers;
use crate::engine::{Fields, Sql, Value};
use crate::header::StoredCapture;
use crate::lookup::capture_query;
use crate::{Catalog, CatalogError};
use auslese_model::{
    CaptureId, Cooperation, DatabaseId, DatabaseKind, HostName, RunId, TextKey, Timestamp,
};

/// A database that was met: on a page of the harvest, or named by a person.
#[derive(Debug, Clone, PartialEq)]
pub struct NewDatabase {
    pub kind: DatabaseKind,
    pub cooperation: Cooperation,
    /// The page with the form, the document, the address of the repository.
    pub url: String,
    pub host: String,
    /// The page it was found on.
    pub capture: Option<CaptureId>,
    pub title: Option<String>,
    /// What is said about it, by names as in SOIF.
    pub about: Vec<(String, String)>,
    /// How it would be asked.
    pub plan: serde_json::Value,
    /// How many queries that takes, where it is known.
    pub planned: Option<u64>,
    /// Why it is not asked, if it is not.
    pub refusal: Option<String>,
    /// What is wrong or doubtful about it.
    pub problems: serde_json::Value,
}

/// A database as the catalog knows it.
#[derive(Debug, Clone, PartialEq)]
pub struct HiddenDatabase {
    pub id: DatabaseId,
    pub new: NewDatabase,
    pub found_at: Timestamp,
    /// Since when it is being asked; answers that came later need not be asked for again.
    pub asking_since: Option<Timestamp>,
    /// The run that asked it last, and when.
    pub asked_by: Option<RunId>,
    pub asked_at: Option<Timestamp>,
    /// Whether that run came to its end.
    pub complete: bool,
    pub queries: u64,
    pub pages: u64,
    pub failed: u64,
    /// Requests that were sent, and bytes that came back.
    pub requests: u64,
    pub bytes: u64,
    /// At how many rows answers are cut, if they are.
    pub truncated: Option<u64>,
    /// Why it was left alone before all was asked.
    pub stopped: Option<String>,
    /// Which share of it was seen, as far as that can be told.
    pub coverage: Option<f64>,
    /// From when on a repository is asked the next time.
    pub next_from: Option<String>,
}

/// The columns [`read`] expects.
pub(super) const COLUMNS: &str = "id, kind, cooperation, url, host, capture_id, title, about, plan, planned, \
    refusal, problems, found_at, asking_since, asked_by, asked_at, complete, queries, pages, failed, \
    requests, bytes, truncated, stopped, coverage, next_from";

impl Catalog {
    /// Notes databases. What is known of them from asking stays; how they are described is taken anew.
    pub async fn note_databases(
        &self,
        databases: &[NewDatabase],
        at: Timestamp,
    ) -> Result<Vec<DatabaseId>, CatalogError> {
        let mut session = self.engine.begin().await?;
        let mut ids = Vec::with_capacity(databases.len());
        for new in databases {
            let key = key(new.kind, &new.url);
            let sql = "SELECT id FROM hidden_database WHERE key = $1";
            let known = session.row(Sql::new(sql).bind(key.0.as_slice())).await?;
            let id = match known {
                Some(mut row) => {
                    let id = row.number()?;
                    let sql = "UPDATE hidden_database SET cooperation = $1, capture_id = $2, \
                               title = $3, about = $4, plan = $5, planned = $6, refusal = $7, \
                               problems = $8 WHERE id = $9";
                    session.execute(bind_description(Sql::new(sql), new).bind(id)).await?;
                    id
                }
                None => {
                    let id = take_numbers(&mut session, "hidden database", 1).await?;
                    let sql = "INSERT INTO hidden_database (cooperation, capture_id, title, about, \
                               plan, planned, refusal, problems, id, key, kind, url, host, found_at, \
                               complete, queries, pages, failed, requests, bytes) \
                               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, \
                               0, 0, 0, 0, 0, 0)";
                    let sql = bind_description(Sql::new(sql), new)
                        .bind(id)
                        .bind(key.0.as_slice())
                        .bind(new.kind.as_str())
                        .bind(new.url.as_str())
                        .bind(new.host.as_str())
                        .bind(at);
                    session.execute(sql).await?;
                    id
                }
            };
            ids.push(DatabaseId(id));
        }
        session.commit().await?;
        Ok(ids)
    }

    /// Databases after the one given, in the order in which they were found.
    pub async fn hidden_databases(
        &self,
        after: DatabaseId,
        limit: usize,
    ) -> Result<Vec<HiddenDatabase>, CatalogError> {
        let sql =
            format!("SELECT {COLUMNS} FROM hidden_database WHERE id > $1 ORDER BY id LIMIT $2");
        let rows =
            self.engine.reader().await?.rows(Sql::new(sql).bind(after.0).bind(limit)).await?;
        rows.into_iter().map(|mut row| read(&mut row)).collect()
    }

    pub async fn hidden_database(
        &self,
        id: DatabaseId,
    ) -> Result<Option<HiddenDatabase>, CatalogError> {
        let sql = format!("SELECT {COLUMNS} FROM hidden_database WHERE id = $1");
        let row = self.engine.reader().await?.row(Sql::new(sql).bind(id.0)).await?;
        row.map(|mut row| read(&mut row)).transpose()
    }

    /// Databases at exactly this address, one for each kind.
    pub async fn hidden_databases_at(
        &self,
        url: &str,
    ) -> Result<Vec<HiddenDatabase>, CatalogError> {
        let mut found = Vec::new();
        let mut session = self.engine.reader().await?;
        let sql = format!("SELECT {COLUMNS} FROM hidden_database WHERE key = $1");
        for kind in DatabaseKind::ALL {
            let asked = Sql::new(sql.clone()).bind(key(kind, url).0.as_slice());
            for mut row in session.rows(asked).await? {
                found.push(read(&mut row)?);
            }
        }
        Ok(found)
    }

    /// Stored pages and documents after the one given in which databases may be described. Answers of
    /// databases are none of them.
    pub async fn pages_to_spot(
        &self,
        after: CaptureId,
        limit: usize,
    ) -> Result<Vec<StoredCapture>, CatalogError> {
        let sql = capture_query(
            "h.id > $1 AND h.status = 200 AND h.storage = 'stored' AND r.hops NOT LIKE '%Q' \
             AND (h.media_type IS NULL OR h.media_type LIKE '%html%' OR h.media_type LIKE 'text/plain' \
             OR h.media_type LIKE '%xml' OR h.media_type = 'application/x-dbcontent' \
             OR lower(r.url) LIKE '%.dbcontent') ORDER BY h.id LIMIT $2",
        );
        self.captures(Sql::new(sql).bind(after).bind(limit)).await
    }

    /// Whether the archive has anything of a host.
    pub async fn has_bodies_of(&self, host: &HostName) -> Result<bool, CatalogError> {
        let sql = "SELECT 1 FROM server_info s WHERE s.name = $1 AND EXISTS (SELECT 1 FROM \
                   http_header h WHERE h.server_id = s.id AND h.storage = 'stored') LIMIT 1";
        let row = self.engine.reader().await?.row(Sql::new(sql).bind(host.as_str())).await?;
        Ok(row.is_some())
    }

    /// Up to which capture pages were looked through for databases.
    pub async fn spotted_until(&self) -> Result<CaptureId, CatalogError> {
        let sql = "SELECT value FROM meta WHERE key = $1";
        let row = self.engine.reader().await?.row(Sql::new(sql).bind(SPOTTED)).await?;
        let value = row.map(|mut row| row.text()).transpose()?;
        Ok(CaptureId(value.and_then(|it| it.parse().ok()).unwrap_or(0)))
    }

    pub async fn set_spotted_until(&self, capture: CaptureId) -> Result<(), CatalogError> {
        let sql = "INSERT INTO meta (key, value) VALUES ($1, $2) \
                   ON CONFLICT (key) DO UPDATE SET value = excluded.value";
        let mut session = self.engine.begin().await?;
        let value = capture.0.to_string();
        session.execute(Sql::new(sql).bind(SPOTTED).bind(value.as_str())).await?;
        Ok(session.commit().await?)
    }
}

const SPOTTED: &str = "databases spotted until";

/// Recognises a database.
fn key(kind: DatabaseKind, url: &str) -> TextKey {
    TextKey::new(&format!("{} {url}", kind.as_str()))
}

fn bind_description(sql: Sql, new: &NewDatabase) -> Sql {
    let json = |value: &serde_json::Value| Value::Text(Some(value.to_string()));
    sql.bind(new.cooperation.as_str())
        .bind(new.capture)
        .bind(&new.title)
        .bind(json(&serde_json::json!(new.about)))
        .bind(json(&new.plan))
        .bind(Value::Number(new.planned.map(|it| i64::try_from(it).unwrap_or(i64::MAX))))
        .bind(&new.refusal)
        .bind(json(&new.problems))
}

pub(super) fn read(row: &mut Fields) -> Result<HiddenDatabase, CatalogError> {
    let id = DatabaseId(row.number()?);
    let unreadable = |column: &str| {
        CatalogError::damaged(format!("the column {column} of database {} is unreadable", id.0))
    };
    let kind = DatabaseKind::parse(&row.text()?).ok_or_else(|| unreadable("kind"))?;
    let cooperation = Cooperation::parse(&row.text()?).ok_or_else(|| unreadable("cooperation"))?;
    let (url, host) = (row.text()?, row.text()?);
    let capture = row.maybe_number()?.map(CaptureId);
    let title = row.maybe_text()?;
    let about = serde_json::from_str(&row.text()?).map_err(|_| unreadable("about"))?;
    let plan = row.maybe_text()?.and_then(|text| serde_json::from_str(&text).ok());
    let count = |number: Option<i64>| number.and_then(|it| u64::try_from(it).ok());
    let planned = count(row.maybe_number()?);
    let refusal = row.maybe_text()?;
    let problems = serde_json::from_str(&row.text()?).map_err(|_| unreadable("problems"))?;
    let new = NewDatabase {
        kind,
        cooperation,
        url,
        host,
        capture,
        title,
        about,
        plan: plan.unwrap_or_default(),
        planned,
        refusal,
        problems,
    };
    Ok(HiddenDatabase {
        id,
        new,
        found_at: Timestamp(row.number()?),
        asking_since: row.maybe_number()?.map(Timestamp),
        asked_by: row.maybe_number()?.map(RunId),
        asked_at: row.maybe_number()?.map(Timestamp),
        complete: row.number()? != 0,
        queries: row.count()?,
        pages: row.count()?,
        failed: row.count()?,
        requests: row.count()?,
        bytes: row.count()?,
        truncated: count(row.maybe_number()?),
        stopped: row.maybe_text()?,
        coverage: row.maybe_fraction()?,
        next_from: row.maybe_text()?,
    })
}
