//! RDAP: the registries' answers as JSON over the web (RFC 9082, RFC 9083), from the same objects
//! as their WHOIS, and the bootstrap files that say which server knows what (RFC 9224).
//!
//! Both become ordinary web sites. Contacts are jCards (RFC 7095); a hidden holder is told as
//! RFC 9537 wants it, with empty values and a list of what was left out.

use crate::answer::Answer;
use crate::registry::{CHANGED, Contact, DomainObject, NetObject, Objects};
use crate::request::Asked;
use crate::site::Site;
use ipnet::IpNet;
use serde_json::{Value, json};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const MEDIA_TYPE: &str = "application/rdap+json";

/// A server that answers `/domain/NAME`, `/ip/ADDRESS` and `/entity/HANDLE` below its base.
#[derive(Debug, Clone)]
pub struct RdapServer {
    base: String,
    address: String,
    objects: Objects,
    throttled_after: Option<usize>,
}

impl RdapServer {
    /// A base such as `https://rdap.registry.example/v1`, and the address of its host.
    pub fn new(base: &str, address: &str) -> RdapServer {
        RdapServer {
            base: base.trim_end_matches('/').to_owned(),
            address: address.to_owned(),
            objects: Objects::default(),
            throttled_after: None,
        }
    }

    pub fn domain(mut self, object: DomainObject) -> RdapServer {
        self.objects.domains.push(object);
        self
    }

    pub fn net(mut self, object: NetObject) -> RdapServer {
        self.objects.nets.push(object);
        self
    }

    /// Answers 429 after this many questions. They are counted from the start, through all resets.
    pub fn throttled_after(mut self, questions: usize) -> RdapServer {
        self.throttled_after = Some(questions);
        self
    }

    /// The server as a web site.
    pub fn site(self) -> Site {
        let (origin, path) = origin_and_path(&self.base);
        let (origin, path) = (origin.to_owned(), path.to_owned());
        let address = self.address.clone();
        let asked_before = Arc::new(AtomicUsize::new(0));
        let answer = Answer::from_fn(move |asked| {
            let earlier = asked_before.fetch_add(1, Ordering::Relaxed);
            match self.throttled_after {
                Some(limit) if earlier >= limit => {
                    error(429, "Too Many Requests").header("Retry-After", "60")
                }
                _ => self.answer(asked, &path),
            }
        });
        Site::new(origin).at(&address).otherwise(answer)
    }

    fn answer(&self, asked: &Asked, base: &str) -> Answer {
        let path = asked.path().strip_prefix(base).unwrap_or("");
        let mut parts = path.trim_start_matches('/').splitn(2, '/');
        let found = match (parts.next().unwrap_or(""), parts.next().unwrap_or("")) {
            ("domain", name) => self.objects.domain(name).map(domain),
            ("ip", text) => first_address(text)
                .and_then(|address| self.objects.nets_of(address).pop())
                .map(network),
            ("entity", handle) => {
                let mut nets = self.objects.nets.iter();
                nets.find(|net| net.org == handle).map(|net| self.organization(net))
            }
            _ => return error(400, "Bad Request"),
        };
        match found {
            Some(object) => json_answer(&object),
            None => error(404, "Not Found"),
        }
    }

    /// An organisation with all its ranges.
    fn organization(&self, net: &NetObject) -> Value {
        let mut entity = entity(&net.org, &["registrant"], Some(&net.holder));
        let nets = self.objects.nets.iter().filter(|other| other.org == net.org);
        entity["networks"] = nets.map(network).collect();
        with_conformance(entity, &["rdap_level_0", "cidr0"])
    }
}

/// Which RDAP servers know which top-level domains and ranges.
#[derive(Debug, Clone, Default)]
pub struct Bootstrap {
    dns: Vec<(String, String)>,
    ipv4: Vec<(String, String)>,
    ipv6: Vec<(String, String)>,
}

impl Bootstrap {
    pub fn new() -> Bootstrap {
        Bootstrap::default()
    }

    /// The server of a top-level domain.
    pub fn domain(mut self, label: &str, base: &str) -> Bootstrap {
        self.dns.push((label.to_owned(), base.to_owned()));
        self
    }

    /// The server of a range.
    pub fn range(mut self, net: IpNet, base: &str) -> Bootstrap {
        let list = if net.addr().is_ipv4() { &mut self.ipv4 } else { &mut self.ipv6 };
        list.push((net.to_string(), base.to_owned()));
        self
    }

    /// `dns.json`, `ipv4.json` and `ipv6.json` below a base such as `https://data.iana.org/rdap`.
    pub fn site(&self, base: &str, address: &str) -> Site {
        let (origin, path) = origin_and_path(base.trim_end_matches('/'));
        let files = [("dns", &self.dns), ("ipv4", &self.ipv4), ("ipv6", &self.ipv6)];
        files.into_iter().fold(Site::new(origin).at(address), |site, (name, services)| {
            let services: Vec<Value> =
                services.iter().map(|(what, base)| json!([[what], [base]])).collect();
            let file = json!({
                "description": format!("RDAP bootstrap file of the simulated internet ({name})"),
                "publication": format!("{CHANGED}T08:12:47Z"),
                "version": "1.0",
                "services": services,
            });
            site.file(&format!("{path}/{name}.json"), "application/json", file.to_string())
        })
    }
}

fn domain(object: &DomainObject) -> Value {
    let ascii = object.ascii();
    let servers: Vec<Value> = object
        .name_servers
        .iter()
        .map(|server| json!({ "objectClassName": "nameserver", "ldhName": server }))
        .collect();
    let mut entities = vec![entity("REGISTRANT-1", &["registrant"], object.holder.as_ref())];
    let others = [("administrative", &object.admin), ("technical", &object.tech)];
    let others = others.into_iter().filter_map(|(role, contact)| Some((role, contact.as_ref()?)));
    entities.extend(others.map(|(role, contact)| entity(role, &[role], Some(contact))));
    if let Some(registrar) = &object.registrar {
        let contact = Contact::organization(&registrar.name);
        entities.push(entity("9999", &["registrar"], Some(&contact)));
    }
    let mut told = json!({
        "objectClassName": "domain",
        "handle": format!("DOM-{}", ascii.to_uppercase()),
        "ldhName": ascii,
        "status": ["active"],
        "entities": entities,
        "nameservers": servers,
        "events": events(),
    });
    if ascii != object.domain {
        told["unicodeName"] = json!(object.domain);
    }
    match object.holder {
        Some(_) => with_conformance(told, &["rdap_level_0"]),
        None => {
            told["redacted"] = redacted();
            with_conformance(told, &["rdap_level_0", "redacted"])
        }
    }
}

fn network(net: &NetObject) -> Value {
    let blocks: Vec<Value> = net.blocks().iter().map(cidr).collect();
    let told = json!({
        "objectClassName": "ip network",
        "handle": format!("{} - {}", net.first, net.last),
        "startAddress": net.first.to_string(),
        "endAddress": net.last.to_string(),
        "ipVersion": if net.is_v4() { "v4" } else { "v6" },
        "name": net.name,
        "type": net.status,
        "country": net.holder.country,
        "cidr0_cidrs": blocks,
        "status": ["active"],
        "entities": [entity(&net.org, &["registrant"], Some(&net.holder))],
        "events": events(),
    });
    with_conformance(told, &["rdap_level_0", "cidr0"])
}

fn cidr(net: &IpNet) -> Value {
    let prefix = if net.addr().is_ipv4() { "v4prefix" } else { "v6prefix" };
    json!({ prefix: net.network().to_string(), "length": net.prefix_len() })
}

fn entity(handle: &str, roles: &[&str], contact: Option<&Contact>) -> Value {
    json!({
        "objectClassName": "entity",
        "handle": handle,
        "roles": roles,
        "vcardArray": ["vcard", card(contact)],
    })
}

/// The lines of a jCard; that of a hidden contact has only its obligatory, empty name.
fn card(contact: Option<&Contact>) -> Value {
    let line = |name: &str, value: &str| json!([name, {}, "text", value]);
    let version = line("version", "4.0");
    let Some(contact) = contact else { return json!([version, line("fn", "")]) };
    let mut lines = vec![version, line("fn", contact.person())];
    if !contact.organization.is_empty() {
        lines.push(line("org", &contact.organization));
    }
    if !contact.city.is_empty() {
        let Contact { street, city, postcode, country, .. } = contact;
        let parameters = json!({ "cc": country });
        lines.push(json!(["adr", parameters, "text", ["", "", street, city, "", postcode, ""]]));
    }
    if !contact.email.is_empty() {
        lines.push(line("email", &contact.email));
    }
    Value::Array(lines)
}

fn redacted() -> Value {
    let path = "$.entities[?(@.roles[0]=='registrant')].vcardArray[1]";
    let field = |words: &str, property: &str, method: &str| {
        json!({
            "name": { "description": words },
            "prePath": format!("{path}[?(@[0]=='{property}')]"),
            "pathLang": "jsonpath",
            "method": method,
            "reason": { "description": "Server policy" },
        })
    };
    json!([
        field("Registrant Name", "fn", "emptyValue"),
        field("Registrant Organization", "org", "removal"),
        field("Registrant Street", "adr", "removal"),
        field("Registrant Email", "email", "removal"),
    ])
}

fn events() -> Value {
    json!([
        { "eventAction": "registration", "eventDate": "2004-02-11T00:00:00Z" },
        { "eventAction": "last changed", "eventDate": format!("{CHANGED}T08:12:47Z") },
    ])
}

fn with_conformance(mut object: Value, extensions: &[&str]) -> Value {
    object["rdapConformance"] = json!(extensions);
    object
}

fn json_answer(object: &Value) -> Answer {
    Answer::file(MEDIA_TYPE, object.to_string())
}

fn error(status: u16, title: &str) -> Answer {
    let object = json!({ "errorCode": status, "title": title });
    json_answer(&with_conformance(object, &["rdap_level_0"])).status(status)
}

/// The address itself, or the first of a prefix.
fn first_address(text: &str) -> Option<IpAddr> {
    let text = text.replace("%3A", ":").replace("%3a", ":");
    text.split('/').next()?.parse().ok()
}

/// `https://rdap.example/v1` → `https://rdap.example` and `/v1`.
fn origin_and_path(base: &str) -> (&str, &str) {
    let host = base.find("://").map_or(0, |at| at + 3);
    let slash = base[host..].find('/').map_or(base.len(), |at| host + at);
    base.split_at(slash)
}
