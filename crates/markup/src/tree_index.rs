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
#[derive(Debug, Clone, Default)]
struct Lists {
    /// Those of known names, one name after the other.
    known: Vec<NodeId>,
    /// Where the elements of each known name begin, and where the last end.
    starts: Vec<u32>,
    other: FxHashMap<LocalName, Vec<NodeId>>,
}

impl TreeIndex {
    pub(crate) fn of(tree: &Tree) -> TreeIndex {
        let (mut named, mut attributed) = (Gathering::default(), Gathering::default());
        for (id, element) in tree.ids().filter_map(|id| Some((id, tree.element(id)?))) {
            if matches!(element.name.ns, Namespace::Html | Namespace::None) {
                named.add(&element.name.local, id);
            }
            for attribute in element.attributes().iter().filter(|it| it.name.ns == Namespace::None)
            {
                let name = &attribute.name.local;
                match name.has_capitals() {
                    true => attributed.add(&name.to_ascii_lowercase(), id),
                    false => attributed.add(name, id),
                }
            }
        }
        TreeIndex { named: named.sorted(), attributed: attributed.sorted() }
    }

    /// The HTML elements of a name.
    pub(crate) fn named(&self, name: &LocalName) -> &[NodeId] {
        self.named.get(name)
    }

    /// The elements that have an attribute, given in lower case.
    pub(crate) fn with_attribute(&self, name: &LocalName) -> &[NodeId] {
        self.attributed.get(name)
    }

    /// The elements that have one of these attributes, given in lower case.
    pub(crate) fn attributed(&self, names: &[LocalName]) -> Vec<NodeId> {
        let lists = names.iter().flat_map(|name| self.attributed.get(name));
        let mut elements: Vec<NodeId> = lists.copied().collect();
        if names.len() > 1 {
            // Stable sorting takes lists as they are and merges them.
            elements.sort();
        }
        elements.dedup();
        elements
    }
}

/// Elements as they are met, with their names.
#[derive(Default)]
struct Gathering {
    known: Vec<(u16, NodeId)>,
    other: FxHashMap<LocalName, Vec<NodeId>>,
}

impl Gathering {
    fn add(&mut self, name: &LocalName, id: NodeId) {
        match name {
            LocalName::Known(known) => self.known.push((*known as u16, id)),
            LocalName::Other(_) => match self.other.get_mut(name) {
                Some(elements) => elements.push(id),
                None => {
                    self.other.insert(name.clone(), vec![id]);
                }
            },
        }
    }

    /// By name, and in document order for each: counted first, then put in place.
    fn sorted(self) -> Lists {
        let mut ends = vec![0; KNOWN_NAMES + 1];
        self.known.iter().for_each(|(name, _)| ends[usize::from(*name)] += 1);
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        let mut known = vec![NodeId::DOCUMENT; self.known.len()];
        for (name, id) in self.known.iter().rev() {
            let place = &mut ends[usize::from(*name)];
            *place -= 1;
            known[*place as usize] = *id;
        }
        // What were ends are beginnings now.
        Lists { known, starts: ends, other: self.other }
    }
}

impl Lists {
    fn get(&self, name: &LocalName) -> &[NodeId] {
        match name {
            LocalName::Known(known) => {
                let name = *known as usize;
                &self.known[self.starts[name] as usize..self.starts[name + 1] as usize]
            }
            LocalName::Other(_) => self.other.get(name).map_or(&[], Vec::as_slice),
        }
    }
}
