//! Commits: one window of a crawl's results, whole or not at all.
//!
//! A window has a number within its run, and the transaction stores it. If the connection is lost
//! in the moment of committing, nobody knows whether the window was stored; the crawl then commits
//! the same window again, and a window that is there already is recognised and left alone.
//!
//! The order of statements follows from that: the number of the window comes first, because its
//! row makes a second attempt wait for the first one to end.
//!
//! Where several workers share a catalog, a window is *fenced*: it says under which lease it has the
//! servers it tells of. Their rows are locked and compared before anything is final; if one lease is
//! not the worker's any more, the whole window is refused and names the servers that were lost, so
//! that the worker can leave them out. Rows of servers are locked by number and after all inserts, so
//! that workers never wait for each other in a circle.

use crate::batch::{Batch, SERVERS_AT_ONCE, server_places};
use crate::discovery::insert_links;
use crate::engine::{Dialect, Session, Sql};
use crate::header::insert_captures;
use crate::notes_between::call;
use crate::settling::{Remapped, enter_offers, enter_servers, missing_requests, server_aliases};
use crate::template::add_to_templates;
use crate::{Catalog, CatalogError};
use auslese_model::{
    Capture, Change, Clock, Commit, Offer, RequestId, RobotsCopy, RunId, ServerId, ServerSigns,
    State, StateChange, Storage, Timestamp, WarcProgress,
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

/// Under which leases a window was fetched.
#[derive(Debug, Clone)]
pub struct Fence<'a> {
    pub worker: &'a str,
    /// The epochs of the leases of all servers the window tells of.
    pub epochs: &'a BTreeMap<ServerId, i64>,
}

/// What the catalog knew better than a window.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settled {
    /// Offers that are not new: others have found the same request before.
    pub known: BTreeSet<RequestId>,
    /// Servers that are not new, with the numbers they have.
    pub servers: Vec<(ServerId, ServerId)>,
}

impl Catalog {
    /// Stores a window of results. After an error that
    /// [is temporary](CatalogError::is_temporary) the same window may be committed again.
    pub async fn commit(&self, commit: &Commit, window: Window) -> Result<Committed, CatalogError> {
        let mut work = self.engine.begin().await?;
        match enter_window(&mut work, window).await? {
            Entered::New { worker } => {
                let (stored, _) = self.write(&mut work, commit, window, &worker, None).await?;
                work.commit().await?;
                self.grown_by(commit).await;
                Ok(Committed::Applied { new_requests: stored })
            }
            Entered::Before => Ok(Committed::AlreadyApplied),
            Entered::Over { worker } => Err(CatalogError::Replaced { worker }),
        }
    }

    /// Stores a window of a worker among others, if it still has the servers it tells of.
    ///
    /// # Errors
    /// [`CatalogError::LeaseLost`] if it has not; then nothing is stored, and the same window number
    /// may be used again. [`CatalogError::Replaced`] if its run was ended by another process.
    pub async fn commit_fenced(
        &self,
        commit: &Commit,
        window: Window,
        fence: &Fence<'_>,
    ) -> Result<Settled, CatalogError> {
        let mut work = self.engine.begin().await?;
        match enter_window(&mut work, window).await? {
            Entered::New { worker } => {
                let written = self.write(&mut work, commit, window, &worker, Some(fence));
                let (_, settled) = written.await?;
                work.commit().await?;
                self.grown_by(commit).await;
                Ok(settled)
            }
            // Stored by an attempt whose end nobody heard of.
            Entered::Before => {
                let known = missing_requests(&mut work, &commit.offers).await?;
                let servers = server_aliases(&mut work, &commit.servers).await?;
                Ok(Settled { known, servers })
            }
            Entered::Over { worker } => Err(CatalogError::Replaced { worker }),
        }
    }

    /// The window is stored, whatever becomes of this.
    async fn grown_by(&self, commit: &Commit) {
        let grown = self.note_growth(commit.captures.len(), commit.offers.len());
        if let Err(error) = grown.await {
            tracing::debug!("the tables were not looked at again: {error}");
        }
    }

    async fn write(
        &self,
        session: &mut Session,
        commit: &Commit,
        window: Window,
        worker: &str,
        fence: Option<&Fence<'_>>,
    ) -> Result<(u64, Settled), CatalogError> {
        let aliases = enter_servers(session, &commit.servers, window.at).await?;
        let commit = Remapped::servers(commit, &aliases);
        let (new_requests, known) =
            enter_offers(session, &commit.offers, &commit.changes, window.at).await?;
        add_to_templates(session, &commit.templates, window.at).await?;
        let settled = Settled { known: known.keys().copied().collect(), servers: aliases };
        let commit = commit.requests(&known);
        insert_captures(session, &commit.captures).await?;
        insert_links(session, &commit).await?;
        let woken = queued_servers(&commit.offers);
        lock_servers(session, &woken, fence).await?;
        change_requests(session, &commit.changes, Guard::None).await?;
        update_signs(session, &commit.signs).await?;
        update_clocks(session, &commit.clocks).await?;
        count_captures(session, &commit.captures).await?;
        upsert_robots(session, &commit.robots).await?;
        upsert_warcs(session, &commit.warcs, window.run, worker).await?;
        let is_news = wake_servers(session, woken, fence).await?;
        if fence.is_some() && (is_news || !commit.servers.is_empty()) {
            call(session, self.harvest()).await?;
        }
        tally_captures(session, &commit.captures).await?;
        Ok((new_requests, settled))
    }

    /// Moves parked requests on after the verdict on their host; requests that are not parked any
    /// more stay as they are. Returns those that were moved.
    pub async fn change_parked(
        &self,
        moves: &[StateChange],
    ) -> Result<BTreeSet<RequestId>, CatalogError> {
        let mut session = self.engine.begin().await?;
        let moved = change_requests(&mut session, moves, Guard::Parked).await?;
        session.commit().await?;
        Ok(moved)
    }
}

/// Whether a window can be stored.
enum Entered {
    New {
        /// Whose run it is.
        worker: String,
    },
    /// It was stored before.
    Before,
    /// Its run was ended, by a process that goes on under the same name.
    Over { worker: String },
}

async fn enter_window(session: &mut Session, window: Window) -> Result<Entered, CatalogError> {
    let sql = "UPDATE run SET last_window = $1 WHERE id = $2 AND last_window < $1 \
               AND (outcome IS NULL OR outcome <> 'died') RETURNING worker";
    let updated = session.row(Sql::new(sql).bind(window.number).bind(window.run)).await?;
    if let Some(mut row) = updated {
        return Ok(Entered::New { worker: row.text()? });
    }
    let sql = Sql::new("SELECT last_window, worker FROM run WHERE id = $1").bind(window.run);
    let Some(mut row) = session.row(sql).await? else {
        let words = format!("there is no run {}", window.run.0);
        return Err(CatalogError::Conflict { words });
    };
    match row.number()? < window.number {
        true => Ok(Entered::Over { worker: row.text()? }),
        false => Ok(Entered::Before),
    }
}

/// Locks the rows of all servers that the window changes, and compares their leases.
async fn lock_servers(
    session: &mut Session,
    woken: &BTreeSet<ServerId>,
    fence: Option<&Fence<'_>>,
) -> Result<(), CatalogError> {
    let Some(fence) = fence else { return Ok(()) };
    let lock = match session.dialect() {
        Dialect::Sqlite => "",
        Dialect::Postgres => " FOR NO KEY UPDATE",
    };
    let sql = format!(
        "SELECT server_id, leased_by, epoch FROM server_queue WHERE server_id IN ({}) \
         ORDER BY server_id{lock}",
        server_places(1)
    );
    let all: BTreeSet<ServerId> = woken.iter().chain(fence.epochs.keys()).copied().collect();
    let all: Vec<ServerId> = all.into_iter().collect();
    let mut ours = BTreeSet::new();
    for some in all.chunks(SERVERS_AT_ONCE) {
        for mut row in session.rows(Sql::new(sql.clone()).bind_servers(some)).await? {
            let (server, holder) = (ServerId(row.number()?), row.maybe_text()?);
            let is_ours = holder.as_deref() == Some(fence.worker);
            if is_ours && fence.epochs.get(&server) == Some(&row.number()?) {
                ours.insert(server);
            }
        }
    }
    let lost: Vec<ServerId> =
        fence.epochs.keys().filter(|server| !ours.contains(server)).copied().collect();
    match lost.is_empty() {
        true => Ok(()),
        false => Err(CatalogError::LeaseLost { servers: lost }),
    }
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
) -> Result<BTreeSet<RequestId>, CatalogError> {
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
             FROM v WHERE request.id = v.id AND request.state = 'parked' RETURNING request.id"
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
    let mut changed = BTreeSet::new();
    match guard {
        Guard::None => _ = batch.run(session).await?,
        Guard::Parked => {
            for mut row in batch.rows(session).await? {
                changed.insert(RequestId(row.number()?));
            }
        }
    }

    let again = changes.iter().filter(|(_, change)| matches!(change, Change::Again { .. }));
    let wake = match guard {
        Guard::None => {
            ") UPDATE server_queue SET idle = 0 WHERE server_id IN \
             (SELECT request.server_id FROM v JOIN request ON request.id = v.id)"
        }
        // Whoever judges a host need not be the one who has its servers.
        Guard::Parked => {
            ") UPDATE server_queue SET idle = 0, \
             news = CASE WHEN leased_by IS NULL THEN news ELSE 1 END WHERE server_id IN \
             (SELECT request.server_id FROM v JOIN request ON request.id = v.id)"
        }
    };
    let mut wake = Batch::new("WITH v (id) AS (", 1, wake);
    for (request, _) in again {
        wake.push([(*request).into()]);
    }
    wake.run(session).await?;
    Ok(changed)
}

fn queued_servers(offers: &[Offer]) -> BTreeSet<ServerId> {
    offers.iter().filter(|offer| offer.state == State::Queued).map(|offer| offer.server).collect()
}

/// Takes servers that got new requests out of their idleness, and leaves word for the workers that
/// have them; says whether others should hear of it.
///
/// The row is locked even if nothing is changed: that keeps a worker that looks for empty queues at
/// this moment from calling this one empty.
async fn wake_servers(
    session: &mut Session,
    servers: BTreeSet<ServerId>,
    fence: Option<&Fence<'_>>,
) -> Result<bool, CatalogError> {
    let servers: Vec<ServerId> = servers.into_iter().collect();
    let Some(fence) = fence else {
        for some in servers.chunks(SERVERS_AT_ONCE) {
            let places = server_places(1);
            let sql = format!("UPDATE server_queue SET idle = 0 WHERE server_id IN ({places})");
            session.execute(Sql::new(sql).bind_servers(some)).await?;
        }
        return Ok(false);
    };
    let sql = format!(
        "UPDATE server_queue SET idle = 0, news = CASE WHEN leased_by <> $1 THEN 1 ELSE news END \
         WHERE server_id IN ({}) AND (idle = 1 OR leased_by IS NULL OR (leased_by <> $1 AND news = 0))",
        server_places(2)
    );
    let mut woken = 0;
    for some in servers.chunks(SERVERS_AT_ONCE) {
        woken +=
            session.execute(Sql::new(sql.clone()).bind(fence.worker).bind_servers(some)).await?;
    }
    Ok(woken > 0)
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
            clock.address.map(|address| address.to_canonical()).into(),
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
    worker: &str,
) -> Result<(), CatalogError> {
    let mut batch = Batch::new(
        "INSERT INTO warc_file (name, length, records, closed, run_id, worker)",
        6,
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
            worker.into(),
        ]);
    }
    batch.run(session).await?;
    Ok(())
}
