//! RDFa Lite: `property`, `typeof`, `vocab`, `prefix`.
//!
//! Names are brought into one spelling: a prefix that the page declares is replaced by the usual
//! one for the same vocabulary, a name without prefix gets that of the `vocab` in force, and the
//! two vocabularies of Dublin Core count as one. What stands within a comment is left aside.
//!
//! RDFa 1.1 Lite, W3C Recommendation 2015; of RDFa 1.1 Core the `xmlns:` declarations, which older
//! pages use.

use super::FoundValue;
use super::element_text::TextCopier;
use super::kinds::expects_address;
use super::microdata::attribute_value;
use super::plain::plain_text;
use crate::marked::MarkedElements;
use auslese_markup::{Element, NodeId, Tree};
use rustc_hash::FxHashMap;

/// Values of RDFa properties of one page that are kept.
const MAX_PROPERTIES: usize = 5_000;

/// Prefixes that one element may declare; honest pages stay below.
const MAX_PREFIXES: usize = 32;

/// Prefixes by vocabulary. The first of a prefix's addresses is the one of its standard.
#[rustfmt::skip]
const VOCABULARIES: [(&str, &str); 12] = [
    ("purl.org/dc/elements/1.1/",              "dc"),
    ("purl.org/dc/terms/",                     "dc"),
    ("purl.org/dc/",                           "dc"),
    ("schema.org/",                            "schema"),
    ("ogp.me/ns#",                             "og"),
    ("opengraphprotocol.org/schema/",          "og"),
    ("ogp.me/ns/article#",                     "article"),
    ("xmlns.com/foaf/0.1/",                    "foaf"),
    ("rdfs.org/sioc/ns#",                      "sioc"),
    ("www.w3.org/2004/02/skos/core#",          "skos"),
    ("www.w3.org/2000/01/rdf-schema#",         "rdfs"),
    ("purl.org/ontology/bibo/",                "bibo"),
];

#[derive(Debug, Clone, Default)]
pub(crate) struct Properties {
    values: FxHashMap<String, Vec<FoundValue>>,
}

impl Properties {
    pub(crate) fn of(tree: &Tree, marked: &MarkedElements<'_>) -> Properties {
        let mut reader =
            Reader { tree, copier: TextCopier::new(tree), open: Vec::new(), found: Vec::new() };
        for &(node, element) in &marked.rdfa {
            reader.element(node, element);
        }
        let mut properties = Properties::default();
        for Found { name, value, .. } in reader.found {
            let values = properties.values.entry(name).or_default();
            let known = values.iter().rev().take(32).any(|known| known.text == value.text);
            if !value.text.is_empty() && !known {
                values.push(value);
            }
        }
        properties
    }

    pub(crate) fn get(&self, property: &str) -> Vec<FoundValue> {
        let name = match property.split_once(':') {
            Some((prefix, local)) => format!("{}:{}", usual_prefix(prefix), local.to_lowercase()),
            None => property.to_lowercase(),
        };
        self.values.get(&name).cloned().unwrap_or_default()
    }
}

struct Reader<'a> {
    tree: &'a Tree,
    copier: TextCopier<'a>,
    open: Vec<Context>,
    found: Vec<Found>,
}

struct Found {
    name: String,
    value: FoundValue,
    /// The value is a thing that has not said its name yet; so far the value is its whole text.
    nameless: bool,
}

/// What an element declares for all below it.
struct Context {
    /// The last node below the element.
    last: NodeId,
    vocabulary: Option<String>,
    prefixes: Vec<(String, String)>,
    aside: bool,
    /// The entries in `found` that this element, as a thing, is the value of.
    is: Vec<usize>,
}

impl Reader<'_> {
    fn element(&mut self, node: NodeId, element: &Element) {
        while self.open.last().is_some_and(|context| context.last < node) {
            self.open.pop();
        }
        let mut context = declared(element);
        let types = element.attribute("typeof");
        context.aside = self.open.last().is_some_and(|around| around.aside)
            || types.is_some_and(|types| types.to_lowercase().contains("comment"));
        if types.is_some() || context.declares() {
            context.last = self.tree.subtree(node).next_back().unwrap_or(node);
            self.open.push(context);
        }
        let Some(properties) = element.attribute("property") else { return };
        if self.open.last().is_some_and(|context| context.aside)
            || self.found.len() >= MAX_PROPERTIES
        {
            return;
        }
        let first = self.found.len();
        for property in properties.split_whitespace() {
            self.property(node, element, property, types.is_some());
        }
        if let (true, Some(context)) = (types.is_some(), self.open.last_mut()) {
            context.is = (first..self.found.len()).collect();
        }
    }

    fn property(&mut self, node: NodeId, element: &Element, property: &str, nameless: bool) {
        let name = self.one_spelling(property);
        let local = name.split_once(':').map_or(name.as_str(), |(_, local)| local).to_owned();
        let value = self.value(node, element, &local);
        if local == "name" && !nameless {
            self.name_thing(&value);
        }
        self.found.push(Found { name, value, nameless });
    }

    /// The nearest thing around that is a value and nameless gets this name.
    fn name_thing(&mut self, name: &FoundValue) {
        let Some(context) = self.open.iter().rev().find(|context| !context.is.is_empty()) else {
            return;
        };
        for number in &context.is {
            let found = &mut self.found[*number];
            if std::mem::take(&mut found.nameless) {
                found.value = name.clone();
            }
        }
    }

    fn value(&mut self, node: NodeId, element: &Element, local: &str) -> FoundValue {
        if let Some((attribute, text)) = attribute_value(element) {
            let linked = attribute == "href" && !expects_address(local);
            let shown = if linked { self.copier.text(node) } else { String::new() };
            return if shown.is_empty() {
                FoundValue { text: plain_text(text), node, attribute: Some(attribute) }
            } else {
                FoundValue { text: shown, node, attribute: None }
            };
        }
        FoundValue { text: self.copier.text(node), node, attribute: None }
    }

    fn one_spelling(&self, property: &str) -> String {
        let property = property.to_lowercase();
        if let Some(name) = known_address(&property) {
            return name;
        }
        match property.split_once(':') {
            Some((prefix, local)) => format!("{}:{local}", self.prefix(prefix)),
            None => match self.open.iter().rev().find_map(|open| open.vocabulary.as_deref()) {
                Some(vocabulary) => format!("{vocabulary}:{property}"),
                None => property,
            },
        }
    }

    fn prefix(&self, prefix: &str) -> String {
        let declared = self.open.iter().rev().flat_map(|open| open.prefixes.iter());
        let vocabulary = declared.into_iter().find(|(name, _)| name == prefix);
        let known = vocabulary.and_then(|(_, address)| known_vocabulary(address));
        known.unwrap_or_else(|| usual_prefix(prefix)).to_owned()
    }
}

impl Context {
    fn declares(&self) -> bool {
        self.vocabulary.is_some() || !self.prefixes.is_empty()
    }
}

fn declared(element: &Element) -> Context {
    let vocabulary = element.attribute("vocab").and_then(known_vocabulary).map(str::to_owned);
    let mut prefixes = Vec::new();
    let mut words = element.attribute("prefix").unwrap_or_default().split_whitespace();
    while let (Some(name), Some(address)) = (words.next(), words.next()) {
        prefixes.push((name.trim_end_matches(':').to_lowercase(), address.to_owned()));
    }
    for attribute in element.attributes() {
        if let Some(name) = attribute.name().strip_prefix("xmlns:") {
            prefixes.push((name.to_lowercase(), attribute.value.to_string()));
        }
    }
    prefixes.truncate(MAX_PREFIXES);
    Context { last: NodeId::DOCUMENT, vocabulary, prefixes, aside: false, is: Vec::new() }
}

fn usual_prefix(prefix: &str) -> &str {
    match prefix {
        "dct" | "dcterms" | "dce" | "dc11" | "DC" | "DCTERMS" => "dc",
        "s" | "sdo" => "schema",
        other => other,
    }
}

fn known_vocabulary(address: &str) -> Option<&'static str> {
    let bare = without_scheme(address);
    let same =
        |known: &str| known.trim_end_matches(['/', '#']) == bare.trim_end_matches(['/', '#']);
    VOCABULARIES.iter().find(|(known, _)| same(known)).map(|(_, prefix)| *prefix)
}

/// The name of a property that is written as a whole address.
fn known_address(property: &str) -> Option<String> {
    let bare = without_scheme(property);
    VOCABULARIES.iter().find_map(|(known, prefix)| {
        bare.strip_prefix(known).map(|local| format!("{prefix}:{local}"))
    })
}

fn without_scheme(address: &str) -> &str {
    let address = address.trim();
    address.strip_prefix("http://").or_else(|| address.strip_prefix("https://")).unwrap_or(address)
}
