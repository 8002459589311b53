//! Who stands behind an object: entities by their roles.

use super::card::Card;
use super::{is_value, list, scalar, text};
use crate::registration::Party;
use crate::whois::{Worth, is_proxy_mail, worth};
use serde_json::Value;

/// Entities looked at in one answer, and how deep they may be nested; a registrar with its
/// contacts is the deepest that occurs.
const ENTITIES: usize = 256;
const DEPTH: usize = 8;

/// All entities of an object, outer ones before those inside them.
pub(super) struct Entities<'a>(Vec<&'a Value>);

/// Who holds the object.
#[derive(Debug, Default)]
pub(super) struct Holder {
    pub(super) party: Party,
    pub(super) handle: Option<String>,
    /// There is such an entity, but it tells nothing.
    pub(super) is_hidden: bool,
}

impl<'a> Entities<'a> {
    pub(super) fn of(object: &'a Value) -> Entities<'a> {
        let mut all: Vec<&Value> = Vec::new();
        let mut level: Vec<&Value> = list(object, "entities").iter().collect();
        for _ in 0..DEPTH {
            all.extend(level.iter().take(ENTITIES.saturating_sub(all.len())));
            level = level.iter().flat_map(|entity| list(entity, "entities")).collect();
            level.truncate(ENTITIES);
        }
        Entities(all)
    }

    pub(super) fn registrant(&self) -> Holder {
        let mut holders = self.with_role("registrant").map(holder).peekable();
        let is_hidden = holders.peek().is_some();
        let told = holders.find(|holder| !holder.party.is_empty());
        told.unwrap_or(Holder { is_hidden, ..Holder::default() })
    }

    /// See the module above for the order.
    pub(super) fn network_holder(&self) -> Holder {
        let mut candidates: Vec<&Value> =
            self.with_role("registrant").filter(|entity| !is_maintainer(entity)).collect();
        // Stable: of equals the first counts.
        candidates.sort_by_key(|entity| !Card::of(entity).is_organization());
        let administrative =
            self.with_role("administrative").filter(|entity| Card::of(entity).is_organization());
        let is_hidden = !candidates.is_empty();
        let mut holders = candidates.into_iter().chain(administrative).map(holder);
        let told = holders.find(|holder| !holder.party.is_empty());
        told.unwrap_or(Holder { is_hidden, ..Holder::default() })
    }

    pub(super) fn contact(&self, role: &str) -> Party {
        let mut parties = self.with_role(role).map(of_entity);
        parties.find(|party| !party.is_empty()).unwrap_or_default()
    }

    fn with_role(&self, role: &str) -> impl Iterator<Item = &'a Value> {
        let has_role = |entity: &&Value| {
            let mut roles = list(entity, "roles").iter().filter_map(scalar);
            roles.any(|told| told.eq_ignore_ascii_case(role))
        };
        self.0.iter().copied().filter(has_role).collect::<Vec<_>>().into_iter()
    }
}

fn holder(entity: &Value) -> Holder {
    Holder { party: of_entity(entity), handle: text(entity, "handle"), is_hidden: false }
}

/// What the card of an entity tells. The full name of an organisation is the organisation.
///
/// Placeholders are no values, by the same judgement as in WHOIS: one costs its own field, the name
/// of a proxy service costs everything beside it. Town and country alone, which registries leave
/// when they hide the rest, are nobody.
pub(super) fn of_entity(entity: &Value) -> Party {
    let card = Card::of(entity);
    let (has_street, is_organization) = (card.has_street, card.is_organization());
    let is_proxy = |value: &Option<String>| value.as_deref().map(worth) == Some(Worth::Proxy);
    let names_proxy = is_proxy(&card.organization) || is_proxy(&card.full_name);
    let organization = card.organization.filter(|name| is_value(name));
    let (name, organization) = match (card.full_name.filter(|name| is_value(name)), organization) {
        (full_name, None) if is_organization => (None, full_name),
        (full_name, organization) => {
            (full_name.filter(|name| Some(name) != organization.as_ref()), organization)
        }
    };
    let email = card.email.filter(|email| is_mail(email));
    let party = Party { name, organization, address: card.address, email };
    let tells_somebody = party.holder().is_some() || party.email.is_some() || has_street;
    if tells_somebody && !(names_proxy && party.organization.is_none()) {
        party
    } else {
        Party::default()
    }
}

/// A mail address, and not one at a service that hides its customers.
fn is_mail(value: &str) -> bool {
    let domain = value.rsplit_once('@').map(|(_, domain)| domain.to_lowercase());
    is_value(value) && domain.is_some_and(|domain| domain.contains('.') && !is_proxy_mail(&domain))
}

/// Maintainers guard objects in the database; their card repeats their handle.
fn is_maintainer(entity: &Value) -> bool {
    let Some(handle) = text(entity, "handle") else { return false };
    let card = Card::of(entity);
    let folded = handle.to_ascii_uppercase();
    folded.ends_with("-MNT")
        || folded.starts_with("MNT-")
        || (card.full_name.as_ref() == Some(&handle) && card.organization.is_none())
}
