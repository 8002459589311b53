//! Commits: one window of a crawl's results, whole or not at all.
//!
//! A window has a number within its run, and the transaction stores it. If the connection is lost
//! in the moment of committing, nobody knows whether the window was stored; the crawl then commits
//! the same window again, and a window that is there already is recognised and left alone.
//!
//! The order of statements follows from that: the number of the window comes first, because its
//! row makes a second attempt wait for the first one to end.

use crate::batch::{Batch, SERVERS_AT_ONCE, server_places};
use crate::discovery::insert_links;
use crate::engine::{Session, Sql, Value};
use crate::header::insert_captures;
use crate::{Catalog, CatalogError};
use auslese_model::{
    Capture, Change, Clock, Commit, NewServer, Offer, RequestId, RobotsCopy, RunId, ServerId,
    ServerSigns, State, StateChange, Storage, Timestamp, WarcProgress,
};
use std::collections::{BTreeMap, BTreeSet};

/// Which window of which run is committed, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    pub run: RunId,
    /// Grows from commit to commit within a run, beginning with 1.
    pub number: i64,
    pub at: Timestamp,
}

/// What a commit did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Committed {
    /// The window is stored. Offers whose key was known already are not counted among the new
    /// requests.
    Applied { new_requests: u64 },
    /// The window had been stored by an earlier attempt.
    AlreadyApplied,
}

impl Catalog {
    /// Stores a window of results. After an error that
    /// [is temporary](CatalogError::is_temporary) the same window may be committed again.
    pub async fn commit(&self, commit: &Commit, window: Window) -> Result<Committed, CatalogError> {
        let mut work = self.engine.begin().await?;
        let session = &mut work;
        if !enter_window(session, window).await? {
            return Ok(Committed::AlreadyApplied);
        }
        insert_servers(session, &commit.servers, window.at).await?;
        let new_requests = insert_offers(session, &commit.offers, window.at).await?;
        insert_captures(session, &commit.captures).await?;
        insert_links(session, commit).await?;
        change_requests(session, &commit.changes, Guard::None).await?;
        update_signs(session, &commit.signs).await?;
        update_clocks(session, &commit.clocks).await?;
        count_captures(session, &commit.captures).await?;
        upsert_robots(session, &commit.robots).await?;
        upsert_warcs(session, &commit.warcs, window.run).await?;
        wake_servers(session, queued_servers(&commit.offers)).await?;
        tally_captures(session, &commit.captures).await?;
        work.commit().await?;
        Ok(Committed::Applied { new_requests })
    }

    /// Moves parked requests on after the verdict on their host; requests that are not parked any
    /// more stay as they are. Returns how many were moved.
    pub async fn change_parked(&self, moves: &[StateChange]) -> Result<u64, CatalogError> {
        let mut session = self.engine.begin().await?;
        let moved = change_requests(&mut session, moves, Guard::Parked).await?;
        session.commit().await?;
        Ok(moved)
    }
}

/// Whether the window is new.
async fn enter_window(session: &mut Session, window: Window) -> Result<bool, CatalogError> {
    let sql = "UPDATE run SET last_window = $1 WHERE id = $2 AND last_window < $1";
    let updated = session.execute(Sql::new(sql).bind(window.number).bind(window.run)).await?;
    if updated == 0 {
        let sql = Sql::new("SELECT last_window FROM run WHERE id = $1").bind(window.run);
        if session.row(sql).await?.is_none() {
            let words = format!("there is no run {}", window.run.0);
            return Err(CatalogError::Conflict { words });
        }
    }
    Ok(updated > 0)
}

async fn insert_servers(
    session: &mut Session,
    servers: &[NewServer],
    at: Timestamp,
) -> Result<(), CatalogError> {
    let mut infos =
        Batch::new("INSERT INTO server_info (id, scheme, name, port, label, first_seen)", 6, "");
    let mut queues = Batch::new("INSERT INTO server_queue (server_id)", 1, "");
    for server in servers {
        infos.push([
            server.id.into(),
            server.origin.scheme.as_str().into(),
            server.origin.host.as_str().into(),
            u64::from(server.origin.port).into(),
            (&server.label).into(),
            at.into(),
        ]);
        queues.push([server.id.into()]);
    }
    infos.run(session).await?;
    queues.run(session).await?;
    Ok(())
}

async fn insert_offers(
    session: &mut Session,
    offers: &[Offer],
    at: Timestamp,
) -> Result<u64, CatalogError> {
    let mut batch = Batch::new(
        "INSERT INTO request (id, key, server_id, method, url, body_type, body, state, priority, \
         hops, via, cause_kind, cause, found_at)",
        14,
        " ON CONFLICT (key) DO NOTHING",
    );
    for offer in offers {
        let (body_type, body) = match &offer.request.body {
            Some((media_type, bytes)) => (Some(media_type.as_str()), Some(bytes.clone())),
            None => (None, None),
        };
        let cause = offer.cause.as_ref();
        batch.push([
            offer.id.into(),
            offer.key.0.as_slice().into(),
            offer.server.into(),
            offer.request.method.as_str().into(),
            offer.request.url.as_str().into(),
            body_type.into(),
            Value::Bytes(body),
            offer.state.as_str().into(),
            i64::from(offer.priority).into(),
            offer.hops.0.as_str().into(),
            offer.via.into(),
            cause.map(|cause| cause.kind.as_str()).into(),
            cause.map(|cause| cause.detail.as_str()).into(),
            at.into(),
        ]);
    }
    Ok(batch.run(session).await?)
}

/// Which requests a list of changes may touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Guard {
    None,
    Parked,
}

async fn change_requests(
    session: &mut Session,
    changes: &[StateChange],
    guard: Guard,
) -> Result<u64, CatalogError> {
    const BEFORE: &str =
        "WITH v (id, state, attempts, not_before, cause_kind, cause, capture_id) AS (";
    let after = match guard {
        Guard::None => {
            ") UPDATE request SET state = v.state, \
             attempts = COALESCE(v.attempts, request.attempts), \
             not_before = COALESCE(v.not_before, request.not_before), \
             cause_kind = v.cause_kind, cause = v.cause, \
             capture_id = COALESCE(v.capture_id, request.capture_id) \
             FROM v WHERE request.id = v.id"
        }
        Guard::Parked => {
            ") UPDATE request SET state = v.state, \
             attempts = COALESCE(v.attempts, request.attempts), \
             not_before = COALESCE(v.not_before, request.not_before), \
             cause_kind = v.cause_kind, cause = v.cause, \
             capture_id = COALESCE(v.capture_id, request.capture_id) \
             FROM v WHERE request.id = v.id AND request.state = 'parked'"
        }
    };
    let mut batch = Batch::new(BEFORE, 7, after);
    // In the order of rows, which is the order of pages; of two changes the later one holds.
    let changes: BTreeMap<RequestId, &Change> =
        changes.iter().map(|change| (change.request, &change.change)).collect();
    for (request, change) in &changes {
        let (state, retry, cause, capture) = match change {
            Change::Done { capture } => (State::Done, None, None, Some(*capture)),
            Change::Failed { cause } => (State::Failed, None, Some(cause), None),
            Change::Refused { cause } => (State::Refused, None, Some(cause), None),
            Change::Again { not_before, attempts, cause } => {
                (State::Queued, Some((*not_before, *attempts)), cause.as_ref(), None)
            }
        };
        batch.push([
            (*request).into(),
            state.as_str().into(),
            retry.map(|(_, attempts)| i64::from(attempts)).into(),
            retry.map(|(not_before, _)| not_before).into(),
            cause.map(|cause| cause.kind.as_str()).into(),
            cause.map(|cause| cause.detail.as_str()).into(),
            capture.into(),
        ]);
    }
    let changed = batch.run(session).await?;

    let again = changes.iter().filter(|(_, change)| matches!(change, Change::Again { .. }));
    let mut wake = Batch::new(
        "WITH v (id) AS (",
        1,
        ") UPDATE server_queue SET idle = 0 WHERE server_id IN \
         (SELECT request.server_id FROM v JOIN request ON request.id = v.id)",
    );
    for (request, _) in again {
        wake.push([(*request).into()]);
    }
    wake.run(session).await?;
    Ok(changed)
}

fn queued_servers(offers: &[Offer]) -> BTreeSet<ServerId> {
    offers.iter().filter(|offer| offer.state == State::Queued).map(|offer| offer.server).collect()
}

/// Takes servers that got new requests out of their idleness.
///
/// The row is written even if it is not idle: the lock keeps a worker that looks for empty queues
/// at this moment from calling this one empty.
async fn wake_servers(
    session: &mut Session,
    servers: BTreeSet<ServerId>,
) -> Result<(), CatalogError> {
    let servers: Vec<ServerId> = servers.into_iter().collect();
    for some in servers.chunks(SERVERS_AT_ONCE) {
        let sql =
            format!("UPDATE server_queue SET idle = 0 WHERE server_id IN ({})", server_places(1));
        session.execute(Sql::new(sql).bind_servers(some)).await?;
    }
    Ok(())
}

async fn update_signs(session: &mut Session, signs: &[ServerSigns]) -> Result<(), CatalogError> {
    let mut batch = Batch::new(
        "WITH v (server_id, server_type, http_version) AS (",
        3,
        ") UPDATE server_info SET server_type = COALESCE(v.server_type, server_info.server_type), \
         http_version = v.http_version FROM v WHERE server_info.id = v.server_id",
    );
    let signs: BTreeMap<ServerId, &ServerSigns> =
        signs.iter().map(|sign| (sign.server, sign)).collect();
    for (server, sign) in signs {
        batch.push([server.into(), (&sign.software).into(), sign.http_version.as_str().into()]);
    }
    batch.run(session).await?;
    Ok(())
}

async fn update_clocks(session: &mut Session, clocks: &[Clock]) -> Result<(), CatalogError> {
    let mut batch = Batch::new(
        "WITH v (server_id, address, last_end, next_at, delay_ms, failures) AS (",
        6,
        ") UPDATE server_queue SET address = COALESCE(v.address, server_queue.address), \
         last_end = v.last_end, next_at = v.next_at, delay_ms = v.delay_ms, failures = v.failures \
         FROM v WHERE server_queue.server_id = v.server_id",
    );
    let clocks: BTreeMap<ServerId, &Clock> =
        clocks.iter().map(|clock| (clock.server, clock)).collect();
    for (server, clock) in clocks {
        batch.push([
            server.into(),
            clock.address.into(),
            clock.last_end.into(),
            clock.next_at.into(),
            clock.delay.into(),
            u64::from(clock.failures).into(),
        ]);
    }
    batch.run(session).await?;
    Ok(())
}

/// Adds captures and bytes to the account of their servers.
async fn count_captures(session: &mut Session, captures: &[Capture]) -> Result<(), CatalogError> {
    let mut sums: BTreeMap<ServerId, (u64, u64)> = BTreeMap::new();
    for capture in captures {
        add(sums.entry(capture.server).or_default(), capture.payload_length);
    }
    let mut batch = Batch::new(
        "WITH v (server_id, captures, bytes) AS (",
        3,
        ") UPDATE server_queue SET captures = server_queue.captures + v.captures, \
         bytes = server_queue.bytes + v.bytes FROM v WHERE server_queue.server_id = v.server_id",
    );
    for (server, (count, bytes)) in sums {
        batch.push([server.into(), count.into(), bytes.into()]);
    }
    batch.run(session).await?;
    Ok(())
}

/// Keeps sums by status and by storage: the table of captures is too large to be counted often.
async fn tally_captures(session: &mut Session, captures: &[Capture]) -> Result<(), CatalogError> {
    let mut sums: BTreeMap<(&str, String), (u64, u64)> = BTreeMap::new();
    for capture in captures {
        let storage = storage_name(&capture.storage).to_owned();
        for name in [("status", capture.status.to_string()), ("storage", storage)] {
            add(sums.entry(name).or_default(), capture.payload_length);
        }
    }
    let mut batch = Batch::new(
        "INSERT INTO tally (kind, name, captures, bytes)",
        4,
        " ON CONFLICT (kind, name) DO UPDATE SET captures = tally.captures + excluded.captures, \
         bytes = tally.bytes + excluded.bytes",
    );
    for ((kind, name), (count, bytes)) in sums {
        batch.push([kind.into(), name.as_str().into(), count.into(), bytes.into()]);
    }
    batch.run(session).await?;
    Ok(())
}

pub(crate) fn add(sum: &mut (u64, u64), bytes: u64) {
    sum.0 += 1;
    sum.1 = sum.1.saturating_add(bytes);
}

pub(crate) fn storage_name(storage: &Storage) -> &'static str {
    match storage {
        Storage::Stored(_) => "stored",
        Storage::Revisit { .. } => "revisit",
        Storage::HeaderOnly { .. } => "header-only",
    }
}

async fn upsert_robots(session: &mut Session, robots: &[RobotsCopy]) -> Result<(), CatalogError> {
    let mut batch = Batch::new(
        "INSERT INTO robots (server_id, fetched, expires, status, body)",
        5,
        " ON CONFLICT (server_id) DO UPDATE SET fetched = excluded.fetched, \
         expires = excluded.expires, status = excluded.status, body = excluded.body",
    );
    let robots: BTreeMap<ServerId, &RobotsCopy> =
        robots.iter().map(|copy| (copy.server, copy)).collect();
    for (server, copy) in robots {
        batch.push([
            server.into(),
            copy.fetched.into(),
            copy.expires.into(),
            u64::from(copy.status).into(),
            copy.body.as_slice().into(),
        ]);
    }
    batch.run(session).await?;
    Ok(())
}

async fn upsert_warcs(
    session: &mut Session,
    warcs: &[WarcProgress],
    run: RunId,
) -> Result<(), CatalogError> {
    let mut batch = Batch::new(
        "INSERT INTO warc_file (name, length, records, closed, run_id)",
        5,
        " ON CONFLICT (name) DO UPDATE SET length = excluded.length, \
         records = excluded.records, closed = excluded.closed, run_id = excluded.run_id",
    );
    let warcs: BTreeMap<&str, &WarcProgress> =
        warcs.iter().map(|progress| (progress.file.as_str(), progress)).collect();
    for (file, progress) in warcs {
        batch.push([
            file.into(),
            progress.length.into(),
            progress.records.into(),
            progress.closed.into(),
            run.into(),
        ]);
    }
    batch.run(session).await?;
    Ok(())
}
