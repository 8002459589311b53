//! From where a scan looks.
//!
//! Inside a network there is more to be seen than from outside: printers, routers, desktops, sites
//! for members only. So a scan notes what its user says about the place, and what the machine knows.

use super::plan::ScanPlan;
use auslese_net::Net;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;

/// The place a scan was made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vantage {
    /// In the user's words, such as "library, wired"; may be empty.
    pub place: String,
    /// The address from which IPv4 addresses of the ranges are asked; none: they cannot be.
    pub v4: Option<IpAddr>,
    /// The same for IPv6.
    pub v6: Option<IpAddr>,
    /// Whether one of these lies in the organisation's ranges. If not, the machine may still be
    /// inside, behind an address translator.
    pub inside: bool,
}

impl Vantage {
    /// Asks the machine; nothing is sent.
    pub fn here(place: &str, plan: &ScanPlan, net: &Net) -> Vantage {
        let first = |is_v4: bool| {
            let mut nets = plan.nets().iter().map(|range| range.network());
            nets.find(|address| address.is_ipv4() == is_v4)
        };
        let from = |is_v4| net.local_address(first(is_v4)?);
        let (v4, v6) = (from(true), from(false));
        let inside = [v4, v6].into_iter().flatten().any(|address| plan.is_own(address));
        Vantage { place: place.trim().to_owned(), v4, v6, inside }
    }
}
