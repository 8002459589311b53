//! What is known about hosts while a crawl runs, shared by the threads that judge links.

use auslese_crawl::{HostFacts, HostVerdict};
use auslese_model::{HostName, Membership, Verdict};
use rustc_hash::FxHashMap;
use std::net::IpAddr;
use std::sync::{PoisonError, RwLock};

/// Addresses and verdicts found so far.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    addresses: RwLock<FxHashMap<HostName, Vec<IpAddr>>>,
    verdicts: RwLock<FxHashMap<HostName, HostVerdict>>,
}

// A thread that died while writing leaves at worst an entry out, so a poisoned lock is used on.
impl Facts {
    /// Notes the addresses of a host; none if it has none.
    pub(crate) fn learn(&self, host: HostName, addresses: Vec<IpAddr>) {
        let mut known = self.addresses.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(host, addresses);
    }

    /// Notes whether a host belongs; nothing, if that is not sure.
    pub(crate) fn learn_verdict(&self, verdict: &Verdict) {
        let mut known = self.verdicts.write().unwrap_or_else(PoisonError::into_inner);
        let belongs = match verdict.membership {
            Membership::Member => HostVerdict::Member(verdict.label.clone()),
            Membership::Foreign => HostVerdict::Foreign,
            Membership::Unsure => {
                known.remove(&verdict.host);
                return;
            }
        };
        known.insert(verdict.host.clone(), belongs);
    }

    /// Forgets the verdicts on some hosts, because a person thinks otherwise.
    pub(crate) fn forget_verdicts(&self, concerned: impl Fn(&HostName) -> bool) {
        let mut known = self.verdicts.write().unwrap_or_else(PoisonError::into_inner);
        known.retain(|host, _| !concerned(host));
    }
}

impl HostFacts for Facts {
    fn addresses(&self, host: &HostName) -> Option<Vec<IpAddr>> {
        if let Some(address) = host.address() {
            return Some(vec![address]);
        }
        let known = self.addresses.read().unwrap_or_else(PoisonError::into_inner);
        known.get(host).cloned()
    }

    fn verdict(&self, host: &HostName) -> HostVerdict {
        let known = self.verdicts.read().unwrap_or_else(PoisonError::into_inner);
        known.get(host).cloned().unwrap_or(HostVerdict::Unknown)
    }
}
