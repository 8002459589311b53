//! What a node says of itself: its text, its source, its attributes, the number of its children.

use super::syntax::{NodeName, Property};
use super::view::{HelPage, has_no_text};
use auslese_markup::{Element, Namespace, Node, NodeId, Tree, html_source};
use std::cell::Cell;

/// The value of a property at a node; none if an attribute is not there.
pub(super) fn value(page: &HelPage<'_>, node: NodeId, property: &Property) -> Option<String> {
    Some(match property {
        Property::Text => text(page, node),
        Property::Source => source(page, node),
        Property::Attribute(name) => return attribute(page.tree.element(node)?, name),
        Property::Number(name) => match name {
            Some(name) => page.children_named(node, name, &Cell::new(0)).count(),
            None => page.children(node).count(),
        }
        .to_string(),
    })
}

/// What reading a property costs, in nodes and bytes looked at.
pub(super) fn cost(page: &HelPage<'_>, node: NodeId, property: &Property) -> u64 {
    match property {
        Property::Text | Property::Source => {
            let nodes = page.tree.subtree(node);
            let bytes = nodes.map(|id| match page.tree.node(id) {
                Node::Text(text) | Node::Comment(text) => 8 + text.len() as u64,
                Node::Element(element) if matches!(property, Property::Source) => {
                    let values = element.attributes().iter().map(|it| it.value.len() as u64 + 8);
                    16 + values.sum::<u64>()
                }
                _ => 8,
            });
            let siblings = page.piece(node).map(|text| text.len() as u64).sum::<u64>();
            bytes.sum::<u64>() + siblings
        }
        Property::Attribute(_) => {
            let attributes = page.tree.attributes(node);
            attributes.iter().map(|attribute| attribute.value.len() as u64 + 1).sum()
        }
        Property::Number(name) => {
            let passed = Cell::new(0);
            let name = name.as_ref().unwrap_or(&NodeName::Text);
            page.children_named(node, name, &passed).for_each(drop);
            passed.get()
        }
    }
}

fn attribute(element: &Element, name: &str) -> Option<String> {
    let found = element.attributes().iter().find(|attribute| {
        let local = attribute.name();
        match name.split_once(':') {
            _ if attribute.namespace() == Namespace::None => local.eq_ignore_ascii_case(name),
            Some((prefix, rest)) => {
                attribute.prefix() == Some(prefix) && local.eq_ignore_ascii_case(rest)
            }
            None => false,
        }
    });
    found.map(|attribute| attribute.value.as_str().to_owned())
}

/// The text of a node, white space normalised. Blocks, cells and line breaks set words apart.
fn text(page: &HelPage<'_>, node: NodeId) -> String {
    let tree = page.tree;
    let mut words = Words::default();
    match tree.node(node) {
        Node::Text(_) => page.piece(node).for_each(|text| words.add(text)),
        Node::Element(_) => collect(tree, node, &mut words),
        _ => {}
    }
    words.text
}

/// Trees are at most [`auslese_markup::MAX_DEPTH`] deep, but stacks may be small; so without recursion.
fn collect(tree: &Tree, top: NodeId, words: &mut Words) {
    let mut at = top;
    loop {
        let mut descend = true;
        match tree.node(at) {
            Node::Text(text) => words.add(text),
            Node::Element(element) => {
                words.boundary(element);
                descend = !has_no_text(element);
            }
            _ => {}
        }
        if descend && let Some(child) = tree.first_child(at) {
            at = child;
            continue;
        }
        loop {
            if let Some(element) = tree.element(at) {
                words.boundary(element);
            }
            if at == top {
                return;
            }
            if let Some(next) = tree.next_sibling(at) {
                at = next;
                break;
            }
            let Some(parent) = tree.parent(at) else { return };
            at = parent;
        }
    }
}

/// Words with one space between them.
#[derive(Default)]
struct Words {
    text: String,
    apart: bool,
}

impl Words {
    fn add(&mut self, text: &str) {
        for (at, word) in text.split(char::is_whitespace).enumerate() {
            self.apart |= at > 0;
            if word.is_empty() {
                continue;
            }
            if std::mem::take(&mut self.apart) && !self.text.is_empty() {
                self.text.push(' ');
            }
            self.text.push_str(word);
        }
    }

    fn boundary(&mut self, element: &Element) {
        self.apart |= element.sets_text_apart();
    }
}

/// The node written as HTML.
fn source(page: &HelPage<'_>, node: NodeId) -> String {
    match page.tree.node(node) {
        Node::Text(_) => page.piece_texts(node).map(|text| html_source(page.tree, text)).collect(),
        _ => html_source(page.tree, node),
    }
}
