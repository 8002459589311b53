//! JSON-LD as pages write it: read with forgiveness, flattened, its references kept.
//!
//! Of the JSON-LD standard only what pages use is known: `@type`, `@id`, `@graph`, `@value`. No
//! context is ever fetched; names are cut to their last part, so that `schema:author` and
//! `http://schema.org/author` are `author`.

use super::kinds::{self, local_name};
use super::repair::{repaired, unwrapped};
use super::things::{Standing, Thing, Things, Value};
use crate::marked::MarkedElements;
use auslese_markup::{NodeId, Tree};
use serde_json::Value as Json;

/// Bytes of a JSON-LD script beyond which it is not read.
pub const MAX_JSONLD: usize = 2 * 1024 * 1024;

/// JSON-LD scripts of one page that are read.
pub const MAX_JSONLD_SCRIPTS: usize = 100;

pub(crate) fn read(tree: &Tree, marked: &MarkedElements<'_>) -> Things {
    let mut things = Things::default();
    for node in scripts(marked).take(MAX_JSONLD_SCRIPTS) {
        let text = tree.string_value(node);
        if text.len() > MAX_JSONLD {
            continue;
        }
        for document in documents(&text) {
            Reader { things: &mut things, node }.roots(&document);
        }
    }
    things.finished(canonical(marked))
}

fn scripts(marked: &MarkedElements<'_>) -> impl Iterator<Item = NodeId> {
    marked.scripts.iter().filter_map(|&(node, script)| {
        let kind = script.attribute("type")?.split(';').next()?.trim();
        kind.eq_ignore_ascii_case("application/ld+json").then_some(node)
    })
}

/// The address the page declares as its own.
pub(crate) fn canonical<'t>(marked: &MarkedElements<'t>) -> Option<&'t str> {
    marked.links.iter().find_map(|(_, link)| {
        let relations = link.attribute("rel")?;
        let is_canonical = |rel: &str| rel.eq_ignore_ascii_case("canonical");
        relations.split_whitespace().any(is_canonical).then(|| link.attribute("href")).flatten()
    })
}

/// The documents of a script: mostly one. A correct script is not touched before it is read.
fn documents(script: &str) -> Vec<Json> {
    let text = unwrapped(script);
    strictly(text).unwrap_or_else(|| leniently(&repaired(text)))
}

fn strictly(text: &str) -> Option<Vec<Json>> {
    serde_json::Deserializer::from_str(text).into_iter().collect::<Result<_, _>>().ok()
}

/// What can be read up to the first mistake that could not be repaired.
fn leniently(text: &str) -> Vec<Json> {
    serde_json::Deserializer::from_str(text).into_iter().map_while(Result::ok).collect()
}

struct Reader<'a> {
    things: &'a mut Things,
    node: NodeId,
}

impl Reader<'_> {
    /// Recursion is safe: the JSON parser refuses nesting deeper than 128.
    fn roots(&mut self, json: &Json) {
        match json {
            Json::Array(list) => list.iter().for_each(|json| self.roots(json)),
            Json::Object(members) => {
                if let Some(graph) = members.get("@graph") {
                    self.roots(graph);
                }
                if members.keys().any(|name| !matches!(name.as_str(), "@graph" | "@context")) {
                    self.thing(members, Standing::Root);
                }
            }
            _ => {}
        }
    }

    fn thing(
        &mut self,
        members: &serde_json::Map<String, Json>,
        standing: Standing,
    ) -> Option<usize> {
        let thing = Thing {
            types: keyword(members, "type").map(type_names).unwrap_or_default(),
            id: keyword(members, "id").and_then(Json::as_str).map(str::to_owned),
            properties: Vec::new(),
            node: self.node,
            standing,
        };
        let number = self.things.add(thing)?;
        for (name, value) in members {
            if !matches!(name.as_str(), "@type" | "@id" | "@context" | "@graph") {
                let name = if name.starts_with('@') { name } else { local_name(name) };
                self.values(number, name, value, standing);
            }
        }
        Some(number)
    }

    fn values(&mut self, owner: usize, property: &str, json: &Json, standing: Standing) {
        let value = match json {
            Json::Null => return,
            Json::Array(list) => {
                return list.iter().for_each(|json| self.values(owner, property, json, standing));
            }
            Json::Object(members) => {
                let Some(part) = self.thing(members, below(standing, property)) else { return };
                Value::Thing(part)
            }
            Json::String(text) => self.text(text.clone()),
            Json::Number(number) => self.text(number.to_string()),
            Json::Bool(truth) => self.text(truth.to_string()),
        };
        self.things.thing_mut(owner).properties.push((property.to_owned(), value));
    }

    fn text(&self, text: String) -> Value {
        Value::Text { text, node: self.node, attribute: None }
    }
}

/// The standing of a thing that is the value of a property.
pub(crate) fn below(owner: Standing, property: &str) -> Standing {
    match (owner, property) {
        (Standing::Aside, _) => Standing::Aside,
        (_, property) if kinds::leads_aside(property) => Standing::Aside,
        (Standing::Root, "mainEntity") => Standing::Root,
        _ => Standing::Part,
    }
}

/// The context of schema.org lets `type` and `id` stand for `@type` and `@id`.
fn keyword<'a>(members: &'a serde_json::Map<String, Json>, name: &str) -> Option<&'a Json> {
    members.get(&format!("@{name}")).or_else(|| members.get(name))
}

fn type_names(json: &Json) -> Vec<String> {
    match json {
        Json::String(name) => vec![local_name(name).to_owned()],
        Json::Array(list) => list.iter().flat_map(type_names).collect(),
        _ => Vec::new(),
    }
}
