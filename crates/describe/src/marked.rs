//! The elements of a page that say something beside their text, gathered in one walk.
//!
//! Each form of structured data asks a few attributes of every element, and so do classes. Looking
//! at all attributes once is cheaper than asking every element for each of them.

use auslese_markup::{Attribute, Element, Namespace, NodeId, Tree, name_numbers};
use std::sync::LazyLock;

type Elements<'t> = Vec<(NodeId, &'t Element)>;

/// Elements in document order, by what they are or have.
#[derive(Debug, Default)]
pub(crate) struct MarkedElements<'t> {
    pub(crate) metas: Elements<'t>,
    pub(crate) links: Elements<'t>,
    pub(crate) scripts: Elements<'t>,
    /// With `typeof`, `property`, `vocab`, `prefix`, or a declaration of a namespace.
    pub(crate) rdfa: Elements<'t>,
    /// With `itemscope` or `itemprop`.
    pub(crate) microdata: Elements<'t>,
    /// `<span class="Z3988">`, and perhaps others.
    pub(crate) coins: Elements<'t>,
    /// With their class and their id, one of which may be empty.
    pub(crate) classed: Vec<(NodeId, &'t str, &'t str)>,
}

impl<'t> MarkedElements<'t> {
    pub(crate) fn of(tree: &'t Tree) -> MarkedElements<'t> {
        let mut marked = MarkedElements::default();
        for id in tree.ids() {
            if let Some(element) = tree.element(id) {
                marked.add(id, element);
            }
        }
        marked
    }

    fn add(&mut self, id: NodeId, element: &'t Element) {
        let (mut class, mut own) = (None, None);
        let (mut is_rdfa, mut is_microdata) = (false, false);
        for attribute in element.attributes() {
            match mark(attribute) {
                Mark::Class if class.is_none() => class = plain_value(attribute),
                Mark::Id if own.is_none() => own = plain_value(attribute),
                Mark::Rdfa => is_rdfa = true,
                Mark::Microdata => is_microdata = true,
                Mark::Class | Mark::Id | Mark::None => {}
            }
        }
        let (class, own) = (class.unwrap_or_default(), own.unwrap_or_default());
        if !class.is_empty() || !own.is_empty() {
            self.classed.push((id, class, own));
        }
        if is_rdfa {
            self.rdfa.push((id, element));
        }
        if is_microdata {
            self.microdata.push((id, element));
        }
        match element.name() {
            "meta" if element.is("meta") => self.metas.push((id, element)),
            "link" if element.is("link") => self.links.push((id, element)),
            "script" if element.is("script") => self.scripts.push((id, element)),
            "span" if class.contains("3988") && element.is("span") => {
                self.coins.push((id, element));
            }
            _ => {}
        }
    }
}

/// What an attribute tells by its name.
#[derive(Debug, Clone, Copy)]
enum Mark {
    None,
    Class,
    Id,
    Rdfa,
    Microdata,
}

fn mark(attribute: &Attribute) -> Mark {
    static BY_NUMBER: LazyLock<Vec<Mark>> =
        LazyLock::new(|| name_numbers().map(|(_, name)| mark_of(name)).collect());
    match attribute.name_number() {
        Some(number) => BY_NUMBER[number],
        None => mark_of(attribute.name()),
    }
}

fn mark_of(name: &str) -> Mark {
    match name {
        "class" => Mark::Class,
        "id" => Mark::Id,
        "typeof" | "property" | "vocab" | "prefix" => Mark::Rdfa,
        "itemscope" | "itemprop" => Mark::Microdata,
        name if name.starts_with("xmlns:") => Mark::Rdfa,
        _ => Mark::None,
    }
}

fn plain_value(attribute: &Attribute) -> Option<&str> {
    (attribute.namespace() == Namespace::None).then_some(&attribute.value)
}
