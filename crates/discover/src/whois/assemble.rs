//! Makes one registration out of the records of an answer.
//!
//! For a domain the record that tells most about the holder counts, and of two that tell the same
//! the later, because registrars answer after registries and English follows other languages. For
//! an address the smallest net counts, with its own organisation and nobody else's.
//!
//! A domain whose answer speaks of no holder at all belongs to the organisation that administers it,
//! as some registries say it; an administrator beside a hidden holder is never taken for the holder.
//! What a contact tells counts for the holder only if it bears the holder's name.

use super::contact::Contact;
use super::free_text::is_latin;
use super::keys::Roles;
use super::lines::{Line, Shape};
use super::organizations::sounds_like_organization;
use super::ranges::{size, tidy};
use super::records::Records;
use crate::registration::{Party, Registration, RegistrationState};
use rustc_hash::{FxHashMap, FxHashSet};

/// So many bytes are searched for what the registry says instead of an object; it says it early.
const MAX_STATEMENT_TEXT: usize = 16 * 1024;

pub(super) fn registration(
    mut records: Records<'_>,
    lines: &[Line<'_>],
    steps: &mut usize,
) -> Registration {
    let handles = records.handles();
    let nets = smallest_nets(&records);
    let choose = |role: Roles, steps: &mut usize| best(&records, &nets, role, &handles, steps);
    let mut registrant = choose(Roles::REGISTRANT, steps);
    let admin = choose(Roles::ADMIN, steps).party;
    let tech = choose(Roles::TECH, steps).party;
    if nets.is_empty() {
        complete(&mut registrant.party, choose(Roles::CONTACT, steps).party);
        if registrant.party.is_empty() && !registrant.hidden {
            registrant.party = administering_organization(&admin).unwrap_or_default();
        }
    }
    let mut registration = Registration::empty(RegistrationState::Found);
    network(&mut registration, &records, &nets, &handles);
    registration.name_servers = name_servers(&mut records);
    registration.refer = records.list.iter().find_map(|record| record.refer.clone());
    if records.elsewhere && registration.net_range.is_empty() {
        return Registration::empty(RegistrationState::NotFound);
    }
    let told = !registrant.party.is_empty() || !admin.is_empty() || !tech.is_empty();
    let exists = told
        || registrant.hidden
        || records.proven
        || records.signs.says_in_use()
        || !registration.name_servers.is_empty()
        || !registration.net_range.is_empty();
    if !exists {
        see_statements(&mut records, lines, steps);
        let seems = records.likely || registration.refer.is_some();
        if records.signs.says_absent() || !(seems || records.signs.says_taken()) {
            return Registration {
                refer: registration.refer,
                ..Registration::empty(records.signs.state())
            };
        }
    }
    if registrant.party.is_empty() && registrant.hidden {
        registration.state = RegistrationState::Redacted;
    }
    Registration { registrant: registrant.named(), admin, tech, ..registration }
}

/// A contact of no told kind that has the holder's name tells where the holder is.
fn complete(holder: &mut Party, contact: Party) {
    let same = match (holder.holder(), contact.holder()) {
        (Some(holder), Some(contact)) => holder.to_lowercase() == contact.to_lowercase(),
        _ => false,
    };
    if same {
        if holder.address.is_empty() {
            holder.address = contact.address;
        }
        holder.email = holder.email.take().or(contact.email);
    }
}

/// Registries that speak of no holder at all call the organisation that holds a domain its
/// administrator; a person there may be anybody.
fn administering_organization(admin: &Party) -> Option<Party> {
    let mut holder = admin.clone();
    if holder.organization.is_none() {
        holder.organization = holder.name.take().filter(|name| sounds_like_organization(name));
    }
    holder.organization.is_some().then_some(holder)
}

/// The records of the smallest net, which may be told more than once; none if the answer is about a
/// domain.
fn smallest_nets(records: &Records<'_>) -> Vec<usize> {
    let net = |place: &usize| !records.list[*place].net.is_empty();
    let of = |place: &usize| size(&records.list[*place].net);
    let all = 0..records.list.len();
    let smallest = all.clone().filter(net).map(|place| of(&place)).min_by(f64::total_cmp);
    match smallest {
        Some(smallest) => all.filter(|place| net(place) && of(place) <= smallest).collect(),
        None => all.filter(|place| !records.list[*place].route.is_empty()).take(1).collect(),
    }
}

/// The contact for a role, of the record that tells most; `nets` limits the choice.
fn best(
    records: &Records<'_>,
    nets: &[usize],
    role: Roles,
    handles: &FxHashMap<String, usize>,
    steps: &mut usize,
) -> Contact {
    let mut best = Contact::default();
    for place in (0..records.list.len()).filter(|place| nets.is_empty() || nets.contains(place)) {
        let mut contact = records.contact(place, role, handles, steps);
        if role == Roles::REGISTRANT && contact.party.holder().is_none() && !contact.hidden {
            contact.merge(unnamed_holder(records, place, handles, steps));
            let named = contact.party.holder().is_some() || contact.hidden;
            if !named {
                contact.merge(records.referenced(place, Roles::CONTACT, handles, steps));
            }
        }
        let hidden = best.hidden || contact.hidden;
        if weight(&contact.party) >= weight(&best.party) {
            keep_native_name(&mut contact, best);
            best = contact;
        }
        best.hidden = hidden;
    }
    best
}

/// The same in two languages: the name in the registry's own script stays beside the Latin one.
fn keep_native_name(contact: &mut Contact, before: Contact) {
    if contact.native.is_none() && contact.party.holder().is_some_and(is_latin) {
        let native = before.party.organization.or(before.party.name);
        contact.native = native.filter(|name| !is_latin(name));
    }
}

fn weight(party: &Party) -> u8 {
    4 * u8::from(party.holder().is_some())
        + 2 * u8::from(party.email.is_some())
        + u8::from(!party.address.is_empty())
}

/// Where no registrant is spoken of: the organisation, person or description of the object itself,
/// or a contact of no told kind.
fn unnamed_holder(
    records: &Records<'_>,
    record: usize,
    handles: &FxHashMap<String, usize>,
    steps: &mut usize,
) -> Contact {
    let is_handle = |value: &str| handles.contains_key(&value.to_lowercase());
    let named: FxHashSet<String> =
        records.list[record].references.iter().map(|(_, handle)| handle.to_lowercase()).collect();
    let about_domain = records.list[record].net.is_empty();
    let mut holder = Contact::default();
    for draft in records.drafts.iter().filter(|draft| draft.record == record) {
        *steps += 1;
        let contact = !draft.handles.is_empty() || draft.handle_among_organizations().is_some();
        let own = draft.roles.is_none() && (draft.object || !contact);
        let generic = draft.roles == Roles::CONTACT && draft.names_organization();
        // A block about an organisation that is nobody's contact is about the holder.
        let unclaimed = draft.roles.is_none()
            && about_domain
            && draft.is_organization()
            && !draft.handles.iter().any(|handle| named.contains(&handle.to_lowercase()));
        if !((own || unclaimed) && draft.names_somebody() || generic) {
            continue;
        }
        *steps += draft.bytes();
        let reference =
            draft.organization_reference().and_then(|handle| handles.get(&handle.to_lowercase()));
        let mut contact = match reference {
            Some(place) => records.drafts[*place].contact(&is_handle),
            None => draft.contact(&is_handle),
        };
        if let (Some(name), Some(handle)) =
            (&mut contact.party.organization, records.list[record].org_handle)
        {
            drop_handle(name, handle);
        }
        let same =
            holder.party.holder().is_none() || holder.party.holder() == contact.party.holder();
        if same && !holder.hidden {
            holder.merge(contact);
        }
    }
    holder
}

/// `Example University (EXUNI)`, where EXUNI is the registry's key for it.
fn drop_handle(name: &mut String, handle: &str) {
    if let Some(rest) = name.strip_suffix(')').and_then(|name| name.strip_suffix(handle))
        && let Some(rest) = rest.strip_suffix('(')
    {
        name.truncate(rest.trim_end().len());
    }
}

fn network(
    registration: &mut Registration,
    records: &Records<'_>,
    nets: &[usize],
    handles: &FxHashMap<String, usize>,
) {
    let Some(first) = nets.first().map(|place| &records.list[*place]) else { return };
    let blocks = if first.net.is_empty() { &first.route } else { &first.net };
    registration.net_range = tidy(blocks.clone());
    let told = || nets.iter().map(|place| &records.list[*place]);
    registration.net_name = told().find_map(|record| record.net_name).map(str::to_owned);
    let own = records.drafts.iter().filter(|draft| nets.contains(&draft.record) && draft.object);
    let referred = own
        .filter_map(|draft| draft.organization_reference())
        .find(|handle| handle.starts_with("ORG-") || handles.contains_key(&handle.to_lowercase()));
    let org_handle = referred.or_else(|| told().find_map(|record| record.org_handle));
    registration.org_handle = org_handle.map(str::to_owned);
}

/// A domain is hardly its own name server: some registries repeat it under "DNS".
fn name_servers(records: &mut Records<'_>) -> Vec<String> {
    let servers = std::mem::take(&mut records.servers);
    let is_domain =
        |server: &String| records.list.iter().any(|record| record.domain.as_ref() == Some(server));
    if servers.iter().all(is_domain) {
        servers
    } else {
        servers.into_iter().filter(|server| !is_domain(server)).collect()
    }
}

fn see_statements(records: &mut Records<'_>, lines: &[Line<'_>], steps: &mut usize) {
    let mut seen = 0;
    for line in lines.iter().filter(|line| line.shape != Shape::Blank) {
        seen += line.text.len();
        if seen > MAX_STATEMENT_TEXT {
            break;
        }
        *steps += line.text.len();
        records.signs.see(line.text);
    }
}
