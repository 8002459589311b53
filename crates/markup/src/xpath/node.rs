//! The nodes of a tree as XPath sees them.
//!
//! HTML elements have no namespace here, so that a name without prefix finds them; elements of SVG
//! and MathML have theirs, with the prefixes `svg` and `math`. Declarations of namespaces are no
//! attributes, and `xml:lang` is an attribute of XML's namespace also where HTML knows none.

use crate::tree::Namespace;
use crate::tree::{Attribute, Node, NodeId, Tree};
use std::borrow::Cow;
use std::cmp::Ordering;

/// A node or an attribute; ordered as in the document, attributes after their element and before
/// its children.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum XPathNode {
    Node(NodeId),
    Attribute {
        element: NodeId,
        /// The place in [`Tree::attributes`].
        index: u32,
    },
}

impl XPathNode {
    /// The root of every tree.
    pub const DOCUMENT: XPathNode = XPathNode::Node(NodeId::DOCUMENT);

    /// The node, or the element of the attribute.
    pub fn anchor(self) -> NodeId {
        match self {
            XPathNode::Node(id) | XPathNode::Attribute { element: id, .. } => id,
        }
    }

    pub(super) fn attribute(self, tree: &Tree) -> Option<&Attribute> {
        match self {
            XPathNode::Node(_) => None,
            XPathNode::Attribute { element, index } => tree.attributes(element).get(index as usize),
        }
    }

    /// The text of an element and all below it; the value of an attribute; the text of a comment.
    pub fn string_value(self, tree: &Tree) -> Cow<'_, str> {
        match self {
            XPathNode::Attribute { .. } => {
                Cow::Borrowed(self.attribute(tree).map_or("", |attribute| &attribute.value))
            }
            XPathNode::Node(id) => match tree.node(id) {
                Node::Text(text) | Node::Comment(text) => Cow::Borrowed(text),
                Node::Doctype { .. } => Cow::Borrowed(""),
                Node::Document | Node::Element(_) => match only_text(tree, id) {
                    Some(text) => Cow::Borrowed(text),
                    None => Cow::Owned(tree.string_value(id)),
                },
            },
        }
    }

    /// The name with its prefix, such as `h1`, `svg:title` or `xlink:href`; empty for what has no
    /// name.
    pub fn name(self, tree: &Tree) -> Cow<'_, str> {
        let (namespace, local) = self.expanded_name(tree);
        match usual_prefix(&namespace) {
            Some(prefix) => Cow::Owned(format!("{prefix}:{local}")),
            None => Cow::Borrowed(local),
        }
    }

    /// The namespace, which HTML elements do not have, and the local name.
    pub(crate) fn expanded_name(self, tree: &Tree) -> (Namespace, &str) {
        match self {
            XPathNode::Attribute { .. } => match self.attribute(tree) {
                Some(attribute) => attribute_name(attribute),
                None => (Namespace::None, ""),
            },
            XPathNode::Node(id) => match tree.element(id) {
                Some(element) if element.name.ns == Namespace::Html => {
                    (Namespace::None, &element.name.local)
                }
                Some(element) => (element.name.ns, &element.name.local),
                None => (Namespace::None, ""),
            },
        }
    }

    fn order(self) -> (NodeId, u64) {
        match self {
            XPathNode::Node(id) => (id, 0),
            XPathNode::Attribute { element, index } => (element, u64::from(index) + 1),
        }
    }
}

impl PartialOrd for XPathNode {
    fn partial_cmp(&self, other: &XPathNode) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for XPathNode {
    fn cmp(&self, other: &XPathNode) -> Ordering {
        self.order().cmp(&other.order())
    }
}

impl From<NodeId> for XPathNode {
    fn from(id: NodeId) -> XPathNode {
        XPathNode::Node(id)
    }
}

/// The namespace and local name of an attribute. HTML's parser leaves `xml:lang` in one piece.
pub(crate) fn attribute_name(attribute: &Attribute) -> (Namespace, &str) {
    let name = &attribute.name;
    if name.ns == Namespace::None && *name.local == *"xml:lang" {
        return (Namespace::Xml, "lang");
    }
    (name.ns, &name.local)
}

/// Whether the attribute declares a namespace, and so is no attribute to XPath.
pub(crate) fn declares_namespace(attribute: &Attribute) -> bool {
    match attribute.name.ns {
        Namespace::Xmlns => true,
        Namespace::None => {
            let declared = attribute.name.local.strip_prefix("xmlns");
            declared.is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
        }
        _ => false,
    }
}

/// The prefix under which a namespace is known from the start.
pub(crate) fn usual_prefix(namespace: &Namespace) -> Option<&'static str> {
    match *namespace {
        Namespace::Svg => Some("svg"),
        Namespace::MathMl => Some("math"),
        Namespace::XLink => Some("xlink"),
        Namespace::Xml => Some("xml"),
        _ => None,
    }
}

/// The text of an element that holds nothing but one text.
pub(super) fn only_text(tree: &Tree, id: NodeId) -> Option<&str> {
    let Some(child) = tree.first_child(id) else { return Some("") };
    match tree.node(child) {
        Node::Text(text) if tree.next_sibling(child).is_none() => Some(text),
        _ => None,
    }
}
