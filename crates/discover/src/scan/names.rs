//! Names of the servers that were found, and whether the DNS leads from them back.
//!
//! Anybody can point a reverse name, a certificate or a redirect at any host, so a name is only
//! believed if one of its addresses lies in the organisation's ranges. Wildcards name no host; they
//! are told as they are.

use super::answers::OpenPort;
use auslese_model::{Cause, CauseKind, HostName};
use auslese_net::{Net, RecordKind, Resolution, reverse_name};
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use std::sync::Arc;
use tokio::task::JoinSet;

/// Names of one server that are looked into; more stand only in certificates of large providers.
const NAMES: usize = 100;
/// Reverse names of one address that are looked at.
const POINTERS: usize = 8;

/// A name that may be a host of the organisation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    pub name: String,
    pub sources: Vec<CandidateSource>,
    pub confirmation: Confirmation,
}

impl Candidate {
    /// The name, if the DNS leads from it into the ranges.
    pub fn confirmed(&self) -> Option<HostName> {
        match self.confirmation {
            Confirmation::Inside { .. } => HostName::parse(&self.name),
            _ => None,
        }
    }
}

/// Where a name was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CandidateSource {
    /// The reverse name of the address.
    Pointer,
    Certificate,
    Redirect,
}

/// What the DNS says about a name, if it is to lead to certain addresses: the organisation's ranges
/// for a candidate, one address for a reverse name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "is")]
pub enum Confirmation {
    /// It has such addresses: these.
    Inside { addresses: Vec<IpAddr> },
    /// It has others only.
    Outside { addresses: Vec<IpAddr> },
    /// There is no such name.
    Absent,
    /// Nobody could say.
    Unknown { cause: Cause },
    /// It stands for many names.
    Wildcard,
}

/// A reverse name of an address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PointerName {
    pub name: HostName,
    /// Whether the name has that address. If not, the pointer is stale or forged.
    pub confirmation: Confirmation,
}

impl PointerName {
    pub fn leads_back(&self) -> bool {
        matches!(self.confirmation, Confirmation::Inside { .. })
    }
}

/// The reverse names of an address, each checked.
pub(crate) async fn pointers(net: &Net, address: IpAddr) -> Result<Vec<PointerName>, Cause> {
    let records = match net.records(&reverse_name(address), RecordKind::Ptr).await {
        Ok(records) => records.records,
        Err(cause) if cause.kind == CauseKind::NoSuchName => return Ok(Vec::new()),
        Err(cause) => return Err(cause),
    };
    let mut pointers: Vec<PointerName> = Vec::new();
    for record in records.into_iter().take(POINTERS) {
        let Some(name) = host_name(&record.data) else { continue };
        if pointers.iter().all(|known| known.name != name) {
            let confirmation = confirmation(net.resolve(&name).await, |found| found == address);
            pointers.push(PointerName { name, confirmation });
        }
    }
    Ok(pointers)
}

/// All names of a server, each confirmed or not, in the order of where they were found.
pub(crate) async fn candidates(
    net: &Net,
    is_own: impl Fn(IpAddr) -> bool,
    pointers: &[PointerName],
    ports: &[OpenPort],
) -> Vec<Candidate> {
    let mut candidates = collected(pointers, ports);
    let mut asking = JoinSet::new();
    for (place, candidate) in candidates.iter().enumerate() {
        if let Some(name) = host_name(&candidate.name) {
            let net = net.clone();
            asking.spawn(async move { (place, net.resolve(&name).await) });
        }
    }
    while let Some(answered) = asking.join_next().await {
        let Ok((place, resolved)) = answered else { continue };
        candidates[place].confirmation = confirmation(resolved, &is_own);
    }
    candidates
}

fn confirmation(
    resolved: Result<Arc<Resolution>, Cause>,
    is_wanted: impl Fn(IpAddr) -> bool,
) -> Confirmation {
    let addresses = match resolved {
        Ok(found) => found.addresses.clone(),
        Err(cause) if cause.kind == CauseKind::NoSuchName => return Confirmation::Absent,
        Err(cause) => return Confirmation::Unknown { cause },
    };
    let inside: Vec<IpAddr> = addresses.iter().copied().filter(|one| is_wanted(*one)).collect();
    match inside.is_empty() {
        true => Confirmation::Outside { addresses },
        false => Confirmation::Inside { addresses: inside },
    }
}

/// The names with their sources, each once, not yet looked up.
fn collected(pointers: &[PointerName], ports: &[OpenPort]) -> Vec<Candidate> {
    let by_pointer = pointers.iter().map(|pointer| pointer.name.as_str().to_owned());
    let by_certificate = ports.iter().filter_map(|port| port.certificate.as_ref());
    let by_certificate = by_certificate.flat_map(|certificate| certificate.names.clone());
    let by_redirect = ports.iter().flat_map(|port| &port.answers);
    let by_redirect = by_redirect.filter_map(|answer| answer.redirect_host());
    let found = by_pointer
        .map(|name| (name, CandidateSource::Pointer))
        .chain(by_redirect.map(|host| (host.as_str().to_owned(), CandidateSource::Redirect)))
        .chain(by_certificate.map(|name| (name, CandidateSource::Certificate)));
    let mut candidates: Vec<Candidate> = Vec::new();
    for (name, source) in found {
        let is_full = candidates.len() >= NAMES;
        match candidates.iter_mut().find(|candidate| candidate.name == name) {
            Some(known) if known.sources.contains(&source) => {}
            Some(known) => known.sources.push(source),
            None if is_full => {}
            None => candidates.extend(unlooked(name, source)),
        }
    }
    candidates
}

fn unlooked(name: String, source: CandidateSource) -> Option<Candidate> {
    let confirmation = match host_name(&name) {
        Some(_) => Confirmation::Unknown {
            cause: Cause::new(CauseKind::Local, "the question was dropped"),
        },
        None if name.starts_with("*.") => Confirmation::Wildcard,
        None => return None,
    };
    Some(Candidate { name, sources: vec![source], confirmation })
}

/// A name that can be in the DNS with an address: no address itself, no wildcard, not a bare label.
fn host_name(text: &str) -> Option<HostName> {
    let host = HostName::parse(text)?;
    let plain = host.address().is_none() && !text.contains('*') && host.as_str().contains('.');
    plain.then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::answers::ShownCertificate;
    use auslese_model::Scheme;

    #[test]
    fn which_names_are_looked_into() {
        #[rustfmt::skip]
        let cases = [
            ("www.uni.example",   Some("www.uni.example")),
            ("WWW.Uni.example.",  Some("www.uni.example")),
            ("uni",               None),
            ("198.18.1.1",        None),
            ("2001:db8::1",       None),
            ("*.uni.example",     None),
            ("a b.example",       None),
            ("",                  None),
        ];
        for (text, expected) in cases {
            let found = host_name(text);
            assert_eq!(found.as_ref().map(HostName::as_str), expected, "{text}");
        }
    }

    #[test]
    fn names_come_once_with_all_sources() {
        let pointer = |name: &str| PointerName {
            name: HostName::parse(name).unwrap(),
            confirmation: Confirmation::Absent,
        };
        let names = ["*.uni.example", "www.uni.example", "b.uni.example"].map(str::to_owned);
        let many = (0..200).map(|number| format!("n{number}.example"));
        let certificate = ShownCertificate::new(names.into_iter().chain(many).collect(), None);
        let port = OpenPort {
            port: 443,
            scheme: Scheme::Https,
            certificate: Some(certificate.clone()),
            answers: Vec::new(),
            faults: Vec::new(),
        };
        let found = collected(&[pointer("www.uni.example")], &[port.clone(), port]);
        let sources = |place: usize| (found[place].name.as_str(), found[place].sources.as_slice());
        assert_eq!(
            sources(0),
            ("www.uni.example", &[CandidateSource::Pointer, CandidateSource::Certificate][..])
        );
        assert_eq!(sources(1), ("*.uni.example", &[CandidateSource::Certificate][..]));
        assert_eq!(found[1].confirmation, Confirmation::Wildcard);
        assert_eq!((found.len(), certificate.more), (NAMES, 103));
    }
}
