//! Turns what was observed into evidence: one function per indicator.
//!
//! An indicator that was looked at gives one piece of evidence, also when it found nothing: a
//! person wants to see that the registrant *is* somebody else. Such evidence has strength 0;
//! nothing ever speaks against a host but a rule. An indicator that was not asked, or could not
//! be, gives none: see [`super::open_questions`].

mod hand;
mod imprint;
mod mail;
mod name_server;
mod net;
mod registrant;
mod web;

pub(crate) use registrant::{is_clearly_another, is_undecided};
pub(crate) use web::DOMAINS_OF_ONE_OWNER;

use super::facts::{Fact, Observed, Told};
use super::known::Known;
use crate::profile::Profile;
use crate::settings::JudgeSettings;
use auslese_model::{Evidence, HostName, Indicator, Timestamp};

/// The evidence on a host, the cheapest kind first.
pub fn weigh(
    observed: &Observed,
    profile: &Profile,
    known: &Known,
    settings: &JudgeSettings,
    now: Timestamp,
) -> Vec<Evidence> {
    let scales = Scales { observed, profile, known, settings, now };
    let indicators: [(Indicator, Look); 15] = [
        (Indicator::Rule, hand::rule),
        (Indicator::Root, hand::root),
        (Indicator::List, hand::list),
        (Indicator::Net, net::net),
        (Indicator::NameServer, name_server::name_server),
        (Indicator::MailRouting, mail::mail_routing),
        (Indicator::Pointer, net::pointer),
        (Indicator::EmailDomain, registrant::email_domain),
        (Indicator::Holder, registrant::holder),
        (Indicator::PostalAddress, registrant::postal_address),
        (Indicator::Token, web::token),
        (Indicator::Links, web::links),
        (Indicator::Certificate, web::certificate),
        (Indicator::Redirect, web::redirect),
        (Indicator::Imprint, imprint::imprint),
    ];
    let on = indicators.into_iter().filter(|(indicator, _)| settings.looks_at(*indicator));
    on.filter_map(|(_, look)| look(&scales)).collect()
}

/// What one indicator says, if it was asked.
type Look = fn(&Scales<'_>) -> Option<Evidence>;

/// A host on one side, the organisation on the other.
pub(crate) struct Scales<'a> {
    pub(crate) observed: &'a Observed,
    pub(crate) profile: &'a Profile,
    pub(crate) known: &'a Known,
    pub(crate) settings: &'a JudgeSettings,
    pub(crate) now: Timestamp,
}

impl Scales<'_> {
    /// In words, why a host is the organisation's; the host in question never vouches for itself.
    fn ours(&self, host: &HostName) -> Option<String> {
        if *host == self.observed.host {
            return None;
        }
        if let Some(domain) = self.profile.domains.iter().find(|domain| host.is_within(domain)) {
            return Some(match host.as_str() == domain {
                true => format!("{host}, a domain of the organisation"),
                false => format!("{host}, under {domain} of the organisation"),
            });
        }
        let label = self.known.members.get(host)?;
        (*label == self.profile.label).then(|| format!("the member {host}"))
    }

    /// What is left to say of a question that will never be answered.
    fn unanswerable<T>(&self, indicator: Indicator, fact: &Fact<T>) -> Option<Evidence> {
        match fact {
            Fact::Failed(cause) if !cause.kind.is_temporary() => Some(Evidence {
                indicator,
                seen: cause.to_string(),
                compared: NOTHING_TO_COMPARE.to_owned(),
                strength: 0.0,
                source: "this program".to_owned(),
                at: self.now,
            }),
            _ => None,
        }
    }
}

const NOTHING_TO_COMPARE: &str = "nothing to compare";

/// Evidence from an answer.
fn evidence<T>(
    indicator: Indicator,
    told: &Told<T>,
    seen: impl Into<String>,
    compared: impl Into<String>,
    strength: f64,
) -> Evidence {
    Evidence {
        indicator,
        seen: plain(&seen.into()),
        compared: plain(&compared.into()),
        strength,
        source: plain(&told.source),
        at: told.at,
    }
}

/// Longer texts are cut: evidence is for reading, the answers themselves are kept elsewhere.
const TEXT: usize = 300;

/// What registries and pages say ends up on terminals, so it must not hold control characters.
fn plain(text: &str) -> String {
    let readable = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut plain: String = readable.take(TEXT).collect();
    if text.chars().nth(TEXT).is_some() {
        plain.push('…');
    }
    plain
}

/// How many things of a kind are named in words; the rest is counted.
const NAMED: usize = 4;

/// `a, b, c, d and 3 more`.
fn in_words<T: ToString>(things: impl IntoIterator<Item = T>) -> String {
    let mut things = things.into_iter();
    let named: Vec<String> = things.by_ref().take(NAMED).map(|thing| thing.to_string()).collect();
    match things.count() {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}
