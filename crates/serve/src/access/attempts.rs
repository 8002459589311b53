//! How often a password may be guessed. Whoever guesses wrong a few times waits, and the wait doubles: by the address
//! that guesses, and by the name that is guessed at, so that many addresses do not help. A name waits a minute at most:
//! otherwise a stranger could lock its owner out for as long as they like.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Wrong ones before the first wait.
const FREE_ATTEMPTS: u32 = 5;
const FIRST_WAIT: Duration = Duration::from_secs(2);
const LONGEST_WAIT_OF_ADDRESS: Duration = Duration::from_secs(15 * 60);
const LONGEST_WAIT_OF_NAME: Duration = Duration::from_secs(60);
/// Wrong ones are forgotten after this time without another.
const MEMORY: Duration = Duration::from_secs(60 * 60);
/// Names and addresses that are remembered.
const MAX_REMEMBERED: usize = 20_000;

#[derive(Debug, Default)]
pub(super) struct Attempts {
    wrong: Mutex<HashMap<Guesser, Wrong>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Guesser {
    Address(Option<IpAddr>),
    Name(String),
}

#[derive(Debug, Clone, Copy)]
struct Wrong {
    times: u32,
    last: Instant,
}

impl Attempts {
    /// How long to wait before the next attempt, if at all.
    pub(super) fn wait(&self, name: &str, from: Option<IpAddr>, now: Instant) -> Option<Duration> {
        let wrong = self.wrong.lock().unwrap_or_else(PoisonError::into_inner);
        guessers(name, from)
            .iter()
            .filter_map(|guesser| {
                let known = wrong.get(guesser)?;
                let until = known.last + wait_after(guesser, known.times);
                let left = until.saturating_duration_since(now);
                (!left.is_zero()).then_some(left)
            })
            .max()
    }

    pub(super) fn failed(&self, name: &str, from: Option<IpAddr>, now: Instant) {
        let mut wrong = self.wrong.lock().unwrap_or_else(PoisonError::into_inner);
        if wrong.len() >= MAX_REMEMBERED {
            wrong.retain(|_, it| now.saturating_duration_since(it.last) < MEMORY);
        }
        if wrong.len() >= MAX_REMEMBERED {
            // Names are cheap to make up, addresses are not.
            wrong.retain(|guesser, _| matches!(guesser, Guesser::Address(_)));
        }
        for guesser in guessers(name, from) {
            let known = wrong.entry(guesser).or_insert(Wrong { times: 0, last: now });
            if now.saturating_duration_since(known.last) >= MEMORY {
                known.times = 0;
            }
            *known = Wrong { times: known.times.saturating_add(1), last: now };
        }
    }

    pub(super) fn succeeded(&self, name: &str, from: Option<IpAddr>) {
        let mut wrong = self.wrong.lock().unwrap_or_else(PoisonError::into_inner);
        for guesser in guessers(name, from) {
            wrong.remove(&guesser);
        }
    }
}

fn guessers(name: &str, from: Option<IpAddr>) -> [Guesser; 2] {
    // What nobody is called is one name, however it is spelt: no flood of names fills the memory.
    let name = if super::is_account_name(name) { name } else { "" };
    [Guesser::Address(from), Guesser::Name(name.to_owned())]
}

fn wait_after(guesser: &Guesser, times: u32) -> Duration {
    let Some(doublings) = times.checked_sub(FREE_ATTEMPTS) else { return Duration::ZERO };
    let longest = match guesser {
        Guesser::Address(_) => LONGEST_WAIT_OF_ADDRESS,
        Guesser::Name(_) => LONGEST_WAIT_OF_NAME,
    };
    FIRST_WAIT.saturating_mul(1 << doublings.min(20)).min(longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guessing_takes_ever_longer() {
        let attempts = Attempts::default();
        let (here, now) = (Some(IpAddr::from([192, 0, 2, 1])), Instant::now());
        for _ in 0..FREE_ATTEMPTS {
            assert_eq!(attempts.wait("anna", here, now), None);
            attempts.failed("anna", here, now);
        }
        assert_eq!(attempts.wait("anna", here, now), Some(FIRST_WAIT));
        assert_eq!(attempts.wait("anna", None, now), Some(FIRST_WAIT), "from elsewhere, too");
        assert_eq!(attempts.wait("ben", here, now), Some(FIRST_WAIT), "other names, too");
        assert_eq!(attempts.wait("ben", None, now), None);
        attempts.failed("anna", here, now);
        assert_eq!(attempts.wait("anna", here, now), Some(FIRST_WAIT * 2));
        for _ in 0..99 {
            attempts.failed("anna", here, now);
        }
        assert_eq!(attempts.wait("anna", here, now), Some(LONGEST_WAIT_OF_ADDRESS));
        assert_eq!(attempts.wait("anna", None, now), Some(LONGEST_WAIT_OF_NAME));
        assert_eq!(attempts.wait("anna", here, now + LONGEST_WAIT_OF_ADDRESS), None);
    }

    #[test]
    fn success_forgives_and_time_forgets() {
        let attempts = Attempts::default();
        let now = Instant::now();
        for _ in 0..=FREE_ATTEMPTS {
            attempts.failed("anna", None, now);
        }
        attempts.succeeded("anna", None);
        assert_eq!(attempts.wait("anna", None, now), None);
        for _ in 0..=FREE_ATTEMPTS {
            attempts.failed("anna", None, now);
        }
        attempts.failed("anna", None, now + MEMORY);
        assert_eq!(attempts.wait("anna", None, now + MEMORY), None);
    }

    #[test]
    fn memory_is_bounded() {
        let attempts = Attempts::default();
        for number in 0..2 * MAX_REMEMBERED {
            attempts.failed(&format!("n{number}"), None, Instant::now());
        }
        assert!(attempts.wrong.lock().unwrap().len() <= MAX_REMEMBERED + 2);
    }
}
