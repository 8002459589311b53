//! Microdata: `itemscope`, `itemtype`, `itemprop`, `itemref`.
//!
//! HTML Living Standard, section 5, with two concessions to what pages do: `content` counts on any
//! element, and a link stands for its text where the property is no address, since
//! `<a itemprop="author" href="/meier">Eva Meier</a>` means the person.

use super::element_text::TextCopier;
use super::jsonld::{below, canonical};
use super::kinds::{expects_address, local_name};
use super::things::{Standing, Thing, Things, Value};
use crate::marked::MarkedElements;
use auslese_markup::{Element, NodeId, Tree};
use rustc_hash::FxHashMap;

/// Values that `itemref` brings into things, all together: every thing may refer to everything.
const MAX_REFERRED: usize = 10_000;

pub(crate) fn read(tree: &Tree, marked: &MarkedElements<'_>) -> Things {
    let mut reader = Reader {
        tree,
        copier: TextCopier::new(tree),
        things: Things::default(),
        open: Vec::new(),
        orphans: Vec::new(),
        referring: Vec::new(),
    };
    for &(node, element) in &marked.microdata {
        reader.element(node, element);
    }
    reader.follow_references();
    reader.things.finished(canonical(marked))
}

struct Reader<'a> {
    tree: &'a Tree,
    copier: TextCopier<'a>,
    things: Things,
    /// The things whose elements are open, with the depth of the element.
    open: Vec<(usize, usize)>,
    /// Values outside of all things, for those that refer to them.
    orphans: Vec<(NodeId, String, Value)>,
    referring: Vec<(usize, NodeId)>,
}

impl Reader<'_> {
    fn element(&mut self, node: NodeId, element: &Element) {
        let names = element.attribute("itemprop");
        let is_thing = element.attribute("itemscope").is_some();
        if names.is_none() && !is_thing {
            return;
        }
        let depth = self.tree.depth(node);
        while self.open.last().is_some_and(|(_, above)| *above >= depth) {
            self.open.pop();
        }
        let owner = self.open.last().map(|(number, _)| *number);
        let names: Vec<&str> =
            names.unwrap_or_default().split_whitespace().map(local_name).collect();
        let thing = is_thing.then(|| self.thing(node, element, owner, &names)).flatten();
        if let Some(thing) = thing {
            self.open.push((thing, depth));
        }
        for name in names {
            let value = thing.map_or_else(|| self.value(node, element, name), Value::Thing);
            match owner {
                Some(owner) => self.add(owner, name, value),
                None => self.orphans.push((node, name.to_owned(), value)),
            }
        }
    }

    fn thing(
        &mut self,
        node: NodeId,
        element: &Element,
        owner: Option<usize>,
        names: &[&str],
    ) -> Option<usize> {
        let standing = match (owner, names.first()) {
            (Some(owner), Some(name)) => below(self.things.thing_mut(owner).standing, name),
            _ => Standing::Root,
        };
        let types = element.attribute("itemtype").unwrap_or_default();
        let thing = Thing {
            types: types.split_whitespace().map(|name| local_name(name).to_owned()).collect(),
            id: element.attribute("itemid").map(str::to_owned),
            properties: Vec::new(),
            node,
            standing,
        };
        let number = self.things.add(thing)?;
        if element.attribute("itemref").is_some() {
            self.referring.push((number, node));
        }
        Some(number)
    }

    fn add(&mut self, owner: usize, name: &str, value: Value) {
        self.things.thing_mut(owner).properties.push((name.to_owned(), value));
    }

    fn value(&mut self, node: NodeId, element: &Element, property: &str) -> Value {
        if let Some((attribute, text)) = attribute_value(element) {
            let linked = attribute == "href" && !expects_address(property);
            let shown = if linked { self.copier.text(node) } else { String::new() };
            return if shown.is_empty() {
                Value::Text { text: text.to_owned(), node, attribute: Some(attribute) }
            } else {
                Value::Text { text: shown, node, attribute: None }
            };
        }
        Value::Text { text: self.copier.text(node), node, attribute: None }
    }

    fn follow_references(&mut self) {
        if self.referring.is_empty() || self.orphans.is_empty() {
            return;
        }
        let by_id = ids(self.tree);
        let mut left = MAX_REFERRED;
        for (number, node) in std::mem::take(&mut self.referring) {
            let names = self.tree.element(node).and_then(|element| element.attribute("itemref"));
            for name in names.unwrap_or_default().split_whitespace() {
                let Some(root) = by_id.get(name) else { continue };
                let Some(last) = self.tree.subtree(*root).next_back() else { continue };
                let first = self.orphans.partition_point(|(node, ..)| node < root);
                let after = self.orphans.partition_point(|(node, ..)| *node <= last);
                for (_, property, value) in self.orphans[first..after].iter().take(left) {
                    let owner = self.things.thing_mut(number);
                    owner.properties.push((property.clone(), value.clone()));
                }
                left = left.saturating_sub(after - first);
            }
        }
    }
}

/// The attribute that holds the value of an element, if one does.
pub(crate) fn attribute_value(element: &Element) -> Option<(&'static str, &str)> {
    let attribute = match element.name() {
        _ if element.attribute("content").is_some() => "content",
        "a" | "area" | "link" => "href",
        "audio" | "embed" | "iframe" | "img" | "source" | "track" | "video" => "src",
        "object" => "data",
        "data" | "meter" => "value",
        "time" => "datetime",
        _ => return None,
    };
    element.attribute(attribute).map(|value| (attribute, value))
}

fn ids(tree: &Tree) -> FxHashMap<&str, NodeId> {
    let mut by_id = FxHashMap::default();
    for node in tree.ids() {
        if let Some(id) = tree.element(node).and_then(|element| element.attribute("id")) {
            by_id.entry(id).or_insert(node);
        }
    }
    by_id
}
