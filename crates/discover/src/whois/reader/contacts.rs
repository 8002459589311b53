//! Keys that speak of contacts: of a role they name, or of whoever the place says.

use super::{Kind, Last, Neighbour, Reader, Target};
use crate::whois::handles::looks_like_handle;
use crate::whois::hosts::{host, name_servers};
use crate::whois::keys::{Field, Key, Roles, read_key};
use crate::whois::lines::{Line, Shape};

impl<'a> Reader<'a> {
    pub(super) fn contact(
        &mut self,
        key: Key,
        value: &'a str,
        indent: usize,
        next: Option<&Line<'a>>,
    ) {
        if key.roles == Roles::CONTACT && self.generic_contact(key, value, indent) {
            return;
        }
        match key.roles {
            Roles::NONE | Roles::CONTACT => self.lonely(key, value, indent),
            Roles::FOREIGN => self.foreign(key, value, indent),
            roles => self.of_role(roles, key.field, value, indent, next),
        }
    }

    /// Keys that say "contact" and not which: `contact: administrative`, `contact: X-ID`,
    /// `Contact:`. Others belong to where they stand, as if they did not say it.
    fn generic_contact(&mut self, key: Key, value: &'a str, indent: usize) -> bool {
        match (key.field, value) {
            (Field::Whole, "") => self.heading(key, indent),
            (Field::Whole, value) => {
                let named = read_key(value);
                if named.field == Field::Whole && !named.roles.is_none() {
                    self.heading(named, indent);
                    return true;
                }
                if self.owner().is_some() && !self.beside_registrar() {
                    return false;
                }
                if self.block_is_object {
                    self.records.current().references.push((Roles::CONTACT, value));
                    return true;
                }
                let draft = self.block_draft();
                self.records.drafts[draft].take_contact(value);
            }
            _ if self.owner().is_some() => return false,
            (Field::Handle, value) => {
                let draft = self.block_draft();
                self.records.drafts[draft].take(Field::Handle, value);
            }
            (field, value) => {
                let draft = self.records.direct(Roles::CONTACT);
                self.take(draft, field, value, indent);
            }
        }
        true
    }

    /// A registrar was named in this block, which is about something else.
    fn beside_registrar(&self) -> bool {
        matches!(self.neighbour, Some(Neighbour { roles: Roles::FOREIGN, owns_block: false }))
    }

    /// The roles that lonely keys belong to here, if the place says so.
    fn owner(&self) -> Option<Roles> {
        match (self.neighbour, self.section.kind) {
            (Some(neighbour), _) => Some(neighbour.roles),
            (None, Kind::Party(draft)) => Some(self.records.drafts[draft].roles),
            (None, Kind::Ignored) => Some(Roles::FOREIGN),
            (None, Kind::Main | Kind::Servers) => None,
        }
    }

    fn of_role(
        &mut self,
        roles: Roles,
        field: Field,
        value: &'a str,
        indent: usize,
        next: Option<&Line<'a>>,
    ) {
        let text_follows =
            next.is_some_and(|next| next.shape == Shape::Text || next.indent > indent);
        match (field, value) {
            (Field::Whole, "") => {
                let draft = self.records.draft(roles);
                self.block = None;
                self.enter(Kind::Party(draft), indent);
            }
            (Field::Handle, "") if text_follows => {
                let draft = self.records.draft(roles);
                self.enter(Kind::Party(draft), indent);
            }
            (Field::Whole | Field::Handle, value) => {
                let draft = self.records.direct(roles);
                let handle = field == Field::Handle || looks_like_handle(value);
                match field {
                    Field::Handle if value.is_empty() => {}
                    Field::Handle => self.records.current().references.push((roles, value)),
                    _ => self.records.drafts[draft].take(Field::Whole, value),
                }
                if handle && self.first {
                    self.records.drafts[draft].take(Field::Handle, value);
                }
                if !handle || self.first {
                    self.neighbour = Some(Neighbour { roles, owns_block: self.first });
                }
                self.last =
                    Last { target: Target::Draft(draft, Field::Whole), indent, open: false };
            }
            (field, value) => {
                let draft = self.records.direct(roles);
                self.neighbour = Some(Neighbour { roles, owns_block: false });
                self.take(draft, field, value, indent);
            }
        }
    }

    fn foreign(&mut self, key: Key, value: &str, indent: usize) {
        self.records.likely |= !value.is_empty();
        match (key.field, value) {
            (Field::Whole, "") => self.enter(Kind::Ignored, indent),
            (Field::Whole | Field::Name | Field::Org, _) => {
                self.neighbour = Some(Neighbour { roles: Roles::FOREIGN, owns_block: self.first });
            }
            _ => {}
        }
    }

    /// A key without a role.
    fn lonely(&mut self, key: Key, value: &'a str, indent: usize) {
        // After "Registrar: X" an organisation is somebody else.
        if self.beside_registrar() && matches!(key.field, Field::Org | Field::Name) {
            self.neighbour = None;
        }
        let draft = match (self.neighbour, self.section.kind) {
            (Some(Neighbour { roles: Roles::FOREIGN, .. }), _) | (None, Kind::Ignored) => None,
            (Some(neighbour), _) => Some(self.records.direct(neighbour.roles)),
            (None, Kind::Party(draft)) => Some(draft),
            (None, Kind::Servers) => {
                self.records.add_servers(name_servers(value));
                None
            }
            (None, Kind::Main) if key.of_organization => {
                Some(self.records.direct(Roles::REGISTRANT))
            }
            (None, Kind::Main) => self.main_draft(key.field, value, indent),
        };
        if let Some(draft) = draft {
            self.take(draft, key.field, value, indent);
        }
    }

    /// The draft for a key under no heading; none if the key is about the domain itself.
    fn main_draft(&mut self, field: Field, value: &'a str, indent: usize) -> Option<usize> {
        if field == Field::Name && host(value).is_some() {
            self.records.domain(value);
            return None;
        }
        // `state: REGISTERED, DELEGATED`
        let has_address = self.block.is_some_and(|draft| self.records.drafts[draft].has_address());
        if field == Field::State && !has_address {
            self.existence(Field::Status, value);
            return None;
        }
        if field == Field::Descr && value.contains("not managed by") {
            self.records.current().net.clear();
            self.records.elsewhere = true;
            return None;
        }
        if field == Field::Org && value.is_empty() {
            let draft = self.records.draft(Roles::NONE);
            self.enter(Kind::Party(draft), indent);
            return None;
        }
        Some(self.block_draft())
    }

    pub(super) fn object_here(&mut self) {
        self.block_is_object = true;
        if let Some(draft) = self.block {
            self.records.drafts[draft].object = true;
        }
    }

    fn block_draft(&mut self) -> usize {
        match self.block {
            Some(draft) => draft,
            None => {
                let draft = self.records.draft(Roles::NONE);
                self.records.drafts[draft].object = self.block_is_object;
                self.block = Some(draft);
                draft
            }
        }
    }

    fn take(&mut self, draft: usize, field: Field, value: &'a str, indent: usize) {
        self.last = Last { target: Target::Draft(draft, field), indent, open: self.next_is_value };
        self.records.drafts[draft].take(field, value);
    }
}
