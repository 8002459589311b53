//! Runs of the describing stage: which heuristics and weights they had, and whether they reached the
//! end.
//!
//! The heuristics and weights are kept as text, so that a run can be understood after its files have
//! changed.

use crate::engine::{Fields, Sql};
use crate::{Catalog, CatalogError};
use auslese_model::{RunId, Timestamp};

/// A run that begins; its number is that of the [run](Catalog::begin_run) of the stage.
#[derive(Debug, Clone, Copy)]
pub struct NewDescribeRun<'a> {
    /// The name of the set of heuristics.
    pub heuristics: &'a str,
    pub heuristics_digest: &'a str,
    /// All files of the set.
    pub heuristics_text: &'a str,
    pub weights_digest: &'a str,
    /// None if the rules kept the weights they were written with.
    pub weights_text: Option<&'a str>,
}

/// A run as the catalog knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescribeRun {
    pub run: RunId,
    pub started: Timestamp,
    pub ended: Option<Timestamp>,
    /// Whether it described everything there was.
    pub finished: bool,
    /// Whether it is the one that is shown, searched and exported.
    pub current: bool,
    pub heuristics: String,
    pub heuristics_digest: String,
    pub weights_digest: String,
    /// So far, unless it is finished.
    pub documents: u64,
    pub statements: u64,
}

/// What a run was made with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescribeTexts {
    pub heuristics: String,
    pub weights: Option<String>,
}

impl Catalog {
    pub async fn begin_describe_run(
        &self,
        run: RunId,
        new: NewDescribeRun<'_>,
    ) -> Result<(), CatalogError> {
        let sql = "INSERT INTO describe_run (run_id, finished, heuristics, heuristics_digest, \
                   weights_digest, heuristics_text, weights_text) VALUES ($1, 0, $2, $3, $4, $5, $6)";
        let sql = Sql::new(sql)
            .bind(run)
            .bind(new.heuristics)
            .bind(new.heuristics_digest)
            .bind(new.weights_digest)
            .bind(new.heuristics_text)
            .bind(new.weights_text);
        let mut session = self.engine.begin().await?;
        session.execute(sql).await?;
        Ok(session.commit().await?)
    }

    /// Notes that a run described everything, and counts what it said; it is the current one from now on.
    pub async fn finish_describe_run(&self, run: RunId) -> Result<(), CatalogError> {
        let sql = "UPDATE describe_run SET finished = 1, \
                   turn = (SELECT COALESCE(MAX(turn), 0) + 1 FROM describe_run), \
                   documents = (SELECT COUNT(*) FROM description WHERE run_id = $1), \
                   statements = (SELECT COUNT(*) FROM statement WHERE run_id = $1) \
                   WHERE run_id = $1";
        let mut session = self.engine.begin().await?;
        session.execute(Sql::new(sql).bind(run)).await?;
        Ok(session.commit().await?)
    }

    /// All runs, newest first.
    pub async fn describe_runs(&self) -> Result<Vec<DescribeRun>, CatalogError> {
        let sql = "SELECT d.run_id, r.started, r.ended, d.finished, d.heuristics, \
                   d.heuristics_digest, d.weights_digest, COALESCE(d.documents, \
                   (SELECT COUNT(*) FROM description n WHERE n.run_id = d.run_id)), \
                   COALESCE(d.statements, \
                   (SELECT COUNT(*) FROM statement n WHERE n.run_id = d.run_id)), \
                   CASE WHEN d.turn = (SELECT MAX(turn) FROM describe_run) \
                   THEN CAST(1 AS BIGINT) ELSE 0 END \
                   FROM describe_run d JOIN run r ON r.id = d.run_id ORDER BY d.run_id DESC";
        let rows = self.engine.reader().await?.rows(Sql::new(sql)).await?;
        rows.into_iter().map(|mut row| read_run(&mut row)).collect()
    }

    /// The heuristics and weights of a run.
    pub async fn describe_texts(&self, run: RunId) -> Result<Option<DescribeTexts>, CatalogError> {
        let sql = "SELECT heuristics_text, weights_text FROM describe_run WHERE run_id = $1";
        let row = self.engine.reader().await?.row(Sql::new(sql).bind(run)).await?;
        row.map(|mut row| Ok(DescribeTexts { heuristics: row.text()?, weights: row.maybe_text()? }))
            .transpose()
    }

    /// The run that reached its end last. It need not be the newest: a run may be continued after
    /// others were made.
    pub async fn current_describe_run(&self) -> Result<Option<RunId>, CatalogError> {
        let sql = "SELECT run_id FROM describe_run WHERE finished = 1 ORDER BY turn DESC LIMIT 1";
        self.one_run(Sql::new(sql)).await
    }

    /// The newest run with these heuristics and weights that did not reach the end: it can go on.
    pub async fn unfinished_describe_run(
        &self,
        heuristics_digest: &str,
        weights_digest: &str,
    ) -> Result<Option<RunId>, CatalogError> {
        let sql = "SELECT MAX(run_id) FROM describe_run WHERE finished = 0 \
                   AND heuristics_digest = $1 AND weights_digest = $2";
        self.one_run(Sql::new(sql).bind(heuristics_digest).bind(weights_digest)).await
    }

    async fn one_run(&self, sql: Sql) -> Result<Option<RunId>, CatalogError> {
        let row = self.engine.reader().await?.row(sql).await?;
        Ok(row.map_or(Ok(None), |mut row| row.maybe_number())?.map(RunId))
    }

    /// Takes out a run with all it said; whether there was one. Marks stay, and the start of the
    /// stage stays among the runs.
    pub async fn remove_describe_run(&self, run: RunId) -> Result<bool, CatalogError> {
        let mut session = self.engine.begin().await?;
        for sql in [
            "DELETE FROM citation WHERE run_id = $1",
            "DELETE FROM statement WHERE run_id = $1",
            "DELETE FROM description WHERE run_id = $1",
            "UPDATE mark SET run_id = NULL WHERE run_id = $1",
        ] {
            session.execute(Sql::new(sql).bind(run)).await?;
        }
        let sql = Sql::new("DELETE FROM describe_run WHERE run_id = $1").bind(run);
        let removed = session.execute(sql).await? > 0;
        session.commit().await?;
        Ok(removed)
    }
}

fn read_run(row: &mut Fields) -> Result<DescribeRun, CatalogError> {
    Ok(DescribeRun {
        run: RunId(row.number()?),
        started: Timestamp(row.number()?),
        ended: row.maybe_number()?.map(Timestamp),
        finished: row.number()? != 0,
        heuristics: row.text()?,
        heuristics_digest: row.text()?,
        weights_digest: row.text()?,
        documents: row.count()?,
        statements: row.count()?,
        current: row.number()? != 0,
    })
}
