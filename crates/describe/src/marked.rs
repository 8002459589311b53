//! The elements of a page that say something beside their text, gathered in one walk.
//!
//! Each form of structured data asks a few attributes of every element, and so do classes. Looking
//! at all attributes once is cheaper than asking every element for each of them.

use auslese_markup::{Attribute, Element, Namespace, NodeId, Tree};

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
            match attribute.name() {
                "class" if class.is_none() => class = plain_value(attribute),
                "id" if own.is_none() => own = plain_value(attribute),
                "typeof" | "property" | "vocab" | "prefix" => is_rdfa = true,
                "itemscope" | "itemprop" => is_microdata = true,
                name => is_rdfa |= name.starts_with("xmlns:"),
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

fn plain_value(attribute: &Attribute) -> Option<&str> {
    (attribute.namespace() == Namespace::None).then_some(&attribute.value)
}
