//! Reads what registries say in RDAP (RFC 9083): domains, ranges of addresses, organisations.
//!
//! Servers send sloppy JSON, so nothing is taken for granted: every field may be missing, of
//! another type or there twice, and what is understood is kept. About ten fields count: who
//! (`entities` with their jCard), name servers, the range, and where more is told.
//!
//! **Who holds a range**: the entity with the role `registrant`, organisations before persons;
//! never a maintainer, which RIPE lists under the same role and which is often the provider's. If
//! there is none, an *organisation* that is the administrative contact; a person there is an
//! employee and no holder. `sponsor` (RIPE's sponsoring organisation) is never looked at.

mod card;
mod holder;

use crate::registration::{Registration, RegistrationState, blocks};
use crate::whois::{Worth, worth};
use holder::Entities;
use ipnet::IpNet;
use serde_json::Value;
use std::net::IpAddr;
use url::Url;

/// Longest answer that is read, in bytes. Real ones have 2 to 40 KiB.
pub const RDAP_BYTES: usize = 256 << 10;
/// Longest answer about an organisation with all its networks; ARIN tells 3 KiB of each.
const NETWORKS_BYTES: usize = 1 << 20;
/// Name servers and blocks kept of one answer; the longest real lists have 13 and about 30.
const LISTED: usize = 256;
/// Networks kept of one organisation.
const NETWORKS: usize = 4096;

/// Reads the answer about one object; never fails.
///
/// ```
/// use auslese_discover::{RegistrationState, parse_rdap};
/// let told = parse_rdap(br#"{"objectClassName": "ip network", "name": "UNI-NET",
///     "startAddress": "198.18.0.0", "endAddress": "198.18.255.255"}"#);
/// assert_eq!(told.state, RegistrationState::Found);
/// assert_eq!(told.net_range[0].to_string(), "198.18.0.0/16");
/// assert_eq!(parse_rdap(b"<html>").state, RegistrationState::Error);
/// ```
pub fn parse_rdap(json: &[u8]) -> Registration {
    match object(json, RDAP_BYTES) {
        Some(object) => read(&object),
        None => Registration::empty(RegistrationState::Error),
    }
}

/// The networks that an answer about an organisation lists (RFC 9083 §5.1); the organisation is
/// the holder of those that name none themselves.
pub fn parse_rdap_networks(json: &[u8]) -> Vec<Registration> {
    let Some(organisation) = object(json, NETWORKS_BYTES) else { return Vec::new() };
    let holder = holder::of_entity(&organisation);
    let networks = list(&organisation, "networks").iter().take(NETWORKS);
    let mut told: Vec<Registration> = networks.map(read).collect();
    told.retain(|network| !network.net_range.is_empty());
    for network in &mut told {
        if network.registrant.is_empty() {
            network.registrant = holder.clone();
            network.state = RegistrationState::Found;
        }
        network.org_handle = network.org_handle.take().or_else(|| text(&organisation, "handle"));
    }
    told
}

/// The object an answer consists of. The library refuses nesting beyond 128 levels.
fn object(json: &[u8], longest: usize) -> Option<Value> {
    if json.len() > longest {
        return None;
    }
    // A mark of the byte order is no JSON, but some servers send it.
    let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
    serde_json::from_slice::<Value>(json).ok().filter(Value::is_object)
}

fn read(object: &Value) -> Registration {
    if let Some(code) = number(object, "errorCode") {
        return Registration::empty(match code {
            404 => RegistrationState::NotFound,
            429 => RegistrationState::Throttled,
            _ => RegistrationState::Error,
        });
    }
    let is_network = object.get("startAddress").is_some() || object.get("cidr0_cidrs").is_some();
    let entities = Entities::of(object);
    let holder = if is_network { entities.network_holder() } else { entities.registrant() };
    let mut told = Registration {
        registrant: holder.party,
        admin: entities.contact("administrative"),
        tech: entities.contact("technical"),
        name_servers: name_servers(object),
        net_range: net_range(object),
        org_handle: holder.handle.filter(|_| is_network),
        net_name: text(object, "name").filter(|_| is_network),
        refer: refer(object),
        ..Registration::empty(RegistrationState::Found)
    };
    let hidden = holder.is_hidden || says_redacted(object);
    told.state = match () {
        () if !told.registrant.is_empty() => RegistrationState::Found,
        () if hidden => RegistrationState::Redacted,
        () if is_registration(object) => RegistrationState::Found,
        () => RegistrationState::Error,
    };
    told
}

/// Whether this is an object of a registry at all: JSON may be anything.
fn is_registration(object: &Value) -> bool {
    ["objectClassName", "ldhName", "unicodeName", "handle", "startAddress", "entities"]
        .iter()
        .any(|field| object.get(field).is_some())
}

/// Whether the answer says that the holder was left out (RFC 9537, or in the words of a remark).
fn says_redacted(object: &Value) -> bool {
    let redacted = list(object, "redacted").iter().any(|entry| {
        let name = entry.get("name").unwrap_or(entry);
        let words = [text(name, "description"), text(name, "type"), scalar(name)];
        words.into_iter().flatten().any(|words| words.to_lowercase().contains("registrant"))
    });
    redacted
        || list(object, "remarks").iter().any(|remark| {
            let words = [text(remark, "title"), text(remark, "type")];
            words.into_iter().flatten().any(|words| words.to_lowercase().contains("redacted"))
        })
}

fn name_servers(object: &Value) -> Vec<String> {
    let mut names = Vec::new();
    for server in list(object, "nameservers").iter().take(LISTED) {
        let name = text(server, "ldhName").or_else(|| text(server, "unicodeName"));
        let name = name.or_else(|| scalar(server));
        let Some(host) = name.and_then(|name| auslese_model::HostName::parse(&name)) else {
            continue;
        };
        let name = host.as_str().to_owned();
        if host.address().is_none() && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The blocks as told; without them, those between the first and the last address.
fn net_range(object: &Value) -> Vec<IpNet> {
    let told = list(object, "cidr0_cidrs").iter().take(LISTED);
    let blocks_told: Option<Vec<IpNet>> = told.map(block).collect();
    if let Some(told) = blocks_told.filter(|told| !told.is_empty()) {
        return told;
    }
    let address = |field| text(object, field).and_then(|text| text.parse::<IpAddr>().ok());
    match (address("startAddress"), address("endAddress")) {
        (Some(first), Some(last)) => blocks(first, last),
        // Some registries put a whole block into the first address.
        _ => text(object, "startAddress")
            .and_then(|text| text.parse::<IpNet>().ok())
            .map(|net| net.trunc())
            .into_iter()
            .collect(),
    }
}

fn block(entry: &Value) -> Option<IpNet> {
    let prefix = text(entry, "v4prefix").or_else(|| text(entry, "v6prefix"))?;
    let length = u8::try_from(number(entry, "length")?).ok()?;
    IpNet::new(prefix.parse().ok()?, length).ok().map(|net| net.trunc())
}

/// The address at which another server, the registrar's, tells more about the same object.
fn refer(object: &Value) -> Option<String> {
    let links = list(object, "links");
    let own: Vec<String> =
        links.iter().filter(|link| relation(link, "self")).filter_map(target).collect();
    ["related", "alternate"].iter().find_map(|wanted| {
        let links = links.iter().filter(|link| relation(link, wanted) && leads_to_rdap(link));
        links.filter_map(target).find(|target| !own.contains(target))
    })
}

fn relation(link: &Value, wanted: &str) -> bool {
    text(link, "rel").is_some_and(|rel| rel.eq_ignore_ascii_case(wanted))
}

/// Links to terms of use and web pages have the same relations.
fn leads_to_rdap(link: &Value) -> bool {
    text(link, "type").is_some_and(|kind| kind.to_ascii_lowercase().contains("rdap+json"))
}

fn target(link: &Value) -> Option<String> {
    let url = Url::parse(&text(link, "href")?).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| url.to_string())
}

/// The elements of an array; a lone value where an array should be counts as one element.
fn list<'a>(object: &'a Value, field: &str) -> &'a [Value] {
    match object.get(field) {
        Some(Value::Array(values)) => values,
        Some(Value::Null) | None => &[],
        Some(single) => std::slice::from_ref(single),
    }
}

/// A text field that says something.
fn text(object: &Value, field: &str) -> Option<String> {
    object.get(field).and_then(scalar)
}

/// Text or a number, as text; white space at the ends is no part of it.
fn scalar(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

/// Whether a text says something, rather than that it is hidden.
fn is_value(text: &str) -> bool {
    worth(text) == Worth::Value
}

/// A whole number, also in quotes.
fn number(object: &Value, field: &str) -> Option<u64> {
    match object.get(field)? {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
