//! Batches lent to workers.
//!
//! A lease runs out unless it is renewed, by the clock of the database, so that the batches of a worker
//! that died return by themselves. It has an epoch, which grows with every lease of the batch. Whatever
//! a worker writes for a batch is written through a [fenced](Catalog::fenced) catalog: each transaction
//! makes sure, before anything else, that the batch is still lent under this epoch, and nobody can lease
//! it before the transaction has ended. So what a worker brings that has lost its batch is refused as a
//! whole.

use super::clock;
use crate::engine::{Dialect, Engine, Session, Sql};
use crate::{Catalog, CatalogError, Doing};
use auslese_model::RunId;
use std::sync::Arc;
use std::time::Duration;

/// A part of a phase, lent to a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StageBatch {
    pub work: i64,
    pub phase: i64,
    pub number: i64,
    /// The first and the last row it is about.
    pub first: i64,
    pub last: i64,
    pub items: u64,
    pub epoch: i64,
}

/// Who wants a batch.
#[derive(Debug, Clone, Copy)]
pub struct BatchTerms<'a> {
    pub work: i64,
    pub worker: &'a str,
    pub lease: Duration,
}

/// What there is to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Taken {
    Batch(StageBatch),
    /// Others have what is left of the phase.
    Wait,
    /// The phase is done.
    PhaseDone(i64),
    /// The work is over, or was begun anew by somebody else.
    Over,
}

/// Under which lease something is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchFence {
    work: i64,
    phase: i64,
    number: i64,
    epoch: i64,
    worker: String,
}

impl StageBatch {
    pub fn fence(&self, worker: &str) -> BatchFence {
        let StageBatch { work, phase, number, epoch, .. } = *self;
        BatchFence { work, phase, number, epoch, worker: worker.to_owned() }
    }
}

/// What a worker at a stage says of itself.
#[derive(Debug, Clone, Copy)]
pub struct StageBeat<'a> {
    pub worker: &'a str,
    pub incarnation: i64,
    pub lease: Duration,
    pub doing: Doing,
    pub work: i64,
    pub run: Option<RunId>,
    /// What it has done of the phase.
    pub items: u64,
    /// Its numbers as JSON, for those who watch.
    pub numbers: &'a str,
}

impl Catalog {
    /// The same catalog, in which everything is written under a lease.
    pub fn fenced(&self, fence: BatchFence) -> Catalog {
        let (engine, fence) = (Box::new(self.engine.clone()), Arc::new(fence));
        self.with_engine(Engine::Fenced { engine, fence, result: None })
    }

    /// The same catalog; if it is fenced, the batch ends together with the next thing that is written,
    /// whole or not at all. More cannot be written then.
    pub fn and_finish(&self, result: &str) -> Catalog {
        match &self.engine {
            Engine::Fenced { engine, fence, .. } => self.with_engine(Engine::Fenced {
                engine: engine.clone(),
                fence: fence.clone(),
                result: Some(result.into()),
            }),
            _ => self.clone(),
        }
    }

    /// Leases the next batch that nobody has. A batch of which a worker has an index already is for that
    /// one, unless it has died. If it has ended, its index is there and the batch stays as it is: the phase is done
    /// without it, after the time of a lease in which it might have come.
    pub async fn take_batch(&self, terms: BatchTerms<'_>) -> Result<Taken, CatalogError> {
        let mut session = self.engine.begin().await?;
        let sql = "SELECT phase FROM stage_work WHERE number = $1 AND ended IS NULL";
        let Some(mut row) = session.row(Sql::new(sql).bind(terms.work)).await? else {
            return Ok(Taken::Over);
        };
        let phase = row.number()?;
        let (now, skip) = match session.dialect() {
            Dialect::Sqlite => (clock(Dialect::Sqlite), ""),
            Dialect::Postgres => (clock(Dialect::Postgres), " FOR UPDATE SKIP LOCKED"),
        };
        let sql = format!(
            "UPDATE stage_batch SET leased_by = $3, leased_until = {now} + $4, epoch = epoch + 1 \
             WHERE work = $1 AND phase = $2 AND number = (SELECT b.number FROM stage_batch b \
             WHERE b.work = $1 AND b.phase = $2 AND b.done = 0 \
             AND (b.leased_by IS NULL OR b.leased_until < {now}) \
             AND (b.owner IS NULL OR b.owner = $3 OR EXISTS (SELECT 1 FROM worker o \
              WHERE o.name = b.owner AND o.doing <> 'ended' AND o.alive_until < {now})) \
             ORDER BY CASE WHEN b.owner = $3 THEN 0 ELSE 1 END, b.number LIMIT 1{skip}) \
             RETURNING number, first_id, last_id, items, epoch"
        );
        let sql = Sql::new(sql)
            .bind(terms.work)
            .bind(phase)
            .bind(terms.worker)
            .bind(microseconds(terms.lease));
        if let Some(mut row) = session.row(sql).await? {
            let batch = StageBatch {
                work: terms.work,
                phase,
                number: row.number()?,
                first: row.number()?,
                last: row.number()?,
                items: row.count()?,
                epoch: row.number()?,
            };
            session.commit().await?;
            return Ok(Taken::Batch(batch));
        }
        let sql = format!(
            "SELECT COUNT(*) FROM (SELECT 1 FROM stage_batch b JOIN stage_work w \
             ON w.number = b.work WHERE b.work = $1 AND b.phase = $2 AND b.done = 0 \
             AND (b.owner IS NULL OR b.leased_by IS NOT NULL OR w.started + $3 >= {now} \
              OR EXISTS (SELECT 1 FROM worker o WHERE o.name = b.owner AND o.doing <> 'ended')) \
             LIMIT 1) open"
        );
        let sql = Sql::new(sql).bind(terms.work).bind(phase).bind(microseconds(terms.lease));
        let row = session.row(sql).await?;
        let is_open = row.map_or(Ok(0), |mut row| row.count())? > 0;
        Ok(if is_open { Taken::Wait } else { Taken::PhaseDone(phase) })
    }

    /// Notes that batches are done, with what is to be known of each; all of them or, if one was lost,
    /// none.
    pub async fn finish_batches(
        &self,
        worker: &str,
        batches: &[(StageBatch, String)],
    ) -> Result<(), CatalogError> {
        let mut session = self.engine.begin().await?;
        for (batch, result) in batches {
            finish_once(&mut session, &batch.fence(worker), result).await?;
        }
        Ok(session.commit().await?)
    }

    /// The same for ranges of the search index, which lie in the worker's own index from now on.
    pub async fn finish_ranges(
        &self,
        worker: &str,
        batches: &[(StageBatch, String)],
    ) -> Result<(), CatalogError> {
        let mut session = self.engine.begin().await?;
        let sql = "UPDATE index_range SET worker = $1 WHERE first_key = $2 AND last_key = $3";
        for (batch, result) in batches {
            finish_once(&mut session, &batch.fence(worker), result).await?;
            let sql = Sql::new(sql).bind(worker).bind(batch.first).bind(batch.last);
            session.execute(sql).await?;
        }
        Ok(session.commit().await?)
    }

    /// Gives back what a worker has of a work and has not done.
    pub async fn return_batches(&self, work: i64, worker: &str) -> Result<(), CatalogError> {
        let mut session = self.engine.begin().await?;
        let sql = "UPDATE stage_batch SET leased_by = NULL, leased_until = NULL \
                   WHERE work = $1 AND leased_by = $2 AND done = 0";
        session.execute(Sql::new(sql).bind(work).bind(worker)).await?;
        Ok(session.commit().await?)
    }

    /// Opens the batches again that a worker has done in a work, so that it compares them with what it
    /// has: it may have lost its index.
    pub async fn reopen_batches(&self, work: i64, worker: &str) -> Result<(), CatalogError> {
        let mut session = self.engine.begin().await?;
        let sql = "UPDATE stage_batch SET done = 0, result = '', leased_by = NULL, \
                   leased_until = NULL WHERE work = $1 AND leased_by = $2 AND done = 1";
        session.execute(Sql::new(sql).bind(work).bind(worker)).await?;
        Ok(session.commit().await?)
    }

    /// Says that a worker is alive, and renews its leases; returns the batches it has, each with its
    /// phase, number and epoch.
    pub async fn stage_heartbeat(
        &self,
        beat: StageBeat<'_>,
    ) -> Result<Vec<(i64, i64, i64)>, CatalogError> {
        let mut session = self.engine.begin().await?;
        let now = clock(session.dialect());
        let sql = format!(
            "UPDATE worker SET heartbeat = {now}, alive_until = {now} + $1, doing = $2, \
             run_id = $3, captures = $4, numbers = $5 WHERE name = $6 AND incarnation = $7"
        );
        let lease = microseconds(beat.lease);
        let sql = Sql::new(sql)
            .bind(lease)
            .bind(beat.doing.as_str())
            .bind(beat.run)
            .bind(beat.items)
            .bind(beat.numbers)
            .bind(beat.worker)
            .bind(beat.incarnation);
        if session.execute(sql).await? == 0 {
            return Err(CatalogError::Replaced { worker: beat.worker.to_owned() });
        }
        let sql = format!(
            "UPDATE stage_batch SET leased_until = {now} + $1 WHERE work = $2 AND leased_by = $3 \
             AND done = 0 RETURNING phase, number, epoch"
        );
        let sql = Sql::new(sql).bind(lease).bind(beat.work).bind(beat.worker);
        let rows = session.rows(sql).await?;
        let held =
            rows.into_iter().map(|mut row| Ok((row.number()?, row.number()?, row.number()?)));
        let held = held.collect::<Result<Vec<_>, sqlx::Error>>()?;
        session.commit().await?;
        Ok(held)
    }
}

/// Notes the end of a batch, if it is lent under this fence.
pub(crate) async fn finish_batch(
    session: &mut Session,
    fence: &BatchFence,
    result: &str,
) -> Result<(), sqlx::Error> {
    let sql = "UPDATE stage_batch SET done = 1, result = $1 WHERE work = $2 AND phase = $3 \
               AND number = $4 AND epoch = $5 AND leased_by = $6 AND done = 0";
    let sql = Sql::new(sql)
        .bind(result)
        .bind(fence.work)
        .bind(fence.phase)
        .bind(fence.number)
        .bind(fence.epoch)
        .bind(fence.worker.as_str());
    match session.execute(sql).await? {
        0 => Err(lost(fence)),
        _ => Ok(()),
    }
}

/// The same, but what was finished under this fence before stays so: perhaps the answer got lost.
async fn finish_once(
    session: &mut Session,
    fence: &BatchFence,
    result: &str,
) -> Result<(), CatalogError> {
    let sql = "SELECT number FROM stage_batch WHERE work = $1 AND phase = $2 AND number = $3 \
               AND epoch = $4 AND leased_by = $5 AND done = 1";
    let known = Sql::new(sql)
        .bind(fence.work)
        .bind(fence.phase)
        .bind(fence.number)
        .bind(fence.epoch)
        .bind(fence.worker.as_str());
    match session.row(known).await? {
        Some(_) => Ok(()),
        None => Ok(finish_batch(session, fence, result).await?),
    }
}

/// A fence that did not hold, on its way through the errors of the database.
#[derive(Debug, thiserror::Error)]
#[error("batch {number} was lost")]
pub(crate) struct FenceLost {
    pub(crate) number: i64,
}

/// Makes sure that a batch is lent under its fence, and stays so until the transaction has ended.
pub(crate) async fn check_fence(
    session: &mut Session,
    fence: &BatchFence,
) -> Result<(), sqlx::Error> {
    // Renewing the lease may go on beside this lock, leasing the batch may not.
    let lock = match session.dialect() {
        Dialect::Sqlite => "",
        Dialect::Postgres => " FOR KEY SHARE",
    };
    let sql = format!(
        "SELECT number FROM stage_batch WHERE work = $1 AND phase = $2 AND number = $3 \
         AND epoch = $4 AND leased_by = $5 AND done = 0{lock}"
    );
    let sql = Sql::new(sql)
        .bind(fence.work)
        .bind(fence.phase)
        .bind(fence.number)
        .bind(fence.epoch)
        .bind(fence.worker.as_str());
    match session.row(sql).await? {
        Some(_) => Ok(()),
        None => Err(lost(fence)),
    }
}

fn lost(fence: &BatchFence) -> sqlx::Error {
    sqlx::Error::Configuration(Box::new(FenceLost { number: fence.number }))
}

fn microseconds(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}
