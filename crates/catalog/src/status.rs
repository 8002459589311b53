//! Numbers for people: where a harvest stands, which servers wait, what failed and why.
//!
//! Sums over captures are kept by each commit; requests are counted along the small indexes of
//! their states. How fast things go is known to the crawl only.

use crate::discovery::count_hosts;
use crate::engine::{Session, Sql};
use crate::server::{read_clock, read_origin};
use crate::{Catalog, CatalogError, HostCounts};
use auslese_model::{CauseKind, Clock, HostName, Origin, ServerId, State, Timestamp};
use std::collections::BTreeMap;

/// Where a harvest stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Status {
    /// Every state, also those without requests.
    pub requests: BTreeMap<State, u64>,
    pub servers: u64,
    /// Servers with queued requests.
    pub waiting_servers: u64,
    pub leased_servers: u64,
    pub captures: u64,
    /// Payload bytes received.
    pub bytes: u64,
    /// Captures by status.
    pub statuses: BTreeMap<u16, u64>,
    /// Captures by storage: `stored`, `revisit`, `header-only`.
    pub storage: BTreeMap<String, u64>,
    pub warc_files: u64,
    pub warc_bytes: u64,
    /// Of these, files that lie in a store elsewhere, and their bytes.
    pub stored_files: u64,
    pub stored_bytes: u64,
    pub failures: Vec<FailureGroup>,
    /// Hosts that were decided on.
    pub hosts: HostCounts,
}

impl Status {
    /// Captures by class of status: 2 for 200 to 299, and so on.
    pub fn status_classes(&self) -> BTreeMap<u16, u64> {
        let mut classes = BTreeMap::new();
        for (status, count) in &self.statuses {
            *classes.entry(status / 100).or_default() += count;
        }
        classes
    }
}

/// Templates of traps that are told one by one; the rest is summed up.
const TEMPLATES_TOLD: usize = 20;

/// Requests that failed or were refused for one kind of cause, or for one template of a trap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailureGroup {
    pub state: State,
    pub kind: CauseKind,
    pub requests: u64,
    /// The newest of them: its URL, and the cause in particular.
    pub example: String,
    pub detail: String,
}

/// A server with its queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerQueue {
    pub server: ServerId,
    pub origin: Origin,
    pub label: Option<String>,
    pub software: Option<String>,
    pub clock: Clock,
    pub queued: u64,
    pub captures: u64,
    pub bytes: u64,
    pub leased_by: Option<String>,
    pub leased_until: Option<Timestamp>,
}

impl Catalog {
    pub async fn status(&self) -> Result<Status, CatalogError> {
        let mut session = self.engine.reader().await?;
        let failures = failures(&mut session).await?;
        let hosts = count_hosts(&mut session).await?;
        let mut status = Status { failures, hosts, ..Status::default() };
        count_requests(&mut session, &mut status).await?;
        count_servers(&mut session, &mut status).await?;
        read_tally(&mut session, &mut status).await?;
        let sql = "SELECT COUNT(*), CAST(COALESCE(SUM(length), 0) AS BIGINT), COUNT(stored_at), \
                   CAST(COALESCE(SUM(CASE WHEN stored_at IS NULL THEN 0 ELSE length END), 0) AS BIGINT) \
                   FROM warc_file";
        if let Some(mut row) = session.row(Sql::new(sql)).await? {
            (status.warc_files, status.warc_bytes) = (row.count()?, row.count()?);
            (status.stored_files, status.stored_bytes) = (row.count()?, row.count()?);
        }
        Ok(status)
    }

    /// Numbers that change when there is something new to count: captures, runs and their ends, removals, verdicts.
    /// They are cheap to ask for. What a stage writes shows when it ends.
    pub async fn mark(&self) -> Result<[i64; 5], CatalogError> {
        let sql = "SELECT \
             (SELECT CAST(COALESCE(SUM(captures), 0) AS BIGINT) FROM tally WHERE kind = 'status'), \
             (SELECT COALESCE(MAX(id), 0) FROM run), (SELECT COALESCE(MAX(ended), 0) FROM run), \
             (SELECT COALESCE(MAX(id), 0) FROM removal), (SELECT COUNT(*) FROM host_verdict)";
        let mut mark = [0; 5];
        if let Some(mut row) = self.engine.reader().await?.row(Sql::new(sql)).await? {
            for number in &mut mark {
                *number = row.number()?;
            }
        }
        Ok(mark)
    }

    /// What failed or was refused, by kind of cause, most frequent first.
    pub async fn failures(&self) -> Result<Vec<FailureGroup>, CatalogError> {
        failures(&mut self.engine.reader().await?).await
    }

    /// The servers with the longest queues.
    pub async fn server_queues(&self, limit: usize) -> Result<Vec<ServerQueue>, CatalogError> {
        let sql = queue_query("ORDER BY queued DESC, q.server_id LIMIT $1");
        self.queues(Sql::new(sql).bind(limit)).await
    }

    /// The servers of one host: its schemes and ports.
    pub async fn host_queues(&self, host: &HostName) -> Result<Vec<ServerQueue>, CatalogError> {
        let sql = queue_query("WHERE s.name = $1 ORDER BY q.server_id");
        self.queues(Sql::new(sql).bind(host.as_str())).await
    }

    async fn queues(&self, sql: Sql) -> Result<Vec<ServerQueue>, CatalogError> {
        let rows = self.engine.reader().await?.rows(sql).await?;
        rows.into_iter()
            .map(|mut row| {
                let server = ServerId(row.number()?);
                Ok(ServerQueue {
                    server,
                    clock: read_clock(&mut row, server)?,
                    origin: read_origin(&mut row)?,
                    label: row.maybe_text()?,
                    software: row.maybe_text()?,
                    queued: row.count()?,
                    captures: row.count()?,
                    bytes: row.count()?,
                    leased_by: row.maybe_text()?,
                    leased_until: row.maybe_number()?.map(Timestamp),
                })
            })
            .collect()
    }
}

/// Servers with their queues; each is counted along the small index of queued requests.
fn queue_query(rest: &str) -> String {
    format!(
        "SELECT q.server_id, q.address, q.last_end, q.next_at, q.delay_ms, q.failures, \
         s.scheme, s.name, s.port, s.label, s.server_type, \
         (SELECT COUNT(*) FROM request r WHERE r.server_id = q.server_id \
          AND r.state = 'queued') AS queued, \
         q.captures, q.bytes, q.leased_by, q.leased_until \
         FROM server_queue q JOIN server_info s ON s.id = q.server_id {rest}"
    )
}

async fn failures(session: &mut Session) -> Result<Vec<FailureGroup>, CatalogError> {
    let sql = "SELECT g.state, g.cause_kind, g.requests, r.url, COALESCE(r.cause, '') FROM \
         (SELECT state, cause_kind, COUNT(*) AS requests, MAX(id) AS newest FROM request \
          WHERE state IN ('failed', 'refused') GROUP BY state, cause_kind) g \
         JOIN request r ON r.id = g.newest ORDER BY g.requests DESC, g.newest";
    let mut groups = Vec::new();
    for mut row in session.rows(Sql::new(sql)).await? {
        let (state, kind) = (row.text()?, row.maybe_text()?.unwrap_or_default());
        // Written by hand or by a program that knows other causes: not worth refusing a status.
        let (Some(state), Some(kind)) = (State::parse(&state), CauseKind::parse(&kind)) else {
            continue;
        };
        let (requests, example, detail) = (row.count()?, row.text()?, row.text()?);
        groups.push(FailureGroup { state, kind, requests, example, detail });
    }
    let trap =
        groups.iter().position(|it| (it.state, it.kind) == (State::Refused, CauseKind::Trap));
    if let Some(trap) = trap {
        let trapped = trapped(session).await?;
        groups.splice(trap..=trap, trapped);
    }
    Ok(groups)
}

/// What was refused for traps, by server and template: a person decides on one template, not on all.
async fn trapped(session: &mut Session) -> Result<Vec<FailureGroup>, CatalogError> {
    let sql = "SELECT g.requests, r.url, COALESCE(r.cause, '') FROM \
         (SELECT server_id, cause, COUNT(*) AS requests, MAX(id) AS newest FROM request \
          WHERE state IN ('failed', 'refused') AND state = 'refused' AND cause_kind = $1 \
          GROUP BY server_id, cause) g \
         JOIN request r ON r.id = g.newest ORDER BY g.requests DESC, g.newest";
    let rows = session.rows(Sql::new(sql).bind(CauseKind::Trap.as_str())).await?;
    let mut groups = Vec::new();
    for mut row in rows {
        let (requests, example, detail) = (row.count()?, row.text()?, row.text()?);
        let (state, kind) = (State::Refused, CauseKind::Trap);
        groups.push(FailureGroup { state, kind, requests, example, detail });
    }
    let further = groups.split_off(TEMPLATES_TOLD.min(groups.len()));
    if let Some(first) = further.first() {
        let detail = format!("{} further templates", further.len());
        let requests = further.iter().map(|group| group.requests).sum();
        groups.push(FailureGroup { requests, detail, ..first.clone() });
    }
    Ok(groups)
}

async fn count_requests(session: &mut Session, status: &mut Status) -> Result<(), CatalogError> {
    // Each count runs along an index; what is left of all is done.
    let sql = "SELECT (SELECT COUNT(*) FROM request), \
         (SELECT COUNT(*) FROM request WHERE state = 'queued'), \
         (SELECT COUNT(*) FROM request WHERE state = 'parked'), \
         (SELECT COUNT(*) FROM request WHERE state IN ('failed', 'refused') AND state = 'failed'), \
         (SELECT COUNT(*) FROM request WHERE state IN ('failed', 'refused') AND state = 'refused')";
    let Some(mut row) = session.row(Sql::new(sql)).await? else { return Ok(()) };
    let mut done = row.count()?;
    for state in [State::Queued, State::Parked, State::Failed, State::Refused] {
        let count = row.count()?;
        done = done.saturating_sub(count);
        status.requests.insert(state, count);
    }
    status.requests.insert(State::Done, done);
    Ok(())
}

async fn count_servers(session: &mut Session, status: &mut Status) -> Result<(), CatalogError> {
    let sql = "SELECT COUNT(*), COUNT(q.leased_by), \
         CAST(COALESCE(SUM(CASE WHEN q.idle = 0 AND EXISTS (SELECT 1 FROM request r \
         WHERE r.server_id = q.server_id AND r.state = 'queued') THEN 1 ELSE 0 END), 0) AS BIGINT) \
         FROM server_queue q";
    if let Some(mut row) = session.row(Sql::new(sql)).await? {
        status.servers = row.count()?;
        status.leased_servers = row.count()?;
        status.waiting_servers = row.count()?;
    }
    Ok(())
}

async fn read_tally(session: &mut Session, status: &mut Status) -> Result<(), CatalogError> {
    let sql = Sql::new("SELECT kind, name, captures, bytes FROM tally");
    for mut row in session.rows(sql).await? {
        let (kind, name, captures, bytes) = (row.text()?, row.text()?, row.count()?, row.count()?);
        match kind.as_str() {
            "status" => {
                status.captures += captures;
                status.bytes += bytes;
                status.statuses.insert(name.parse().unwrap_or(0), captures);
            }
            "storage" => {
                status.storage.insert(name, captures);
            }
            _ => {}
        }
    }
    Ok(())
}
