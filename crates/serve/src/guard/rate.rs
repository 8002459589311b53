//! How many requests one address may send: a bucket each, which fills again with time. Readers on the machine itself are
//! exempt; they are the owner, or a proxy that has limits of its own.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Addresses that are remembered; the fullest buckets are forgotten first, for these are the idle ones.
const MAX_ADDRESSES: usize = 10_000;

#[derive(Debug)]
pub(crate) struct Rates {
    per_second: f64,
    burst: f64,
    buckets: Mutex<HashMap<IpAddr, Bucket>>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    left: f64,
    at: Instant,
}

impl Rates {
    pub(crate) fn new(per_second: f64, burst: f64) -> Rates {
        Rates { per_second, burst, buckets: Mutex::default() }
    }

    /// Whether one more request of this address is answered now.
    pub(crate) fn admits(&self, address: IpAddr, now: Instant) -> bool {
        if address.is_loopback() {
            return true;
        }
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MAX_ADDRESSES && !buckets.contains_key(&address) {
            buckets.retain(|_, bucket| self.filled(bucket, now) < self.burst);
            if buckets.len() >= MAX_ADDRESSES {
                buckets.clear();
            }
        }
        let bucket = buckets.entry(address).or_insert(Bucket { left: self.burst, at: now });
        bucket.left = self.filled(bucket, now);
        bucket.at = now;
        let is_admitted = bucket.left >= 1.0;
        if is_admitted {
            bucket.left -= 1.0;
        }
        is_admitted
    }

    fn filled(&self, bucket: &Bucket, now: Instant) -> f64 {
        let since = now.saturating_duration_since(bucket.at).as_secs_f64();
        (bucket.left + since * self.per_second).min(self.burst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let rates = Rates::new(2.0, 3.0);
        let (reader, now) = (IpAddr::from([192, 0, 2, 1]), Instant::now());
        let admitted = (0..5).filter(|_| rates.admits(reader, now)).count();
        assert_eq!(admitted, 3);
        assert!(rates.admits(IpAddr::from([192, 0, 2, 2]), now));
        let later = now + Duration::from_secs(1);
        assert_eq!((0..5).filter(|_| rates.admits(reader, later)).count(), 2);
    }

    #[test]
    fn the_machine_itself_is_exempt() {
        let rates = Rates::new(0.0, 0.0);
        assert!(rates.admits(IpAddr::from([127, 0, 0, 1]), Instant::now()));
        assert!(!rates.admits(IpAddr::from([192, 0, 2, 1]), Instant::now()));
    }

    #[test]
    fn memory_is_bounded() {
        let rates = Rates::new(1.0, 5.0);
        let now = Instant::now();
        for number in 0..2 * MAX_ADDRESSES as u32 {
            rates.admits(IpAddr::from(0x0A00_0000_u32.wrapping_add(number).to_be_bytes()), now);
        }
        assert!(rates.buckets.lock().unwrap().len() <= MAX_ADDRESSES);
    }
}
