//! What a registry says about a domain or an address range, whatever dialect it speaks.

use ipnet::IpNet;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;

/// Who holds a domain or a range, as far as told.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Party {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub organization: Option<String>,
    /// Street, postcode and town, country, as lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub address: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
}

impl Party {
    pub fn is_empty(&self) -> bool {
        *self == Party::default()
    }

    /// The organisation, or the person if there is none.
    pub fn holder(&self) -> Option<&str> {
        self.organization.as_deref().or(self.name.as_deref())
    }
}

/// What an answer amounts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RegistrationState {
    /// The object exists, and something is told about it.
    Found,
    /// The registry knows no such object.
    NotFound,
    /// The registry answers later, or to others; nothing is known.
    Throttled,
    /// The object exists; its holder is hidden. Says nothing about who holds it.
    Redacted,
    /// The answer cannot be used.
    Error,
}

impl RegistrationState {
    pub fn as_str(self) -> &'static str {
        match self {
            RegistrationState::Found => "found",
            RegistrationState::NotFound => "not-found",
            RegistrationState::Throttled => "throttled",
            RegistrationState::Redacted => "redacted",
            RegistrationState::Error => "error",
        }
    }
}

/// One answer of a registry, read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Registration {
    pub state: RegistrationState,
    /// Empty if redacted: placeholders and proxy services are dropped.
    pub registrant: Party,
    pub admin: Party,
    pub tech: Party,
    /// Host names in lower case, without addresses, in the order told, each once.
    pub name_servers: Vec<String>,
    /// For address objects: the most specific range told, as CIDR blocks.
    pub net_range: Vec<IpNet>,
    /// For address objects: the registry's key for the organisation (`ORG-UH1-RIPE`).
    pub org_handle: Option<String>,
    /// For address objects: `netname`, `NetName`, RDAP `name`.
    pub net_name: Option<String>,
    /// Another server that knows more.
    pub refer: Option<String>,
}

impl Registration {
    pub fn empty(state: RegistrationState) -> Registration {
        Registration {
            state,
            registrant: Party::default(),
            admin: Party::default(),
            tech: Party::default(),
            name_servers: Vec::new(),
            net_range: Vec::new(),
            org_handle: None,
            net_name: None,
            refer: None,
        }
    }
}

/// The smallest set of blocks that covers exactly the addresses from `first` to `last`; none if
/// they are of two families or in the wrong order.
pub fn blocks(first: IpAddr, last: IpAddr) -> Vec<IpNet> {
    match (first, last) {
        (IpAddr::V4(first), IpAddr::V4(last)) if first <= last => {
            ipnet::Ipv4Subnets::new(first, last, 0).map(IpNet::V4).collect()
        }
        (IpAddr::V6(first), IpAddr::V6(last)) if first <= last => {
            ipnet::Ipv6Subnets::new(first, last, 0).map(IpNet::V6).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_as_blocks() {
        let told = |first: &str, last: &str| {
            let blocks = blocks(first.parse().unwrap(), last.parse().unwrap());
            blocks.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(told("198.18.0.0", "198.18.255.255"), ["198.18.0.0/16"]);
        assert_eq!(told("192.0.2.0", "192.0.2.5"), ["192.0.2.0/30", "192.0.2.4/31"]);
        assert_eq!(told("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"), ["2001:db8::/32"]);
        assert!(told("192.0.2.5", "192.0.2.0").is_empty());
        assert!(told("192.0.2.5", "2001:db8::").is_empty());
    }
}
