//! Names, postal addresses and mail domains side by side.
//!
//! What stands in place of a name that was hidden, and mail domains that everybody can use, never
//! count as equal: two strangers behind the same privacy service would be one.

use crate::profile::Profile;
use crate::registration::Party;
use crate::similarity::{Ground, MailDomainKind, address_similarity, mail_domain_kind, similarity};
use auslese_model::HostName;

/// Similarity of postal addresses from which on they count as the same: less than for names,
/// because registries write streets and countries in many ways.
pub(crate) const SAME_ADDRESS: f64 = 0.8;

/// The closest of the organisation's names, with the similarity.
pub(crate) fn closest_name<'a>(profile: &'a Profile, other: &str) -> Option<(&'a str, f64)> {
    let compared = own_names(profile).map(|name| (name, similarity(name, other).score));
    compared.max_by(|(_, a), (_, b)| a.total_cmp(b))
}

/// Under which names the organisation is known.
pub(crate) fn own_names(profile: &Profile) -> impl Iterator<Item = &str> {
    let names = [profile.name.as_deref(), profile.registrant.holder(), profile.imprint.holder()];
    names.into_iter().flatten().filter(|name| is_name(name))
}

/// The similarity to the closest of the organisation's postal addresses.
pub(crate) fn closest_address(profile: &Profile, other: &[String]) -> Option<f64> {
    let compared = own_addresses(profile).map(|address| address_similarity(address, other));
    compared.max_by(f64::total_cmp)
}

pub(crate) fn own_addresses(profile: &Profile) -> impl Iterator<Item = &[String]> {
    let addresses = [&profile.registrant.address, &profile.imprint.address];
    addresses.into_iter().filter(|lines| !lines.is_empty()).map(Vec::as_slice)
}

/// The organisation's domain that a mail address is in.
pub(crate) fn own_mail_domain<'a>(profile: &'a Profile, email: &str) -> Option<&'a str> {
    let domain = mail_domain(email)?;
    let own = profile.domains.iter().chain(&profile.mail_domains);
    own.map(String::as_str).find(|own| domain.is_within(own))
}

/// The domain of a mail address, unless everybody can have an address there.
pub(crate) fn mail_domain(email: &str) -> Option<HostName> {
    let (_, domain) = email.trim().trim_end_matches('>').rsplit_once('@')?;
    let says_whose = mail_domain_kind(domain) == Some(MailDomainKind::Own);
    HostName::parse(domain).filter(|_| says_whose)
}

/// The names a party goes by, the organisation's first.
pub(crate) fn names_of(party: &Party) -> impl Iterator<Item = &str> {
    let names = [party.organization.as_deref(), party.name.as_deref()];
    names.into_iter().flatten().filter(|name| is_name(name))
}

/// Whether a text names somebody: not "redacted for privacy", nor a bare "University".
fn is_name(text: &str) -> bool {
    similarity(text, text).ground != Ground::NothingTold
}
