//! The tree while html5ever builds it: nodes are created, moved and cut off in any order.
//!
//! When the parser is done, [`Growing::into_tree`] copies what hangs on the document into a
//! [`Tree`] in document order and flattens what lies too deep. Everything here is bounded: see
//! [`Limits`].

use crate::parse_errors::ParseErrors;
use crate::tree::{Attribute, Element, Node, NodeId, Tree};
use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{LocalName, Namespace, QualName};
use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};

/// What a tree may hold. Past any of these, parsing stops with an oddity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    pub(crate) nodes: usize,
    pub(crate) attributes: usize,
    pub(crate) text_bytes: usize,
    pub(crate) depth: usize,
}

/// A limit that was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Full {
    Nodes,
    Attributes,
    Text,
}

#[derive(Debug)]
pub(crate) struct Growing {
    pub(crate) errors: ParseErrors,
    limits: Limits,
    nodes: RefCell<Vec<Sprout>>,
    attributes: Cell<usize>,
    text_bytes: Cell<usize>,
}

#[derive(Debug)]
struct Sprout {
    content: Content,
    parent: Link,
    first_child: Link,
    last_child: Link,
    previous: Link,
    next: Link,
}

type Link = Option<u32>;

#[derive(Debug)]
enum Content {
    Node(Node),
    /// Holds HTML though it is MathML.
    Annotation(Node),
}

impl Content {
    fn node(&self) -> &Node {
        match self {
            Content::Node(node) | Content::Annotation(node) => node,
        }
    }
}

const DOCUMENT: u32 = 0;

impl Growing {
    pub(crate) fn new(limits: Limits) -> Growing {
        let growing = Growing {
            errors: ParseErrors::default(),
            limits,
            nodes: RefCell::new(Vec::new()),
            attributes: Cell::new(0),
            text_bytes: Cell::new(0),
        };
        growing.add(Content::Node(Node::Document));
        growing
    }

    /// The limit that was reached, if any.
    pub(crate) fn full(&self) -> Option<Full> {
        if self.nodes.borrow().len() >= self.limits.nodes {
            Some(Full::Nodes)
        } else if self.attributes.get() >= self.limits.attributes {
            Some(Full::Attributes)
        } else if self.text_bytes.get() >= self.limits.text_bytes {
            Some(Full::Text)
        } else {
            None
        }
    }

    /// The finished tree, what was wrong in the page, and whether the tree had to be flattened.
    pub(crate) fn into_tree(self) -> (Tree, ParseErrors, bool) {
        let mut nodes = self.nodes.into_inner();
        let mut tree = Tree::new();
        let mut flattened = false;
        // The node to copy next, and where it goes.
        let mut todo = vec![(nodes[DOCUMENT as usize].first_child, NodeId::DOCUMENT)];
        while let Some((link, parent)) = todo.pop() {
            let Some(id) = link else { continue };
            let sprout = &mut nodes[id as usize];
            let (next, first_child) = (sprout.next, sprout.first_child);
            let empty = Content::Node(Node::Document);
            let (Content::Node(node) | Content::Annotation(node)) =
                std::mem::replace(&mut sprout.content, empty);
            todo.push((next, parent));
            let copy = tree.push(parent, node);
            if tree.depth(copy) < self.limits.depth {
                todo.push((first_child, copy));
            } else if first_child.is_some() {
                // The children become siblings that follow.
                flattened = true;
                todo.push((first_child, parent));
            }
        }
        (tree, self.errors, flattened)
    }

    fn add(&self, content: Content) -> u32 {
        let mut nodes = self.nodes.borrow_mut();
        // The limit on nodes is far below; one token adds a bounded number after it is reached.
        let id = u32::try_from(nodes.len()).unwrap_or(u32::MAX);
        let (parent, first_child, last_child, previous, next) = (None, None, None, None, None);
        nodes.push(Sprout { content, parent, first_child, last_child, previous, next });
        id
    }

    fn kept(&self, text: &str) -> Box<str> {
        self.text_bytes.set(self.text_bytes.get() + text.len());
        text.into()
    }

    fn attribute(&self, attribute: html5ever::Attribute) -> Attribute {
        self.attributes.set(self.attributes.get() + 1);
        Attribute { name: attribute.name, value: self.kept(&attribute.value) }
    }

    fn detach(&self, id: u32) {
        let nodes = &mut *self.nodes.borrow_mut();
        let sprout = &mut nodes[id as usize];
        let (parent, previous, next) =
            (sprout.parent.take(), sprout.previous.take(), sprout.next.take());
        let Some(parent) = parent else { return };
        match previous {
            Some(previous) => nodes[previous as usize].next = next,
            None => nodes[parent as usize].first_child = next,
        }
        match next {
            Some(next) => nodes[next as usize].previous = previous,
            None => nodes[parent as usize].last_child = previous,
        }
    }

    /// Puts a node without a parent below `parent`, before `next` or as the last child.
    fn attach(&self, parent: u32, next: Link, id: u32) {
        let nodes = &mut *self.nodes.borrow_mut();
        let previous = match next {
            Some(next) => nodes[next as usize].previous.replace(id),
            None => nodes[parent as usize].last_child.replace(id),
        };
        match previous {
            Some(previous) => nodes[previous as usize].next = Some(id),
            None => nodes[parent as usize].first_child = Some(id),
        }
        let sprout = &mut nodes[id as usize];
        (sprout.parent, sprout.previous, sprout.next) = (Some(parent), previous, next);
    }

    /// Puts a node or text below `parent`, before `next` or as the last child; text joins the
    /// text before it.
    fn place(&self, parent: u32, next: Link, child: NodeOrText<u32>) {
        let id = match child {
            NodeOrText::AppendNode(id) => {
                self.detach(id);
                id
            }
            NodeOrText::AppendText(text) => {
                let text = self.kept(&text);
                if self.join_text(parent, next, &text) {
                    return;
                }
                self.add(Content::Node(Node::Text(text.into_string())))
            }
        };
        self.attach(parent, next, id);
    }

    fn join_text(&self, parent: u32, next: Link, text: &str) -> bool {
        let nodes = &mut *self.nodes.borrow_mut();
        let previous = match next {
            Some(next) => nodes[next as usize].previous,
            None => nodes[parent as usize].last_child,
        };
        let Some(previous) = previous else { return false };
        match &mut nodes[previous as usize].content {
            Content::Node(Node::Text(before)) => {
                before.push_str(text);
                true
            }
            _ => false,
        }
    }

    fn parent(&self, id: u32) -> Link {
        self.nodes.borrow()[id as usize].parent
    }
}

/// A name borrowed from a growing tree.
#[derive(Debug)]
pub(crate) struct BorrowedName<'a>(Ref<'a, QualName>);

impl ElemName for BorrowedName<'_> {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl TreeSink for Growing {
    type Handle = u32;
    type Output = Growing;
    type ElemName<'a> = BorrowedName<'a>;

    fn finish(self) -> Growing {
        self
    }

    fn parse_error(&self, message: Cow<'static, str>) {
        self.errors.told(&message);
    }

    fn get_document(&self) -> u32 {
        DOCUMENT
    }

    fn elem_name<'a>(&'a self, target: &'a u32) -> BorrowedName<'a> {
        BorrowedName(Ref::map(self.nodes.borrow(), |nodes| {
            match nodes[*target as usize].content.node() {
                Node::Element(element) => &element.name,
                _ => unreachable!("the parser asks only elements for their name"),
            }
        }))
    }

    fn create_element(
        &self,
        name: QualName,
        attributes: Vec<html5ever::Attribute>,
        flags: ElementFlags,
    ) -> u32 {
        let attributes =
            attributes.into_iter().map(|attribute| self.attribute(attribute)).collect();
        let node = Node::Element(Element { name, attributes });
        self.add(if flags.mathml_annotation_xml_integration_point {
            Content::Annotation(node)
        } else {
            Content::Node(node)
        })
    }

    fn create_comment(&self, text: StrTendril) -> u32 {
        self.add(Content::Node(Node::Comment(self.kept(&text).into_string())))
    }

    /// HTML has no processing instructions; the parser never asks for one.
    fn create_pi(&self, _target: StrTendril, data: StrTendril) -> u32 {
        self.create_comment(data)
    }

    fn append(&self, parent: &u32, child: NodeOrText<u32>) {
        self.place(*parent, None, child);
    }

    fn append_based_on_parent_node(
        &self,
        element: &u32,
        previous_element: &u32,
        child: NodeOrText<u32>,
    ) {
        match self.parent(*element) {
            Some(parent) => self.place(parent, Some(*element), child),
            None => self.place(*previous_element, None, child),
        }
    }

    fn append_doctype_to_document(
        &self,
        name: StrTendril,
        public_id: StrTendril,
        system_id: StrTendril,
    ) {
        let [name, public_id, system_id] =
            [name, public_id, system_id].map(|text| self.kept(&text).into_string());
        let id = self.add(Content::Node(Node::Doctype { name, public_id, system_id }));
        self.attach(DOCUMENT, None, id);
    }

    /// The content of a template hangs on the template itself.
    fn get_template_contents(&self, target: &u32) -> u32 {
        *target
    }

    fn same_node(&self, one: &u32, other: &u32) -> bool {
        one == other
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &u32, child: NodeOrText<u32>) {
        if let Some(parent) = self.parent(*sibling) {
            self.place(parent, Some(*sibling), child);
        }
    }

    fn add_attrs_if_missing(&self, target: &u32, attributes: Vec<html5ever::Attribute>) {
        let nodes = &mut *self.nodes.borrow_mut();
        let (Content::Node(node) | Content::Annotation(node)) =
            &mut nodes[*target as usize].content;
        let Node::Element(element) = node else { return };
        for attribute in attributes {
            let known = element.attributes.iter().any(|known| known.name == attribute.name);
            if !known && element.attributes.len() < crate::MAX_TAG_ATTRIBUTES {
                element.attributes.push(self.attribute(attribute));
            }
        }
    }

    fn remove_from_parent(&self, target: &u32) {
        self.detach(*target);
    }

    fn reparent_children(&self, node: &u32, new_parent: &u32) {
        let first = self.nodes.borrow()[*node as usize].first_child;
        let mut link = first;
        while let Some(child) = link {
            link = self.nodes.borrow()[child as usize].next;
            self.detach(child);
            self.attach(*new_parent, None, child);
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &u32) -> bool {
        matches!(self.nodes.borrow()[*handle as usize].content, Content::Annotation(_))
    }

    fn allow_declarative_shadow_roots(&self, _intended_parent: &u32) -> bool {
        false
    }
}
