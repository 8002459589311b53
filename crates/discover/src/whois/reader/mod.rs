//! Reads the lines of an answer in order and decides what each belongs to.
//!
//! The reader remembers three things. The *section*: the heading it is under, until a new heading,
//! or a blank line after which the text goes back to the heading's margin. The *neighbour*: after
//! `Registrant: X` a lonely `Address:` is the registrant's. And the *last key*, whose value may go
//! on in the next lines. Everything else follows from the shape of the line ([`super::lines`]) and
//! the meaning of its key ([`super::keys`]). One line is looked ahead, none back.

mod contacts;
mod pairs;

use super::hosts::{host, name_servers};
use super::keys::{Field, Key, Roles};
use super::lines::{Line, Shape};
use super::records::Records;
use super::summary::net_summary;
use super::unlabelled::{Unlabelled, could_name_holder, heads_administrator};

#[derive(Debug)]
pub(super) struct Reader<'a> {
    pub(super) records: Records<'a>,
    section: Section,
    neighbour: Option<Neighbour>,
    last: Last,
    /// The draft of the running block of lines that stands under no heading.
    block: Option<usize>,
    /// The running block tells of the domain or the net.
    block_is_object: bool,
    /// A blank line came before this one.
    after_blank: bool,
    /// This is the first line of a block.
    first: bool,
    /// The key of this line has no value, and the next line is it.
    next_is_value: bool,
    /// This line opened a section.
    entered: bool,
    /// The line before was text under no heading.
    in_main_text: bool,
    unlabelled: Unlabelled<'a>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Under no heading.
    Main,
    Party(usize),
    Servers,
    /// Registrars, and headings that nobody knows.
    Ignored,
}

#[derive(Debug, Clone, Copy)]
struct Section {
    kind: Kind,
    /// Of the heading.
    indent: usize,
    /// Of the first line under it.
    inner: Option<usize>,
    /// Free text ended; keys may still follow.
    text_ended: bool,
}

/// Whose the next keys without a role are.
#[derive(Debug, Clone, Copy)]
struct Neighbour {
    roles: Roles,
    /// It opened the block and so owns all of it.
    owns_block: bool,
}

/// Where lines go that continue the last key.
#[derive(Debug, Clone, Copy)]
struct Last {
    target: Target,
    indent: usize,
    /// The key had no value yet: the next line is it, wherever it starts.
    open: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Nothing,
    /// Lines that continue something of no use.
    Drop,
    Draft(usize, Field),
    Servers,
    Domain,
}

const NO_KEY: Last = Last { target: Target::Nothing, indent: 0, open: false };

impl<'a> Reader<'a> {
    pub(super) fn new() -> Reader<'a> {
        Reader {
            records: Records::new(),
            section: Section { kind: Kind::Main, indent: 0, inner: None, text_ended: false },
            neighbour: None,
            last: NO_KEY,
            block: None,
            block_is_object: false,
            after_blank: true,
            first: true,
            next_is_value: false,
            entered: false,
            in_main_text: false,
            unlabelled: Unlabelled::default(),
        }
    }

    /// Takes the next line; `next` is the one after it that is not blank.
    pub(super) fn read(&mut self, line: &Line<'a>, next: Option<&Line<'a>>) {
        match line.shape {
            Shape::Blank => return self.blank(),
            Shape::Rule | Shape::Comment => return,
            _ => self.leave_section(line),
        }
        self.entered = false;
        if line.shape != Shape::Text {
            self.unlabelled.interrupt();
        }
        let in_main_text = std::mem::take(&mut self.in_main_text);
        self.in_main_text = in_main_text && matches!(line.shape, Shape::Title(_));
        match line.shape {
            Shape::Section(key) => self.heading(key, line.indent),
            Shape::Pair(key, value) => self.pair(key, value, line.indent, next),
            Shape::Columns(key, value) if !self.in_running_text(key) => {
                self.pair(key, value, line.indent, next);
            }
            Shape::Title(key) => self.title(key, line, next),
            _ => self.text(line, next),
        }
        if !std::mem::take(&mut self.entered) {
            self.section.inner.get_or_insert(line.indent);
        }
        self.after_blank = false;
        self.first = false;
    }

    fn blank(&mut self) {
        self.after_blank = true;
        self.first = true;
        self.neighbour = None;
        self.block = None;
        self.block_is_object = false;
        self.in_main_text = false;
        if let Some(lines) = self.unlabelled.take_envelope() {
            let draft = self.records.draft(Roles::NONE);
            lines.into_iter().for_each(|line| self.records.drafts[draft].take_text(line));
        }
        if !self.last.open {
            self.last = NO_KEY;
        }
    }

    /// A section with content ends where the text goes back to the margin of its heading.
    fn leave_section(&mut self, line: &Line<'_>) {
        let Some(inner) = self.section.inner else { return };
        let listed = self.section.kind == Kind::Servers && line.shape == Shape::Text;
        let back = line.indent <= self.section.indent;
        if self.section.kind != Kind::Main
            && back
            && !listed
            && (self.after_blank || inner > self.section.indent)
        {
            self.enter(Kind::Main, line.indent);
        }
    }

    fn enter(&mut self, kind: Kind, indent: usize) {
        self.section = Section { kind, indent, inner: None, text_ended: false };
        self.entered = true;
        self.neighbour = None;
        self.last = NO_KEY;
    }

    /// Two columns in the middle of an address are an address.
    fn in_running_text(&self, key: Key) -> bool {
        match self.section.kind {
            // `DNS Admin   dns@x.example` is a contact and its mail.
            Kind::Party(_) if key.field == Field::Whole => true,
            Kind::Party(draft) => !self.after_blank && self.records.drafts[draft].has_text(),
            Kind::Servers => !matches!(key.field, Field::NameServer | Field::Host),
            Kind::Main | Kind::Ignored => false,
        }
    }

    /// A heading, if what stands around it says so; else a line of text.
    fn title(&mut self, key: Key, line: &Line<'a>, next: Option<&Line<'a>>) {
        let leads = next.is_some_and(|next| {
            next.indent > line.indent
                || matches!(next.shape, Shape::Pair(key, _) | Shape::Columns(key, _) if key.roles.is_none())
        });
        let detail = matches!(key.field, Field::Street | Field::Name | Field::Org | Field::Email);
        // Key and value on two lines: the heading of a list of hosts has a host under it.
        let lists = key.field == Field::NameServer
            && next.is_some_and(|next| !name_servers(next.text).is_empty());
        let alone = self.section.kind == Kind::Main && !self.in_main_text;
        // The first line under a heading is no heading.
        let parted = self.after_blank
            && (self.section.inner.is_some() || line.indent <= self.section.indent);
        if key.is_heading() && (parted || leads || lists || alone) {
            self.heading(key, line.indent);
        } else if (key.field == Field::Domain && self.after_blank)
            || (detail
                && self.takes_details(key, leads)
                && (self.last.open || !self.continues(line)))
        {
            self.pair(key, "", line.indent, next);
        } else {
            self.text(line, next);
        }
    }

    /// `Address` on a line of its own is a key under a heading, but not amid an address.
    fn takes_details(&self, key: Key, leads: bool) -> bool {
        let under_heading = matches!(self.section.kind, Kind::Party(_) | Kind::Ignored);
        !key.roles.is_none() || (under_heading && (leads || !self.in_running_text(key)))
    }

    fn heading(&mut self, key: Key, indent: usize) {
        if key.field == Field::NameServer {
            return self.enter(Kind::Servers, indent);
        }
        self.block = None;
        if key.roles == Roles::FOREIGN {
            return self.enter(Kind::Ignored, indent);
        }
        let inside = match self.section.kind {
            Kind::Party(draft) if indent > self.section.indent => {
                Some(self.records.drafts[draft].roles)
            }
            Kind::Ignored if indent > self.section.indent => None,
            _ => Some(Roles::CONTACT),
        };
        // "Contact" under a heading is a contact of whom the heading names.
        let roles = match (key.roles, inside) {
            (Roles::CONTACT, Some(roles)) => roles,
            (Roles::CONTACT, None) => return self.enter(Kind::Ignored, indent),
            (roles, _) => roles,
        };
        let draft = self.records.draft(roles);
        self.enter(Kind::Party(draft), indent);
    }

    fn text(&mut self, line: &Line<'a>, next: Option<&Line<'a>>) {
        if self.continues(line) {
            return self.continue_last(line);
        }
        match self.section.kind {
            Kind::Party(draft) => {
                if self.after_blank && self.section.inner.is_some() {
                    self.section.text_ended = true;
                }
                if !self.section.text_ended {
                    self.records.drafts[draft].take_text(line.text);
                }
            }
            Kind::Servers => self.records.add_servers(name_servers(line.text)),
            Kind::Main => {
                self.main_text(line, next);
                self.in_main_text = true;
            }
            Kind::Ignored => {}
        }
    }

    /// The line goes on with the value of the last key.
    fn continues(&self, line: &Line<'_>) -> bool {
        let deeper = line.indent > self.last.indent || self.goes_on_with_address(line);
        let continues = self.last.open || (!self.after_blank && deeper);
        self.last.target != Target::Nothing && continues
    }

    /// `Address: X` amid free text, and the rest of the address under it; or `Registrant: X` and
    /// the address under it.
    fn goes_on_with_address(&self, line: &Line<'_>) -> bool {
        match (self.last.target, self.section.kind) {
            (Target::Draft(_, Field::Whole), Kind::Main) => line.indent == self.last.indent,
            (Target::Draft(draft, Field::Street), Kind::Party(section)) => {
                draft == section
                    && self.records.drafts[draft].has_text()
                    && line.indent == self.last.indent
            }
            _ => false,
        }
    }

    fn continue_last(&mut self, line: &Line<'a>) {
        match self.last.target {
            Target::Draft(draft, Field::Whole) => self.records.drafts[draft].take_text(line.text),
            Target::Draft(draft, field @ (Field::Street | Field::Descr)) => {
                self.records.drafts[draft].take(field, line.text);
            }
            Target::Draft(draft, field) if self.last.open => {
                self.records.drafts[draft].take(field, line.text);
                self.last.open = false;
            }
            // Under a name stands its address.
            Target::Draft(draft, Field::Name | Field::Org) => {
                self.records.drafts[draft].take(Field::Street, line.text);
            }
            Target::Servers => self.records.add_servers(name_servers(line.text)),
            Target::Domain => {
                self.records.domain(line.text);
                self.last = NO_KEY;
            }
            Target::Draft(..) | Target::Drop | Target::Nothing => {}
        }
    }

    /// Text under no heading: a list of nets, of name servers, or the holder as on an envelope.
    fn main_text(&mut self, line: &Line<'a>, next: Option<&Line<'a>>) {
        self.records.add_servers(self.unlabelled.servers(line));
        self.unlabelled.see(line, self.first);
        let lonely = self.first && next.is_some_and(heads_administrator);
        if lonely && could_name_holder(line) && !line.text.split(' ').any(|w| host(w).is_some()) {
            let draft = self.records.draft(Roles::NONE);
            self.records.drafts[draft].take_text(line.text);
        }
        if let Some((net, organization, net_name)) =
            net_summary(line.text, next.map(|next| next.text))
        {
            self.records.net(net);
            self.records.current().net_name = net_name;
            let draft = self.records.draft(Roles::NONE);
            self.records.drafts[draft].take(Field::Org, organization);
        }
    }
}
