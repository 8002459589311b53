//! A page as HEL sees it: tags and pieces of text.
//!
//! Comments are not there, text on both sides of one is one piece, and text that is only white space is
//! no piece; otherwise the number of a piece would depend on how the source is indented. Scripts and
//! style sheets have no text. HTML puts a `tbody` around rows, written or not; so the rows of a table
//! are found through `thead`, `tbody` and `tfoot`, and these can be named as well.

use super::syntax::NodeName;
use auslese_markup::{Element, Node, NodeId, Page, Tree};
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// A page made ready for rules; worth keeping if there are several.
#[derive(Debug)]
pub struct HelPage<'t> {
    pub(super) tree: &'t Tree,
    /// Nodes by their names, in the order of the document. A piece of text is known by its first text node.
    named: FxHashMap<NodeName, Vec<NodeId>>,
    is_piece: Vec<bool>,
}

impl<'t> HelPage<'t> {
    pub fn new(page: &'t Page) -> HelPage<'t> {
        HelPage::of_tree(page.tree())
    }

    pub fn of_tree(tree: &'t Tree) -> HelPage<'t> {
        let mut named: FxHashMap<NodeName, Vec<NodeId>> = FxHashMap::default();
        let mut is_piece = vec![false; tree.len()];
        for id in tree.ids() {
            match tree.node(id) {
                Node::Element(element) => named.entry(name_of(element)).or_default().push(id),
                Node::Text(_) if begins_piece(tree, id) => {
                    is_piece[id.index()] = true;
                    named.entry(NodeName::Text).or_default().push(id);
                }
                _ => {}
            }
        }
        HelPage { tree, named, is_piece }
    }

    /// The nodes of a name that follow a node in the document, those inside it first.
    pub(super) fn following(&self, node: NodeId, name: &NodeName) -> &[NodeId] {
        let all = self.named.get(name).map_or(&[][..], Vec::as_slice);
        &all[all.partition_point(|id| *id <= node)..]
    }

    /// The children of a node: tags and pieces of text.
    pub(super) fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        self.tree.children(node).filter(|child| match self.tree.node(*child) {
            Node::Element(_) => true,
            Node::Text(_) => self.is_piece[child.index()],
            _ => false,
        })
    }

    /// The children of a name; the rows of a table also through its sections. `passed` counts the nodes
    /// that were looked at.
    pub(super) fn children_named(
        &self,
        node: NodeId,
        name: &NodeName,
        passed: &Cell<u64>,
    ) -> impl Iterator<Item = NodeId> {
        let through = matches!(name, NodeName::Tag(tag) if tag == "tr")
            && self.tree.element(node).is_some_and(|element| element.is("table"));
        let count = move |_: &NodeId| passed.set(passed.get() + 1);
        self.tree
            .children(node)
            .inspect(count)
            .flat_map(move |child| {
                let section = through && self.is_section(child);
                let rows = section.then(|| self.tree.children(child).inspect(count));
                rows.into_iter().flatten().chain((!section).then_some(child))
            })
            .filter(move |child| self.has_name(*child, name))
    }

    pub(super) fn is_section(&self, node: NodeId) -> bool {
        let element = self.tree.element(node);
        element.is_some_and(|it| ["thead", "tbody", "tfoot"].iter().any(|name| it.is(name)))
    }

    fn has_name(&self, node: NodeId, name: &NodeName) -> bool {
        match (self.tree.node(node), name) {
            (Node::Element(element), NodeName::Tag(tag)) => {
                element.name().eq_ignore_ascii_case(tag)
            }
            (Node::Text(_), NodeName::Text) => self.is_piece[node.index()],
            _ => false,
        }
    }

    /// Whether a text is the first of a piece.
    pub(super) fn is_piece(&self, node: NodeId) -> bool {
        self.is_piece[node.index()]
    }

    /// The texts that make up a piece.
    pub(super) fn piece(&self, first: NodeId) -> impl Iterator<Item = &'t str> {
        piece(self.tree, first)
    }

    /// The text nodes that make up a piece.
    pub(super) fn piece_texts(&self, first: NodeId) -> impl Iterator<Item = NodeId> {
        let nodes = piece_nodes(self.tree, first);
        nodes.filter(|node| matches!(self.tree.node(*node), Node::Text(_)))
    }
}

pub(super) fn name_of(element: &Element) -> NodeName {
    NodeName::Tag(element.name().to_ascii_lowercase())
}

/// Programs and style sheets are no text, wherever they stand.
pub(super) fn has_no_text(element: &Element) -> bool {
    matches!(element.name(), "script" | "style")
}

/// Whether a text is the first of a piece that is more than white space.
fn begins_piece(tree: &Tree, id: NodeId) -> bool {
    let mut before =
        std::iter::successors(tree.previous_sibling(id), |node| tree.previous_sibling(*node));
    let follows_text = before
        .by_ref()
        .take_while(|node| matches!(tree.node(*node), Node::Comment(_) | Node::Text(_)))
        .any(|node| matches!(tree.node(node), Node::Text(_)));
    let parent = tree.parent(id).and_then(|parent| tree.element(parent));
    !follows_text
        && parent.is_some_and(|parent| !has_no_text(parent))
        && piece(tree, id).any(|text| !text.trim().is_empty())
}

fn piece(tree: &Tree, first: NodeId) -> impl Iterator<Item = &str> {
    piece_nodes(tree, first).filter_map(|node| match tree.node(node) {
        Node::Text(text) => Some(text.as_str()),
        _ => None,
    })
}

/// The nodes from the first text of a piece to its last; comments may be among them.
fn piece_nodes(tree: &Tree, first: NodeId) -> impl Iterator<Item = NodeId> {
    let siblings = std::iter::successors(Some(first), |node| tree.next_sibling(*node));
    siblings.take_while(|node| matches!(tree.node(*node), Node::Text(_) | Node::Comment(_)))
}
