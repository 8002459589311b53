//! What the host's own server shows: certificate, redirect, tokens, links.

use super::{NOTHING_TO_COMPARE, Scales, evidence, in_words};
use crate::judge::facts::{SeenCertificate, Told};
use crate::registrable::registrable_domain;
use auslese_model::{Evidence, HostName, Indicator};
use std::collections::BTreeSet;

/// A certificate that names more registrable domains than this is a provider's, and says nothing
/// of its customers' kinship.
pub(crate) const DOMAINS_OF_ONE_OWNER: usize = 50;

/// One certificate, signed by a trusted party, names the host and a member.
pub(super) fn certificate(scales: &Scales<'_>) -> Option<Evidence> {
    let live = scales.observed.certificate.answer();
    let seen: Vec<_> = live.into_iter().chain(&scales.observed.logged_certificates).collect();
    let weighed = seen.iter().map(|told| weigh_certificate(scales, told));
    let best = weighed.max_by(|a, b| a.strength.total_cmp(&b.strength));
    best.or_else(|| scales.unanswerable(Indicator::Certificate, &scales.observed.certificate))
}

fn weigh_certificate(scales: &Scales<'_>, told: &Told<SeenCertificate>) -> Evidence {
    let names = &told.value.names;
    let say = |compared: String, strength| {
        let seen = format!("for {}", in_words(names));
        evidence(Indicator::Certificate, told, seen, compared, strength)
    };
    if names.is_empty() {
        return evidence(Indicator::Certificate, told, "names nobody", NOTHING_TO_COMPARE, 0.0);
    }
    if let Some(problem) = &told.value.problem {
        return say(format!("proves nothing: {problem}"), 0.0);
    }
    if !names.iter().any(|name| covers(name, &scales.observed.host)) {
        return say("does not name this host".to_owned(), 0.0);
    }
    let domains: BTreeSet<String> = names.iter().filter_map(|name| domain_of(name)).collect();
    if domains.len() > DOMAINS_OF_ONE_OWNER {
        return say(format!("names {} domains, so it is a provider's", domains.len()), 0.0);
    }
    match names.iter().find_map(|name| scales.ours(&base_of(name)?)) {
        Some(ours) => say(format!("names {ours}"), scales.settings.weights.certificate),
        None => say("names no member".to_owned(), 0.0),
    }
}

/// Whether a name in a certificate is valid for a host: a wildcard stands for exactly one label.
fn covers(name: &str, host: &HostName) -> bool {
    match name.strip_prefix("*.") {
        None => HostName::parse(name).is_some_and(|name| name == *host),
        Some(base) => HostName::parse(base).is_some_and(|base| {
            host.as_str().split_once('.').is_some_and(|(_, parent)| parent == base.as_str())
        }),
    }
}

/// The host a name stands for, or the one its wildcard hangs under; none for wildcards over a
/// whole public suffix.
fn base_of(name: &str) -> Option<HostName> {
    let base = HostName::parse(name.strip_prefix("*.").unwrap_or(name))?;
    registrable_domain(&base).is_some().then_some(base)
}

fn domain_of(name: &str) -> Option<String> {
    registrable_domain(&base_of(name)?).map(str::to_owned)
}

pub(super) fn redirect(scales: &Scales<'_>) -> Option<Evidence> {
    let fact = &scales.observed.front_page;
    let Some(told) = fact.answer() else {
        return scales.unanswerable(Indicator::Redirect, fact);
    };
    let Some(target) = &told.value.redirects_to else {
        let seen = "no redirect to another host";
        return Some(evidence(Indicator::Redirect, told, seen, NOTHING_TO_COMPARE, 0.0));
    };
    let weight = scales.settings.weights.redirect;
    Some(match scales.ours(target) {
        Some(ours) => evidence(Indicator::Redirect, told, target.to_string(), ours, weight),
        None => evidence(Indicator::Redirect, told, target.to_string(), "no member", 0.0),
    })
}

pub(super) fn token(scales: &Scales<'_>) -> Option<Evidence> {
    let tokens = &scales.observed.tokens;
    let own = &scales.profile.tokens;
    Some(match tokens.iter().find(|told| own.contains(&told.value)) {
        Some(told) => {
            let weight = scales.settings.weights.token;
            let compared = "also on pages or in the zone of the organisation";
            evidence(Indicator::Token, told, &told.value, compared, weight)
        }
        None => {
            let seen = in_words(tokens.iter().map(|told| &told.value));
            evidence(Indicator::Token, tokens.first()?, seen, "none of the organisation's", 0.0)
        }
    })
}

/// Only links both ways say something: everybody links to a university.
pub(super) fn links(scales: &Scales<'_>) -> Option<Evidence> {
    let told = scales.observed.front_page.answer()?;
    let to = told.value.links_to.iter().find_map(|host| Some((host, scales.ours(host)?)));
    let from = scales.observed.linked_from.iter().find(|host| scales.ours(host).is_some());
    let (seen, compared, strength) = match (to, from) {
        (Some((_, ours)), Some(from)) => (
            format!("links to {ours}"),
            format!("{from} links back"),
            scales.settings.weights.links,
        ),
        (Some((_, ours)), None) => {
            (format!("links to {ours}"), "no member is known to link back".to_owned(), 0.0)
        }
        (None, _) => ("links to no member".to_owned(), NOTHING_TO_COMPARE.to_owned(), 0.0),
    };
    Some(evidence(Indicator::Links, told, seen, compared, strength))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards() {
        #[rustfmt::skip]
        let cases = [
            ("www.uni.example",   "www.uni.example",   true),
            ("WWW.Uni.Example",   "www.uni.example",   true),
            ("*.uni.example",     "www.uni.example",   true),
            ("*.uni.example",     "uni.example",       false),
            ("*.uni.example",     "a.b.uni.example",   false),
            ("*.example",         "uni.example",       true),
            ("*.universität.example", "www.xn--universitt-y5a.example", true),
            ("w*.uni.example",    "www.uni.example",   false),
            ("",                  "uni.example",       false),
        ];
        for (name, host, expected) in cases {
            assert_eq!(covers(name, &HostName::parse(host).unwrap()), expected, "{name} {host}");
        }
        assert_eq!(base_of("*.de"), None);
        assert_eq!(domain_of("*.math.uni-giessen.de").as_deref(), Some("uni-giessen.de"));
    }
}
