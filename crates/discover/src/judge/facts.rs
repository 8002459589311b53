//! What was observed about one host, as plain values.
//!
//! The investigation fills them in, one question after the other; the judgement reads them. Each
//! answer knows who gave it and when, and a question that nobody answered is kept apart from one
//! that was never asked: the first may still change a verdict, the second was not needed.

use crate::registration::{Party, Registration};
use auslese_model::{Cause, HostName, Timestamp};
use ipnet::IpNet;
use std::net::IpAddr;

/// Everything that is known about a host so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Observed {
    pub host: HostName,
    pub addresses: Fact<Vec<IpAddr>>,
    pub zone: Fact<Zone>,
    pub mail: Fact<MailRoutes>,
    /// The reverse names of its addresses.
    pub pointers: Fact<Vec<Pointer>>,
    pub registration: Fact<Registration>,
    pub certificate: Fact<SeenCertificate>,
    pub front_page: Fact<FrontPage>,
    /// `None` inside: it has no imprint that could be found.
    pub imprint: Fact<Option<Imprint>>,
    /// Certificates from imported logs that name it.
    pub logged_certificates: Vec<Told<SeenCertificate>>,
    /// Site-verification and analytics tokens, from its zone or its pages.
    pub tokens: Vec<Told<String>>,
    /// Hosts with a link to it, as far as known.
    pub linked_from: Vec<HostName>,
    /// Imported lists in which it stands.
    pub listings: Vec<Listing>,
}

impl Observed {
    /// A host of which nothing is known but its name.
    pub fn new(host: HostName) -> Observed {
        Observed {
            host,
            addresses: Fact::NotAsked,
            zone: Fact::NotAsked,
            mail: Fact::NotAsked,
            pointers: Fact::NotAsked,
            registration: Fact::NotAsked,
            certificate: Fact::NotAsked,
            front_page: Fact::NotAsked,
            imprint: Fact::NotAsked,
            logged_certificates: Vec::new(),
            tokens: Vec::new(),
            linked_from: Vec::new(),
            listings: Vec::new(),
        }
    }

    /// Its addresses; a host that is an address needs no lookup.
    pub(crate) fn known_addresses(&self) -> Option<Vec<IpAddr>> {
        match (&self.host.address(), &self.addresses) {
            (Some(address), _) => Some(vec![*address]),
            (None, Fact::Told(told)) => Some(told.value.clone()),
            (None, Fact::NotAsked | Fact::Failed(_)) => None,
        }
    }
}

/// The answer to one question.
#[derive(Debug, Clone, PartialEq)]
pub enum Fact<T> {
    NotAsked,
    Told(Told<T>),
    /// No answer. A cause that is not temporary is final: asking again would bring the same.
    Failed(Cause),
}

/// A value with its witness.
#[derive(Debug, Clone, PartialEq)]
pub struct Told<T> {
    pub value: T,
    /// Who said so, such as "DNS" or "WHOIS whois.denic.de".
    pub source: String,
    pub at: Timestamp,
}

impl<T> Told<T> {
    pub(crate) fn map_value<U>(&self, change: impl FnOnce(&T) -> U) -> Told<U> {
        Told { value: change(&self.value), source: self.source.clone(), at: self.at }
    }
}

impl<T> Fact<T> {
    pub fn told(value: T, source: impl Into<String>, at: Timestamp) -> Fact<T> {
        Fact::Told(Told { value, source: source.into(), at })
    }

    pub fn is_asked(&self) -> bool {
        !matches!(self, Fact::NotAsked)
    }

    pub(crate) fn answer(&self) -> Option<&Told<T>> {
        match self {
            Fact::Told(told) => Some(told),
            Fact::NotAsked | Fact::Failed(_) => None,
        }
    }

    /// Why there is no answer, if a later attempt may bring one.
    pub(crate) fn pending(&self) -> Option<&Cause> {
        match self {
            Fact::Failed(cause) if cause.kind.is_temporary() => Some(cause),
            _ => None,
        }
    }
}

/// A server that a zone names, for names or for mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ZoneServer {
    pub host: HostName,
    pub addresses: Vec<IpAddr>,
    /// Why its addresses are not known.
    pub unresolved: Option<Cause>,
}

impl ZoneServer {
    pub fn new(host: HostName, addresses: Vec<IpAddr>) -> ZoneServer {
        ZoneServer { host, addresses, unresolved: None }
    }

    pub(crate) fn pending(&self) -> Option<&Cause> {
        self.unresolved.as_ref().filter(|cause| cause.kind.is_temporary())
    }
}

/// The zone a host lies in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone {
    pub apex: String,
    pub name_servers: Vec<ZoneServer>,
}

/// Where mail for a domain goes, and who may send in its name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MailRoutes {
    pub exchangers: Vec<ZoneServer>,
    pub senders: Vec<SpfTerm>,
}

/// A sender that an SPF record lets pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SpfTerm {
    /// `include:` and `redirect=`: the senders of another domain.
    Include(String),
    /// `ip4:` and `ip6:`.
    Net(IpNet),
    /// `a:` and `mx:` with a domain.
    Host(String),
}

/// A reverse name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointer {
    pub address: IpAddr,
    pub name: HostName,
    /// Whether the name leads back to the address. Whoever holds an address may give it any
    /// reverse name; only the holder of the name can confirm it.
    pub confirmed: bool,
}

/// A certificate that names the host.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SeenCertificate {
    /// As written, with `*.` for wildcards.
    pub names: Vec<String>,
    /// Why browsers would not trust it. Such a certificate proves nothing: anybody can sign one.
    pub problem: Option<String>,
}

/// What the host answers to a request for its front page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FrontPage {
    /// The host where the redirects end, if it is another one.
    pub redirects_to: Option<HostName>,
    pub links_to: Vec<HostName>,
}

/// What the imprint page says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imprint {
    pub party: Party,
    pub vat_ids: Vec<String>,
    /// Hosts that the page links to.
    pub links_to: Vec<HostName>,
}

/// An imported list in which the host stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    pub kind: ListKind,
    /// The file, in words: "host list members.txt", "certificate log export crt.json".
    pub source: String,
    pub at: Timestamp,
}

/// What standing in a list means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListKind {
    /// A person imported it as the organisation's own: a host list or a zone file.
    Own,
    /// It only brought the name up: a scan, a certificate log, a server configuration.
    Candidates,
}
