//! The text of an element as a value: what a reader would see, on one line.
//!
//! Values may be nested in each other without end, so the text copied for one page is limited.

use super::plain::normalised;
use auslese_markup::{Node, NodeId, Tree};

/// Bytes of text of one page that are copied as values of microdata or RDFa.
const MAX_COPIED: usize = 4 * 1024 * 1024;

/// Bytes of a single value; the text of an article is no description of it.
const MAX_VALUE: usize = 64 * 1024;

pub(crate) struct TextCopier<'a> {
    tree: &'a Tree,
    left: usize,
}

impl<'a> TextCopier<'a> {
    pub(crate) fn new(tree: &'a Tree) -> TextCopier<'a> {
        TextCopier { tree, left: MAX_COPIED }
    }

    pub(crate) fn text(&mut self, node: NodeId) -> String {
        let mut text = String::new();
        let mut hidden: Option<usize> = None;
        for id in self.tree.subtree(node) {
            let depth = self.tree.depth(id);
            if hidden.is_some_and(|above| depth > above) {
                continue;
            }
            hidden = None;
            match self.tree.node(id) {
                Node::Element(element) => match element.name() {
                    "script" | "style" | "template" | "noscript" | "svg" | "iframe" | "rt"
                    | "rp" | "button" | "select" | "textarea" => hidden = Some(depth),
                    "br" | "p" | "div" | "li" | "tr" | "td" | "th" | "h1" | "h2" | "h3" | "h4" => {
                        text.push(' ');
                    }
                    _ => {}
                },
                Node::Text(part) => text.push_str(part),
                _ => {}
            }
            // Nodes cost as well as bytes: an element without text is not free.
            self.left = self.left.saturating_sub(1);
            if self.left == 0 || text.len() > MAX_VALUE {
                break;
            }
        }
        self.left = self.left.saturating_sub(text.len());
        normalised(&text)
    }
}
