//! The book of one commit window: rows that will be stored together.
//!
//! Only plain bookkeeping happens here; who writes records and asks the catalog is the committer.

use crate::processing::Caught;
use crate::trapping::TrapWindow;
use auslese_archive::Original;
use auslese_model::{
    Capture, CaptureId, Change, Clock, Commit, Digest, HeaderFields, HostName, NewServer, Offer,
    Pending, RequestId, RequestKey, RobotsCopy, RunId, ServerId, ServerSigns, State, StateChange,
    Storage, Timestamp,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What a window has brought, told after it is stored.
#[derive(Debug, Default)]
pub(crate) struct Stored {
    /// How many requests are finished, one way or another.
    pub(crate) finished: u64,
    /// New requests that may be fetched at once.
    pub(crate) queued: Vec<Pending>,
    /// Hosts of new requests that wait for a verdict.
    pub(crate) parked: Vec<HostName>,
    /// Requests whose outcome is now in the catalog, by server.
    pub(crate) settled: FxHashMap<ServerId, Vec<RequestId>>,
    pub(crate) results: usize,
    /// Bytes that these results held in memory.
    pub(crate) memory: u64,
    pub(crate) parked_requests: u64,
    pub(crate) refused_offers: u64,
    pub(crate) offered: u64,
    pub(crate) captures: u64,
    /// Payload bytes of these.
    pub(crate) bytes: u64,
    /// Servers that are not ours any more; nothing of them is stored.
    pub(crate) lost: Vec<ServerId>,
    pub(crate) failed: u64,
    pub(crate) refused: u64,
    /// URL templates that are quarantined by this window.
    pub(crate) quarantined: usize,
}

#[derive(Debug, Default)]
pub(crate) struct Book {
    commit: Commit,
    stored: Stored,
    clocks: FxHashMap<ServerId, Clock>,
    signs: FxHashMap<ServerId, ServerSigns>,
    originals: FxHashMap<Digest, (Original, CaptureId)>,
    /// What it adds to the account of URL templates.
    pub(crate) traps: TrapWindow,
}

impl Book {
    pub(crate) fn server(&mut self, server: NewServer) {
        self.commit.servers.push(server);
    }

    pub(crate) fn offer(&mut self, offer: Offer, via_url: Option<Arc<str>>) {
        match offer.state {
            State::Queued => self.stored.queued.push(pending_of(&offer, via_url)),
            State::Parked => {
                self.stored.parked_requests += 1;
                self.stored.parked.push(offer.request.host());
            }
            State::Refused => {
                self.stored.refused += 1;
                self.stored.refused_offers += 1;
            }
            State::Done | State::Failed => {}
        }
        self.offer_quietly(offer);
    }

    /// Enters a request that is being fetched already.
    pub(crate) fn offer_quietly(&mut self, offer: Offer) {
        self.stored.offered += 1;
        self.commit.offers.push(offer);
    }

    pub(crate) fn offered(&self, key: RequestKey) -> Option<RequestId> {
        self.commit.offers.iter().find(|offer| offer.key == key).map(|offer| offer.id)
    }

    pub(crate) fn memory(&mut self, bytes: u64) {
        self.stored.memory += bytes;
    }

    pub(crate) fn clocks<'a>(&mut self, clocks: impl IntoIterator<Item = &'a Clock>) {
        self.clocks.extend(clocks.into_iter().map(|clock| (clock.server, clock.clone())));
    }

    pub(crate) fn robots(&mut self, robots: &RobotsCopy) {
        self.commit.robots.retain(|known| known.server != robots.server);
        self.commit.robots.push(robots.clone());
    }

    /// Enters that nothing of a result is stored, because its server is another worker's by now.
    pub(crate) fn refuse(&mut self, pending: &Pending) {
        self.stored.results += 1;
        self.stored.settled.entry(pending.server).or_default().push(pending.id);
    }

    /// Enters that a server is not ours any more.
    pub(crate) fn lost(&mut self, server: ServerId) {
        if !self.stored.lost.contains(&server) {
            self.stored.lost.push(server);
        }
    }

    /// What was found, if the window could not be stored: it has to be found again.
    pub(crate) fn offered_keys(&self) -> impl Iterator<Item = RequestKey> {
        self.commit.offers.iter().map(|offer| offer.key)
    }

    pub(crate) fn original(&mut self, digest: Digest, original: Original, capture: CaptureId) {
        self.originals.entry(digest).or_insert((original, capture));
    }

    pub(crate) fn original_of(&self, digest: &Digest) -> Option<&(Original, CaptureId)> {
        self.originals.get(digest)
    }

    /// Enters what became of a request.
    pub(crate) fn change(&mut self, pending: &Pending, change: Change) {
        self.stored.results += 1;
        match change {
            Change::Failed { .. } => self.stored.failed += 1,
            Change::Refused { .. } => self.stored.refused += 1,
            Change::Done { .. } | Change::Again { .. } => {}
        }
        if !matches!(change, Change::Again { .. }) {
            self.stored.finished += 1;
        }
        self.stored.settled.entry(pending.server).or_default().push(pending.id);
        self.commit.changes.push(StateChange { request: pending.id, change });
    }

    /// Enters a capture and what it means for its request.
    pub(crate) fn capture(
        &mut self,
        id: CaptureId,
        run: RunId,
        pending: &Pending,
        caught: &Caught,
        storage: Storage,
    ) {
        let Caught { exchange, after, charset, oddities, digest, .. } = caught;
        let (fields, mut all_oddities) = HeaderFields::of(&exchange.response);
        all_oddities.extend_from_slice(&exchange.response.oddities);
        all_oddities.extend_from_slice(oddities);
        let payload_length = match &exchange.response.decoded {
            Some(decoded) => decoded.len(),
            None => exchange.response.body.len(),
        };
        // Workers finish in any order; an answer that names no software takes nothing back.
        let earlier = self.signs.remove(&pending.server).and_then(|signs| signs.software);
        let signs = ServerSigns {
            server: pending.server,
            software: fields.server.clone().or(earlier),
            http_version: exchange.response.version.clone(),
        };
        self.signs.insert(pending.server, signs);
        self.commit.captures.push(Capture {
            id,
            request: pending.id,
            run,
            server: pending.server,
            target: pending.request.target().to_owned(),
            at: exchange.started,
            duration: exchange.timings.total,
            address: exchange.address,
            status: exchange.response.status,
            http_version: exchange.response.version.clone(),
            head: exchange.response.head.clone(),
            fields,
            payload_length,
            payload_digest: digest.clone(),
            truncated: exchange.response.truncated,
            tls_problem: exchange.tls.as_ref().and_then(|tls| tls.problem.clone()),
            charset: charset.clone(),
            storage,
            oddities: all_oddities,
        });
        self.stored.captures += 1;
        self.stored.bytes += payload_length;
        self.change(pending, after.clone().unwrap_or(Change::Done { capture: id }));
    }

    pub(crate) fn close(mut self) -> (Commit, Stored) {
        self.commit.clocks = self.clocks.into_values().collect();
        self.commit.signs = self.signs.into_values().collect();
        self.stored.parked.sort();
        self.stored.parked.dedup();
        (self.commit, self.stored)
    }
}

fn pending_of(offer: &Offer, via_url: Option<Arc<str>>) -> Pending {
    Pending {
        id: offer.id,
        server: offer.server,
        request: offer.request.clone(),
        priority: offer.priority,
        hops: offer.hops.clone(),
        via: offer.via,
        via_url,
        attempts: 0,
        not_before: Timestamp(0),
        known: None,
    }
}
