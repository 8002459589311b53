//! Reverse DNS for every address of a range: names of hosts, without touching one of them.
//!
//! Only name servers are asked. A name counts if it leads back to the address it was found at;
//! others are stale or forged, and are told apart.

use super::names::{PointerName, pointers};
use super::pace::Pace;
use super::plan::in_turn;
use auslese_model::{Cause, HostName};
use auslese_net::Net;
use ipnet::IpNet;
use std::net::IpAddr;
use std::sync::Arc;
use tokio::task::JoinSet;

/// How a sweep goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SweepRules {
    /// Addresses that are looked up: 65,536. Of wide ranges only the first are.
    pub addresses: u64,
    /// Addresses per second: 200.
    pub per_second: u32,
    /// Addresses at a time: 32.
    pub in_flight: usize,
    /// Failures in a row after which a sweep ends, because nobody answers: 64.
    pub failures: u64,
}

impl Default for SweepRules {
    fn default() -> SweepRules {
        SweepRules { addresses: 1 << 16, per_second: 200, in_flight: 32, failures: 64 }
    }
}

/// What a sweep found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PointerSweep {
    /// Names that lead back, by address.
    pub names: Vec<(IpAddr, HostName)>,
    /// Names that do not, or of which nobody could say.
    pub unconfirmed: Vec<(IpAddr, PointerName)>,
    pub asked: u64,
    /// Addresses about which nobody could say anything.
    pub failed: u64,
    /// Addresses that were not asked about.
    pub left: u64,
    /// Why it ended early, if it did.
    pub gave_up: Option<Cause>,
}

/// Looks up the names of all addresses of some ranges.
pub async fn ptr_sweep(net: &Net, ranges: &[IpNet], rules: SweepRules) -> PointerSweep {
    let (addresses, count) = in_turn(ranges);
    let limit = usize::try_from(rules.addresses).unwrap_or(usize::MAX);
    let pace = Arc::new(Pace::new(rules.per_second));
    let mut sweep = PointerSweep::default();
    let mut in_a_row = 0;
    let mut asking = JoinSet::new();
    let mut addresses = addresses.take(limit);
    loop {
        let more = if sweep.gave_up.is_none() { addresses.next() } else { None };
        if let Some(address) = more {
            let (net, pace) = (net.clone(), pace.clone());
            asking.spawn(async move {
                pace.turn().await;
                (address, pointers(&net, address).await)
            });
        }
        if more.is_some() && asking.len() < rules.in_flight {
            continue;
        }
        let Some(answered) = asking.join_next().await else { break };
        let Ok((address, answer)) = answered else { continue };
        sweep.asked += 1;
        in_a_row = if answer.is_err() { in_a_row + 1 } else { 0 };
        sweep.take(address, answer, in_a_row >= rules.failures);
    }
    sweep.left = count - sweep.asked;
    sweep.names.sort();
    sweep.unconfirmed.sort_by_key(|(address, _)| *address);
    sweep
}

impl PointerSweep {
    fn take(&mut self, address: IpAddr, answer: Result<Vec<PointerName>, Cause>, is_last: bool) {
        match answer {
            Ok(pointers) => {
                for pointer in pointers {
                    match pointer.leads_back() {
                        true => self.names.push((address, pointer.name)),
                        false => self.unconfirmed.push((address, pointer)),
                    }
                }
            }
            Err(cause) => {
                self.failed += 1;
                if is_last {
                    self.gave_up.get_or_insert(cause);
                }
            }
        }
    }
}
