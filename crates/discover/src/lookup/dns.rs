//! Questions to the DNS.
//!
//! An answer is kept as JSON: a list of records, each with `name`, `ttl`, `kind` and `data` in the
//! words of [`DnsRecord`]. The key's question is the name and the kind (`uni.example NS`).

use super::Lookups;
use super::asked::{Asked, Trouble};
use super::told::{Told, joined};
use crate::registrable::registrable_domain;
use auslese_model::{
    Cause, CauseKind, HostName, LookupAnswer, LookupKey, LookupKind, LookupRecord, Timestamp,
};
use auslese_net::{DnsRecord, RecordKind, Records, reverse_name};
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use tokio::time::timeout;

/// Named as the source of such answers.
const SOURCE: &str = "DNS";
/// Labels above a host that are asked for a zone; names have at most 127.
const LEVELS: usize = 16;

/// The zone a host lies in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ZoneFacts {
    /// Where the zone begins; the registrable domain if no name server was found up to there.
    pub apex: String,
    /// Authoritative for it, in the order told, each once.
    pub name_servers: Vec<HostName>,
}

impl Lookups {
    /// The addresses of a host, IPv4 first, whatever they are: the guard is asked by whoever
    /// connects. None: the name exists without an address.
    pub async fn addresses(&self, host: &HostName) -> Result<Told<Vec<IpAddr>>, Cause> {
        if let Some(address) = host.address() {
            return Ok(Told::new(vec![address], host.as_str(), Timestamp::now()));
        }
        let name = host.as_str();
        let (four, six) =
            tokio::join!(self.dns(name, RecordKind::A), self.dns(name, RecordKind::Aaaa));
        let addresses = |told: &Told<Vec<DnsRecord>>| -> Vec<IpAddr> {
            told.value.iter().filter_map(|record| record.data.parse().ok()).collect()
        };
        match (four, six) {
            (Ok(four), Ok(six)) => {
                let all = [addresses(&four), addresses(&six)].concat();
                Ok(Told::new(all, SOURCE, four.at.min(six.at)))
            }
            (Ok(told), Err(Trouble::Failed(cause))) | (Err(Trouble::Failed(cause)), Ok(told)) => {
                let found = addresses(&told);
                // Half an answer that names no address leaves it open whether there is one.
                if found.is_empty() {
                    return Err(cause);
                }
                Ok(told.map(|_| found).with_open(Some(cause)))
            }
            // One "no such name" settles it.
            (Err(Trouble::Failed(cause)), Err(other)) if cause.kind == CauseKind::Dns => {
                Err(other.into())
            }
            (Err(trouble), _) | (_, Err(trouble)) => Err(trouble.into()),
        }
    }

    /// The records of a name: none if it has no such records, a cause
    /// ([`CauseKind::NoSuchName`]) if it does not exist.
    pub async fn records(
        &self,
        name: &str,
        kind: RecordKind,
    ) -> Result<Told<Vec<DnsRecord>>, Cause> {
        self.dns(name, kind).await.map_err(Cause::from)
    }

    /// The mail exchangers of a domain. One that says it takes no mail (`0 .`, RFC 7505) has none.
    pub async fn exchangers(&self, domain: &str) -> Result<Told<Vec<HostName>>, Cause> {
        let told = self.records(domain, RecordKind::Mx).await?;
        Ok(told.map(|records| records.iter().filter_map(exchanger).collect()))
    }

    /// The zone a host lies in: asks for name servers of the host, then of each name above it, up
    /// to the registrable domain. Servers of an alias's target are not the host's.
    pub async fn zone(&self, host: &HostName) -> Result<Told<ZoneFacts>, Cause> {
        let Some(domain) = registrable_domain(host) else {
            let detail = format!("{host} is not in a domain that somebody registered");
            return Err(Cause::new(CauseKind::NoSuchName, detail));
        };
        let mut open = None;
        let mut at = Timestamp::now();
        for name in levels(host.as_str(), domain) {
            match self.dns(name, RecordKind::Ns).await {
                Ok(told) => {
                    at = told.at;
                    let name_servers = servers_of(name, &told.value);
                    if !name_servers.is_empty() {
                        return Ok(told.map(|_| zone_facts(name, name_servers)));
                    }
                }
                Err(Trouble::Failed(cause)) if cause.kind == CauseKind::NoSuchName => {}
                // Some servers refuse such questions within a zone; the one above may answer.
                Err(Trouble::Failed(cause)) => open = joined(open, Some(cause)),
                Err(missing) => return Err(missing.into()),
            }
        }
        match open {
            Some(cause) => Err(cause),
            None => Ok(Told::new(zone_facts(domain, Vec::new()), SOURCE, at)),
        }
    }

    /// The names that an address is said to have. Anybody can say so of their own addresses; only
    /// a name that leads back to the address is one.
    pub async fn pointers(&self, address: IpAddr) -> Result<Told<Vec<HostName>>, Cause> {
        let name = reverse_name(address);
        match self.records(&name, RecordKind::Ptr).await {
            Ok(told) => Ok(told.map(|records| hosts(records.iter()))),
            Err(cause) if cause.kind == CauseKind::NoSuchName => {
                Ok(Told::new(Vec::new(), SOURCE, Timestamp::now()))
            }
            Err(cause) => Err(cause),
        }
    }

    async fn dns(&self, name: &str, kind: RecordKind) -> Result<Told<Vec<DnsRecord>>, Trouble> {
        let name = name.trim_end_matches('.').to_ascii_lowercase();
        let key = LookupKey {
            kind: LookupKind::Dns,
            server: String::new(),
            question: format!("{name} {}", kind.as_str()),
        };
        let record = self.ask(key, self.dns_asked(&name, kind)).await?;
        read(&record).map_err(Trouble::Failed)
    }

    async fn dns_asked(&self, name: &str, kind: RecordKind) -> Asked {
        let settings = &self.shared.settings;
        let keep_max = settings.keep_dns_max.max(settings.keep_dns_min);
        let asking = self.shared.net.records(name, kind);
        match timeout(settings.question, asking).await {
            Ok(Ok(Records { records, ttl, .. })) => {
                Asked::found(written(&records), ttl.clamp(settings.keep_dns_min, keep_max))
            }
            Ok(Err(cause)) if cause.kind == CauseKind::NoSuchName => {
                Asked::absent(cause.detail.as_bytes(), settings.keep_absent.min(keep_max))
            }
            Ok(Err(cause)) => Asked::failed(cause, settings.keep_failed),
            Err(_) => {
                let detail = format!("no answer within {:?}", settings.question);
                Asked::failed(Cause::new(CauseKind::Dns, detail), settings.keep_failed)
            }
        }
    }
}

/// The name servers that answers on record name, each with the name it was asked about.
pub fn recorded_zones(
    records: &[LookupRecord],
) -> impl Iterator<Item = (HostName, Vec<HostName>)> + '_ {
    let zones = recorded(records, RecordKind::Ns);
    zones.map(|(name, records)| {
        let servers = servers_of(name.as_str(), &records);
        (name, servers)
    })
}

/// The addresses of hosts, as far as answers on record name them.
pub fn recorded_addresses(
    records: &[LookupRecord],
) -> impl Iterator<Item = (HostName, Vec<IpAddr>)> + '_ {
    let kinds = [RecordKind::A, RecordKind::Aaaa].into_iter();
    kinds.flat_map(|kind| recorded(records, kind)).map(|(name, records)| {
        let addresses = records.iter().filter_map(|record| record.data.parse().ok());
        (name, addresses.collect())
    })
}

/// The answers to questions of one kind, with the name that was asked about; those that cannot be
/// read are left out.
fn recorded(
    records: &[LookupRecord],
    kind: RecordKind,
) -> impl Iterator<Item = (HostName, Vec<DnsRecord>)> + '_ {
    let of_dns = records.iter().filter(|record| record.key.kind == LookupKind::Dns);
    of_dns.filter_map(move |record| {
        let (name, asked) = record.key.question.split_once(' ')?;
        if asked != kind.as_str() {
            return None;
        }
        Some((HostName::parse(name)?, read(record).ok()?.value))
    })
}

/// A host and the names above it, as far as the domain.
fn levels<'a>(host: &'a str, domain: &'a str) -> impl Iterator<Item = &'a str> {
    let above = host.match_indices('.').map(|(dot, _)| &host[dot + 1..]);
    let within = move |name: &&str| name.len() >= domain.len();
    let all: Vec<&str> = std::iter::once(host).chain(above).take_while(within).collect();
    // Of a very long name the upper part is asked, where zones begin.
    let skipped = all.len().saturating_sub(LEVELS);
    all.into_iter().skip(skipped)
}

fn zone_facts(apex: &str, name_servers: Vec<HostName>) -> ZoneFacts {
    ZoneFacts { apex: apex.to_owned(), name_servers }
}

fn servers_of(name: &str, records: &[DnsRecord]) -> Vec<HostName> {
    hosts(records.iter().filter(|record| record.name.trim_end_matches('.') == name))
}

/// The name in `10 mail.uni.example`. A bare number would be read as an address.
fn exchanger(record: &DnsRecord) -> Option<HostName> {
    let (_preference, name) = record.data.split_once(' ')?;
    HostName::parse(name).filter(|host| host.address().is_none())
}

/// The names in the data of records, each once.
fn hosts<'a>(records: impl Iterator<Item = &'a DnsRecord>) -> Vec<HostName> {
    let mut hosts = Vec::new();
    for host in records.filter_map(|record| HostName::parse(&record.data)) {
        if !hosts.contains(&host) {
            hosts.push(host);
        }
    }
    hosts
}

#[derive(Serialize, Deserialize)]
struct WrittenRecord {
    name: String,
    ttl: u32,
    kind: String,
    data: String,
}

fn written(records: &[DnsRecord]) -> Vec<u8> {
    let records: Vec<WrittenRecord> = records
        .iter()
        .cloned()
        .map(|DnsRecord { name, ttl, kind, data }| WrittenRecord { name, ttl, kind, data })
        .collect();
    serde_json::to_vec(&records).expect("texts and numbers can be written as JSON")
}

fn read(record: &LookupRecord) -> Result<Told<Vec<DnsRecord>>, Cause> {
    match &record.answer {
        LookupAnswer::Found(bytes) => {
            let records: Vec<WrittenRecord> = serde_json::from_slice(bytes).map_err(|error| {
                let detail = format!("the record of {} cannot be read: {error}", record.key);
                Cause::new(CauseKind::Local, detail)
            })?;
            let records = records
                .into_iter()
                .map(|WrittenRecord { name, ttl, kind, data }| DnsRecord { name, ttl, kind, data });
            Ok(Told::new(records.collect(), SOURCE, record.at))
        }
        LookupAnswer::Absent(detail) => Err(Cause::new(CauseKind::NoSuchName, detail.clone())),
        LookupAnswer::Failed(cause) => Err(cause.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_up_to_the_domain() {
        let check = |host, domain| levels(host, domain).collect::<Vec<_>>();
        assert_eq!(
            check("a.b.uni.example", "uni.example"),
            ["a.b.uni.example", "b.uni.example", "uni.example"]
        );
        assert_eq!(check("uni.example", "uni.example"), ["uni.example"]);
        let long = "a.".repeat(100) + "uni.example";
        let asked = check(&long, "uni.example");
        assert_eq!((asked.len(), asked.last()), (LEVELS, Some(&"uni.example")));
    }

    #[test]
    fn exchangers_are_names() {
        for (data, expected) in [
            ("10 mail.uni.example", Some("mail.uni.example")),
            ("0 ", None),
            ("0", None),
            ("10 192.0.2.1", None),
        ] {
            let (name, kind) = ("uni.example".to_owned(), "MX".to_owned());
            let found = exchanger(&DnsRecord { name, ttl: 60, kind, data: data.to_owned() });
            assert_eq!(found.as_ref().map(HostName::as_str), expected, "{data:?}");
        }
    }

    #[test]
    fn answers_read_back() {
        let record = DnsRecord {
            name: "uni.example".to_owned(),
            ttl: 60,
            kind: "TXT".to_owned(),
            data: "line\nbreak \"and\" tab\t".to_owned(),
        };
        let answer = LookupAnswer::Found(written(std::slice::from_ref(&record)));
        let key =
            LookupKey { kind: LookupKind::Dns, server: String::new(), question: String::new() };
        let at = Timestamp(0);
        let mut kept = LookupRecord { key, answer, at, until: at };
        assert_eq!(read(&kept).map(|told| told.value), Ok(vec![record]));
        kept.answer = LookupAnswer::Found(b"nonsense".to_vec());
        assert_eq!(read(&kept).map_err(|cause| cause.kind), Err(CauseKind::Local));
    }
}
