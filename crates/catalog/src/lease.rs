//! Leases: servers lent to workers.
//!
//! Work is given out by server: whoever leases a server may send it requests, nobody else. A lease
//! runs out unless it is renewed, so that the servers of a worker that died return by themselves;
//! its last request may have been sent without leaving a trace here, so the next one waits a full
//! delay.
//!
//! Servers whose queue was found empty are marked idle and not looked at again until requests for
//! them arrive: most servers of a long crawl are finished.

use crate::batch::{SERVERS_AT_ONCE, server_places};
use crate::engine::{Dialect, Session, Sql};
use crate::queue::{due_requests, set_aside};
use crate::server::{read_clock, read_origins, read_robots};
use crate::{Catalog, CatalogError};
use auslese_model::{Lease, Pending, ServerId, Timestamp, WarcProgress};
use std::collections::HashMap;
use std::time::Duration;

/// What a worker asks for.
#[derive(Debug, Clone, Copy)]
pub struct LeaseTerms<'a> {
    pub worker: &'a str,
    /// How many servers at most.
    pub servers: usize,
    /// How many requests of each at most.
    pub per_server: usize,
    pub now: Timestamp,
    /// Servers and requests whose time comes until then count as due; `now` or a little later.
    pub due: Timestamp,
    /// When the leases run out, unless they are renewed.
    pub until: Timestamp,
}

/// Whose leases are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leases<'a> {
    /// Everyone's: for a crawl that has the harvest to itself.
    All,
    Of(&'a str),
}

/// What a crawl finds when it starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recovered {
    /// Servers that were still leased: the last crawl did not end by itself.
    pub leased: Vec<ServerId>,
    /// All WARC files, with their committed lengths.
    pub warcs: Vec<WarcProgress>,
}

impl Recovered {
    pub fn unclean(&self) -> bool {
        !self.leased.is_empty()
    }
}

impl Catalog {
    /// Leases servers that have requests to send, those that have waited longest first.
    pub async fn lease_servers(&self, terms: LeaseTerms<'_>) -> Result<Vec<Lease>, CatalogError> {
        let mut session = self.engine.begin().await?;
        let mut leases = Vec::new();
        let mut last = (Timestamp(i64::MIN), ServerId(i64::MIN));
        while leases.len() < terms.servers {
            let wanted = (terms.servers - leases.len()).min(SERVERS_AT_ONCE);
            let candidates = free_servers(&mut session, &terms, last).await?;
            let Some(end) = candidates.last() else { break };
            last = *end;
            let servers: Vec<ServerId> = candidates.into_iter().map(|(_, server)| server).collect();
            let (mut queues, broken) =
                due_requests(&mut session, &servers, terms.due, terms.per_server + 1).await?;
            set_aside(&mut session, &broken).await?;
            let (mut ready, empty): (Vec<ServerId>, Vec<ServerId>) =
                servers.into_iter().partition(|server| queues.contains_key(server));
            mark_idle(&mut session, &empty).await?;
            ready.truncate(wanted);
            leases.extend(take_leases(&mut session, &terms, &ready, &mut queues).await?);
        }
        session.commit().await?;
        Ok(leases)
    }

    /// Renews all leases of a worker; returns how many it has.
    pub async fn heartbeat(&self, worker: &str, until: Timestamp) -> Result<u64, CatalogError> {
        let mut session = self.engine.begin().await?;
        let sql = "UPDATE server_queue SET leased_until = $1 WHERE leased_by = $2";
        let renewed = session.execute(Sql::new(sql).bind(until).bind(worker)).await?;
        session.commit().await?;
        Ok(renewed)
    }

    /// Returns servers; those that another worker has leased meanwhile stay with that one.
    pub async fn release(&self, worker: &str, servers: &[ServerId]) -> Result<(), CatalogError> {
        let sql = format!(
            "UPDATE server_queue SET leased_by = NULL, leased_until = NULL \
             WHERE leased_by = $1 AND server_id IN ({})",
            server_places(2)
        );
        let mut session = self.engine.begin().await?;
        for some in servers.chunks(SERVERS_AT_ONCE) {
            session.execute(Sql::new(sql.clone()).bind(worker).bind_servers(some)).await?;
        }
        Ok(session.commit().await?)
    }

    /// Clears the leases a crawl left behind when it died. Their servers get no request before a
    /// full delay, at least `delay`, has passed: the last request may have been sent just now.
    pub async fn recover(
        &self,
        leases: Leases<'_>,
        now: Timestamp,
        delay: Duration,
    ) -> Result<Recovered, CatalogError> {
        let (whose, worker) = match leases {
            Leases::All => ("leased_by IS NOT NULL AND $3 = ''", ""),
            Leases::Of(worker) => ("leased_by = $3", worker),
        };
        let sql = format!(
            "UPDATE server_queue SET leased_by = NULL, leased_until = NULL, next_at = {} \
             WHERE {whose} RETURNING server_id",
            pushed_back("$1", "$2")
        );
        let mut session = self.engine.begin().await?;
        let rows = session.rows(Sql::new(sql).bind(now).bind(delay).bind(worker)).await?;
        let mut leased = rows
            .into_iter()
            .map(|mut row| row.number().map(ServerId))
            .collect::<Result<Vec<_>, _>>()?;
        leased.sort_unstable();
        let warcs = read_warcs(&mut session).await?;
        session.commit().await?;
        Ok(Recovered { leased, warcs })
    }

    /// All WARC files, with their committed lengths.
    pub async fn warcs(&self) -> Result<Vec<WarcProgress>, CatalogError> {
        read_warcs(&mut self.engine.reader().await?).await
    }
}

/// The time of a server after its lease was broken off: one full delay from `now` on.
fn pushed_back(now: &str, at_least_ms: &str) -> String {
    let delay = format!("CASE WHEN delay_ms > {at_least_ms} THEN delay_ms ELSE {at_least_ms} END");
    let earliest = format!("{now} + 1000 * ({delay})");
    format!("CASE WHEN next_at > {earliest} THEN next_at ELSE {earliest} END")
}

/// The next servers nobody has leased and whose time has come, with that time.
async fn free_servers(
    session: &mut Session,
    terms: &LeaseTerms<'_>,
    (last_at, last_server): (Timestamp, ServerId),
) -> Result<Vec<(Timestamp, ServerId)>, CatalogError> {
    // Workers that lease at the same moment skip each other's candidates. SQLite has one writer.
    let lock = match session.dialect() {
        Dialect::Sqlite => "",
        Dialect::Postgres => " FOR UPDATE SKIP LOCKED",
    };
    let sql = format!(
        "SELECT next_at, server_id FROM server_queue \
         WHERE idle = 0 AND next_at <= $1 AND (leased_by IS NULL OR leased_until < $2) \
         AND (next_at, server_id) > ($3, $4) \
         ORDER BY next_at, server_id LIMIT $5{lock}"
    );
    let sql = Sql::new(sql)
        .bind(terms.due)
        .bind(terms.now)
        .bind(last_at)
        .bind(last_server)
        .bind(SERVERS_AT_ONCE);
    let rows = session.rows(sql).await?;
    rows.into_iter()
        .map(|mut row| Ok((Timestamp(row.number()?), ServerId(row.number()?))))
        .collect()
}

/// Marks those servers idle that have nothing queued at all. (Others have requests whose time has
/// not come.) It looks again, because requests may have arrived since the candidates were listed;
/// the servers are locked, so no more arrive now.
async fn mark_idle(session: &mut Session, servers: &[ServerId]) -> Result<(), CatalogError> {
    if servers.is_empty() {
        return Ok(());
    }
    let sql = format!(
        "UPDATE server_queue SET idle = 1 WHERE server_id IN ({}) AND NOT EXISTS \
         (SELECT 1 FROM request r WHERE r.server_id = server_queue.server_id \
          AND r.state = 'queued')",
        server_places(1)
    );
    session.execute(Sql::new(sql).bind_servers(servers)).await?;
    Ok(())
}

async fn take_leases(
    session: &mut Session,
    terms: &LeaseTerms<'_>,
    servers: &[ServerId],
    queues: &mut HashMap<ServerId, Vec<Pending>>,
) -> Result<Vec<Lease>, CatalogError> {
    if servers.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "UPDATE server_queue SET leased_by = $1, leased_until = $2, epoch = epoch + 1, \
         next_at = CASE WHEN leased_by IS NULL THEN next_at ELSE {} END \
         WHERE server_id IN ({}) RETURNING server_id, address, last_end, next_at, delay_ms, \
         failures, epoch, captures, bytes",
        pushed_back("$3", "0"),
        server_places(4)
    );
    let sql = Sql::new(sql).bind(terms.worker).bind(terms.until).bind(terms.now);
    let rows = session.rows(sql.bind_servers(servers)).await?;
    let mut origins = read_origins(session, servers).await?;
    let mut robots = read_robots(session, servers).await?;

    let mut leases = HashMap::new();
    for mut row in rows {
        let server = ServerId(row.number()?);
        let clock = read_clock(&mut row, server)?;
        let (epoch, captures, bytes) = (row.number()?, row.count()?, row.count()?);
        let (origin, label) = origins
            .remove(&server)
            .ok_or_else(|| CatalogError::damaged(format!("server {} has no name", server.0)))?;
        let mut pending = queues.remove(&server).unwrap_or_default();
        let more = pending.len() > terms.per_server;
        pending.truncate(terms.per_server);
        let robots = robots.remove(&server);
        leases.insert(
            server,
            Lease { server, origin, label, clock, epoch, robots, pending, more, captures, bytes },
        );
    }
    Ok(servers.iter().filter_map(|server| leases.remove(server)).collect())
}

async fn read_warcs(session: &mut Session) -> Result<Vec<WarcProgress>, CatalogError> {
    let sql = "SELECT name, length, records, closed FROM warc_file ORDER BY name";
    let rows = session.rows(Sql::new(sql)).await?;
    rows.into_iter()
        .map(|mut row| {
            Ok(WarcProgress {
                file: row.text()?,
                length: row.count()?,
                records: row.count()?,
                closed: row.number()? != 0,
            })
        })
        .collect()
}
