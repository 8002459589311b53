//! Which elements of a tree have a name or an attribute, gathered in one walk when first asked for.
//!
//! Questions such as `//li` or `//*[@itemprop = 'author']` are put to a page by the hundred; each would
//! otherwise look at every node.

use crate::names::{KNOWN_NAMES, LocalName};
use crate::tree::{Namespace, NodeId, Tree};
use rustc_hash::FxHashMap;

/// Elements in document order, by what they have.
#[derive(Debug, Clone)]
pub(crate) struct TreeIndex {
    named: Lists,
    /// By names in lower case.
    attributed: Lists,
}

/// Elements by a name.
#[derive(Debug, Clone)]
struct Lists {
    known: Vec<Vec<NodeId>>,
    other: FxHashMap<LocalName, Vec<NodeId>>,
}

impl TreeIndex {
    pub(crate) fn of(tree: &Tree) -> TreeIndex {
        let mut index = TreeIndex { named: Lists::new(), attributed: Lists::new() };
        for (id, element) in tree.ids().filter_map(|id| Some((id, tree.element(id)?))) {
            if matches!(element.name.ns, Namespace::Html | Namespace::None) {
                index.named.of(&element.name.local).push(id);
            }
            for attribute in element.attributes().iter().filter(|it| it.name.ns == Namespace::None)
            {
                let name = &attribute.name.local;
                let elements = if name.has_capitals() {
                    index.attributed.of(&name.to_ascii_lowercase())
                } else {
                    index.attributed.of(name)
                };
                if elements.last() != Some(&id) {
                    elements.push(id);
                }
            }
        }
        index
    }

    /// The HTML elements of a name.
    pub(crate) fn named(&self, name: &LocalName) -> &[NodeId] {
        self.named.get(name)
    }

    /// The elements that have one of these attributes, given in lower case.
    pub(crate) fn attributed(&self, names: &[LocalName]) -> Vec<NodeId> {
        let lists = names.iter().flat_map(|name| self.attributed.get(name));
        let mut elements: Vec<NodeId> = lists.copied().collect();
        if names.len() > 1 {
            elements.sort_unstable();
            elements.dedup();
        }
        elements
    }
}

impl Lists {
    fn new() -> Lists {
        Lists { known: vec![Vec::new(); KNOWN_NAMES], other: FxHashMap::default() }
    }

    fn of(&mut self, name: &LocalName) -> &mut Vec<NodeId> {
        match name {
            LocalName::Known(known) => &mut self.known[*known as usize],
            LocalName::Other(_) => self.other.entry(name.clone()).or_default(),
        }
    }

    fn get(&self, name: &LocalName) -> &[NodeId] {
        match name {
            LocalName::Known(known) => &self.known[*known as usize],
            LocalName::Other(_) => self.other.get(name).map_or(&[], Vec::as_slice),
        }
    }
}
