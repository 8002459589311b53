//! What is known about hosts while a crawl runs, shared by the threads that judge links.

use auslese_crawl::{HostFacts, HostVerdict};
use auslese_model::HostName;
use rustc_hash::FxHashMap;
use std::net::IpAddr;
use std::sync::{PoisonError, RwLock};

/// Addresses found so far. Verdicts on hosts come with discovery; until then all are unknown.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    addresses: RwLock<FxHashMap<HostName, Vec<IpAddr>>>,
}

impl Facts {
    /// Notes the addresses of a host; none if it has none.
    pub(crate) fn learn(&self, host: HostName, addresses: Vec<IpAddr>) {
        // A thread that died while writing leaves at worst an entry out.
        let mut known = self.addresses.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(host, addresses);
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

    fn verdict(&self, _host: &HostName) -> HostVerdict {
        HostVerdict::Unknown
    }
}
