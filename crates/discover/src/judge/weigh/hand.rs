//! What people said: rules, the root and its domains, imported lists.

use super::{Scales, in_words};
use crate::judge::facts::ListKind;
use crate::judge::rules::RuleSays;
use auslese_model::{Evidence, Indicator};

/// Strength 1 says always, strength 0 says never.
pub(super) fn rule(scales: &Scales<'_>) -> Option<Evidence> {
    let rule = scales.known.rules.on(&scales.observed.host)?;
    Some(Evidence {
        indicator: Indicator::Rule,
        seen: scales.observed.host.to_string(),
        compared: format!("{} {}", rule.says, rule.pattern),
        strength: match rule.says {
            RuleSays::Always => 1.0,
            RuleSays::Never => 0.0,
        },
        source: rule.source.clone(),
        at: scales.now,
    })
}

/// The root itself, and whatever lies under a domain of the organisation: such names are given
/// out by the organisation.
pub(super) fn root(scales: &Scales<'_>) -> Option<Evidence> {
    let (host, profile) = (&scales.observed.host, scales.profile);
    let compared = if *host == profile.root {
        "the root, by which the organisation was named".to_owned()
    } else {
        let domain = profile.domains.iter().find(|domain| host.is_within(domain))?;
        format!("under {domain}, a domain of the organisation")
    };
    Some(Evidence {
        indicator: Indicator::Root,
        seen: host.to_string(),
        compared,
        strength: 1.0,
        source: format!("profile {}", profile.label),
        at: profile.gathered,
    })
}

pub(super) fn list(scales: &Scales<'_>) -> Option<Evidence> {
    let listings = &scales.observed.listings;
    let own = listings.iter().find(|listing| listing.kind == ListKind::Own);
    let listing = own.or(listings.first())?;
    let (compared, strength) = match listing.kind {
        ListKind::Own => ("imported as the organisation's own", scales.settings.weights.list),
        ListKind::Candidates => ("brings names up, says nothing of who owns them", 0.0),
    };
    Some(Evidence {
        indicator: Indicator::List,
        seen: in_words(listings.iter().map(|listing| &listing.source)),
        compared: compared.to_owned(),
        strength,
        source: listing.source.clone(),
        at: listing.at,
    })
}
