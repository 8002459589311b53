//! The tree of a document: an arena in document order.
//!
//! A node's number is its place in document order, so that comparing numbers compares positions,
//! which XPath asks for all the time. A finished tree never changes. No node lies deeper than
//! [`crate::MAX_DEPTH`], so code that walks a tree may recurse.
//!
//! The content of `<template>` are its children here, and attributes are reached through their
//! element in source order: [`Tree::attributes`].

use crate::names::{KNOWN_NAMES, KNOWN_TEXTS, Known, LocalName};
use crate::tree_index::TreeIndex;
use crate::tree_text::TreeText;
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};

/// A node of a [`Tree`]; ordered as in the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The document node, the root of every tree.
    pub const DOCUMENT: NodeId = NodeId(0);

    /// The place in document order, from 0 to the length of the tree.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The place in document order, from 0.
    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

/// What a node is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    Document,
    Doctype { name: TreeText, public_id: TreeText, system_id: TreeText },
    Element(Element),
    Text(TreeText),
    Comment(TreeText),
}

/// An element with its attributes.
#[derive(Debug, Clone)]
pub struct Element {
    pub(crate) name: QualName,
    attributes: AttributeList,
}

/// A name in its vocabulary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QualName {
    pub(crate) ns: Namespace,
    pub(crate) local: LocalName,
}

/// Some attributes in a row among those of a whole tree.
#[derive(Debug, Clone, Default)]
pub(crate) struct AttributeList {
    all: Option<Arc<Vec<Attribute>>>,
    start: u32,
    end: u32,
}

/// An attribute; `value` has its character references resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    pub(crate) name: QualName,
    pub value: TreeText,
}

/// The vocabulary a name belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Namespace {
    /// Attributes have none, as a rule.
    None,
    Html,
    Svg,
    MathMl,
    XLink,
    Xml,
    Xmlns,
}

impl Namespace {
    /// The name as XML knows it; empty for none.
    pub fn uri(self) -> &'static str {
        match self {
            Namespace::None => "",
            Namespace::Html => "http://www.w3.org/1999/xhtml",
            Namespace::Svg => "http://www.w3.org/2000/svg",
            Namespace::MathMl => "http://www.w3.org/1998/Math/MathML",
            Namespace::XLink => "http://www.w3.org/1999/xlink",
            Namespace::Xml => "http://www.w3.org/XML/1998/namespace",
            Namespace::Xmlns => "http://www.w3.org/2000/xmlns/",
        }
    }
}

impl AttributeList {
    /// The attributes from `start` to `end` of all.
    pub(crate) fn within(all: &Arc<Vec<Attribute>>, start: u32, end: u32) -> AttributeList {
        let all = (start < end).then(|| Arc::clone(all));
        AttributeList { all, start, end }
    }

    fn as_slice(&self) -> &[Attribute] {
        match &self.all {
            Some(all) => &all[self.start as usize..self.end as usize],
            None => &[],
        }
    }
}

impl From<Vec<Attribute>> for AttributeList {
    fn from(all: Vec<Attribute>) -> AttributeList {
        let end = u32::try_from(all.len()).expect("the number of attributes is limited");
        AttributeList::within(&Arc::new(all), 0, end)
    }
}

impl PartialEq for Element {
    fn eq(&self, other: &Element) -> bool {
        self.name == other.name && self.attributes() == other.attributes()
    }
}

impl Eq for Element {}

impl Element {
    pub(crate) fn new(name: QualName, attributes: AttributeList) -> Element {
        Element { name, attributes }
    }

    /// The local name: lower case in HTML, as in the standard (`foreignObject`) elsewhere.
    pub fn name(&self) -> &str {
        &self.name.local
    }

    /// The number of its local name, if that is one of [`name_numbers`].
    #[inline]
    pub fn name_number(&self) -> Option<usize> {
        self.name.local.number()
    }

    pub fn namespace(&self) -> Namespace {
        self.name.ns
    }

    /// Whether this is the HTML element of that name.
    pub fn is(&self, name: &str) -> bool {
        self.name.ns == Namespace::Html && *self.name.local == *name
    }

    pub fn attributes(&self) -> &[Attribute] {
        self.attributes.as_slice()
    }

    /// The value of the attribute with that local name and no namespace.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes().iter().find(|attribute| {
            attribute.name.ns == Namespace::None && *attribute.name.local == *name
        });
        found.map(|attribute| &*attribute.value)
    }
}

/// Names of everyday pages by their numbers, which count from 0: for tables by name.
pub fn name_numbers() -> impl Iterator<Item = (usize, &'static str)> {
    KNOWN_TEXTS[..KNOWN_NAMES].iter().copied().enumerate()
}

impl Attribute {
    /// The local name, such as `href` for `xlink:href` in SVG.
    pub fn name(&self) -> &str {
        &self.name.local
    }

    /// The number of its local name, if that is one of [`name_numbers`].
    #[inline]
    pub fn name_number(&self) -> Option<usize> {
        self.name.local.number()
    }

    pub fn namespace(&self) -> Namespace {
        self.name.ns
    }

    /// The prefix as the standard writes it, such as `xlink`.
    pub fn prefix(&self) -> Option<&str> {
        match self.name.ns {
            Namespace::XLink => Some("xlink"),
            Namespace::Xml => Some("xml"),
            Namespace::Xmlns if self.name.local != LocalName::Known(Known::Xmlns) => Some("xmlns"),
            Namespace::Xmlns => Some(""),
            _ => None,
        }
    }
}

/// A finished tree.
#[derive(Debug, Clone)]
pub struct Tree {
    cells: Vec<Cell>,
    /// Controls and their forms, in the order of controls.
    form_owners: Vec<(NodeId, NodeId)>,
    index: OnceLock<TreeIndex>,
    /// The first element of each `id`; made when first asked for.
    identified: OnceLock<FxHashMap<String, NodeId>>,
}

#[derive(Debug, Clone)]
struct Cell {
    node: Node,
    depth: u16,
    parent: Link,
    first_child: Link,
    last_child: Link,
    previous: Link,
    next: Link,
}

/// The number of another node, or none, in half the room of an `Option`.
#[derive(Debug, Clone, Copy)]
struct Link(u32);

impl Link {
    const NONE: Link = Link(u32::MAX);

    fn to(id: NodeId) -> Link {
        Link(id.0)
    }

    fn get(self) -> Option<NodeId> {
        (self.0 != u32::MAX).then_some(NodeId(self.0))
    }
}

impl Tree {
    pub(crate) fn new() -> Tree {
        let mut tree = Tree {
            cells: Vec::new(),
            form_owners: Vec::new(),
            index: OnceLock::new(),
            identified: OnceLock::new(),
        };
        tree.cells.push(Cell::new(Node::Document, Link::NONE, 0));
        tree
    }

    /// Makes room for that many nodes more.
    pub(crate) fn reserve(&mut self, nodes: usize) {
        self.cells.reserve_exact(nodes);
    }

    /// Adds a node after all others. `parent` must be the last node or one of its ancestors:
    /// that is what keeps numbers in document order.
    pub(crate) fn push(&mut self, parent: NodeId, node: Node) -> NodeId {
        let id = NodeId(u32::try_from(self.cells.len()).expect("the number of nodes is limited"));
        let above = &mut self.cells[parent.index()];
        let mut cell = Cell::new(node, Link::to(parent), above.depth + 1);
        cell.previous = std::mem::replace(&mut above.last_child, Link::to(id));
        match cell.previous.get() {
            Some(previous) => self.cells[previous.index()].next = Link::to(id),
            None => above.first_child = Link::to(id),
        }
        self.cells.push(cell);
        id
    }

    /// Sets which forms were open where controls stand in the source.
    pub(crate) fn set_form_owners(&mut self, mut owners: Vec<(NodeId, NodeId)>) {
        owners.sort_unstable();
        self.form_owners = owners;
    }

    /// The form that a control (`input`, `select`, `textarea`, `button`) belongs to: the one that its `form`
    /// attribute names, else the one that was open where it stands in the source, else the innermost around
    /// it. In `<table><form><tr>…` the form has no children in the tree, and all these controls.
    pub fn form_owner(&self, control: NodeId) -> Option<NodeId> {
        let element = self.element(control)?;
        if let Some(name) = element.attribute("form") {
            let named = self.identified.get_or_init(|| self.by_identifier()).get(name);
            return named.copied().filter(|id| self.element(*id).is_some_and(|it| it.is("form")));
        }
        match self.form_owners.binary_search_by_key(&control, |(control, _)| *control) {
            Ok(at) => Some(self.form_owners[at].1),
            Err(_) => self
                .ancestors(control)
                .find(|id| self.element(*id).is_some_and(|element| element.is("form"))),
        }
    }

    /// The first element of each `id`.
    fn by_identifier(&self) -> FxHashMap<String, NodeId> {
        let mut identified = FxHashMap::default();
        for id in self.ids() {
            let name = self.element(id).and_then(|element| element.attribute("id"));
            if let Some(name) = name.filter(|name| !name.is_empty()) {
                identified.entry(name.to_owned()).or_insert(id);
            }
        }
        identified
    }

    pub(crate) fn index(&self) -> &TreeIndex {
        self.index.get_or_init(|| TreeIndex::of(self))
    }

    /// The number of nodes; attributes are not counted.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// A tree always has its document node.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// All nodes in document order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.cells.len() as u32).map(NodeId)
    }

    pub(crate) fn contains(&self, id: NodeId) -> bool {
        id.index() < self.cells.len()
    }

    /// The next node in document order, wherever it stands.
    pub(crate) fn next_in_order(&self, id: NodeId) -> Option<NodeId> {
        Some(NodeId(id.0 + 1)).filter(|next| self.contains(*next))
    }

    /// The first HTML element of that name from `from` on, among nodes deeper than `floor`; and how
    /// many nodes were looked at. This is the innermost loop of XPath.
    pub(crate) fn find_named(
        &self,
        from: NodeId,
        floor: usize,
        name: &LocalName,
    ) -> (Option<NodeId>, usize) {
        let mut looked_at = 0;
        for cell in &self.cells[from.index()..] {
            // The first may be the top itself.
            if looked_at > 0 && usize::from(cell.depth) <= floor {
                break;
            }
            looked_at += 1;
            if let Node::Element(element) = &cell.node
                && element.name.local == *name
                && (matches!(element.name.ns, Namespace::Html | Namespace::None))
            {
                return (Some(NodeId(from.0 + looked_at as u32 - 1)), looked_at);
            }
        }
        (None, looked_at)
    }

    pub(crate) fn previous_in_order(&self, id: NodeId) -> Option<NodeId> {
        id.0.checked_sub(1).map(NodeId)
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.cells[id.index()].node
    }

    pub fn element(&self, id: NodeId) -> Option<&Element> {
        match self.node(id) {
            Node::Element(element) => Some(element),
            _ => None,
        }
    }

    pub fn attributes(&self, id: NodeId) -> &[Attribute] {
        self.element(id).map_or(&[], Element::attributes)
    }

    /// How many ancestors the node has; 0 for the document.
    pub fn depth(&self, id: NodeId) -> usize {
        usize::from(self.cells[id.index()].depth)
    }

    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.cells[id.index()].parent.get()
    }

    pub fn first_child(&self, id: NodeId) -> Option<NodeId> {
        self.cells[id.index()].first_child.get()
    }

    pub fn last_child(&self, id: NodeId) -> Option<NodeId> {
        self.cells[id.index()].last_child.get()
    }

    pub fn previous_sibling(&self, id: NodeId) -> Option<NodeId> {
        self.cells[id.index()].previous.get()
    }

    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        self.cells[id.index()].next.get()
    }

    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.first_child(id), |child| self.next_sibling(*child))
    }

    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.parent(id), |ancestor| self.parent(*ancestor))
    }

    /// The node and all below it, which lie together in document order.
    pub fn subtree(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        let after = std::iter::successors(Some(id), |node| self.parent(*node))
            .find_map(|node| self.next_sibling(node));
        (id.0..after.map_or(self.cells.len() as u32, |after| after.0)).map(NodeId)
    }

    /// The HTML elements of a name, in document order.
    pub fn elements_named(&self, name: &str) -> impl Iterator<Item = (NodeId, &Element)> {
        let name = LocalName::from(name);
        self.ids().filter_map(move |id| {
            let element = self.element(id)?;
            (element.name.ns == Namespace::Html && element.name.local == name)
                .then_some((id, element))
        })
    }

    /// The text of all text nodes below, joined; XPath's string value.
    pub fn string_value(&self, id: NodeId) -> String {
        self.subtree(id)
            .filter_map(|id| match self.node(id) {
                Node::Text(text) => Some(text.as_str()),
                _ => None,
            })
            .collect()
    }
}

impl Cell {
    fn new(node: Node, parent: Link, depth: u16) -> Cell {
        let [first_child, last_child, previous, next] = [Link::NONE; 4];
        Cell { node, depth, parent, first_child, last_child, previous, next }
    }
}
