//! What a page says about itself in the forms made for machines, read once per page.
//!
//! Five forms are known: meta elements, JSON-LD, microdata, RDFa Lite and COinS. Every value keeps
//! the node it was found at, so that a reader can be shown the place. Pages get these forms wrong
//! in many ways; whatever can be understood is, and the rest is silently nothing, because a page
//! without structured data is the normal case.
//!
//! This module reads and finds. Whether a value is to be believed is for the heuristics to say.

mod coins;
mod element_text;
mod jsonld;
mod kinds;
mod meta;
mod microdata;
mod plain;
mod rdfa;
mod repair;
mod things;

use crate::marked::MarkedElements;
use auslese_markup::{NodeId, Page, Tree};

pub use jsonld::{MAX_JSONLD, MAX_JSONLD_SCRIPTS};
pub(crate) use meta::one_spelling as meta_name;
pub use things::{MAX_FOUND_VALUES, MAX_THINGS};

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundValue {
    /// White space normalised, character references resolved, tags removed.
    pub text: String,
    pub node: NodeId,
    /// The attribute that holds the value; `None` if it is the content of the element.
    pub attribute: Option<&'static str>,
}

/// All structured data of a page.
#[derive(Debug, Clone, Default)]
pub struct StructuredData {
    meta: meta::MetaIndex,
    jsonld: things::Things,
    microdata: things::Things,
    rdfa: rdfa::Properties,
    coins: coins::Coins,
}

impl StructuredData {
    pub fn of(page: &Page) -> StructuredData {
        StructuredData::marked(page.tree(), &MarkedElements::of(page.tree()))
    }

    /// The same, where the elements in question are known already.
    pub(crate) fn marked(tree: &Tree, marked: &MarkedElements<'_>) -> StructuredData {
        StructuredData {
            meta: meta::MetaIndex::of(marked),
            jsonld: jsonld::read(tree, marked),
            microdata: microdata::read(tree, marked),
            rdfa: rdfa::Properties::of(tree, marked),
            coins: coins::Coins::of(marked),
        }
    }

    /// The contents of the meta elements of a name, property, itemprop or http-equiv, in document
    /// order. Upper and lower case are the same, so are `dc.`, `DC:` and `dcterms.`.
    pub fn meta(&self, name: &str) -> &[FoundValue] {
        self.meta_spelled(&meta_name(name))
    }

    /// The same for a name in its one spelling.
    pub(crate) fn meta_spelled(&self, name: &str) -> &[FoundValue] {
        self.meta.get(name)
    }

    /// The values at a dotted path such as `author.name`.
    ///
    /// Without types, those of the thing the page is about: the article before the web page before
    /// the person or organisation. With types, those of all things of these types and their
    /// subtypes. Comments, reviews and listed or mentioned things are left aside.
    pub fn jsonld(&self, path: &str, types: &[&str]) -> Vec<FoundValue> {
        self.jsonld.find(path, types)
    }

    /// The types of the thing the page is about according to its JSON-LD, such as `NewsArticle`.
    pub fn jsonld_types(&self) -> Vec<FoundValue> {
        self.jsonld.main_types()
    }

    /// As [`StructuredData::jsonld`], from microdata.
    pub fn microdata(&self, path: &str, types: &[&str]) -> Vec<FoundValue> {
        self.microdata.find(path, types)
    }

    /// As [`StructuredData::jsonld_types`], from microdata.
    pub fn microdata_types(&self) -> Vec<FoundValue> {
        self.microdata.main_types()
    }

    /// The values of a property such as `dc:title` or `schema:author`, whatever prefix or
    /// vocabulary the page itself uses for it.
    pub fn rdfa(&self, property: &str) -> Vec<FoundValue> {
        self.rdfa.get(property)
    }

    /// The values of a key such as `rft.atitle`, if the page describes just one work.
    pub fn coins(&self, key: &str) -> Vec<FoundValue> {
        self.coins.get(key)
    }

    /// How many works the page describes by COinS; several mean a list.
    pub fn coins_count(&self) -> usize {
        self.coins.count()
    }
}

#[cfg(test)]
mod tests;
