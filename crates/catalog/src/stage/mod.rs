//! Stages after the crawl that several workers do together: the work, its phases, and who does which part.
//!
//! A work goes through phases, one after the other. A phase is divided into batches along the numbers of
//! rows; a phase that looks at everything at once is one batch. Batches are leased, see [`lease`]; the next phase is divided when the last batch of the one before is done, and
//! not earlier. Both happen in one transaction, so a phase is divided once, whoever sees its turn come.
//!
//! What is left of a work that nobody goes on with is not needed: every stage finds what is missing by
//! itself, so the next one to come divides that anew.

mod dividing;
mod lease;
mod shards;

pub use dividing::Division;
pub use lease::{BatchFence, BatchTerms, StageBatch, StageBeat, Taken};
pub use shards::{IndexRange, SHARD_BEYOND};

pub(crate) use lease::{FenceLost, check_fence, finish_batch};

use crate::catalog::take_numbers;
use crate::engine::{Dialect, Fields, Session, Sql};
use crate::{Catalog, CatalogError};
use auslese_model::{Algorithm, Digest, RunId, Timestamp};
use sha2::{Digest as _, Sha256};

/// The phase of a work that was not divided yet.
pub const BEFORE_ALL: i64 = 0;

/// A work that begins.
#[derive(Debug, Clone, Copy)]
pub struct NewStageWork<'a> {
    /// The stage's word, such as `describe`.
    pub stage: &'a str,
    pub run: Option<RunId>,
    /// The same for all who were asked for the same.
    pub job: &'a str,
    /// What all workers have to know.
    pub notes: &'a str,
}

/// A work as the catalog knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StageWork {
    pub number: i64,
    pub stage: String,
    pub run: Option<RunId>,
    pub job: String,
    pub notes: String,
    pub phase: i64,
    pub started: Timestamp,
    pub ended: Option<Timestamp>,
}

/// How far a phase is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PhaseProgress {
    pub phase: i64,
    /// Documents, bodies or whatever is counted.
    pub items: u64,
    pub done: u64,
    /// Of these, done by one worker.
    pub own: u64,
}

const WORK_COLUMNS: &str = "number, stage, run_id, job, notes, phase, started, ended";

impl Catalog {
    /// Begins a work; what was left of the last one of its stage goes.
    pub async fn begin_stage_work(&self, new: NewStageWork<'_>) -> Result<StageWork, CatalogError> {
        let mut session = self.engine.begin().await?;
        forget_works(&mut session, new.stage).await?;
        let number = take_numbers(&mut session, "stage", 1).await?;
        let sql = format!(
            "INSERT INTO stage_work (number, stage, run_id, job, notes, phase, started) \
             VALUES ($1, $2, $3, $4, $5, $6, {}) RETURNING {WORK_COLUMNS}",
            clock(session.dialect())
        );
        let sql = Sql::new(sql)
            .bind(number)
            .bind(new.stage)
            .bind(new.run)
            .bind(new.job)
            .bind(new.notes)
            .bind(BEFORE_ALL);
        let work = match session.row(sql).await? {
            Some(mut row) => read_work(&mut row)?,
            None => return Err(CatalogError::damaged("a work has no row")),
        };
        session.commit().await?;
        Ok(work)
    }

    /// The newest work of a stage, ended or not.
    pub async fn stage_work(&self, stage: &str) -> Result<Option<StageWork>, CatalogError> {
        let sql = format!(
            "SELECT {WORK_COLUMNS} FROM stage_work WHERE stage = $1 ORDER BY number DESC LIMIT 1"
        );
        let row = self.engine.reader().await?.row(Sql::new(sql).bind(stage)).await?;
        row.map(|mut row| read_work(&mut row)).transpose()
    }

    /// Notes that nothing is left to do; whether that was new.
    pub async fn end_stage_work(&self, work: i64) -> Result<bool, CatalogError> {
        let mut session = self.engine.begin().await?;
        let sql = format!(
            "UPDATE stage_work SET ended = {} WHERE number = $1 AND ended IS NULL",
            clock(session.dialect())
        );
        let is_new = session.execute(Sql::new(sql).bind(work)).await? > 0;
        session.commit().await?;
        Ok(is_new)
    }

    /// Goes on from a phase that is done to the next, and divides that; whether it was this call that
    /// did so. Nothing happens as long as a batch of the phase before is not done.
    pub async fn next_phase(
        &self,
        work: i64,
        from: i64,
        division: Division,
    ) -> Result<bool, CatalogError> {
        let mut session = self.engine.begin().await?;
        let sql = "UPDATE stage_work SET phase = $2 + 1 WHERE number = $1 AND phase = $2 \
                   AND NOT EXISTS (SELECT 1 FROM stage_batch b WHERE b.work = $1 AND b.phase = $2 \
                   AND b.done = 0)";
        if session.execute(Sql::new(sql).bind(work).bind(from)).await? == 0 {
            return Ok(false);
        }
        division.divide(&mut session, work, from + 1).await?;
        session.commit().await?;
        Ok(true)
    }

    /// How far the work is in its phase, in all and by one worker.
    pub async fn phase_progress(
        &self,
        work: i64,
        worker: &str,
    ) -> Result<PhaseProgress, CatalogError> {
        let sql = "SELECT w.phase, CAST(COALESCE(SUM(b.items), 0) AS BIGINT), \
                   CAST(COALESCE(SUM(b.items * b.done), 0) AS BIGINT), \
                   CAST(COALESCE(SUM(CASE WHEN b.leased_by = $2 THEN b.items * b.done END), 0) AS BIGINT) \
                   FROM stage_work w LEFT JOIN stage_batch b ON b.work = w.number \
                   AND b.phase = w.phase WHERE w.number = $1 GROUP BY w.phase";
        let row = self.engine.reader().await?.row(Sql::new(sql).bind(work).bind(worker)).await?;
        let Some(mut row) = row else { return Ok(PhaseProgress::default()) };
        Ok(PhaseProgress {
            phase: row.number()?,
            items: row.count()?,
            done: row.count()?,
            own: row.count()?,
        })
    }

    /// What was noted with the batches of a phase that are done, by number; and by whom.
    pub async fn batch_results(
        &self,
        work: i64,
        phase: i64,
    ) -> Result<Vec<(String, String)>, CatalogError> {
        let sql = "SELECT COALESCE(leased_by, ''), result FROM stage_batch \
                   WHERE work = $1 AND phase = $2 AND done = 1 ORDER BY number";
        let rows = self.engine.reader().await?.rows(Sql::new(sql).bind(work).bind(phase)).await?;
        rows.into_iter().map(|mut row| Ok((row.text()?, row.text()?))).collect()
    }
}

async fn forget_works(session: &mut Session, stage: &str) -> Result<(), CatalogError> {
    for sql in [
        "DELETE FROM stage_batch WHERE work IN (SELECT number FROM stage_work WHERE stage = $1)",
        "DELETE FROM stage_work WHERE stage = $1",
    ] {
        session.execute(Sql::new(sql).bind(stage)).await?;
    }
    Ok(())
}

fn read_work(row: &mut Fields) -> Result<StageWork, CatalogError> {
    Ok(StageWork {
        number: row.number()?,
        stage: row.text()?,
        run: row.maybe_number()?.map(RunId),
        job: row.text()?,
        notes: row.text()?,
        phase: row.number()?,
        started: Timestamp(row.number()?),
        ended: row.maybe_number()?.map(Timestamp),
    })
}

/// A short name for what workers were asked for, equal if it is the same.
pub fn job_digest(job: &str) -> String {
    let bytes = Sha256::digest(job).to_vec();
    Digest { algorithm: Algorithm::Sha256, bytes }.to_string()
}

/// What the clock of the database shows, in microseconds: leases of several machines go by this one.
pub(crate) fn clock(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite => "CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER)",
        Dialect::Postgres => "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)",
    }
}
