//! Lists of items, which are what expressions are worth, with what makes searching them cheap.
//!
//! A condition such as ``not it inside `//nav` `` asks the same list again for every item of another,
//! so a list remembers which nodes and which spellings are in it.

use super::item::Item;
use auslese_markup::{NodeId, XPathNode};
use rustc_hash::FxHashSet;
use std::cell::OnceCell;
use std::ops::Deref;
use std::rc::Rc;

/// What an expression is worth; cheap to hand on.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    Nothing,
    /// Most conditions ask about a single item.
    One(Rc<Item>),
    Many(Rc<List>),
}

#[derive(Debug)]
pub(crate) struct List {
    items: Box<[Rc<Item>]>,
    nodes: OnceCell<NodeSet>,
    spellings: OnceCell<Spellings>,
}

/// One bit for each node of the tree up to the last that is in the set.
#[derive(Debug)]
struct NodeSet(Box<[u64]>);

impl NodeSet {
    fn of(nodes: impl Iterator<Item = NodeId>) -> NodeSet {
        let mut words = Vec::new();
        for (word, bit) in nodes.map(place_of) {
            if words.len() <= word {
                words.resize(word + 1, 0);
            }
            words[word] |= bit;
        }
        NodeSet(words.into())
    }

    fn contains(&self, node: NodeId) -> bool {
        let (word, bit) = place_of(node);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }
}

fn place_of(node: NodeId) -> (usize, u64) {
    (node.index() / 64, 1 << (node.index() % 64))
}

/// The folded texts of a list.
#[derive(Debug)]
pub(super) struct Spellings {
    folded: FxHashSet<Box<str>>,
    /// Bytes of the longest.
    longest: usize,
}

impl Spellings {
    /// Whether a text, folded, may be one of them. Folding keeps letters and digits, so a text with
    /// more of them than the longest spelling has is none, and need not be folded to know that.
    pub(super) fn may_hold(&self, text: &str) -> bool {
        let letters = text.bytes().filter(u8::is_ascii_alphanumeric);
        letters.take(self.longest + 1).count() <= self.longest
    }

    pub(super) fn hold(&self, folded: &str) -> bool {
        self.folded.contains(folded)
    }
}

impl Value {
    /// Whether a node is that of an item.
    pub(super) fn has_node(&self, node: NodeId) -> bool {
        match self {
            Value::Nothing => false,
            Value::One(item) => item.spot.node().is_some_and(|it| it.anchor() == node),
            Value::Many(list) => list.nodes().contains(node),
        }
    }
}

impl List {
    /// The nodes of the items; the first time it costs one step per item.
    fn nodes(&self) -> &NodeSet {
        self.nodes.get_or_init(|| {
            let nodes = self.items.iter().filter_map(|item| item.spot.node());
            NodeSet::of(nodes.map(XPathNode::anchor))
        })
    }

    /// The folded texts of the items that have a text.
    pub(super) fn spellings<'f>(
        &self,
        folded: impl Fn(&Rc<Item>) -> Option<Box<str>> + 'f,
    ) -> &Spellings {
        self.spellings.get_or_init(|| {
            let folded: FxHashSet<Box<str>> = self.items.iter().filter_map(folded).collect();
            let longest = folded.iter().map(|it| it.len()).max().unwrap_or(0);
            Spellings { folded, longest }
        })
    }
}

impl Deref for Value {
    type Target = [Rc<Item>];

    fn deref(&self) -> &[Rc<Item>] {
        match self {
            Value::Nothing => &[],
            Value::One(item) => std::slice::from_ref(item),
            Value::Many(list) => &list.items,
        }
    }
}

impl From<Vec<Rc<Item>>> for Value {
    fn from(mut items: Vec<Rc<Item>>) -> Value {
        if items.len() < 2 {
            return items.pop().map_or(Value::Nothing, Value::One);
        }
        let items = items.into_boxed_slice();
        Value::Many(Rc::new(List { items, nodes: OnceCell::new(), spellings: OnceCell::new() }))
    }
}

impl FromIterator<Rc<Item>> for Value {
    fn from_iter<I: IntoIterator<Item = Rc<Item>>>(items: I) -> Value {
        Value::from(items.into_iter().collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_their_nodes_and_no_others() {
        let page = auslese_markup::parse("<p>".repeat(200).as_bytes(), None);
        let nodes: Vec<NodeId> = page.tree().ids().collect();
        let some: Vec<NodeId> = nodes.iter().copied().skip(1).step_by(63).rev().skip(1).collect();
        let set = NodeSet::of(some.iter().copied());
        assert!(some.len() > 1 && nodes.iter().all(|it| set.contains(*it) == some.contains(it)));
        assert!(!NodeSet::of(std::iter::empty()).contains(NodeId::DOCUMENT));
    }
}
