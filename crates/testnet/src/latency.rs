//! A network between the servers and whoever asks them: answers take the time they take on a long line.
//!
//! Loopback answers at once, and a scheduler that wastes a moment per request looks perfect on it. With a latency
//! every request waits for a round trip, the first one of a connection for two (the handshake), and some for a packet
//! that was lost and is sent again. The waiting happens between the arrival in the log and the first byte of the
//! answer, so pauses in the log stay those the client made.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How long after it was lost a packet is sent again; TCP never waits for less.
const RESENT_AFTER: Duration = Duration::from_millis(200);

/// What a round trip takes. The default is loopback itself.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Latency {
    pub round_trip: Duration,
    /// A round trip takes up to so much longer, evenly distributed.
    pub jitter: Duration,
    /// The share of exchanges that lose a packet, from 0 to 1.
    pub loss: f64,
}

/// Draws the waits, the same ones in every run as far as requests come in the same order.
#[derive(Debug)]
pub(crate) struct Line {
    latency: Latency,
    drawn: AtomicU64,
}

impl Line {
    pub(crate) fn new(latency: Latency) -> Line {
        Line { latency, drawn: AtomicU64::new(0) }
    }

    /// How long an answer is under way, and the handshake before it.
    pub(crate) fn wait(&self, is_first_on_connection: bool) -> Duration {
        let trips = if is_first_on_connection { 2 } else { 1 };
        (0..trips).map(|_| self.trip()).sum()
    }

    fn trip(&self) -> Duration {
        let Latency { round_trip, jitter, loss } = self.latency;
        let lost = self.chance() < loss;
        let resent = if lost { RESENT_AFTER } else { Duration::ZERO };
        round_trip + jitter.mul_f64(self.chance()) + resent
    }

    /// A number from 0 to 1, without 1.
    fn chance(&self) -> f64 {
        // The mixing function of SplitMix64 over a counter.
        let mut number = self
            .drawn
            .fetch_add(1, Ordering::Relaxed)
            .wrapping_add(1)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((number ^ (number >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits() {
        let none = Line::new(Latency::default());
        assert_eq!((none.wait(true), none.wait(false)), (Duration::ZERO, Duration::ZERO));
        let round_trip = Duration::from_millis(100);
        let jitter = Duration::from_millis(50);
        let line = Line::new(Latency { round_trip, jitter, loss: 0.1 });
        let waits: Vec<Duration> = (0..1000).map(|_| line.wait(false)).collect();
        let lost = waits.iter().filter(|wait| **wait >= RESENT_AFTER + round_trip).count();
        assert!((60..140).contains(&lost), "{lost} of 1000 were lost");
        assert!(
            waits
                .iter()
                .all(|wait| (round_trip..round_trip + jitter + RESENT_AFTER).contains(wait))
        );
        assert!(line.wait(true) >= 2 * round_trip);
    }
}
