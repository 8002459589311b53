//! What a worker among others knows of its own standing: its name, the clock that all go by, and until
//! when it may rely on its leases.
//!
//! A lease is good for some time after the last heartbeat that the catalog has heard. Whoever was
//! stopped, or cut off from the catalog, for longer must not send anything: others may have its servers
//! by now. So every request asks here for permission in its last moment.

use auslese_catalog::{Catalog, CatalogError, Doing};
use auslese_model::{Origin, Request, Timestamp};
use rustc_hash::FxHashSet;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// The part of a lease in which nothing more is sent, so that answers end within it: one in this many.
const MARGIN: u32 = 4;
/// The same for long leases, at most.
const LONGEST_MARGIN: Duration = Duration::from_secs(2);
/// Clocks that differ by more than this are worth a word: delays go by them.
const CLOCK_DIFFERENCE: i64 = 1_000_000;

/// A worker among others.
#[derive(Debug)]
pub(crate) struct Crew {
    pub(crate) name: String,
    pub(crate) incarnation: i64,
    pub(crate) lease: Duration,
    /// Whether servers at one address are leased together.
    pub(crate) by_address: bool,
    /// How far the clock of the catalog is ahead of ours, in microseconds.
    ahead: AtomicI64,
    /// When the last heartbeat that was heard began, by two clocks: one stands still while the machine
    /// sleeps, the other may be set.
    heard: Mutex<(Instant, Timestamp)>,
    /// What it does, and how often that has changed.
    pub(crate) doing: watch::Sender<(Doing, u64)>,
    /// Another process has taken the name.
    pub(crate) replaced: AtomicBool,
    /// A heartbeat came too late, and it is not settled yet which servers were lost.
    in_doubt: AtomicBool,
    /// Servers that were lost while something may have been on its way to them.
    lost: RwLock<FxHashSet<Origin>>,
}

impl Crew {
    pub(crate) fn new(
        name: String,
        incarnation: i64,
        lease: Duration,
        by_address: bool,
        joined: (Instant, Timestamp),
    ) -> Crew {
        Crew {
            name,
            incarnation,
            lease,
            by_address,
            ahead: AtomicI64::new(0),
            heard: Mutex::new(joined),
            doing: watch::Sender::new((Doing::Starting, 0)),
            replaced: AtomicBool::new(false),
            in_doubt: AtomicBool::new(false),
            lost: RwLock::default(),
        }
    }

    /// Now, by the clock of the catalog.
    pub(crate) fn now(&self) -> Timestamp {
        Timestamp(Timestamp::now().0 + self.ahead.load(Ordering::Relaxed))
    }

    /// Until when a lease holds that is made or renewed now.
    pub(crate) fn until(&self) -> Timestamp {
        self.now().plus(self.lease)
    }

    /// Compares the clocks.
    pub(crate) async fn set_clock(&self, catalog: &Catalog) -> Result<(), CatalogError> {
        let before = Timestamp::now();
        let there = catalog.time().await?;
        let here = Timestamp(before.0 + (Timestamp::now().0 - before.0) / 2);
        let ahead = there.0 - here.0;
        let known = self.ahead.swap(ahead, Ordering::Relaxed);
        if ahead.abs() > CLOCK_DIFFERENCE && known.abs() <= CLOCK_DIFFERENCE {
            let seconds = ahead as f64 / 1e6;
            tracing::warn!(
                "the clock of the catalog is {seconds:+.1} s off ours; pauses at hosts that pass \
                 from one machine to another are wrong by as much"
            );
        }
        Ok(())
    }

    /// A heartbeat that began then was heard; whether it came in time.
    pub(crate) fn was_heard(&self, began: (Instant, Timestamp)) -> bool {
        let in_time = self.silence() < self.lease;
        if !in_time {
            self.in_doubt.store(true, Ordering::SeqCst);
        }
        *self.heard.lock().unwrap_or_else(PoisonError::into_inner) = began;
        in_time
    }

    /// Whether requests may be sent: the leases hold for a while yet.
    pub(crate) fn may_send(&self) -> bool {
        let margin = (self.lease / MARGIN).min(LONGEST_MARGIN);
        self.silence() < self.lease.saturating_sub(margin)
            && !self.replaced.load(Ordering::Relaxed)
            && !self.in_doubt.load(Ordering::SeqCst)
    }

    /// Whether this request may be sent: it may have waited for a connection while its server was lost.
    pub(crate) fn may_send_to(&self, request: &Request) -> bool {
        let lost = self.lost.read().unwrap_or_else(PoisonError::into_inner);
        self.may_send() && (lost.is_empty() || !lost.contains(&request.origin()))
    }

    /// It is settled which servers are lost.
    pub(crate) fn doubt_is_over(&self) {
        self.in_doubt.store(false, Ordering::SeqCst);
    }

    /// Nothing more is sent to a server.
    pub(crate) fn lose(&self, origin: Origin) {
        self.lost.write().unwrap_or_else(PoisonError::into_inner).insert(origin);
    }

    /// Nothing is on its way to it any more.
    pub(crate) fn forget(&self, origin: &Origin) {
        self.lost.write().unwrap_or_else(PoisonError::into_inner).remove(origin);
    }

    fn silence(&self) -> Duration {
        let (instant, wall) = *self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        instant.elapsed().max(Timestamp::now().since(wall))
    }

    /// Says what this worker does from now on; returns how often that has changed.
    pub(crate) fn does(&self, doing: Doing) -> u64 {
        self.doing.send_if_modified(|(known, changes)| {
            let is_new = *known != doing;
            if is_new {
                (*known, *changes) = (doing, *changes + 1);
            }
            is_new
        });
        self.doing.borrow().1
    }
}
