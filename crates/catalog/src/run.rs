//! Runs of stages, the institutions of a harvest, and control rows: notes that other processes
//! leave for a running crawl.

use crate::catalog::{take_control_number, take_run_number};
use crate::engine::{Session, Sql, Value};
use crate::{Catalog, CatalogError};
use auslese_model::{Algorithm, Digest, RunId, Timestamp};
use sha2::{Digest as _, Sha256};

/// A stage that begins.
#[derive(Debug, Clone, Copy)]
pub struct NewRun<'a> {
    /// The stage's word, such as `crawl`.
    pub stage: &'a str,
    /// Who does it.
    pub worker: &'a str,
    /// The configuration in force, as text.
    pub config: &'a str,
    pub at: Timestamp,
}

/// A run as the catalog knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    pub id: RunId,
    pub stage: String,
    pub worker: String,
    pub started: Timestamp,
    /// None while it runs, or if it did not end by itself.
    pub ended: Option<Timestamp>,
    pub outcome: Option<String>,
    pub config_digest: String,
    pub program_version: String,
    /// The last window that was committed.
    pub last_window: i64,
}

/// A note for a running crawl: `pause`, `resume`, `exclude` and the like.
#[derive(Debug, Clone, PartialEq)]
pub struct Control {
    pub id: i64,
    pub written_at: Timestamp,
    pub kind: String,
    pub body: serde_json::Value,
}

/// One of the organisations a harvest is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Institution {
    /// Short; the servers carry it.
    pub label: String,
    pub root_url: String,
}

impl Catalog {
    pub async fn begin_run(&self, run: NewRun<'_>) -> Result<RunId, CatalogError> {
        let bytes = Sha256::digest(run.config).to_vec();
        let digest = Digest { algorithm: Algorithm::Sha256, bytes };
        let mut session = self.engine.begin().await?;
        let id = RunId(take_run_number(&mut session).await?);
        let sql = "INSERT INTO run (id, stage, started, worker, config, config_digest, \
                   program_version, last_window) VALUES ($1, $2, $3, $4, $5, $6, $7, 0)";
        let sql = Sql::new(sql)
            .bind(id)
            .bind(run.stage)
            .bind(run.at)
            .bind(run.worker)
            .bind(run.config)
            .bind(digest.to_string().as_str())
            .bind(env!("CARGO_PKG_VERSION"));
        session.execute(sql).await?;
        session.commit().await?;
        Ok(id)
    }

    /// Notes how a run ended; of several ends the first counts.
    pub async fn end_run(
        &self,
        run: RunId,
        outcome: &str,
        at: Timestamp,
    ) -> Result<(), CatalogError> {
        let mut session = self.engine.begin().await?;
        let sql = "UPDATE run SET ended = $1, outcome = $2 WHERE id = $3 AND ended IS NULL";
        session.execute(Sql::new(sql).bind(at).bind(outcome).bind(run)).await?;
        Ok(session.commit().await?)
    }

    /// All runs, newest first.
    pub async fn runs(&self) -> Result<Vec<Run>, CatalogError> {
        let sql = "SELECT id, stage, worker, started, ended, outcome, config_digest, \
                   program_version, last_window FROM run ORDER BY id DESC";
        let rows = self.engine.reader().await?.rows(Sql::new(sql)).await?;
        rows.into_iter()
            .map(|mut row| {
                Ok(Run {
                    id: RunId(row.number()?),
                    stage: row.text()?,
                    worker: row.text()?,
                    started: Timestamp(row.number()?),
                    ended: row.maybe_number()?.map(Timestamp),
                    outcome: row.maybe_text()?,
                    config_digest: row.text()?,
                    program_version: row.text()?,
                    last_window: row.number()?,
                })
            })
            .collect()
    }

    /// The configuration a run had.
    pub async fn run_config(&self, run: RunId) -> Result<Option<String>, CatalogError> {
        let sql = Sql::new("SELECT config FROM run WHERE id = $1").bind(run);
        let row = self.engine.reader().await?.row(sql).await?;
        Ok(row.map(|mut row| row.text()).transpose()?)
    }

    /// Leaves a note for the crawl; returns its number.
    pub async fn write_control(
        &self,
        kind: &str,
        body: &serde_json::Value,
        at: Timestamp,
    ) -> Result<i64, CatalogError> {
        let mut session = self.engine.begin().await?;
        let id = insert_control(&mut session, kind, body, at).await?;
        session.commit().await?;
        Ok(id)
    }

    /// Notes that have not been heeded, in the order they were written. A note whose body is not
    /// JSON (people may write rows with any SQL client) has its text as a string.
    pub async fn read_control(&self) -> Result<Vec<Control>, CatalogError> {
        let sql = "SELECT id, written_at, kind, body FROM control \
                   WHERE applied_at IS NULL ORDER BY id";
        self.controls(Sql::new(sql)).await
    }

    /// Notes that were written after the one with this number, heeded or not: each of several workers
    /// reads all of them.
    pub async fn controls_after(&self, id: i64) -> Result<Vec<Control>, CatalogError> {
        let sql = "SELECT id, written_at, kind, body FROM control WHERE id > $1 ORDER BY id";
        self.controls(Sql::new(sql).bind(id)).await
    }

    /// What a worker has to know that begins now: notes that have not been heeded, and if it is not
    /// the first one, whether the others pause.
    pub async fn standing_controls(&self, is_first: bool) -> Result<Vec<Control>, CatalogError> {
        let sql = "SELECT id, written_at, kind, body FROM control WHERE applied_at IS NULL \
                   OR ($1 = 0 AND id = (SELECT MAX(c.id) FROM control c \
                   WHERE c.kind IN ('pause', 'resume'))) ORDER BY id";
        self.controls(Sql::new(sql).bind(is_first)).await
    }

    async fn controls(&self, sql: Sql) -> Result<Vec<Control>, CatalogError> {
        let rows = self.engine.reader().await?.rows(sql).await?;
        rows.into_iter()
            .map(|mut row| {
                let (id, written_at) = (row.number()?, Timestamp(row.number()?));
                let (kind, body) = (row.text()?, row.text()?);
                let body = serde_json::from_str(&body).unwrap_or(serde_json::Value::String(body));
                Ok(Control { id, written_at, kind, body })
            })
            .collect()
    }

    /// The number of the newest note; 0 if there is none.
    pub async fn newest_control(&self) -> Result<i64, CatalogError> {
        let sql = Sql::new("SELECT COALESCE(MAX(id), 0) FROM control");
        let row = self.engine.reader().await?.row(sql).await?;
        Ok(row.map_or(Ok(0), |mut row| row.number())?)
    }

    /// Marks a note as heeded.
    pub async fn apply_control(&self, id: i64, at: Timestamp) -> Result<(), CatalogError> {
        let mut session = self.engine.begin().await?;
        let sql = "UPDATE control SET applied_at = $1 WHERE id = $2 AND applied_at IS NULL";
        session.execute(Sql::new(sql).bind(at).bind(id)).await?;
        Ok(session.commit().await?)
    }

    /// Adds institutions; a label that is known gets the new root.
    pub async fn set_institutions(&self, institutions: &[Institution]) -> Result<(), CatalogError> {
        let sql = "INSERT INTO institution (id, label, root_url) \
                   SELECT COALESCE(MAX(id), 0) + 1, $1, $2 FROM institution WHERE true \
                   ON CONFLICT (label) DO UPDATE SET root_url = excluded.root_url";
        let mut session = self.engine.begin().await?;
        for institution in institutions {
            let (label, root) = (institution.label.as_str(), institution.root_url.as_str());
            session.execute(Sql::new(sql).bind(label).bind(root)).await?;
        }
        Ok(session.commit().await?)
    }

    pub async fn institutions(&self) -> Result<Vec<Institution>, CatalogError> {
        let sql = Sql::new("SELECT label, root_url FROM institution ORDER BY id");
        let rows = self.engine.reader().await?.rows(sql).await?;
        rows.into_iter()
            .map(|mut row| Ok(Institution { label: row.text()?, root_url: row.text()? }))
            .collect()
    }
}

pub(crate) async fn insert_control(
    session: &mut Session,
    kind: &str,
    body: &serde_json::Value,
    at: Timestamp,
) -> Result<i64, CatalogError> {
    let id = take_control_number(session).await?;
    let sql = "INSERT INTO control (id, written_at, kind, body) VALUES ($1, $2, $3, $4)";
    let body = Value::Text(Some(body.to_string()));
    session.execute(Sql::new(sql).bind(id).bind(at).bind(kind).bind(body)).await?;
    Ok(id)
}
