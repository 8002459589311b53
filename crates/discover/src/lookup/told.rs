//! An answer together with who gave it and when, because evidence has to name both.

use super::asked::Trouble;
use crate::rdap::parse_rdap;
use crate::registration::{Party, Registration, RegistrationState};
use auslese_model::{Cause, LookupAnswer, LookupKind, LookupRecord, Timestamp};

/// What was told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told<T> {
    pub value: T,
    /// Who said so, such as `whois.denic.de`; several if one completed the other.
    pub source: String,
    /// When; the oldest, if there are several.
    pub at: Timestamp,
    /// What could not be asked in addition, but may be later: the value may be incomplete.
    pub open: Option<Cause>,
}

impl<T> Told<T> {
    pub(super) fn new(value: T, source: impl Into<String>, at: Timestamp) -> Told<T> {
        Told { value, source: source.into(), at, open: None }
    }

    pub(super) fn map<U>(self, change: impl FnOnce(T) -> U) -> Told<U> {
        Told { value: change(self.value), source: self.source, at: self.at, open: self.open }
    }

    /// Notes a failure, unless trying again would end the same.
    pub(super) fn with_open(mut self, cause: Option<Cause>) -> Told<T> {
        let cause = cause.filter(|cause| cause.kind.is_temporary());
        self.open = joined(self.open, cause);
        self
    }
}

/// Both causes in one, where two servers failed.
pub(super) fn joined(first: Option<Cause>, second: Option<Cause>) -> Option<Cause> {
    match (first, second) {
        (Some(first), Some(second)) => {
            Some(Cause::new(second.kind, format!("{}; before: {first}", second.detail)))
        }
        (first, second) => first.or(second),
    }
}

impl Told<Registration> {
    /// Reads a record of WHOIS or RDAP.
    pub(super) fn read(record: &LookupRecord) -> Result<Told<Registration>, Trouble> {
        let value = match &record.answer {
            LookupAnswer::Found(bytes) if record.key.kind == LookupKind::Rdap => parse_rdap(bytes),
            LookupAnswer::Found(bytes) => crate::whois::parse_whois(bytes),
            LookupAnswer::Absent(_) => Registration::empty(RegistrationState::NotFound),
            LookupAnswer::Failed(cause) => return Err(Trouble::Failed(cause.clone())),
        };
        Ok(Told::new(value, record.key.server.clone(), record.at))
    }

    /// Whether it tells who holds the object, by name or by mail address.
    pub(super) fn names_holder(&self) -> bool {
        let registrant = &self.value.registrant;
        registrant.holder().is_some() || registrant.email.is_some()
    }

    /// Whether the object is said to exist.
    fn exists(&self) -> bool {
        matches!(self.value.state, RegistrationState::Found | RegistrationState::Redacted)
    }

    /// Two answers about one object as one. Whoever names the holder goes first; the other fills
    /// the gaps. An answer that knows no such object, or is none, adds nothing to one that does.
    pub(super) fn completed_by(self, other: Told<Registration>) -> Told<Registration> {
        let open = joined(self.open.clone(), other.open.clone());
        let (first, second) = match (self.exists(), other.exists()) {
            (true, false) => return Told { open, ..self },
            (false, true) => return Told { open, ..other },
            _ if other.names_holder() && !self.names_holder() => (other, self),
            _ => (self, other),
        };
        let source = format!("{}, {}", first.source, second.source);
        let at = first.at.min(second.at);
        Told { value: filled(first.value, second.value), source, at, open }
    }
}

/// Parties are taken whole: half a name from here and half an address from there is nobody.
fn filled(first: Registration, second: Registration) -> Registration {
    use RegistrationState::{NotFound, Redacted};
    let party = |first: Party, second: Party| if first.is_empty() { second } else { first };
    let hidden = first.registrant.is_empty()
        && [first.state, second.state].contains(&Redacted)
        && first.state != NotFound;
    Registration {
        state: if hidden { Redacted } else { first.state },
        registrant: first.registrant,
        admin: party(first.admin, second.admin),
        tech: party(first.tech, second.tech),
        name_servers: or_else(first.name_servers, second.name_servers),
        net_range: or_else(first.net_range, second.net_range),
        org_handle: first.org_handle.or(second.org_handle),
        net_name: first.net_name.or(second.net_name),
        refer: first.refer.or(second.refer),
    }
}

fn or_else<T>(first: Vec<T>, second: Vec<T>) -> Vec<T> {
    if first.is_empty() { second } else { first }
}

#[cfg(test)]
mod tests {
    use super::*;
    use RegistrationState::{Error, Found, NotFound, Redacted};

    fn told(source: &str, state: RegistrationState, holder: Option<&str>) -> Told<Registration> {
        let mut value = Registration::empty(state);
        value.registrant.organization = holder.map(str::to_owned);
        value.name_servers = vec![format!("ns.{source}")];
        Told::new(value, source, Timestamp(0))
    }

    #[test]
    fn two_answers_as_one() {
        #[rustfmt::skip]
        let cases = [
            // first                 second                 source   state     holder      name server
            ((Found, None),          (Found, Some("Uni")),  "b, a",  Found,    Some("Uni"), "ns.b"),
            ((Redacted, None),       (Found, Some("Uni")),  "b, a",  Found,    Some("Uni"), "ns.b"),
            ((Found, Some("Uni")),   (Found, Some("Bank")), "a, b",  Found,    Some("Uni"), "ns.a"),
            ((Redacted, None),       (Found, None),         "a, b",  Redacted, None,        "ns.a"),
            ((Found, None),          (Redacted, None),      "a, b",  Redacted, None,        "ns.a"),
            ((Redacted, None),       (NotFound, None),      "a",     Redacted, None,        "ns.a"),
            ((NotFound, None),       (Found, Some("Uni")),  "b",     Found,    Some("Uni"), "ns.b"),
            ((Error, None),          (Found, None),         "b",     Found,    None,        "ns.b"),
            ((NotFound, None),       (Error, None),         "a, b",  NotFound, None,        "ns.a"),
        ];
        for (first, second, source, state, holder, server) in cases {
            let both = told("a", first.0, first.1).completed_by(told("b", second.0, second.1));
            let case = format!("{first:?} {second:?}");
            assert_eq!((both.source.as_str(), both.value.state), (source, state), "{case}");
            assert_eq!(both.value.registrant.holder(), holder, "{case}");
            assert_eq!(both.value.name_servers, [server], "{case}");
        }
    }
}
