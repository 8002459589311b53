//! How evidence is weighed; the `[discover]` table of the configuration.

use auslese_model::Indicator;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How a decision is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Each sign has a weight; independent groups of signs add up.
    #[default]
    Weighted,
    /// As in the paper, binary: address in range, or any identical name server, or similarity of
    /// the registrants.
    Paper,
}

/// Which addresses count as the organisation's network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NetCounts {
    /// Every address in a range.
    #[default]
    Range,
    /// Addresses at which a scan found a web server.
    Scanned,
    /// Of those, the ones that are no devices, default pages or mere login pages.
    ScannedPublic,
}

/// Thresholds, weights, and what is looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgeSettings {
    pub method: Method,
    pub net: NetCounts,
    /// Similarity of names from which on they count as the same.
    pub similarity: f64,
    /// Score from which on a host is a member.
    pub member: f64,
    /// Score below which a host is foreign; in between it waits for a person.
    pub review: f64,
    pub weights: Weights,
    /// Indicators that are not looked at.
    pub off: Vec<Indicator>,
    /// Hosts (with a leading dot also all below) that always belong, whatever is seen.
    pub always: Vec<String>,
    /// Hosts that never belong.
    pub never: Vec<String>,
    /// How long a verdict is relied on.
    pub keep: Duration,
    /// After this, a verdict with open questions is made again.
    pub retry: Duration,
}

/// How strongly each sign speaks, from 0 to 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Weights {
    pub net: f64,
    /// A name server that lies in the organisation's range or under its domain.
    pub own_name_server: f64,
    /// A name server that others use as well.
    pub shared_name_server: f64,
    pub email_domain: f64,
    pub holder: f64,
    /// Added to the holder's; alone it says nothing.
    pub postal_address: f64,
    pub mail_routing: f64,
    pub certificate: f64,
    pub pointer: f64,
    pub redirect: f64,
    /// The imprint names the organisation and the page links back to it.
    pub imprint: f64,
    /// The imprint names body, postcode and mail address.
    pub full_imprint: f64,
    pub token: f64,
    pub links: f64,
    pub list: f64,
}

impl Default for Weights {
    fn default() -> Weights {
        Weights {
            net: 1.0,
            own_name_server: 1.0,
            shared_name_server: 0.2,
            email_domain: 0.9,
            holder: 0.7,
            postal_address: 0.3,
            mail_routing: 0.5,
            certificate: 0.5,
            pointer: 0.4,
            redirect: 0.4,
            imprint: 0.4,
            full_imprint: 0.9,
            token: 0.3,
            links: 0.1,
            list: 1.0,
        }
    }
}

impl JudgeSettings {
    /// Whether an indicator is looked at. What people said always is.
    pub fn looks_at(&self, indicator: Indicator) -> bool {
        matches!(indicator, Indicator::Rule | Indicator::Root) || !self.off.contains(&indicator)
    }
}

impl Weights {
    /// The most an indicator can contribute.
    pub fn most(&self, indicator: Indicator) -> f64 {
        match indicator {
            Indicator::Rule | Indicator::Root => 1.0,
            Indicator::Net => self.net,
            Indicator::NameServer => self.own_name_server.max(self.shared_name_server),
            Indicator::EmailDomain => self.email_domain,
            Indicator::Holder => self.holder,
            Indicator::PostalAddress => self.postal_address,
            Indicator::MailRouting => self.mail_routing,
            Indicator::Certificate => self.certificate,
            Indicator::Pointer => self.pointer,
            Indicator::Redirect => self.redirect,
            Indicator::Imprint => self.imprint.max(self.full_imprint),
            Indicator::Token => self.token,
            Indicator::Links => self.links,
            Indicator::List => self.list,
        }
    }
}

impl Default for JudgeSettings {
    fn default() -> JudgeSettings {
        JudgeSettings {
            method: Method::Weighted,
            net: NetCounts::Range,
            similarity: 0.9,
            member: 0.7,
            review: 0.4,
            weights: Weights::default(),
            off: Vec::new(),
            always: Vec::new(),
            never: Vec::new(),
            keep: Duration::from_secs(30 * 24 * 60 * 60),
            retry: Duration::from_secs(60 * 60),
        }
    }
}
