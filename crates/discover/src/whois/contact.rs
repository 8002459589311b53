//! Makes a contact out of what was collected for it: fields, a line with the whole contact, lines
//! of free text.
//!
//! Names and organisations are kept apart where the registry does so. Where it only says
//! "Registrant: X", X is the organisation if it sounds like one or if a person is named beside it,
//! and the person otherwise. An organisation told in two scripts has its Latin name as organisation
//! and the other as name, unless a person is told. Address lines are what remains when names,
//! telephones and mail are taken out.

use super::free_text::{FreeText, MAX_VALUE_BYTES, cleaned, is_address_line, is_latin};
use super::handles::looks_like_handle;
use super::hosts::email_of;
use super::keys::{Field, Roles};
use super::organizations::sounds_like_organization;
use super::placeholders::{Worth, is_proxy_mail, is_value, worth};
use crate::registration::Party;

/// Lines and values of one contact beyond this are not looked at.
const MAX_VALUES: usize = 24;
/// A key for every line of a contact occurs at least so often.
const MIN_LISTED_LINES: usize = 3;
/// An address has at most so many lines.
const MAX_ADDRESS_LINES: usize = 16;

/// Fields that name somebody.
const NAMES: &[Field] = &[Field::Org, Field::Name, Field::Given, Field::Family, Field::Descr];

/// What was told about one contact, or one block of the answer, so far.
#[derive(Debug, Default)]
pub(super) struct Draft<'a> {
    pub(super) record: usize,
    pub(super) roles: Roles,
    /// The block of the domain or the net itself, not of a contact.
    pub(super) object: bool,
    /// The registry's keys for it.
    pub(super) handles: Vec<&'a str>,
    /// Values of keys that only name the role: the contact's name, or its handle.
    pub(super) whole: Vec<&'a str>,
    fields: Vec<(Field, &'a str)>,
    text: Vec<&'a str>,
}

/// A contact made out of a draft.
#[derive(Debug, Default)]
pub(super) struct Contact {
    pub(super) party: Party,
    /// The organisation in the registry's own script, if it is told in Latin letters too.
    pub(super) native: Option<String>,
    /// A holder was to be named here, and is not: a placeholder, a proxy, an empty field.
    pub(super) hidden: bool,
}

impl Contact {
    /// Fills what is still unknown from another draft of the same contact.
    pub(super) fn merge(&mut self, other: Contact) {
        let party = &mut self.party;
        if party.holder() == other.party.name.as_deref() {
            // Two drafts tell the same name, one of them knows that it is an organisation.
            party.organization = party.organization.take().or(other.party.organization);
        } else {
            party.name = party.name.take().or(other.party.name);
            party.organization = party.organization.take().or(other.party.organization);
        }
        if party.address.is_empty() {
            party.address = other.party.address;
        }
        party.email = party.email.take().or(other.party.email);
        self.native = self.native.take().or(other.native);
        self.hidden |= other.hidden;
    }

    /// Who it is, with the name in the registry's own script where no person is told.
    pub(super) fn named(self) -> Party {
        let mut party = self.party;
        if party.organization.is_some()
            && (party.name.is_none() || party.name == party.organization)
        {
            party.name = self.native.or(party.name);
        }
        party
    }
}

impl<'a> Draft<'a> {
    pub(super) fn new(record: usize, roles: Roles) -> Draft<'a> {
        Draft { record, roles, ..Draft::default() }
    }

    pub(super) fn take(&mut self, field: Field, value: &'a str) {
        match field {
            Field::Handle => self.handles.push(value),
            Field::Whole => self.whole.push(value),
            Field::Phone => {}
            _ if self.fields.len() < MAX_VALUES => self.fields.push((field, value)),
            _ => {}
        }
    }

    /// `contact: X`: its name if it has a handle of its own, else its handle.
    pub(super) fn take_contact(&mut self, value: &'a str) {
        match self.handles.is_empty() {
            true => self.handles.push(value),
            false => self.whole.push(value),
        }
    }

    pub(super) fn take_text(&mut self, line: &'a str) {
        if self.text.len() < MAX_VALUES {
            self.text.push(line);
        }
    }

    pub(super) fn has_text(&self) -> bool {
        !self.text.is_empty()
    }

    /// How many bytes it holds.
    pub(super) fn bytes(&self) -> usize {
        let fields = self.fields.iter().map(|(_, value)| value.len()).sum::<usize>();
        fields + self.whole.iter().chain(&self.text).map(|value| value.len()).sum::<usize>()
    }

    /// Something that could be a holder, or stands in a holder's place.
    pub(super) fn names_somebody(&self) -> bool {
        !self.whole.is_empty() || !self.text.is_empty() || self.of(NAMES).next().is_some()
    }

    /// A place for a name, and nothing in it.
    fn is_left_empty(&self) -> bool {
        let named = |field: &Field| matches!(field, Field::Org | Field::Name);
        let empty = self.fields.iter().any(|(field, value)| named(field) && value.is_empty());
        let about = |field: &Field| matches!(field, Field::Kind | Field::Country);
        let bare = self.fields.iter().all(|(field, value)| about(field) || value.is_empty());
        empty || (bare && self.text.is_empty() && self.whole.is_empty())
    }

    /// Has an address so far.
    pub(super) fn has_address(&self) -> bool {
        self.of(&[Field::Street, Field::City]).next().is_some()
    }

    pub(super) fn names_organization(&self) -> bool {
        self.of(&[Field::Org]).next().is_some()
    }

    /// `organisation: ORG-X` with an `org-name:` beside it is a handle.
    pub(super) fn handle_among_organizations(&self) -> Option<&'a str> {
        let mut organizations = self.of(&[Field::Org]);
        let first = organizations.next().filter(|value| looks_like_handle(value))?;
        organizations.next().is_some().then_some(first)
    }

    /// The value of the only organisation key, for nets that refer to their organisation by it.
    pub(super) fn organization_reference(&self) -> Option<&'a str> {
        self.of(&[Field::Org]).next().filter(|value| looks_like_handle(value))
    }

    fn of(&self, wanted: &[Field]) -> impl Iterator<Item = &'a str> {
        self.fields
            .iter()
            .filter(move |(field, value)| wanted.contains(field) && !value.is_empty())
            .map(|(_, value)| *value)
    }

    /// The contact; `is_handle` knows the handles that the answer explains elsewhere.
    pub(super) fn contact(&self, is_handle: &dyn Fn(&str) -> bool) -> Contact {
        let named = || self.whole.iter().copied().filter(|value| !value.is_empty());
        let whole: Vec<&str> =
            named().filter(|value| !is_handle(value) && !looks_like_handle(value)).collect();
        let listed = self.listed(&whole);
        let free = match &listed {
            Some(lines) => FreeText::read(None, lines),
            None => FreeText::read(whole.first().copied(), &self.text),
        };
        let others = if listed.is_some() { &[] } else { whole.get(1..).unwrap_or_default() };
        let full_name = self.full_name();
        let organization = Pick::of(
            self.of(&[Field::Org])
                .filter(|value| !is_handle(value) && !looks_like_reference(value)),
        );
        let people = || full_name.as_deref().into_iter().chain(self.of(&[Field::Name]));
        // Where the organisation is told as a name too, another name is the person's.
        let person = Pick::of(people().filter(|name| Some(*name) != organization.value));
        let names = Names {
            name: if person.value.is_some() { person } else { Pick::of(people()) },
            organization,
            holder: Pick::of(free.holder.as_deref().into_iter().chain(others.iter().copied())),
            second: free.organization.as_deref(),
        };
        if names.are_proxy() {
            return Contact { hidden: true, ..Contact::default() };
        }
        let only_handles = whole.is_empty() && named().next().is_some();
        let hidden = names.are_hidden() || free.hidden || only_handles || self.is_left_empty();
        let native = names.organization.native.or(names.holder.native).or(free.native.as_deref());
        Contact { hidden, native: native.map(cleaned), party: self.party(&names, &free) }
    }

    /// `Owner: X`, `Owner: Street`, `Owner: Town`: one key for every line of the contact.
    fn listed(&self, whole: &[&'a str]) -> Option<Vec<&'a str>> {
        let first = whole.first()?;
        let values = self.whole.iter().copied().filter(|value| !value.is_empty());
        let lines: Vec<&str> = values.chain(self.text.iter().copied()).take(MAX_VALUES).collect();
        let again = lines.iter().skip(1).any(|line| line == first);
        let many = whole.len() >= MIN_LISTED_LINES;
        (many && !again && lines.first() == Some(first)).then_some(lines)
    }

    fn party(&self, names: &Names<'_>, free: &FreeText) -> Party {
        let mut party = names.party();
        if party.organization.is_none() && self.is_organization() {
            party.organization = party.name.take();
        }
        party.name = party.name.or_else(|| free.person.clone());
        party.address = self.address(free);
        if party.holder().is_some() {
            let lines: Vec<&str> = self.of(&[Field::Descr]).collect();
            party.address = described_address(&lines, party.address);
        } else if !names.are_hidden() {
            self.describe(&mut party);
        }
        let Party { name, organization, address, .. } = &mut party;
        address.retain(|line| name.as_ref() != Some(line) && organization.as_ref() != Some(line));
        address.dedup();
        address.truncate(MAX_ADDRESS_LINES);
        // Beside a hidden name the desk for abuse is the registrar's.
        let nobody = party.holder().is_none() && names.are_hidden();
        party.email = self.mail(free).filter(|mail| !(nobody && mail.starts_with("abuse@")));
        without_mere_place(party, self, free)
    }

    /// The first line of a description is the holder where nobody else is named.
    fn describe(&self, party: &mut Party) {
        let lines: Vec<&str> = self.of(&[Field::Descr]).collect();
        if let Some((first, rest)) = lines.split_first() {
            party.organization = Some(*first).filter(|value| is_value(value)).map(cleaned);
            party.address = described_address(rest, std::mem::take(&mut party.address));
        }
    }

    fn mail(&self, free: &FreeText) -> Option<String> {
        let in_address = self.of(&[Field::Street]).filter(|line| line.contains('@'));
        let mut mails = self.of(&[Field::Email]).chain(in_address);
        mails.find_map(usable_mail).or_else(|| free.mail.as_deref().and_then(usable_mail))
    }

    /// `Type: ORG` beside the name.
    pub(super) fn is_organization(&self) -> bool {
        self.of(&[Field::Kind]).any(|kind| {
            let kind = kind.to_ascii_lowercase();
            ["org", "legal", "compan", "corporat"].iter().any(|start| kind.starts_with(start))
        })
    }

    fn full_name(&self) -> Option<String> {
        let part = |field| self.of(&[field]).find(|value| is_value(value));
        let family = part(Field::Family).or_else(|| part(Field::Name));
        match (part(Field::Given), family) {
            (Some(given), Some(family)) => Some(format!("{given} {family}")),
            (one, other) => one.or(other).map(str::to_owned),
        }
    }

    /// Address lines in the order told; town, state and postcode that follow each other are one.
    fn address(&self, free: &FreeText) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        let mut before = Field::Street;
        for (field, value) in &self.fields {
            let town = matches!(field, Field::City | Field::State | Field::Postal);
            if !(town || matches!(field, Field::Street | Field::Country)) {
                continue;
            }
            let value = cleaned(value);
            // Behind a street or a town, `NA` is Namibia.
            let namibia = *field == Field::Country && value == "NA" && !lines.is_empty();
            if !(namibia || is_address_line(&value)) {
                continue;
            }
            let joins = town && matches!(before, Field::City | Field::State | Field::Postal);
            match lines.last_mut() {
                Some(line) if joins => {
                    line.push(' ');
                    line.push_str(&value);
                }
                _ => lines.push(value),
            }
            before = *field;
        }
        if lines.is_empty() { free.address.clone() } else { lines }
    }
}

/// The further lines of a description are an address if there is a number among them, and if none
/// but perhaps the country is told elsewhere.
fn described_address(lines: &[&str], told: Vec<String>) -> Vec<String> {
    let numbered = lines.iter().any(|line| line.contains(|letter: char| letter.is_ascii_digit()));
    if told.len() > 1 || !numbered {
        return told;
    }
    let lines = lines.iter().filter(|line| is_address_line(line)).map(|line| cleaned(line));
    lines.chain(told).collect()
}

/// A country or a town without anybody's name, street or mail says nothing about the holder.
fn without_mere_place(party: Party, draft: &Draft<'_>, free: &FreeText) -> Party {
    let street = draft.of(&[Field::Street]).any(is_address_line) || !free.address.is_empty();
    match party.holder().is_some() || party.email.is_some() || street {
        true => party,
        false => Party::default(),
    }
}

/// The names a draft tells, each from its own kind of key.
struct Names<'v> {
    organization: Pick<'v>,
    name: Pick<'v>,
    /// From a key that only names the role, or from the first line of free text.
    holder: Pick<'v>,
    /// The organisation in the second line of free text.
    second: Option<&'v str>,
}

impl Names<'_> {
    fn are_proxy(&self) -> bool {
        let no_organization = self.organization.value.is_none();
        self.organization.proxy || self.holder.proxy || (self.name.proxy && no_organization)
    }

    fn are_hidden(&self) -> bool {
        self.organization.hidden || self.name.hidden || self.holder.hidden
    }

    fn party(&self) -> Party {
        let party = |name: Option<&str>, organization: Option<&str>| Party {
            name: name.map(cleaned),
            organization: organization.map(cleaned),
            ..Party::default()
        };
        match (self.organization.value, self.name.value, self.holder.value) {
            (Some(organization), Some(name), _) => party(Some(name), Some(organization)),
            (Some(organization), None, Some(holder)) if holder != organization => {
                party(Some(holder), Some(organization))
            }
            (Some(organization), None, _) => party(None, Some(organization)),
            (None, Some(name), Some(holder)) if holder != name => party(Some(name), Some(holder)),
            (None, Some(name), _) => party(Some(name), None),
            (None, None, Some(holder)) => match (self.second, sounds_like_organization(holder)) {
                (Some(second), _) => party(Some(holder), Some(second)),
                (None, true) => party(None, Some(holder)),
                (None, false) => party(Some(holder), None),
            },
            (None, None, None) => Party::default(),
        }
    }
}

/// The best of several values for one field.
#[derive(Debug, Default)]
struct Pick<'v> {
    value: Option<&'v str>,
    /// The same in the registry's own script.
    native: Option<&'v str>,
    hidden: bool,
    proxy: bool,
}

impl<'v> Pick<'v> {
    /// The first value, or the first in Latin letters if the registry tells it in two scripts.
    fn of(values: impl Iterator<Item = &'v str>) -> Pick<'v> {
        let mut pick = Pick::default();
        for value in values.filter(|value| value.len() <= MAX_VALUE_BYTES).take(MAX_VALUES) {
            match worth(value) {
                Worth::Placeholder => pick.hidden = true,
                Worth::Proxy => {
                    pick.hidden = true;
                    pick.proxy = true;
                }
                Worth::Value => match pick.value {
                    Some(known) if is_latin(known) == is_latin(value) => {}
                    Some(known) if is_latin(known) => pick.native = pick.native.or(Some(value)),
                    known => {
                        pick.native = known;
                        pick.value = Some(value);
                    }
                },
            }
        }
        pick.proxy &= pick.value.is_none();
        pick
    }
}

/// A reference of a net to its organisation, which must not pass for its name.
fn looks_like_reference(value: &str) -> bool {
    value.starts_with("ORG-") && looks_like_handle(value)
}

fn usable_mail(value: &str) -> Option<String> {
    let mail = email_of(value)?;
    let (_, domain) = mail.split_once('@')?;
    (!is_proxy_mail(&domain.to_lowercase())).then_some(mail)
}
