//! Which address ranges are the organisation's own, and which only hold some of its servers.

use super::GatherSettings;
use crate::judge::own_names;
use crate::lookup::{Lookups, Told};
use crate::profile::{Profile, Range, RefusedRange};
use crate::registration::{Party, Registration, RegistrationState};
use crate::similarity::similarity;
use auslese_model::HostName;
use ipnet::IpNet;
use std::collections::BTreeSet;
use std::net::IpAddr;

/// Addresses that registries are asked about, at most.
const MAX_ADDRESSES: usize = 24;

/// An address to begin with, and where it comes from.
#[derive(Debug, Clone)]
pub(super) struct Start {
    pub(super) address: IpAddr,
    pub(super) found_by: String,
}

/// What the registries said.
#[derive(Debug, Default)]
pub(super) struct Ranges {
    pub(super) own: Vec<Range>,
    pub(super) refused: Vec<RefusedRange>,
    pub(super) open: Vec<String>,
}

impl Ranges {
    pub(super) async fn find(
        lookups: &Lookups,
        profile: &Profile,
        settings: &GatherSettings,
        starts: Vec<Start>,
    ) -> Ranges {
        let mut ranges = Ranges::default();
        let mut asked = BTreeSet::new();
        for Start { address, found_by } in starts {
            // A range that was refused may hold a smaller one that is the organisation's own.
            let is_new = !ranges.covers(address) && !asked.contains(&address);
            if !is_new || asked.len() >= MAX_ADDRESSES {
                continue;
            }
            asked.insert(address);
            let network = match lookups.network(address).await {
                // A holder that was not to be learned is no holder that is not ours.
                Ok(Told { value, open: Some(cause), .. }) if value.registrant.is_empty() => {
                    ranges.open.push(format!("the range of {address}: {cause}"));
                    continue;
                }
                Ok(told) => told.value,
                Err(cause) => {
                    ranges.open.push(format!("the range of {address}: {cause}"));
                    continue;
                }
            };
            if network.net_range.is_empty() {
                let why = no_range(network.state);
                ranges.open.push(format!("the range of {address}: {why}"));
                continue;
            }
            let holder = holder_text(&network.registrant, network.net_name.as_deref());
            let verdict = match profile.root.address() {
                // Nothing else says who the organisation is, so its own address does.
                Some(root) if root == address && names(profile).is_empty() => Ok(()),
                _ => belongs(&network.registrant, profile, settings),
            };
            let accepted = ranges.enter(&network, &holder, &verdict, &found_by, settings);
            if let (true, Some(handle)) = (accepted, &network.org_handle) {
                let found_by = format!("all ranges of {handle}");
                match lookups.networks_of(handle, address).await {
                    Ok(told) => {
                        // The handle is the holder: the registry need not tell the name again.
                        for other in told.value {
                            ranges.enter(&other, &holder, &Ok(()), &found_by, settings);
                        }
                    }
                    Err(cause) => ranges.open.push(format!("{found_by}: {cause}")),
                }
            }
        }
        ranges
    }

    fn covers(&self, address: IpAddr) -> bool {
        self.own.iter().any(|range| range.net.contains(&address))
    }

    /// Takes a range in, or refuses it with a reason; whether it was taken in.
    fn enter(
        &mut self,
        network: &Registration,
        holder: &str,
        verdict: &Result<(), String>,
        found_by: &str,
        settings: &GatherSettings,
    ) -> bool {
        let mut accepted = false;
        for net in &network.net_range {
            if self.knows(net) {
                continue;
            }
            let refusal = too_large(net, settings).or_else(|| verdict.clone().err());
            match refusal {
                None => {
                    accepted = true;
                    self.own.push(Range {
                        net: *net,
                        holder: holder.to_owned(),
                        found_by: found_by.to_owned(),
                        source: "address registry".to_owned(),
                    });
                }
                Some(why) => self.refused.push(RefusedRange {
                    net: *net,
                    holder: holder.to_owned(),
                    found_by: found_by.to_owned(),
                    why,
                }),
            }
        }
        accepted
    }

    fn knows(&self, net: &IpNet) -> bool {
        let own = self.own.iter().map(|range| &range.net);
        own.chain(self.refused.iter().map(|range| &range.net)).any(|known| known == net)
    }
}

/// Why an answer names no range.
fn no_range(state: RegistrationState) -> &'static str {
    match state {
        RegistrationState::Throttled => "the registry wants to be asked later",
        RegistrationState::NotFound => "the registry does not know it",
        RegistrationState::Error => "the registry's answer cannot be read",
        RegistrationState::Found | RegistrationState::Redacted => "the registry names no range",
    }
}

fn holder_text(holder: &Party, net_name: Option<&str>) -> String {
    holder.holder().or(net_name).unwrap_or("nobody named").to_owned()
}

/// Whether the holder of a range is the organisation; if not, why not.
fn belongs(holder: &Party, profile: &Profile, settings: &GatherSettings) -> Result<(), String> {
    // Not any mail domain of the profile: whoever registered the domain for the organisation may
    // be its provider, who holds ranges of its own.
    let mail = holder.email.as_deref().and_then(|email| email.rsplit_once('@'));
    let mail_host = mail.and_then(|(_, domain)| HostName::parse(domain));
    if mail_host.is_some_and(|host| profile.owns_name(&host)) {
        return Ok(());
    }
    let Some(name) = holder.holder() else {
        return Err("the registry does not say who holds it".to_owned());
    };
    let mut best = (0.0, String::new());
    for own in names(profile) {
        let score = similarity(&own, name).score;
        if score > best.0 {
            best = (score, own);
        }
    }
    if best.0 >= settings.similarity {
        return Ok(());
    }
    Err(match best.1.as_str() {
        "" => format!("it is held by {name}, and what the organisation is called is not known"),
        own => format!("it is held by {name}, not by {own} (similarity {:.2})", best.0),
    })
}

/// What the organisation may be called, the words of its domain included.
fn names(profile: &Profile) -> Vec<String> {
    let domain = profile.domains.first().and_then(|domain| domain.split('.').next());
    let told = own_names(profile).map(str::to_owned);
    told.chain(domain.map(|label| label.replace('-', " "))).collect()
}

fn too_large(net: &IpNet, settings: &GatherSettings) -> Option<String> {
    let shortest = match net {
        IpNet::V4(_) => settings.shortest_v4_prefix,
        IpNet::V6(_) => settings.shortest_v6_prefix,
    };
    (net.prefix_len() < shortest)
        .then(|| format!("it is larger than /{shortest}, too large for one organisation"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_model::Timestamp;

    fn profile() -> Profile {
        let root = HostName::parse("uni-hohenwerth.example").unwrap();
        Profile {
            name: Some("Universität Hohenwerth".to_owned()),
            domains: vec!["uni-hohenwerth.example".to_owned()],
            // The provider registered the domain.
            mail_domains: vec!["uni-hohenwerth.example".to_owned(), "webhaus.example".to_owned()],
            ..Profile::new("U", root, Timestamp(0))
        }
    }

    fn network(net: &str, holder: Option<&str>, email: Option<&str>) -> Registration {
        let mut network = Registration::empty(RegistrationState::Found);
        network.net_range = vec![net.parse().unwrap()];
        network.registrant.organization = holder.map(str::to_owned);
        network.registrant.email = email.map(str::to_owned);
        network
    }

    #[test]
    fn whose_range_it_is() {
        #[rustfmt::skip]
        let cases = [
            ("198.18.1.0/24", Some("Universitaet Hohenwerth"), None,                                None),
            ("198.18.1.0/24", Some("UH"),                      Some("noc@uni-hohenwerth.example"),   None),
            ("198.18.1.0/24", Some("UH"),                      Some("noc@RZ.uni-hohenwerth.example"), None),
            ("203.0.113.0/24", Some("Webhaus GmbH"),           Some("noc@webhaus.example"),          Some("not by Universität Hohenwerth")),
            ("198.18.0.0/16", Some("Forschungsnetz Werth e.V."), None,                               Some("not by Universität Hohenwerth")),
            ("203.0.113.0/24", Some("Hoster GmbH"),            Some("abuse@hoster.example"),         Some("not by Universität Hohenwerth")),
            ("198.18.1.0/24", None,                            None,                                 Some("does not say")),
            ("198.0.0.0/8",   Some("Universität Hohenwerth"),  None,                                 Some("too large")),
        ];
        for (net, holder, email, refusal) in cases {
            let mut ranges = Ranges::default();
            let settings = GatherSettings::default();
            let network = network(net, holder, email);
            let verdict = belongs(&network.registrant, &profile(), &settings);
            let accepted = ranges.enter(&network, "somebody", &verdict, "a test", &settings);
            assert_eq!(accepted, refusal.is_none(), "{net} {holder:?}");
            if let Some(words) = refusal {
                assert!(ranges.refused[0].why.contains(words), "{}", ranges.refused[0].why);
            }
        }
    }
}
