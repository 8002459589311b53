//! The organisation profile: the reference values of phase one, in a form a person can read,
//! correct and keep. It is written once in phase one and read by every judgement.

mod readable_time;

use crate::registration::Party;
use auslese_model::{HostName, Timestamp};
use ipnet::IpNet;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;

/// What is known about one organisation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// The institution's label in the harvest.
    pub label: String,
    /// Its name, as the registry or the imprint has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The domain (or address) it was named by.
    pub root: HostName,
    /// Its own domains: the registrable domain of the root, and others known for certain.
    #[serde(default)]
    pub domains: Vec<String>,
    /// Domains of its mail addresses, for comparison with registrants.
    #[serde(default)]
    pub mail_domains: Vec<String>,
    #[serde(with = "readable_time")]
    pub gathered: Timestamp,
    #[serde(default)]
    pub registrant: Party,
    #[serde(default, rename = "range")]
    pub ranges: Vec<Range>,
    #[serde(default, rename = "refused-range")]
    pub refused_ranges: Vec<RefusedRange>,
    #[serde(default, rename = "name-server")]
    pub name_servers: Vec<NameServer>,
    #[serde(default, rename = "mail-server")]
    pub mail_servers: Vec<MailServer>,
    /// What its imprint says.
    #[serde(default)]
    pub imprint: Party,
    /// The VAT numbers in its imprint.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vat_ids: Vec<String>,
    /// Site-verification and analytics tokens of its pages and zones.
    #[serde(default)]
    pub tokens: Vec<String>,
    /// Questions of phase one that nobody answered.
    #[serde(default)]
    pub open: Vec<String>,
}

/// A range of addresses that belongs to the organisation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Range {
    pub net: IpNet,
    /// Whom the registry names.
    pub holder: String,
    /// Why it was looked up, such as "address of ns1.uni.example".
    pub found_by: String,
    /// The registry that said so, or "by hand".
    pub source: String,
}

/// A range that holds an address of the organisation, but is not its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedRange {
    pub net: IpNet,
    pub holder: String,
    pub found_by: String,
    pub why: String,
}

/// A name server that is authoritative for the organisation's zone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NameServer {
    pub host: HostName,
    #[serde(default)]
    pub addresses: Vec<IpAddr>,
    /// Whether it is the organisation's own: in its range, or under its domain. Others, such as a
    /// provider's, serve many domains and say little.
    pub own: bool,
    pub why: String,
}

/// Where the organisation's mail goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailServer {
    pub host: HostName,
    #[serde(default)]
    pub addresses: Vec<IpAddr>,
    pub own: bool,
}

impl Profile {
    /// A profile of which nothing is known but how the organisation was named.
    pub fn new(label: &str, root: HostName, gathered: Timestamp) -> Profile {
        Profile {
            label: label.to_owned(),
            name: None,
            root,
            domains: Vec::new(),
            mail_domains: Vec::new(),
            gathered,
            registrant: Party::default(),
            ranges: Vec::new(),
            refused_ranges: Vec::new(),
            name_servers: Vec::new(),
            mail_servers: Vec::new(),
            imprint: Party::default(),
            vat_ids: Vec::new(),
            tokens: Vec::new(),
            open: Vec::new(),
        }
    }

    /// The range an address lies in.
    pub fn range_of(&self, address: IpAddr) -> Option<&Range> {
        self.ranges.iter().find(|range| range.net.contains(&address))
    }

    /// Whether a name is one of the organisation's domains or lies below one.
    pub fn owns_name(&self, host: &HostName) -> bool {
        self.domains.iter().any(|domain| host.is_within(domain))
    }
}
