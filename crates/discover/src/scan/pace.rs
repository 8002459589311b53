//! Keeps a scan gentle: so many connections per second, and no two neighbours at a time.

use ipnet::IpNet;
use rustc_hash::FxHashSet;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// Spaces connections evenly: there are no bursts, so no second has more than its share.
#[derive(Debug)]
pub(crate) struct Pace {
    interval: Duration,
    next: Mutex<Instant>,
}

impl Pace {
    pub(crate) fn new(per_second: u32) -> Pace {
        let interval = Duration::from_secs(1) / per_second.max(1);
        Pace { interval, next: Mutex::new(Instant::now()) }
    }

    /// Waits for the next turn.
    pub(crate) async fn turn(&self) {
        let turn = {
            let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
            let turn = (*next).max(Instant::now());
            *next = turn + self.interval;
            turn
        };
        sleep_until(turn).await;
    }
}

/// The blocks of sixteen addresses in which somebody is being asked: often one machine, or one small
/// switch, answers for all of them.
#[derive(Debug, Default)]
pub(crate) struct Neighbourhoods(FxHashSet<IpNet>);

impl Neighbourhoods {
    /// Takes the block of an address; `false` if it is taken.
    pub(crate) fn enter(&mut self, address: IpAddr) -> bool {
        self.0.insert(block(address))
    }

    pub(crate) fn leave(&mut self, address: IpAddr) {
        self.0.remove(&block(address));
    }
}

fn block(address: IpAddr) -> IpNet {
    let whole = IpNet::from(address);
    IpNet::new_assert(address, whole.max_prefix_len() - 4).trunc()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_sixteen() {
        let mut taken = Neighbourhoods::default();
        let mut enter = |text: &str| taken.enter(text.parse().unwrap());
        assert!(enter("198.18.1.15") && enter("198.18.1.16") && enter("2001:db8::1"));
        assert!(!enter("198.18.1.0") && !enter("198.18.1.31") && !enter("2001:db8::f"));
        taken.leave("198.18.1.3".parse().unwrap());
        assert!(taken.enter("198.18.1.0".parse().unwrap()));
    }
}
