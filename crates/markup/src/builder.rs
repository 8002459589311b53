//! A tree for what is no HTML, so that XPath serves it too.
//!
//! Elements are in HTML's namespace, where XPath looks for names without a prefix; attributes are
//! in none. They are opened and closed in document order, which is the order a tree is kept in.
//! The limits of other trees hold: what goes beyond them is left out, and [`TreeBuilder::is_full`]
//! says so.

use crate::html::{MAX_ATTRIBUTES, MAX_DEPTH, MAX_NODES, MAX_TREE_TEXT};
use crate::names::LocalName;
use crate::tree::{Attribute, Element, Namespace, Node, NodeId, QualName, Tree};

/// Builds a [`Tree`] from its beginning to its end.
///
/// ```
/// use auslese_markup::{NodeId, TreeBuilder};
/// let mut builder = TreeBuilder::new();
/// builder.open("page", [("number", "1".to_owned())]);
/// builder.text("Erste Seite");
/// builder.close();
/// assert_eq!(builder.finish().string_value(NodeId::DOCUMENT), "Erste Seite");
/// ```
#[derive(Debug)]
pub struct TreeBuilder {
    tree: Tree,
    /// The elements that are open, the document below them all.
    open: Vec<NodeId>,
    /// Elements that were opened and left out, and are still to be closed.
    left_out: usize,
    attributes: usize,
    text_bytes: usize,
    is_full: bool,
    /// Names used so far: there are few, and finding one here is quicker than making it.
    names: Vec<(&'static str, LocalName)>,
}

impl Default for TreeBuilder {
    fn default() -> TreeBuilder {
        TreeBuilder::new()
    }
}

impl TreeBuilder {
    pub fn new() -> TreeBuilder {
        TreeBuilder {
            tree: Tree::new(),
            open: vec![NodeId::DOCUMENT],
            left_out: 0,
            attributes: 0,
            text_bytes: 0,
            is_full: false,
            names: Vec::new(),
        }
    }

    /// Opens an element inside the one that is open.
    pub fn open(
        &mut self,
        name: &'static str,
        attributes: impl IntoIterator<Item = (&'static str, String)>,
    ) {
        if self.left_out > 0 || !self.has_room() || self.open.len() > MAX_DEPTH - 2 {
            self.left_out += 1;
            self.is_full = true;
            return;
        }
        let name = QualName { ns: Namespace::Html, local: self.name(name) };
        let mut kept = Vec::new();
        for (name, value) in attributes {
            self.text_bytes += value.len();
            let name = QualName { ns: Namespace::None, local: self.name(name) };
            kept.push(Attribute { name, value: value.into() });
        }
        self.attributes += kept.len();
        let element = Node::Element(Element::new(name, kept.into()));
        let id = self.tree.push(self.innermost(), element);
        self.open.push(id);
    }

    /// Adds text to the element that is open.
    pub fn text(&mut self, text: &str) {
        if self.left_out > 0 || text.is_empty() {
            return;
        }
        if !self.has_room() {
            self.is_full = true;
            return;
        }
        self.text_bytes += text.len();
        self.tree.push(self.innermost(), Node::Text(text.to_owned().into()));
    }

    /// Closes the innermost open element, if there is one.
    pub fn close(&mut self) {
        if self.left_out > 0 {
            self.left_out -= 1;
        } else if self.open.len() > 1 {
            self.open.pop();
        }
    }

    /// Whether something was left out.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// The tree; elements still open end here.
    pub fn finish(self) -> Tree {
        self.tree
    }

    fn innermost(&self) -> NodeId {
        self.open.last().copied().unwrap_or(NodeId::DOCUMENT)
    }

    fn has_room(&self) -> bool {
        self.tree.len() < MAX_NODES
            && self.attributes < MAX_ATTRIBUTES
            && self.text_bytes < MAX_TREE_TEXT
    }

    fn name(&mut self, name: &'static str) -> LocalName {
        if let Some((_, known)) = self.names.iter().find(|(known, _)| *known == name) {
            return known.clone();
        }
        let made = LocalName::from(name);
        self.names.push((name, made.clone()));
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Page, StepBudget, XPath, XPathNode};

    #[test]
    fn xpath_finds_what_was_built() {
        let mut builder = TreeBuilder::new();
        builder.open("document", []);
        for number in 1..=3 {
            builder.open("page", [("number", number.to_string())]);
            builder.text("Seite ");
            builder.text(&number.to_string());
            builder.close();
        }
        let page = Page::of_tree(builder.finish());
        let question = XPath::parse("/document/page[@number > 1][last()]").expect("valid");
        let mut budget = StepBudget::default();
        let answer = question.evaluate(page.tree(), XPathNode::DOCUMENT, &|_| None, &mut budget);
        assert_eq!(answer.expect("in budget").string(page.tree()), "Seite 3");
        assert!(page.links().resolve(&"http://a.example/".parse().expect("valid")).is_empty());
    }

    #[test]
    fn limits_hold_and_nesting_stays_right() {
        let mut builder = TreeBuilder::new();
        for _ in 0..2 * MAX_DEPTH {
            builder.open("a", []);
        }
        builder.text("left out");
        for _ in 0..2 * MAX_DEPTH {
            builder.close();
        }
        assert!(builder.is_full());
        builder.close();
        builder.open("b", []);
        builder.text("kept");
        let tree = builder.finish();
        assert_eq!(tree.string_value(NodeId::DOCUMENT), "kept");
        assert_eq!(tree.children(NodeId::DOCUMENT).count(), 2);
        assert!(tree.ids().all(|id| tree.depth(id) < MAX_DEPTH));
    }
}
