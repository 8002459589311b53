//! Politeness groups: servers at one address, lent to one worker at a time.
//!
//! A host keeps its delay because one worker serves it. Hosts that share an address have to keep it
//! together, so the address itself is lent: whoever leases the first server there gets the address,
//! and only this worker may lease the others. The address of a new server is known only after its
//! name was resolved; its worker then [claims](Catalog::claim_group) the address before anything is
//! sent, and returns the server if another worker has it.
//!
//! The clock of an address follows from the clocks of its servers. A worker that died may have sent
//! something that is in no clock, so its addresses wait a full delay.

use crate::batch::{SERVERS_AT_ONCE, server_places};
use crate::engine::{Dialect, Session, Sql, Value};
use crate::lease::{LeaseTerms, Leases};
use crate::{Catalog, CatalogError};
use auslese_model::{ServerId, Timestamp};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::net::IpAddr;
use std::time::Duration;

/// A worker that wants to send requests to an address.
#[derive(Debug, Clone, Copy)]
pub struct GroupClaim<'a> {
    pub worker: &'a str,
    /// The server that was found to be there, and the epoch of its lease.
    pub server: ServerId,
    pub epoch: i64,
    pub address: IpAddr,
    pub now: Timestamp,
    pub until: Timestamp,
    pub delay: Duration,
}

/// What became of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claimed {
    /// The address is the worker's; nothing is to be sent there before this.
    Granted { next_at: Timestamp },
    /// Another worker has it: the server is returned, and that worker will lease it.
    Held,
    /// The server itself is not the worker's any more.
    Lost,
}

impl Catalog {
    /// Claims the address of a leased server.
    pub async fn claim_group(&self, claim: GroupClaim<'_>) -> Result<Claimed, CatalogError> {
        let address = claim.address.to_canonical().to_string();
        let mut session = self.engine.begin().await?;
        let sql = "UPDATE server_queue SET address = $1 \
                   WHERE server_id = $2 AND leased_by = $3 AND epoch = $4";
        let sql = Sql::new(sql).bind(address.as_str()).bind(claim.server);
        if session.execute(sql.bind(claim.worker).bind(claim.epoch)).await? == 0 {
            return Ok(Claimed::Lost);
        }
        let terms = LeaseTerms {
            worker: claim.worker,
            servers: 1,
            per_server: 0,
            now: claim.now,
            due: claim.now,
            until: claim.until,
            delay: claim.delay,
            by_address: true,
        };
        let wanted = BTreeSet::from([address.as_str()]);
        let claimed = match claim_groups(&mut session, &terms, &wanted).await?.is_empty() {
            true => {
                let sql = "UPDATE server_queue SET leased_by = NULL, leased_until = NULL \
                           WHERE server_id = $1";
                session.execute(Sql::new(sql).bind(claim.server)).await?;
                Claimed::Held
            }
            false => {
                let holds = group_holds(&mut session, &[claim.server]).await?;
                Claimed::Granted { next_at: holds.get(&claim.server).copied().unwrap_or_default() }
            }
        };
        session.commit().await?;
        Ok(claimed)
    }
}

/// Takes addresses that are free, or whose worker is gone; returns those that are now the worker's.
pub(crate) async fn claim_groups(
    session: &mut Session,
    terms: &LeaseTerms<'_>,
    addresses: &BTreeSet<&str>,
) -> Result<HashSet<String>, CatalogError> {
    let (of_rows, skip) = match session.dialect() {
        Dialect::Sqlite => ("", ""),
        Dialect::Postgres => (" ORDER BY g.address FOR UPDATE", " SKIP LOCKED"),
    };
    let delay = "(SELECT MAX(q.delay_ms) FROM server_queue q \
                 WHERE q.address = politeness_group.address)";
    let earliest = format!("$2 + 1000 * (CASE WHEN {delay} > $4 THEN {delay} ELSE $4 END)");
    let take = format!(
        "UPDATE politeness_group SET leased_by = $1, leased_until = $3, \
         next_at = CASE WHEN leased_by IS NULL OR leased_by = $1 OR next_at > {earliest} \
         THEN next_at ELSE {earliest} END \
         WHERE address IN (SELECT g.address FROM politeness_group g WHERE g.address = $5 \
         AND (g.leased_by IS NULL OR g.leased_by = $1 OR g.leased_until < $2){of_rows}{skip})"
    );
    let mut claimed = HashSet::new();
    for address in addresses {
        let insert = "INSERT INTO politeness_group (address) VALUES ($1) \
                      ON CONFLICT (address) DO NOTHING";
        session.execute(Sql::new(insert).bind(*address)).await?;
        let sql = Sql::new(take.clone())
            .bind(terms.worker)
            .bind(terms.now)
            .bind(terms.until)
            .bind(terms.delay)
            .bind(*address);
        if session.execute(sql).await? > 0 {
            claimed.insert((*address).to_owned());
        }
    }
    Ok(claimed)
}

/// When the addresses of servers may be asked again, by what their other servers were last asked.
pub(crate) async fn group_holds(
    session: &mut Session,
    servers: &[ServerId],
) -> Result<HashMap<ServerId, Timestamp>, CatalogError> {
    let sql = format!(
        "SELECT s.server_id, MAX(CASE WHEN q.last_end > 0 THEN q.last_end + 1000 * q.delay_ms \
         ELSE 0 END), MAX(COALESCE(g.next_at, 0)) FROM server_queue s \
         JOIN server_queue q ON q.address = s.address \
         LEFT JOIN politeness_group g ON g.address = s.address \
         WHERE s.server_id IN ({}) GROUP BY s.server_id",
        server_places(1)
    );
    let mut holds = HashMap::new();
    for some in servers.chunks(SERVERS_AT_ONCE) {
        for mut row in session.rows(Sql::new(sql.clone()).bind_servers(some)).await? {
            let server = ServerId(row.number()?);
            holds.insert(server, Timestamp(row.number()?.max(row.number()?)));
        }
    }
    Ok(holds)
}

/// Returns the addresses at which a worker has no server any more.
pub(crate) async fn free_groups(session: &mut Session, worker: &str) -> Result<(), CatalogError> {
    let sql = "UPDATE politeness_group SET leased_by = NULL, leased_until = NULL \
               WHERE leased_by = $1 AND NOT EXISTS (SELECT 1 FROM server_queue q \
               WHERE q.address = politeness_group.address AND q.leased_by = $1)";
    session.execute(Sql::new(sql).bind(worker)).await?;
    Ok(())
}

/// Returns the addresses of workers that died; they wait a full delay.
pub(crate) async fn recover_groups(
    session: &mut Session,
    leases: Leases<'_>,
    now: Timestamp,
    delay: Duration,
) -> Result<(), CatalogError> {
    let (whose, worker) = match leases {
        Leases::All => ("leased_by IS NOT NULL AND $3 = ''", ""),
        Leases::Of(worker) => ("leased_by = $3", worker),
    };
    let longest = "(SELECT MAX(q.delay_ms) FROM server_queue q \
                   WHERE q.address = politeness_group.address)";
    let earliest = format!("$1 + 1000 * (CASE WHEN {longest} > $2 THEN {longest} ELSE $2 END)");
    let sql = format!(
        "UPDATE politeness_group SET leased_by = NULL, leased_until = NULL, \
         next_at = CASE WHEN next_at > {earliest} THEN next_at ELSE {earliest} END WHERE {whose}"
    );
    let worker = Value::Text(Some(worker.to_owned()));
    session.execute(Sql::new(sql).bind(now).bind(delay).bind(worker)).await?;
    Ok(())
}
