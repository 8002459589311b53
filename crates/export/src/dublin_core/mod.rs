//! Dublin Core: what a document says about itself in terms that libraries read, as RDF/XML, as Turtle, and
//! as `<meta>` elements for the head of a page.
//!
//! Every value is asserted of the document; beside it stands an annotation, a reified `rdf:Statement`,
//! with the probability that it is right, the rule that found it and where. So a reader who knows nothing
//! of weights reads plain Dublin Core.

mod meta;
mod rdf_xml;
mod turtle;

pub(crate) use meta::write_document as write_meta;
pub(crate) use rdf_xml::{
    write_document as write_rdf_xml, write_head as write_rdf_xml_head,
    write_tail as write_rdf_xml_tail,
};
pub(crate) use turtle::{write_document as write_turtle, write_head as write_turtle_head};

use crate::dates::w3c_date;
use crate::document::ExportedDocument;
use crate::language::language_tag;
use crate::tei::strict_uri;
use auslese_model::{Field, Statement};
use url::Url;

/// Prefixes and namespaces of all terms that are written.
#[rustfmt::skip]
const NAMESPACES: [(&str, &str); 5] = [
    ("rdf",     "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
    ("dc",      "http://purl.org/dc/elements/1.1/"),
    ("dcterms", "http://purl.org/dc/terms/"),
    ("xsd",     "http://www.w3.org/2001/XMLSchema#"),
    ("auslese", WEIGHT_NAMESPACE),
];

/// The namespace of what Dublin Core has no word for: weights and their grounds.
pub const WEIGHT_NAMESPACE: &str = "urn:auslese:terms:";

/// A value of Dublin Core about a document.
#[derive(Debug, PartialEq)]
struct Triple<'d> {
    /// With its prefix.
    term: &'static str,
    object: Object,
    /// None for what is certain: what the archive itself knows.
    said: Option<&'d Statement>,
}

#[derive(Debug, PartialEq)]
enum Object {
    Text(String),
    /// With the scheme it is written in, such as `dcterms:W3CDTF`.
    Typed(String, &'static str),
    /// The address of something.
    Resource(String),
}

/// All values about a document.
fn triples(document: &ExportedDocument) -> Vec<Triple<'_>> {
    let mut triples = Vec::new();
    for field in Field::ALL {
        let Some(term) = field.dublin_core() else { continue };
        for said in document.chosen(field).filter(|said| !said.value.trim().is_empty()) {
            triples.push(Triple { term, object: object(field, &said.value), said: Some(said) });
        }
    }
    let mut certain = |term, object| triples.push(Triple { term, object, said: None });
    let capture = &document.capture;
    if document.chosen(Field::Title).next().is_none() {
        certain("dc:title", Object::Text(document.title().to_owned()));
    }
    certain("dc:identifier", Object::Typed(strict_uri(&document.url), "dcterms:URI"));
    if let Some(language) = document.language().and_then(language_tag) {
        certain("dcterms:language", Object::Typed(language, "dcterms:RFC5646"));
    }
    if let Some(media_type) = &capture.media_type {
        certain("dcterms:format", Object::Typed(media_type.clone(), "dcterms:IMT"));
    }
    if let Some(size) = capture.size {
        certain("dcterms:extent", Object::Text(format!("{size} bytes")));
    }
    if let Some(modified) = capture.last_modified {
        certain("dcterms:modified", Object::Typed(modified.to_second_text(), "dcterms:W3CDTF"));
    }
    certain("auslese:captured", Object::Typed(capture.at.to_second_text(), "dcterms:W3CDTF"));
    if let Some(institution) = &document.institution {
        certain("auslese:institution", Object::Text(institution.clone()));
    }
    if let Some(record) = &capture.record_id {
        certain("dcterms:hasVersion", Object::Resource(strict_uri(record)));
    }
    certain("auslese:corpus", Object::Text(document.verdict.keeping.as_str().to_owned()));
    triples
}

fn object(field: Field, value: &str) -> Object {
    let value = value.trim();
    let as_address =
        || Url::parse(value).ok().map(|url| Object::Resource(strict_uri(url.as_str())));
    let text = || Object::Text(value.to_owned());
    match field {
        Field::Date => {
            w3c_date(value).map_or_else(text, |date| Object::Typed(date, "dcterms:W3CDTF"))
        }
        Field::Language => {
            language_tag(value).map_or_else(text, |tag| Object::Typed(tag, "dcterms:RFC5646"))
        }
        Field::FullText => as_address().unwrap_or_else(text),
        _ => text(),
    }
}

/// The annotation of a value: names with their values, numbers as such.
fn grounds(said: &Statement) -> Vec<(&'static str, Ground)> {
    let mut grounds = vec![
        ("auslese:weight", Ground::Number(said.weight)),
        ("auslese:initialWeight", Ground::Number(said.initial)),
    ];
    grounds.extend(
        said.rules.iter().map(|rule| ("auslese:rule", Ground::Text(rule.as_str().to_owned()))),
    );
    if let Some(place) = &said.place {
        grounds.push(("auslese:place", Ground::Text(place.to_string())));
    }
    if let Some(origin) = &said.origin {
        grounds.push(("auslese:origin", Ground::Text(origin.clone())));
    }
    grounds
}

enum Ground {
    Number(f64),
    Text(String),
}

/// A weight as `xsd:decimal`.
fn decimal(weight: f64) -> String {
    let weight = if weight.is_finite() { weight.clamp(0.0, 1.0) } else { 0.0 };
    format!("{weight:.4}")
}

/// The full name of a term with a prefix.
fn full_name(term: &str) -> String {
    let (prefix, local) = term.split_once(':').unwrap_or(("", term));
    let namespace = NAMESPACES.iter().find(|(name, _)| *name == prefix).map_or("", |(_, it)| it);
    format!("{namespace}{local}")
}
