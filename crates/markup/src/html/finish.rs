//! Makes a [`Tree`] of what was built: in document order, and not too deep.

use super::arena::{Arena, Content, DOCUMENT, Id, NONE, RawAttribute, Span};
use super::interner::{Interner, Name};
use crate::names::{Known, LocalName};
use crate::tree::{Attribute, AttributeList, Element, Node, NodeId, QualName, Tree};
use crate::tree_text::TreeText;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::Arc;

/// The finished tree, and whether it had to be flattened. `source` is that of the arena.
pub(super) fn finish(
    source: Cow<'_, str>,
    mut parts: Parts,
    interner: &Interner,
    max_depth: usize,
) -> (Tree, bool) {
    parts.join_texts(&source);
    let Parts { nodes, attributes, late_attributes, doctypes, extra, form_owners, .. } = parts;
    let mut copies = Copies::of(&form_owners);
    // Spans count on from the source into what was written anew. That is kept apart, so that no page is copied.
    let (written, resolved) = (Arc::new(source.into_owned()), Arc::new(extra));
    let names: Vec<LocalName> =
        interner.names.iter().map(|name| LocalName::from(&**name)).collect();
    let text = |span: Span| match span.start.checked_sub(written.len() as u32) {
        Some(start) => TreeText::within(&resolved, start, start + span.len() as u32),
        None => TreeText::within(&written, span.start, span.end),
    };
    let local = |name: Name| match name.known {
        Known::Other => names[name.other as usize].clone(),
        known => LocalName::Known(known),
    };
    let attribute = |raw: &RawAttribute| Attribute {
        name: QualName { ns: raw.namespace, local: local(raw.name) },
        value: text(raw.value),
    };
    let attributes: Arc<Vec<Attribute>> = Arc::new(attributes.iter().map(attribute).collect());
    let mut late_owners: Vec<Id> = late_attributes.iter().map(|late| late.0).collect();
    late_owners.dedup();
    let list_of = |id: Id, span: Span| {
        if !late_owners.contains(&id) {
            return AttributeList::within(&attributes, span.start, span.end);
        }
        let late = late_attributes.iter().filter(|late| late.0 == id);
        let own = attributes[span.range()].iter().cloned();
        AttributeList::from(own.chain(late.map(|late| attribute(&late.1))).collect::<Vec<_>>())
    };

    let mut tree = Tree::new();
    tree.reserve(nodes.len());
    let mut flattened = false;
    // The node to copy next, and where it goes; what is still to be done above it.
    let (mut at, mut parent) = (nodes[DOCUMENT as usize].first_child, NodeId::DOCUMENT);
    let mut above: Vec<(Id, NodeId)> = Vec::new();
    loop {
        if at == NONE {
            match above.pop() {
                Some(next) => (at, parent) = next,
                None => break,
            }
            continue;
        }
        let sprout = &nodes[at as usize];
        let node = match sprout.content {
            Content::Element { name, namespace, attributes } => {
                let name = QualName { ns: namespace, local: local(name) };
                Node::Element(Element::new(name, list_of(at, attributes)))
            }
            Content::Text { first, .. } => Node::Text(text(first)),
            Content::Comment(span) => Node::Comment(text(span)),
            Content::Doctype(number) => {
                let [name, public_id, system_id] =
                    doctypes[number as usize].clone().map(TreeText::from);
                Node::Doctype { name, public_id, system_id }
            }
            Content::Document => Node::Document,
        };
        let copy = tree.push(parent, node);
        copies.note(at, copy);
        if sprout.first_child == NONE {
            at = sprout.next;
            continue;
        }
        above.push((sprout.next, parent));
        at = sprout.first_child;
        if tree.depth(copy) < max_depth {
            parent = copy;
        } else {
            // The children become siblings that follow.
            flattened = true;
        }
    }
    tree.set_form_owners(copies.pairs(&form_owners));
    (tree, flattened)
}

/// Where forms and their controls went.
struct Copies(FxHashMap<Id, Option<NodeId>>);

impl Copies {
    fn of(form_owners: &[(Id, Id)]) -> Copies {
        Copies(
            form_owners
                .iter()
                .flat_map(|(control, form)| [*control, *form])
                .map(|id| (id, None))
                .collect(),
        )
    }

    fn note(&mut self, id: Id, copy: NodeId) {
        if !self.0.is_empty()
            && let Some(noted) = self.0.get_mut(&id)
        {
            *noted = Some(copy);
        }
    }

    /// The pairs of which both are in the tree.
    fn pairs(&self, form_owners: &[(Id, Id)]) -> Vec<(NodeId, NodeId)> {
        let copy = |id: &Id| self.0.get(id).copied().flatten();
        form_owners
            .iter()
            .filter_map(|(control, form)| Some((copy(control)?, copy(form)?)))
            .collect()
    }
}

/// What an arena leaves behind when nothing is added to it any more.
pub(super) struct Parts {
    nodes: Vec<super::arena::Sprout>,
    pieces: Vec<super::arena::Piece>,
    attributes: Vec<RawAttribute>,
    late_attributes: Vec<(Id, RawAttribute)>,
    doctypes: Vec<[String; 3]>,
    form_owners: Vec<(Id, Id)>,
    extra: String,
}

impl Parts {
    pub(super) fn of(arena: Arena<'_>) -> Parts {
        let Arena {
            nodes, pieces, attributes, late_attributes, doctypes, form_owners, extra, ..
        } = arena;
        Parts { nodes, pieces, attributes, late_attributes, doctypes, form_owners, extra }
    }

    /// Puts texts that came in several pieces into one.
    fn join_texts(&mut self, source: &str) {
        if self.pieces.is_empty() {
            return;
        }
        let text_of = |span: Span, extra: &mut String| {
            let (start, end) = (span.start as usize, span.end as usize);
            if start >= source.len() {
                extra.extend_from_within(start - source.len()..end - source.len());
            } else {
                extra.push_str(&source[start..end]);
            }
        };
        for sprout in &mut self.nodes {
            let Content::Text { first, more, .. } = &mut sprout.content else { continue };
            if *more == NONE {
                continue;
            }
            let start = self.extra.len();
            text_of(*first, &mut self.extra);
            let mut piece = *more;
            while piece != NONE {
                text_of(self.pieces[piece as usize].span, &mut self.extra);
                piece = self.pieces[piece as usize].next;
            }
            *first = Span::new(source.len() + start, source.len() + self.extra.len());
        }
    }
}
