//! Who is logged in: random names of sessions, each known to one browser. They live in memory, end when they are idle or
//! old, and are never taken from a request: a name that somebody made up belongs to no session.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Sessions at a time; beyond it the one that was idle longest ends.
const MAX_SESSIONS: usize = 10_000;

#[derive(Debug)]
pub(super) struct Sessions {
    idle: Duration,
    longest: Duration,
    known: Mutex<HashMap<String, Session>>,
}

#[derive(Debug, Clone)]
pub(super) struct Session {
    pub(super) name: String,
    /// The hash of the password when it began.
    pub(super) password: String,
    /// What forms of this session carry.
    pub(super) token: String,
    begun: Instant,
    used: Instant,
}

impl Sessions {
    pub(super) fn new(idle: Duration, longest: Duration) -> Sessions {
        Sessions { idle, longest, known: Mutex::default() }
    }

    pub(super) fn longest(&self) -> Duration {
        self.longest
    }

    /// Begins a session; the secret by which it is found again.
    pub(super) fn begin(&self, name: &str, password: &str, now: Instant) -> String {
        let secret = random_token();
        let session = Session {
            name: name.to_owned(),
            password: password.to_owned(),
            token: random_token(),
            begun: now,
            used: now,
        };
        let mut known = self.known();
        known.retain(|_, session| self.is_alive(session, now));
        if known.len() >= MAX_SESSIONS {
            let oldest = known.iter().min_by_key(|(_, session)| session.used);
            if let Some(oldest) = oldest.map(|(secret, _)| secret.clone()) {
                known.remove(&oldest);
            }
        }
        known.insert(secret.clone(), session);
        secret
    }

    pub(super) fn find(&self, secret: &str, now: Instant) -> Option<Session> {
        let mut known = self.known();
        let session = known.get_mut(secret)?;
        if !self.is_alive(session, now) {
            known.remove(secret);
            return None;
        }
        session.used = now;
        Some(session.clone())
    }

    pub(super) fn end(&self, secret: &str) {
        self.known().remove(secret);
    }

    fn is_alive(&self, session: &Session, now: Instant) -> bool {
        now.saturating_duration_since(session.used) < self.idle
            && now.saturating_duration_since(session.begun) < self.longest
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, Session>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// 256 bits that nobody can guess, in hexadecimal.
pub(super) fn random_token() -> String {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_end() {
        let hour = Duration::from_secs(3600);
        let sessions = Sessions::new(hour, hour * 3);
        let now = Instant::now();
        let secret = sessions.begin("anna", "hash", now);
        assert_eq!(secret.len(), 64);
        assert!(sessions.find("made up", now).is_none());
        assert!(sessions.find(&secret, now + hour / 2).is_some());
        assert!(sessions.find(&secret, now + hour).is_some(), "use keeps it alive");
        assert!(sessions.find(&secret, now + hour * 2).is_none(), "idle for an hour");

        let secret = sessions.begin("anna", "hash", now);
        for half_hours in 1..6 {
            assert!(sessions.find(&secret, now + hour / 2 * half_hours).is_some());
        }
        assert!(sessions.find(&secret, now + hour * 3).is_none(), "three hours old");

        let secret = sessions.begin("anna", "hash", now);
        sessions.end(&secret);
        assert!(sessions.find(&secret, now).is_none());
    }

    #[test]
    fn sessions_are_bounded() {
        let sessions = Sessions::new(Duration::from_secs(9), Duration::from_secs(9));
        let now = Instant::now();
        let first = sessions.begin("anna", "hash", now);
        for _ in 0..MAX_SESSIONS {
            sessions.begin("ben", "hash", now + Duration::from_secs(1));
        }
        assert!(sessions.find(&first, now + Duration::from_secs(1)).is_none());
        assert_eq!(sessions.known().len(), MAX_SESSIONS);
    }
}
