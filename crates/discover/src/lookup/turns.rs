//! When a server may be asked: at a steady rate with a small burst, not while it wants to be left
//! alone, and not while it seems dead.
//!
//! The rate is kept by the generic cell rate algorithm: one time per server says when the next
//! question is due, and is allowed to lie `burst` questions ahead. A turn is given for a moment in
//! the future and then waited for; if it would come too late, nobody waits.

use super::settings::LookupSettings;
use auslese_model::{Cause, CauseKind};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// Servers remembered before those with nothing to remember are dropped; if fewer than half of them
/// can be, the next time comes later, so that looking costs little for each.
const SERVERS: usize = 10_000;

pub(super) struct Turns {
    interval: Duration,
    /// How far ahead of the steady rate a rested server may be asked.
    ahead: Duration,
    back_off: Duration,
    back_off_max: Duration,
    dead_after: u32,
    dead_for: Duration,
    servers: Mutex<Servers>,
}

/// Everybody who was asked.
struct Servers {
    by_name: HashMap<String, Server>,
    /// How many there may be before some are dropped.
    room: usize,
}

struct Server {
    /// When a question would be due at the steady rate.
    due: Instant,
    /// It wants to be left alone until then.
    alone_until: Option<Instant>,
    /// How often in a row it said so.
    throttled: u32,
    /// Questions in a row without an answer.
    failures: u32,
    /// Not asked until then, because of this.
    dead: Option<(Instant, Cause)>,
    /// Questions that wait for their turn.
    waiting: usize,
}

impl Server {
    fn new(now: Instant) -> Server {
        let (throttled, failures, waiting) = (0, 0, 0);
        Server { due: now, alone_until: None, throttled, failures, dead: None, waiting }
    }

    /// Failures and pauses of long ago count no more.
    fn has_nothing_to_remember(&self, now: Instant, long: Duration) -> bool {
        let troubled = self.throttled > 0 || self.failures > 0;
        let rested = if troubled { self.due + long <= now } else { self.due <= now };
        let left_alone = self.alone_until.is_some_and(|until| until > now)
            || self.dead.as_ref().is_some_and(|(rises, _)| *rises > now);
        rested && !left_alone && self.waiting == 0
    }
}

impl Servers {
    fn entry(&mut self, name: &str, now: Instant) -> &mut Server {
        self.by_name.entry(name.to_owned()).or_insert_with(|| Server::new(now))
    }

    fn make_room(&mut self, name: &str, now: Instant, long: Duration) {
        if self.by_name.len() >= self.room && !self.by_name.contains_key(name) {
            self.by_name.retain(|_, server| !server.has_nothing_to_remember(now, long));
            self.room = SERVERS.max(2 * self.by_name.len());
        }
    }
}

impl Turns {
    pub(super) fn new(settings: &LookupSettings) -> Turns {
        Turns {
            interval: settings.interval,
            ahead: settings.interval.saturating_mul(settings.burst.saturating_sub(1)),
            back_off: settings.back_off,
            back_off_max: settings.back_off_max,
            dead_after: settings.dead_after.max(1),
            dead_for: settings.dead_for,
            servers: Mutex::new(Servers { by_name: HashMap::new(), room: SERVERS }),
        }
    }

    /// Waits for a turn; a cause if it would not come before `until`.
    pub(super) async fn wait(&self, server: &str, until: Instant) -> Result<(), Cause> {
        loop {
            let at = self.reserve(server, until)?;
            let waiting = Waiting { turns: self, server };
            sleep_until(at).await;
            drop(waiting);
            // Another answer may have asked for silence in the meantime.
            if !self.is_to_be_left_alone(server) {
                return Ok(());
            }
        }
    }

    /// The server answered.
    pub(super) fn answered(&self, server: &str) {
        if let Some(server) = self.lock().by_name.get_mut(server) {
            (server.throttled, server.failures) = (0, 0);
            (server.alone_until, server.dead) = (None, None);
        }
    }

    /// The server says there were too many questions. How long it is left alone.
    pub(super) fn throttled(&self, server: &str, wanted: Option<Duration>) -> Duration {
        let now = Instant::now();
        let mut servers = self.lock();
        let server = servers.entry(server, now);
        let doubled = self.back_off.saturating_mul(1 << server.throttled.min(16));
        let pause = wanted.unwrap_or(doubled).min(self.back_off_max);
        server.throttled = server.throttled.saturating_add(1);
        server.failures = 0;
        let alone_until = server.alone_until.map_or(now + pause, |known| known.max(now + pause));
        server.alone_until = Some(alone_until);
        // After the pause, questions come one by one.
        server.due = server.due.max(alone_until + self.ahead);
        pause
    }

    /// The server did not answer.
    pub(super) fn failed(&self, name: &str, cause: &Cause) {
        let now = Instant::now();
        let mut servers = self.lock();
        let server = servers.entry(name, now);
        server.failures = server.failures.saturating_add(1);
        if server.failures >= self.dead_after {
            let detail = format!("{name} does not answer and is left alone for a time ({cause})");
            server.dead = Some((now + self.dead_for, Cause::new(cause.kind, detail)));
        }
    }

    fn reserve(&self, name: &str, until: Instant) -> Result<Instant, Cause> {
        let now = Instant::now();
        let mut servers = self.lock();
        servers.make_room(name, now, self.dead_for);
        let server = servers.entry(name, now);
        if let Some((rises, cause)) = &server.dead {
            if *rises > now {
                return Err(cause.clone());
            }
            server.dead = None;
        }
        if let Some(alone_until) = server.alone_until.filter(|alone_until| *alone_until > until) {
            let pause = alone_until.duration_since(now).as_secs().max(1);
            let detail = format!("{name} wants to be left alone for another {pause} s");
            return Err(Cause::new(CauseKind::ServerBusy, detail));
        }
        let due = server.due.max(now);
        let at = due.checked_sub(self.ahead).unwrap_or(now).max(now);
        if at > until {
            let detail = format!("waiting for {name}: {} questions before", server.waiting);
            return Err(Cause::new(CauseKind::Timeout, detail));
        }
        server.due = due + self.interval;
        server.waiting += 1;
        Ok(at)
    }

    fn is_to_be_left_alone(&self, server: &str) -> bool {
        let servers = self.lock();
        let alone_until = servers.by_name.get(server).and_then(|server| server.alone_until);
        alone_until.is_some_and(|alone_until| alone_until > Instant::now())
    }

    fn lock(&self) -> MutexGuard<'_, Servers> {
        // Every change is complete before the lock is given back.
        self.servers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One question that waits; also counted out when it is given up.
struct Waiting<'a> {
    turns: &'a Turns,
    server: &'a str,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if let Some(server) = self.turns.lock().by_name.get_mut(self.server) {
            server.waiting = server.waiting.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    const MOMENT: Duration = Duration::from_millis(100);

    fn turns() -> Turns {
        Turns::new(&LookupSettings {
            interval: MOMENT,
            burst: 3,
            back_off: MOMENT * 5,
            back_off_max: MOMENT * 20,
            dead_for: MOMENT * 3,
            ..LookupSettings::default()
        })
    }

    fn run<T>(work: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
    }

    #[test]
    fn a_burst_and_then_a_steady_rate() {
        run(async {
            let turns = turns();
            let start = Instant::now();
            let until = start + MOMENT * 1000;
            let times: Vec<Duration> = (0..6)
                .map(|_| turns.reserve("s", until).unwrap().saturating_duration_since(start))
                .collect();
            assert!(times[..3].iter().all(|time| *time < MOMENT), "{times:?}");
            for (index, pair) in times[2..].windows(2).enumerate() {
                assert!(pair[1] - pair[0] >= MOMENT * 9 / 10, "{index}: {times:?}");
            }
            // Another server has its own rate.
            assert!(turns.reserve("t", until).unwrap() <= Instant::now());
        });
    }

    #[test]
    fn who_would_wait_too_long_is_told_at_once() {
        run(async {
            let turns = turns();
            let until = Instant::now() + MOMENT * 2;
            while turns.reserve("whois.s.example", until).is_ok() {}
            let cause = turns.wait("whois.s.example", Instant::now()).await.unwrap_err();
            assert_eq!(cause.kind, CauseKind::Timeout);
            let (before, after) = cause.detail.split_once(": ").unwrap();
            assert_eq!(before, "waiting for whois.s.example");
            assert!(after.starts_with(|c: char| ('3'..='7').contains(&c)), "{cause}");
            assert!(after.ends_with(" questions before"), "{cause}");
        });
    }

    /// A crawl meets many hosts that do not answer; they are not remembered for ever.
    #[test]
    fn troubles_of_long_ago_are_forgotten() {
        let (turns, begin) = (turns(), Instant::now());
        let mut servers = turns.lock();
        for number in 0..SERVERS {
            servers.entry(&number.to_string(), begin).failures = 1;
        }
        let busy = servers.entry("busy", begin);
        (busy.throttled, busy.alone_until) = (1, Some(begin + MOMENT * 100));
        servers.make_room("new", begin, MOMENT);
        assert_eq!((servers.by_name.len(), servers.room), (SERVERS + 1, 2 * SERVERS + 2));
        servers.room = SERVERS;
        servers.make_room("new", begin + MOMENT * 2, MOMENT);
        assert_eq!(servers.by_name.keys().collect::<Vec<_>>(), ["busy"]);
    }

    #[test]
    fn pauses_grow_and_end() {
        run(async {
            let turns = turns();
            let now = Instant::now();
            let pauses: Vec<u128> = (0..4)
                .map(|_| turns.throttled("s", None).as_millis() / MOMENT.as_millis())
                .collect();
            assert_eq!(pauses, [5, 10, 20, 20]);
            assert_eq!(turns.throttled("s", Some(Duration::from_secs(9_999))), MOMENT * 20);
            let cause = turns.wait("s", now).await.unwrap_err();
            assert_eq!(cause.kind, CauseKind::ServerBusy);
            assert!(cause.detail.starts_with("s wants to be left alone for another "), "{cause}");
            turns.answered("s");
            assert_eq!(turns.throttled("s", None), MOMENT * 5);

            let pause = turns.throttled("t", Some(MOMENT));
            assert_eq!(pause, MOMENT);
            let start = Instant::now();
            turns.wait("t", start + MOMENT * 100).await.unwrap();
            assert!(start.elapsed() >= MOMENT * 8 / 10);
        });
    }

    #[test]
    fn the_dead_are_left_alone_for_a_time() {
        run(async {
            let turns = turns();
            let until = || Instant::now() + MOMENT * 100;
            let cause = Cause::new(CauseKind::Connect, "refused");
            turns.failed("s", &cause);
            assert!(turns.reserve("s", until()).is_ok());
            turns.failed("s", &cause);
            let refused = turns.reserve("s", until()).unwrap_err();
            assert_eq!(refused.kind, CauseKind::Connect);
            assert!(refused.detail.starts_with("s does not answer"), "{refused}");
            tokio::time::sleep(MOMENT * 4).await;
            assert!(turns.reserve("s", until()).is_ok());
        });
    }
}
