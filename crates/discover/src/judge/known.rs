//! What a run knows beside the profile of an organisation: rules, members, scanned addresses, and
//! who else uses a name server. It grows while the run goes on; the profile does not.

use super::rules::Rules;
use auslese_model::HostName;
use rustc_hash::FxHashMap;
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

/// How many zones of each kind a name server was seen to serve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NameServerUse {
    pub members: u32,
    pub others: u32,
}

impl NameServerUse {
    /// From 1 (nobody else was seen to use it) towards 0 (nearly everybody else). Only ever
    /// lowers a weight: the zones a crawl meets are no sample from which more could be concluded.
    pub(crate) fn exclusiveness(self) -> f64 {
        let ours = f64::from(self.members) + 1.0;
        ours / (ours + f64::from(self.others))
    }
}
