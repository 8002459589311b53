//! The tree while it is built: nodes are created, moved and cut off in any order.
//!
//! Nodes and attributes are numbers and ranges in flat lists; text stays where it stands in the
//! source. What is not in the source as it should be is written to `extra` and numbered as if it
//! followed the source, so that a [`Span`] reaches both. [`super::finish`] makes a [`crate::Tree`]
//! of it.

use super::interner::Name;
use crate::tree::Namespace;

/// A range of the source and what follows it, or of the list of attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Span {
    pub(super) fn new(start: usize, end: usize) -> Span {
        let number = |at| u32::try_from(at).expect("documents and their text are limited");
        Span { start: number(start), end: number(end) }
    }

    pub(super) fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    pub(super) fn is_empty(self) -> bool {
        self.start == self.end
    }

    pub(super) fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The number of a node.
pub(super) type Id = u32;

pub(super) const DOCUMENT: Id = 0;

/// No node.
pub(super) const NONE: Id = u32::MAX;

#[derive(Debug, Clone, Copy)]
pub(super) struct Sprout {
    pub(super) content: Content,
    pub(super) parent: Id,
    pub(super) first_child: Id,
    pub(super) last_child: Id,
    pub(super) previous: Id,
    pub(super) next: Id,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Content {
    Document,
    /// Its place in the list of doctypes.
    Doctype(u32),
    Element {
        name: Name,
        namespace: Namespace,
        attributes: Span,
    },
    Text {
        first: Span,
        /// Further pieces from `more` to `last`, numbers in the list of pieces.
        more: u32,
        last: u32,
    },
    Comment(Span),
}

/// A piece of text that follows another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    pub(super) span: Span,
    pub(super) next: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RawAttribute {
    pub(super) name: Name,
    pub(super) namespace: Namespace,
    pub(super) value: Span,
}

/// A limit that was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Full {
    Nodes,
    Attributes,
    Text,
}

/// Where a node goes: below `parent`, before `next` or as the last child.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    pub(super) parent: Id,
    pub(super) next: Id,
}

#[derive(Debug)]
pub(super) struct Arena<'s> {
    pub(super) source: &'s str,
    pub(super) extra: String,
    pub(super) nodes: Vec<Sprout>,
    pub(super) pieces: Vec<Piece>,
    pub(super) attributes: Vec<RawAttribute>,
    /// Attributes that later `<html>` and `<body>` tags gave to the elements that were there.
    pub(super) late_attributes: Vec<(Id, RawAttribute)>,
    pub(super) doctypes: Vec<[String; 3]>,
    /// Controls with the form that was open where they stand in the source.
    pub(super) form_owners: Vec<(Id, Id)>,
    attribute_count: usize,
    text_bytes: usize,
}

impl<'s> Arena<'s> {
    pub(super) fn new(source: &'s str) -> Arena<'s> {
        let mut arena = Arena {
            source,
            extra: String::new(),
            // A page has a node for some twenty bytes.
            nodes: Vec::with_capacity(source.len() / 32 + 16),
            pieces: Vec::new(),
            attributes: Vec::with_capacity(source.len() / 64 + 16),
            late_attributes: Vec::new(),
            doctypes: Vec::new(),
            form_owners: Vec::new(),
            attribute_count: 0,
            text_bytes: 0,
        };
        arena.add(Content::Document);
        arena
    }

    /// The limit that was reached, if any.
    pub(super) fn full(&self) -> Option<Full> {
        if self.nodes.len() >= crate::MAX_NODES {
            Some(Full::Nodes)
        } else if self.attribute_count >= crate::MAX_ATTRIBUTES {
            Some(Full::Attributes)
        } else if self.text_bytes >= crate::MAX_TREE_TEXT
            || self.extra.len() >= crate::MAX_TREE_TEXT
        {
            Some(Full::Text)
        } else {
            None
        }
    }

    pub(super) fn text(&self, span: Span) -> &str {
        match (span.start as usize).checked_sub(self.source.len()) {
            Some(start) => &self.extra[start..start + span.len()],
            None => &self.source[span.range()],
        }
    }

    /// The span of what was written to `extra` from `start` on.
    pub(super) fn extra_from(&self, start: usize) -> Span {
        Span::new(self.source.len() + start, self.source.len() + self.extra.len())
    }

    pub(super) fn element(&mut self, name: Name, namespace: Namespace, attributes: Span) -> Id {
        self.attribute_count += attributes.len();
        self.text_bytes += self.attributes[attributes.range()]
            .iter()
            .map(|attribute| attribute.value.len())
            .sum::<usize>();
        self.add(Content::Element { name, namespace, attributes })
    }

    pub(super) fn comment(&mut self, text: Span) -> Id {
        self.text_bytes += text.len();
        self.add(Content::Comment(text))
    }

    pub(super) fn doctype(&mut self, words: [String; 3]) -> Id {
        self.text_bytes += words.iter().map(String::len).sum::<usize>();
        self.doctypes.push(words);
        self.add(Content::Doctype(self.doctypes.len() as u32 - 1))
    }

    fn add(&mut self, content: Content) -> Id {
        // The limit on nodes is far below; one token adds a bounded number after it is reached.
        let id = self.nodes.len() as u32;
        let [parent, first_child, last_child, previous, next] = [NONE; 5];
        self.nodes.push(Sprout { content, parent, first_child, last_child, previous, next });
        id
    }

    pub(super) fn detach(&mut self, id: Id) {
        let Sprout { parent, previous, next, .. } = self.nodes[id as usize];
        if parent == NONE {
            return;
        }
        match previous {
            NONE => self.nodes[parent as usize].first_child = next,
            _ => self.nodes[previous as usize].next = next,
        }
        match next {
            NONE => self.nodes[parent as usize].last_child = previous,
            _ => self.nodes[next as usize].previous = previous,
        }
        let sprout = &mut self.nodes[id as usize];
        (sprout.parent, sprout.previous, sprout.next) = (NONE, NONE, NONE);
    }

    /// Puts a node without a parent where it goes.
    pub(super) fn attach(&mut self, spot: Spot, id: Id) {
        let Spot { parent, next } = spot;
        let link = match next {
            NONE => &mut self.nodes[parent as usize].last_child,
            _ => &mut self.nodes[next as usize].previous,
        };
        let previous = std::mem::replace(link, id);
        match previous {
            NONE => self.nodes[parent as usize].first_child = id,
            _ => self.nodes[previous as usize].next = id,
        }
        let sprout = &mut self.nodes[id as usize];
        (sprout.parent, sprout.previous, sprout.next) = (parent, previous, next);
    }

    /// Puts text where it goes; it joins text that stands before it.
    pub(super) fn attach_text(&mut self, spot: Spot, text: Span) {
        if text.is_empty() {
            return;
        }
        self.text_bytes += text.len();
        let previous = match spot.next {
            NONE => self.nodes[spot.parent as usize].last_child,
            next => self.nodes[next as usize].previous,
        };
        if previous != NONE
            && let Content::Text { first, more, last } = &mut self.nodes[previous as usize].content
        {
            let end = match *last {
                NONE => first,
                last => &mut self.pieces[last as usize].span,
            };
            if end.end == text.start && (text.start as usize) != self.source.len() {
                end.end = text.end;
                return;
            }
            let piece = self.pieces.len() as u32;
            match *last {
                NONE => *more = piece,
                last => self.pieces[last as usize].next = piece,
            }
            *last = piece;
            self.pieces.push(Piece { span: text, next: NONE });
            return;
        }
        let id = self.add(Content::Text { first: text, more: NONE, last: NONE });
        self.attach(spot, id);
    }

    /// Moves all children of a node to the end of another's.
    pub(super) fn move_children(&mut self, from: Id, to: Id) {
        let mut child = self.nodes[from as usize].first_child;
        while child != NONE {
            let next = self.nodes[child as usize].next;
            self.detach(child);
            self.attach(Spot { parent: to, next: NONE }, child);
            child = next;
        }
    }

    /// Cuts off all children of a node.
    pub(super) fn drop_children(&mut self, id: Id) {
        let sprout = &mut self.nodes[id as usize];
        (sprout.first_child, sprout.last_child) = (NONE, NONE);
    }

    /// Gives an element the attributes it does not have yet, within the limit for one tag.
    pub(super) fn add_attributes(&mut self, id: Id, new: Span) {
        let Content::Element { attributes, .. } = self.nodes[id as usize].content else { return };
        for at in new.range() {
            let attribute = self.attributes[at];
            let own = self.attributes[attributes.range()].iter();
            let late = self.late_attributes.iter().filter(|late| late.0 == id);
            let mut known = own.chain(late.clone().map(|late| &late.1));
            if !known.any(|known| known.name == attribute.name)
                && attributes.len() + late.count() < crate::MAX_TAG_ATTRIBUTES
            {
                self.attribute_count += 1;
                self.text_bytes += attribute.value.len();
                self.late_attributes.push((id, attribute));
            }
        }
    }
}
