//! The crew: workers that crawl one harvest together, or do another stage, each known by its name.
//!
//! A worker says again and again that it is alive and what it does; with each word its leases are
//! renewed. Who has said nothing for the time of a lease counts as dead, and its servers can be leased
//! by others. A name belongs to one directory, because the archive files of its worker lie there. A
//! process that takes the name again gets a higher *incarnation*; whoever had the name before is
//! refused from then on, and so are the commits of its run.
//!
//! A worker without work waits. The crawl is over when all wait and nothing can be leased.

use crate::engine::{Dialect, Session, Sql};
use crate::group::free_groups;
use crate::{Catalog, CatalogError};
use auslese_model::{RunId, ServerId, Timestamp};
use std::fmt;

/// What a worker does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing {
    /// It reads what earlier runs have left.
    Starting,
    Working,
    /// It has nothing to do as long as others find nothing for it.
    Waiting,
    /// It has ended by itself.
    Ended,
}

impl Doing {
    pub fn as_str(self) -> &'static str {
        match self {
            Doing::Starting => "starting",
            Doing::Working => "working",
            Doing::Waiting => "waiting",
            Doing::Ended => "ended",
        }
    }

    fn parse(text: &str) -> Doing {
        let all = [Doing::Starting, Doing::Waiting, Doing::Ended];
        all.into_iter().find(|doing| doing.as_str() == text).unwrap_or(Doing::Working)
    }
}

impl fmt::Display for Doing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A process that wants to be a worker.
#[derive(Debug, Clone, Copy)]
pub struct Joining<'a> {
    pub name: &'a str,
    /// What it is going to do, such as `crawl`.
    pub stage: &'a str,
    /// Tells its directory from all others.
    pub identity: &'a str,
    pub machine: &'a str,
    pub process: u32,
    pub now: Timestamp,
    pub alive_until: Timestamp,
}

/// A place in the crew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Joined {
    pub incarnation: i64,
    /// No other worker is alive.
    pub is_first: bool,
}

/// What a worker says of itself.
#[derive(Debug, Clone, Copy)]
pub struct Heartbeat<'a> {
    pub worker: &'a str,
    pub incarnation: i64,
    pub now: Timestamp,
    /// How long its leases hold from now on.
    pub until: Timestamp,
    pub doing: Doing,
    pub run: RunId,
    /// Of this run.
    pub captures: u64,
    pub bytes: u64,
    /// Its numbers as JSON, for those who watch.
    pub numbers: &'a str,
}

/// What a worker sees when it looks around.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outlook {
    /// Other workers that are alive and do something.
    pub busy: u64,
    /// Other workers that wait for work.
    pub waiting: u64,
    /// Workers that stopped without a word, ever.
    pub died: u64,
    /// Servers that could be leased now or soon, up to [`Outlook::MOST`].
    pub free: u64,
    /// Whether servers that are leased have requests their worker has not heard of.
    pub unheard: bool,
    /// Own servers with requests that others have found.
    pub news: Vec<ServerId>,
    /// Captures and bytes of the whole harvest.
    pub captures: u64,
    pub bytes: u64,
}

impl Outlook {
    /// Free servers are counted up to this.
    pub const MOST: u64 = 10_000;

    /// Whether nobody has anything to do, now or soon.
    pub fn is_over(&self) -> bool {
        self.busy == 0 && self.free == 0 && !self.unheard && self.news.is_empty()
    }
}

/// A worker as others see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worker {
    pub name: String,
    /// What it is at, such as `crawl`.
    pub stage: String,
    pub machine: String,
    pub process: i64,
    pub run: Option<RunId>,
    pub started: Timestamp,
    pub heartbeat: Timestamp,
    pub alive_until: Timestamp,
    pub doing: Doing,
    /// Of its last run.
    pub captures: u64,
    pub bytes: u64,
    /// Servers that it has leased.
    pub servers: u64,
    /// Its numbers as JSON; empty if it has told none.
    pub numbers: String,
}

impl Worker {
    pub fn is_alive(&self, now: Timestamp) -> bool {
        self.doing != Doing::Ended && self.alive_until >= now
    }
}

impl Catalog {
    /// Takes a name, and ends the runs that its last process left open.
    pub async fn join(&self, joining: Joining<'_>) -> Result<Joined, CatalogError> {
        let mut session = self.engine.begin().await?;
        refuse_taken(&mut session, &joining).await?;
        let sql = "INSERT INTO worker (name, identity, incarnation, machine, process, started, \
                   heartbeat, alive_until, doing, stage) \
                   VALUES ($1, $2, 1, $3, $4, $5, $5, $6, $7, $8) \
                   ON CONFLICT (name) DO UPDATE SET incarnation = worker.incarnation + 1, \
                   stage = excluded.stage, \
                   machine = excluded.machine, process = excluded.process, run_id = NULL, \
                   started = excluded.started, heartbeat = excluded.heartbeat, \
                   alive_until = excluded.alive_until, doing = excluded.doing, captures = 0, \
                   bytes = 0, numbers = '' RETURNING incarnation";
        let sql = Sql::new(sql)
            .bind(joining.name)
            .bind(joining.identity)
            .bind(joining.machine)
            .bind(joining.process)
            .bind(joining.now)
            .bind(joining.alive_until)
            .bind(Doing::Starting.as_str())
            .bind(joining.stage);
        let incarnation = match session.row(sql).await? {
            Some(mut row) => row.number()?,
            None => return Err(CatalogError::damaged("a worker has no row")),
        };
        let sql = "UPDATE run SET ended = $1, outcome = 'died' \
                   WHERE worker = $2 AND stage = 'crawl' AND ended IS NULL";
        session.execute(Sql::new(sql).bind(joining.now).bind(joining.name)).await?;
        // What its last process had goes back; that one may write nothing more.
        let sql = "UPDATE stage_batch SET leased_by = NULL, leased_until = NULL \
                   WHERE leased_by = $1 AND done = 0";
        session.execute(Sql::new(sql).bind(joining.name)).await?;
        let others = others(&mut session, joining.name, joining.now).await?;
        session.commit().await?;
        Ok(Joined { incarnation, is_first: others.busy + others.waiting == 0 })
    }

    /// Says that a worker is alive, and renews its leases; returns the servers it has, with the epochs
    /// of their leases. A server whose address another worker has by now is lost with it.
    pub async fn heartbeat(
        &self,
        beat: Heartbeat<'_>,
    ) -> Result<Vec<(ServerId, i64)>, CatalogError> {
        let mut session = self.engine.begin().await?;
        let sql = "UPDATE worker SET heartbeat = $1, alive_until = $2, doing = $3, run_id = $4, \
                   captures = $5, bytes = $6, numbers = $7 WHERE name = $8 AND incarnation = $9";
        let sql = Sql::new(sql)
            .bind(beat.now)
            .bind(beat.until)
            .bind(beat.doing.as_str())
            .bind(beat.run)
            .bind(beat.captures)
            .bind(beat.bytes)
            .bind(beat.numbers)
            .bind(beat.worker)
            .bind(beat.incarnation);
        if session.execute(sql).await? == 0 {
            return Err(CatalogError::Replaced { worker: beat.worker.to_owned() });
        }
        let held = renew(&mut session, &beat).await?;
        session.commit().await?;
        Ok(held)
    }

    /// Looks what the others do and what there is to do; requests found by others count as heard of
    /// from now on.
    pub async fn look_around(
        &self,
        worker: &str,
        now: Timestamp,
        due: Timestamp,
    ) -> Result<Outlook, CatalogError> {
        let mut session = self.engine.begin().await?;
        let order = match session.dialect() {
            Dialect::Sqlite => "",
            Dialect::Postgres => " ORDER BY server_id FOR NO KEY UPDATE",
        };
        let sql = format!(
            "UPDATE server_queue SET news = 0 WHERE server_id IN (SELECT server_id \
             FROM server_queue WHERE leased_by = $1 AND news = 1{order}) RETURNING server_id"
        );
        let rows = session.rows(Sql::new(sql).bind(worker)).await?;
        let news = rows.into_iter().map(|mut row| row.number().map(ServerId));
        let news = news.collect::<Result<Vec<_>, _>>()?;
        if !news.is_empty() {
            note_work(&mut session, worker).await?;
        }
        session.commit().await?;
        // In this order: what a worker has committed before it says that it waits is seen.
        let mut session = self.engine.reader().await?;
        let mut outlook = others(&mut session, worker, now).await?;
        outlook.news = news;
        let sql = format!(
            "SELECT COUNT(*) FROM (SELECT 1 FROM server_queue q WHERE q.idle = 0 \
             AND q.next_at <= $2 AND (q.leased_by IS NULL OR q.leased_until < $1) \
             AND EXISTS (SELECT 1 FROM request r WHERE r.server_id = q.server_id \
             AND r.state = 'queued' AND r.not_before <= $2) LIMIT {}) free",
            Outlook::MOST
        );
        let row = session.row(Sql::new(sql).bind(now).bind(due)).await?;
        outlook.free = row.map_or(Ok(0), |mut row| row.count())?;
        let sql = "SELECT COUNT(*) FROM server_queue WHERE leased_by IS NOT NULL AND news = 1";
        let row = session.row(Sql::new(sql)).await?;
        outlook.unheard = row.map_or(Ok(0), |mut row| row.count())? > 0;
        let sql = "SELECT CAST(COALESCE(SUM(captures), 0) AS BIGINT), \
                   CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM tally WHERE kind = 'status'";
        if let Some(mut row) = session.row(Sql::new(sql)).await? {
            (outlook.captures, outlook.bytes) = (row.count()?, row.count()?);
        }
        Ok(outlook)
    }

    /// Ends a worker; returns whether no other one is alive.
    pub async fn leave(
        &self,
        worker: &str,
        incarnation: i64,
        now: Timestamp,
    ) -> Result<bool, CatalogError> {
        let mut session = self.engine.begin().await?;
        let sql = "UPDATE worker SET doing = $1, heartbeat = $2, alive_until = $2 \
                   WHERE name = $3 AND incarnation = $4";
        let sql = Sql::new(sql).bind(Doing::Ended.as_str()).bind(now).bind(worker);
        session.execute(sql.bind(incarnation)).await?;
        let others = others(&mut session, worker, now).await?;
        session.commit().await?;
        Ok(others.busy + others.waiting == 0)
    }

    /// All workers there ever were, by name.
    pub async fn workers(&self) -> Result<Vec<Worker>, CatalogError> {
        let sql = "SELECT w.name, w.machine, w.process, w.run_id, w.started, w.heartbeat, \
                   w.alive_until, w.doing, w.captures, w.bytes, w.stage, \
                   (SELECT COUNT(*) FROM server_queue q WHERE q.leased_by = w.name), w.numbers \
                   FROM worker w ORDER BY w.name";
        let rows = self.engine.reader().await?.rows(Sql::new(sql)).await?;
        rows.into_iter()
            .map(|mut row| {
                Ok(Worker {
                    name: row.text()?,
                    machine: row.text()?,
                    process: row.number()?,
                    run: row.maybe_number()?.map(RunId),
                    started: Timestamp(row.number()?),
                    heartbeat: Timestamp(row.number()?),
                    alive_until: Timestamp(row.number()?),
                    doing: Doing::parse(&row.text()?),
                    captures: row.count()?,
                    bytes: row.count()?,
                    stage: row.text()?,
                    servers: row.count()?,
                    numbers: row.text()?,
                })
            })
            .collect()
    }

    /// What the clock of the database shows. Leases of several machines go by this one clock.
    pub async fn time(&self) -> Result<Timestamp, CatalogError> {
        let mut session = self.engine.reader().await?;
        if session.dialect() == Dialect::Sqlite {
            return Ok(Timestamp::now());
        }
        let sql = "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)";
        let row = session.row(Sql::new(sql)).await?;
        Ok(row.map_or(Ok(Timestamp::now()), |mut row| row.number().map(Timestamp))?)
    }
}

async fn refuse_taken(session: &mut Session, joining: &Joining<'_>) -> Result<(), CatalogError> {
    let sql = "SELECT identity, machine, alive_until, doing FROM worker WHERE name = $1";
    let Some(mut row) = session.row(Sql::new(sql).bind(joining.name)).await? else {
        return Ok(());
    };
    let (identity, machine) = (row.text()?, row.text()?);
    let is_alive = row.number()? >= joining.now.0 && row.text()? != Doing::Ended.as_str();
    // Its own directory may have moved, or its machine may have got another name meanwhile.
    let is_other = identity != joining.identity || (machine != joining.machine && is_alive);
    match is_other {
        true => Err(CatalogError::NameTaken { worker: joining.name.to_owned(), machine }),
        false => Ok(()),
    }
}

async fn others(
    session: &mut Session,
    worker: &str,
    now: Timestamp,
) -> Result<Outlook, CatalogError> {
    let sql = "SELECT doing, CAST(CASE WHEN alive_until >= $2 THEN 1 ELSE 0 END AS BIGINT), COUNT(*) FROM worker \
               WHERE name <> $1 AND doing <> 'ended' AND stage = COALESCE((SELECT w.stage FROM worker w \
               WHERE w.name = $1), 'crawl') GROUP BY 1, 2";
    let mut outlook = Outlook::default();
    for mut row in session.rows(Sql::new(sql).bind(worker).bind(now)).await? {
        let (doing, is_alive) = (Doing::parse(&row.text()?), row.number()? != 0);
        let count = row.count()?;
        match (is_alive, doing) {
            (false, _) => outlook.died += count,
            (true, Doing::Waiting) => outlook.waiting += count,
            (true, _) => outlook.busy += count,
        }
    }
    Ok(outlook)
}

/// A worker that was waiting has something to do.
pub(crate) async fn note_work(session: &mut Session, worker: &str) -> Result<(), CatalogError> {
    let sql = "UPDATE worker SET doing = 'working' WHERE name = $1 AND doing = 'waiting'";
    session.execute(Sql::new(sql).bind(worker)).await?;
    Ok(())
}

async fn renew(
    session: &mut Session,
    beat: &Heartbeat<'_>,
) -> Result<Vec<(ServerId, i64)>, CatalogError> {
    if session.dialect() == Dialect::Postgres {
        // Servers before addresses, and those by number, as everywhere: nobody waits in a circle.
        let sql = "SELECT server_id FROM server_queue WHERE leased_by = $1 \
                   ORDER BY server_id FOR NO KEY UPDATE";
        session.rows(Sql::new(sql).bind(beat.worker)).await?;
    }
    let sql = "UPDATE politeness_group SET leased_until = $1 WHERE leased_by = $2";
    session.execute(Sql::new(sql).bind(beat.until).bind(beat.worker)).await?;
    let lost = "UPDATE server_queue SET leased_by = NULL, leased_until = NULL \
                WHERE leased_by = $1 AND EXISTS (SELECT 1 FROM politeness_group g \
                WHERE g.address = server_queue.address AND g.leased_by <> $1)";
    session.execute(Sql::new(lost).bind(beat.worker)).await?;
    let sql = "UPDATE server_queue SET leased_until = $1 WHERE leased_by = $2 \
               RETURNING server_id, epoch";
    let rows = session.rows(Sql::new(sql).bind(beat.until).bind(beat.worker)).await?;
    let held = rows.into_iter().map(|mut row| Ok((ServerId(row.number()?), row.number()?)));
    let held = held.collect::<Result<Vec<_>, sqlx::Error>>()?;
    free_groups(session, beat.worker).await?;
    Ok(held)
}
