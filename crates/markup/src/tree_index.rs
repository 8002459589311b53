//! Which elements of a tree have a name or an attribute, gathered in one walk when first asked for.
//!
//! Questions such as `//li` or `//*[@itemprop = 'author']` are put to a page by the hundred; each would
//! otherwise look at every node.

use crate::names::LocalName;
use crate::tree::{Namespace, NodeId, Tree};
use rustc_hash::FxHashMap;

/// Elements in document order, by what they have.
#[derive(Debug, Clone, Default)]
pub(crate) struct TreeIndex {
    named: FxHashMap<LocalName, Vec<NodeId>>,
    /// By names in lower case.
    attributed: FxHashMap<LocalName, Vec<NodeId>>,
}

impl TreeIndex {
    pub(crate) fn of(tree: &Tree) -> TreeIndex {
        let mut index = TreeIndex::default();
        for (id, element) in tree.ids().filter_map(|id| Some((id, tree.element(id)?))) {
            if matches!(element.name.ns, Namespace::Html | Namespace::None) {
                index.named.entry(element.name.local.clone()).or_default().push(id);
            }
            for attribute in element.attributes().iter().filter(|it| it.name.ns == Namespace::None) {
                let name = &attribute.name.local;
                let has_capitals = name.bytes().any(|byte| byte.is_ascii_uppercase());
                let name = if has_capitals { name.to_ascii_lowercase() } else { name.clone() };
                let elements = index.attributed.entry(name).or_default();
                if elements.last() != Some(&id) {
                    elements.push(id);
                }
            }
        }
        index
    }

    /// The HTML elements of a name.
    pub(crate) fn named(&self, name: &LocalName) -> &[NodeId] {
        self.named.get(name).map_or(&[], Vec::as_slice)
    }

    /// The elements that have one of these attributes, given in lower case.
    pub(crate) fn attributed(&self, names: &[LocalName]) -> Vec<NodeId> {
        let lists = names.iter().filter_map(|name| self.attributed.get(name));
        let mut elements: Vec<NodeId> = lists.flatten().copied().collect();
        elements.sort_unstable();
        elements.dedup();
        elements
    }
}
