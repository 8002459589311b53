//! What a registry knows, as plain values. Every dialect, and RDAP, tells the same objects in its
//! own words, so that a test can compare what was understood with what was meant.

use auslese_model::HostName;
use ipnet::{IpNet, Ipv4Subnets, Ipv6Subnets};
use std::net::IpAddr;

/// A person or a body, with a postal address.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Contact {
    /// A person or a role; empty if there is only an organisation.
    pub name: String,
    pub organization: String,
    pub street: String,
    pub postcode: String,
    pub city: String,
    /// Two letters.
    pub country: String,
    pub email: String,
}

impl Contact {
    pub fn organization(name: &str) -> Contact {
        Contact { organization: name.to_owned(), ..Contact::default() }
    }

    pub fn name(mut self, name: &str) -> Contact {
        self.name = name.to_owned();
        self
    }

    /// Street, postcode, city, country.
    pub fn address(mut self, street: &str, postcode: &str, city: &str, country: &str) -> Contact {
        self.street = street.to_owned();
        self.postcode = postcode.to_owned();
        self.city = city.to_owned();
        self.country = country.to_owned();
        self
    }

    pub fn email(mut self, email: &str) -> Contact {
        self.email = email.to_owned();
        self
    }

    /// The name, or the organisation where there is none.
    pub(crate) fn person(&self) -> &str {
        if self.name.is_empty() { &self.organization } else { &self.name }
    }

    /// The organisation, or the name where there is none.
    pub(crate) fn body(&self) -> &str {
        if self.organization.is_empty() { &self.name } else { &self.organization }
    }

    /// `99998 Hohenwerth`.
    pub(crate) fn town(&self) -> String {
        format!("{} {}", self.postcode, self.city).trim().to_owned()
    }
}

/// A registered domain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DomainObject {
    /// Umlauts may be written as such.
    pub domain: String,
    /// None if the registry hides the holder.
    pub holder: Option<Contact>,
    pub admin: Option<Contact>,
    pub tech: Option<Contact>,
    pub name_servers: Vec<String>,
    pub registrar: Option<Registrar>,
}

impl DomainObject {
    pub fn new(domain: &str) -> DomainObject {
        DomainObject {
            domain: domain.to_owned(),
            holder: None,
            admin: None,
            tech: None,
            name_servers: Vec::new(),
            registrar: None,
        }
    }

    pub fn holder(mut self, holder: Contact) -> DomainObject {
        self.holder = Some(holder);
        self
    }

    pub fn admin(mut self, admin: Contact) -> DomainObject {
        self.admin = Some(admin);
        self
    }

    pub fn tech(mut self, tech: Contact) -> DomainObject {
        self.tech = Some(tech);
        self
    }

    pub fn name_server(mut self, host: &str) -> DomainObject {
        self.name_servers.push(host.to_owned());
        self
    }

    pub fn registrar(mut self, name: &str, whois: &str) -> DomainObject {
        self.registrar = Some(Registrar { name: name.to_owned(), whois: whois.to_owned() });
        self
    }

    /// Umlauts in punycode.
    pub(crate) fn ascii(&self) -> String {
        HostName::parse(&self.domain)
            .map_or_else(|| self.domain.clone(), |host| host.as_str().to_owned())
    }

    pub(crate) fn hide(&mut self) {
        self.holder = None;
        self.admin = None;
        self.tech = None;
    }
}

/// Who sold a domain, and where the registrar's own answer is to be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registrar {
    pub name: String,
    pub whois: String,
}

/// A range of addresses and who holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetObject {
    pub first: IpAddr,
    pub last: IpAddr,
    pub name: String,
    /// The registry's key for the organisation, such as `ORG-UH1-EXAMPLE`.
    pub org: String,
    pub holder: Contact,
    /// Such as `ASSIGNED PI`.
    pub status: String,
    /// The key of whoever asked the registry for the range on behalf of the holder.
    pub sponsor: Option<String>,
    /// Who may change the object.
    pub maintainer: String,
}

impl NetObject {
    /// A range as CIDR, `198.18.1.0/24`.
    pub fn new(net: IpNet, name: &str, org: &str, holder: Contact) -> NetObject {
        NetObject::from_to(net.network(), net.broadcast(), name, org, holder)
    }

    /// A range that may be none in CIDR.
    pub fn from_to(
        first: IpAddr,
        last: IpAddr,
        name: &str,
        org: &str,
        holder: Contact,
    ) -> NetObject {
        NetObject {
            first,
            last,
            name: name.to_owned(),
            org: org.to_owned(),
            holder,
            status: "ASSIGNED PI".to_owned(),
            sponsor: None,
            maintainer: "REGISTRY-MNT".to_owned(),
        }
    }

    pub fn status(mut self, status: &str) -> NetObject {
        self.status = status.to_owned();
        self
    }

    pub fn sponsor(mut self, org: &str, maintainer: &str) -> NetObject {
        self.sponsor = Some(org.to_owned());
        self.maintainer = maintainer.to_owned();
        self
    }

    pub(crate) fn contains(&self, address: IpAddr) -> bool {
        self.first.is_ipv4() == address.is_ipv4() && self.first <= address && address <= self.last
    }

    pub(crate) fn is_v4(&self) -> bool {
        self.first.is_ipv4()
    }

    /// How many addresses there are, less one.
    pub(crate) fn size(&self) -> u128 {
        match (self.first, self.last) {
            (IpAddr::V4(first), IpAddr::V4(last)) => u128::from(u32::from(last) - u32::from(first)),
            (IpAddr::V6(first), IpAddr::V6(last)) => u128::from(last) - u128::from(first),
            _ => u128::MAX,
        }
    }

    /// The same range in CIDR blocks.
    pub(crate) fn blocks(&self) -> Vec<IpNet> {
        match (self.first, self.last) {
            (IpAddr::V4(first), IpAddr::V4(last)) => {
                Ipv4Subnets::new(first, last, 0).map(IpNet::V4).collect()
            }
            (IpAddr::V6(first), IpAddr::V6(last)) => {
                Ipv6Subnets::new(first, last, 0).map(IpNet::V6).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Which autonomous system announces a range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteObject {
    pub net: IpNet,
    pub origin: u32,
    pub description: String,
}

/// Where the root of all registries sends whoever asks about a top-level domain or a range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Referral {
    /// A top-level domain, or a range in CIDR.
    pub(crate) what: String,
    /// Empty if that registry has no WHOIS server.
    pub(crate) server: String,
}

/// Everything one registry knows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Objects {
    pub(crate) domains: Vec<DomainObject>,
    pub(crate) nets: Vec<NetObject>,
    pub(crate) routes: Vec<RouteObject>,
    pub(crate) referrals: Vec<Referral>,
}

impl Objects {
    /// The domain of exactly this name, in either spelling.
    pub(crate) fn domain(&self, name: &str) -> Option<&DomainObject> {
        let host = HostName::parse(name)?;
        self.domains.iter().find(|object| object.ascii() == host.as_str())
    }

    /// The ranges an address lies in, the widest first.
    pub(crate) fn nets_of(&self, address: IpAddr) -> Vec<&NetObject> {
        let mut nets: Vec<&NetObject> =
            self.nets.iter().filter(|net| net.contains(address)).collect();
        nets.sort_by_key(|net| std::cmp::Reverse(net.size()));
        nets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_nest_and_split() {
        let holder = || Contact::organization("H");
        let at = |text: &str| text.parse::<IpAddr>().unwrap();
        let cidr = |text: &str| NetObject::new(text.parse().unwrap(), text, "O", holder());
        let odd = NetObject::from_to(at("192.0.2.0"), at("192.0.2.5"), "odd", "O", holder());
        let blocks: Vec<String> = odd.blocks().iter().map(ToString::to_string).collect();
        assert_eq!(blocks, ["192.0.2.0/30", "192.0.2.4/31"]);
        let nets = ["198.18.1.0/24", "198.18.0.0/16", "::/0"].map(cidr).to_vec();
        let objects = Objects { nets, ..Objects::default() };
        let names: Vec<&str> =
            objects.nets_of(at("198.18.1.9")).iter().map(|net| net.name.as_str()).collect();
        assert_eq!(names, ["198.18.0.0/16", "198.18.1.0/24"]);
    }

    #[test]
    fn domains_in_both_spellings() {
        let domains = vec![DomainObject::new("müller.example")];
        let objects = Objects { domains, ..Objects::default() };
        for name in ["müller.example", "xn--mller-kva.example", "MÜLLER.example."] {
            assert!(objects.domain(name).is_some(), "{name}");
        }
        assert!(objects.domain("www.müller.example").is_none() && objects.domain("=?").is_none());
    }
}
