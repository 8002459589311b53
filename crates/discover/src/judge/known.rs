//! What a run knows beside the profile of an organisation: rules, members, scanned addresses, and
//! who else uses a name server. It grows while the run goes on; the profile does not.

use super::rules::Rules;
use auslese_model::HostName;
use rustc_hash::{FxHashMap, FxHashSet};
use std::net::IpAddr;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Known {
    pub rules: Rules,
    /// Members with the label of their institution. Only those that [`super::may_vouch`] should
    /// be entered, or one wrong verdict would bring others about.
    pub members: FxHashMap<HostName, String>,
    /// Addresses at which a scan found a web server.
    pub scanned: FxHashMap<IpAddr, ScannedAs>,
    /// Whose zones a name server was seen to serve.
    pub name_server_use: FxHashMap<HostName, NameServerUse>,
}

/// What a scan found at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScannedAs {
    /// Pages for the public.
    Public,
    /// A device, a default page, a mere login page.
    NotPublic,
}

/// The registrable domains that a name server was seen to serve, besides the organisation's own.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NameServerUse {
    members: FxHashSet<String>,
    others: FxHashSet<String>,
}

impl NameServerUse {
    /// Notes a domain of which a host was judged. One host that belongs makes it a member's: a
    /// guest beside it does not make it a stranger's.
    pub fn note(&mut self, domain: &str, is_member: bool) {
        if is_member {
            self.others.remove(domain);
            self.members.insert(domain.to_owned());
        } else if !self.members.contains(domain) {
            self.others.insert(domain.to_owned());
        }
    }

    /// How many strangers it serves, apart from the domain in question: that one must not speak
    /// against itself by an earlier verdict.
    pub(crate) fn others_than(&self, domain: Option<&str>) -> usize {
        count_without(&self.others, domain)
    }

    /// From 1 (nobody else was seen to use it) towards 0 (nearly everybody else). Only ever
    /// lowers a weight: the zones a crawl meets are no sample from which more could be concluded.
    pub(crate) fn exclusiveness(&self, domain: Option<&str>) -> f64 {
        let ours = count_without(&self.members, domain) as f64 + 1.0;
        ours / (ours + self.others_than(domain) as f64)
    }
}

fn count_without(domains: &FxHashSet<String>, domain: Option<&str>) -> usize {
    domains.len() - usize::from(domain.is_some_and(|domain| domains.contains(domain)))
}
