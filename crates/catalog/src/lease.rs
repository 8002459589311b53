//! Leases: servers lent to workers.
//!
//! Work is given out by server: whoever leases a server may send it requests, nobody else. A lease
//! runs out unless it is renewed, so that the servers of a worker that died return by themselves;
//! its last request may have been sent without leaving a trace here, so the next one waits a full
//! delay. Servers at one address are lent to one worker at a time, see [`crate::group`].
//!
//! Each lease has an epoch, which grows by one with every lease of the server. A worker that lost a
//! lease without noticing is recognised by it: see [`Catalog::commit_fenced`].
//!
//! Servers whose queue was found empty are marked idle and not looked at again until requests for
//! them arrive: most servers of a long crawl are finished.

use crate::batch::{SERVERS_AT_ONCE, server_places};
use crate::crew::note_work;
use crate::engine::{Dialect, Session, Sql};
use crate::group::{claim_groups, free_groups, group_holds, recover_groups};
use crate::queue::{due_requests, set_aside};
use crate::server::{read_clock, read_origins, read_robots};
use crate::{Catalog, CatalogError};
use auslese_model::{Lease, Pending, ServerId, Timestamp, WarcProgress};
use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

/// What a worker asks for.
#[derive(Debug, Clone, Copy)]
pub struct LeaseTerms<'a> {
    pub worker: &'a str,
    /// How many servers at most; those at an address that the worker has already come in addition.
    pub servers: usize,
    /// How many requests of each at most.
    pub per_server: usize,
    pub now: Timestamp,
    /// Servers and requests whose time comes until then count as due; `now` or a little later.
    pub due: Timestamp,
    /// When the leases run out, unless they are renewed.
    pub until: Timestamp,
    /// The least delay of a server whose last worker died.
    pub delay: Duration,
    /// Whether servers at one address are lent to one worker only.
    pub by_address: bool,
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
    /// The WARC files of those whose leases were recovered, with their committed lengths.
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
        if terms.by_address {
            look_through(&mut session, &terms, Candidates::AtOwnAddresses, &mut leases).await?;
        }
        look_through(&mut session, &terms, Candidates::All, &mut leases).await?;
        if !leases.is_empty() {
            note_work(&mut session, terms.worker).await?;
        }
        session.commit().await?;
        Ok(leases)
    }

    /// Returns servers; those that another worker has leased meanwhile stay with that one.
    pub async fn release(&self, worker: &str, servers: &[ServerId]) -> Result<(), CatalogError> {
        let sql = format!(
            "UPDATE server_queue SET leased_by = NULL, leased_until = NULL \
             WHERE leased_by = $1 AND server_id IN ({})",
            server_places(2)
        );
        let mut servers = servers.to_vec();
        servers.sort_unstable();
        let mut session = self.engine.begin().await?;
        for some in servers.chunks(SERVERS_AT_ONCE) {
            lock_in_order(&mut session, some).await?;
            session.execute(Sql::new(sql.clone()).bind(worker).bind_servers(some)).await?;
        }
        free_groups(&mut session, worker).await?;
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
        recover_groups(&mut session, leases, now, delay).await?;
        let warcs = read_warcs(&mut session, leases).await?;
        session.commit().await?;
        Ok(Recovered { leased, warcs })
    }

    /// All WARC files, with their committed lengths.
    pub async fn warcs(&self) -> Result<Vec<WarcProgress>, CatalogError> {
        read_warcs(&mut self.engine.reader().await?, Leases::All).await
    }

    /// The WARC files of one worker.
    pub async fn warcs_of(&self, worker: &str) -> Result<Vec<WarcProgress>, CatalogError> {
        read_warcs(&mut self.engine.reader().await?, Leases::Of(worker)).await
    }
}

/// Locks the rows of servers by number, as everybody does, so that nobody waits in a circle.
async fn lock_in_order(session: &mut Session, servers: &[ServerId]) -> Result<(), CatalogError> {
    if session.dialect() == Dialect::Postgres {
        let sql = format!(
            "SELECT server_id FROM server_queue WHERE server_id IN ({}) \
             ORDER BY server_id FOR NO KEY UPDATE",
            server_places(1)
        );
        session.rows(Sql::new(sql).bind_servers(servers)).await?;
    }
    Ok(())
}

/// Which servers may be leased.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Candidates {
    All,
    /// Those at addresses that the worker has.
    AtOwnAddresses,
}

async fn look_through(
    session: &mut Session,
    terms: &LeaseTerms<'_>,
    candidates: Candidates,
    leases: &mut Vec<Lease>,
) -> Result<(), CatalogError> {
    let limit = match candidates {
        Candidates::All => terms.servers,
        Candidates::AtOwnAddresses => usize::MAX,
    };
    let mut taken = 0;
    let mut last = (Timestamp(i64::MIN), ServerId(i64::MIN));
    while taken < limit {
        let free = free_servers(session, terms, candidates, last).await?;
        let Some(end) = free.last() else { break };
        last = (end.next_at, end.server);
        let servers: Vec<ServerId> = free.iter().map(|free| free.server).collect();
        let (mut queues, broken) =
            due_requests(session, &servers, terms.due, terms.per_server + 1).await?;
        set_aside(session, &broken).await?;
        let empty: Vec<ServerId> =
            servers.into_iter().filter(|server| !queues.contains_key(server)).collect();
        mark_idle(session, &empty).await?;
        let mut ready: Vec<Free> =
            free.into_iter().filter(|free| queues.contains_key(&free.server)).collect();
        ready.truncate(limit - taken);
        if terms.by_address {
            let addresses: BTreeSet<&str> =
                ready.iter().filter_map(|free| free.address.as_deref()).collect();
            let claimed = claim_groups(session, terms, &addresses).await?;
            let is_ours = |free: &Free| match &free.address {
                Some(address) => claimed.contains(address),
                None => true,
            };
            ready.retain(is_ours);
        }
        let ready: Vec<ServerId> = ready.into_iter().map(|free| free.server).collect();
        taken += ready.len();
        leases.extend(take_leases(session, terms, &ready, &mut queues).await?);
    }
    Ok(())
}

/// A server that nobody has leased.
#[derive(Debug)]
struct Free {
    server: ServerId,
    next_at: Timestamp,
    address: Option<String>,
}

/// The time of a server after its lease was broken off: one full delay from `now` on.
pub(crate) fn pushed_back(now: &str, at_least_ms: &str) -> String {
    let delay = format!("CASE WHEN delay_ms > {at_least_ms} THEN delay_ms ELSE {at_least_ms} END");
    let earliest = format!("{now} + 1000 * ({delay})");
    format!("CASE WHEN next_at > {earliest} THEN next_at ELSE {earliest} END")
}

/// The next servers nobody has leased and whose time has come.
async fn free_servers(
    session: &mut Session,
    terms: &LeaseTerms<'_>,
    candidates: Candidates,
    (last_at, last_server): (Timestamp, ServerId),
) -> Result<Vec<Free>, CatalogError> {
    // Workers that lease at the same moment skip each other's candidates. SQLite has one writer.
    let lock = match session.dialect() {
        Dialect::Sqlite => "",
        Dialect::Postgres => " FOR UPDATE OF server_queue SKIP LOCKED",
    };
    let group = "SELECT 1 FROM politeness_group g WHERE g.address = server_queue.address";
    let whose = match (candidates, terms.by_address) {
        (Candidates::AtOwnAddresses, _) => {
            format!(
                "AND server_queue.address IS NOT NULL AND EXISTS ({group} AND g.leased_by = $6)"
            )
        }
        (Candidates::All, true) => format!(
            "AND (server_queue.address IS NULL OR NOT EXISTS \
             ({group} AND g.leased_by <> $6 AND g.leased_until >= $2))"
        ),
        (Candidates::All, false) => "AND $6 = $6".to_owned(),
    };
    let sql = format!(
        "SELECT next_at, server_id, address FROM server_queue \
         WHERE idle = 0 AND next_at <= $1 AND (leased_by IS NULL OR leased_until < $2) \
         AND (next_at, server_id) > ($3, $4) {whose} \
         ORDER BY next_at, server_id LIMIT $5{lock}"
    );
    let sql = Sql::new(sql)
        .bind(terms.due)
        .bind(terms.now)
        .bind(last_at)
        .bind(last_server)
        .bind(SERVERS_AT_ONCE)
        .bind(terms.worker);
    let rows = session.rows(sql).await?;
    rows.into_iter()
        .map(|mut row| {
            Ok(Free {
                next_at: Timestamp(row.number()?),
                server: ServerId(row.number()?),
                address: row.maybe_text()?,
            })
        })
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
        "UPDATE server_queue SET leased_by = $1, leased_until = $2, epoch = epoch + 1, news = 0, \
         next_at = CASE WHEN leased_by IS NULL THEN next_at ELSE {} END \
         WHERE server_id IN ({}) RETURNING server_id, address, last_end, next_at, delay_ms, \
         failures, epoch, captures, bytes",
        pushed_back("$3", "$4"),
        server_places(5)
    );
    let sql = Sql::new(sql).bind(terms.worker).bind(terms.until).bind(terms.now).bind(terms.delay);
    let rows = session.rows(sql.bind_servers(servers)).await?;
    let holds = group_holds(session, servers).await?;
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
            Lease {
                server,
                origin,
                label,
                clock,
                group_next_at: holds.get(&server).copied().unwrap_or_default(),
                epoch,
                robots,
                pending,
                more,
                captures,
                bytes,
            },
        );
    }
    Ok(servers.iter().filter_map(|server| leases.remove(server)).collect())
}

async fn read_warcs(
    session: &mut Session,
    of: Leases<'_>,
) -> Result<Vec<WarcProgress>, CatalogError> {
    let (whose, worker) = match of {
        Leases::All => ("$1 = ''", ""),
        Leases::Of(worker) => ("worker = $1", worker),
    };
    let sql =
        format!("SELECT name, length, records, closed FROM warc_file WHERE {whose} ORDER BY name");
    let rows = session.rows(Sql::new(sql).bind(worker)).await?;
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
