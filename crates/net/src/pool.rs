//! Keeps connections for the next request to the same origin, and bounds how many are in use.
//!
//! A kept connection is handed out again only for an address that the name resolves to now: a name
//! that moved must not be served from where it was.

use crate::connection::Connection;
use crate::settings::Limits;
use auslese_model::Origin;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

pub(crate) struct Pool {
    origins: Mutex<HashMap<Origin, Arc<Slot>>>,
    idle: AtomicUsize,
    sweeping: AtomicBool,
    per_origin: usize,
    idle_limit: usize,
    keep_alive: Duration,
}

struct Slot {
    permits: Arc<Semaphore>,
    idle: Mutex<Vec<Idle>>,
}

struct Idle {
    connection: Connection,
    since: Instant,
}

/// The right to use one connection to an origin.
pub(crate) struct Permit {
    slot: Arc<Slot>,
    pool: Arc<Pool>,
    _permit: OwnedSemaphorePermit,
}

impl Pool {
    pub(crate) fn new(limits: &Limits) -> Arc<Pool> {
        Arc::new(Pool {
            origins: Mutex::new(HashMap::new()),
            idle: AtomicUsize::new(0),
            sweeping: AtomicBool::new(false),
            per_origin: limits.connections_per_origin.max(1),
            idle_limit: limits.idle_connections,
            keep_alive: limits.keep_alive,
        })
    }

    /// Waits until the origin has a connection to spare.
    pub(crate) async fn permit(self: &Arc<Pool>, origin: &Origin) -> Permit {
        let slot = self.slot(origin);
        let permit = slot
            .permits
            .clone()
            .acquire_owned()
            .await
            .expect("the semaphore of an origin is never closed");
        Permit { slot, pool: self.clone(), _permit: permit }
    }

    fn slot(&self, origin: &Origin) -> Arc<Slot> {
        let mut origins = lock(&self.origins);
        if let Some(slot) = origins.get(origin) {
            return slot.clone();
        }
        let slot = Arc::new(Slot {
            permits: Arc::new(Semaphore::new(self.per_origin)),
            idle: Mutex::new(Vec::new()),
        });
        origins.insert(origin.clone(), slot.clone());
        slot
    }

    /// Closes connections that waited too long, and forgets origins nobody uses.
    fn sweep(&self) {
        let now = Instant::now();
        lock(&self.origins).retain(|_, slot| {
            let mut idle = lock(&slot.idle);
            let before = idle.len();
            idle.retain(|idle| now.duration_since(idle.since) < self.keep_alive);
            self.idle.fetch_sub(before - idle.len(), Ordering::Relaxed);
            !idle.is_empty() || Arc::strong_count(slot) > 1
        });
    }

    fn start_sweeping(self: &Arc<Pool>) {
        if !self.sweeping.swap(true, Ordering::Relaxed) {
            tokio::spawn(keep_sweeping(Arc::downgrade(self), self.keep_alive / 2));
        }
    }
}

/// Sweeps while there is something to sweep; the next kept connection starts it again.
async fn keep_sweeping(pool: Weak<Pool>, pause: Duration) {
    loop {
        tokio::time::sleep(pause.max(Duration::from_millis(100))).await;
        let Some(pool) = pool.upgrade() else { return };
        pool.sweep();
        if lock(&pool.origins).is_empty() {
            pool.sweeping.store(false, Ordering::Relaxed);
            return;
        }
    }
}

impl Permit {
    /// A kept connection to one of these addresses that is still alive; behind a proxy
    /// connections have no address.
    pub(crate) fn take(&self, fits: impl Fn(Option<IpAddr>) -> bool) -> Option<Connection> {
        loop {
            let mut idle = lock(&self.slot.idle);
            let index = idle.iter().rposition(|idle| fits(idle.connection.address))?;
            let Idle { mut connection, since } = idle.swap_remove(index);
            drop(idle);
            self.pool.idle.fetch_sub(1, Ordering::Relaxed);
            if since.elapsed() < self.pool.keep_alive && connection.is_quiet() {
                return Some(connection);
            }
        }
    }

    pub(crate) fn keep(&self, connection: Connection) {
        if self.pool.idle.load(Ordering::Relaxed) >= self.pool.idle_limit {
            return;
        }
        let mut idle = lock(&self.slot.idle);
        if idle.len() < self.pool.per_origin {
            idle.push(Idle { connection, since: Instant::now() });
            drop(idle);
            self.pool.idle.fetch_add(1, Ordering::Relaxed);
            self.pool.start_sweeping();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
