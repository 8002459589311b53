//! Which of the five situations a member is in.

use super::facts::Observed;
use crate::profile::Profile;
use auslese_model::Case;

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

/// Whether an address of the host lies in a range of the organisation, whatever the settings
/// make of that; `None` if its addresses are not known.
pub fn in_network(observed: &Observed, profile: &Profile) -> Option<bool> {
    let addresses = observed.known_addresses()?;
    Some(addresses.iter().any(|address| profile.range_of(address.to_canonical()).is_some()))
}
