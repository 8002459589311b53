//! What has been read of an answer, before it is made into a registration.
//!
//! An answer may hold several records: a registry's and a registrar's after each other, the same
//! in two languages, a net inside a net. Handles are explained anywhere in the answer, so they are
//! looked up over all records.

use super::contact::{Contact, Draft};
use super::hosts::host;
use super::keys::Roles;
use super::states::Signs;
use ipnet::IpNet;
use rustc_hash::{FxHashMap, FxHashSet};

/// More records than this are read as one with the last.
const MAX_RECORDS: usize = 16;
/// Of the contacts that a record names by handle, so many are looked at for each role.
const MAX_REFERENCES: usize = 4;
/// A contact is told in at most so many pieces.
const MAX_DRAFTS: usize = 16;
/// More name servers than this are left out.
const MAX_NAME_SERVERS: usize = 64;

#[derive(Debug, Default)]
pub(super) struct Record<'a> {
    pub(super) domain: Option<String>,
    pub(super) net: Vec<IpNet>,
    pub(super) route: Vec<IpNet>,
    pub(super) net_name: Option<&'a str>,
    pub(super) org_handle: Option<&'a str>,
    pub(super) refer: Option<String>,
    /// Contacts by handle.
    pub(super) references: Vec<(Roles, &'a str)>,
    /// Drafts for keys that name role and field at once.
    direct: Vec<(Roles, usize)>,
    /// Anything but its name was read.
    pub(super) begun: bool,
}

#[derive(Debug, Default)]
pub(super) struct Records<'a> {
    pub(super) list: Vec<Record<'a>>,
    pub(super) drafts: Vec<Draft<'a>>,
    pub(super) servers: Vec<String>,
    seen_servers: FxHashSet<String>,
    /// The object exists beyond doubt: it has a date or a name server.
    pub(super) proven: bool,
    /// It seems to exist: a registrar or a status is told.
    pub(super) likely: bool,
    /// The registry names a net only to say that it is not its own.
    pub(super) elsewhere: bool,
    pub(super) signs: Signs,
}

impl<'a> Records<'a> {
    pub(super) fn new() -> Records<'a> {
        Records { list: vec![Record::default()], ..Records::default() }
    }

    pub(super) fn current(&mut self) -> &mut Record<'a> {
        let last = self.list.len() - 1;
        &mut self.list[last]
    }

    pub(super) fn add_record(&mut self) {
        if self.list.len() < MAX_RECORDS {
            self.list.push(Record::default());
        }
    }

    pub(super) fn draft(&mut self, roles: Roles) -> usize {
        self.current().begun = true;
        self.drafts.push(Draft::new(self.list.len() - 1, roles));
        self.drafts.len() - 1
    }

    /// The draft of this record for keys that name these roles.
    pub(super) fn direct(&mut self, roles: Roles) -> usize {
        if let Some((_, draft)) = self.current().direct.iter().find(|(known, _)| *known == roles) {
            return *draft;
        }
        let draft = self.draft(roles);
        self.current().direct.push((roles, draft));
        draft
    }

    pub(super) fn add_servers(&mut self, found: Vec<String>) {
        for server in found {
            self.current().begun = true;
            if self.servers.len() < MAX_NAME_SERVERS && self.seen_servers.insert(server.clone()) {
                self.servers.push(server);
            }
        }
    }

    /// The domain of this record, or the begin of the next if this one has its domain.
    pub(super) fn domain(&mut self, value: &str) {
        let first = value.split(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
        let Some(domain) = host(first) else { return };
        if self.current().domain.is_some() && self.current().begun {
            self.add_record();
        }
        self.current().domain = Some(domain);
    }

    /// A net, or the same net in other words.
    pub(super) fn net(&mut self, found: Vec<IpNet>) {
        let same = IpNet::aggregate(&self.current().net) == IpNet::aggregate(&found);
        // Right after each other it is one net in two notations, later it is told once more.
        if found.is_empty() || (same && !self.current().begun) {
            return;
        }
        if !self.current().net.is_empty() {
            self.add_record();
        }
        self.current().net = found;
    }

    /// The drafts that a handle stands for.
    pub(super) fn handles(&self) -> FxHashMap<String, usize> {
        let mut handles = FxHashMap::default();
        for (place, draft) in self.drafts.iter().enumerate() {
            let own = draft.handle_among_organizations();
            for handle in draft.handles.iter().copied().chain(own) {
                handles.entry(handle.to_lowercase()).or_insert(place);
            }
        }
        handles
    }

    /// What a record tells about a role.
    pub(super) fn contact(
        &self,
        record: usize,
        role: Roles,
        handles: &FxHashMap<String, usize>,
        steps: &mut usize,
    ) -> Contact {
        let is_handle = |value: &str| handles.contains_key(&value.to_lowercase());
        let mut contact = Contact::default();
        let mut read = 0;
        for draft in self.drafts.iter().filter(|draft| draft.record == record) {
            *steps += 1;
            if draft.roles.contains(role) && read < MAX_DRAFTS {
                read += 1;
                *steps += draft.bytes();
                contact.merge(draft.contact(&is_handle));
                for value in draft.whole.iter().take(MAX_REFERENCES) {
                    if let Some(place) = handles.get(&value.to_lowercase()) {
                        *steps += self.drafts[*place].bytes();
                        contact.merge(self.drafts[*place].contact(&is_handle));
                    }
                }
            }
        }
        contact.merge(self.referenced(record, role, handles, steps));
        contact
    }

    /// The contacts a record names by handle for a role.
    pub(super) fn referenced(
        &self,
        record: usize,
        role: Roles,
        handles: &FxHashMap<String, usize>,
        steps: &mut usize,
    ) -> Contact {
        let is_handle = |value: &str| handles.contains_key(&value.to_lowercase());
        let mut contact = Contact::default();
        let named = self.list[record].references.iter().filter(|(roles, _)| roles.contains(role));
        for (_, reference) in named.take(MAX_REFERENCES) {
            *steps += reference.len();
            match handles.get(&reference.to_lowercase()) {
                Some(place) => {
                    *steps += self.drafts[*place].bytes();
                    contact.merge(self.drafts[*place].contact(&is_handle));
                }
                None => contact.hidden = true,
            }
        }
        contact
    }
}
