//! The nodes along an axis, and whether one passes a node test.
//!
//! Nodes come in the order of the axis: backwards for `ancestor`, `preceding` and the like. The
//! doctype is no node to XPath; it passes no test. The namespace axis is empty.

use super::expression::{Axis, NameTest, NodeTest, Prefix};
use super::node::{XPathNode, attribute_name, declares_namespace};
use crate::names::LocalName;
use crate::tree::Namespace;
use crate::tree::{Attribute, Element, Node, NodeId, Tree};

/// The nodes along an axis.
pub(super) struct AxisNodes<'t> {
    tree: &'t Tree,
    walk: Walk,
}

enum Walk {
    One(Option<XPathNode>),
    NextSiblings(Option<NodeId>),
    PreviousSiblings(Option<NodeId>),
    /// In document order while deeper than the floor.
    Below {
        at: Option<NodeId>,
        floor: usize,
    },
    /// In document order to the end.
    Rest(Option<NodeId>),
    Upwards(Option<XPathNode>),
    /// Against document order, without ancestors.
    Before {
        at: Option<NodeId>,
        ancestor: Option<NodeId>,
    },
    Attributes {
        element: NodeId,
        index: u32,
    },
    /// What an index of the tree knows.
    Listed(std::vec::IntoIter<NodeId>),
}

impl<'t> AxisNodes<'t> {
    pub(super) fn new(tree: &'t Tree, axis: Axis, from: XPathNode) -> AxisNodes<'t> {
        let walk = match from {
            XPathNode::Node(id) => from_node(tree, axis, id),
            XPathNode::Attribute { element, .. } => from_attribute(tree, axis, from, element),
        };
        AxisNodes { tree, walk }
    }

    /// Elements that were found already, in document order.
    pub(super) fn listed(tree: &'t Tree, elements: Vec<NodeId>) -> AxisNodes<'t> {
        AxisNodes { tree, walk: Walk::Listed(elements.into_iter()) }
    }
}

fn from_node(tree: &Tree, axis: Axis, id: NodeId) -> Walk {
    match axis {
        Axis::Itself => Walk::One(Some(XPathNode::Node(id))),
        Axis::Parent => Walk::One(tree.parent(id).map(XPathNode::Node)),
        Axis::Child => Walk::NextSiblings(tree.first_child(id)),
        Axis::Descendant => Walk::Below { at: tree.first_child(id), floor: tree.depth(id) },
        Axis::DescendantOrSelf => Walk::Below { at: Some(id), floor: tree.depth(id) },
        Axis::Ancestor => Walk::Upwards(tree.parent(id).map(XPathNode::Node)),
        Axis::AncestorOrSelf => Walk::Upwards(Some(XPathNode::Node(id))),
        Axis::FollowingSibling => Walk::NextSiblings(tree.next_sibling(id)),
        Axis::PrecedingSibling => Walk::PreviousSiblings(tree.previous_sibling(id)),
        Axis::Following => Walk::Rest(after_subtree(tree, id)),
        Axis::Preceding => {
            Walk::Before { at: tree.previous_in_order(id), ancestor: tree.parent(id) }
        }
        Axis::Attribute => Walk::Attributes { element: id, index: 0 },
        Axis::Namespace => Walk::One(None),
    }
}

fn from_attribute(tree: &Tree, axis: Axis, attribute: XPathNode, element: NodeId) -> Walk {
    match axis {
        Axis::Itself | Axis::DescendantOrSelf => Walk::One(Some(attribute)),
        Axis::Parent => Walk::One(Some(XPathNode::Node(element))),
        Axis::Ancestor => Walk::Upwards(Some(XPathNode::Node(element))),
        Axis::AncestorOrSelf => Walk::Upwards(Some(attribute)),
        // What is below the element comes after its attributes.
        Axis::Following => Walk::Rest(tree.next_in_order(element)),
        Axis::Preceding => from_node(tree, Axis::Preceding, element),
        _ => Walk::One(None),
    }
}

/// The first node behind everything below `id`.
pub(super) fn after_subtree(tree: &Tree, id: NodeId) -> Option<NodeId> {
    std::iter::successors(Some(id), |node| tree.parent(*node))
        .find_map(|node| tree.next_sibling(node))
}

impl Iterator for AxisNodes<'_> {
    type Item = XPathNode;

    fn next(&mut self) -> Option<XPathNode> {
        let tree = self.tree;
        let id = match &mut self.walk {
            Walk::One(node) => return node.take(),
            Walk::Upwards(at) => {
                let node = (*at)?;
                *at = match node {
                    XPathNode::Node(id) => tree.parent(id).map(XPathNode::Node),
                    XPathNode::Attribute { element, .. } => Some(XPathNode::Node(element)),
                };
                return Some(node);
            }
            Walk::Attributes { element, index } => return next_attribute(tree, *element, index),
            Walk::Listed(elements) => elements.next()?,
            Walk::NextSiblings(at) => {
                let id = (*at)?;
                *at = tree.next_sibling(id);
                id
            }
            Walk::PreviousSiblings(at) => {
                let id = (*at)?;
                *at = tree.previous_sibling(id);
                id
            }
            Walk::Below { at, floor } => {
                let id = (*at)?;
                *at = tree.next_in_order(id).filter(|next| tree.depth(*next) > *floor);
                id
            }
            Walk::Rest(at) => {
                let id = (*at)?;
                *at = tree.next_in_order(id);
                id
            }
            Walk::Before { at, ancestor } => {
                while at.is_some() && *at == *ancestor {
                    *at = at.and_then(|id| tree.previous_in_order(id));
                    *ancestor = ancestor.and_then(|id| tree.parent(id));
                }
                let id = (*at)?;
                *at = tree.previous_in_order(id);
                id
            }
        };
        Some(XPathNode::Node(id))
    }
}

impl AxisNodes<'_> {
    /// The next node that passes the test; adds to `looked_at` how many were tried.
    pub(super) fn next_passing(
        &mut self,
        axis: Axis,
        test: &NodeTest,
        looked_at: &mut u64,
    ) -> Option<XPathNode> {
        // Listed elements were chosen by the test.
        if let Walk::Listed(elements) = &mut self.walk {
            *looked_at += 1;
            return elements.next().map(XPathNode::Node);
        }
        if let NodeTest::Name(plain @ NameTest { prefix: None, local: Some(name) }) = test {
            match self.walk {
                Walk::Below { .. } => return self.next_named(name, looked_at),
                Walk::Attributes { .. } => return self.next_attribute_named(plain, looked_at),
                _ => {}
            }
        }
        loop {
            let node = self.next()?;
            *looked_at += 1;
            if passes(self.tree, axis, test, node) {
                return Some(node);
            }
        }
    }

    /// The next element below of that name.
    fn next_named(&mut self, name: &LocalName, looked_at: &mut u64) -> Option<XPathNode> {
        let Walk::Below { at, floor } = &mut self.walk else { return None };
        let tree = self.tree;
        let (found, count) = tree.find_named((*at)?, *floor, name);
        *looked_at += count as u64;
        *at = found.and_then(|id| tree.next_in_order(id)).filter(|next| tree.depth(*next) > *floor);
        found.map(XPathNode::Node)
    }

    /// The next attribute that passes a test without prefix.
    fn next_attribute_named(&mut self, test: &NameTest, looked_at: &mut u64) -> Option<XPathNode> {
        let Walk::Attributes { element: id, index } = &mut self.walk else { return None };
        let element = self.tree.element(*id)?;
        while let Some(attribute) = element.attributes().get(*index as usize) {
            *index += 1;
            *looked_at += 1;
            if test.is_of_attribute(element, attribute) && !declares_namespace(attribute) {
                return Some(XPathNode::Attribute { element: *id, index: *index - 1 });
            }
        }
        None
    }
}

fn next_attribute(tree: &Tree, element: NodeId, index: &mut u32) -> Option<XPathNode> {
    loop {
        let attribute = tree.attributes(element).get(*index as usize)?;
        let node = XPathNode::Attribute { element, index: *index };
        *index += 1;
        if !declares_namespace(attribute) {
            return Some(node);
        }
    }
}

/// Whether a node that was reached along the axis passes the test.
pub(super) fn passes(tree: &Tree, axis: Axis, test: &NodeTest, node: XPathNode) -> bool {
    match (test, node) {
        (NodeTest::Any, XPathNode::Attribute { .. }) => true,
        (NodeTest::Any, XPathNode::Node(id)) => !matches!(tree.node(id), Node::Doctype { .. }),
        (NodeTest::Text, XPathNode::Node(id)) => matches!(tree.node(id), Node::Text(_)),
        (NodeTest::Comment, XPathNode::Node(id)) => matches!(tree.node(id), Node::Comment(_)),
        (NodeTest::Star, XPathNode::Node(id)) => tree.element(id).is_some(),
        (NodeTest::Name(name), XPathNode::Node(id)) => {
            tree.element(id).is_some_and(|element| name.is_of_element(element))
        }
        // Names speak of attributes on their own axis only.
        (_, XPathNode::Attribute { .. }) if axis != Axis::Attribute => false,
        (NodeTest::Star, XPathNode::Attribute { .. }) => true,
        (NodeTest::Name(name), XPathNode::Attribute { element, index }) => {
            let Some(element) = tree.element(element) else { return false };
            let attribute = element.attributes().get(index as usize);
            attribute.is_some_and(|attribute| name.is_of_attribute(element, attribute))
        }
        (NodeTest::Text | NodeTest::Comment | NodeTest::Instruction, _) => false,
    }
}

impl NameTest {
    /// Upper and lower case are the same in names.
    pub(super) fn new(prefix: Option<&str>, local: Option<&str>) -> NameTest {
        let local = local.map(str::to_ascii_lowercase);
        let prefix = prefix.map(str::to_ascii_lowercase).filter(|prefix| prefix != "html");
        let prefix = prefix.map(|prefix| Prefix {
            namespace: known_prefix(&prefix),
            literal: local.as_ref().map(|local| LocalName::from(format!("{prefix}:{local}"))),
            written: format!("{prefix}:"),
        });
        NameTest { prefix, local: local.map(LocalName::from) }
    }

    pub(super) fn is_of_element(&self, element: &Element) -> bool {
        let plain = element.name.ns == Namespace::Html || element.name.ns == Namespace::None;
        match &self.prefix {
            None => plain && self.local.as_ref().is_none_or(|local| element.name.local == *local),
            Some(prefix) if plain => prefix.is_written_in(&element.name.local),
            Some(prefix) => {
                prefix.namespace.as_ref() == Some(&element.name.ns)
                    && self.is_local(&element.name.local)
            }
        }
    }

    fn is_of_attribute(&self, element: &Element, attribute: &Attribute) -> bool {
        let name = &attribute.name;
        let Some(prefix) = &self.prefix else {
            let Some(local) = &self.local else { return true };
            return name.ns == Namespace::None
                && (name.local == *local
                    // Only there names have capitals, such as `viewBox`.
                    || element.name.ns == Namespace::Svg && name.local.eq_ignore_ascii_case(local));
        };
        let (namespace, local) = attribute_name(attribute);
        if namespace != Namespace::None && prefix.namespace.as_ref() == Some(&namespace) {
            return self.local.as_ref().is_none_or(|own| local.eq_ignore_ascii_case(own));
        }
        name.ns == Namespace::None && prefix.is_written_in(&name.local)
    }

    fn is_local(&self, name: &LocalName) -> bool {
        self.local.as_ref().is_none_or(|own| own == name || name.eq_ignore_ascii_case(own))
    }
}

impl Prefix {
    /// Whether a name of HTML, which knows no prefixes, looks as if it had this one.
    fn is_written_in(&self, name: &LocalName) -> bool {
        match &self.literal {
            Some(literal) => name == literal,
            None => name.starts_with(&self.written),
        }
    }
}

/// The prefixes that need not be declared.
fn known_prefix(prefix: &str) -> Option<Namespace> {
    Some(match prefix {
        "svg" => Namespace::Svg,
        "math" => Namespace::MathMl,
        "xlink" => Namespace::XLink,
        "xml" => Namespace::Xml,
        _ => return None,
    })
}
