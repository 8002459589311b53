//! Items: texts that know where they were found.
//!
//! A value is a list of items. Most items are nodes whose text nobody ever asks for, so texts are
//! read when they are first needed, once, and so are the two forms in which they are compared.

use crate::heuristics::explain::shortened;
use crate::heuristics::pattern::Seen;
use auslese_markup::{NodeId, Tree, XPathNode, path_of};
use auslese_model::FoundAt;
use auslese_words::{fold, tokens};
use std::cell::{Cell, OnceCell};
use std::rc::Rc;

/// Bytes of one text; what is longer is cut.
pub const MAX_VALUE: usize = 64 * 1024;

/// Items of one value; what is beyond is left out.
pub const MAX_ITEMS: usize = 10_000;

#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) spot: Spot,
    /// Whether its text is that of the node, and not something made of it.
    pub(super) is_node: bool,
    pub(super) text: OnceCell<Box<str>>,
    lower: OnceCell<Box<str>>,
    folded: OnceCell<Box<str>>,
    /// What regular expressions look for, as far as it is in the text.
    pub(super) seen: OnceCell<Seen>,
    /// The number of words.
    pub(super) words: Cell<Option<u32>>,
}

/// Where an item was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Spot {
    Node(XPathNode),
    /// Several nodes that are one thing, such as a heading in two lines.
    Nodes(Rc<[NodeId]>),
    /// In words.
    Outside(&'static str),
    /// Written in the heuristic, or made from several items.
    Nowhere,
}

impl Spot {
    /// The first node.
    pub(crate) fn node(&self) -> Option<XPathNode> {
        match self {
            Spot::Node(node) => Some(*node),
            Spot::Nodes(nodes) => nodes.first().map(|node| XPathNode::Node(*node)),
            Spot::Outside(_) | Spot::Nowhere => None,
        }
    }

    /// As statements tell it.
    pub(crate) fn found_at(&self, tree: &Tree) -> Option<FoundAt> {
        match self {
            Spot::Outside(words) => Some(FoundAt::Outside((*words).to_owned())),
            Spot::Nowhere => None,
            Spot::Node(_) | Spot::Nodes(_) => {
                self.node().map(|node| FoundAt::Path(path_of(tree, node)))
            }
        }
    }
}

impl Item {
    /// An item whose text is read when it is needed.
    pub(crate) fn at(spot: Spot) -> Rc<Item> {
        let is_node = matches!(spot, Spot::Node(_) | Spot::Nodes(_));
        Rc::new(Item { is_node, ..Item::new(spot, OnceCell::new()) })
    }

    /// An item with this text, white space normalised.
    pub(crate) fn with_text(spot: Spot, text: &str) -> Rc<Item> {
        Rc::new(Item::new(spot, OnceCell::from(normalised(text).into_boxed_str())))
    }

    /// An item with this text, whose white space is normalised already.
    pub(super) fn with_normal_text(spot: Spot, text: String) -> Rc<Item> {
        Rc::new(Item::new(spot, OnceCell::from(text.into_boxed_str())))
    }

    fn new(spot: Spot, text: OnceCell<Box<str>>) -> Item {
        Item {
            spot,
            is_node: false,
            text,
            lower: OnceCell::new(),
            folded: OnceCell::new(),
            seen: OnceCell::new(),
            words: Cell::new(None),
        }
    }

    /// The text in lower case, and whether this is the first time it is asked for.
    pub(super) fn lower(&self, text: &str) -> (&str, bool) {
        let is_new = self.lower.get().is_none();
        (self.lower.get_or_init(|| text.to_lowercase().into_boxed_str()), is_new)
    }

    /// The words of the text, folded: case, accents and punctuation do not matter. And whether this is
    /// the first time they are asked for.
    pub(super) fn folded(&self, text: &str) -> (&str, bool) {
        let is_new = self.folded.get().is_none();
        (self.folded.get_or_init(|| folded(text).into_boxed_str()), is_new)
    }
}

/// White space normalised, cut to [`MAX_VALUE`].
pub(crate) fn normalised(text: &str) -> String {
    let text = &text[..text.floor_char_boundary(MAX_VALUE)];
    let mut normalised = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !normalised.is_empty() {
            normalised.push(' ');
        }
        normalised.push_str(word);
    }
    normalised
}

/// One spelling for all that mean the same; a text without letters and digits is itself.
pub(crate) fn folded(text: &str) -> String {
    let folded = fold(text);
    let mut words = String::with_capacity(folded.len());
    for word in tokens(&folded) {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    if words.is_empty() { folded } else { words }
}

/// For messages.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", shortened(text))
}
