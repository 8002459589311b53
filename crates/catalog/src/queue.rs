//! Queues: the requests that wait at each server, to be sent or to be judged.

use crate::batch::SERVERS_AT_ONCE;
use crate::engine::{Fields, Session, Sql};
use crate::{Catalog, CatalogError};
use auslese_model::{
    CauseKind, HopPath, HostName, Method, Pending, Request, RequestId, ServerId, Timestamp,
};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The columns [`read_pending`] expects.
const PENDING_COLUMNS: &str = "r.id, r.server_id, r.method, r.url, r.body_type, r.body, \
    r.priority, r.hops, r.via, (SELECT v.url FROM request v WHERE v.id = r.via) AS via_url, \
    r.attempts, r.not_before";

impl Catalog {
    /// More requests of a leased server, in order. `taken` are those the worker has already: they
    /// stay queued here until their outcome is committed.
    pub async fn pending(
        &self,
        server: ServerId,
        limit: usize,
        due: Timestamp,
        taken: &HashSet<RequestId>,
    ) -> Result<Vec<Pending>, CatalogError> {
        let mut session = self.engine.reader().await?;
        let (mut queues, broken) =
            due_requests(&mut session, &[server], due, limit.saturating_add(taken.len())).await?;
        drop(session);
        if !broken.is_empty() {
            let mut session = self.engine.begin().await?;
            set_aside(&mut session, &broken).await?;
            session.commit().await?;
        }
        let mut pending = queues.remove(&server).unwrap_or_default();
        pending.retain(|request| !taken.contains(&request.id));
        pending.truncate(limit);
        Ok(pending)
    }

    /// When something might next be leased; `None` if nothing is queued at servers that are free.
    /// A hint to sleep by: it may be too early, never too late.
    pub async fn next_due(&self, now: Timestamp) -> Result<Option<Timestamp>, CatalogError> {
        // Of each queue only the head is looked at: it decides in all but rare cases.
        let sql = "SELECT q.next_at, \
             (SELECT MIN(not_before) FROM (SELECT r.not_before FROM request r \
              WHERE r.server_id = q.server_id AND r.state = 'queued' \
              ORDER BY r.priority, r.id LIMIT 100) head) \
             FROM server_queue q WHERE q.idle = 0 AND (q.leased_by IS NULL OR q.leased_until < $1) \
             ORDER BY q.next_at LIMIT 100";
        let rows = self.engine.reader().await?.rows(Sql::new(sql).bind(now)).await?;
        let mut earliest: Option<i64> = None;
        for mut row in rows {
            let (next_at, Some(not_before)) = (row.number()?, row.maybe_number()?) else {
                continue;
            };
            let due = next_at.max(not_before);
            earliest = Some(earliest.map_or(due, |time| time.min(due)));
        }
        Ok(earliest.map(Timestamp))
    }

    /// Parked requests of a host, in the order they were found, after the one given.
    pub async fn parked(
        &self,
        host: &HostName,
        after: RequestId,
        limit: usize,
    ) -> Result<Vec<Pending>, CatalogError> {
        let sql = format!(
            "SELECT {PENDING_COLUMNS} FROM server_info s JOIN request r ON r.server_id = s.id \
             WHERE s.name = $1 AND r.state = 'parked' AND r.id > $2 ORDER BY r.id LIMIT $3"
        );
        let sql = Sql::new(sql).bind(host.as_str()).bind(after).bind(limit);
        let rows = self.engine.reader().await?.rows(sql).await?;
        let mut pending = Vec::with_capacity(rows.len());
        for mut row in rows {
            if let Reading::Whole(request) = read_pending(&mut row)? {
                pending.push(*request);
            }
        }
        Ok(pending)
    }

    /// Hosts with parked requests, and how many each has.
    pub async fn parked_hosts(&self) -> Result<Vec<(HostName, u64)>, CatalogError> {
        let sql = "SELECT s.name, COUNT(*) FROM request r JOIN server_info s ON s.id = r.server_id \
                   WHERE r.state = 'parked' GROUP BY s.name ORDER BY s.name";
        let rows = self.engine.reader().await?.rows(Sql::new(sql)).await?;
        let mut hosts = Vec::with_capacity(rows.len());
        for mut row in rows {
            let (name, count) = (row.text()?, row.count()?);
            let host = HostName::parse(&name)
                .ok_or_else(|| CatalogError::damaged(format!("a server is named {name:?}")))?;
            hosts.push((host, count));
        }
        Ok(hosts)
    }
}

/// The heads of some queues, and the requests in them that cannot be read.
pub(crate) type Queues = (HashMap<ServerId, Vec<Pending>>, Vec<RequestId>);

pub(crate) async fn due_requests(
    session: &mut Session,
    servers: &[ServerId],
    due: Timestamp,
    limit: usize,
) -> Result<Queues, CatalogError> {
    let head_of = |place: usize| {
        format!(
            "SELECT * FROM (SELECT {PENDING_COLUMNS} FROM request r WHERE r.server_id = ${place} \
             AND r.state = 'queued' AND r.not_before <= $1 ORDER BY r.priority, r.id LIMIT $2) \
             q{place}"
        )
    };
    // One statement for one server, one for many: both are prepared once.
    let sql = match servers {
        [server] => Sql::new(head_of(3)).bind(due).bind(limit).bind(*server),
        servers => {
            let heads: Vec<String> = (3..3 + SERVERS_AT_ONCE).map(head_of).collect();
            Sql::new(heads.join(" UNION ALL ")).bind(due).bind(limit).bind_servers(servers)
        }
    };
    let (mut queues, mut broken) = (HashMap::<ServerId, Vec<Pending>>::new(), Vec::new());
    for mut row in session.rows(sql).await? {
        match read_pending(&mut row)? {
            Reading::Whole(pending) => queues.entry(pending.server).or_default().push(*pending),
            Reading::Broken(request) => broken.push(request),
        }
    }
    for queue in queues.values_mut() {
        // The parts of a union come in no promised order.
        queue.sort_by_key(|pending| (pending.priority, pending.id));
    }
    Ok((queues, broken))
}

enum Reading {
    Whole(Box<Pending>),
    Broken(RequestId),
}

fn read_pending(row: &mut Fields) -> Result<Reading, sqlx::Error> {
    let id = RequestId(row.number()?);
    let server = ServerId(row.number()?);
    let (method, url) = (row.text()?, row.text()?);
    let body = row.maybe_text()?.zip(row.maybe_bytes()?);
    let priority = row.number()?;
    let hops = HopPath(row.text()?);
    let via = row.maybe_number()?.map(RequestId);
    let via_url = row.maybe_text()?.map(Arc::from);
    let attempts = u16::try_from(row.number()?).unwrap_or(u16::MAX);
    let not_before = Timestamp(row.number()?);
    let request = || Request::new(Method::parse(&method)?, url.parse().ok()?, body);
    let priority = i16::try_from(priority).unwrap_or(i16::MAX);
    Ok(match request() {
        Some(request) => Reading::Whole(Box::new(Pending {
            id,
            server,
            request,
            priority,
            hops,
            via,
            via_url,
            attempts,
            not_before,
            known: None,
        })),
        None => Reading::Broken(id),
    })
}

/// Requests somebody wrote into the table with a URL that is none must not stop their queue.
pub(crate) async fn set_aside(
    session: &mut Session,
    broken: &[RequestId],
) -> Result<(), CatalogError> {
    for request in broken {
        tracing::warn!(request = request.0, "a queued request cannot be read and is set aside");
        let sql = "UPDATE request SET state = 'failed', cause_kind = $1, cause = $2 WHERE id = $3";
        let sql = Sql::new(sql)
            .bind(CauseKind::Url.as_str())
            .bind("the stored request cannot be read")
            .bind(*request);
        session.execute(sql).await?;
    }
    Ok(())
}
