//! The registrant: mail domain, name, postal address.
//!
//! A registrant that is hidden says nothing, on either side. A registrant that is clearly somebody
//! else says nothing against the host either (institutes register in their own name), but it is
//! shown, and it spares the host a visit to its imprint.

use super::{NOTHING_TO_COMPARE, Scales, evidence};
use crate::judge::compare::{
    SAME_ADDRESS, closest_address, closest_name, mail_domain, names_of, own_mail_domain,
};
use crate::judge::facts::{Observed, Told};
use crate::judge::score::reaches;
use crate::registration::{Party, Registration, RegistrationState};
use auslese_model::{Evidence, Indicator};

/// The registrant's mail address; the administrative contact's only where the holder is hidden:
/// a member of the organisation may look after a domain of somebody else.
pub(super) fn email_domain(scales: &Scales<'_>) -> Option<Evidence> {
    let told = found(scales)?;
    let registration = &told.value;
    let registrant = &registration.registrant;
    let (email, who) = match (&registrant.email, names_of(registrant).next()) {
        (Some(email), _) => (email, "registrant"),
        (None, None) => (registration.admin.email.as_ref()?, "administrative contact"),
        (None, Some(_)) => return None,
    };
    let seen = format!("{email} ({who})");
    Some(match (mail_domain(email), own_mail_domain(scales.profile, email)) {
        (_, Some(own)) => {
            let weight = scales.settings.weights.email_domain;
            let compared = format!("{own}, a domain of the organisation");
            evidence(Indicator::EmailDomain, told, seen, compared, weight)
        }
        (Some(_), None) => {
            evidence(Indicator::EmailDomain, told, seen, "no domain of the organisation", 0.0)
        }
        (None, None) => {
            let compared = "an address that anybody can have";
            evidence(Indicator::EmailDomain, told, seen, compared, 0.0)
        }
    })
}

pub(super) fn holder(scales: &Scales<'_>) -> Option<Evidence> {
    let told = match scales.observed.registration.answer() {
        Some(told) if !is_undecided(&told.value) => told,
        Some(_) => return None,
        None => return scales.unanswerable(Indicator::Holder, &scales.observed.registration),
    };
    let registration = &told.value;
    if registration.state == RegistrationState::NotFound {
        let seen = "the registry knows no such domain";
        return Some(evidence(Indicator::Holder, told, seen, NOTHING_TO_COMPARE, 0.0));
    }
    let Some(name) = names_of(&registration.registrant).next() else {
        let seen = "hidden by the registry";
        return Some(evidence(Indicator::Holder, told, seen, NOTHING_TO_COMPARE, 0.0));
    };
    Some(match closest_holder(scales, &registration.registrant) {
        Some(closest) => {
            let needed = scales.settings.similarity;
            let same = reaches(closest.similarity, needed);
            let strength = if same { scales.settings.weights.holder } else { 0.0 };
            let compared = match same {
                true => format!("{} (similarity {:.2})", closest.own, closest.similarity),
                false => format!(
                    "unlike {} (similarity {:.2}, {needed:.2} is needed)",
                    closest.own, closest.similarity
                ),
            };
            evidence(Indicator::Holder, told, closest.name, compared, strength)
        }
        None => {
            evidence(Indicator::Holder, told, name, "the organisation's own name is not known", 0.0)
        }
    })
}

pub(super) fn postal_address(scales: &Scales<'_>) -> Option<Evidence> {
    let told = found(scales)?;
    let address = &told.value.registrant.address;
    let similarity = closest_address(scales.profile, address).filter(|_| !address.is_empty())?;
    let same_holder = scales.settings.looks_at(Indicator::Holder)
        && closest_holder(scales, &told.value.registrant)
            .is_some_and(|closest| reaches(closest.similarity, scales.settings.similarity));
    let (compared, strength) = match (reaches(similarity, SAME_ADDRESS), same_holder) {
        (true, true) => ("the organisation's address", scales.settings.weights.postal_address),
        (true, false) => ("the organisation's address; without its name that says nothing", 0.0),
        (false, _) => ("not the organisation's address", 0.0),
    };
    let compared = format!("{compared} (similarity {similarity:.2})");
    Some(evidence(Indicator::PostalAddress, told, address.join(", "), compared, strength))
}

/// Whether the registrant is known to be somebody else. A registrant who is hidden, or was not to
/// be learned, may be anybody.
pub(crate) fn is_clearly_another(observed: &Observed, evidence: &[Evidence]) -> bool {
    let Some(told) = observed.registration.answer() else { return false };
    let speaks_for_it = evidence.iter().any(|sign| {
        matches!(sign.indicator, Indicator::EmailDomain | Indicator::Holder) && sign.strength > 0.0
    });
    told.value.state == RegistrationState::Found
        && names_of(&told.value.registrant).next().is_some()
        && !speaks_for_it
}

/// Whether the answer is none: the registry will say more later.
pub(crate) fn is_undecided(registration: &Registration) -> bool {
    matches!(registration.state, RegistrationState::Throttled | RegistrationState::Error)
}

fn found<'a>(scales: &Scales<'a>) -> Option<&'a Told<Registration>> {
    let told = scales.observed.registration.answer()?;
    let told_something =
        matches!(told.value.state, RegistrationState::Found | RegistrationState::Redacted);
    told_something.then_some(told)
}

struct ClosestHolder<'a> {
    name: &'a str,
    own: &'a str,
    similarity: f64,
}

fn closest_holder<'a>(scales: &Scales<'a>, registrant: &'a Party) -> Option<ClosestHolder<'a>> {
    let compared = names_of(registrant).filter_map(|name| {
        let (own, similarity) = closest_name(scales.profile, name)?;
        Some(ClosestHolder { name, own, similarity })
    });
    compared.max_by(|a, b| a.similarity.total_cmp(&b.similarity))
}
