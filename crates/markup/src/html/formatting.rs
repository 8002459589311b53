//! Formatting elements that overlap others: the list of active formatting elements (§13.2.4.3),
//! opening them again in the next block, and the adoption agency (§13.2.6.4.7).

use super::arena::{Id, NONE, Span, Spot};
use super::categories::{SCOPE, SPECIAL};
use super::interner::Name;
use super::open_elements::Open;
use super::parser::{Next, Parser};
use super::tokens::{Tag, Token};
use crate::names::Known;
use crate::parse_errors::ParseError;
use crate::tree::Namespace;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

#[derive(Debug, Clone, Copy)]
pub(super) enum Entry {
    Marker,
    Element(Formatting),
}

/// A formatting element, and what it takes to make another of its kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct Formatting {
    id: Id,
    name: Name,
    attributes: Span,
    digest: u64,
}

impl Entry {
    pub(super) fn element(&self) -> Option<Formatting> {
        match self {
            Entry::Marker => None,
            Entry::Element(formatting) => Some(*formatting),
        }
    }
}

/// How often the adoption agency may start anew.
const OUTER_ROUNDS: usize = 8;

/// How many formatting elements within another it keeps.
const INNER_ROUNDS: usize = 3;

impl Parser<'_> {
    pub(super) fn clear_formatting_to_marker(&mut self) {
        while let Some(Entry::Element(_)) = self.formatting.pop() {}
    }

    /// The entries from the end back to the last marker, with their places.
    fn formatting_to_marker(&self) -> impl Iterator<Item = (usize, Formatting)> {
        let entries = self.formatting.iter().enumerate().rev();
        entries.map_while(|(at, entry)| Some((at, entry.element()?)))
    }

    fn formatting_position(&self, id: Id) -> Option<usize> {
        let is_it = |entry: &Entry| entry.element().is_some_and(|element| element.id == id);
        self.formatting.iter().position(is_it)
    }

    /// Inserts a formatting element. No more than three of the same kind are kept in the list.
    pub(super) fn insert_formatting(&mut self, tag: Tag) {
        let Tag { name, attributes, .. } = tag;
        let digest = self.digest(attributes);
        let same = self.formatting_to_marker().filter(|(_, entry)| {
            (entry.name, entry.digest) == (name, digest)
                && self.same_attributes(entry.attributes, attributes)
        });
        let (mut count, mut earliest) = (0, 0);
        for (at, _) in same {
            (count, earliest) = (count + 1, at);
        }
        if count >= 3 {
            self.formatting.remove(earliest);
        }
        let id = self.insert_html(tag);
        self.formatting.push(Entry::Element(Formatting { id, name, attributes, digest }));
    }

    /// A number that is the same for the same attributes, in whatever order.
    fn digest(&self, attributes: Span) -> u64 {
        let attributes = &self.arena.attributes[attributes.range()];
        attributes.iter().fold(0, |sum: u64, attribute| {
            let mut hasher = FxHasher::default();
            (attribute.name.known as u16, attribute.name.other).hash(&mut hasher);
            self.arena.text(attribute.value).hash(&mut hasher);
            sum.wrapping_add(hasher.finish())
        })
    }

    /// Whether two tags have the same attributes, in whatever order.
    fn same_attributes(&self, one: Span, other: Span) -> bool {
        let list = |span: Span| {
            let attributes = self.arena.attributes[span.range()].iter();
            let mut list: Vec<_> = attributes
                .map(|attribute| {
                    let Name { known, other } = attribute.name;
                    (known as u16, other, self.arena.text(attribute.value))
                })
                .collect();
            list.sort_unstable();
            list
        };
        one.len() == other.len() && list(one) == list(other)
    }

    /// Opens formatting elements again that were closed with the block they stood in.
    #[inline]
    pub(super) fn reconstruct_formatting(&mut self) {
        if let Some(last) = self.formatting.last()
            && !self.is_marker_or_open(*last)
        {
            self.reconstruct_now();
        }
    }

    fn is_marker_or_open(&self, entry: Entry) -> bool {
        entry.element().is_none_or(|element| self.open.position_of(element.id).is_some())
    }

    fn reconstruct_now(&mut self) {
        let settled = self.formatting.iter().rposition(|entry| self.is_marker_or_open(*entry));
        for at in settled.map_or(0, |at| at + 1)..self.formatting.len() {
            let Entry::Element(lost) = self.formatting[at] else { continue };
            let id = self.insert(lost.name, Namespace::Html, lost.attributes);
            self.formatting[at] = Entry::Element(Formatting { id, ..lost });
        }
    }

    /// An `<a>` ends one that is still open.
    pub(super) fn close_open_link(&mut self, token: Token) {
        let open = self.formatting_to_marker().find(|(_, entry)| entry.name.known == Known::A);
        let Some((_, link)) = open else { return };
        self.unexpected(token);
        self.adopt(Name::from(Known::A), token);
        if let Some(at) = self.formatting_position(link.id) {
            self.formatting.remove(at);
        }
        if let Some(at) = self.open.position_of(link.id) {
            self.open.remove(at);
        }
    }

    /// The adoption agency: closes a formatting element that overlaps others.
    pub(super) fn adopt(&mut self, subject: Name, token: Token) {
        let current = self.open.current();
        if current.is(subject) && self.formatting_position(current.id).is_none() {
            self.open.pop();
            return;
        }
        for _ in 0..OUTER_ROUNDS {
            let found = self.formatting_to_marker().find(|(_, entry)| entry.name == subject);
            let Some((list_at, formatting)) = found else {
                self.end_any_other(subject, token);
                return;
            };
            let Some(stack_at) = self.open.position_of(formatting.id) else {
                self.errors.count(ParseError::UnmatchedEndTag);
                self.formatting.remove(list_at);
                return;
            };
            if !self.open.any_in_scope(SCOPE, |open| open.id == formatting.id) {
                self.errors.count(ParseError::UnmatchedEndTag);
                return;
            }
            if self.open.current().id != formatting.id {
                self.errors.count(ParseError::Misnested);
            }
            let below = self.open.all()[stack_at..].iter();
            let Some(block) = below.clone().position(|open| open.is_in(SPECIAL)) else {
                self.open.truncate(stack_at);
                self.formatting.remove(list_at);
                return;
            };
            self.adopt_block(formatting, stack_at, stack_at + block);
        }
    }

    /// Moves the content of a block, the furthest one within the formatting element, so that the
    /// formatting element lies within the block.
    fn adopt_block(&mut self, formatting: Formatting, stack_at: usize, block_at: usize) {
        let common_ancestor = self.open.all()[stack_at.saturating_sub(1)];
        let block = self.open.all()[block_at];
        // The entry behind which the new formatting element goes; none if it takes the old place.
        let mut bookmark = NONE;
        let mut last = block.id;
        let mut round = 0;
        let mut at = block_at;
        loop {
            round += 1;
            at -= 1;
            let node = self.open.all()[at];
            if node.id == formatting.id {
                break;
            }
            let listed = self.formatting_position(node.id);
            let Some(listed) = listed.filter(|_| round <= INNER_ROUNDS) else {
                if let Some(listed) = listed {
                    self.formatting.remove(listed);
                }
                self.open.remove(at);
                continue;
            };
            let clone = self.clone_formatting(listed);
            self.open.replace(at, Open::new(clone, node.name, Namespace::Html));
            if last == block.id {
                bookmark = clone;
            }
            self.arena.detach(last);
            self.arena.attach(Spot { parent: clone, next: NONE }, last);
            last = clone;
        }
        self.arena.detach(last);
        let spot = self.place_in(common_ancestor);
        self.arena.attach(spot, last);

        let Formatting { name, attributes, .. } = formatting;
        let id = self.arena.element(name, Namespace::Html, attributes);
        self.arena.move_children(block.id, id);
        self.arena.attach(Spot { parent: block.id, next: NONE }, id);
        let entry = Entry::Element(Formatting { id, ..formatting });
        if bookmark == NONE {
            if let Some(place) = self.formatting_position(formatting.id) {
                self.formatting[place] = entry;
            }
        } else {
            let place =
                self.formatting_position(bookmark).map_or(self.formatting.len(), |at| at + 1);
            self.formatting.insert(place, entry);
            if let Some(old) = self.formatting_position(formatting.id) {
                self.formatting.remove(old);
            }
        }
        if let Some(old) = self.open.position_of(formatting.id) {
            self.open.remove(old);
        }
        let place = self.open.position_of(block.id).map_or(self.open.len(), |at| at + 1);
        self.open.insert(place, Open::new(id, name, Namespace::Html));
    }

    /// Puts another element of its kind in the place of a formatting element.
    fn clone_formatting(&mut self, listed: usize) -> Id {
        let Entry::Element(old) = self.formatting[listed] else { return NONE };
        let id = self.arena.element(old.name, Namespace::Html, old.attributes);
        self.formatting[listed] = Entry::Element(Formatting { id, ..old });
        id
    }

    /// Any other end tag in the body.
    pub(super) fn end_any_other(&mut self, name: Name, token: Token) -> Next {
        for at in (0..self.open.len()).rev() {
            let open = self.open.all()[at];
            if open.is(name) {
                self.open.close_implied_except(name);
                if at + 1 != self.open.len() {
                    self.unexpected(token);
                }
                self.open.truncate(at);
                return Next::Done;
            }
            if open.is_in(SPECIAL) {
                break;
            }
        }
        self.errors.count(ParseError::UnmatchedEndTag);
        Next::Done
    }
}
