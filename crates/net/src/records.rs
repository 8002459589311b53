//! Records of the DNS other than the addresses a fetch needs: what discovery asks about.
//!
//! The answer comes as plain text that can be compared: names in lower case without their final
//! dot, texts joined and without quotes. An alias is followed by whoever answers, so the owner of a
//! record may be another name than the one asked for. Nothing is kept here: whoever asks keeps.

use crate::resolve::{DnsRecord, Miss, NEGATIVE_TTL, Resolver, bounded};
use crate::settings::Limits;
use auslese_model::{Cause, Timestamp};
use hickory_resolver::lookup::Lookup;
use hickory_resolver::net::{DnsError, NetError};
use hickory_resolver::proto::op::ResponseCode;
use hickory_resolver::proto::rr::rdata::{MX, SOA};
use hickory_resolver::proto::rr::{Name, RData, RecordType};
use std::net::IpAddr;
use std::time::Duration;
use tokio::time::timeout;

/// What kind of record is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RecordKind {
    A,
    Aaaa,
    Cname,
    Ns,
    Soa,
    Mx,
    Txt,
    Ptr,
}

impl RecordKind {
    pub const ALL: [RecordKind; 8] = [
        RecordKind::A,
        RecordKind::Aaaa,
        RecordKind::Cname,
        RecordKind::Ns,
        RecordKind::Soa,
        RecordKind::Mx,
        RecordKind::Txt,
        RecordKind::Ptr,
    ];

    /// As zone files write it.
    pub fn as_str(self) -> &'static str {
        match self {
            RecordKind::A => "A",
            RecordKind::Aaaa => "AAAA",
            RecordKind::Cname => "CNAME",
            RecordKind::Ns => "NS",
            RecordKind::Soa => "SOA",
            RecordKind::Mx => "MX",
            RecordKind::Txt => "TXT",
            RecordKind::Ptr => "PTR",
        }
    }

    pub fn parse(text: &str) -> Option<RecordKind> {
        RecordKind::ALL.into_iter().find(|kind| kind.as_str() == text)
    }

    fn wire_type(self) -> RecordType {
        match self {
            RecordKind::A => RecordType::A,
            RecordKind::Aaaa => RecordType::AAAA,
            RecordKind::Cname => RecordType::CNAME,
            RecordKind::Ns => RecordType::NS,
            RecordKind::Soa => RecordType::SOA,
            RecordKind::Mx => RecordType::MX,
            RecordKind::Txt => RecordType::TXT,
            RecordKind::Ptr => RecordType::PTR,
        }
    }
}

/// What the DNS says about a name that exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Records {
    /// Records of the kind asked for; empty if the name has none. `data` is an address, a name, a
    /// text, `10 mail.uni.example` for MX, and `server mailbox serial refresh retry expire minimum`
    /// for SOA.
    pub records: Vec<DnsRecord>,
    /// How long the answer is believed.
    pub ttl: Duration,
    pub at: Timestamp,
}

/// The name under which the DNS keeps the names of an address: `10.1.18.198.in-addr.arpa`.
pub fn reverse_name(address: IpAddr) -> String {
    plain(&Name::from(address))
}

impl Resolver {
    /// Asks for the records of a name. "There is no such name" is a final answer, but not one that
    /// names records: it comes back as a cause.
    pub(crate) async fn records(
        &self,
        name: &str,
        kind: RecordKind,
        limits: &Limits,
    ) -> Result<Records, Cause> {
        let failed = |detail| Miss::failed(detail).cause;
        let client = self.client.as_ref().map_err(|error| failed(error.clone()))?;
        let absolute =
            Name::from_ascii(format!("{}.", name.trim_end_matches('.'))).map_err(|_| {
                Miss::absent(format!("{name} cannot be a name in the DNS"), NEGATIVE_TTL).cause
            })?;
        let _turn = self.lookups.acquire().await.expect("the semaphore is never closed");
        match timeout(limits.resolve, client.lookup(absolute, kind.wire_type())).await {
            Ok(answer) => read(answer, kind, limits),
            Err(_) => Err(failed(format!("no answer within {:?}", limits.resolve))),
        }
    }
}

fn read(
    answer: Result<Lookup, NetError>,
    kind: RecordKind,
    limits: &Limits,
) -> Result<Records, Cause> {
    let at = Timestamp::now();
    let none = |ttl| Ok(Records { records: Vec::new(), ttl: bounded(ttl, limits), at });
    let lookup = match answer {
        Ok(lookup) => lookup,
        Err(NetError::Dns(DnsError::NoRecordsFound(miss))) => {
            let ttl = miss.negative_ttl.map_or(NEGATIVE_TTL, |ttl| Duration::from_secs(ttl.into()));
            return match miss.response_code {
                ResponseCode::NoError => none(ttl),
                ResponseCode::NXDomain => Err(Miss::absent(String::new(), ttl).cause),
                code => Err(Miss::failed(code.to_string()).cause),
            };
        }
        Err(error) => return Err(Miss::failed(error.to_string()).cause),
    };
    let wanted = lookup.answers().iter().filter(|record| record.record_type() == kind.wire_type());
    let records: Vec<DnsRecord> = wanted
        .map(|record| DnsRecord {
            name: plain(&record.name),
            ttl: record.ttl,
            kind: kind.as_str().to_owned(),
            data: data_text(&record.data),
        })
        .collect();
    match records.iter().map(|record| record.ttl).min() {
        Some(ttl) => {
            Ok(Records { records, ttl: bounded(Duration::from_secs(ttl.into()), limits), at })
        }
        // An alias that leads to a name without such records.
        None => none(NEGATIVE_TTL),
    }
}

fn data_text(data: &RData) -> String {
    match data {
        RData::CNAME(name) => plain(&name.0),
        RData::NS(name) => plain(&name.0),
        RData::PTR(name) => plain(&name.0),
        RData::MX(MX { preference, exchange, .. }) => format!("{preference} {}", plain(exchange)),
        RData::SOA(soa) => soa_text(soa),
        RData::TXT(text) => String::from_utf8_lossy(&text.txt_data.concat()).into_owned(),
        other => other.to_string(),
    }
}

fn soa_text(soa: &SOA) -> String {
    let (server, mailbox) = (plain(&soa.mname), plain(&soa.rname));
    let SOA { serial, refresh, retry, expire, minimum, .. } = soa;
    format!("{server} {mailbox} {serial} {refresh} {retry} {expire} {minimum}")
}

/// A name as it is compared: lower case, without the final dot.
fn plain(name: &Name) -> String {
    let mut text = name.to_ascii().to_ascii_lowercase();
    if text.ends_with('.') {
        text.pop();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reverse_names() {
        #[rustfmt::skip]
        let cases = [
            ("198.18.1.10", "10.1.18.198.in-addr.arpa"),
            ("192.0.2.0",   "0.2.0.192.in-addr.arpa"),
            ("2001:db8::1", "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa"),
        ];
        for (address, expected) in cases {
            assert_eq!(reverse_name(address.parse().unwrap()), expected);
        }
    }

    #[test]
    fn kinds_lead_back() {
        for kind in RecordKind::ALL {
            assert_eq!(RecordKind::parse(kind.as_str()), Some(kind));
        }
        assert_eq!(RecordKind::parse("a"), None);
    }
}
