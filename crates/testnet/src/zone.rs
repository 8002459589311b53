//! Zones as a test writes them, and the answers that follow from them.
//!
//! All zones together are one table, because one server answers for the whole simulated internet:
//! it is authoritative for every zone and follows aliases across them, as the resolver of a
//! provider would. A name that no zone knows does not exist (NXDOMAIN from the root).

use crate::error::TestnetError;
use auslese_model::HostName;
use hickory_server::proto::rr::rdata::{A, AAAA, CNAME, MX, NS, PTR, SOA, TXT};
use hickory_server::proto::rr::{Name, RData, Record, RecordType};
use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::Duration;

/// How long answers may be kept, unless a zone says otherwise.
const TTL: u32 = 60;
/// Zones never change, so all have one serial number.
const SERIAL: u32 = 1;
/// An alias chain longer than this ends in SERVFAIL, as it does with real resolvers.
const LONGEST_CHAIN: usize = 8;

/// The records of a domain.
///
/// Names are written as in zone files: relative to the zone (`www`), `@` for the zone itself, or
/// absolute with a final dot. Umlauts are turned into punycode.
#[derive(Debug, Clone)]
pub struct Zone {
    apex: String,
    ttl: u32,
    entries: Vec<(String, Entry)>,
}

#[derive(Debug, Clone)]
enum Entry {
    Address(String),
    Alias(String),
    NameServer(String),
    Mail(u16, String),
    Text(String),
    Pointer(String),
    Script(Vec<DnsAnswer>),
}

/// One turn of a name whose answer changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DnsAnswer {
    /// These addresses, not to be kept (TTL 0); of each family where it is asked for.
    Addresses(Vec<IpAddr>),
    NoSuchName,
    ServerFailure,
    Refused,
    /// No answer at all.
    Silence,
    /// The answer comes late.
    After(Duration, Box<DnsAnswer>),
}

impl Zone {
    pub fn new(apex: &str) -> Zone {
        Zone { apex: apex.trim_end_matches('.').to_owned(), ttl: TTL, entries: Vec::new() }
    }

    /// How many seconds the answers may be kept.
    pub fn ttl(mut self, seconds: u32) -> Zone {
        self.ttl = seconds;
        self
    }

    /// An A or AAAA record.
    pub fn address(self, name: &str, address: &str) -> Zone {
        self.entry(name, Entry::Address(address.to_owned()))
    }

    pub fn cname(self, name: &str, target: &str) -> Zone {
        self.entry(name, Entry::Alias(target.to_owned()))
    }

    /// A name server of the zone.
    pub fn ns(self, server: &str) -> Zone {
        self.entry("@", Entry::NameServer(server.to_owned()))
    }

    pub fn mx(self, name: &str, preference: u16, server: &str) -> Zone {
        self.entry(name, Entry::Mail(preference, server.to_owned()))
    }

    pub fn txt(self, name: &str, text: &str) -> Zone {
        self.entry(name, Entry::Text(text.to_owned()))
    }

    /// The name of an address; which zone says it does not matter.
    pub fn ptr(self, address: IpAddr, name: &str) -> Zone {
        let reverse = Name::from(address).to_ascii();
        self.entry(&reverse, Entry::Pointer(name.to_owned()))
    }

    /// A name that answers each address query with the next of these, the last one for ever. A and
    /// AAAA queries are counted apart.
    ///
    /// # Panics
    /// If there is no answer at all.
    pub fn script(self, name: &str, answers: impl IntoIterator<Item = DnsAnswer>) -> Zone {
        let answers: Vec<DnsAnswer> = answers.into_iter().collect();
        assert!(!answers.is_empty(), "a script needs an answer");
        self.entry(name, Entry::Script(answers))
    }

    fn entry(mut self, name: &str, entry: Entry) -> Zone {
        self.entries.push((name.to_owned(), entry));
        self
    }

    fn absolute(&self, name: &str) -> Result<String, TestnetError> {
        let name = match name {
            "@" => self.apex.clone(),
            name if name.ends_with('.') => name.trim_end_matches('.').to_owned(),
            name => format!("{name}.{}", self.apex),
        };
        ascii(&name)
    }

    fn target(&self, name: &str) -> Result<Name, TestnetError> {
        fully_qualified(&self.absolute(name)?)
    }

    fn record_data(&self, entry: &Entry) -> Result<Option<RData>, TestnetError> {
        Ok(Some(match entry {
            Entry::Address(text) => address_data(parse_address(text)?),
            Entry::Alias(name) => RData::CNAME(CNAME(self.target(name)?)),
            Entry::NameServer(name) => RData::NS(NS(self.target(name)?)),
            Entry::Mail(preference, name) => RData::MX(MX::new(*preference, self.target(name)?)),
            Entry::Text(text) => RData::TXT(TXT::new(character_strings(text))),
            Entry::Pointer(name) => RData::PTR(PTR(self.target(name)?)),
            Entry::Script(_) => return Ok(None),
        }))
    }

    fn soa(&self) -> Result<Record, TestnetError> {
        let server = self.entries.iter().find_map(|(_, entry)| match entry {
            Entry::NameServer(name) => Some(name.as_str()),
            _ => None,
        });
        let server = self.target(server.unwrap_or("@"))?;
        let mailbox = match self.apex.is_empty() {
            true => Name::root(),
            false => self.target("hostmaster")?,
        };
        let soa = SOA::new(server, mailbox, SERIAL, 7200, 3600, 1_209_600, self.ttl);
        Ok(Record::from_rdata(fully_qualified(&ascii(&self.apex)?)?, self.ttl, RData::SOA(soa)))
    }
}

/// Everything the name server knows.
#[derive(Debug)]
pub(crate) struct Table {
    records: HashMap<String, Vec<Record>>,
    scripts: HashMap<String, Vec<DnsAnswer>>,
    /// Zone apexes with their SOA; the root is always there.
    zones: HashMap<String, Record>,
    /// All names with records and all names above them.
    existing: HashSet<String>,
    asked: Mutex<HashMap<(String, RecordType), usize>>,
}

/// What is to be answered.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reply {
    pub(crate) code: ReplyCode,
    pub(crate) answers: Vec<Record>,
    pub(crate) soa: Option<Record>,
    pub(crate) delay: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReplyCode {
    NoError,
    NoSuchName,
    ServerFailure,
    Refused,
    Silence,
}

impl Table {
    pub(crate) fn new(zones: &[Zone]) -> Result<Table, TestnetError> {
        let mut table = Table {
            records: HashMap::new(),
            scripts: HashMap::new(),
            zones: HashMap::new(),
            existing: HashSet::new(),
            asked: Mutex::default(),
        };
        table.zones.insert(String::new(), Zone::new("").soa()?);
        for zone in zones {
            table.add_zone(zone)?;
        }
        Ok(table)
    }

    /// The addresses of a name without a script, following aliases.
    pub(crate) fn addresses(&self, host: &str) -> Vec<IpAddr> {
        let v4 = self.lookup(host, RecordType::A).answers;
        let v6 = self.lookup(host, RecordType::AAAA).answers;
        let address = |record: Record| record.data.ip_addr();
        v4.into_iter().chain(v6).filter_map(address).collect()
    }

    /// Whether any zone says something about this name itself.
    pub(crate) fn mentions(&self, host: &str) -> bool {
        self.records.contains_key(host)
            || self.scripts.contains_key(host)
            || self.wildcard(host).is_some()
    }

    pub(crate) fn add_address(&mut self, host: &str, address: IpAddr) -> Result<(), TestnetError> {
        let name = fully_qualified(host)?;
        self.add(host, Record::from_rdata(name, TTL, address_data(address)));
        Ok(())
    }

    /// The answer to a query; counts it if the name has a script.
    pub(crate) fn reply(&self, name: &str, wanted: RecordType) -> Reply {
        let Some(script) = self.scripts.get(name) else { return self.lookup(name, wanted) };
        if !matches!(wanted, RecordType::A | RecordType::AAAA) {
            return self.lookup(name, wanted);
        }
        let mut asked = self.asked.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let turn = asked.entry((name.to_owned(), wanted)).or_default();
        let answer = &script[(*turn).min(script.len() - 1)];
        *turn += 1;
        self.scripted(name, wanted, answer)
    }

    /// Starts every script again.
    pub(crate) fn rewind(&self) {
        self.asked.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clear();
    }

    fn add_zone(&mut self, zone: &Zone) -> Result<(), TestnetError> {
        let apex = ascii(&zone.apex)?;
        self.zones.insert(apex.clone(), zone.soa()?);
        self.exists(&apex);
        self.add(&apex, zone.soa()?);
        for (name, entry) in &zone.entries {
            let name = zone.absolute(name)?;
            match (entry, zone.record_data(entry)?) {
                (Entry::Script(answers), _) => {
                    self.exists(&name);
                    self.scripts.insert(name, answers.clone());
                }
                (_, Some(data)) => {
                    let record = Record::from_rdata(fully_qualified(&name)?, zone.ttl, data);
                    self.add(&name, record);
                }
                (_, None) => {}
            }
        }
        Ok(())
    }

    fn add(&mut self, name: &str, record: Record) {
        self.exists(name);
        self.records.entry(name.to_owned()).or_default().push(record);
    }

    fn exists(&mut self, name: &str) {
        self.existing.insert(name.to_owned());
        for (dot, _) in name.match_indices('.') {
            self.existing.insert(name[dot + 1..].to_owned());
        }
    }

    fn lookup(&self, name: &str, wanted: RecordType) -> Reply {
        let mut answers = Vec::new();
        let mut name = name.to_owned();
        for _ in 0..LONGEST_CHAIN {
            let records = self.records_of(&name);
            let matching =
                |record: &&Record| wanted == RecordType::ANY || record.record_type() == wanted;
            let before = answers.len();
            answers.extend(records.iter().filter(matching).cloned());
            if answers.len() > before {
                return Reply { answers, ..Reply::empty(ReplyCode::NoError) };
            }
            let Some(alias) = records.iter().find_map(alias) else {
                return self.nothing(&name, answers);
            };
            answers.push(alias.0);
            name = alias.1;
        }
        Reply::empty(ReplyCode::ServerFailure)
    }

    fn nothing(&self, name: &str, answers: Vec<Record>) -> Reply {
        let exists =
            name.is_empty() || self.existing.contains(name) || self.wildcard(name).is_some();
        let code = if exists { ReplyCode::NoError } else { ReplyCode::NoSuchName };
        Reply { answers, soa: self.soa_of(name), ..Reply::empty(code) }
    }

    fn scripted(&self, name: &str, wanted: RecordType, answer: &DnsAnswer) -> Reply {
        let addresses = match answer {
            DnsAnswer::Addresses(addresses) => addresses,
            DnsAnswer::NoSuchName => {
                let soa = self.soa_of(name);
                return Reply { soa, ..Reply::empty(ReplyCode::NoSuchName) };
            }
            DnsAnswer::ServerFailure => return Reply::empty(ReplyCode::ServerFailure),
            DnsAnswer::Refused => return Reply::empty(ReplyCode::Refused),
            DnsAnswer::Silence => return Reply::empty(ReplyCode::Silence),
            DnsAnswer::After(delay, answer) => {
                return Reply { delay: *delay, ..self.scripted(name, wanted, answer) };
            }
        };
        let Ok(name_in_record) = fully_qualified(name) else {
            return Reply::empty(ReplyCode::ServerFailure);
        };
        let answers: Vec<Record> = addresses
            .iter()
            .filter(|address| address.is_ipv4() == (wanted == RecordType::A))
            .map(|address| Record::from_rdata(name_in_record.clone(), 0, address_data(*address)))
            .collect();
        let soa = if answers.is_empty() { self.soa_of(name) } else { None };
        Reply { answers, soa, ..Reply::empty(ReplyCode::NoError) }
    }

    /// The records of a name; those of a wildcard are given under the name that was asked for.
    fn records_of(&self, name: &str) -> Vec<Record> {
        if self.existing.contains(name) {
            return self.records.get(name).cloned().unwrap_or_default();
        }
        let (Some(records), Ok(own_name)) = (self.wildcard(name), fully_qualified(name)) else {
            return Vec::new();
        };
        let mut records = records.clone();
        for record in &mut records {
            record.name = own_name.clone();
        }
        records
    }

    fn wildcard(&self, name: &str) -> Option<&Vec<Record>> {
        let parents = name.match_indices('.').map(|(dot, _)| &name[dot..]);
        parents.map(|parent| format!("*{parent}")).find_map(|wildcard| self.records.get(&wildcard))
    }

    fn soa_of(&self, name: &str) -> Option<Record> {
        let parents = name.match_indices('.').map(|(dot, _)| &name[dot + 1..]);
        let mut candidates = std::iter::once(name).chain(parents).chain(std::iter::once(""));
        candidates.find_map(|apex| self.zones.get(apex)).cloned()
    }
}

impl Reply {
    fn empty(code: ReplyCode) -> Reply {
        Reply { code, answers: Vec::new(), soa: None, delay: Duration::ZERO }
    }
}

/// The alias in a record: the record itself and the name it leads to.
fn alias(record: &Record) -> Option<(Record, String)> {
    match &record.data {
        RData::CNAME(target) => Some((record.clone(), table_key(&target.0))),
        _ => None,
    }
}

/// A name as the table spells it: lower case, no final dot.
pub(crate) fn table_key(name: &Name) -> String {
    name.to_ascii().trim_end_matches('.').to_ascii_lowercase()
}

pub(crate) fn parse_address(text: &str) -> Result<IpAddr, TestnetError> {
    text.parse().map_err(|_| TestnetError::Address(text.to_owned()))
}

fn ascii(name: &str) -> Result<String, TestnetError> {
    if name.is_ascii() {
        return Ok(name.to_ascii_lowercase());
    }
    let host = HostName::parse(name).ok_or_else(|| TestnetError::Name(name.to_owned()))?;
    Ok(host.as_str().to_owned())
}

fn fully_qualified(name: &str) -> Result<Name, TestnetError> {
    Name::from_ascii(format!("{name}.")).map_err(|_| TestnetError::Name(name.to_owned()))
}

fn address_data(address: IpAddr) -> RData {
    match address {
        IpAddr::V4(address) => RData::A(A(address)),
        IpAddr::V6(address) => RData::AAAA(AAAA(address)),
    }
}

/// A text in the pieces of at most 255 bytes that TXT records are made of.
fn character_strings(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for character in text.chars() {
        let full = pieces.last().is_some_and(|piece| piece.len() + character.len_utf8() > 255);
        if full {
            pieces.push(String::new());
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push(character);
        }
    }
    pieces
}
