//! Whether a host belongs to the organisation: what was seen, and what was concluded from it.
//!
//! Discovery makes these values, the catalog keeps them, `auslese explain` and the front end show
//! them; so the reason of a decision is the same everywhere.

use crate::{HostName, Timestamp};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What kind of sign speaks for a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Indicator {
    /// A person or a setting said so: always, or never.
    Rule,
    /// It is the domain the organisation was named by.
    Root,
    /// An address lies in a range of the organisation.
    Net,
    /// A name server of the organisation is authoritative for its zone.
    NameServer,
    /// The registrant's mail address is in a domain of the organisation.
    EmailDomain,
    /// The registrant has the name of the organisation.
    Holder,
    /// The registrant has the postal address of the organisation.
    PostalAddress,
    /// Its mail is received or sent by servers of the organisation.
    MailRouting,
    /// A certificate names it together with members.
    Certificate,
    /// The reverse name of an address in the range, and the name leads back to it.
    Pointer,
    /// It redirects to a member.
    Redirect,
    /// Its imprint names the organisation.
    Imprint,
    /// It carries the same site-verification or analytics token as a member.
    Token,
    /// It and members link to each other.
    Links,
    /// It stands in a list that a person imported as the organisation's own.
    List,
}

impl Indicator {
    pub const ALL: [Indicator; 15] = [
        Indicator::Rule,
        Indicator::Root,
        Indicator::Net,
        Indicator::NameServer,
        Indicator::EmailDomain,
        Indicator::Holder,
        Indicator::PostalAddress,
        Indicator::MailRouting,
        Indicator::Certificate,
        Indicator::Pointer,
        Indicator::Redirect,
        Indicator::Imprint,
        Indicator::Token,
        Indicator::Links,
        Indicator::List,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Indicator::Rule => "rule",
            Indicator::Root => "root",
            Indicator::Net => "net",
            Indicator::NameServer => "name-server",
            Indicator::EmailDomain => "email-domain",
            Indicator::Holder => "holder",
            Indicator::PostalAddress => "postal-address",
            Indicator::MailRouting => "mail-routing",
            Indicator::Certificate => "certificate",
            Indicator::Pointer => "pointer",
            Indicator::Redirect => "redirect",
            Indicator::Imprint => "imprint",
            Indicator::Token => "token",
            Indicator::Links => "links",
            Indicator::List => "list",
        }
    }

    pub fn parse(text: &str) -> Option<Indicator> {
        Indicator::ALL.into_iter().find(|indicator| indicator.as_str() == text)
    }

    /// Signs of one group say much the same, so only the strongest of a group counts.
    pub fn group(self) -> EvidenceGroup {
        match self {
            Indicator::Rule | Indicator::Root | Indicator::List => EvidenceGroup::Hand,
            Indicator::Net => EvidenceGroup::Net,
            Indicator::NameServer => EvidenceGroup::NameServer,
            Indicator::EmailDomain | Indicator::Holder | Indicator::PostalAddress => {
                EvidenceGroup::Registrant
            }
            Indicator::MailRouting => EvidenceGroup::Mail,
            Indicator::Certificate
            | Indicator::Pointer
            | Indicator::Redirect
            | Indicator::Imprint
            | Indicator::Token
            | Indicator::Links => EvidenceGroup::Web,
        }
    }
}

impl fmt::Display for Indicator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Indicators that are not independent of each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceGroup {
    Hand,
    Net,
    NameServer,
    Registrant,
    Web,
    Mail,
}

/// One sign that was looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    pub indicator: Indicator,
    /// What the host has, such as its address or its registrant's name.
    pub seen: String,
    /// What it was compared with, such as a range of the organisation.
    pub compared: String,
    /// From 0 (says nothing) to 1 (settles it).
    pub strength: f64,
    /// Who said so: a name server, a registry, a page.
    pub source: String,
    pub at: Timestamp,
}

/// A sign that could not be looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenQuestion {
    pub indicator: Indicator,
    pub why: String,
}

/// Whether a host belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Membership {
    Member,
    Foreign,
    /// Between the thresholds, or not to be decided before an open question is answered.
    Unsure,
}

impl Membership {
    pub const ALL: [Membership; 3] = [Membership::Member, Membership::Foreign, Membership::Unsure];

    pub fn as_str(self) -> &'static str {
        match self {
            Membership::Member => "member",
            Membership::Foreign => "foreign",
            Membership::Unsure => "unsure",
        }
    }

    pub fn parse(text: &str) -> Option<Membership> {
        Membership::ALL.into_iter().find(|membership| membership.as_str() == text)
    }
}

impl fmt::Display for Membership {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Where a member stands, and how it can be reached from the root: the five situations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub enum Case {
    /// In the network, linked by internal servers.
    InternalLinked,
    /// Elsewhere, linked.
    ExternalLinked,
    /// In the network, linked by external servers only.
    InternalOverExternal,
    /// In the network, linked by nobody.
    InternalUnlinked,
    /// Elsewhere, linked by nobody.
    ExternalUnlinked,
}

impl Case {
    pub const ALL: [Case; 5] = [
        Case::InternalLinked,
        Case::ExternalLinked,
        Case::InternalOverExternal,
        Case::InternalUnlinked,
        Case::ExternalUnlinked,
    ];

    /// 1 to 5.
    pub fn number(self) -> u8 {
        match self {
            Case::InternalLinked => 1,
            Case::ExternalLinked => 2,
            Case::InternalOverExternal => 3,
            Case::InternalUnlinked => 4,
            Case::ExternalUnlinked => 5,
        }
    }

    pub fn from_number(number: u8) -> Option<Case> {
        Case::ALL.into_iter().find(|case| case.number() == number)
    }
}

impl From<Case> for u8 {
    fn from(case: Case) -> u8 {
        case.number()
    }
}

impl TryFrom<u8> for Case {
    type Error = String;

    fn try_from(number: u8) -> Result<Case, String> {
        Case::from_number(number).ok_or_else(|| format!("there are cases 1 to 5, not {number}"))
    }
}

/// The decision on a host, with its reasons.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    pub host: HostName,
    pub membership: Membership,
    /// From 0 to 1.
    pub score: f64,
    /// Set for members, once it is known how they were reached.
    pub case: Option<Case>,
    /// The indicator that settled it; none if only the sum did, or nothing was found.
    pub decided_by: Option<Indicator>,
    /// The deciding rule in words.
    pub reason: String,
    /// The institution it belongs to, where a harvest holds several.
    pub label: Option<String>,
    pub evidence: Vec<Evidence>,
    /// What could not be looked at; while there is something, the host is asked about again.
    pub open: Vec<OpenQuestion>,
    pub at: Timestamp,
    /// Not to be relied on after this.
    pub until: Timestamp,
}

/// A host name that was found without a link: by a scan, in a certificate, in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    pub host: HostName,
    /// What kind of place it was found in, such as `scan` or `vhosts`.
    pub source: String,
    /// Where exactly: an address, a file and line.
    pub detail: String,
    pub at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for indicator in Indicator::ALL {
            assert_eq!(Indicator::parse(indicator.as_str()), Some(indicator));
        }
        for membership in Membership::ALL {
            assert_eq!(Membership::parse(membership.as_str()), Some(membership));
        }
        for case in Case::ALL {
            assert_eq!(Case::from_number(case.number()), Some(case));
        }
        assert!(Case::try_from(0).is_err() && Case::try_from(6).is_err());
    }
}
