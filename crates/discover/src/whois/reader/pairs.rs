//! Keys with values: what they tell about the object itself, and which of them speak of contacts.

use super::{Kind, Last, Reader, Target};
use crate::whois::hosts::{host, name_servers};
use crate::whois::keys::{Field, Key, Roles, read_key};
use crate::whois::lines::{Line, Shape};
use crate::whois::ranges::{classful, is_everything, ranges};

impl<'a> Reader<'a> {
    pub(super) fn pair(
        &mut self,
        key: Key,
        value: &'a str,
        indent: usize,
        next: Option<&Line<'a>>,
    ) {
        let value = without_translation(key, value);
        self.next_is_value = value.is_empty() && self.goes_on(indent, next);
        self.last = Last { target: Target::Drop, indent, open: self.next_is_value };
        match key.field {
            Field::Unknown => self.unknown(value, indent, next),
            Field::Ignored => match remark(value) {
                Some((key, value)) => self.pair(key, value, indent, next),
                None => self.foreign_proof(key, value),
            },
            Field::Domain => self.domain(value, indent),
            Field::Net | Field::Route | Field::NetName | Field::OrgHandle | Field::Refer => {
                self.network(key.field, value, indent);
            }
            Field::NameServer => self.server(value, indent, next),
            Field::Host => self.host(value, indent),
            Field::Status | Field::Born => self.existence(key.field, value),
            Field::Kind => self.kind(value, indent),
            _ => self.contact(key, value, indent, next),
        }
    }

    /// Whether the line after a key without a value is its value: deeper than the key, or at least
    /// not the next line of an address that the key interrupts.
    fn goes_on(&self, indent: usize, next: Option<&Line<'a>>) -> bool {
        let Some(next) = next else { return false };
        let interrupts = match self.section.kind {
            Kind::Party(draft) => self.records.drafts[draft].has_text(),
            _ => false,
        };
        next.indent > indent || !interrupts
    }

    fn unknown(&mut self, value: &str, indent: usize, next: Option<&Line<'a>>) {
        // `Title:` amid the keys of a contact is an empty field, not a heading.
        let field = matches!(self.section.kind, Kind::Party(_))
            && !self.after_blank
            && next.is_some_and(|next| next.indent <= indent);
        let back = indent <= self.section.indent || self.section.kind == Kind::Main;
        if value.is_empty() && back && !field {
            self.enter(Kind::Ignored, indent);
        }
    }

    fn foreign_proof(&mut self, key: Key, value: &str) {
        self.records.likely |= key.roles == Roles::FOREIGN && !value.is_empty();
    }

    fn domain(&mut self, value: &'a str, indent: usize) {
        self.enter(Kind::Main, indent);
        self.records.domain(value);
        self.object_here();
        if value.is_empty() {
            self.last = Last { target: Target::Domain, indent, open: true };
        }
    }

    fn network(&mut self, field: Field, value: &'a str, indent: usize) {
        if value.is_empty() {
            return;
        }
        match field {
            Field::Net => {
                let mut found = ranges(value);
                if found.is_empty() {
                    found.extend(classful(value));
                }
                if !found.is_empty() {
                    self.enter(Kind::Main, indent);
                    self.object_here();
                } else if is_everything(value) {
                    self.enter(Kind::Ignored, indent);
                    self.records.elsewhere = true;
                }
                self.records.net(found);
            }
            Field::Route => {
                let known = self.records.list.iter().any(|record| !record.net.is_empty());
                self.records.current().route.extend(ranges(value));
                self.enter(if known { Kind::Ignored } else { Kind::Main }, indent);
            }
            Field::NetName => {
                self.records.current().net_name.get_or_insert(value);
            }
            Field::OrgHandle => {
                self.records.current().org_handle.get_or_insert(value);
            }
            _ => {
                if let Some(server) = refer(value) {
                    self.records.current().refer.get_or_insert(server);
                }
            }
        }
    }

    fn server(&mut self, value: &str, indent: usize, next: Option<&Line<'a>>) {
        let found = name_servers(value);
        // `Name Server   IP Address` heads a table.
        let table = found.is_empty()
            && next.is_some_and(|next| {
                next.shape == Shape::Text && !name_servers(next.text).is_empty()
            });
        if value.is_empty() || table {
            return self.enter(Kind::Servers, indent);
        }
        self.records.add_servers(found);
        self.last = Last { target: Target::Servers, indent, open: false };
    }

    fn host(&mut self, value: &str, indent: usize) {
        if value.is_empty() && self.next_is_value {
            return self.enter(Kind::Servers, indent);
        }
        if matches!(self.section.kind, Kind::Servers | Kind::Main) {
            self.records.add_servers(name_servers(value));
        }
    }

    pub(super) fn existence(&mut self, field: Field, value: &str) {
        if !self.neighbour.is_some_and(|neighbour| neighbour.owns_block) {
            self.neighbour = None;
        }
        if field == Field::Born {
            self.records.proven |= value.contains(|letter: char| letter.is_ascii_digit());
        } else if !value.is_empty() {
            self.records.signs.see_status(value);
            self.records.likely = true;
        }
    }

    /// `Contact Type: registrant` opens a section.
    fn kind(&mut self, value: &'a str, indent: usize) {
        let kind = read_key(value);
        if kind.field == Field::Whole && !kind.roles.is_none() {
            self.heading(kind, indent);
            return;
        }
        let draft = match self.section.kind {
            Kind::Party(draft) => Some(draft),
            Kind::Main => self.block,
            Kind::Servers | Kind::Ignored => None,
        };
        if let Some(draft) = draft {
            self.records.drafts[draft].take(Field::Kind, value);
        }
    }
}

/// `Contact Information: [公開連絡窓口]` is a heading in two languages.
fn without_translation(key: Key, value: &str) -> &str {
    let bracketed = value.starts_with('[') && value.ends_with(']');
    if bracketed && matches!(key.field, Field::Whole | Field::Domain) { "" } else { value }
}

/// `remarks: (Domain Holder) X` is a field in disguise.
fn remark(value: &str) -> Option<(Key, &str)> {
    let (name, value) = value.strip_prefix('(')?.split_once(')')?;
    let key = read_key(name);
    let value = value.trim();
    let field = key.is_known() && key.field != Field::Ignored;
    (key.roles == Roles::REGISTRANT && field && !value.is_empty()).then_some((key, value))
}

/// The server in `whois.x`, `whois://whois.x:43/`, `rwhois://x:4321`; none for web pages.
fn refer(value: &str) -> Option<String> {
    let (scheme, rest) = value.split_once("://").unwrap_or(("whois", value));
    let place = rest.split(['/', ' ', '?']).next()?;
    let (name, port) = place.split_once(':').unwrap_or((place, "43"));
    let name = host(name)?;
    match scheme {
        "whois" | "rwhois" if port == "43" => Some(name),
        "whois" | "rwhois" if port.parse::<u16>().is_ok() => Some(format!("{name}:{port}")),
        _ => None,
    }
}
