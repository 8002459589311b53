//! WHOIS registries, each with its dialect, its objects and its bad habits.
//!
//! WHOIS has no `Host` line: whoever connects to an address has chosen the server. So every
//! registry has an address of its own and, on this machine, a socket of its own. The answers follow
//! the registries' documentation and are written from plain [objects](DomainObject), so that the
//! same facts can be told in every dialect. A registry answers one question per connection and
//! then hangs up, as the protocol wants it (RFC 3912).

mod arin;
mod denic;
mod dotted;
mod gtld;
mod iana;
mod nic_at;
mod objects;
mod question;
mod ripe;
mod serve;

pub(crate) use objects::Objects;
pub use objects::{Contact, DomainObject, NetObject, Registrar, RouteObject};
pub(crate) use serve::{Counter, accept};

use objects::Referral;
use question::Question;
use std::time::Duration;

/// When every object here was last changed.
pub(crate) const CHANGED: &str = "2026-03-02";

/// A WHOIS server.
#[derive(Debug, Clone)]
pub struct Registry {
    pub(crate) host: String,
    pub(crate) address: String,
    dialect: Dialect,
    behaviours: Vec<Behaviour>,
    objects: Objects,
}

/// How a registry writes its answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// .de: `[Holder]` blocks, and only for `-T dn,ace`.
    Denic,
    /// .at: objects with handles.
    NicAt,
    /// Address ranges as `inetnum` objects.
    Ripe,
    /// Address ranges as `NetRange`.
    Arin,
    /// Thin: refers to the registrar.
    Verisign,
    /// Thick: `Registrant Name:` and so on.
    Icann2013,
    /// Refers to whoever knows.
    Iana,
    /// Dotted keys under headings, in ISO-8859-1.
    Latin1,
}

/// What a registry does besides or instead of answering.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Behaviour {
    /// Refuses, in the words of its dialect, after this many questions.
    Throttled { after: usize },
    /// Accepts connections and says nothing.
    Silent,
    /// Answers late.
    Slow(Duration),
    /// Sends bytes that are no text.
    Garbage,
    /// Sends lines for ever.
    Endless,
    /// Hides every holder, in the words of its dialect.
    Redacting,
}

impl Registry {
    /// A server with its name and address. The name gets the address in DNS unless a zone says
    /// something about it.
    pub fn new(host: &str, address: &str, dialect: Dialect) -> Registry {
        Registry {
            host: host.to_ascii_lowercase(),
            address: address.to_owned(),
            dialect,
            behaviours: Vec::new(),
            objects: Objects::default(),
        }
    }

    pub fn domain(mut self, object: DomainObject) -> Registry {
        self.objects.domains.push(object);
        self
    }

    pub fn net(mut self, object: NetObject) -> Registry {
        self.objects.nets.push(object);
        self
    }

    pub fn route(mut self, object: RouteObject) -> Registry {
        self.objects.routes.push(object);
        self
    }

    /// Sends whoever asks about a top-level domain or a range in CIDR to another server; to none if
    /// its name is empty. Only IANA's dialect tells it.
    pub fn refer(mut self, what: &str, server: &str) -> Registry {
        self.objects.referrals.push(Referral { what: what.to_owned(), server: server.to_owned() });
        self
    }

    pub fn behaves(mut self, behaviour: Behaviour) -> Registry {
        self.behaviours.push(behaviour);
        self
    }

    pub fn host(&self) -> &str {
        &self.host
    }

    /// The answer to a line, without any bad habits but redaction; for tests that read answers.
    pub fn answer(&self, line: &str) -> Vec<u8> {
        let question = Question::read(line);
        let objects = self.told();
        let text = match self.dialect {
            Dialect::Denic => denic::answer(&objects, &question),
            Dialect::NicAt => nic_at::answer(&objects, &question),
            Dialect::Ripe => ripe::answer(&objects, &question),
            Dialect::Arin => arin::answer(&objects, &question),
            Dialect::Verisign => gtld::verisign(&objects, &question),
            Dialect::Icann2013 => gtld::icann2013(&objects, &question),
            Dialect::Iana => iana::answer(&objects, &question),
            Dialect::Latin1 => dotted::answer(&objects, &question),
        };
        let charset = question.charset.as_deref().unwrap_or("");
        let latin1 = self.dialect == Dialect::Latin1
            || (self.dialect == Dialect::Denic && charset.eq_ignore_ascii_case("ISO-8859-1"));
        encoded(&text, latin1)
    }

    /// What the dialect says to those who ask too much.
    pub fn throttle_words(&self) -> &'static str {
        match self.dialect {
            Dialect::Denic => denic::THROTTLED,
            Dialect::NicAt => nic_at::THROTTLED,
            Dialect::Ripe => ripe::THROTTLED,
            Dialect::Arin => arin::THROTTLED,
            Dialect::Verisign => gtld::VERISIGN_THROTTLED,
            Dialect::Icann2013 => gtld::ICANN_THROTTLED,
            Dialect::Iana => iana::THROTTLED,
            Dialect::Latin1 => dotted::THROTTLED,
        }
    }

    fn told(&self) -> Objects {
        let mut objects = self.objects.clone();
        if self.behaviours.contains(&Behaviour::Redacting) {
            objects.domains.iter_mut().for_each(DomainObject::hide);
        }
        objects
    }
}

/// Lines of keys and values; those without a value are left out.
fn block(lines: &[(&str, &str)], key: impl Fn(&str) -> String) -> String {
    let told = lines.iter().filter(|(_, value)| !value.is_empty());
    told.map(|(name, value)| format!("{}{value}\n", key(name))).collect()
}

/// The bytes of an answer, with the line ends of the protocol.
fn encoded(text: &str, latin1: bool) -> Vec<u8> {
    let text = text.replace('\n', "\r\n");
    if !latin1 {
        return text.into_bytes();
    }
    text.chars().map(|character| u8::try_from(character).unwrap_or(b'?')).collect()
}
