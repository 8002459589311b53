//! Dublin Core as `<meta>` elements for the head of a page (DC-HTML), with weights in `data-` attributes.

use super::{Object, decimal, full_name, triples};
use crate::document::ExportedDocument;
use crate::xml::Xml;
use std::io::{self, Write};

/// The elements for one document; an empty line ends them.
pub(crate) fn write_document(document: &ExportedDocument, out: &mut dyn Write) -> io::Result<()> {
    let mut xml = Xml::default();
    for (schema, prefix) in [("schema.DC", "dc:"), ("schema.DCTERMS", "dcterms:")] {
        xml.start("link", &[("rel", schema), ("href", &full_name(prefix))]);
        xml.line();
    }
    for triple in triples(document) {
        let Some(name) = name(triple.term) else { continue };
        let weight = triple.said.map(|said| decimal(said.weight));
        let rule = triple.said.and_then(|said| said.rules.first()).map(|rule| rule.as_str());
        let (element, key, content, scheme) = match &triple.object {
            Object::Text(text) => ("meta", "content", text, None),
            Object::Typed(text, scheme) => ("meta", "content", text, self::name(scheme)),
            Object::Resource(address) => ("link", "href", address, None),
        };
        let kind = if element == "link" { "rel" } else { "name" };
        let mut attributes = vec![(kind, name.as_str())];
        attributes.extend(scheme.as_deref().map(|scheme| ("scheme", scheme)));
        attributes.push((key, content));
        attributes.extend(weight.as_deref().map(|weight| ("data-weight", weight)));
        attributes.extend(rule.map(|rule| ("data-rule", rule)));
        xml.start(element, &attributes);
        xml.line();
    }
    writeln!(out, "{}", xml.into_text())
}

/// `DC.title` for `dc:title`; nothing for terms of our own.
fn name(term: &str) -> Option<String> {
    let (prefix, local) = term.split_once(':')?;
    matches!(prefix, "dc" | "dcterms").then(|| format!("{}.{local}", prefix.to_ascii_uppercase()))
}
