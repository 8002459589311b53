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
pub(crate) struct Value(Rc<List>);

#[derive(Debug)]
struct List {
    items: Box<[Rc<Item>]>,
    nodes: OnceCell<FxHashSet<NodeId>>,
    spellings: OnceCell<Spellings>,
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
    /// The nodes of the items; the first time it costs one step per item.
    pub(super) fn nodes(&self) -> &FxHashSet<NodeId> {
        self.0.nodes.get_or_init(|| {
            let nodes = self.iter().filter_map(|item| item.spot.node());
            nodes.map(XPathNode::anchor).collect()
        })
    }

    /// The folded texts of the items that have a text.
    pub(super) fn spellings<'f>(
        &self,
        folded: impl Fn(&Rc<Item>) -> Option<Box<str>> + 'f,
    ) -> &Spellings {
        self.0.spellings.get_or_init(|| {
            let folded: FxHashSet<Box<str>> = self.iter().filter_map(folded).collect();
            let longest = folded.iter().map(|it| it.len()).max().unwrap_or(0);
            Spellings { folded, longest }
        })
    }
}

impl Deref for Value {
    type Target = [Rc<Item>];

    fn deref(&self) -> &[Rc<Item>] {
        &self.0.items
    }
}

impl From<Vec<Rc<Item>>> for Value {
    fn from(items: Vec<Rc<Item>>) -> Value {
        let items = items.into_boxed_slice();
        Value(Rc::new(List { items, nodes: OnceCell::new(), spellings: OnceCell::new() }))
    }
}

impl FromIterator<Rc<Item>> for Value {
    fn from_iter<I: IntoIterator<Item = Rc<Item>>>(items: I) -> Value {
        Value::from(items.into_iter().collect::<Vec<_>>())
    }
}
