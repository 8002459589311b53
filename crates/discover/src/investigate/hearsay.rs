//! What is known about hosts before anybody is asked: the lists in which they stand, certificates of
//! imported logs, and whose zones are served by the name servers that an organisation shares with
//! others.

use super::{Investigator, read, write};
use crate::judge::{Known, Listing, Observed, SeenCertificate, Told};
use crate::profile::Profile;
use crate::registrable::registrable_domain;
use auslese_model::{HostName, Membership, Verdict};
use rustc_hash::FxHashMap;

/// Logged certificates of one host that are looked at.
const MAX_LOGGED: usize = 100;

/// Lists and logs.
#[derive(Debug, Default)]
pub(super) struct Hearsay {
    listings: FxHashMap<HostName, Vec<Listing>>,
    certificates: Vec<Told<SeenCertificate>>,
    /// The certificates with a name, as written.
    by_name: FxHashMap<String, Vec<usize>>,
}

impl Hearsay {
    /// Enters what is known about a host.
    pub(super) fn tell(&self, observed: &mut Observed) {
        let host = &observed.host;
        observed.listings = self.listings.get(host).cloned().unwrap_or_default();
        let wildcard = host.as_str().split_once('.').map(|(_, parent)| format!("*.{parent}"));
        let names = [Some(host.as_str()), wildcard.as_deref()].into_iter().flatten();
        let numbers = names.filter_map(|name| self.by_name.get(name)).flatten();
        observed.logged_certificates =
            numbers.take(MAX_LOGGED).map(|number| self.certificates[*number].clone()).collect();
    }

    fn add_certificate(&mut self, certificate: Told<SeenCertificate>) {
        for name in &certificate.value.names {
            self.by_name.entry(name.clone()).or_default().push(self.certificates.len());
        }
        self.certificates.push(certificate);
    }
}

impl Investigator {
    /// Notes a list in which a host stands.
    pub fn list(&self, host: HostName, listing: Listing) {
        write(&self.shared.hearsay).listings.entry(host).or_default().push(listing);
    }

    /// Learns which certificates were logged.
    pub fn learn_certificates(&self, logged: impl IntoIterator<Item = Told<SeenCertificate>>) {
        let mut hearsay = write(&self.shared.hearsay);
        logged.into_iter().for_each(|certificate| hearsay.add_certificate(certificate));
    }

    /// Learns from the zones and verdicts of earlier runs whom else the name servers serve.
    pub fn learn_zones(
        &self,
        zones: impl IntoIterator<Item = (HostName, Vec<HostName>)>,
        verdicts: &[Verdict],
    ) {
        let mut decided: FxHashMap<&str, bool> = FxHashMap::default();
        for verdict in verdicts.iter().filter(|it| it.membership != Membership::Unsure) {
            if let Some(domain) = registrable_domain(&verdict.host) {
                let is_member = verdict.membership == Membership::Member;
                *decided.entry(domain).or_default() |= is_member;
            }
        }
        let mut known = write(&self.shared.known);
        for (name, servers) in zones {
            if let Some(domain) = registrable_domain(&name)
                && let Some(is_member) = decided.get(domain)
            {
                note_use(&mut known, &self.shared.profiles, &name, servers.iter(), *is_member);
            }
        }
    }

    /// Learns from a verdict whom else the name servers of its host's zone serve.
    pub(super) fn learn_zone(&self, observed: &Observed, verdict: &Verdict) {
        let Some(zone) = observed.zone.answer() else { return };
        if verdict.membership == Membership::Unsure {
            return;
        }
        let servers = zone.value.name_servers.iter().map(|server| &server.host);
        let is_member = verdict.membership == Membership::Member;
        let mut known = write(&self.shared.known);
        note_use(&mut known, &self.shared.profiles, &observed.host, servers, is_member);
    }

    /// What is known about a host before anybody is asked.
    pub(super) fn heard_of(&self, host: &HostName) -> Observed {
        let mut observed = Observed::new(host.clone());
        read(&self.shared.hearsay).tell(&mut observed);
        observed
    }
}

/// Notes that servers serve the domain of a host. Of other servers than those that an organisation
/// shares nobody wants to know, nor of its own domains.
fn note_use<'a>(
    known: &mut Known,
    profiles: &[Profile],
    host: &HostName,
    servers: impl Iterator<Item = &'a HostName>,
    is_member: bool,
) {
    let Some(domain) = registrable_domain(host) else { return };
    if profiles.iter().any(|profile| profile.owns_name(host)) {
        return;
    }
    let is_shared = |server: &&HostName| {
        let mut listed = profiles.iter().flat_map(|profile| &profile.name_servers);
        listed.any(|known| !known.own && known.host == **server)
    };
    for server in servers.filter(is_shared) {
        known.name_server_use.entry(server.clone()).or_default().note(domain, is_member);
    }
}

#[cfg(test)]
mod tests {
    use crate::imports::read_import;
    use crate::investigate::tests::{in_the_dark, verdict};
    use crate::lookup::{logged_record, recorded_certificates};
    use auslese_model::{Indicator, LookupRecord, Timestamp};

    /// An export of a log speaks for the hosts it names together with a member, through all the
    /// steps from the file to the verdict.
    #[test]
    fn logged_certificates() {
        let export = r#"[{"common_name":"www.uni.example","name_value":"projekt.example"},
            {"dns_names":["*.gruppe.example","uni.example"]},
            {"dns_names":["laden.example","www.laden.example"]}]"#;
        let import = read_import(export.as_bytes(), None).unwrap();
        let record = |certificate| logged_record("ct.json", certificate, Timestamp(0));
        let records: Vec<LookupRecord> = import.certificates.iter().map(record).collect();
        let investigator = in_the_dark();
        investigator.learn_certificates(recorded_certificates(&records));
        #[rustfmt::skip]
        let cases = [
            ("projekt.example",     Some((0.5, "certificate log ct.json, line 1"))),
            ("www.gruppe.example",  Some((0.5, "certificate log ct.json, line 2"))),
            ("gruppe.example",      None),
            ("www.laden.example",   Some((0.0, "certificate log ct.json, line 3"))),
            ("andere.example",      None),
        ];
        for (name, expected) in cases {
            let verdict = verdict(&investigator, name);
            let mut signs = verdict.evidence.iter();
            let sign = signs.find(|sign| sign.indicator == Indicator::Certificate);
            let told = sign.map(|sign| (sign.strength, sign.source.as_str()));
            assert_eq!(told, expected, "{name}");
        }
    }
}
