//! Names the place of a node by a path that leads back to it.

use super::axes::{AxisNodes, passes};
use super::expression::{Axis, NameTest, NodeTest};
use super::node::XPathNode;
use super::tokens::is_name;
use crate::tree::{Namespace, Node, NodeId, Tree};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The path of a node, such as `/html/body/div[2]/h1`, `/html/@lang` or `/comment()`. Evaluated, it
/// yields that node and no other. Numbers stand only where several siblings have the same name.
/// The doctype, which is no node to XPath, is named by its parent.
///
/// The siblings of the node and of its ancestors are looked at, so a path takes time in wide trees.
pub fn path_of(tree: &Tree, node: XPathNode) -> String {
    Places::of(tree).path_of(node)
}

/// Names places of one tree. What stands in the same element has the same beginning, which is found once.
#[derive(Debug)]
pub struct Places<'t> {
    tree: &'t Tree,
    known: FxHashMap<NodeId, Rc<str>>,
}

impl<'t> Places<'t> {
    pub fn of(tree: &'t Tree) -> Places<'t> {
        Places { tree, known: FxHashMap::default() }
    }

    /// The path of a node, as [`path_of`] says it.
    pub fn path_of(&mut self, node: XPathNode) -> String {
        let path = self.path_to(node.anchor());
        match node {
            XPathNode::Attribute { .. } => {
                format!("{path}/@{}", segment(self.tree, Axis::Attribute, node))
            }
            XPathNode::Node(_) if path.is_empty() => "/".to_owned(),
            XPathNode::Node(_) => String::from(&*path),
        }
    }

    /// The path of a node; empty for the document. Trees are no deeper than recursion may go.
    fn path_to(&mut self, id: NodeId) -> Rc<str> {
        if let Some(known) = self.known.get(&id) {
            return Rc::clone(known);
        }
        let Some(parent) = self.tree.parent(id) else { return "".into() };
        let above = self.path_to(parent);
        if matches!(self.tree.node(id), Node::Doctype { .. }) {
            return above;
        }
        let path: Rc<str> =
            [&above, "/", &segment(self.tree, Axis::Child, XPathNode::Node(id))].concat().into();
        self.known.insert(id, Rc::clone(&path));
        path
    }
}

fn segment(tree: &Tree, axis: Axis, node: XPathNode) -> String {
    if let XPathNode::Node(id) = node
        && let Some(segment) = plain_segment(tree, id)
    {
        return segment;
    }
    let (test, words) = test_for(tree, node);
    let parent = match node {
        XPathNode::Node(id) => tree.parent(id).unwrap_or(NodeId::DOCUMENT),
        XPathNode::Attribute { element, .. } => element,
    };
    let siblings = AxisNodes::new(tree, axis, XPathNode::Node(parent));
    let (mut place, mut count) = (0, 0);
    for sibling in siblings.filter(|sibling| passes(tree, axis, &test, *sibling)) {
        count += 1;
        if sibling == node {
            place = count;
        }
    }
    if count == 1 { words } else { format!("{words}[{place}]") }
}

/// The same for an element of HTML with a plain name, as nearly all are.
fn plain_segment(tree: &Tree, id: NodeId) -> Option<String> {
    let name = &tree.element(id).filter(|element| element.name.ns == Namespace::Html)?.name.local;
    if !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) || !is_name(name) {
        return None;
    }
    let is_same = |sibling: &NodeId| {
        let element = tree.element(*sibling);
        element.is_some_and(|it| {
            it.name.local == *name
                && (it.name.ns == Namespace::Html || it.name.ns == Namespace::None)
        })
    };
    let before = std::iter::successors(tree.previous_sibling(id), |it| tree.previous_sibling(*it));
    let mut after = std::iter::successors(tree.next_sibling(id), |it| tree.next_sibling(*it));
    match before.filter(is_same).count() {
        0 if !after.any(|sibling| is_same(&sibling)) => Some(name.to_string()),
        before => Some(format!("{}[{}]", &**name, before + 1)),
    }
}

/// The narrowest test that an expression can hold for the node.
fn test_for(tree: &Tree, node: XPathNode) -> (NodeTest, String) {
    if let XPathNode::Node(id) = node {
        match tree.node(id) {
            Node::Text(_) => return (NodeTest::Text, "text()".to_owned()),
            Node::Comment(_) => return (NodeTest::Comment, "comment()".to_owned()),
            _ => {}
        }
    }
    let name = node.name(tree);
    match name.split_once(':') {
        None if is_name(&name) => {
            (NodeTest::Name(NameTest::new(None, Some(&name))), name.into_owned())
        }
        Some((prefix, local)) if is_name(prefix) && is_name(local) => {
            (NodeTest::Name(NameTest::new(Some(prefix), Some(local))), name.into_owned())
        }
        _ => (NodeTest::Star, "*".to_owned()),
    }
}
