//! Which of the five situations a member is in.

use super::facts::Observed;
use crate::profile::Profile;
use auslese_model::Case;
use std::net::IpAddr;

/// How a host came to be known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reached {
    /// It was named as the root.
    Root,
    /// A server in the organisation's network links to it.
    InternalLink,
    /// Only servers elsewhere link to it.
    ExternalLink,
    /// No link: found by a scan, a configuration, a certificate, a list.
    Found,
}

pub fn case_of(in_network: bool, reached: Reached) -> Case {
    match (in_network, reached) {
        (true, Reached::Root | Reached::InternalLink) => Case::InternalLinked,
        (true, Reached::ExternalLink) => Case::InternalOverExternal,
        (true, Reached::Found) => Case::InternalUnlinked,
        (false, Reached::Root | Reached::InternalLink | Reached::ExternalLink) => {
            Case::ExternalLinked
        }
        (false, Reached::Found) => Case::ExternalUnlinked,
    }
}

/// How a host in this situation was come across, as far as the situation tells.
pub fn reached_in(case: Case) -> Reached {
    match case {
        Case::InternalLinked => Reached::InternalLink,
        Case::ExternalLinked | Case::InternalOverExternal => Reached::ExternalLink,
        Case::InternalUnlinked | Case::ExternalUnlinked => Reached::Found,
    }
}

/// Whether an address of the host lies in a range of the organisation, whatever the settings
/// make of that; `None` if its addresses are not known.
pub fn in_network(observed: &Observed, profile: &Profile) -> Option<bool> {
    observed.known_addresses().map(|addresses| is_within(&addresses, profile))
}

/// Whether one of some addresses lies in a range of the organisation.
pub fn is_within(addresses: &[IpAddr], profile: &Profile) -> bool {
    addresses.iter().any(|address| profile.range_of(address.to_canonical()).is_some())
}
