//! The committer answers questions to the catalog: leases, refills, parked links, notes.
//!
//! Everything that was entered before a question is committed before it is answered.

use crate::HarvestError;
use crate::committing::{Committer, Question, Report};
use crate::job::{DUE_SOON, LEASE_TIME};
use auslese_catalog::{CatalogError, Control, GroupClaim, LeaseTerms, QueuedUrl, Window};
use auslese_model::{
    Change, Commit, KnownCopy, Pending, RequestId, RequestKey, ServerId, State, StateChange,
    Timestamp,
};
use rustc_hash::FxHashSet;
use std::collections::HashSet;
use tokio::sync::mpsc;

/// Parked requests of one host that are judged at a time.
const PARKED_AT_ONCE: usize = 10_000;

impl Committer {
    /// Answers a question to the catalog.
    pub(crate) async fn answer(
        &mut self,
        question: Question,
        reports: &mpsc::UnboundedSender<Report>,
    ) -> Result<(), HarvestError> {
        let question = match question {
            Question::Open(opening) => return self.open(*opening, reports).await,
            Question::Templates { server } => {
                if self.traps.knows(server) {
                    self.load_templates(&[server]).await?;
                }
                let _ = reports.send(Report::Templates { server });
                return Ok(());
            }
            Question::Leave(left) => return self.keep(left).await,
            other => other,
        };
        let report = loop {
            match self.ask(&question).await {
                Ok(report) => break report,
                Err(error) => self.wait_out(error.into()).await?,
            }
        };
        if let Some(report) = report {
            if let Report::Leased { leases } = &report {
                let servers: Vec<ServerId> = leases.iter().map(|lease| lease.server).collect();
                self.load_templates(&servers).await?;
            }
            let _ = reports.send(report);
        }
        Ok(())
    }

    async fn ask(&mut self, question: &Question) -> Result<Option<Report>, CatalogError> {
        let now = Timestamp::now();
        Ok(Some(match question {
            Question::Lease { servers, per_server, due } => {
                let crew = self.fencing.as_ref().map(|fencing| &fencing.crew);
                let terms = LeaseTerms {
                    worker: &self.worker,
                    servers: *servers as usize,
                    per_server: *per_server as usize,
                    now: crew.map_or(now, |crew| crew.now()),
                    due: now.plus(*due),
                    until: crew.map_or(now.plus(LEASE_TIME), |crew| crew.until()),
                    delay: self.delay,
                    by_address: crew.is_some_and(|crew| crew.by_address),
                };
                let mut leases = self.catalog.lease_servers(terms).await?;
                if let Some(fencing) = &mut self.fencing {
                    let epochs = leases.iter().map(|lease| (lease.server, lease.epoch));
                    fencing.leases.extend(epochs);
                }
                self.remind(leases.iter_mut().flat_map(|lease| &mut lease.pending)).await?;
                Report::Leased { leases }
            }
            Question::Refill { server, limit } => {
                let limit = *limit as usize;
                let due = now.plus(DUE_SOON);
                let mut pending =
                    self.catalog.pending(*server, limit, due, &HashSet::new()).await?;
                self.remind(pending.iter_mut()).await?;
                let more = pending.len() == limit;
                Report::Refilled { server: *server, pending, more }
            }
            Question::Parked { host } => {
                let pending = self.catalog.parked(host, RequestId(0), PARKED_AT_ONCE).await?;
                let more = pending.len() == PARKED_AT_ONCE;
                Report::Parked { host: host.clone(), pending, more }
            }
            Question::ParkedHosts => {
                let hosts = self.catalog.parked_hosts().await?;
                Report::ParkedHosts(hosts.into_iter().map(|(host, _)| host).collect())
            }
            Question::Exclude { taken } => {
                Report::Excluded { requests: self.exclude(taken).await? }
            }
            Question::Claim { server, epoch, address } => {
                let Some(fencing) = &self.fencing else { return Ok(None) };
                let claim = GroupClaim {
                    worker: &self.worker,
                    server: *server,
                    epoch: *epoch,
                    address: *address,
                    now: fencing.crew.now(),
                    until: fencing.crew.until(),
                    delay: self.delay,
                };
                let claimed = self.catalog.claim_group(claim).await?;
                Report::Claimed { server: *server, claimed }
            }
            Question::Controls => {
                let controls = self.notes().await?;
                // Exclusions are never over.
                for control in controls.iter().filter(|control| control.kind != "exclude") {
                    self.catalog.apply_control(control.id, now).await?;
                }
                Report::Controls(controls)
            }
            Question::Move { moves, queued } => {
                let moved = self.catalog.change_parked(moves).await?;
                // What another worker has moved before is on its way already.
                let is_moved = |pending: &&Pending| moved.contains(&pending.id);
                Report::Moved { queued: queued.iter().filter(is_moved).cloned().collect() }
            }
            Question::Release { servers } => {
                self.catalog.release(&self.worker, servers).await?;
                self.traps.forget(servers);
                let Some(fencing) = &mut self.fencing else { return Ok(None) };
                servers.iter().for_each(|server| _ = fencing.leases.remove(server));
                Report::Released
            }
            Question::Revive { keys } => {
                self.revive(keys).await?;
                return Ok(None);
            }
            Question::Learn { verdicts, lookups } => {
                let judged = self.catalog.set_verdicts(verdicts).await?;
                self.catalog.store_lookups(lookups).await?;
                Report::Reopened { requests: judged.reopened }
            }
            Question::Reopen { hosts } => {
                Report::Reopened { requests: self.catalog.reopen_requests(hosts).await? }
            }
            Question::Refuse { hosts, cause } => {
                Report::Refused { requests: self.catalog.refuse_requests(hosts, cause).await? }
            }
            Question::Decisions => Report::Decisions(self.catalog.hand_decisions().await?),
            // Answered above, because they take more than one statement.
            Question::Open(_) | Question::Leave(_) | Question::Templates { .. } => return Ok(None),
            Question::Flush => Report::Flushed,
        }))
    }

    /// Notes that this crawl has not read. Among others each worker reads all of them.
    async fn notes(&mut self) -> Result<Vec<Control>, CatalogError> {
        let Some(fencing) = &mut self.fencing else { return self.catalog.read_control().await };
        let newest = self.catalog.newest_control().await?;
        let notes = match fencing.last_note {
            Some(last) if newest <= last => Vec::new(),
            Some(last) => self.catalog.controls_after(last).await?,
            None => self.catalog.standing_controls(fencing.is_first).await?,
        };
        // A note that was written since the number was asked for is read again, which does no harm.
        fencing.last_note = Some(newest);
        Ok(notes)
    }

    /// Says of requests that were answered before what is there of them.
    async fn remind<'a>(
        &self,
        pending: impl Iterator<Item = &'a mut Pending>,
    ) -> Result<(), CatalogError> {
        if !self.recrawls {
            return Ok(());
        }
        let pending: Vec<&mut Pending> = pending.collect();
        let ids: Vec<RequestId> = pending.iter().map(|pending| pending.id).collect();
        let mut validators = self.catalog.validators(&ids).await?;
        for pending in pending {
            pending.known = validators.remove(&pending.id).map(|known| {
                Box::new(KnownCopy {
                    etag: known.etag,
                    last_modified: known.last_modified,
                    capture: known.original.capture,
                    record_id: known.original.record_id,
                    uri: known.original.uri,
                    at: known.original.at,
                    digest: known.payload_digest,
                })
            });
        }
        Ok(())
    }

    /// Refuses what waits in the queues and is excluded; how many requests that were.
    async fn exclude(&mut self, taken: &FxHashSet<RequestId>) -> Result<u64, CatalogError> {
        let mut changes = Vec::new();
        let (exclusions, facts) = (&self.exclusions, &self.facts);
        let mut look = |queued: QueuedUrl<'_>| {
            let cause = exclusions.cause_of_url(queued.url, facts);
            if let Some(cause) = cause.filter(|_| !taken.contains(&queued.id)) {
                let change = Change::Refused { cause };
                changes.push(StateChange { request: queued.id, change });
            }
        };
        self.catalog.queued_urls(&mut look).await?;
        let requests = changes.len() as u64;
        if requests > 0 {
            self.window += 1;
            let window = Window { run: self.run, number: self.window, at: Timestamp::now() };
            self.catalog.commit(&Commit { changes, ..Commit::default() }, window).await?;
        }
        Ok(requests)
    }

    /// Whoever names a seed again wants it, whatever became of it before.
    async fn revive(&mut self, keys: &[RequestKey]) -> Result<(), CatalogError> {
        let known = self.catalog.find_keys(keys).await?.into_values();
        let lost = known.filter(|known| matches!(known.state, State::Failed | State::Refused));
        let change = Change::Again { not_before: Timestamp(0), attempts: 0, cause: None };
        let changes: Vec<StateChange> =
            lost.map(|known| StateChange { request: known.id, change: change.clone() }).collect();
        if changes.is_empty() {
            return Ok(());
        }
        self.window += 1;
        let window = Window { run: self.run, number: self.window, at: Timestamp::now() };
        self.catalog.commit(&Commit { changes, ..Commit::default() }, window).await?;
        Ok(())
    }
}
